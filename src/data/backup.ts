// helpdesk backup: a consistent copy, made beside a running desk and read back (docs/spec/behaviour.md#data-directory).

import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { systemClock, toWire } from '../base/clock.ts';
import { removeInParts } from '../base/large-file.ts';
import { version } from '../base/version.ts';
import { checkDatabase } from '../engine/check-database.ts';
import { openForInspection, type PinnedDatabase, type Store } from '../engine/database.ts';
import { storedFiles } from '../store/integrity.ts';
import { rowsOfEachTable, schemaVersion } from '../store/row-figures.ts';
import {
  type BackupWriter,
  type Description,
  descriptionFile,
  formatVersion,
  publish,
  readBackup,
  sumsFile,
  writeDirectory,
  writeTar,
} from './backup-format.ts';
import type { DataDirectory } from './directory.ts';
import { asBackupError, BackupError } from './errors.ts';
import { noteBackup } from './last-backup.ts';
import { databaseName } from './layout.ts';
import { copyFromHistory } from './reading-copy.ts';
import { copyPinned } from './snapshots.ts';

type OnProgress = (share: number | null, what: string) => void;

async function copyDatabase(directory: DataDirectory, path: string, onProgress: OnProgress): Promise<void> {
  const { store } = directory.desk;
  if (store.archive === null || store.archive.unsupported !== null) {
    store.copyInto(path);
    return;
  }
  onProgress(null, 'database');
  if (await copyFromHistory(directory, path)) return;
  const pinned = pin(store, directory.path);
  try {
    await using file = await open(path, 'wx', 0o600);
    await copyPinned(pinned, file, { onProgress: (share) => onProgress(share * 0.4, 'database') });
  } finally {
    pinned.release();
    store.rest();
  }
}

const consequence = 'the unfinished backup was removed';

/** The pages held for copying are written to the desk's own disk, not to the backup's. */
function pin(store: Store, data: string): PinnedDatabase {
  try {
    return store.pin();
  } catch (error) {
    throw asBackupError(error, data, consequence);
  }
}

/** Reads the desk's own files, so that a read error is not blamed on the backup's disk. */
async function* readFrom(path: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (error) {
    throw asBackupError(error, path, consequence);
  }
}

function targetOf(data: string, destination: string): { path: string; isTar: boolean } {
  const path = resolve(destination);
  const isTar = path.endsWith('.tar.zst');
  if (!isTar && /\.(?:tar|tgz|gz|zip|zst|bz2|xz|db)$/.test(path))
    throw new BackupError(`${basename(path)}: a backup is a directory, or a file whose name ends in .tar.zst.`);
  const inside = relative(data, path);
  if (inside === '' || !inside.startsWith('..'))
    throw new BackupError(`${path} is inside the data directory and would be lost with it. Choose another place.`);
  if (!existsSync(dirname(path))) throw new BackupError(`${dirname(path)} does not exist. Create it first.`);
  if (existsSync(path) && (isTar || !statSync(path).isDirectory() || readdirSync(path).length > 0))
    throw new BackupError(`${path} already exists. Choose another name, or remove it first.`);
  return { path, isTar };
}

async function* oneChunk(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) yield chunk;
}

/** Files that cannot be read are listed in `unsound`. @param destination a new directory or `.tar.zst` file */
export async function createBackup(
  directory: DataDirectory,
  destination: string,
  onProgress: OnProgress = () => undefined,
): Promise<{ path: string; description: Description; unnoted: string | null }> {
  const data = directory.path;
  const { path, isTar } = targetOf(data, destination);
  const partial = `${path}.partial`;
  // In a directory it is made in its place, so that a large database is written once.
  const database = isTar ? `${path}.partial.db` : join(partial, databaseName);
  const clear = async () => {
    for (const left of [database, `${database}-wal`, `${database}-shm`]) await removeInParts(left);
    if (existsSync(partial)) await rm(partial, { recursive: true, force: true });
  };
  let writer: BackupWriter | null = null;
  try {
    await clear();
    if (!isTar) await mkdir(partial, { mode: 0o700 });
    await copyDatabase(directory, database, onProgress);
    onProgress(0.4, 'checking');
    const fault = checkDatabase(database);
    if (fault !== null) throw new BackupError(`The desk's own database is damaged: ${fault}. Run \`helpdesk doctor\`.`);
    writer = isTar ? writeTar(partial) : writeDirectory(partial);
    const description = await fill(directory, database, writer, onProgress);
    await writer.finish();
    writer = null;
    await verify(partial, description, onProgress);
    if (!isTar) await rm(path, { recursive: true, force: true });
    await publish(partial, path);
    return { path, description, unnoted: note(data, path, description) };
  } catch (error) {
    await writer?.abandon();
    throw asBackupError(error, path, consequence);
  } finally {
    await clear();
  }
}

