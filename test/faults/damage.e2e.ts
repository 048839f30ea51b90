// Damaged bytes, met by the executable: it reports them, and neither starts with less data nor answers 500.

import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import {
  copyFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { helpdesk, newDirectory, type Served, serve, siteAndToken, unlimited } from '../e2e/executable.ts';
import { createDisk, EIO, flipByte, ownInode } from '../support/faults.ts';
import { frameBytes, pageBytes } from '../support/store.ts';

const cleanups: (() => void)[] = [];
afterAll(() => {
  for (const cleanup of cleanups) cleanup();
});

async function desk() {
  const { path, remove } = newDirectory();
  cleanups.push(remove);
  return { path, data: join(path, 'data'), ...(await siteAndToken(path)) };
}

async function create(running: Served, siteToken: string, subject: string): Promise<{ ulid: string; token: string }> {
  const answer = await fetch(`${running.url}/api/v1/public/tickets`, {
    method: 'POST',
    headers: { 'X-Site-Token': siteToken, 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'mia@customer.example', subject, message: 'The lamp is dark.' }),
  });
  expect(answer.status).toBe(201);
  const { ticket, access_token: token } = (await answer.json()) as { ticket: { ulid: string }; access_token: string };
  return { ulid: ticket.ulid, token };
}

async function codeOf(answer: Response): Promise<[number, string]> {
  return [answer.status, ((await answer.json()) as { code: string }).code];
}

/** Forty tickets, then kill -9. */
async function crash(path: string, siteToken: string): Promise<void> {
  const running = await serve(path, unlimited);
  for (let turn = 0; turn < 40; turn += 1) await create(running, siteToken, `Lamp ${turn}`);
  running.signal('SIGKILL');
  await running.exited;
}

async function ticketsAfterStart(path: string): Promise<number> {
  const running = await serve(path, unlimited);
  running.signal('SIGTERM');
  await running.exited;
  const database = new Database(join(path, 'data/helpdesk.db'), { readonly: true });
  const { n } = database.query<{ n: number }, []>('SELECT count(*) AS n FROM tickets').get() ?? { n: -1 };
  database.close();
  return n;
}

const twentiethFrame = 32 + 19 * frameBytes + 500;

test('a flipped byte in the log: the start is refused with what to do, and doctor says it', async () => {
  const { path, data, siteToken } = await desk();
  await crash(path, siteToken);
  flipByte(join(data, 'helpdesk.db-wal'), twentiethFrame);
  for (const args of [
    ['serve', '--port', '0'],
    ['site', 'list'],
  ]) {
    const { code, errors } = await helpdesk(path, args);
    expect(code).not.toBe(0);
    expect(errors).toMatch(/helpdesk\.db-wal is damaged at frame 20/);
    expect(errors).toContain('helpdesk restore');
  }
  const examined = await helpdesk(path, ['doctor', '--json']);
  expect(examined.code).not.toBe(0);
  expect(examined.output).toContain('history_damaged');
  // The original byte: none of the commands above has changed the log.
  flipByte(join(data, 'helpdesk.db-wal'), twentiethFrame);
  expect(await ticketsAfterStart(path)).toBe(40);
});

test('what lies before the damage is had back by the command that the refusal names', async () => {
  const { path, data, siteToken } = await desk();
  await crash(path, siteToken);
  const log = join(data, 'helpdesk.db-wal');
  flipByte(log, Math.floor(statSync(log).size / 2));
  const { errors } = await helpdesk(path, ['serve', '--port', '0']);
  const offered = /helpdesk (restore --at \S+ --data \S+ --force)/.exec(errors)?.[1] ?? '';
  const restored = await helpdesk(path, offered.split(' '));
  expect([restored.errors, restored.code]).toEqual(['', 0]);
  const left = await ticketsAfterStart(path);
  expect(left).toBeGreaterThan(5);
  expect(left).toBeLessThan(40);
});

test('the same where wal/ has the bytes whole, and a removed log: everything is there', async () => {
  for (const act of [
    (log: string) => {
      ownInode(log);
      flipByte(log, twentiethFrame);
    },
    (log: string) => rmSync(log),
  ]) {
    const { path, data, siteToken } = await desk();
    await crash(path, siteToken);
    act(join(data, 'helpdesk.db-wal'));
    expect(await ticketsAfterStart(path)).toBe(40);
  }
});

