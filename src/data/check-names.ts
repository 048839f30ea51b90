// Checks that each name in the data directory is a readable file or directory, and explains what else it found.

import { accessSync, constants, readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { lastCommitName } from '../engine/wal/last-commit.ts';
import { DataDirectoryError } from './errors.ts';
import { addressName, databaseName, erasuresName, keyName } from './layout.ts';

type Kind = 'file' | 'directory';

/** What a backup has too, and what the desk makes again when it is missing. */
const kept: Record<string, Kind> = {
  [databaseName]: 'file',
  [keyName]: 'file',
  [erasuresName]: 'file',
  attachments: 'directory',
  mail: 'directory',
  'mail/inbound': 'directory',
};
const made: Record<string, Kind> = {
  [`${databaseName}-wal`]: 'file',
  [`${databaseName}-shm`]: 'file',
  [lastCommitName]: 'file',
  [addressName]: 'file',
  'attachments/staging': 'directory',
  'mail/inbound/staging': 'directory',
  backups: 'directory',
  wal: 'directory',
};
/** Their names have numbers and times. */
const madeIn: Record<string, RegExp> = { wal: /^/, backups: /^\.?(snapshot|last)-/ };

function found(path: string): Stats | string | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function whatIs(stats: Stats): string {
  if (stats.isFile()) return 'a file';
  if (stats.isDirectory()) return 'a directory';
  return stats.isFIFO() ? 'a pipe' : 'neither a file nor a directory';
}

/** A sentence, without opening it: a pipe would wait for its other end. Null if it is missing, too. */
function faultOf(path: string, kind: Kind, remedy: string): string | null {
  const stats = found(path);
  if (stats === undefined) return null;
  if (typeof stats === 'string') return `${path} cannot be read: ${stats}.`;
  if (whatIs(stats) !== `a ${kind}`) return `${path} is ${whatIs(stats)}, where the desk keeps a ${kind}. ${remedy}`;
  try {
    accessSync(path, kind === 'file' ? constants.R_OK : constants.R_OK | constants.X_OK);
    return null;
  } catch {
    return `${path} cannot be read by this user. Run this as the user that the desk runs as, or check who owns it.`;
  }
}

/** Of a data directory, a copy or a backup. */
export function ownFileFaults(data: string): string[] {
  const faults = (kinds: Record<string, Kind>, remedy: string) =>
    Object.entries(kinds).flatMap(([name, kind]) => faultOf(join(data, name), kind, remedy) ?? []);
  const again = 'Move it elsewhere and try again; the desk makes what it needs.';
  const outer = [
    ...faults(kept, 'Move it elsewhere, and put back what a backup or a copy of this desk has there.'),
    ...faults(made, again),
  ];
  if (outer.length > 0) return outer;
  return Object.entries(madeIn).flatMap(([folder, pattern]) => {
    if (found(join(data, folder)) === undefined) return [];
    const names = readdirSync(join(data, folder)).filter((name) => pattern.test(name));
    return names.flatMap((name) => faultOf(join(data, folder, name), 'file', again) ?? []);
  });
}

export function requireOwnFiles(data: string): void {
  const [first] = ownFileFaults(data);
  if (first !== undefined) throw new DataDirectoryError(first);
}
