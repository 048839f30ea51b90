// Directories, pipes and files in the place of what a desk keeps: named in words, with what to do, and nothing is changed.

import { beforeAll, describe, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrations } from '../../migrations/index.ts';
import { openDataDirectory } from '../../src/data/directory.ts';
import { examine } from '../../src/data/doctor/examine.ts';
import { restore } from '../../src/data/restore.ts';
import { takeSnapshot } from '../../src/data/snapshots.ts';
import { temporaryFolder } from '../support/folders.ts';
import { roomyDisk } from '../support/roomy-disk.ts';
import { busyDesk, configFor } from './copying.ts';

const whole = join(temporaryFolder(), 'whole');

beforeAll(async () => {
  const { data, open } = await busyDesk(join(temporaryFolder(), 'data'));
  await open('a ticket');
  await takeSnapshot(data.desk.store, join(data.path, 'backups'), 1);
  writeFileSync(join(data.path, 'erasures.jsonl'), '');
  writeFileSync(join(data.path, 'address.txt'), 'https://desk.example\n');
  cpSync(data.path, whole, { recursive: true, preserveTimestamps: true });
  await data.close();
});

const settings = { isForced: false, hasKey: false, newestSchema: migrations.at(-1)?.version ?? 0 };

const made = {
  directory: (path: string) => mkdirSync(path),
  pipe: (path: string) => execFileSync('mkfifo', [path]),
  file: (path: string) => writeFileSync(path, 'x'),
};
type Made = keyof typeof made;

/** A copy of the whole one with something else in that place. */
function spoiled(name: string, kind: Made): { path: string; place: string } {
  const path = join(temporaryFolder(), 'data');
  cpSync(whole, path, { recursive: true, preserveTimestamps: true });
  const place = join(path, name);
  rmSync(place, { recursive: true, force: true });
  made[kind](place);
  return { path, place };
}

const names = () => [
  ...['helpdesk.db', 'helpdesk.db-wal', 'secret.key', 'erasures.jsonl', 'address.txt', 'last-commit.txt'],
  ...['wal/origin.txt', 'wal/00000001.new.wal'],
  join('backups', readdirSync(join(whole, 'backups')).find((name) => name.startsWith('snapshot-')) ?? ''),
];
const folders = ['attachments', 'mail', 'backups', 'wal'];
const all = (): [string, Made, string][] => [
  ...names().flatMap((name): [string, Made, string][] => [
    [name, 'directory', 'is a directory, where the desk keeps a file'],
    [name, 'pipe', 'is a pipe, where the desk keeps a file'],
  ]),
  ...folders.flatMap((name): [string, Made, string][] => [
    [name, 'file', 'is a file, where the desk keeps a directory'],
    [name, 'pipe', 'is a pipe, where the desk keeps a directory'],
  ]),
];

describe('in the place of a file or directory of the desk', () => {
  test('anything else is named, with what to do, by a start, a restore and the doctor', async () => {
    for (const [name, kind, said] of all()) {
      const { path, place } = spoiled(name, kind);
      const before = readdirSync(path).sort();
      const sentence = new RegExp(`^${place} ${said}\\. Move it elsewhere,? and `);
      expect(() => openDataDirectory(configFor(path)), name).toThrow(sentence);
      await expect(restore(path, whole, { ...settings, isForced: true }), name).rejects.toThrow(`${place} ${said}`);
      const into = join(temporaryFolder(), 'into');
      await expect(restore(into, path, settings), name).rejects.toThrow(`${place} ${said}`);
      const examined = await examine({
        path,
        config: configFor(path),
        configFault: null,
        isFixing: true,
        ...roomyDisk,
      });
      expect(examined.isSound).toBe(false);
      expect(examined.findings.find(({ code }) => code === 'file_misplaced')?.examples.join(), name).toContain(place);
      expect(readdirSync(path).sort()).toEqual(before);
    }
  });

  test('a link to what the desk keeps is no fault', async () => {
    const path = join(temporaryFolder(), 'data');
    cpSync(whole, path, { recursive: true, preserveTimestamps: true });
    const elsewhere = join(temporaryFolder(), 'attachments');
    renameSync(join(path, 'attachments'), elsewhere);
    symlinkSync(elsewhere, join(path, 'attachments'));
    const data = openDataDirectory(configFor(path));
    await data.close();
  });
});
