// Everything that the doctor can find: broken on a real data directory, found, and fixed where that is possible.

import { beforeAll, describe, expect, test } from 'bun:test';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../../src/base/config.ts';
import { randomKey } from '../../../src/base/crypto.ts';
import { newUlid } from '../../../src/base/ids.ts';
import { silentLog } from '../../../src/base/log.ts';
import { type DataDirectory, openDataDirectory } from '../../../src/data/directory.ts';
import { examine, type Options } from '../../../src/data/doctor/examine.ts';
import { noteBackup } from '../../../src/data/last-backup.ts';
import { takeSnapshot } from '../../../src/data/snapshots.ts';
import { receiveMail } from '../../../src/desk/mail/filing.ts';
import { addChannel } from '../../../src/desk/outbox/channels.ts';
import { attachAsAgent } from '../../../src/desk/tickets/attachments.ts';
import { type FindingCode, findingKinds } from '../../../src/domain/findings.ts';
import { channelInput } from '../../../src/domain/input/channels.ts';
import { query, type Tx } from '../../../src/engine/database.ts';
import { listSegments } from '../../../src/engine/wal/archive.ts';
import { keepAllFacts, writeDocuments } from '../../../src/jobs/small-steps.ts';
import { fillDemo } from '../../../src/server/demo/demo.ts';
import { siteById } from '../../../src/store/sites/sites.ts';
import { flipByte } from '../../support/faults.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { roomyDisk } from '../../support/roomy-disk.ts';

const sound = {
  HELPDESK_BASE_URL: 'https://desk.example.org',
  HELPDESK_SMTP_URL: 'smtp://mail.example.org',
};
const configOf = (path: string, environment: Record<string, string> = sound) =>
  readConfig({ HELPDESK_DATA: path }, environment);

let template = '';

/** Closes a desk with everything in the database file itself, where bytes can be flipped. */
async function closeWhole(data: DataDirectory): Promise<void> {
  await writeDocuments(data.desk);
  data.desk.store.writing.client.run('PRAGMA wal_checkpoint(TRUNCATE)');
  await data.close();
}

async function fill(data: DataDirectory): Promise<void> {
  const { desk, blobs, mailBlobs } = data;
  await fillDemo(desk);
  const ctx = desk.context({ kind: 'command_line' }, 'test');
  const site = desk.read((tx) => siteById(tx, 1));
  if (!site) throw new Error('the demo made no site');
  await desk.write((tx) =>
    addChannel(
      tx,
      ctx,
      site.slug,
      channelInput.parse({
        name: 'Team',
        type: 'custom',
        webhook_url: 'https://hooks.example.org/x',
        events: ['ticket.created'],
      }),
    ),
  );
  const bytes = async function* () {
    yield new TextEncoder().encode('A line of the log');
  };
  const staged = await blobs.stage(bytes(), 1000);
  const ulid = newUlid(desk.now());
  await staged.keep(ulid);
  const { size, sha256 } = staged;
  await desk.write((tx) =>
    attachAsAgent(tx, ctx, 1, { ulid, filename: 'log.txt', contentType: 'text/plain', size, sha256 }, null),
  );
  const request = await mailBlobs.stage(bytes(), 1000);
  const mail = newUlid(desk.now());
  await request.keep(mail);
  await desk.write((tx) =>
    receiveMail(tx, ctx, site, {
      ulid: mail,
      provider: 'raw',
      headers: {},
      size: request.size,
      sha256: request.sha256,
    }),
  );
}

beforeAll(async () => {
  template = join(temporaryFolder(), 'data');
  const data = openDataDirectory(configOf(template, { ...sound, HELPDESK_SYNCHRONOUS: 'OFF' }));
  await fill(data);
  await closeWhole(data);
  noteBackup(template, { at: Date.now(), path: '/elsewhere', bytes: 1 });
});

function copy(): string {
  const path = join(temporaryFolder(), 'data');
  cpSync(template, path, { recursive: true });
  // A copy that was opened by hand; a real copy has its own case.
  rmSync(join(path, 'wal', 'origin.txt'), { force: true });
  chmodSync(path, 0o700);
  return path;
}

/** Changes rows behind the desk's back. */
async function write(path: string, act: (tx: Tx) => void): Promise<void> {
  const data = openDataDirectory(configOf(path, { ...sound, HELPDESK_SYNCHRONOUS: 'OFF' }));
  data.desk.store.writing.client.run('PRAGMA foreign_keys = OFF');
  act(data.desk.store.writing);
  await closeWhole(data);
}
const run =
  (text: string, ...values: (string | number)[]) =>
  (path: string) =>
    write(path, (tx) => void query(tx, text).run(...values));