test('a database whose schema cannot be read: no refusal ends the log, and the command that it names has all of it back', async () => {
  const { path, data, siteToken } = await desk();
  await crash(path, siteToken);
  const [file, log] = [join(data, 'helpdesk.db'), join(data, 'helpdesk.db-wal')];
  flipByte(file, readFileSync(file).indexOf('ON DELETE CASCADE'));
  const before = [readFileSync(file), readFileSync(log)];
  let offered = '';
  for (const args of [
    ['serve', '--port', '0'],
    ['site', 'list'],
  ]) {
    const { code, errors } = await helpdesk(path, args);
    expect([args, code]).toEqual([args, 1]);
    expect([readFileSync(file), readFileSync(log)]).toEqual(before);
    offered = /helpdesk (restore --at \S+ --data \S+ --force)/.exec(errors)?.[1] ?? '';
  }
  expect((await helpdesk(path, ['doctor'])).code).toBe(1);
  const restored = await helpdesk(path, offered.split(' '));
  expect([restored.errors, restored.code]).toEqual(['', 0]);
  expect(await ticketsAfterStart(path)).toBe(40);
});

test('a log that was emptied or removed is no empty log: the start is refused, and the offered command works', async () => {
  const losses: [string, (data: string) => void][] = [
    ['cut to 0 bytes', (data) => truncateSync(join(data, 'helpdesk.db-wal'), 0)],
    ['cut to 32 bytes', (data) => truncateSync(join(data, 'helpdesk.db-wal'), 32)],
    [
      'removed with its segment',
      (data) => {
        rmSync(join(data, 'helpdesk.db-wal'));
        const segments = readdirSync(join(data, 'wal')).filter((name) => name.endsWith('.wal'));
        rmSync(join(data, 'wal', segments.sort().at(-1) ?? ''));
      },
    ],
    [
      'removed with wal/ and the index',
      (data) => {
        rmSync(join(data, 'helpdesk.db-wal'));
        rmSync(join(data, 'helpdesk.db-shm'));
        rmSync(join(data, 'wal'), { recursive: true });
      },
    ],
  ];
  for (const [how, lose] of losses) {
    const { path, data, siteToken } = await desk();
    await crash(path, siteToken);
    lose(data);
    const { code, errors } = await helpdesk(path, ['serve', '--port', '0']);
    expect([how, code]).toEqual([how, 1]);
    expect(errors).toMatch(/helpdesk\.db-wal is (?:empty|missing), and its [\d,]+ committed frames cannot be read/);
    expect((await helpdesk(path, ['doctor', '--json'])).output).toContain('history_damaged');
    const offered = /helpdesk (restore \S+snapshot-\S+\.db --data \S+ --force)/.exec(errors)?.[1] ?? '';
    expect((await helpdesk(path, offered.split(' '))).code).toBe(0);
    expect(await ticketsAfterStart(path)).toBe(0);
  }
});

test('an empty database beside its history is no new desk, and the offered command brings it back', async () => {
  const { path, data, siteToken } = await desk();
  const running = await serve(path, { ...unlimited, HELPDESK_SNAPSHOT_EVERY: '1s' });
  await create(running, siteToken, 'Lamp');
  const snapshots = () => readdirSync(join(data, 'backups')).filter((name) => name.startsWith('snapshot-')).length;
  const before = snapshots();
  while (snapshots() === before) await Bun.sleep(100);
  running.signal('SIGTERM');
  await running.exited;
  truncateSync(join(data, 'helpdesk.db'), 0);
  const refused = await helpdesk(path, ['serve', '--port', '0']);
  expect(refused.code).not.toBe(0);
  expect(refused.errors).toContain('helpdesk.db is empty');
  const offered = /helpdesk (restore \S+snapshot-\S+\.db --data \S+ --force)/.exec(refused.errors)?.[1] ?? '';
  expect((await helpdesk(path, offered.split(' '))).code).toBe(0);
  expect(await ticketsAfterStart(path)).toBe(1);
});

test('a useless file in the place of the database costs nothing: the right one put back still has its log', async () => {
  const { path, data, siteToken } = await desk();
  await crash(path, siteToken);
  const database = join(data, 'helpdesk.db');
  const away = join(path, 'away.db');
  renameSync(database, away);
  for (const [act, message] of [
    [() => writeFileSync(database, ''), 'is empty'],
    [() => writeFileSync(database, Buffer.alloc(50_000)), 'is no longer a database'],
    [
      () => {
        copyFileSync(away, database);
        truncateSync(database, statSync(away).size / 2);
      },
      'is cut off',
    ],
  ] as const) {
    act();
    expect((await helpdesk(path, ['doctor'])).code).toBe(1);
    for (const args of [
      ['serve', '--port', '0'],
      ['site', 'list'],
    ]) {
      const { code, errors } = await helpdesk(path, args);
      expect([code, errors.includes(`helpdesk.db ${message}`)]).toEqual([1, true]);
    }
    rmSync(database);
  }
  renameSync(away, database);
  expect(await ticketsAfterStart(path)).toBe(40);
});

