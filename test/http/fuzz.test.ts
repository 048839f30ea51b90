// Garbage into every operation, with valid credentials: always an answer in the one shape, never a crash, nothing
// written in part.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { admissionOf } from '../../src/http/credentials/access.ts';
import type { Operation } from '../../src/http/operation.ts';
import { allOperations } from '../../src/http/operations.ts';
import { untilSearchable } from '../../src/http/searchable.ts';
import { errorStatuses } from '../../src/http/wire/openapi.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { caseCount } from '../support/case-count.ts';
import { pathOf, stepFor } from './walk.ts';
import { file, type Step } from './walks/step.ts';

let app: TestApp;
const faults: object[] = [];
beforeAll(async () => {
  const quiet = () => undefined;
  app = await testApp({}, { debug: quiet, info: quiet, warn: quiet, error: (fields) => void faults.push(fields) });
});
afterAll(() => app.close());

const operations = (await allOperations({ next: () => Promise.resolve(), close: () => undefined }, 'http://x')).filter(
  ({ id }) => !id.startsWith('readDocs_'),
);
const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    '',
    '0',
    '-1',
    '1e9',
    '99999999999999999999',
    'null',
    '\u0000',
    '../../etc/passwd',
    "' OR 1=1 --",
    '"',
    '%',
    '%00',
    '\ud800',
    '🙂',
    '{}',
    '[]',
    'true',
    '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    'constructor',
    '__proto__',
  ),
);
const json = fc.oneof(
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(
      { __proto__: { a: 1 } },
      { constructor: {} },
      Array(2000).fill(0),
      { a: 'x'.repeat(50_000) },
      1e308,
      -0,
    ),
  },
);

interface Shot {
  params: string[];
  query: [string, string][];
  headers: [string, string][];
  body:
    | { kind: 'keep' }
    | { kind: 'json'; value: unknown }
    | { kind: 'field'; at: number; value: unknown }
    | { kind: 'bytes'; value: Uint8Array };
}

const shots: fc.Arbitrary<Shot> = fc.record({
  params: fc.array(nasty, { minLength: 3, maxLength: 3 }),
  query: fc.array(
    fc.tuple(
      fc.constantFrom(
        'status',
        'status[]',
        'page',
        'per_page',
        'q',
        'cursor',
        'tag',
        'sort',
        'created_from',
        'site_id',
        'after',
        'access_token',
        'outcome',
        'sla',
        'email',
        'confirm',
        'x',
      ),
      nasty,
    ),
    { maxLength: 4 },
  ),
  headers: fc.array(
    fc.tuple(
      fc.constantFrom(
        'If-Match',
        'If-None-Match',
        'Idempotency-Key',
        'X-Request-Id',
        'X-Forwarded-For',
        'Range',
        'Accept',
        'Content-Type',
        'Content-Encoding',
        'Last-Event-ID',
      ),
      nasty,
    ),
    { maxLength: 3 },
  ),
  body: fc.oneof(
    fc.constant({ kind: 'keep' as const }),
    json.map((value) => ({ kind: 'json' as const, value })),
    fc.tuple(fc.nat(8), json).map(([at, value]) => ({ kind: 'field' as const, at, value })),
    fc.uint8Array({ maxLength: 300 }).map((value) => ({ kind: 'bytes' as const, value })),
  ),
});

function bodyOf(step: Step, shot: Shot): unknown {
  const { body } = shot;
  if (body.kind === 'bytes') return body.value;
  if (body.kind === 'json') return JSON.stringify(body.value);
  if (body.kind === 'field' && typeof step.body === 'object' && step.body !== null) {
    const keys = Object.keys(step.body);
    return { ...step.body, [keys[body.at % Math.max(1, keys.length)] ?? 'x']: body.value };
  }
  return step.form ? step.form() : step.body;
}

/** The tables that a refusal adds to. */
function notesOf({ access, takesSecret }: Operation): string[] {
  const isSecret = takesSecret === true || admissionOf(access).isGuarded;
  return ['idempotency_keys', ...(isSecret ? ['audit_log', 'sign_in_failures'] : [])];
}

