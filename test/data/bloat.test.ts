// How much space the history of a database takes: it is limited in bytes, and no long command keeps a log from ending.

import { expect, test } from 'bun:test';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLog } from '../../src/base/log.ts';
import { createBackup } from '../../src/data/backup.ts';
import { openDataDirectory } from '../../src/data/directory.ts';
import { examine } from '../../src/data/doctor/examine.ts';
import { createLogRelief, detach } from '../../src/data/reading-copy.ts';
import { createRegularSnapshots } from '../../src/data/regular-snapshots.ts';
import { archivedBytes, listSnapshots } from '../../src/data/snapshots.ts';
import { exportSite } from '../../src/data/transfer/export.ts';
import { importSite } from '../../src/data/transfer/import.ts';
import { query } from '../../src/engine/database.ts';
import { listSegments } from '../../src/engine/wal/archive.ts';
import { usualPace } from '../../src/engine/wal/upkeep.ts';
import { flipByte } from '../support/faults.ts';
import { temporaryFolder } from '../support/folders.ts';
import { startProgram } from '../support/programs.ts';
import { roomyDisk } from '../support/roomy-disk.ts';
import { pageBytes } from '../support/store.ts';
import { busyDesk, configFor, subjectsIn } from './copying.ts';

const bytesIn = (folder: string) =>
  readdirSync(folder)
    .map((name) => statSync(join(folder, name)))
    .filter((found) => found.isFile())
    .reduce((sum, { size }) => sum + size, 0);

async function desk() {
  const path = join(temporaryFolder(), 'data');
  const busy = await busyDesk(path);
  const [backups, archive] = [join(path, 'backups'), join(path, 'wal')];
  let at = 0;
  return {
    ...busy,
    path,
    backups,
    archive,
    async write(tickets: number) {
      for (let turn = 0; turn < tickets; turn += 1) await busy.open(`ticket ${at++}`);
    },
  };
}

const limits = { maxLogBytes: () => 1_000_000, maxSnapshotBytes: (bytes: number) => 3 * bytes };

test('a snapshot counts for what it holds: while another process keeps the log open, one is taken for each stretch of log', async () => {
  const { data, backups, archive, write } = await desk();
  const regular = createRegularSnapshots({ data, log: silentLog, everyMs: 3_600_000, keep: 24, ...limits });
  await regular.start();
  const other = openDataDirectory(configFor(data.path));
  other.desk.read((tx) => query(tx, 'SELECT 1 FROM tickets').all());
  const taken = new Set<string>();
  let looks = 0;
  const written = archivedBytes(backups, archive);
  while (archivedBytes(backups, archive) - written + taken.size * 1_000_000 < 4_000_000 && looks < 400) {
    await write(1);
    await regular.look();
    looks += 1;
    for (const { path } of listSnapshots(backups)) taken.add(path);
    expect(archivedBytes(backups, archive)).toBeLessThan(1_500_000);
  }
  // The log has grown far beyond the limit, and still no check takes a snapshot.
  expect(bytesIn(archive)).toBeGreaterThan(3_000_000);
  const before = listSnapshots(backups).length;
  for (let turn = 0; turn < 5; turn += 1) {
    await write(1);
    await regular.look();
  }
  expect(listSnapshots(backups).length).toBeLessThanOrEqual(before + 1);
  expect(taken.size).toBeLessThanOrEqual(Math.ceil(bytesIn(archive) / 1_000_000) + 1);
  await other.close();
  await regular.stop();
  await data.close();
}, 60_000);

test('the regular look reads the log of another process, where the desk itself writes nothing', async () => {
  const { data, archive, path } = await desk();
  const regular = createRegularSnapshots({ data, log: silentLog, everyMs: 3_600_000, keep: 24 });
  await regular.start();
  const index = () => data.desk.store.archive?.index() ?? { frames: 0, backfilled: 0 };
  const command = openDataDirectory(configFor(path));
  const grow = () =>
    command.desk.write((tx) => {
      query(tx, 'UPDATE sites SET name = hex(randomblob(2000000)) WHERE id = 1').run();
      query(tx, "UPDATE sites SET name = 'Shop' WHERE id = 1").run();
      return null;
    });
  while (index().frames < 3 * usualPace.partFrames) {
    await grow();
    // Its own handle does not look after the log here.
    command.desk.store.rest();
  }
  await command.close();
  expect(index().backfilled).toBe(0);
  await regular.look();
  await data.desk.store.settled();
  await regular.look();
  await data.desk.store.settled();
  expect(index().backfilled).toBeGreaterThan(0);
  expect(listSegments(archive)).toHaveLength(1);
  await regular.stop();
  await data.close();
}, 20_000);

