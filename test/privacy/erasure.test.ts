// A mark in every field through which personal data can enter: after the erasure it is nowhere.

import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../src/base/config.ts';
import { openDataDirectory } from '../../src/data/directory.ts';
import { query } from '../../src/engine/database.ts';
import { purgeErasedWords } from '../../src/jobs/upkeep.ts';
import { type Receiver, startReceiver } from '../outbox/receiver.ts';
import { temporaryFolder } from '../support/folders.ts';
import { askAt } from '../support/machines.ts';
import { decisions } from './decisions.ts';

const mark = 'Zwqxmark';
const email = 'zwqxmark@zwqxmark.example';
const has = (text: string | Uint8Array) =>
  /z\W*w\W*q\W*x\W*m\W*a\W*r\W*k|endxbWFya|p3cXhtYXJr|ad3F4bWFya/i.exec(Buffer.from(text).toString('latin1'))?.[0];

const root = join(import.meta.dir, '../..');
const directory = temporaryFolder();
let receiver: Receiver;
let url = '';
let log = '';
let child: ReturnType<typeof Bun.spawn>;
let siteToken = '';
let teamToken = '';
let inboundUrl = '';
let siteSlug = '';
const environment = () => ({
  PATH: process.env.PATH ?? '',
  HELPDESK_DATA: directory,
  HELPDESK_LOG_LEVEL: 'debug',
  HELPDESK_LOG_FORMAT: 'json',
  HELPDESK_WEBHOOK_ALLOW: '127.0.0.1',
  HELPDESK_WEBHOOK_RETRY_DELAYS: '1s',
  HELPDESK_RATE_INGEST_CALLER: '0',
  HELPDESK_RATE_INGEST_SITE: '0',
  HELPDESK_RATE_OTHER: '0',
  HELPDESK_RATE_INBOUND: '0',
});

async function command(...args: string[]) {
  const ran = Bun.spawn([process.execPath, 'cli/main.ts', ...args, ...(args[0] === 'export' ? [] : ['--json'])], {
    cwd: root,
    env: environment(),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [output, errors] = await Promise.all([new Response(ran.stdout).text(), new Response(ran.stderr).text()]);
  if ((await ran.exited) !== 0) throw new Error(`${args.join(' ')}: ${errors}`);
  log += errors;
  return args[0] === 'export' ? output : JSON.parse(output);
}

beforeAll(async () => {
  receiver = await startReceiver();
  const site = await command('site', 'create', '--name', 'Web shop');
  siteToken = site.site_token;
  teamToken = (await command('token', 'issue', '--name', 'Team', '--abilities', 'read,write,manage')).token;
  child = Bun.spawn([process.execPath, 'cli/main.ts', 'serve', '--port', '0'], {
    cwd: root,
    env: environment(),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const address = Promise.withResolvers<string>();
  const collect = async (stream: ReadableStream<Uint8Array>) => {
    for await (const chunk of stream) {
      log += new TextDecoder().decode(chunk);
      const match = /listens on (http:\/\/\S+) and/.exec(log);
      if (match?.[1]) address.resolve(match[1]);
    }
  };
  void collect(child.stdout as ReadableStream<Uint8Array>);
  void collect(child.stderr as ReadableStream<Uint8Array>);
  url = await address.promise;
}, 60_000);
afterAll(async () => {
  child.kill('SIGTERM');
  await child.exited;
  await receiver.close();
});

interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  enum?: unknown[];
  pattern?: string;
  format?: string;
  maxLength?: number;
  anyOf?: Schema[];
  allOf?: Schema[];
  $ref?: string;
}

/** The mark wherever the document allows free text. */
function filled(schema: Schema, key = ''): unknown {
  const [first] = schema.anyOf ?? schema.allOf ?? [];
  if (first) return filled(first, key);
  const type = [schema.type].flat()[0];
  if (type === 'object') {
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
        const value = filled(inner, name);
        return value === undefined ? [] : [[name, value]];
      }),
    );
  }
  if (type === 'array') {
    const value = schema.items && filled(schema.items, key);
    return value === undefined ? undefined : [value];
  }
  if (key === 'extra') return { deep: [{ er: `In ${mark} there` }] };
  if (type !== 'string' || schema.enum) return undefined;
  if (schema.format === 'email' || key === 'email') return email;
  if (schema.format === 'date-time') return undefined;
  if (schema.format === 'uri' || key === 'url') return `https://shop.example/${mark}`;
  if (['external_id', 'name', 'author_name'].includes(key)) return mark;
  if (key === 'tags') return mark.toLowerCase();
  if (schema.pattern) return undefined;
  return `About ${mark} <${email}> here`;
}

