// No credential leaves the desk: not in answers, exports, the audit log or log lines, and none is a command's argument.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { Command } from 'commander';
import { createProgram } from '../../cli/main.ts';
import type { Log } from '../../src/base/log.ts';
import { exportSite } from '../../src/data/transfer/export.ts';
import { audit } from '../../src/desk/audit.ts';
import { auditTargetTypes } from '../../src/domain/audit.ts';
import { query } from '../../src/engine/database.ts';
import { createLocalBlobs } from '../../src/files/blobs.ts';
import { admits } from '../../src/http/credentials/access.ts';
import { isWrite } from '../../src/http/operation.ts';
import { pathOf, stepFor } from '../http/walk.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { temporaryFolder } from '../support/folders.ts';

/** Columns that hold a credential, by table. `sealed` ones are marked inside the seal too. */
const secretColumns: Record<string, string[]> = {
  agents: ['password_hash'],
  board_links: ['secret_hash'],
  challenges: ['token_hash', 'data_sealed'],
  channels: ['webhook_url_sealed', 'signing_secret_sealed', 'previous_signing_secret_sealed'],
  desk_settings: ['mail_server_secret_sealed', 'issuer_secret_sealed', 'bucket_secret_sealed'],
  customer_codes: ['asker_hash', 'network_hash'],
  customer_links: ['token_hash'],
  customer_lists: ['token_hash'],
  customer_proofs: ['browser_hash'],
  customer_visits: ['token_hash'],
  idempotency_keys: ['answer_sealed', 'fingerprint'],
  mail_apps: ['client_secret_sealed'],
  mailboxes: ['secret_sealed', 'outgoing_secret_sealed'],
  passkeys: ['credential_id', 'public_key'],
  push_subscriptions: ['endpoint_hash', 'target_sealed'],
  recovery_codes: ['code_hash'],
  sessions: ['token_hash'],
  sign_in_failures: ['fingerprint'],
  sign_in_links: ['token_hash'],
  sites: [
    ...['token_hash', 'previous_token_hash', 'inbound_secret_hash', 'inbound_secret_sealed'],
    'previous_inbound_secret_hash',
  ],
  team_tokens: ['token_hash'],
  tickets: ['access_token_hash'],
  totp_secrets: ['secret_sealed'],
};

/** Columns with such a name that hold no credential. */
const harmless: Record<string, string> = {
  'asked_mails.asked_sealed': 'who asked for a code or link, for some seconds',
  'attachments.sha256': 'says what a file is',
  'draft_files.sha256': 'says what a file is',
  'erasures_under_way.person_sealed': 'an erased person, until the erasure is done',
  'idempotency_keys.credential': 'which token or session sent the key, by its id',
  'inbound_mail.content_hash': 'recognises a repeat',
  'inbound_mail.sha256': 'says what arrived',
  'desk_settings.require_second_factor': 'a setting',
};

const logged: string[] = [];
const note = (fields: object, message: string) => void logged.push(JSON.stringify(fields) + message);
const log: Log = { debug: note, info: note, warn: note, error: note };

let app: TestApp;
const callers: Record<string, Record<string, string>> = {};
const marks = new Map<string, string>();
const spared: Record<string, number[]> = {};

const run = (text: string, ...values: (string | number)[]) => query(app.desk.store.writing, text).run(...values);

