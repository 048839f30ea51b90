// Unpacks what a restore gets: a backup, a copied data directory, a database, or a moment of the past.

import { createHash } from 'node:crypto';
import { cpSync, existsSync, readSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Instant, systemClock } from '../base/clock.ts';
import { openFile } from '../base/open-file.ts';
import { checkDatabase } from '../engine/check-database.ts';
import { openForInspection } from '../engine/database.ts';
import { noteWhole } from '../engine/wal/needed-log.ts';
import { isOfDesk, rowsOfEachTable, schemaVersion } from '../store/row-figures.ts';
import {
  type Description,
  description,
  descriptionFile,
  formatVersion,
  isBackupPath,
  readBackup,
  sumsFile,
  writeSynced,
} from './backup-format.ts';
import { judgeDirectory } from './check-log.ts';
import { originOf, RecoveryError, recoverCopy } from './copied-directory.ts';
import { BackupError } from './errors.ts';
import { history, parts } from './finish-restore.ts';
import { databaseName } from './layout.ts';
import { type RestoredMoment, restoreMoment, type Target } from './restore-moment.ts';

export interface Restored {
  kind: 'backup' | 'database' | 'data directory';
  description: Description | null;
  recovered: string | null;
  moment: RestoredMoment | null;
  replaced: string | null;
}

export type OnProgress = (share: number | null, what: string) => void;

function startsWith(path: string, bytes: readonly number[]): boolean {
  const start = Buffer.alloc(bytes.length);
  using file = openFile(path, 'r');
  return readSync(file.fd, start, 0, start.length, 0) === start.length && start.every((byte, at) => byte === bytes[at]);
}

const zstdMagic = [0x28, 0xb5, 0x2f, 0xfd];

const sqliteMagic = [...Buffer.from('SQLite format 3\0')];

export interface RestoreSettings {
  isForced: boolean;
  hasKey: boolean;
  hasBucket?: boolean;
  newestSchema: number;
  at?: Instant | null;
}

export function unpackMoment(
  source: string,
  fresh: string,
  target: Target,
  data: string,
  settings: RestoreSettings,
  onProgress: OnProgress,
): Omit<Restored, 'replaced'> {
  onProgress(null, 'applying the logs');
  const moment = restoreMoment(source, fresh, target, {
    isInPlace: source === data,
    mayLink: `${source}/`.startsWith(`${data}/`),
    hasBucket: settings.hasBucket ?? false,
  });
  judgeDatabase(join(fresh, databaseName), settings.newestSchema);
  return { kind: 'data directory', description: null, recovered: null, moment };
}

export async function unpack(
  source: string,
  fresh: string,
  settings: { newestSchema: number },
  onProgress: OnProgress,
): Promise<Omit<Restored, 'replaced'>> {
  const isDirectory = statSync(source).isDirectory();
  if (isDirectory && !existsSync(join(source, descriptionFile))) {
    if (!existsSync(join(source, databaseName)))
      throw new BackupError(`${source} is neither a backup nor a data directory of a helpdesk.`);
    const { fault, kind } = judgeDirectory(source, true);
    const isUnproven = kind === 'unproven' && originOf(source) === 'unknown';
    if (fault !== null && !isUnproven && originOf(source) === 'unknown')
      throw new BackupError(`${source}: ${fault} Nothing was changed.`);
    onProgress(null, 'copying');
    for (const name of [...parts, ...history, 'backups'])
      if (existsSync(join(source, name))) cpSync(join(source, name), join(fresh, name), { recursive: true });
    const recovered = recoverAt(source, fresh);
    // Its snapshots and logs have been applied, and belong to another history; without them, checking it takes its last log in.
    const last = recovered === null ? `${databaseName}-wal` : null;
    for (const name of [...history, 'backups'])
      if (name !== last) rmSync(join(fresh, name), { recursive: true, force: true });
    judgeDatabase(join(fresh, databaseName), settings.newestSchema);
    const read = isUnproven ? 'Nothing says whether its log was whole: the newest changes may be missing.' : null;
    return { kind: 'data directory', description: null, recovered: recovered ?? read, moment: null };
  }
  if (!isDirectory && startsWith(source, sqliteMagic)) {
    onProgress(null, 'copying');
    cpSync(source, join(fresh, databaseName));
    judgeDatabase(join(fresh, databaseName), settings.newestSchema);
    return { kind: 'database', description: null, recovered: null, moment: null };
  }
  if (!isDirectory && !startsWith(source, zstdMagic)) throw new BackupError(`${source} is not a backup of a helpdesk.`);
  const found = await unpackBackup(source, isDirectory, fresh, settings.newestSchema, onProgress);
  return { kind: 'backup', description: found, recovered: null, moment: null };
}

