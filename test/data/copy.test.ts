// A plain copy of a running desk: it opens, with everything that was answered before the copy began (docs/spec/behaviour.md#data-directory).

import { describe, expect, test } from 'bun:test';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { silentLog } from '../../src/base/log.ts';
import { openDataDirectory } from '../../src/data/directory.ts';
import { createRegularSnapshots } from '../../src/data/regular-snapshots.ts';
import { listSnapshots, pruneSnapshots, takeSnapshot } from '../../src/data/snapshots.ts';
import { checkDatabase } from '../../src/engine/check-database.ts';
import { temporaryFolder } from '../support/folders.ts';
import { runProgram, startProgram } from '../support/programs.ts';
import { pageBytes } from '../support/store.ts';
import { busyDesk, configFor, copySlowly, subjectsIn } from './copying.ts';

const moment = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function openCopy(path: string) {
  const data = openDataDirectory(configFor(path));
  const subjects = subjectsIn(data);
  await data.close();
  return { subjects, recovered: data.recovered, fault: checkDatabase(join(path, 'helpdesk.db')) };
}

describe('a copy of a running desk', () => {
  test('has all that was answered before it began, whenever logs and snapshots change meanwhile', async () => {
    const path = join(temporaryFolder(), 'data');
    const desk = await busyDesk(path);
    const { store } = desk.data.desk;
    const backups = join(path, 'backups');
    await takeSnapshot(store, backups, 1);
    const stop = desk.run(6);
    let at = 2;
    let isRunning = true;
    const upkeep = (async () => {
      while (isRunning) {
        store.tend();
        await moment(7);
        store.rotate();
        await moment(7);
        await takeSnapshot(store, backups, at++);
      }
    })();
    for (let round = 0; round < 12; round += 1) {
      await moment(25);
      const before = [...desk.answered];
      const copy = join(temporaryFolder(), 'copy');
      const child = startProgram(['cp', '-r', path, copy]);
      const complaints = (await child.errors).split('\n').filter((line) => line !== '');
      // The current log and unfinished files can disappear while they are copied; nothing else can.
      expect(complaints.filter((line) => !/helpdesk\.db-(wal|shm)'|\.partial'|last\.txt\.new'/.test(line))).toEqual([]);
      await child.ended;
      const { subjects, recovered, fault } = await openCopy(copy);
      expect(fault).toBeNull();
      expect(recovered).toContain('This directory is a copy of a desk.');
      expect(before.filter((subject) => !subjects.has(subject))).toEqual([]);
    }
    isRunning = false;
    await upkeep;
    await stop();
    await desk.data.close();
    expect(desk.answered.length).toBeGreaterThan(100);
  }, 60_000);

  for (const order of [
    ['wal', 'backups', 'helpdesk.db', 'helpdesk.db-wal', 'secret.key'],
    ['helpdesk.db-wal', 'helpdesk.db', 'backups', 'wal', 'secret.key'],
    ['backups', 'helpdesk.db', 'wal', 'secret.key', 'helpdesk.db-wal'],
  ]) {
    test(`does not mind in which order its files were read: ${order.join(', ')}`, async () => {
      const path = join(temporaryFolder(), 'data');
      const desk = await busyDesk(path);
      const { store } = desk.data.desk;
      await takeSnapshot(store, join(path, 'backups'), 1);
      for (let at = 0; at < 20; at += 1) await desk.open(`early ${at}`);
      const before = [...desk.answered];
      const copy = temporaryFolder();
      let round = 0;
      await copySlowly(path, copy, order, async () => {
        round += 1;
        for (let at = 0; at < 15; at += 1) await desk.open(`meanwhile ${round} ${at}`);
        expect(store.rotate()).toBe(true);
        if (round % 2 === 0) await takeSnapshot(store, join(path, 'backups'), 1 + round);
        await pruneSnapshots(join(path, 'backups'), join(path, 'wal'), 24);
      });
      await desk.data.close();
      const { subjects, fault } = await openCopy(copy);
      expect(fault).toBeNull();
      expect(before.filter((subject) => !subjects.has(subject))).toEqual([]);
    });
  }

  test('opens a second time as itself, and as a desk that goes on', async () => {
    const path = join(temporaryFolder(), 'data');
    const desk = await busyDesk(path);
    await takeSnapshot(desk.data.desk.store, join(path, 'backups'), 1);
    await desk.open('one');
    const copy = join(temporaryFolder(), 'copy');
    await runProgram('cp', '-r', path, copy);
    await desk.data.close();
    expect((await openCopy(copy)).recovered).toContain('was rebuilt');
    const again = await busyDesk(copy);
    expect(again.data.recovered).toBeNull();
    await again.open('two');
    await takeSnapshot(again.data.desk.store, join(copy, 'backups'), 2);
    await again.open('three');
    const third = join(temporaryFolder(), 'third');
    await runProgram('cp', '-a', copy, third);
    await again.data.close();
    expect([...(await openCopy(third)).subjects].sort()).toEqual(['one', 'three', 'two']);
  });

  test('is known for one also when a shell pattern left the hidden files out', async () => {
    const path = join(temporaryFolder(), 'data');
    const desk = await busyDesk(path);
    await takeSnapshot(desk.data.desk.store, join(path, 'backups'), 1);
    await desk.open('one');
    const copy = temporaryFolder();
    await runProgram('sh', '-c', `cp -r "${path}"/* "${copy}"`);
    await desk.data.close();
    const { subjects, recovered } = await openCopy(copy);
    expect(recovered).toContain('was rebuilt');
    expect([...subjects]).toEqual(['one']);
  });

  test('of a stopped desk has everything', async () => {
    const path = join(temporaryFolder(), 'data');
    const desk = await busyDesk(path);
    await takeSnapshot(desk.data.desk.store, join(path, 'backups'), 1);
    await desk.open('one');
    await desk.data.close();
    // Each command opens and closes the database.
    for (const word of ['two', 'three']) {
      const next = await busyDesk(path);
      await next.open(word);
      await next.data.close();
    }
    expect(existsSync(join(path, 'helpdesk.db-wal'))).toBe(false);
    const copy = join(temporaryFolder(), 'copy');
    await runProgram('cp', '-r', path, copy);
    const { subjects, recovered } = await openCopy(copy);
    expect([...subjects].sort()).toEqual(['one', 'three', 'two']);
    expect(recovered).not.toContain('not in this copy');
  });

  test('says what is not in it when a log is missing, and what it used instead', async () => {
    const path = join(temporaryFolder(), 'data');
    const desk = await busyDesk(path);
    await takeSnapshot(desk.data.desk.store, join(path, 'backups'), 1);
    await desk.open('one');
    desk.data.desk.store.rotate();
    await desk.open('two');
    desk.data.desk.store.rotate();
    await desk.open('three');
    const copy = join(temporaryFolder(), 'copy');
    await runProgram('cp', '-r', path, copy);
    await desk.data.close();
    const logs = readdirSync(join(copy, 'wal'))
      .filter((name) => name.endsWith('.wal'))
      .sort();
    rmSync(join(copy, 'wal', logs.at(-2) ?? ''));
    const { subjects, recovered } = await openCopy(copy);
    expect(recovered).toContain('Later changes are not in this copy: log');
    expect(subjects.has('three')).toBe(false);
    expect(readdirSync(join(copy, 'backups')).some((name) => name.startsWith('replaced-'))).toBe(true);
  });

  test('says how much it lacks after an end of a log that could not be recorded, until the next check takes a snapshot', async () => {
    const path = join(temporaryFolder(), 'data');
    const desk = await busyDesk(path);
    const backups = join(path, 'backups');
    const regular = createRegularSnapshots({ data: desk.data, log: silentLog, everyMs: 3_600_000, keep: 24 });
    await regular.start();
    await desk.open('one');
    const snapshots = listSnapshots(backups).length;
    expect(desk.data.desk.store.rotate()).toBe(true);
    rmSync(join(path, 'wal', 'last.txt'));
    await desk.open('two');
    await desk.open('three');
    const [early, late] = [join(temporaryFolder(), 'early'), join(temporaryFolder(), 'late')];
    await runProgram('cp', '-r', path, early);
    await regular.look();
    expect(listSnapshots(backups)).toHaveLength(snapshots + 1);
    await regular.look();
    expect(listSnapshots(backups)).toHaveLength(snapshots + 1);
    await desk.open('four');
    await runProgram('cp', '-r', path, late);
    await regular.stop();
    await desk.data.close();
    const lacking = await openCopy(early);
    expect([...lacking.subjects]).toEqual(['one']);
    expect(lacking.recovered).toMatch(
      /does not continue the one before it\. Left out: 2 transactions, made from \S+Z to \S+Z, in wal\/ from log \d+ on\. Copy the directory again/,
    );
    const whole = await openCopy(late);
    expect([...whole.subjects].sort()).toEqual(['four', 'one', 'three', 'two']);
    expect(whole.recovered).not.toContain('Left out');
  });

  const memory = '/dev/shm';
  const hasOtherDisk = existsSync(memory) && statSync(memory).dev !== statSync(temporaryFolder()).dev;
  test.skipIf(!hasOtherDisk)('is as new as the last snapshot where logs cannot have a second name', async () => {
    const path = join(temporaryFolder(), 'data');
    mkdirSync(path);
    const elsewhere = mkdtempSync(join(memory, 'helpdesk-test-'));
    symlinkSync(elsewhere, join(path, 'wal'));
    const desk = await busyDesk(path);
    expect(desk.data.desk.store.archive?.unsupported).toBe('EXDEV');
    const counts: number[] = [];
    for (const everyMs of [3_600_000, 0, 3_600_000]) {
      const regular = createRegularSnapshots({ data: desk.data, log: silentLog, everyMs, keep: 24 });
      await regular.start();
      await desk.open(`every ${everyMs}`);
      await regular.look();
      counts.push(listSnapshots(join(path, 'backups')).length);
      await regular.stop();
    }
    expect(counts).toEqual([1, 2, 2]);
    const copy = join(temporaryFolder(), 'copy');
    await runProgram('cp', '-rL', path, copy);
    await desk.data.close();
    rmSync(elsewhere, { recursive: true });
    expect([...(await openCopy(copy)).subjects]).toEqual(['every 3600000', 'every 0']);
  });

  test('ends at the last whole transaction of a log that was cut anywhere', async () => {
    const path = join(temporaryFolder(), 'data');
    const desk = await busyDesk(path);
    await takeSnapshot(desk.data.desk.store, join(path, 'backups'), 1);
    for (let at = 0; at < 5; at += 1) await desk.open(`number ${at}`);
    const whole = join(temporaryFolder(), 'whole');
    await runProgram('cp', '-r', path, whole);
    await desk.data.close();
    const log =
      readdirSync(join(whole, 'wal'))
        .filter((name) => name.endsWith('.wal'))
        .sort()
        .at(-1) ?? '';
    const { size } = statSync(join(whole, 'wal', log));
    let most = 5;
    for (const bytes of [size - 1, size - 5000, Math.floor(size / 2), 5000, 40, 31, 0]) {
      const copy = join(temporaryFolder(), 'copy');
      await runProgram('cp', '-r', whole, copy);
      truncateSync(join(copy, 'wal', log), bytes);
      const { subjects, fault } = await openCopy(copy);
      expect(fault).toBeNull();
      expect(subjects.size).toBeLessThanOrEqual(most);
      most = subjects.size;
      expect([...subjects].sort()).toEqual(Array.from({ length: most }, (_, at) => `number ${at}`));
    }
    expect(most).toBe(0);
  });

  test('is refused with advice when it is torn and nothing can make it whole', async () => {
    const path = join(temporaryFolder(), 'data');
    const desk = await busyDesk(path);
    for (let at = 0; at < 50; at += 1) await desk.open(`number ${at}`);
    await desk.data.close();
    const copy = join(temporaryFolder(), 'copy');
    await runProgram('cp', '-r', path, copy);
    const bytes = readFileSync(join(copy, 'helpdesk.db'));
    bytes.fill(0xff, 20 * pageBytes, 40 * pageBytes);
    writeFileSync(join(copy, 'helpdesk.db'), bytes);
    expect(() => openDataDirectory(configFor(copy))).toThrow(
      /copied while its desk was writing, and is damaged.*helpdesk backup/s,
    );
  });
});

test('a database put there by hand is used as it is, without the log of the one before', async () => {
  const path = join(temporaryFolder(), 'data');
  const desk = await busyDesk(path);
  await desk.open('one');
  await takeSnapshot(desk.data.desk.store, join(path, 'backups'), 1);
  await desk.open('two');
  await desk.data.close();
  const old = readdirSync(join(path, 'backups')).find((name) => name.startsWith('snapshot-')) ?? '';
  rmSync(join(path, 'helpdesk.db'));
  await runProgram('cp', join(path, 'backups', old), join(path, 'helpdesk.db'));
  const { subjects, recovered } = await openCopy(path);
  expect(recovered).toContain('was replaced by hand');
  expect([...subjects]).toEqual(['one']);
});
