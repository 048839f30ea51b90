// Checks files against their rows: sizes, hashes, and files without a row.

import { createReadStream, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sha256OfStream } from '../../base/crypto.ts';
import { DeskError } from '../../domain/errors.ts';
import type { Tx } from '../../engine/database.ts';
import { type Blobs, createLocalBlobs, orphanAgeMs } from '../../files/blobs.ts';
import { storedFiles } from '../../store/integrity.ts';
import { knownInboundMail, unfiledAmong } from '../../store/mail/inbound.ts';
import { knownAttachments } from '../../store/tickets/messages.ts';
import type { PlacesOfDesk } from '../own-bucket.ts';
import type { Findings } from './findings.ts';

const rowsAtATime = 200;

interface Stored {
  size: number | null;
  bytes: () => AsyncIterable<Uint8Array>;
}

/** On the disk, or else in the first of the buckets that has it. */
async function stored(file: string, buckets: readonly Blobs[], ulid: string): Promise<Stored> {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found !== undefined) return { size: found.size, bytes: () => createReadStream(file) };
  for (const bucket of buckets) {
    const size = await bucket.size(ulid);
    if (size !== null) return { size, bytes: () => bucket.read(ulid, 0, size - 1) };
  }
  return { size: null, bytes: () => new Blob([]).stream() };
}

const kinds = {
  attachments: { folder: 'attachments', known: knownAttachments },
  inbound_mail: { folder: join('mail', 'inbound'), known: knownInboundMail },
} as const;

/** Opens the desk's own database only for a moment: hashing files takes long, and the log cannot end while it is open. */
export type Look = <T>(act: (tx: Tx) => T) => T;

export interface Visited {
  files: number;
  bytes: number;
}

export type Table = keyof typeof kinds;

const withoutRow = (tx: Tx, table: Table, ulids: string[]): string[] => {
  const rows = kinds[table].known(tx, ulids);
  return ulids.filter((ulid) => !rows.has(ulid));
};

/** Adds to `visited`. Returns the files that are not there: their rows may be gone by now as well. */
export async function checkStoredFiles(
  { note }: Findings,
  { look, path, buckets }: { look: Look; path: string; buckets: readonly Blobs[] },
  table: Table,
  visited: Visited,
): Promise<string[]> {
  const { folder } = kinds[table];
  const absent: string[] = [];
  const damaged = table === 'attachments' ? 'attachment_damaged' : 'mail_damaged';
  for (let after = 0; ; ) {
    const rows = look((tx) => storedFiles(tx, table, after, rowsAtATime));
    for (const { ulid, size, sha256 } of rows) {
      try {
        const found = await stored(join(path, folder, ulid.slice(-2), ulid), buckets, ulid);
        if (found.size === null) {
          absent.push(ulid);
          continue;
        }
        visited.files += 1;
        visited.bytes += found.size;
        if (found.size !== size) note(damaged, `${ulid}: ${found.size} bytes instead of ${size}`);
        else if (sha256 !== null && (await sha256OfStream(found.bytes())) !== sha256)
          note(damaged, `${ulid}: other bytes`);
      } catch (error) {
        if (!(error instanceof DeskError)) {
          absent.push(ulid);
          continue;
        }
        // If it was not just removed, the store failed, and the next request would fail as well.
        const sizes = await Promise.all(buckets.map((bucket) => bucket.size(ulid).catch(() => 0)));
        if (sizes.every((one) => one === null)) {
          absent.push(ulid);
          continue;
        }
        note('store_unreachable', `${table === 'attachments' ? 'attachment' : 'mail'} ${ulid}`);
        return absent;
      }
    }
    const last = rows.at(-1);
    if (!last || rows.length < rowsAtATime) return absent;
    after = last.id;
  }
}

/** @param look at the rows as they are now; null if that is not possible */
export function noteAbsent(
  { note }: Findings,
  look: Look | null,
  table: Table,
  absent: string[],
  isElsewhere: boolean,
): void {
  for (let at = 0; at < absent.length; at += rowsAtATime) {
    const some = absent.slice(at, at + rowsAtATime);
    const gone = new Set(look?.((tx) => withoutRow(tx, table, some)));
    const unfiled = table === 'attachments' ? null : look?.((tx) => unfiledAmong(tx, some));
    const missing = (ulid: string) => {
      if (table === 'attachments') return 'attachment_missing';
      // What cannot be looked up is taken for the worse.
      return (unfiled?.has(ulid) ?? true) ? 'mail_lost' : 'mail_missing';
    };
    for (const ulid of some) if (!gone.has(ulid)) note(isElsewhere ? 'file_elsewhere' : missing(ulid), ulid);
  }
}

export async function checkBucketOrphans(
  { note, fixes }: Findings,
  look: Look,
  places: PlacesOfDesk,
  now: number,
): Promise<void> {
  const isFixing = fixes('file_orphaned');
  for (const [table, { own }] of [
    ['attachments', places.attachments],
    ['inbound_mail', places.mail],
  ] as const) {
    const known = (ulids: string[]) => look((tx) => kinds[table].known(tx, ulids));
    try {
      for (const blobs of own)
        for await (const ulid of blobs.forgotten(now, known)) {
          if (isFixing) await blobs.remove(ulid);
          note('file_orphaned', `${kinds[table].folder}/${ulid.slice(-2)}/${ulid} in the bucket`, {
            isFixed: isFixing,
          });
        }
    } catch (error) {
      if (!(error instanceof DeskError)) throw error;
      note('store_unreachable', `the list of ${kinds[table].folder}`);
      return;
    }
  }
}

export async function checkOrphans({ note, fixes }: Findings, look: Look, path: string, now: number): Promise<void> {
  const isFixing = fixes('file_orphaned');
  for (const { folder, known } of Object.values(kinds)) {
    const root = join(path, folder);
    if (!existsSync(root)) continue;
    const orphans: string[] = [];
    for (const inner of readdirSync(root, { withFileTypes: true })) {
      if (!inner.isDirectory()) continue;
      const names = readdirSync(join(root, inner.name));
      const rows = inner.name === 'staging' ? new Set<string>() : look((tx) => known(tx, names));
      for (const name of names) {
        const found = statSync(join(root, inner.name, name), { throwIfNoEntry: false });
        if (!rows.has(name) && found && found.mtimeMs < now - orphanAgeMs) orphans.push(join(folder, inner.name, name));
      }
    }
    if (isFixing && orphans.length > 0)
      await createLocalBlobs(root).sweep(now, (ulids) => look((tx) => known(tx, ulids)));
    for (const orphan of orphans)
      note('file_orphaned', orphan, { isFixed: isFixing && !existsSync(join(path, orphan)) });
  }
}