/** Overwrites the bytes of the database that contain this text. */
const mailboxIn = (state: string) => async (path: string) => {
  const server = '{"type":"imap","host":"imap.example.org","port":993,"tls":"implicit","user":"help"}';
  await write(path, (tx) => {
    query(
      tx,
      `INSERT INTO mailboxes (site_id, name, address, provider, authentication, incoming, save_sent, is_paused, created_at, version)
       VALUES (1, 'Support', 'help@shop.example', 'other', 'password', ?, 0, 0, 0, 1)`,
    ).run(server);
    query(tx, 'INSERT INTO mailbox_states VALUES (last_insert_rowid(), ?, ?, 0, 3, NULL, NULL, NULL)').run(
      state,
      'No.',
    );
  });
};

const mailboxWithCertificate = (days: number) => async (path: string) => {
  await mailboxIn('connected')(path);
  const until = Date.now() + days * 86_400_000;
  const term = { of: 'incoming_certificate', server: 'imap.example.org:993', from: 0, until };
  await write(path, (tx) => {
    query(
      tx,
      'INSERT INTO mailbox_checks (mailbox_id, certificates, certificates_at) SELECT id, ?, 0 FROM mailboxes',
    ).run(JSON.stringify([term]));
  });
};

function overwrite(path: string, text: string, by: Uint8Array, at = 0): void {
  const file = join(path, 'helpdesk.db');
  const place = readFileSync(file).indexOf(text);
  if (place < 0) throw new Error(`${text} is not in the database`);
  const handle = openSync(file, 'r+');
  writeSync(handle, by, 0, by.length, place + at);
  closeSync(handle);
}

function storedFile(path: string, folder: string): string {
  const root = join(path, folder);
  for (const inner of readdirSync(root)) {
    const [name] = inner === 'staging' ? [] : readdirSync(join(root, inner));
    if (name !== undefined) return join(root, inner, name);
  }
  throw new Error(`nothing is in ${folder}`);
}
const age = (file: string, days: number) => {
  const then = Date.now() / 1000 - days * 86_400;
  utimesSync(file, then, then);
};

function snapshotIn(path: string): string {
  return join(path, 'backups', 'snapshot-20260101T000000000Z-00000001-0.db');
}

/** As a killed desk leaves it, after which someone has put back the log from elsewhere. */
async function leaveLogApart(path: string): Promise<void> {
  const data = openDataDirectory(configOf(path, { ...sound, HELPDESK_SYNCHRONOUS: 'OFF' }));
  await data.desk.write((tx) => {
    query(tx, 'UPDATE sites SET name = upper(name)').run();
    return null;
  });
  const log = join(path, 'helpdesk.db-wal');
  copyFileSync(log, `${log}.kept`);
  await data.close();
  renameSync(`${log}.kept`, log);
}

/** As a killed desk leaves it, and then without anything that knows of its log. */
async function leaveUnprovenLog(path: string): Promise<void> {
  const data = openDataDirectory(configOf(path, { ...sound, HELPDESK_SYNCHRONOUS: 'OFF' }));
  await data.desk.write((tx) => {
    query(tx, 'UPDATE sites SET name = upper(name)').run();
    return null;
  });
  const names = ['helpdesk.db', 'helpdesk.db-wal'].map((name) => join(path, name));
  for (const name of names) copyFileSync(name, `${name}.kept`);
  await data.close();
  for (const name of names) renameSync(`${name}.kept`, name);
  for (const name of ['wal', 'last-commit.txt', 'helpdesk.db-shm'])
    rmSync(join(path, name), { recursive: true, force: true });
}

/** A snapshot and two logs after it. Returns the path of the first. */
async function leaveLogs(path: string): Promise<string> {
  const { desk, close } = openDataDirectory(configOf(path, { ...sound, HELPDESK_SYNCHRONOUS: 'OFF' }));
  const touchSites = () =>
    desk.write((tx) => {
      query(tx, 'UPDATE sites SET name = upper(name)').run();
      return null;
    });
  await takeSnapshot(desk.store, join(path, 'backups'), Date.now());
  await touchSites();
  const log = listSegments(join(path, 'wal')).at(-1)?.path ?? '';
  desk.store.rotate();
  await touchSites();
  await close();
  return log;
}