/** If only the date cannot be saved, the backup itself is still good. */
function note(data: string, path: string, description: Description): string | null {
  try {
    noteBackup(data, { at: Date.parse(description.created_at), path, bytes: description.bytes });
    return null;
  } catch (error) {
    const told = asBackupError(error, data, 'the backup is complete, but its date could not be saved');
    return told instanceof Error ? told.message : String(told);
  }
}

async function fill(
  { path: data, blobs, mailBlobs }: DataDirectory,
  database: string,
  writer: BackupWriter,
  onProgress: OnProgress,
): Promise<Description> {
  const sums: string[] = [];
  const unsound: string[] = [];
  let bytes = 0;
  const noted = (path: string, size: number, sum: string) => {
    sums.push(`${sum}  ${path}\n`);
    bytes += size;
    return sum;
  };
  const add = async (path: string, size: number, source: AsyncIterable<Uint8Array>) => {
    return noted(path, size, await writer.add({ path, size, bytes: source }));
  };
  const addFile = (path: string, from: string) =>
    add(path, statSync(from).size, readFrom(from, createReadStream(from, { highWaterMark: 1 << 20 })));
  if (writer.take === null) await addFile(databaseName, database);
  else noted(databaseName, statSync(database).size, await writer.take(databaseName));
  const tx = openForInspection(database);
  try {
    const rows = rowsOfEachTable(tx);
    const total = Math.max(1, (rows.attachments ?? 0) + (rows.inbound_mail ?? 0));
    let done = 0;
    for (const [table, folder, store] of [
      ['attachments', 'attachments', blobs],
      ['inbound_mail', 'mail/inbound', mailBlobs],
    ] as const) {
      for (let after = 0; ; ) {
        const files = storedFiles(tx, table, after, 200);
        for (const { ulid, sha256 } of files) {
          const path = `${folder}/${ulid.slice(-2)}/${ulid}`;
          const size = await store.size(ulid);
          if (size === null) unsound.push(`${path} is missing`);
          else {
            const stored = size === 0 ? oneChunk('') : chunksOf(store.read(ulid, 0, size - 1));
            const sum = await add(path, size, readFrom(join(data, path), stored));
            if (sha256 !== null && sum !== sha256) unsound.push(`${path} has changed since it was stored`);
          }
          done += 1;
          onProgress(0.4 + (0.4 * done) / total, 'files');
        }
        const last = files.at(-1);
        if (last === undefined) break;
        after = last.id;
      }
    }
    const mail = join(data, 'mail');
    if (existsSync(mail)) {
      for (const entry of readdirSync(mail, { withFileTypes: true }))
        if (entry.isFile() && entry.name.endsWith('.eml')) await addFile(`mail/${entry.name}`, join(mail, entry.name));
    }
    // Tombstones are copied last, so that people erased during the backup stay erased after a restore.
    for (const name of ['secret.key', 'erasures.jsonl'])
      if (existsSync(join(data, name))) await addFile(name, join(data, name));
    const text = sums.join('');
    await writer.add({ path: sumsFile, size: Buffer.byteLength(text), bytes: oneChunk(text) });
    const description: Description = {
      format: formatVersion,
      version,
      created_at: toWire(systemClock.now()),
      schema: schemaVersion(tx),
      rows,
      files: sums.length,
      bytes,
      sums: createHash('sha256').update(text).digest('hex'),
      unsound,
    };
    const json = `${JSON.stringify(description, null, 2)}\n`;
    await writer.add({ path: descriptionFile, size: Buffer.byteLength(json), bytes: oneChunk(json) });
    return description;
  } finally {
    tx.close();
    for (const end of ['-wal', '-shm']) rmSync(`${database}${end}`, { force: true });
  }
}

async function verify(path: string, made: Description, onProgress: OnProgress): Promise<void> {
  const found = new Map<string, string>();
  let sums = '';
  let bytes = 0;
  for await (const entry of readBackup(path)) {
    const hash = createHash('sha256');
    const parts: Uint8Array[] = [];
    for await (const chunk of entry.bytes) {
      hash.update(chunk);
      if (entry.path === sumsFile) parts.push(chunk);
      bytes += chunk.length;
      onProgress(0.8 + (0.2 * bytes) / Math.max(1, made.bytes), 'reading it back');
    }
    found.set(entry.path, hash.digest('hex'));
    if (entry.path === sumsFile) sums = Buffer.concat(parts).toString();
  }
  const isSame =
    found.get(sumsFile) === made.sums &&
    sums
      .trimEnd()
      .split('\n')
      .every((line) => found.get(line.slice(66)) === line.slice(0, 64)) &&
    found.size === made.files + 2;
  if (!isSame)
    throw new BackupError(
      'The backup reads back differently than it was written: the disk or the memory of this machine is failing.',
    );
}
