// One change of many tickets: a result for each, once for each key, in small steps (docs/spec/console.md#bulk-changes).

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { newUlid } from '../../../src/base/ids.ts';
import { changeInBulk } from '../../../src/desk/tickets/bulk.ts';
import { DeskError } from '../../../src/domain/errors.ts';
import { query } from '../../../src/engine/database.ts';
import { type TestApp, testApp } from '../../support/app.ts';

let app: TestApp;
beforeEach(async () => {
  app = await testApp();
});
afterEach(() => app.close());

const path = '/api/v1/tickets/bulk';
const bulk = (tickets: string[], change: object, headers: Record<string, string> = {}) =>
  app.asTeam('POST', path, { tickets, change }, headers);
const open = async (input: object = {}) => (await app.open(input)).ulid;
const several = async (total: number) => {
  const ulids: string[] = [];
  for (let at = 0; at < total; at += 1) ulids.push(await open());
  return ulids;
};
const patch = (ulid: string, change: object) => app.asTeam('PATCH', `/api/v1/tickets/${ulid}`, change);
const read = async (ulid: string) => (await app.asTeam('GET', `/api/v1/tickets/${ulid}`)).json.data;
const events = (kind: string) =>
  query<{ id: number }>(app.desk.store.reading, 'SELECT ticket_id AS id FROM events WHERE kind = ?').all(kind);
const statuses = (json: { data: { status: number }[] }) => json.data.map(({ status }) => status);

describe('each ticket', () => {
  test('has a result of its own, and one that is refused changes nothing', async () => {
    const [plain = '', merged = '', closed = '', into = ''] = await several(4);
    await app.asTeam('POST', `/api/v1/tickets/${merged}/merge`, { into });
    await patch(closed, { status: 'closed' });
    const unknown = newUlid(app.desk.now());
    const before = await read(closed);
    const { status, json } = await bulk([plain, merged, closed, unknown, into], {
      status: 'pending',
      add_tags: ['vip'],
    });
    expect(status).toBe(200);
    expect(statuses(json)).toEqual([200, 409, 409, 404, 200]);
    expect(json.data.map(({ ticket }: { ticket: string }) => ticket)).toEqual([plain, merged, closed, unknown, into]);
    expect(json.data.map(({ error }: { error: { code: string } | null }) => error?.code ?? null)).toEqual([
      null,
      'ticket_merged',
      'no_such_transition',
      'not_found',
      null,
    ]);
    expect(json.data[0].data).toMatchObject({ ulid: plain, status: 'pending', tags: ['vip'] });
    expect(await read(closed)).toEqual(before);
  });

  test('names its own faults', async () => {
    const tickets = [await open({ tags: Array.from({ length: 10 }, (_, at) => `t-${at}`) }), await open()];
    const { json } = await bulk(tickets, { add_tags: ['one-more'] });
    expect(statuses(json)).toEqual([422, 200]);
    expect(json.data[0].error.errors).toEqual({
      add_tags: ['The add tags field must leave the ticket with at most 10 tags.'],
    });
  });

  test('of a site that the caller does not see is not there', async () => {
    const theirs = await app.ask('POST', '/api/v1/public/tickets', {
      headers: { 'X-Site-Token': app.other.siteToken },
      body: { email: 'a@example.org', subject: 'Theirs', message: 'x' },
    });
    const { secret } = await app.token(['read', 'write'], app.site.id);
    const tickets = Array.from({ length: 199 }, () => newUlid(app.desk.now()));
    const ours = await open();
    const headers = { Authorization: `Bearer ${secret}` };
    const body = { tickets: [theirs.json.ticket.ulid, ...tickets.slice(1), ours], change: { subject: 'Changed' } };
    const { json } = await app.ask('POST', path, { headers, body });
    const [first, second, last] = [json.data[0], json.data[1], json.data.at(-1)];
    expect([first.status, last.status]).toEqual([404, 200]);
    // Nothing tells it from one that is not there.
    expect({ ...first, ticket: '' }).toEqual({ ...second, ticket: '' });
    expect((await read(theirs.json.ticket.ulid)).subject).toBe('Theirs');
  });

  test('that cannot be read fails alone', async () => {
    const tickets = await several(3);
    const faults: unknown[] = [];
    app.edge.reportFault = (error) => void faults.push(error);
    app.desk.store.writing.client.run("UPDATE tickets SET custom_fields = '{' WHERE ulid = ?", [tickets[1] ?? '']);
    const { json } = await bulk(tickets, { status: 'resolved' });
    expect(statuses(json)).toEqual([200, 500, 200]);
    expect(json.data[1].error.code).toBe('internal_error');
    expect(faults).toHaveLength(1);
  });
});