/** Completes the copy of a directory; what it says against that is about the directory. */
function recoverAt(source: string, fresh: string): string | null {
  try {
    return recoverCopy(fresh, systemClock.now(), source);
  } catch (error) {
    if (!(error instanceof RecoveryError)) throw error;
    throw new BackupError(error.message.replaceAll(fresh, source));
  }
}

async function unpackBackup(
  source: string,
  isDirectory: boolean,
  fresh: string,
  newestSchema: number,
  onProgress: OnProgress,
): Promise<Description> {
  const found = new Map<string, string>();
  const texts = new Map<string, string>();
  const total = isDirectory ? null : statSync(source).size;
  let read = 0;
  try {
    for await (const entry of readBackup(source, (bytes) => {
      read += bytes;
      onProgress(total === null ? null : (0.9 * read) / total, 'unpacking');
    })) {
      if (!isBackupPath(entry.path) || found.has(entry.path))
        throw new BackupError(
          `It contains ${JSON.stringify(entry.path)}, which is not part of a backup. Nothing was changed.`,
        );
      const hash = createHash('sha256');
      const kept: Uint8Array[] = [];
      const isText = entry.path === descriptionFile || entry.path === sumsFile;
      const hashed = async function* () {
        for await (const chunk of entry.bytes) {
          hash.update(chunk);
          if (isText) kept.push(chunk);
          yield chunk;
        }
      };
      if (isText) for await (const _ of hashed());
      else await writeSynced(join(fresh, entry.path), hashed());
      found.set(entry.path, hash.digest('hex'));
      if (isText) texts.set(entry.path, Buffer.concat(kept).toString());
    }
  } catch (error) {
    if (error instanceof BackupError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM'].includes(code)) throw error;
    throw new BackupError(
      `${basename(source)} is damaged or incomplete (${error instanceof Error ? error.message : String(error)}). Nothing was changed.`,
    );
  }
  const described = description.safeParse(parse(texts.get(descriptionFile)));
  if (!described.success)
    throw new BackupError(
      `${basename(source)} is not a complete backup of a helpdesk: its ${descriptionFile} is missing or damaged. Nothing was changed.`,
    );
  const { format, sums, files } = described.data;
  if (format > formatVersion)
    throw new BackupError(`It was made by a newer helpdesk (format ${format}). Restore it with that version.`);
  const lines = (texts.get(sumsFile) ?? '').trimEnd().split('\n');
  const wrong =
    found.get(sumsFile) !== sums
      ? sumsFile
      : lines.map((line) => line.slice(66)).find((path, at) => found.get(path) !== lines[at]?.slice(0, 64));
  if (wrong !== undefined || found.size !== files + 2)
    throw new BackupError(
      `${basename(source)} is damaged: ${wrong ?? 'a file'} is not as it was backed up. Nothing was changed.`,
    );
  onProgress(0.95, 'checking');
  judgeDatabase(join(fresh, databaseName), newestSchema, described.data);
  return described.data;
}

function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
}

/** Refuses a database that a restore must not put in place. */
function judgeDatabase(path: string, newestSchema: number, expected: Description | null = null): void {
  const fault = checkDatabase(path);
  if (fault !== null) throw new BackupError(`Its database is damaged: ${fault}. Nothing was changed.`);
  const tx = openForInspection(path);
  try {
    const schema = isOfDesk(tx) ? schemaVersion(tx) : 0;
    if (schema === 0) throw new BackupError('Its database does not belong to a helpdesk. Nothing was changed.');
    if (schema > newestSchema)
      throw new BackupError(
        `It has schema ${schema}, but this executable only knows schemas up to ${newestSchema}. Restore it with the newer helpdesk that made it.`,
      );
    if (expected === null) return;
    const rows = rowsOfEachTable(tx);
    const wrong = Object.keys(expected.rows).find((name) => rows[name] !== expected.rows[name]);
    if (schema !== expected.schema || wrong !== undefined)
      throw new BackupError(`Its database does not match its description (${wrong ?? 'schema'}). Nothing was changed.`);
  } finally {
    tx.close();
    for (const end of ['-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
    noteWhole(path);
  }
}