interface Case {
  break: (path: string) => unknown;
  more?: Partial<Options> | ((path: string) => Partial<Options>);
  environment?: Record<string, string>;
}

/** As on a machine of a cluster whose LiteFS hands out this database. */
const replicated = (path: string) => ({
  replicated: {
    path: join(path, 'helpdesk.db'),
    isReplica: false,
    mostMs: 10_000,
    state: () => ({ bytes: 0, position: null }),
    pages: async () =>
      new Blob([readFileSync(join(path, 'helpdesk.db'))]).stream() as unknown as AsyncIterable<Uint8Array>,
    requirePrimary: () => undefined,
  },
});

const unreachable = {
  HELPDESK_S3_ENDPOINT: 'http://127.0.0.1:1',
  HELPDESK_S3_BUCKET: 'desk',
  HELPDESK_S3_REGION: 'auto',
  HELPDESK_S3_ACCESS_KEY_ID: 'a',
  HELPDESK_S3_SECRET_ACCESS_KEY: 'b',
};

const withoutRecords: Case = { break: () => null, more: { askDns: async () => 'none' } };

const withoutMail = (row: string) => async (path: string) => {
  await run(`UPDATE inbound_mail SET ${row}`)(path);
  rmSync(storedFile(path, 'mail/inbound'));
};