describe('a request', () => {
  test('that is malformed changes nothing', async () => {
    const [ulid = ''] = await several(1);
    const before = app.counts();
    const many = Array.from({ length: 201 }, () => newUlid(app.desk.now()));
    for (const [body, field] of [
      [{ tickets: [], change: {} }, 'tickets'],
      [{ tickets: many, change: {} }, 'tickets'],
      [{ tickets: [ulid, ulid.toLowerCase()], change: {} }, 'tickets'],
      [{ tickets: [ulid, '41'], change: {} }, 'tickets.1'],
      [{ tickets: [ulid], change: { status: 'gone' } }, 'change.status'],
      [{ tickets: [ulid], change: { merge_into: ulid, status: 'open' } }, 'change.merge_into'],
      [{ tickets: [ulid], change: { hold_seconds: 10 } }, 'change.hold_seconds'],
      [{ tickets: [ulid] }, 'change'],
    ] as const) {
      const { status, json } = await app.asTeam('POST', path, body);
      expect([status, Object.keys(json.errors)]).toEqual([422, [field]]);
    }
    expect((await bulk([ulid], { status: 'pending' }, { 'If-Match': '"t1-1"' })).status).toBe(400);
    expect(app.counts()).toEqual(before);
    expect((await read(ulid)).status).toBe('open');
  });

  test('needs write, and shows only names without read', async () => {
    const [ulid = ''] = await several(1);
    const as = async (abilities: ('read' | 'write')[]) => {
      const { secret } = await app.token(abilities);
      const headers = { Authorization: `Bearer ${secret}` };
      return app.ask('POST', path, { headers, body: { tickets: [ulid], change: { add_tags: ['x'] } } });
    };
    expect((await as(['read'])).status).toBe(403);
    const { json } = await as(['write']);
    expect(json.data).toEqual([
      {
        ticket: ulid,
        status: 200,
        data: { id: expect.any(Number), ulid, reference: expect.any(String) },
        reply: null,
        error: null,
      },
    ]);
  });

  test('of two hundred tickets commits in small slices', async () => {
    const tickets = await several(200);
    const { commits } = app.desk.writer.batches;
    const { json } = await bulk(tickets, { status: 'resolved' });
    expect(new Set(statuses(json))).toEqual(new Set([200]));
    expect(app.desk.writer.batches.commits - commits).toBeGreaterThanOrEqual(13);
  }, 20_000);
});