interface Sent {
  path: string;
  headers: Record<string, string>;
  body: string;
}
const sent: Sent[] = [];
const asTeam = () => ({ Authorization: `Bearer ${teamToken}` });
const asSite = () => ({ 'X-Site-Token': siteToken });
const get = (path: string, headers: Record<string, string> = asTeam()) => askAt(url, 'GET', path, { headers });
async function post(path: string, input: unknown, headers: Record<string, string> = asTeam()) {
  const body = JSON.stringify(input);
  const keyed = { ...headers, 'Idempotency-Key': `key-${sent.length}` };
  const answer = await askAt(url, 'POST', path, { headers: keyed, body });
  expect(answer.status, `${path}: ${answer.text}`).toBeLessThan(300);
  sent.push({ path, headers: keyed, body });
  return answer.json;
}
async function attach(path: string, headers: Record<string, string>) {
  const form = new FormData();
  form.append('file', new File(['nothing of theirs'], `cv_${mark}.txt`));
  const answer = await askAt(url, 'POST', path, { headers, body: form });
  expect(answer.status, answer.text).toBe(201);
}
async function mail(head: string[], body: string) {
  const raw = [...head, '', body].join('\r\n');
  const path = new URL(inboundUrl).pathname.replace('{provider}', 'raw');
  const headers = { 'Content-Type': 'message/rfc822', 'X-Envelope-From': email, 'X-Envelope-To': 'shop@desk.example' };
  const answer = await askAt(url, 'POST', path, { headers, body: raw });
  expect(answer.status, answer.text).toBe(200);
  // On a busy machine the answer comes before it is filed.
  const newest = async () => (await get(`/api/v1/sites/${siteSlug}/inbound-mail?per_page=1`)).json.data[0];
  await until(async () => (await newest()).outcome !== null);
  return (await newest()) as { outcome: string; ticket: string | null };
}
const until = async (isSo: () => boolean | Promise<boolean>) => {
  const end = performance.now() + 30_000;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error('it did not come');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

function inDatabase<Found>(ask: (database: Database) => Found): Found {
  const database = new Database(join(directory, 'helpdesk.db'), { readwrite: true });
  database.run('PRAGMA busy_timeout = 10000');
  const found = ask(database);
  database.close();
  return found;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    // The desk may have renamed or removed it since.
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return [];
    return found.isDirectory() ? filesBelow(path) : [path];
  });
}

/** Empty for a file that is being removed. */
function contentOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

const attached = () => filesBelow(join(directory, 'attachments'));
const letters = () => filesBelow(directory).filter((path) => path.endsWith('.eml') && !path.includes('/inbound/'));

