// Distinguishes the torn end of a write-ahead log, which a power cut leaves, from damage to committed transactions.

import { fstatSync, readSync } from 'node:fs';
import { openFile } from '../../base/open-file.ts';
import {
  checksummer,
  emptySum,
  frameHeaderBytes,
  isSumAt,
  readWalHeader,
  type WalHeader,
  walHeaderBytes,
} from './format.ts';

export interface Damage {
  /** From 1; 0 is the header of the log. */
  frame: number;
  /** Complete transactions after it, which are lost too. */
  commitsAfter: number;
}

interface ScannedLog {
  salts: string;
  frames: number;
  commits: number;
  databasePages: number;
  pageSize: number;
  damage: Damage | null;
}

const atOnceBytes = 1 << 20;

function headerOf(file: number): { start: Uint8Array; header: WalHeader | null } {
  const start = new Uint8Array(walHeaderBytes);
  const length = readSync(file, start, 0, walHeaderBytes, 0);
  return { start, header: length === walHeaderBytes ? readWalHeader(start) : null };
}

// Of files that a desk has made (handles.ts).
const pageSizes = [2048, 4096];

function saltsOfFrame(file: number, at: number): string {
  const frame = Buffer.alloc(frameHeaderBytes);
  readSync(file, frame, 0, frameHeaderBytes, at);
  return frame.toString('hex', 8, 16);
}

/** The frames have the same salts, so the second one tells how long the first is. */
function guessedHeader(file: number, start: Uint8Array): WalHeader {
  const salts = saltsOfFrame(file, walHeaderBytes);
  const isSize = (size: number) => saltsOfFrame(file, walHeaderBytes + frameHeaderBytes + size) === salts;
  return {
    pageSize: pageSizes.find(isSize) ?? 4096,
    sequence: 0,
    salts,
    isBigEndian: start[3] === 0x83,
    checksum: emptySum(),
  };
}

/** @param isEnded whether a later log follows, so that no transaction of this one was unfinished */
export function scanLog(
  path: string,
  isEnded: boolean,
  onCommitted: (page: number) => void = () => undefined,
): ScannedLog | null {
  using file = openFile(path, 'r');
  const { size } = fstatSync(file.fd);
  if (size <= walHeaderBytes) return null;
  const { start, header: read } = headerOf(file.fd);
  const startsWell = read !== null;
  const header = read ?? guessedHeader(file.fd, start);
  const frameBytes = frameHeaderBytes + header.pageSize;
  const total = Math.floor((size - walHeaderBytes) / frameBytes);
  const atOnce = Math.max(1, Math.floor(atOnceBytes / frameBytes));
  const buffer = new Uint8Array(atOnce * frameBytes);
  const view = new DataView(buffer.buffer);
  const add = checksummer(buffer, header.isBigEndian);
  const salts = [Number.parseInt(header.salts.slice(0, 8), 16), Number.parseInt(header.salts.slice(8), 16)];
  const found: ScannedLog = {
    salts: header.salts,
    frames: 0,
    commits: 0,
    databasePages: 0,
    pageSize: header.pageSize,
    damage: null,
  };
  const sum = header.checksum.slice();
  let broken: number | null = startsWell ? null : 0;
  // After the broken frame: complete transactions, and frames since the start of the next.
  let commitsAfter = 0;
  let hasGoneOn = false;
  const pages: number[] = [];
  for (let index = 0; index < total; index += 1) {
    const at = (index % atOnce) * frameBytes;
    if (at === 0)
      readSync(file.fd, buffer, 0, Math.min(atOnce, total - index) * frameBytes, walHeaderBytes + index * frameBytes);
    const hasSalts = view.getUint32(at + 8) === salts[0] && view.getUint32(at + 12) === salts[1];
    add(at, at + 8, sum);
    add(at + frameHeaderBytes, at + frameBytes, sum);
    const page = view.getUint32(at);
    const isWhole = hasSalts && page !== 0 && isSumAt(view, at + 16, sum);
    const pagesAfterCommit = view.getUint32(at + 4);
    if (!isWhole) {
      sum[0] = view.getInt32(at + 16);
      sum[1] = view.getInt32(at + 20);
    }
    if (broken !== null) {
      // Left over from another log.
      if (!hasSalts) continue;
      if (isWhole && commitsAfter > 0) hasGoneOn = true;
      // The broken frame may itself end its transaction.
      if (pagesAfterCommit !== 0 && (isWhole || index + 1 === broken)) commitsAfter += 1;
      continue;
    }
    if (!isWhole) {
      broken = index + 1;
      if (hasSalts && pagesAfterCommit !== 0) commitsAfter = 1;
      continue;
    }
    pages.push(page);
    if (pagesAfterCommit === 0) continue;
    for (const one of pages.splice(0)) onCommitted(one);
    found.frames = index + 1;
    found.commits += 1;
    found.databasePages = pagesAfterCommit;
  }
  // Each transaction is synced before the next begins, so only the last of a log that has not ended can be torn.
  const isDamaged =
    broken !== null && (hasGoneOn || (isEnded && commitsAfter > 0) || (broken === 0 && commitsAfter > 0));
  if (isDamaged && broken !== null) found.damage = { frame: broken, commitsAfter };
  return found;
}
