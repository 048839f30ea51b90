// erasures.jsonl: a damaged line is a refusal, because it would bring an erased person back with the next restore.

import { expect, test } from 'bun:test';
import { cpSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createBackup } from '../../src/data/backup.ts';
import { openDataDirectory } from '../../src/data/directory.ts';
import { examine } from '../../src/data/doctor/examine.ts';
import { restore } from '../../src/data/restore.ts';
import { takeSnapshot } from '../../src/data/snapshots.ts';
import { eraseAuthor } from '../../src/desk/customers/authors.ts';
import { query } from '../../src/engine/database.ts';
import { flipByte } from '../support/faults.ts';
import { temporaryFolder } from '../support/folders.ts';
import { roomyDisk } from '../support/roomy-disk.ts';
import { busyDesk, configFor } from './copying.ts';

const emails = ['a@example.org', 'b@example.org', 'c@example.org'];

/** A desk that has erased three people, one after the other, and a backup from before that. */
async function erased(whileOpen: (path: string) => void = () => undefined) {
  const path = join(temporaryFolder(), 'data');
  const { data, open } = await busyDesk(path);
  await open('one');
  await data.desk.write((tx) => {
    for (const email of emails.slice(1))
      query(tx, 'INSERT INTO authors (site_id, email, is_verified, created_at) VALUES (1, ?, 0, 1)').run(email);
    return null;
  });
  const before = join(temporaryFolder(), 'before');
  await takeSnapshot(data.desk.store, join(path, 'backups'), 1);
  const at = Date.now();
  await createBackup(data, before);
  for (const email of emails) {
    await data.desk.write((tx) =>
      eraseAuthor(tx, data.desk.context({ kind: 'command_line' }, 'test'), { site_id: 1, email }),
    );
    // The first one looks for what was missed, and must not meet the next: that would be noted twice.
    await data.removeErased();
  }
  whileOpen(path);
  await data.close();
  return { path, before, at, file: join(path, 'erasures.jsonl') };
}

const lines = (file: string) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((text) => text !== '');
const newestSchema = Number.MAX_SAFE_INTEGER;

test('a changed byte anywhere in a line is refused, by a start and by a restore', async () => {
  const { path, before, file } = await erased();
  const { size } = statSync(file);
  const whole = readFileSync(file, 'utf8');
  for (let at = 0; at < size; at += 7) {
    if (whole[at] === '\n') continue;
    flipByte(file, at);
    const number = whole.slice(0, at).split('\n').length;
    expect([at, refusal(path)]).toEqual([at, expect.stringContaining(`erasures.jsonl is damaged in line ${number}:`)]);
    flipByte(file, at);
  }
  flipByte(file, 100);
  await expect(restore(path, before, { isForced: true, hasKey: true, newestSchema })).rejects.toThrow(
    /damaged in line 1/,
  );
  flipByte(file, 100);
  await openDataDirectory(configFor(path)).close();
});

function refusal(path: string): string {
  try {
    void openDataDirectory(configFor(path)).close();
    return '';
  } catch (error) {
    return String(error);
  }
}

test('only a last line may be cut; what is noted next takes its place', async () => {
  for (const bytes of [1, 40]) {
    const { path, file } = await erased();
    const whole = lines(file);
    truncateSync(file, statSync(file).size - bytes);
    const data = openDataDirectory(configFor(path));
    await data.removeErased();
    await data.close();
    expect(lines(file)).toEqual(whole);
  }
});

test('a removed line is noted again from the database, and lines of before the checksums are read', async () => {
  const { path, before, file } = await erased();
  const [first = '', , third = ''] = lines(file);
  writeFileSync(file, `\n${first.replace(/,"sum":"[0-9a-f]+"/, '')}\n\n${third}\n`);
  const data = openDataDirectory(configFor(path));
  await data.removeErased();
  await data.close();
  expect(lines(file).length).toBe(3);
  expect(lines(file)[0]).not.toContain('sum');
  await restore(path, before, { isForced: true, hasKey: true, newestSchema });
  const again = openDataDirectory(configFor(path));
  expect(await again.erasedAgain).toBe(3);
  await again.close();
  expect(lines(file).every((line) => line.includes('"sum":'))).toBe(true);
});

const losses: [string, (file: string) => void][] = [
  ['removed', (file) => rmSync(file)],
  ['emptied', (file) => truncateSync(file, 0)],
  ['cut after its first line', (file) => truncateSync(file, readFileSync(file).indexOf('\n') + 1)],
  ['cut in its second line', (file) => truncateSync(file, readFileSync(file).indexOf('\n') + 40)],
];
const settings = { isForced: true, hasKey: true, newestSchema };

async function erasedAfter(path: string): Promise<number> {
  const data = openDataDirectory(configFor(path));
  const again = await data.erasedAgain;
  await data.close();
  return again;
}

async function codes(path: string): Promise<string[]> {
  const options = { path, config: configFor(path), configFault: null, isFixing: false };
  const { findings, isSound } = await examine({ ...options, ...roomyDisk });
  const found = findings.map(({ code }) => code).filter((code) => code.startsWith('erasures_'));
  expect(isSound).toBe(found.length === 0);
  return found;
}

for (const [what, lose] of losses)
  test(`people stay erased after a restore although the list was ${what}, and doctor says it`, async () => {
    const { path, before, file } = await erased();
    expect(await codes(path)).toEqual([]);
    lose(file);
    expect(await codes(path)).toEqual(['erasures_incomplete']);
    await restore(path, before, settings);
    expect(await erasedAfter(path)).toBe(3);
    expect(await codes(path)).toEqual([]);
  });

test('a list that lost its last end of line has all its people', async () => {
  const { path, before, file } = await erased();
  truncateSync(file, statSync(file).size - 1);
  expect(await codes(path)).toEqual([]);
  await restore(path, before, settings);
  expect(await erasedAfter(path)).toBe(3);
});

test('a list that was removed is made again from the log of a killed desk, from the logs beside a database that is gone, and from a copy', async () => {
  const harms: ((path: string) => void)[] = [
    () => undefined,
    (path) => rmSync(join(path, 'helpdesk.db-wal')),
    (path) => writeFileSync(join(path, 'helpdesk.db'), 'x'.repeat(20_000)),
  ];
  for (const harm of harms) {
    const killed = join(temporaryFolder(), 'killed');
    const { before } = await erased((path) => cpSync(path, killed, { recursive: true }));
    rmSync(join(killed, 'erasures.jsonl'));
    harm(killed);
    await restore(killed, before, settings);
    expect(await erasedAfter(killed)).toBe(3);
  }
  // Back to a moment before them, from a copy into an empty directory.
  const { path, at } = await erased();
  rmSync(join(path, 'erasures.jsonl'));
  const elsewhere = join(temporaryFolder(), 'elsewhere');
  await restore(elsewhere, path, { ...settings, at });
  expect(await erasedAfter(elsewhere)).toBe(3);
});