describe('with an Idempotency-Key', () => {
  const key = { 'Idempotency-Key': 'k' };

  test('a repeat gets the same answer and changes nothing', async () => {
    const tickets = [...(await several(5)), newUlid(app.desk.now())];
    const first = await bulk(tickets, { status: 'pending' }, key);
    await patch(tickets[0] ?? '', { status: 'open' });
    const second = await bulk(tickets, { status: 'pending' }, key);
    expect(second.json).toEqual(first.json);
    expect([first, second].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true']);
    expect(events('ticket.status_changed')).toHaveLength(6);
  });

  test('a request that broke off goes on where it stopped', async () => {
    const tickets = await several(40);
    let steps = 0;
    app.desk.writer.guard(() => {
      steps += 1;
      if (steps > 4) throw new DeskError('unavailable', 'The disk is full.', { reason: 'storage_unavailable' });
    });
    const broken = await bulk(tickets, { status: 'pending' }, key);
    const done = statuses(broken.json).filter((status) => status === 200).length;
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThan(40);
    expect(new Set(statuses(broken.json))).toEqual(new Set([200, 503]));
    app.desk.writer.guard(() => undefined);
    const whole = await bulk(tickets, { status: 'pending' }, key);
    expect(new Set(statuses(whole.json))).toEqual(new Set([200]));
    expect(events('ticket.status_changed')).toHaveLength(40);
  });

  test('the key belongs to one request, also while that runs', async () => {
    const tickets = await several(6);
    const [one, other] = await Promise.all([
      bulk(tickets, { status: 'pending' }, key),
      bulk(tickets, { status: 'resolved' }, key),
    ]);
    const codes = [one, other].map(({ status }) => status).sort();
    expect(codes).toEqual([200, 409]);
    expect(events('ticket.status_changed')).toHaveLength(6);
  });

  test('the same request twice side by side changes each ticket once', async () => {
    const tickets = await several(20);
    const answers = await Promise.all([1, 2, 3].map(() => bulk(tickets, { status: 'pending' }, key)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(events('ticket.status_changed')).toHaveLength(20);
  });
});

describe('a macro', () => {
  const macro = async (input: object) =>
    (await app.asTeam('POST', '/api/v1/macros', { name: 'Closing', ...input })).json.data.id as number;

  test('answers each customer with their own words, and its changes go with it', async () => {
    const tickets = [await open({ name: 'Mia' }), await open({ email: 'zoe@example.org', name: '**Zoë**' })];
    const id = await macro({
      body: 'Hello {{author.name}}, {{ticket.reference}}',
      body_format: 'markdown',
      changes: { status: 'resolved', add_tags: ['done'] },
    });
    const { json } = await bulk(tickets, { macro_id: id, add_tags: ['vip'] });
    expect(statuses(json)).toEqual([200, 200]);
    const [mia, zoe] = [await read(tickets[0] ?? ''), await read(tickets[1] ?? '')];
    expect(mia).toMatchObject({ status: 'resolved', tags: ['done', 'vip'] });
    expect(mia.messages.at(-1)).toMatchObject({
      ulid: json.data[0].reply,
      body: `Hello Mia, ${mia.reference}`,
      is_agent: true,
    });
    expect(zoe.messages.at(-1).html).toBe(`<p>Hello **Zoë**, ${zoe.reference}</p>`);
    expect(zoe.messages.at(-1).body).toBe(`Hello \\*\\*Zoë\\*\\*, ${zoe.reference}`);
  });

  test('without text only changes, and what the request names goes first', async () => {
    const [ulid = ''] = await several(1);
    const id = await macro({ body: '', changes: { status: 'resolved', add_tags: ['done'] } });
    const { json } = await bulk([ulid], { macro_id: id, status: 'pending' });
    expect(json.data[0]).toMatchObject({
      status: 200,
      reply: null,
      data: { status: 'pending', tags: ['done'], message_count: 1 },
    });
  });

  test('that is held is sent later, and can be withdrawn', async () => {
    const [ulid = ''] = await several(1);
    const id = await macro({ body: 'Done.', changes: { status: 'resolved' } });
    const { json } = await bulk([ulid], { macro_id: id, hold_seconds: 10 });
    const reply = json.data[0].reply as string;
    expect((await read(ulid)).status).toBe('open');
    const withdrawn = await app.asTeam('DELETE', `/api/v1/tickets/${ulid}/messages/${reply}`);
    expect(withdrawn.status).toBe(200);
    expect((await read(ulid)).messages).toHaveLength(1);
  });

  test('of another site, removed, or that makes too long a text is refused for each ticket', async () => {
    const [ulid = ''] = await several(1);
    const long = await open({ email: 'long@example.org', name: 'x'.repeat(200) });
    const theirs = await macro({ body: 'Hi', site_id: app.other.site.id });
    const full = await macro({ body: `${'y'.repeat(9900)}{{author.name}}` });
    expect((await bulk([ulid], { macro_id: theirs })).json.data[0]).toMatchObject({
      status: 422,
      error: { errors: { macro_id: [expect.any(String)] } },
    });
    expect((await bulk([ulid], { macro_id: 999_999 })).json.data[0].status).toBe(404);
    expect(statuses((await bulk([ulid, long], { macro_id: full })).json)).toEqual([200, 422]);
  });

  test('whose text changes before it is stored refuses the ticket, which keeps its state', async () => {
    const [ulid = ''] = await several(1);
    const id = await macro({ body: 'Done.', body_format: 'markdown', changes: { status: 'resolved' } });
    const ctx = app.desk.context({ kind: 'command_line' }, 'test');
    const late = { body: 'Not yet.', html: '<p>Not yet.</p>' };
    const step = app.desk.write((tx) => changeInBulk(tx, ctx, ulid, { macro_id: id }, late).reply);
    await expect(step).rejects.toMatchObject({ reason: 'changed_meanwhile' });
    expect(await read(ulid)).toMatchObject({ status: 'open', message_count: 1 });
  });

  test('leaves what the agent was writing', async () => {
    const [ulid = ''] = await several(1);
    const { headers } = await app.person('member');
    await app.ask('PUT', `/api/v1/tickets/${ulid}/draft`, { headers, body: { body: 'Half a thou', tab: 'reply' } });
    const id = await macro({ body: 'Done.', is_shared: true });
    const { json } = await app.ask('POST', path, { headers, body: { tickets: [ulid], change: { macro_id: id } } });
    expect(json.data[0].status).toBe(200);
    const draft = await app.ask('GET', `/api/v1/tickets/${ulid}/draft`, { headers });
    expect(draft.json.data.body).toBe('Half a thou');
  });
});

test('many tickets are merged into one, which refuses only itself', async () => {
  const [into = '', ...others] = await several(4);
  const { json } = await bulk([...others, into], { merge_into: into });
  expect(statuses(json)).toEqual([200, 200, 200, 422]);
  expect(json.data[0].data).toMatchObject({ status: 'closed', merged_into: into });
  expect(Object.keys(json.data[3].error.errors)).toEqual(['merge_into']);
  expect((await read(into)).messages).toHaveLength(4);
});