test('the ceiling: snapshots and logs keep to it, however much is written', async () => {
  const { data, path, backups, archive, write } = await desk();
  const regular = createRegularSnapshots({ data, log: silentLog, everyMs: 3_600_000, keep: 24, ...limits });
  await regular.start();
  for (let turn = 0; turn < 40; turn += 1) {
    await write(10);
    await regular.look();
    const size = statSync(join(path, 'helpdesk.db')).size;
    const snapshots = listSnapshots(backups);
    expect(snapshots.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(Math.max(3, 2) * size);
    // Two spans, each of which can grow until the next check.
    expect(bytesIn(archive)).toBeLessThan(2 * 2_000_000);
  }
  await regular.stop();
  await data.close();
}, 60_000);

test('a backup holds no log: it is made from the newest snapshot and the logs since, and has everything', async () => {
  const { data, answered, write } = await desk();
  const regular = createRegularSnapshots({ data, log: silentLog, everyMs: 3_600_000, keep: 24 });
  await regular.start();
  await write(30);
  const command = openDataDirectory(configFor(data.path));
  const ended: boolean[] = [];
  const destination = join(temporaryFolder(), 'backup');
  const expected = answered.length;
  const made = await createBackup(command, destination, (_, what) => {
    if (what === 'reading it back') ended.push(data.desk.store.rotate());
  });
  expect(made.description.rows.tickets).toBe(expected);
  expect(ended.length).toBeGreaterThan(0);
  expect(ended.every(Boolean)).toBe(true);
  await command.close();
  await regular.stop();
  await data.close();
});

test('a detached desk reads what was there, while the log ends and others write', async () => {
  const { data, answered, write } = await desk();
  const regular = createRegularSnapshots({ data, log: silentLog, everyMs: 3_600_000, keep: 24 });
  await regular.start();
  await write(20);
  const command = openDataDirectory(configFor(data.path));
  const reading = await detach(command, 0);
  const count = () => reading.desk.read((tx) => query<{ n: number }>(tx, 'SELECT count(*) AS n FROM tickets').get()?.n);
  const expected = answered.length;
  expect(count()).toBe(expected);
  expect(data.desk.store.rotate()).toBe(true);
  await write(5);
  expect(count()).toBe(expected);
  await reading.close();
  expect(readdirSync(data.path).filter((name) => name.includes('detached'))).toEqual([]);
  await command.close();
  await regular.stop();
  await data.close();
});

test('an examination holds no log: it reads every page from a copy, and finds what is damaged in the database itself', async () => {
  const { data, path, answered, write } = await desk();
  await write(30);
  const examined = (onProgress?: () => void) =>
    examine({
      path,
      config: configFor(path),
      configFault: null,
      isFixing: false,
      leastBytesToCopy: 0,
      isRunning: true,
      onProgress,
      ...roomyDisk,
    });
  const ended: boolean[] = [];
  const { tickets, findings } = await examined(() => {
    if (ended.length === 0) ended.push(data.desk.store.rotate());
  });
  expect(tickets).toBe(answered.length);
  expect(findings.filter(({ level }) => level === 'wrong')).toEqual([]);
  expect(ended).toEqual([true]);
  await write(1);
  const root = data.desk.read((tx) =>
    query<{ page: number }>(tx, "SELECT rootpage AS page FROM sqlite_schema WHERE name = 'channels'").get(),
  );
  flipByte(join(path, 'helpdesk.db'), ((root?.page ?? 0) - 1) * pageBytes);
  expect((await examined()).findings.map(({ code }) => code)).toContain('database_damaged');
  expect(readdirSync(path).filter((name) => name.includes('detached'))).toEqual([]);
  await data.close();
});

test('doctor --fix holds no log while it looks and after it has fixed: it reads a copy, and writes to the database itself', async () => {
  const { data, path, answered, write } = await desk();
  await write(30);
  const wrongCounts = () =>
    data.desk.read(
      (tx) => query<{ n: number }>(tx, 'SELECT count(*) AS n FROM tickets WHERE message_count <> 1').get()?.n,
    );
  await data.desk.write((tx) => {
    query(tx, 'UPDATE tickets SET message_count = 7 WHERE id IN (3, 5)').run();
    return null;
  });
  const ended: boolean[] = [];
  const { findings, tickets } = await examine({
    path,
    config: configFor(path),
    configFault: null,
    isFixing: true,
    leastBytesToCopy: 0,
    isRunning: true,
    ...roomyDisk,
    onProgress(share) {
      // After the pages have been read; and when everything has been fixed.
      if (share === 0.2 || share === 1) ended.push(data.desk.store.rotate());
    },
  });
  expect(tickets).toBe(answered.length);
  expect(findings.find(({ code }) => code === 'message_count_differs')).toMatchObject({ count: 2, fixed: 2 });
  expect(wrongCounts()).toBe(0);
  expect(ended).toEqual([true, true]);
  await write(1);
  expect(subjectsIn(data).size).toBe(answered.length);
  await data.close();
});

test('a copy that a killed command left behind is removed by the next one', async () => {
  const { data, path, write } = await desk();
  const regular = createRegularSnapshots({ data, log: silentLog, everyMs: 3_600_000, keep: 24 });
  await regular.start();
  await write(1);
  const ended = startProgram(['true']);
  await ended.ended;
  const [left, running] = [`.detached-${ended.pid}.db`, `.detached-${process.ppid}.db`];
  for (const name of [left, `${left}-wal`, running]) writeFileSync(join(path, name), 'x');
  const command = openDataDirectory(configFor(path));
  const reading = await detach(command, 0);
  await reading.close();
  expect(readdirSync(path).filter((name) => name.includes('detached'))).toEqual([running]);
  await command.close();
  await regular.stop();
  await data.close();
});

test('an import beside a running desk lets the log end while it writes, and only then', async () => {
  const { data, path, answered, write } = await desk();
  const { blobs, mailBlobs } = data;
  await write(300);
  const parts: Uint8Array[] = [];
  const keep = (bytes: Uint8Array) => Promise.resolve(void parts.push(bytes));
  await exportSite({ desk: data.desk, blobs, mailBlobs, path, site: 'shop', hasSecrets: false, write: keep });
  const importedAs = async (as: string, longLogBytes: number) => {
    const command = openDataDirectory(configFor(path));
    const ended: boolean[] = [];
    const looking = setInterval(() => ended.push(data.desk.store.rotate()), 2);
    async function* source() {
      yield Buffer.concat(parts);
    }
    const whole = { desk: command.desk, blobs, mailBlobs, source: source(), as, erasures: [], longLogBytes };
    const imported = await importSite(whole);
    clearInterval(looking);
    await command.close();
    return { ended: ended.filter(Boolean).length, slug: imported.site.slug };
  };
  expect(await importedAs('second', 100_000_000)).toEqual({ ended: 0, slug: 'second' });
  const third = await importedAs('third', 300_000);
  expect(third.ended).toBeGreaterThan(1);
  const ticketsBySite = data.desk.read((tx) =>
    query<{ n: number }>(tx, 'SELECT count(*) AS n FROM tickets GROUP BY site_id').all(),
  );
  expect(ticketsBySite.map(({ n }) => n)).toEqual([answered.length, answered.length, answered.length]);
  await data.close();
}, 60_000);

test('who writes at length lets the log end in between, and goes on with the next one', async () => {
  const { data, archive, answered, write, path } = await desk();
  const command = openDataDirectory(configFor(path));
  const letLogEnd = createLogRelief(command.desk.store, bytesIn(archive) + 100_000);
  const touched = () => command.desk.write((tx) => query(tx, "UPDATE sites SET name = 'Other'").run());
  await touched();
  await letLogEnd();
  // Still short: the command has kept its handles, and with them the log.
  expect(data.desk.store.rotate()).toBe(false);
  await write(30);
  const [before] = listSegments(archive);
  const waiting = letLogEnd();
  expect(data.desk.store.rotate()).toBe(true);
  await waiting;
  await touched();
  await write(1);
  const [first, second] = listSegments(archive);
  expect(first?.path).toBe(before?.path ?? '');
  expect(second?.after).toBe(statSync(first?.path ?? '').size);
  expect(subjectsIn(data).size).toBe(answered.length);
  await command.close();
  await data.close();
});
