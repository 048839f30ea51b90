// The live board over HTTP: by a link alone, with the numbers of its sites, as long as who made it may make it.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import { replyAsAgent } from '../../../src/desk/tickets/replies.ts';
import type { Role } from '../../../src/domain/actor.ts';
import { query } from '../../../src/engine/database.ts';
import { ticketByUlid } from '../../../src/store/tickets/tickets.ts';
import { type TestApp, testApp } from '../../support/app.ts';

const minute = 60_000;
let app: TestApp;
beforeEach(async () => {
  app = await testApp();
});
afterEach(() => app.close());

const as = async (role: Role, sites: number[] = []) => {
  const { headers, agentId } = await app.person(role, sites);
  const ask = (method: string, path: string, body?: unknown) => app.ask(method, `/api/v1${path}`, { headers, body });
  return Object.assign(ask, { agentId });
};
type Ask = Awaited<ReturnType<typeof as>>;
const make = async (ask: Ask, input: object = {}) => {
  const made = await ask('POST', '/reports/board-links', { name: 'Kitchen', ...input });
  return { status: made.status, id: made.json.data?.id, secret: String(made.json.url).split('#')[1] ?? '', made };
};
const read = (secret: string) => app.ask('POST', '/api/v1/reports/board', { body: { secret } });
const numbers = async (secret: string) => {
  // What was counted is kept for five seconds.
  app.clock.advance(6000);
  return (await read(secret)).json.data;
};
const exactly = (count: number) => ({ count, is_capped: false });
const idOf = (ulid: string) => app.desk.read((tx) => ticketByUlid(tx, ulid)?.id ?? 0);
const owner = () => app.desk.context({ kind: 'command_line' }, 'test');

describe('the board', () => {
  test('has the numbers of this moment, and names no one', async () => {
    const { secret } = await make(await as('owner'));
    const first = await app.open({ subject: 'Secret subject', email: 'mia@example.org' });
    app.clock.advance(5 * minute);
    const second = await app.open();
    const since = new Date(app.clock.now() - 5 * minute).toISOString();
    const before = await numbers(secret);
    expect(before).toMatchObject({ name: 'Kitchen', open: exactly(2), unassigned: exactly(2), due_soon: exactly(0) });
    expect([before.breached_today, before.oldest_wait_since.slice(0, 16)]).toEqual([0, since.slice(0, 16)]);
    expect(before.agents_there).toBe(1);
    await app.desk.write((tx) => {
      replyAsAgent(tx, owner(), idOf(first.ulid), { body: 'Yes.' });
      changeTicket(tx, owner(), idOf(second.ulid), { assigned_to: app.agentId }, null);
      return null;
    });
    const after = await numbers(secret);
    expect([after.open, after.unassigned]).toEqual([exactly(2), exactly(1)]);
    expect(Date.parse(after.oldest_wait_since)).toBeGreaterThan(Date.parse(before.oldest_wait_since));
    await app.desk.write((tx) => changeTicket(tx, owner(), idOf(second.ulid), { status: 'resolved' }, null) && null);
    expect((await numbers(secret)).oldest_wait_since).toBeNull();
    expect(JSON.stringify([before, after])).not.toMatch(/mia|Secret subject|@/i);
    app.clock.advance(11 * minute);
    expect((await numbers(secret)).agents_there).toBe(0);
  });

  test('counts a ticket that is late today once, until midnight', async () => {
    const { secret } = await make(await as('owner'));
    const { ulid } = await app.open();
    const id = idOf(ulid);
    await app.desk.write((tx) => {
      const add = query(
        tx,
        `INSERT INTO report_facts (ticket_id, kind, number, site_id, at, ticket_created_at, amount, is_last) VALUES (?, ?, 1, ?, ?, ?, 0, 1)`,
      );
      for (const kind of ['first_response_clock', 'resolution_clock'])
        add.run(id, kind, app.site.id, app.clock.now(), app.clock.now());
      return null;
    });
    expect((await numbers(secret)).breached_today).toBe(1);
    app.clock.advance(24 * 60 * minute);
    expect((await numbers(secret)).breached_today).toBe(0);
  });

  test('has only the sites that its link was made for', async () => {
    const all = await as('owner');
    await app.open();
    const here = await make(all, { site_ids: [app.site.id] });
    const there = await make(await as('admin', [app.other.site.id]));
    expect((await numbers(here.secret)).open).toEqual(exactly(1));
    expect(await numbers(there.secret)).toMatchObject({
      open: exactly(0),
      unassigned: exactly(0),
      oldest_wait_since: null,
    });
    expect((await make(await as('admin', [app.other.site.id]), { site_ids: [app.site.id] })).status).toBe(404);
  });
});

describe('a link to the board', () => {
  test('is made, listed and revoked by who manages, and its secret is shown once', async () => {
    const [admin, member, far] = [await as('admin'), await as('member'), await as('admin', [app.other.site.id])];
    expect((await make(member)).status).toBe(403);
    expect((await app.asTeam('POST', '/api/v1/reports/board-links', { name: 'x' })).status).toBe(401);
    const { id, secret, made } = await make(admin);
    expect(made.json.url).toBe(`http://desk.localhost/reports/board#${secret}`);
    const listed = (await admin('GET', '/reports/board-links')).json.data;
    expect(listed).toEqual([made.json.data]);
    expect(JSON.stringify(listed)).not.toContain(secret);
    expect(app.desk.read((tx) => JSON.stringify(query(tx, 'SELECT * FROM board_links').all()))).not.toContain(secret);
    expect((await far('GET', '/reports/board-links')).json.data).toEqual([]);
    expect((await far('DELETE', `/reports/board-links/${id}`)).status).toBe(404);
    expect((await read(secret)).status).toBe(200);
    expect((await admin('DELETE', `/reports/board-links/${id}`)).status).toBe(204);
    expect((await read(secret)).status).toBe(404);
    const actions = await (await as('owner'))('GET', '/audit?action=board_link.created,board_link.revoked');
    expect(actions.json.data.map(({ action }: { action: string }) => action)).toEqual([
      'board_link.revoked',
      'board_link.created',
    ]);
  });

  test('closes with the rights of who made it', async () => {
    const owner = await as('owner');
    const closed = async (change: object, sites: number[] = []) => {
      const admin = await as('admin', sites);
      const { secret } = await make(admin);
      expect((await read(secret)).status).toBe(200);
      const changed = await owner('PATCH', `/agents/${admin.agentId}`, change);
      expect(changed.status).toBe(200);
      const { data } = (await owner('GET', '/reports/board-links')).json;
      expect(data.at(-1).is_open).toBe(false);
      return (await read(secret)).status;
    };
    expect(await closed({ is_active: false })).toBe(404);
    expect(await closed({ role: 'member' })).toBe(404);
    expect(await closed({ sites: [app.site.id] })).toBe(404);
    expect(await closed({ sites: [app.other.site.id] }, [app.site.id, app.other.site.id])).toBe(404);
    const gone = await as('admin');
    const { secret } = await make(gone);
    expect((await owner('DELETE', `/agents/${gone.agentId}`)).status).toBe(204);
    expect((await read(secret)).status).toBe(404);
  });

  test('cannot be guessed for long', async () => {
    await app.close();
    app = await testApp({ signInFailures: 3 });
    const { secret } = await make(await as('owner'));
    for (const guess of ['hdb_a', 'hdb_b', 'hdb_c']) expect((await read(guess)).status).toBe(404);
    expect((await read('hdb_d')).status).toBe(429);
    expect((await read(secret)).status).toBe(429);
  });
});