const cases: Record<FindingCode, Case> = {
  setting_invalid: { break: () => null, more: { config: null, configFault: 'HELPDESK_PORT must be a port.' } },
  base_url_unset: { break: () => null, environment: { HELPDESK_SMTP_URL: 'smtp://mail.example.org' } },
  base_url_insecure: { break: () => null, environment: { ...sound, HELPDESK_BASE_URL: 'http://desk.example.org' } },
  mail_server_unset: { break: () => null, environment: { HELPDESK_BASE_URL: 'https://desk.example.org' } },
  commits_not_synced: { break: () => null, environment: { ...sound, HELPDESK_SYNCHRONOUS: 'NORMAL' } },
  scanner_down: { break: () => null, environment: { ...sound, HELPDESK_CLAMAV: '/nowhere/clamd.sock' } },
  spam_filter_down: { break: () => null, environment: { ...sound, HELPDESK_RSPAMD_URL: 'http://127.0.0.1:9' } },
  directory_open: { break: (path) => chmodSync(path, 0o755) },
  key_open: { break: (path) => chmodSync(join(path, 'secret.key'), 0o640) },
  file_open: { break: (path) => chmodSync(join(path, 'helpdesk.db'), 0o644) },
  foreign_owner: { break: () => null, more: { uid: 4242 } },
  file_misplaced: {
    break(path) {
      rmSync(join(path, 'last-commit.txt'), { force: true });
      mkdirSync(join(path, 'last-commit.txt'));
    },
  },
  disk_low: { break: () => null, more: { free: 1000 } },
  disk_filling: { break: () => null, more: { usedShare: 0.93 } },
  backup_missing: { break: (path) => rmSync(join(path, 'backups'), { recursive: true }) },
  backup_old: {
    break: (path) => noteBackup(path, { at: Date.now() - 8 * 24 * 60 * 60 * 1000, path: '/elsewhere', bytes: 1 }),
  },
  snapshot_damaged: { break: (path) => writeFileSync(snapshotIn(path), 'no database at all '.repeat(500)) },
  log_damaged: { break: async (path) => flipByte(await leaveLogs(path), 32 + 24 + 100) },
  log_missing: { break: async (path) => rmSync(await leaveLogs(path)) },
  erasures_damaged: { break: (path) => writeFileSync(join(path, 'erasures.jsonl'), 'no tombstone\n') },
  erasures_incomplete: { break: run("UPDATE authors SET anonymised_at = 1, erased_email = 'mark' WHERE id = 1") },
  history_damaged: { break: (path) => truncateSync(join(path, 'helpdesk.db'), 8192) },
  // A log that belongs to the last segment, but as a separate file.
  log_apart: { break: leaveLogApart },
  log_unproven: { break: leaveUnprovenLog },
  database_replaced: {
    async break(path) {
      const older = readFileSync(join(path, 'helpdesk.db'));
      const data = openDataDirectory(configOf(path, { ...sound, HELPDESK_SYNCHRONOUS: 'OFF' }));
      await data.desk.write((tx) => {
        query(tx, 'UPDATE sites SET name = upper(name)').run();
        return null;
      });
      await data.close();
      writeFileSync(join(path, 'helpdesk.db'), older);
    },
  },
  database_missing: { break: (path) => rmSync(join(path, 'helpdesk.db')) },
  // A database that cannot be opened on a full disk: SQLite reports the same error for both.
  database_no_room: {
    break: (path) => symlinkSync('/nowhere/helpdesk.db-shm', join(path, 'helpdesk.db-shm')),
    more: { free: 1000 },
  },
  database_not_copied: {
    break: () => null,
    more: (path) => ({ ...replicated(path), free: 1000 }),
  },
  database_unreadable: { break: (path) => writeFileSync(join(path, 'helpdesk.db'), 'no database at all '.repeat(500)) },
  database_damaged: {
    break: (path) => overwrite(path, 'noor@demo-shop.example', new Uint8Array(400).fill(0xff), -200),
  },
  copy_unopened: { break: (path) => cpSync(join(template, 'wal', 'origin.txt'), join(path, 'wal', 'origin.txt')) },
  reference_broken: { break: run('UPDATE tickets SET author_id = 999 WHERE id = 2') },
  schema_refused: { break: run("INSERT INTO schema_migrations VALUES (999, 'future', 'x', 0)") },
  row_unreadable: { break: run("UPDATE events SET data = '{' WHERE seq = 9") },
  schema_behind: {
    break: run('DELETE FROM schema_migrations WHERE version = (SELECT max(version) FROM schema_migrations)'),
  },
  key_missing: { break: (path) => rmSync(join(path, 'secret.key')) },
  key_damaged: { break: (path) => writeFileSync(join(path, 'secret.key'), 'short') },
  key_foreign: { break: (path) => writeFileSync(join(path, 'secret.key'), randomKey().toString('base64')) },
  // Only the index has the name without its diaeresis.
  index_damaged: { break: (path) => overwrite(path, 'ystrom', new Uint8Array(64).fill(0xff)) },
  document_missing: { break: run('DELETE FROM ticket_search WHERE rowid = 3') },
  document_orphaned: { break: run("INSERT INTO author_search (rowid, email, name) VALUES (999, 'a@b.example', 'A')") },
  totals_differ: { break: run("UPDATE ticket_counts SET total = total + 1 WHERE status = 'open' AND site_id = 1") },
  message_count_differs: { break: run('UPDATE tickets SET message_count = 77 WHERE id = 4') },
  priority_level_differs: { break: run('UPDATE tickets SET priority_level = 77 WHERE id = 5') },
  site_being_removed: { break: run('INSERT INTO site_removals VALUES (1, 400, 0, 1, 1)') },
  ticket_set_aside: { break: run("INSERT INTO ticket_faults VALUES ('sla scan', 7, 'TypeError', 1, 2)") },
  tags_differ: { break: run("INSERT INTO ticket_tags VALUES ('nowhere', 6)") },
  report_facts_differ: {
    // Those that are due are about to be computed.
    break: async (path) => {
      const data = openDataDirectory(configOf(path, { ...sound, HELPDESK_SYNCHRONOUS: 'OFF' }));
      await keepAllFacts(data.desk, silentLog);
      await closeWhole(data);
      await run('UPDATE report_facts SET working_ms = 7 WHERE ticket_id = (SELECT min(ticket_id) FROM report_facts)')(
        path,
      );
    },
  },
  clock_jumped: { break: run('INSERT INTO clock_jumps VALUES (1, 1000, 90000000, 0)') },
  event_ahead: { break: run('UPDATE events SET created_at = ? WHERE seq = 100', Date.now() + 86_400_000) },
  event_backwards: {
    break: run("UPDATE events SET created_at = created_at + 86400000 WHERE kind = 'ticket.created' AND ticket_id = 1"),
  },
  attachment_missing: { break: (path) => rmSync(storedFile(path, 'attachments')) },
  folder_foreign: {
    break: run(
      `UPDATE desk_settings SET bucket = '{"endpoint":"https://s3.example.org","bucket":"desk"}',
         bucket_folders = '[{"name":"desk-1","place":"elsewhere"}]'`,
    ),
  },
  file_elsewhere: { break: (path) => rmSync(storedFile(path, 'attachments')), more: replicated },
  attachment_damaged: { break: (path) => writeFileSync(storedFile(path, 'attachments'), 'a line of the log') },
  store_unreachable: {
    break: (path) => rmSync(storedFile(path, 'attachments')),
    environment: { ...sound, ...unreachable },
  },
  file_unchecked: {
    break: run("UPDATE attachments SET scan_status = 'waiting', scan_next_at = 1, created_at = 1"),
  },
  file_infected: { break: run("UPDATE attachments SET scan_status = 'infected', scan_found = 'Test'") },
  file_orphaned: {
    break(path) {
      const file = join(storedFile(path, 'attachments'), '..', '0'.repeat(26));
      writeFileSync(file, 'left over');
      age(file, 1);
    },
  },
  mailbox_refused: { break: mailboxIn('refused') },
  mailbox_failing: { break: mailboxIn('failing') },
  mailbox_consent_needed: { break: mailboxIn('consent_needed') },
  mailbox_quiet: {
    async break(path) {
      await mailboxIn('connected')(path);
      await write(path, (tx) => {
        query(tx, "INSERT INTO mailbox_alarms SELECT id, 'quiet', 'Nothing came.', 0, 0 FROM mailboxes").run();
      });
    },
  },
  mailbox_canary: {
    async break(path) {
      await mailboxIn('connected')(path);
      await write(path, (tx) => {
        query(tx, "INSERT INTO mailbox_alarms SELECT id, 'canary', 'Not back.', 0, 0 FROM mailboxes").run();
      });
    },
  },
  mailbox_missing_mail: {
    async break(path) {
      await mailboxIn('connected')(path);
      await write(path, (tx) => {
        query(tx, "INSERT INTO mailbox_alarms SELECT id, 'missing_mail', '2 messages.', 0, 0 FROM mailboxes").run();
      });
    },
  },
  sender_spf: withoutRecords,
  sender_dkim: withoutRecords,
  sender_dmarc: withoutRecords,
  mailbox_expired: { break: mailboxWithCertificate(-1) },
  mailbox_expiring: { break: mailboxWithCertificate(3) },
  rules_too_slow: {
    break: run(
      `UPDATE inbound_mail SET received_at = ?, trace = json('[{"ruleId":1,"name":"A","outcome":"skipped","isTooSlow":true}]')`,
      Date.now() - 1000,
    ),
  },
  automation_skipped: {
    break: run(
      "INSERT INTO automation_days (kind, rule_id, day, ran, matched, changed, skipped) VALUES ('trigger', 1, ?, 1, 1, 0, 1)",
      Math.floor(Date.now() / 86_400_000),
    ),
  },
  rules_over_limit: {
    break: run(
      `WITH RECURSIVE more(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM more WHERE n < 501)
       INSERT INTO inbound_rules (site_id, name, position, is_active, match, conditions, actions, stop_processing, created_at)
       SELECT 1, 'Many', n, 0, 'all', '[]', '[{"type":"discard","value":null}]', 0, 0 FROM more`,
    ),
  },
  mail_damaged: { break: (path) => flipByte(storedFile(path, 'mail/inbound'), 3) },
  mail_missing: { break: withoutMail("status = 'done', outcome = 'ticket_created'") },
  mail_lost: { break: withoutMail("status = 'received', outcome = NULL") },
};