test('after an erasure the mark is in no answer, no export, no file, no column and no log line', async () => {
  const site = (await get('/api/v1/sites')).json.data[0];
  inboundUrl = site.inbound_webhook_url;
  siteSlug = site.slug;
  const { paths } = (await get('/api/v1/openapi.json')).json as {
    paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>;
  };
  const bodyOf = (path: string, method = 'post') => {
    const schema = paths[path]?.[method]?.requestBody?.content['application/json']?.schema;
    if (!schema) throw new Error(`no body for ${path}`);
    return filled(schema) as Record<string, unknown>;
  };
  const base = `/api/v1/sites/${site.slug}`;
  const made = async (path: string, body: object) => (await post(`${base}/${path}`, body)).data;
  const kim = (await command('agent', 'add', '--email', 'kim@agents.example', '--name', 'Kim', '--role', 'owner')).data;
  const types = { text: `By ${mark}`, textarea: `${mark}\nand`, url: `https://shop.example/${mark}`, email };
  const custom: Record<string, unknown> = { kinds: [mark, 'Other'], kind: mark };
  for (const [type, value] of Object.entries(types)) {
    await made('custom-fields', { key: type, label: type, type });
    custom[type] = value;
  }
  for (const [key, type] of [
    ['kinds', 'multiselect'],
    ['kind', 'select'],
  ])
    await made('custom-fields', { key, label: key, type, options: [mark, 'Other'] });
  for (const path of ['/echo', '/500'])
    await made('webhook-channels', {
      name: path,
      type: 'custom',
      webhook_url: receiver.url(path),
      // Ten that fail would disable it.
      events: path === '/500' ? ['ticket.assigned'] : ['ticket.created', 'ticket.replied', 'ticket.assigned'],
    });

  // The ingest API.
  const opening = { ...bodyOf('/api/v1/public/tickets'), custom_fields: custom, category_id: null, priority_id: null };
  const context = (opening as { context?: Record<string, unknown> }).context ?? {};
  expect(Object.keys(context)).toEqual(expect.arrayContaining(['user', 'page', 'console', 'device', 'extra']));
  const { ticket, access_token } = await post('/api/v1/public/tickets', { ...opening, is_test: false }, asSite());
  const thread = `/api/v1/public/tickets/${ticket.ulid}`;
  await post(
    `${thread}/messages?access_token=${access_token}`,
    bodyOf('/api/v1/public/tickets/{ulid}/messages'),
    asSite(),
  );
  await attach(`${thread}/attachments?access_token=${access_token}`, asSite());

  // What agents hear of leaves with the rest.
  const soon = JSON.stringify({ defaults: { mail_mode: 'at_once', mail_after_minutes: 0 } });
  inDatabase((database) => database.run('UPDATE desk_settings SET notifications = ?', [soon]));

  // The agents' API: their own texts, and what agents write about them.
  const own = `/api/v1/tickets/${ticket.ulid}`;
  const raised = { ...bodyOf('/api/v1/tickets'), custom_fields: custom, site_id: site.id, assigned_to: kim.id };
  await post('/api/v1/tickets', { ...raised, category_id: null, priority_id: null, is_test: false });
  const changed = await askAt(url, 'PATCH', own, {
    headers: asTeam(),
    body: JSON.stringify({
      assigned_to: kim.id,
      subject: `${mark} again`,
      tags: ['zwqxmark', 'kept'],
      custom_fields: custom,
    }),
  });
  expect(changed.status, changed.text).toBe(200);
  const said = { body: `Dear ${mark},\n\nOn Friday, ${mark} <${email}> wrote:\n> Hello` };
  await post(`${own}/messages`, said);
  await post(`${own}/notes`, said);
  const later = { ...said, body_format: 'markdown', send_at: new Date(Date.now() + 3_600_000).toISOString() };
  await post(`${own}/messages`, { ...said, body_format: 'markdown' });
  await post(`${own}/messages`, later);
  await attach(`${own}/attachments`, asTeam());

  // Mail: a ticket of theirs, a reply, an automatic answer, one that is held, one that a rule discards, a colleague's ticket.
  await made('inbound-rules', {
    name: 'Out',
    conditions: [{ field: 'subject', operator: 'contains', value: 'discard me' }],
    actions: [{ type: 'discard', value: null }],
  });
  const from = [`From: "${mark}" <${email}>`, `Reply-To: ${mark} <${email}>`, `X-Of: ${mark}`];
  const html = (text: string) =>
    `<p>${text}</p><blockquote>On Friday <a href="mailto:${email}">${mark}</a> wrote:</blockquote>`;
  const byMail = await mail(
    [...from, `Subject: From ${mark}`, `Message-ID: <1@${mark}.example>`, 'Content-Type: text/html'],
    html(`I am ${mark}`),
  );
  expect(byMail).toMatchObject({ outcome: 'ticket_created' });
  const plus = (ulid: string | null) => `To: ticket+${ulid}@desk.example`;
  const reply = [...from, plus(byMail.ticket), `Subject: Re: ${mark}`];
  const quoted = `More.\r\n\r\nOn Friday, ${mark} <${email}> wrote:\r\n> Hello\r\n> ${mark}`;
  expect((await mail([...reply, `Message-ID: <2@${mark}.example>`], quoted)).outcome).toBe('reply_added');
  const long = `${mark} writes. `.repeat(2000);
  expect((await mail([...reply, `Message-ID: <3@${mark}.example>`], long)).outcome).toBe('reply_added');
  expect((await mail([...reply, 'Auto-Submitted: auto-replied'], `${mark} is away`)).outcome).toBe(
    'ignored_auto_reply',
  );
  expect((await mail([...from, 'Authentication-Results: mx; dmarc=fail'], 'x')).outcome).toBe('held');
  expect((await mail([...from, 'Subject: discard me'], 'x')).outcome).toBe('discarded');
  const other = await post(
    '/api/v1/public/tickets',
    { email: 'ada@customer.example', subject: 'Hers', message: 'Hello' },
    asSite(),
  );
  expect((await mail([...from, plus(other.ticket.ulid)], quoted)).outcome).toBe('reply_added');
  await post(`/api/v1/tickets/${other.ticket.ulid}/messages`, later);

  // Everything has left: webhooks with echoing answers, and mail as files.
  const queued = "SELECT id FROM deliveries WHERE status = 'queued'";
  await until(() => inDatabase((database) => database.query(queued).all()).length === 0);
  expect(letters().filter((path) => has(readFileSync(path))).length).toBeGreaterThan(3);
  const deliveries = await get(`${base}/webhook-channels/1/deliveries?per_page=100`);
  expect(has(JSON.stringify(deliveries.json.data.map((one: { attempts: unknown }) => one.attempts)))).toBeDefined();
  expect((await get(`/api/v1/tickets?q=${mark}`)).json.meta.total).toBeGreaterThan(2);

  // By id, and those who only wrote mail by address.
  for (const by of [{ external_id: mark }, { email }]) {
    const answer = await askAt(url, 'POST', '/api/v1/authors/anonymise', {
      headers: asTeam(),
      body: JSON.stringify({ site_id: site.id, ...by }),
    });
    expect(answer.status, answer.text).toBe(200);
  }
  await until(() => letters().every((path) => has(contentOf(path)) === undefined));
  await until(() => attached().every((path) => has(contentOf(path)) === undefined));

  // What the site is set up with is no author's: its options are removed by the team.
  for (const field of (await get(`${base}/custom-fields`)).json.data) {
    const removed = await askAt(url, 'DELETE', `${base}/custom-fields/${field.id}`, { headers: asTeam() });
    expect(removed.status).toBe(204);
  }
  const waiting = async (ulid: string) =>
    (await get(`/api/v1/tickets/${ulid}`)).json.data.messages.filter(
      (one: { send_at: unknown }) => one.send_at !== null,
    );
  expect([(await waiting(ticket.ulid)).length, (await waiting(other.ticket.ulid)).length]).toEqual([0, 1]);
  const found: string[] = [];
  const look = (where: string, text: string | Uint8Array) => {
    const trace = has(text);
    if (trace === undefined) return;
    const at = Buffer.from(text).toString('latin1').indexOf(trace);
    found.push(
      `${where}: ${Buffer.from(text)
        .toString('latin1')
        .slice(Math.max(0, at - 60), at + 30)}`,
    );
  };
  const ids = (await get('/api/v1/tickets?per_page=100&include_test=1')).json.data.map(({ id }: { id: number }) => id);
  const logged = (await get(`${base}/inbound-mail?per_page=100`)).json.data.map(({ id }: { id: number }) => id);
  // Every GET of the table of operations.
  const values: Record<string, (string | number)[]> = {
    site: [site.slug],
    ticket: ids,
    id: [1, 2, ...logged],
    ulid: [ticket.ulid],
  };
  for (const [path, methods] of Object.entries(paths)) {
    if (!('get' in methods) || path.includes('{file}')) continue;
    const parameter = [...path.matchAll(/\{(\w+)\}/g)]
      .map((match) => match[1] ?? '')
      .findLast((name) => name !== 'site');
    for (const value of parameter === undefined ? [''] : (values[parameter] ?? [])) {
      const asked = path.replace('{site}', site.slug).replace(`{${parameter}}`, String(value));
      const isPublic = asked.includes('/public/');
      const more = isPublic ? `?access_token=${access_token}` : path.endsWith('events') ? '?after=0' : '';
      look(`GET ${asked}`, (await get(asked + more, isPublic ? asSite() : asTeam())).text);
    }
  }
  expect((await get(`/api/v1/tickets?q=${mark}`)).json.meta.total).toBe(0);
  expect((await get(`/api/v1/tickets?q=${encodeURIComponent(email)}`)).json.meta.total).toBe(0);
  for (const { path, headers, body } of sent.filter(({ path }) => /tickets/.test(path))) {
    const answer = await askAt(url, 'POST', path, { headers, body });
    expect(answer.headers.get('idempotency-replayed'), path).toBe('true');
    look(`the repeat of ${path.split('?')[0]}`, answer.text);
  }
  look('the export', await command('export', '--site', site.slug));
  child.kill('SIGTERM');
  await child.exited;
  look('the log', log);

  const data = openDataDirectory(readConfig({ HELPDESK_DATA: directory }, {}));
  await purgeErasedWords(data.desk, Number.MAX_SAFE_INTEGER);
  for (const table of Object.keys(decisions))
    for (const row of data.desk.read((tx) => query<Record<string, unknown>>(tx, `SELECT * FROM ${table}`).all()))
      for (const [column, value] of Object.entries(row))
        if (typeof value === 'string' || value instanceof Uint8Array) look(`${table}.${column}`, value);
  await data.close();
  // Old pages stay in the log and the snapshots until these are pruned: docs/privacy.md.
  const files = filesBelow(directory).filter((path) => !/\/(?:wal|backups)\/|helpdesk\.db/.test(path));
  expect(files.length).toBeGreaterThan(3);
  for (const path of files) look(path.slice(directory.length), readFileSync(path));
  expect(found).toEqual([]);
}, 120_000);