/** Puts a mark of its own into every secret column of every row, but those that the callers need. */
function mark(): void {
  for (const [table, columns] of Object.entries(secretColumns)) {
    const kept = JSON.stringify(spared[table] ?? []);
    const rows = query<{ rowid: number }>(
      app.desk.store.writing,
      table === 'idempotency_keys' || table === 'recovery_codes' || table === 'sign_in_failures'
        ? `SELECT 0 AS rowid FROM ${table} LIMIT 1`
        : `SELECT rowid AS rowid FROM ${table} WHERE rowid NOT IN (SELECT value FROM json_each('${kept}'))`,
    ).all();
    for (const column of columns)
      for (const { rowid } of rows) {
        const word = `zwqx${table}${column}${rowid}`.replaceAll('_', '');
        const plain = column === 'webhook_url_sealed' ? `https://hooks.example.org/${word}` : word;
        const value = column.endsWith('_sealed') ? app.desk.seal.seal(plain) : plain;
        marks.set(word, `${table}.${column}`);
        if (value !== word) marks.set(value, `${table}.${column}`);
        if (rowid === 0) run(`UPDATE ${table} SET ${column} = ?`, value);
        else run(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`, value, rowid);
      }
  }
}

/** Which secrets a text shows. */
function shown(text: string): string[] {
  if (!/zwqx/i.test(text) && ![...marks.keys()].some((one) => one.length > 60 && text.includes(one))) return [];
  return [...new Set([...marks].filter(([word]) => text.includes(word)).map(([, column]) => column))].sort();
}

beforeAll(async () => {
  app = await testApp({}, log);
  const { secret, id } = await app.token(['read', 'write', 'manage']);
  const owner = await app.person('owner');
  const viewer = await app.person('viewer');
  Object.assign(callers, {
    owner: owner.headers,
    viewer: viewer.headers,
    token: { Authorization: `Bearer ${secret}` },
  });
  Object.assign(spared, { team_tokens: [id, 1], sessions: [owner.sessionId, viewer.sessionId] });
  const now = app.clock.now();
  const agentId = owner.agentId;
  run('UPDATE agents SET password_hash = ?', 'x');
  run(
    'INSERT INTO totp_secrets (agent_id, secret_sealed, confirmed_at, created_at) VALUES (?, ?, ?, ?)',
    agentId,
    'x',
    now,
    now,
  );
  run('INSERT INTO recovery_codes (agent_id, code_hash) VALUES (?, ?)', agentId, 'x');
  run(
    `INSERT INTO passkeys (agent_id, name, credential_id, public_key, sign_count, transports, is_backed_up, created_at)
     VALUES (?, 'Key', 'x', 'x', 0, '[]', 0, ?)`,
    agentId,
    now,
  );
  run(
    "INSERT INTO sign_in_links (purpose, agent_id, token_hash, created_at, expires_at) VALUES ('invitation', ?, 'x', ?, ?)",
    ...[agentId, now, now + 1e9],
  );
  run(
    "INSERT INTO challenges (purpose, token_hash, agent_id, data_sealed, created_at, expires_at) VALUES ('oidc', 'x', ?, 'x', ?, ?)",
    ...[agentId, now, now + 1e9],
  );
  run("INSERT INTO sign_in_failures VALUES ('x', 1, ?)", now);
  await app.person('member');
  for (const slug of [app.site.slug, app.other.site.slug]) {
    await app.asTeam('POST', `/api/v1/sites/${slug}/token`, { grace_minutes: 60 });
    await app.asTeam('POST', `/api/v1/sites/${slug}/inbound-secret`, { grace_minutes: 60 });
  }
  await app.asTeam(
    'POST',
    '/api/v1/tickets',
    { site_id: app.site.id, email: 'a@example.org', subject: 's', message: 'm' },
    { 'Idempotency-Key': 'one' },
  );
});
afterAll(() => app.close());

test('every column that sounds like a credential is known here', () => {
  const columns = query<{ name: string }>(
    app.desk.store.reading,
    `SELECT tables.name || '.' || columns.name AS name FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
     WHERE tables.type = 'table' AND tables.name NOT LIKE '%_search%'
       AND (columns.name LIKE '%hash' OR columns.name LIKE '%sealed' OR columns.name LIKE '%secret%' OR columns.name LIKE '%password%'
         OR columns.name LIKE '%token%' OR columns.name LIKE '%fingerprint%' OR columns.name LIKE '%credential%' OR columns.name LIKE '%key' OR columns.name LIKE '%sha256')`,
  ).all();
  const known = Object.entries(secretColumns).flatMap(([table, names]) => names.map((name) => `${table}.${name}`));
  const isTime = (name: string) =>
    name.endsWith('_at') || name === 'custom_fields.key' || /^idempotency_\w+\.key$/.test(name);
  expect(
    columns
      .map(({ name }) => name)
      .filter((name) => !known.includes(name) && !Object.hasOwn(harmless, name) && !isTime(name)),
  ).toEqual([]);
});

describe('no answer shows one', () => {
  test('to a read, whatever the role', async () => {
    const reads = app.operations.filter((operation) => !isWrite(operation) && operation.method === 'GET');
    expect(reads.length).toBeGreaterThan(25);
    const asked = reads.filter(({ access }) => admits(access, 'session'));
    const paths = new Map<string, [path: string, headers: Record<string, string>]>();
    for (const { id, path } of asked) {
      const step = await stepFor(app, id);
      paths.set(id, [pathOf(path, step), step.headers ?? {}]);
    }
    mark();
    const found: string[] = [];
    for (const { id } of asked)
      for (const [who, headers] of Object.entries(callers)) {
        const [path, own] = paths.get(id) ?? ['', {}];
        const { text, status } = await app.ask('GET', path, { headers: { ...own, ...headers } });
        if (who === 'owner') expect(status, id).toBeLessThan(300);
        for (const column of shown(text)) found.push(`${id} to ${who}: ${column}`);
      }
    // Those who manage a site see where its channels send; a token with manage sees the inbound URL too.
    const isMeant = (line: string) =>
      /^(?:list|read)WebhookChannels? to (?:owner|token): channels\.webhook_url_sealed$/.test(line) ||
      /^listDeliveries to (?:owner|token): channels\.webhook_url_sealed$/.test(line) ||
      /^(?:listSites|readSite) to token: sites\.inbound_secret_sealed$/.test(line);
    expect(found.filter((line) => !isMeant(line))).toEqual([]);
    expect(found.some(isMeant)).toBe(true);
  });

  test('to a change of what has them, and neither does the audit log', async () => {
    const steps: [string, string, unknown][] = [
      ['PATCH', `/sites/${app.site.slug}`, { name: 'Renamed' }],
      ['POST', '/agents', { email: 'new@agents.example', name: 'New' }],
      ['PATCH', '/desk', { name: 'Renamed' }],
    ];
    mark();
    for (const [method, path, body] of steps) {
      const answer = await app.ask(method, `/api/v1${path}`, { headers: callers.owner ?? {}, body });
      expect(answer.status, answer.text).toBeLessThan(300);
      expect(shown(answer.text)).toEqual([]);
    }
  });
});

test('the audit log takes nothing from rows but what it shows of their type', async () => {
  mark();
  const tables: Record<string, string> = {
    agent: 'agents',
    author: 'authors',
    board_link: 'board_links',
    category: 'categories',
    custom_field: 'custom_fields',
    desk: 'desk_settings',
    inbound_mail: 'inbound_mail',
    inbound_rule: 'inbound_rules',
    macro: 'macros',
    mail_app: 'mail_apps',
    mail_template: 'mail_templates',
    mailbox: 'mailboxes',
    priority: 'priorities',
    recurring_ticket: 'recurring_tickets',
    sender: 'senders',
    site: 'sites',
    team: 'teams',
    timed_rule: 'timed_rules',
    token: 'team_tokens',
    trigger: 'triggers',
    webhook_channel: 'channels',
  };
  expect(Object.keys(tables)).toEqual([...auditTargetTypes].sort());
  const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  for (const type of auditTargetTypes) {
    const rows = query<Record<string, unknown>>(app.desk.store.writing, `SELECT * FROM ${tables[type]}`).all();
    for (const row of rows) {
      const columns = Object.fromEntries(Object.entries(row).map(([name, value]) => [camel(name), value]));
      if ('conditions' in columns) Object.assign(columns, { conditions: [], actions: [] });
      if (type === 'custom_field') Object.assign(columns, { options: [] });
      if (type === 'desk') Object.assign(columns, { bucketFolders: [] });
      await app.desk.write((tx) => {
        const ctx = app.desk.context({ kind: 'command_line' }, 'test');
        audit(tx, ctx, { action: 'desk.updated', target: { type, id: 1 }, before: columns });
        return null;
      });
    }
  }
  const headers = callers.owner ?? {};
  const json = await app.ask('GET', '/api/v1/audit?per_page=100', { headers });
  const csv = await app.ask('GET', '/api/v1/audit?format=csv', { headers });
  expect([json.status, csv.status]).toEqual([200, 200]);
  expect([...shown(json.text), ...shown(csv.text)]).toEqual([]);
  const stored = query<{ all: string }>(
    app.desk.store.writing,
    'SELECT json_group_array(json_array(before, after, target_name, actor_name)) AS "all" FROM audit_log',
  ).get();
  expect(stored?.all.length).toBeGreaterThan(1000);
  expect(shown(stored?.all ?? '')).toEqual([]);
});

test('an export has none, unless it is asked to have the secrets of its site', async () => {
  mark();
  const folder = temporaryFolder();
  const exported = async (hasSecrets: boolean) => {
    let text = '';
    await exportSite({
      desk: app.desk,
      blobs: createLocalBlobs(join(folder, 'attachments')),
      mailBlobs: createLocalBlobs(join(folder, 'inbound')),
      path: folder,
      site: app.site.slug,
      hasSecrets,
      write(bytes) {
        text += Buffer.from(bytes).toString();
        return Promise.resolve();
      },
    });
    return text;
  };
  expect(marks.size).toBeGreaterThan(20);
  expect(shown(await exported(false))).toEqual([]);
  const withSecrets = shown(await exported(true));
  expect(withSecrets).toContain('sites.inbound_secret_sealed');
  const ofPeople = /^(?:agents|sessions|totp_secrets|recovery_codes|passkeys|sign_in_\w+|challenges)\./;
  expect(withSecrets.filter((column) => ofPeople.test(column))).toEqual([]);
});

test('a log line has none, whatever part of a request carries it', async () => {
  const secret = 'zwqxsecretofarequest';
  for (const [path, headers, body] of [
    [`/api/v1/sites?q=${secret}`, { Authorization: `Bearer ${secret}` }, undefined],
    ['/api/v1/sites', { Cookie: `helpdesk=${secret}` }, undefined],
    [`/api/v1/public/tickets/01ARZ3NDEKTSV4RRFFQ69G5FAV?access_token=${secret}`, { 'X-Site-Token': secret }, undefined],
    [`/api/webhooks/raw/inbound/${secret}`, {}, 'x'],
    ['/api/v1/session', {}, { email: 'a@example.org', password: secret }],
    ['/api/v1/password-resets/complete', {}, { token: secret, password: secret }],
    ['/api/v1/invitations/read', {}, { token: secret }],
    ['/api/v1/agents', callers.owner ?? {}, { email: secret, name: secret }],
  ] as [string, Record<string, string>, unknown][])
    await app.ask(body === undefined ? 'GET' : 'POST', path, { headers, body });
  expect(logged.length).toBeGreaterThan(20);
  expect(logged.filter((line) => line.includes('zwqx'))).toEqual([]);
});

test('no command takes a secret as an argument, where ps would show it', async () => {
  const program = await createProgram(undefined);
  const taken: string[] = [];
  const walk = (command: Command, words: string) => {
    for (const option of command.options)
      if ((option.required || option.optional) && /secret|password|token|key|code/i.test(option.flags))
        taken.push(`${words} ${option.flags}`);
    for (const one of command.registeredArguments)
      if (/secret|password|token|key|code/i.test(one.name())) taken.push(`${words} ${one.name()}`);
    for (const inner of command.commands) walk(inner, `${words} ${inner.name()}`);
  };
  walk(program, 'helpdesk');
  // The id of a key, names of custom fields and of an order, and the day on which a secret ends.
  expect(taken).toEqual([
    'helpdesk desk bucket --access-key <id>',
    'helpdesk field add --key <key>',
    'helpdesk mailbox app --secret-expires-at <at>',
    'helpdesk ticket list --sort <key>',
    'helpdesk ticket open --field <key=value>',
    'helpdesk ticket set --field <key=value>',
  ]);
});