/** Each name below a folder with the contents of the file. */
const contents = (folder: string) =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => [join(parentPath, name), Bun.hash(readFileSync(join(parentPath, name)))]),
  );

test('doctor after a crash changes no file, whether the database is sound or damaged', async () => {
  const { path, data, siteToken } = await desk();
  await crash(path, siteToken);
  const left = contents(data);
  expect(left.size).toBeGreaterThan(5);
  expect((await helpdesk(path, ['doctor'])).code).toBe(0);
  expect(contents(data)).toEqual(left);
  const database = join(data, 'helpdesk.db');
  // The schema, which each look reads, and then a page behind it.
  for (const place of [105, 3 * pageBytes + 8]) {
    flipByte(database, place);
    const damaged = contents(data);
    await helpdesk(path, ['doctor', '--json']);
    expect(contents(data)).toEqual(damaged);
    flipByte(database, place);
  }
  expect(contents(data)).toEqual(left);
  expect(await ticketsAfterStart(path)).toBe(40);
});

test('a page that cannot be read is 503 with a code, and turns /readyz red', async () => {
  const { path, siteToken, teamToken } = await desk();
  const disk = createDisk();
  const running = await serve(path, { ...unlimited, ...disk.environment });
  await create(running, siteToken, 'Lamp');
  running.signal('SIGTERM');
  await running.exited;
  const again = await serve(path, { ...unlimited, ...disk.environment });
  const read = () => fetch(`${again.url}/api/v1/tickets`, { headers: { Authorization: `Bearer ${teamToken}` } });
  disk.fail(`read $helpdesk.db ${EIO}`, `read $helpdesk.db-wal ${EIO}`);
  // SQLite does not distinguish EIO of a read from damage.
  expect(await codeOf(await read())).toEqual([503, 'storage_damaged']);
  expect(await codeOf(await fetch(`${again.url}/readyz`))).toEqual([503, 'storage_damaged']);
  disk.fail();
  expect((await read()).status).toBe(200);
  again.signal('SIGTERM');
  await again.exited;
});

test('a damaged page is 503 storage_damaged, for /readyz too', async () => {
  const { path, data, siteToken, teamToken } = await desk();
  const first = await serve(path, unlimited);
  for (let turn = 0; turn < 40; turn += 1) await create(first, siteToken, `Lamp ${turn}`);
  first.signal('SIGTERM');
  await first.exited;
  const file = join(data, 'helpdesk.db');
  const database = new Database(file, { readonly: true });
  const { rootpage = 0 } =
    database.query<{ rootpage: number }, []>("SELECT rootpage FROM sqlite_schema WHERE name = 'tickets'").get() ?? {};
  database.close();
  // A failing disk leaves the time of the file as it was.
  const times = join(path, 'times');
  Bun.spawnSync(['touch', '-r', file, times]);
  flipByte(file, (rootpage - 1) * pageBytes);
  Bun.spawnSync(['touch', '-r', times, file]);
  const running = await serve(path, unlimited);
  const read = await fetch(`${running.url}/api/v1/tickets`, { headers: { Authorization: `Bearer ${teamToken}` } });
  expect(await codeOf(read)).toEqual([503, 'storage_damaged']);
  expect(await codeOf(await fetch(`${running.url}/readyz`))).toEqual([503, 'storage_damaged']);
  running.signal('SIGTERM');
  await running.exited;
});

test('a file that was cut is not sent as if it were whole', async () => {
  const { path, data, siteToken } = await desk();
  const running = await serve(path, unlimited);
  const { ulid, token } = await create(running, siteToken, 'Lamp');
  const form = new FormData();
  form.append('file', new File(['y'.repeat(20_000)], 'log.txt'));
  const attached = await fetch(`${running.url}/api/v1/public/tickets/${ulid}/attachments?access_token=${token}`, {
    method: 'POST',
    headers: { 'X-Site-Token': siteToken },
    body: form,
  });
  const { attachment } = (await attached.json()) as { attachment: { ulid: string; url: string } };
  expect((await (await fetch(attachment.url)).text()).length).toBe(20_000);
  truncateSync(join(data, 'attachments', attachment.ulid.slice(-2), attachment.ulid), 7000);
  expect(await codeOf(await fetch(attachment.url))).toEqual([503, 'file_damaged']);
  running.signal('SIGTERM');
  await running.exited;
});

test('another secret.key is refused at the start', async () => {
  const { path, data } = await desk();
  await Bun.write(join(data, 'secret.key'), `${Buffer.alloc(32, 7).toString('base64')}\n`);
  const { code, errors } = await helpdesk(path, ['serve', '--port', '0']);
  expect(code).not.toBe(0);
  expect(errors).toContain('secret.key is not the key of this desk');
});
