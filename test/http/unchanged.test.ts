// Answers that are kept while nothing changes are those that would be read afresh.

import { afterEach, beforeEach, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Desk } from '../../src/desk/desk.ts';
import { unchangedSince } from '../../src/http/unchanged.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { caseCount } from '../support/case-count.ts';

type Headers = Record<string, string>;

let app: TestApp;
beforeEach(async () => {
  app = await testApp();
});
afterEach(() => app.close());

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom('open', 'reply', 'note', 'assign', 'subject', 'read', 'draft', 'erase', 'rename', 'restrict'),
    who: fc.nat(),
    which: fc.nat(),
  }),
  { minLength: 3, maxLength: 12 },
);
type Step = (typeof steps extends fc.Arbitrary<infer All> ? All : never) extends (infer One)[] ? One : never;

async function take({ kind, who, which }: Step, ulids: string[], agents: Headers[], memberId: number): Promise<void> {
  const headers = agents[who % agents.length] ?? {};
  const ticket = `/api/v1/tickets/${ulids[which % ulids.length]}`;
  const said = { body: `Said ${which}` };
  const author = { email: `author${which % ulids.length}@example.com`, site_id: app.site.id };
  switch (kind) {
    case 'open':
      ulids.push((await app.open({ email: `author${ulids.length}@example.com` })).ulid);
      return;
    case 'reply':
      return void (await app.ask('POST', `${ticket}/messages`, { headers, body: said }));
    case 'note':
      return void (await app.ask('POST', `${ticket}/notes`, { headers, body: said }));
    case 'assign':
      return void (await app.ask('PATCH', ticket, { headers, body: { assigned_to: memberId } }));
    case 'subject':
      return void (await app.ask('PATCH', ticket, { headers, body: { subject: `Subject ${which}` } }));
    case 'read':
      return void (await app.ask('PUT', `${ticket}/read`, { headers, body: {} }));
    case 'draft':
      return void (await app.ask('PUT', `${ticket}/draft`, { headers, body: said }));
    case 'erase':
      return void (await app.asTeam('POST', '/api/v1/authors/anonymise', author));
    case 'rename':
      return void (await app.asTeam('PATCH', `/api/v1/sites/${app.site.id}`, { name: `Site ${which}` }));
    case 'restrict':
      return void (await app.ask('PATCH', `/api/v1/agents/${memberId}`, {
        headers: agents[0],
        body: { site_ids: which % 2 === 0 ? [app.site.id] : [app.other.site.id] },
      }));
  }
}

// Names the same ticket by another URL, which no answer is kept under.
let asked = 0;
function otherwise(ulid: string): string {
  asked += 1;
  return Array.from(ulid, (letter, at) => ((asked >> (at % 20)) & 1 ? letter.toLowerCase() : letter)).join('');
}

async function requireSame(ulids: readonly string[], readers: readonly Headers[]): Promise<void> {
  for (const headers of readers) {
    for (const ulid of ulids) {
      const [kept, fresh] = [
        await app.ask('GET', `/api/v1/tickets/${ulid}`, { headers }),
        await app.ask('GET', `/api/v1/tickets/${otherwise(ulid)}`, { headers }),
      ];
      expect([kept.status, kept.json.data, kept.headers.get('etag')]).toEqual([
        fresh.status,
        fresh.json.data,
        fresh.headers.get('etag'),
      ]);
    }
    asked += 1;
    const [kept, fresh] = [
      await app.ask('GET', '/api/v1/tickets', { headers }),
      await app.ask('GET', `/api/v1/tickets?created_from=${new Date(asked * 1000).toISOString()}`, { headers }),
    ];
    expect([kept.status, kept.json.data, kept.json.meta?.newest_seq]).toEqual([
      fresh.status,
      fresh.json.data,
      fresh.json.meta?.newest_seq,
    ]);
  }
}

test('kept answers are the fresh ones, over random histories and for every actor', async () => {
  const owner = await app.person('owner');
  const member = await app.person('member', [app.site.id]);
  const scoped = await app.token(['read'], app.other.site.id);
  const team = await app.token(['read']);
  const bearer = ({ secret }: { secret: string }) => ({ Authorization: `Bearer ${secret}` });
  const agents = [owner.headers, member.headers];
  const readers = [...agents, bearer(scoped), bearer(team)];
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const ulids = [(await app.open({ email: 'author0@example.com' })).ulid];
      for (const step of all) {
        await requireSame(ulids.slice(-3), readers);
        await take(step, ulids, agents, member.agentId);
        await requireSame(ulids.slice(-3), readers);
      }
    }),
    { numRuns: caseCount(4, 60) },
  );
});

const statusOf = async (headers: Headers, path: string) => (await app.ask('GET', path, { headers })).status;

test('a kept answer is repeated only for its caller, and not past the end of a credential', async () => {
  const { ulid } = await app.open();
  const path = `/api/v1/tickets/${ulid}`;
  const expiring = await app.token(['read'], null, app.clock.now() + 50);
  const scoped = await app.token(['read'], app.other.site.id);
  const blind = await app.token(['write']);
  const bearer = ({ secret }: { secret: string }) => ({ Authorization: `Bearer ${secret}` });
  expect(await statusOf(bearer(expiring), path)).toBe(200);
  expect(await statusOf(bearer(expiring), path)).toBe(200);
  expect(await statusOf(bearer(scoped), path)).toBe(404);
  expect(await statusOf(bearer(blind), path)).toBe(403);
  expect(await statusOf({}, path)).toBe(401);
  app.clock.advance(200);
  expect(await statusOf(bearer(expiring), path)).toBe(401);
});

test('what depends on the clock is read again after a second, also when the clock was set back', async () => {
  const { ulid } = await app.open();
  const path = `/api/v1/tickets/${ulid}/attachments`;
  const form = new FormData();
  form.append('file', new File(['text'], 'a.txt', { type: 'text/plain' }));
  const team = await app.token(['read', 'write', 'manage']);
  const headers = { Authorization: `Bearer ${team.secret}` };
  expect((await app.ask('POST', path, { headers, body: form })).status).toBe(201);
  const expiresAt = async () =>
    (await app.ask('GET', `/api/v1/tickets/${ulid}`, { headers })).json.data.attachments[0]?.url_expires_at;
  const first = await expiresAt();
  app.clock.advance(3_600_000);
  const second = await expiresAt();
  expect(second > first).toBe(true);
  app.clock.advance(-3_600_000);
  expect(await expiresAt()).toBe(first);
});

test('an answer kept for one who knows it already is 304, and whole for the next', async () => {
  const { ulid } = await app.open();
  const first = await app.asTeam('GET', `/api/v1/tickets/${ulid}`);
  const etag = first.headers.get('etag') ?? '';
  const again = await app.asTeam('GET', `/api/v1/tickets/${ulid}`, undefined, { 'If-None-Match': etag });
  expect([again.status, again.text]).toEqual([304, '']);
  const whole = await app.asTeam('GET', `/api/v1/tickets/${ulid}`);
  expect([whole.status, whole.text]).toEqual([200, first.text]);
});

test('what is kept again takes the room of what it replaces', () => {
  const { callers } = unchangedSince({ generation: () => 'same' } as Desk);
  const caller = {} as never;
  callers.keep('other', caller, 10, 0);
  for (let at = 0; at < 5; at += 1) callers.keep('same', caller, 1_000_000, at);
  expect(callers.find('other', 4)).toBe(caller);
  for (const key of ['a', 'b', 'c']) callers.keep(key, caller, 1_000_000, 4);
  expect(callers.find('other', 4)).toBeUndefined();
});