async function look(path: string, { more, environment }: Case, isFixing = false) {
  const others = typeof more === 'function' ? more(path) : more;
  return await examine({
    ...{ path, config: configOf(path, environment), configFault: null, isFixing },
    ...roomyDisk,
    ...others,
  });
}

test('a sound desk has nothing to be found, and is left as it is', async () => {
  const path = copy();
  const before = readFileSync(join(path, 'helpdesk.db'));
  const result = await look(path, { break: () => null });
  expect(result.findings).toEqual([]);
  expect(result.isSound).toBe(true);
  expect(result).toMatchObject({ tickets: 200, files: 2 });
  expect(result.bytes).toBeGreaterThan(0);
  expect(readFileSync(join(path, 'helpdesk.db')).equals(before)).toBe(true);
});

describe.each(Object.entries(cases) as [FindingCode, Case][])('%s', (code, one) => {
  const [, level, , fix] = findingKinds[code] as readonly [string, string, string, string?];

  test(`is found, as ${level === 'wrong' ? 'a fault' : 'a notice'}`, async () => {
    const path = copy();
    await one.break(path);
    const { findings, isSound } = await look(path, one);
    expect(findings.map((finding) => finding.code)).toContain(code);
    expect(findings.every(({ fixed }) => fixed === 0)).toBe(true);
    expect(isSound).toBe(findings.every((finding) => finding.level === 'notice'));
    if (level === 'wrong') expect(isSound).toBe(false);
  });

  if (fix !== 'fix') return;
  test('is fixed with --fix, and is gone for the next look', async () => {
    const path = copy();
    await one.break(path);
    const fixing = await look(path, one, true);
    expect(fixing.findings.find((finding) => finding.code === code)).toMatchObject({ fixed: 1, count: 1 });
    expect(fixing.isSound).toBe(true);
    const after = await look(path, one);
    expect(after.findings).toEqual([]);
  });
});

