// The floor: the least work that a server on this machine could do for the same rows. Only Bun.serve and bun:sqlite.

import { Database, type SQLQueryBindings } from 'bun:sqlite';
import { newUlid } from '../src/base/ids.ts';

const [path = '', port = '', paddings = '{}'] = process.argv.slice(2);
const padding = JSON.parse(paddings) as { create?: number; read?: number; list?: number; search?: number };

const db = new Database(path, { strict: true });
db.run('PRAGMA journal_mode = WAL');
db.run('PRAGMA synchronous = FULL');
db.run('PRAGMA foreign_keys = ON');
db.run('PRAGMA busy_timeout = 10000');
db.run('PRAGMA secure_delete = FAST');
db.run('PRAGMA cache_size = -16000');
db.run('PRAGMA temp_store = MEMORY');
db.run('PRAGMA wal_autocheckpoint = 4000');

type Row = Record<string, SQLQueryBindings>;

/** Inserts copies of the newest row of a table, column by column. */
function inserting(table: string): { sample: Row; insert(row: Row): number } {
  const columns = db.query<{ name: string; pk: number; type: string }, []>(`PRAGMA table_info(${table})`).all();
  const keyed = columns.filter(({ pk, type }) => !(pk === 1 && type === 'INTEGER')).map(({ name }) => name);
  const sample = db.query<Row, []>(`SELECT ${keyed.join(', ')} FROM ${table} LIMIT 1`).get() ?? {};
  const statement = db.prepare(
    `INSERT INTO ${table} (${keyed.join(', ')}) VALUES (${keyed.map(() => '?').join(', ')})`,
  );
  return { sample, insert: (row) => Number(statement.run(...keyed.map((name) => row[name] ?? null)).lastInsertRowid) };
}

const authors = inserting('authors');
const tickets = inserting('tickets');
const messages = inserting('messages');
const events = inserting('events');
const keys = inserting('idempotency_keys');
const indexAuthor = db.prepare('INSERT INTO author_search (rowid, email, name) VALUES (?, ?, ?)');
const indexTicket = db.prepare(
  'INSERT INTO ticket_search (rowid, scope, reference, subject, author, body) VALUES (?, ?, ?, ?, ?, ?)',
);
const begin = db.prepare('BEGIN IMMEDIATE');
const commit = db.prepare('COMMIT');

const ticketByUlid = db.prepare<Row, [string]>('SELECT * FROM tickets WHERE ulid = ?');
const messagesOf = db.prepare<Row, [number]>('SELECT * FROM messages WHERE ticket_id = ? ORDER BY id');
const newest = db.prepare<Row, []>(
  "SELECT * FROM tickets INDEXED BY tickets_by_site_created WHERE site_id = 1 AND status = 'open' ORDER BY created_at DESC, id DESC LIMIT 15",
);
const matching = db.prepare<Row, [string]>(
  'SELECT tickets.* FROM ticket_search CROSS JOIN tickets ON tickets.id = ticket_search.rowid WHERE ticket_search MATCH ? ORDER BY ticket_search.rowid DESC LIMIT 15',
);

/** JSON of about the same size as the desk's answer. */
function answer(value: unknown, size: number | undefined, status = 200): Response {
  const plain = JSON.stringify(value);
  const body = size === undefined || plain.length >= size ? plain.slice(0, size) : plain.padEnd(size);
  return new Response(body, { status, headers: { 'Content-Type': 'application/json' } });
}

function tails(id: number): string {
  const digits = String(id);
  return Array.from(digits, (_, at) => digits.slice(at)).join(' ');
}

interface Body {
  email: string;
  name: string;
  subject: string;
  message: string;
  context: unknown;
}

async function create(request: Request): Promise<Response> {
  const body = (await request.json()) as Body;
  const now = Date.now();
  begin.run();
  const authorId = authors.insert({ ...authors.sample, email: body.email, name: body.name, external_id: null });
  indexAuthor.run(authorId, body.email, body.name);
  const ulid = newUlid(now);
  const context = JSON.stringify(body.context);
  const ticketId = tickets.insert({
    ...tickets.sample,
    ulid,
    author_id: authorId,
    subject: body.subject,
    context,
    created_at: now,
    updated_at: now,
  });
  messages.insert({
    ...messages.sample,
    ulid: newUlid(now),
    ticket_id: ticketId,
    author_id: authorId,
    body: body.message,
    created_at: now,
  });
  indexTicket.run(ticketId, 'site1', tails(ticketId), body.subject, `${body.name} ${body.email}`, body.message);
  events.insert({ ...events.sample, ticket_id: ticketId, created_at: now });
  keys.insert({ ...keys.sample, key: request.headers.get('idempotency-key') ?? ulid, created_at: now });
  commit.run();
  return answer({ ulid, id: ticketId }, padding.create, 201);
}

Bun.serve({
  port: Number(port),
  hostname: '127.0.0.1',
  fetch(request) {
    const { url } = request;
    const at = url.indexOf('/', 8);
    const route = url.slice(at, at + 5);
    if (route === '/new') return create(request);
    if (route === '/read') {
      const ticket = ticketByUlid.get(url.slice(at + 6));
      return answer({ ...ticket, messages: messagesOf.all(Number(ticket?.id)) }, padding.read);
    }
    if (route === '/list') return answer(newest.all(), padding.list);
    if (route === '/find') return answer(matching.all(url.slice(at + 6)), padding.search);
    return new Response('ok');
  },
});
console.log('listening');
