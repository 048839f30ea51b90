// What a backup looks like: a directory, or the same files in a .tar.zst (docs/backups.md, Backups).

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { extract, pack } from 'tar-stream';
import * as z from 'zod';
import { syncInParts, writeAll } from '../base/large-file.ts';
import { syncFolder } from '../base/sync-folder.ts';
import { ulidShape } from '../domain/ulid.ts';
import { BackupError } from './errors.ts';

export const formatVersion = 1;

const chunkBytes = 1 << 20;

export const description = z.object({
  format: z.number().int(),
  version: z.string(),
  created_at: z.iso.datetime(),
  schema: z.number().int(),
  rows: z.record(z.string(), z.number().int()),
  files: z.number().int(),
  bytes: z.number().int(),
  sums: z.string().regex(/^[0-9a-f]{64}$/),
  unsound: z.array(z.string()),
});
export type Description = z.infer<typeof description>;

export const descriptionFile = 'backup.json';
export const sumsFile = 'SHA256SUMS';

const allowed = [
  /^(?:backup\.json|SHA256SUMS|helpdesk\.db|secret\.key|erasures\.jsonl)$/,
  new RegExp(`^attachments/[0-9A-Z]{2}/${ulidShape}$`),
  new RegExp(`^mail/inbound/[0-9A-Z]{2}/${ulidShape}$`),
  /^mail\/[A-Za-z0-9][A-Za-z0-9._-]{0,200}$/,
];

export function isBackupPath(path: string): boolean {
  return allowed.some((pattern) => pattern.test(path));
}

interface Entry {
  path: string;
  size: number;
  bytes: AsyncIterable<Uint8Array>;
}

export interface BackupWriter {
  add(entry: Entry): Promise<string>;
  /** As `add`, for a file that was made in its place; null where files have none. */
  take: ((name: string) => Promise<string>) | null;
  finish(): Promise<void>;
  abandon(): Promise<void>;
}

async function* counted(entry: Entry, hash: { update(bytes: Uint8Array): unknown }): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of entry.bytes) {
    size += chunk.length;
    if (size > entry.size) break;
    hash.update(chunk);
    yield chunk;
  }
  if (size !== entry.size) throw new BackupError(`${entry.path} is not ${entry.size} bytes long.`);
}

async function writeSynced(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await using file = await open(path, 'wx', 0o600);
  const sync = syncInParts(file);
  let at = 0;
  for await (const chunk of bytes) {
    await writeAll(file, chunk, at);
    at += chunk.length;
    await sync(chunk.length);
  }
  await file.sync();
}

async function syncFolders(path: string): Promise<void> {
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isDirectory()) await syncFolders(join(path, entry.name));
  }
  await syncFolder(path);
}

/** The directory appears under its name only when it is complete. */
export function writeDirectory(path: string): BackupWriter {
  return {
    async add(entry) {
      const hash = createHash('sha256');
      await writeSynced(join(path, entry.path), counted(entry, hash));
      return hash.digest('hex');
    },
    async take(name) {
      await using file = await open(join(path, name), 'r+');
      const hash = createHash('sha256');
      await file.sync();
      for await (const chunk of file.createReadStream({ highWaterMark: chunkBytes, autoClose: false }))
        hash.update(chunk);
      return hash.digest('hex');
    },
    finish: () => syncFolders(path),
    abandon: () => Promise.resolve(),
  };
}

export function writeTar(path: string): BackupWriter {
  const tar = pack();
  const compress = createZstdCompress({
    chunkSize: chunkBytes,
    params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
  });
  const written = pipeline(Readable.from(tar), compress, (bytes) => writeSynced(path, bytes));
  // Reported by the next `add`; nothing waits for it before the end.
  let fault: unknown;
  written.catch((error) => {
    fault = error;
  });
  return {
    async add(entry) {
      const hash = createHash('sha256');
      const header = { name: entry.path, size: entry.size, mode: 0o600, mtime: new Date(0) };
      await new Promise<void>((resolve, reject) => {
        const into = tar.entry(header, (error) => (error ? reject(error) : resolve()));
        written.catch(reject);
        pipeline(Readable.from(counted(entry, hash)), into).catch(reject);
      });
      if (fault !== undefined) throw fault;
      return hash.digest('hex');
    },
    take: null,
    async finish() {
      tar.finalize();
      await written;
    },
    async abandon() {
      tar.destroy();
      await written.catch(() => undefined);
    },
  };
}

async function* filesUnder(root: string, below = ''): AsyncGenerator<string> {
  for (const entry of await readdir(join(root, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) yield* filesUnder(root, path);
    else if (entry.isFile()) yield path;
    else throw new BackupError(`${join(root, path)} is neither a file nor a directory.`);
  }
}

/** The files of a backup in order; read each one before you ask for the next. */
export async function* readBackup(
  path: string,
  onBytes: (bytes: number) => void = () => undefined,
): AsyncGenerator<Entry> {
  if ((await stat(path)).isDirectory()) {
    for await (const name of filesUnder(path)) {
      const { size } = await stat(join(path, name));
      yield { path: name, size, bytes: createReadStream(join(path, name), { highWaterMark: chunkBytes }) };
      onBytes(size);
    }
    return;
  }
  const source = createReadStream(path, { highWaterMark: chunkBytes });
  source.on('data', (chunk) => onBytes(chunk.length));
  const tar = extract();
  const reading = pipeline(source, createZstdDecompress({ chunkSize: chunkBytes }), tar);
  reading.catch(() => undefined);
  for await (const entry of tar) {
    const { name, size, type } = entry.header;
    if (type !== 'file') throw new BackupError(`It contains ${name}, which is not a plain file.`);
    yield { path: name, size: size ?? 0, bytes: entry as AsyncIterable<Uint8Array> };
    // A file that was not read would block the next one.
    entry.resume();
  }
  await reading;
}

export { writeSynced };

export async function publish(partial: string, path: string): Promise<void> {
  await rename(partial, path);
  await syncFolder(dirname(path));
}