test('only what is asked for is repaired', async () => {
  const path = copy();
  await cases.totals_differ.break(path);
  chmodSync(path, 0o755);
  const some = { ...cases.totals_differ, more: { uid: process.getuid?.() ?? null, only: ['totals_differ'] as const } };
  const { findings, isSound } = await look(path, some, true);
  expect(findings.map(({ code, fixed }) => [code, fixed])).toEqual([
    ['directory_open', 0],
    ['totals_differ', 1],
  ]);
  expect(isSound).toBe(false);
});

test('of each sender it says which records to add, also where its mail leaves through a mailbox', async () => {
  const path = copy();
  await mailboxIn('connected')(path);
  await write(path, (tx) => {
    query(tx, `UPDATE mailboxes SET outgoing = '{"type":"smtp","host":"smtp.gmail.com","port":587}'`).run();
    query(tx, `UPDATE sites SET settings = json_set(settings, '$.mail_from_address', 'help@shop.example')`).run();
  });
  const { findings } = await look(path, withoutRecords);
  const said = Object.fromEntries(findings.map(({ code, examples }) => [code, examples.join('\n')]));
  expect(said.sender_spf).toContain('help@shop.example: No SPF record');
  expect(said.sender_spf).toContain('Add: shop.example TXT v=spf1 include:_spf.google.com ~all');
  expect(said.sender_dkim).toContain('Add: google._domainkey.shop.example TXT (from your mail server)');
  expect(said.sender_dmarc).toContain('Add: _dmarc.shop.example TXT v=DMARC1; p=none');
});

test('mail that came before hashes were kept is judged by its size', async () => {
  const path = copy();
  await write(path, (tx) => void query(tx, 'UPDATE inbound_mail SET sha256 = NULL').run());
  const file = storedFile(path, 'mail/inbound');
  flipByte(file, 3);
  expect((await look(path, { break: () => null })).findings).toEqual([]);
  truncateSync(file, 3);
  expect((await look(path, { break: () => null })).findings.map(({ code }) => code)).toEqual(['mail_damaged']);
});

test('a rebuilt index finds again what it found', async () => {
  const path = copy();
  cases.index_damaged.break(path);
  await look(path, cases.index_damaged, true);
  await write(path, (tx) => {
    const found = query<{ n: number }>(
      tx,
      "SELECT count(*) AS n FROM ticket_search WHERE ticket_search MATCH 'invoice'",
    );
    expect(found.get()?.n).toBe(13);
  });
});

test('a damaged database is not written into', async () => {
  const path = copy();
  await cases.totals_differ.break(path);
  cases.database_damaged.break(path);
  const before = readFileSync(join(path, 'helpdesk.db'));
  const { findings } = await look(path, cases.database_damaged, true);
  expect(findings.some(({ fixed }) => fixed > 0)).toBe(false);
  expect(readFileSync(join(path, 'helpdesk.db')).equals(before)).toBe(true);
});

test('what is behind a fault is not called sound', async () => {
  const path = copy();
  cases.database_unreadable.break(path);
  const { areasChecked } = await look(path, cases.database_unreadable);
  for (const area of ['index', 'counters', 'attachments']) expect(areasChecked).not.toContain(area);
});

test('it looks beside a desk that goes on writing, and finds nothing wrong', async () => {
  const path = copy();
  const data = openDataDirectory(configOf(path, { ...sound, HELPDESK_SYNCHRONOUS: 'OFF' }));
  let isOver = false;
  let written = 0;
  const writing = (async () => {
    while (!isOver) {
      await data.desk.write((tx) => {
        query(
          tx,
          "UPDATE tickets SET status = CASE status WHEN 'open' THEN 'pending' ELSE 'open' END WHERE id % 3 = ?",
        ).run(written % 3);
        return null;
      });
      written += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  while (written < 50) {
    const { findings } = await look(path, { break: () => null });
    expect(findings).toEqual([]);
  }
  isOver = true;
  await writing;
  await data.close();
  expect(statSync(join(path, 'helpdesk.db')).mode & 0o777).toBe(0o600);
});