describe.each(operations.map(({ id }) => [id]))('%s', (id) => {
  test('answers any input without a 500', async () => {
    const operation = operations.find((one) => one.id === id);
    if (!operation) throw new Error(id);
    const step = await stepFor(app, id);
    const team = await app.token(['read', 'write', 'manage']);
    const documented = [operation.answer.status, ...errorStatuses(operation)];
    if (operation.hasEtag && operation.method === 'GET') documented.push(304);
    if (id === 'downloadAttachment') documented.push(206, 416);
    await fc.assert(
      fc.asyncProperty(shots, fc.nat(7), async (shot, which) => {
        const names = Object.keys(step.params);
        // Often the path is right and only the body is not.
        const params =
          which < 5
            ? step.params
            : {
                ...step.params,
                ...Object.fromEntries(
                  names
                    .map((name, at) => [name, shot.params[at] ?? ''])
                    .filter(([name]) => name !== 'site' || which === 7),
                ),
              };
        const query = which % 2 === 0 ? (step.query ?? {}) : { ...step.query, ...Object.fromEntries(shot.query) };
        // Streaming answers never end by themselves, and waiting ones wait.
        const headers: Record<string, string> = {
          'X-Site-Token': app.siteToken,
          Authorization: `Bearer ${team.secret}`,
        };
        for (const [name, value] of shot.headers) {
          const isSendable = /^[\x20-\x7e\x80-\xff]*$/.test(value);
          if (isSendable && !(name === 'Accept' && value.includes('event-stream'))) headers[name] = value;
        }
        const isBodied = operation.method === 'POST' || operation.method === 'PATCH';
        let path: string;
        try {
          path = pathOf(operation.path, { ...step, params, query: query as Record<string, string> });
        } catch (error) {
          if (error instanceof URIError) return;
          throw error;
        }
        // After what the answer before did not wait for, such as a new link, and what a search writes first.
        await app.mailAsked();
        await untilSearchable(app.desk);
        const before = app.counts();
        const body = isBodied ? bodyOf(step, shot) : undefined;
        if (typeof body === 'string' && headers['Content-Type'] === undefined)
          headers['Content-Type'] = 'application/json';
        const answer = await app.ask(operation.method, path, { headers, body });
        expect(
          answer.status,
          `${operation.method} ${path} ${answer.text} ${JSON.stringify(faults.at(-1))}`,
        ).toBeLessThan(500);
        // A path with an empty parameter or a dot is another path, which has its own test.
        const isElsewhere = Object.values(params as Record<string, string>).some(
          (value) => /^[.]{0,2}$/.test(value) || value.includes('/'),
        );
        if (!isElsewhere) expect(documented, `${operation.method} ${path} ${answer.text}`).toContain(answer.status);
        if (answer.status >= 400 && answer.status !== 416) {
          expect(typeof answer.json?.message, answer.text).toBe('string');
          expect(typeof answer.json?.code).toBe('string');
          // An Idempotency-Key stores refusals too, and wrong passwords and codes are counted; otherwise nothing is written.
          const notes = notesOf(operation);
          const grown = Object.entries(app.counts()).filter(
            ([table, n]) => n !== before[table] && !notes.includes(table),
          );
          expect(grown, `${operation.method} ${path} ${answer.text}`).toEqual([]);
        }
      }),
      { numRuns: caseCount(5, 25) },
    );
  }, 60_000);
});

test('refuses hostile multipart bodies completely', async () => {
  const { ulid, accessToken } = await app.open();
  const path = `/api/v1/public/tickets/${ulid}/attachments?access_token=${accessToken}`;
  const before = app.counts();
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.constantFrom('b', '"b"', '', 'b; charset=x', 'x'.repeat(200)),
      async (garbage, boundary) => {
        const body = `--b\r\nContent-Disposition: form-data; name="file"; filename="${garbage}"\r\n${garbage}\r\n\r\n${garbage}\r\n--b--\r\n`;
        const answer = await app.ask('POST', path, {
          headers: { 'X-Site-Token': app.siteToken, 'Content-Type': `multipart/form-data; boundary=${boundary}` },
          body,
        });
        expect(answer.status, answer.text).toBeGreaterThanOrEqual(400);
        expect(answer.status, answer.text).toBeLessThan(500);
      },
    ),
    { numRuns: caseCount(10, 60) },
  );
  expect(app.counts()).toEqual(before);
  expect((await app.asSite('POST', path, file())).status).toBe(201);
}, 60_000);
