// Clients of a replica that stop reading in the middle of a long answer: an open read would stop the replication.

import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { connect, type Socket } from 'node:net';
import { issueToken } from '../../src/desk/people/tokens.ts';
import { createSite } from '../../src/desk/sites/sites.ts';
import { query } from '../../src/engine/database.ts';
import { until } from '../support/litefs.ts';
import { type Machine, startMachine } from '../support/machines.ts';

let primary: Machine;
let replica: Machine;
let team: Record<string, string>;
let ticket = '';
let attachment = '';
const sockets: Socket[] = [];

beforeAll(async () => {
  primary = await startMachine(null);
  const { desk } = primary.running.data;
  const ctx = () => desk.context({ kind: 'command_line' }, 'test');
  const made = await desk.write((tx) => createSite(tx, ctx(), { name: 'Web shop' }));
  const { secret } = await desk.write((tx) =>
    issueToken(tx, ctx(), { name: 'Team', abilities: ['read', 'write', 'manage'], site_id: null, expires_at: null }),
  );
  team = { Authorization: `Bearer ${secret}` };
  const body = JSON.stringify({ email: 'mia@example.org', name: 'Mia', subject: 'Long', message: 'x'.repeat(9000) });
  const headers = { 'X-Site-Token': made.siteToken };
  ticket = (await primary.ask('POST', '/api/v1/public/tickets', { headers, body })).json.ticket.ulid;
  const form = new FormData();
  form.set('file', new File(['a'.repeat(9_000_000)], 'large.txt'));
  const sent = await primary.ask('POST', `/api/v1/tickets/${ticket}/attachments`, { headers: team, body: form });
  attachment = new URL(sent.json.attachment.url).pathname + new URL(sent.json.attachment.url).search;
  const many = (most: number) =>
    `WITH RECURSIVE more(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM more WHERE n < ${most})`;
  await desk.write((tx) => {
    const others = columns(tx, 'messages');
    query(
      tx,
      `${many(1500)} INSERT INTO messages (ulid, ${others}) SELECT printf('%026d', n), ${others} FROM messages, more WHERE ticket_id = 1`,
    ).run();
    query(
      tx,
      'UPDATE tickets SET message_count = (SELECT count(*) FROM messages WHERE ticket_id = 1) WHERE id = 1',
    ).run();
    query(
      tx,
      `${many(200_000)} INSERT INTO audit_log (at, action, actor_type, target_type, target_name)
       SELECT 1, 'site.created', 'command_line', 'site', 'A site with a long name, ' || n FROM more`,
    ).run();
    return null;
  });
  replica = await startMachine(primary);
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await replica.stop();
  await primary.stop();
});

function columns(tx: Parameters<Parameters<Machine['running']['data']['desk']['read']>[0]>[0], table: string): string {
  return query<{ name: string }>(tx, `SELECT name FROM pragma_table_info('${table}')`)
    .all()
    .map(({ name }) => name)
    .filter((name) => !['id', 'ulid'].includes(name))
    .join(', ');
}

/** Reads the first bytes and then nothing more. */
function stall(path: string, headers: Record<string, string>): Promise<{ begun: string }> {
  const { hostname, port } = new URL(replica.running.url);
  const lines = Object.entries({ Host: 'desk.example', ...team, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) }, () => {
      socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    });
    sockets.push(socket);
    socket.once('error', reject);
    socket.once('data', (bytes) => {
      socket.pause();
      resolve({ begun: bytes.toString('latin1') });
    });
  });
}

function checkpoint(): { busy: number; log: number } | null {
  const other = new Database(primary.litefs.database);
  try {
    other.run('PRAGMA busy_timeout = 0');
    return other.query<{ busy: number; log: number }, []>('PRAGMA wal_checkpoint(TRUNCATE)').get();
  } finally {
    other.close();
  }
}

const long: [string, () => string, Record<string, string>][] = [
  ['the audit log as CSV', () => '/api/v1/audit?format=csv', {}],
  ['a long ticket', () => `/api/v1/tickets/${ticket}`, {}],
  ['a file', () => attachment, {}],
  ['events', () => '/api/v1/events?after=0', { Accept: 'text/event-stream' }],
];

test.each(long)(
  '%s: while its client has stopped reading, no read is open, and writes go on',
  async (what, path, headers) => {
    const { begun } = await stall(path(), headers);
    expect(begun).toStartWith('HTTP/1.1 200');
    expect([what, begun.includes('text/event-stream')]).toEqual([what, headers.Accept !== undefined]);
    // The first pages are being read while the client takes nothing.
    for (let round = 0; round < 20; round += 1) {
      await Bun.sleep(10);
      const changed = await primary.ask('PATCH', `/api/v1/tickets/${ticket}`, {
        headers: team,
        body: JSON.stringify({ subject: `Long ${what} ${round}` }),
      });
      expect(changed.status).toBe(200);
      await until(() => checkpoint()?.busy === 0, 'a checkpoint');
    }
    expect(checkpoint()).toMatchObject({ busy: 0, log: 0 });
  },
);
