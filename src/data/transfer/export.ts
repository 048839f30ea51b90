// Exports a site: all rows of one moment, written to a file first because readers can be slow, then each file.

import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { randomSecret } from '../../base/crypto.ts';
import { newUlid } from '../../base/ids.ts';
import { version } from '../../base/version.ts';
import type { Desk } from '../../desk/desk.ts';
import { exportRows, type FileToSend, siteToExport } from '../../desk/transfer/export-site.ts';
import { maxChunkBytes } from '../../domain/input/transfer.ts';
import { transferVersion } from '../../domain/transfer/transfer.ts';
import type { Blobs } from '../../files/blobs.ts';
import { createRelief } from './garbage-relief.ts';
import { createTally, linesOf } from './lines.ts';

interface ExportOptions {
  desk: Desk;
  blobs: Blobs;
  mailBlobs: Blobs;
  /** The data directory; rows wait there for a slow reader. */
  path: string;
  site: string;
  hasSecrets: boolean;
  write: (bytes: Uint8Array) => Promise<void>;
  onProgress?: (share: number | null, note: string) => void;
}

interface Exported {
  lines: number;
  counts: Record<string, number>;
  bytes: number;
  missing: string[];
}

const flushBytes = 256 * 1024;
const encoder = new TextEncoder();
const lineOf = (value: object) => encoder.encode(`${JSON.stringify(value)}\n`);

/** A file without a name disappears with the process, however it ends. */
function openSpool(path: string) {
  const file = join(path, `.${randomSecret('export')}`);
  const handle = openSync(file, 'wx+', 0o600);
  if (process.platform !== 'win32') rmSync(file);
  let waiting: Uint8Array[] = [];
  let size = 0;
  let length = 0;
  const flush = () => {
    const bytes = Buffer.concat(waiting);
    for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
    waiting = [];
    size = 0;
  };
  return {
    add(bytes: Uint8Array) {
      waiting.push(bytes);
      size += bytes.length;
      length += bytes.length;
      if (size >= flushBytes) flush();
    },
    get length() {
      return length;
    },
    async *chunks(): AsyncGenerator<Uint8Array> {
      flush();
      for (let at = 0; ; ) {
        const chunk = Buffer.alloc(flushBytes);
        const read = readSync(handle, chunk, 0, chunk.length, at);
        if (read === 0) return;
        yield chunk.subarray(0, read);
        at += read;
      }
    },
    close() {
      closeSync(handle);
      rmSync(file, { force: true });
    },
  };
}
type Spool = ReturnType<typeof openSpool>;

async function hashOf(bytes: ReadableStream<Uint8Array>): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of bytes) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { size, sha256: hash.digest('hex') };
}

export async function exportSite(options: ExportOptions): Promise<Exported> {
  const { desk, path, hasSecrets, onProgress = () => undefined } = options;
  const rows = openSpool(path);
  const files = openSpool(path);
  try {
    let toSend = 0;
    const relieve = createRelief();
    desk.read((tx) => {
      const ctx = desk.context({ kind: 'command_line' }, 'export');
      const site = siteToExport(tx, ctx, options.site);
      let seen = 0;
      const head = {
        type: 'helpdesk-export',
        version: transferVersion,
        export: newUlid(ctx.now),
        exported_at: ctx.now,
        helpdesk: version,
        has_secrets: hasSecrets,
      };
      rows.add(lineOf(head));
      const send = (file: FileToSend) => {
        files.add(lineOf(file));
        toSend += file.size;
      };
      for (const row of exportRows(tx, ctx, site, hasSecrets, send)) {
        const line = lineOf(row);
        rows.add(line);
        relieve(line.length);
        seen += 1;
        if (seen % 1000 === 0) onProgress(null, `${seen} rows`);
      }
      return null;
    });
    return await send(options, rows, files, rows.length + toSend);
  } finally {
    rows.close();
    files.close();
  }
}

async function send(
  { blobs, mailBlobs, write, onProgress = () => undefined }: ExportOptions,
  rows: Spool,
  files: Spool,
  expected: number,
): Promise<Exported> {
  const tally = createTally();
  const relieve = createRelief();
  const missing: string[] = [];
  let bytes = 0;
  const put = async (type: string, line: Uint8Array) => {
    tally.note(type, line);
    bytes += line.length;
    await write(line);
    relieve(line.length);
    onProgress(Math.min(1, bytes / Math.max(1, expected)), '');
  };
  for await (const { bytes: line } of linesOf(rows.chunks())) await put(typeOf(line), line);
  for await (const { bytes: line } of linesOf(files.chunks())) {
    const { of, ulid, size, sha256 } = JSON.parse(new TextDecoder().decode(line)) as FileToSend;
    const store = of === 'attachment' ? blobs : mailBlobs;
    const found = (await store.size(ulid)) === size ? await hashOf(store.read(ulid, 0, size - 1)) : null;
    const isSound = found !== null && found.size === size && (sha256 === null || found.sha256 === sha256);
    const known = sha256 ?? found?.sha256 ?? '0'.repeat(64);
    await put('file', lineOf({ type: 'file', of, ulid, size, sha256: known, is_missing: !isSound }));
    if (!isSound) {
      missing.push(ulid);
      continue;
    }
    for await (const chunk of evenly(store.read(ulid, 0, size - 1)))
      await put('bytes', lineOf({ type: 'bytes', data: Buffer.from(chunk).toString('base64') }));
    await put('file_end', lineOf({ type: 'file_end' }));
  }
  const end = tally.end();
  const last = lineOf({ type: 'end', ...end });
  await write(last);
  return { lines: end.lines + 1, counts: end.counts, bytes: bytes + last.length, missing };
}

const typePattern = /^\{"type":"([a-z_-]+)"/;
function typeOf(line: Uint8Array): string {
  return typePattern.exec(new TextDecoder().decode(line.subarray(0, 64)))?.[1] ?? '';
}

async function* evenly(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; ) {
      const part = chunk.subarray(at, at + maxChunkBytes - size);
      waiting.push(part);
      size += part.length;
      at += part.length;
      if (size < maxChunkBytes) continue;
      yield Buffer.concat(waiting);
      waiting = [];
      size = 0;
    }
  }
  if (size > 0) yield Buffer.concat(waiting);
}
