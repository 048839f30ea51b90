// The format of SQLite's write-ahead log, as far as copying and replaying it needs (sqlite.org/fileformat2.html, section 4).

export const walHeaderBytes = 32;
export const frameHeaderBytes = 24;
const magic = 0x377f0682;

interface WalHeader {
  pageSize: number;
  /** How often the file was begun anew in its place. */
  sequence: number;
  /** Both salts, 16 hexadecimal digits: they change whenever the log begins anew. */
  salts: string;
  isBigEndian: boolean;
  checksum: [number, number];
}

/** SQLite's checksum over words of 32 bits, carried on from frame to frame. */
function checksum(
  bytes: DataView,
  from: number,
  to: number,
  isBigEndian: boolean,
  sum: [number, number],
): [number, number] {
  let [a, b] = sum;
  for (let at = from; at < to; at += 8) {
    a = (a + bytes.getUint32(at, !isBigEndian) + b) >>> 0;
    b = (b + bytes.getUint32(at + 4, !isBigEndian) + a) >>> 0;
  }
  return [a, b];
}

/** Reads the first 32 bytes of a log; null when they are none. */
export function readWalHeader(bytes: Uint8Array): WalHeader | null {
  if (bytes.length < walHeaderBytes) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, walHeaderBytes);
  const first = view.getUint32(0);
  if (first >>> 1 !== magic >>> 1) return null;
  const isBigEndian = (first & 1) === 1;
  const sum = checksum(view, 0, 24, isBigEndian, [0, 0]);
  if (sum[0] !== view.getUint32(24) || sum[1] !== view.getUint32(28)) return null;
  return {
    pageSize: view.getUint32(8),
    sequence: view.getUint32(12),
    salts: Buffer.from(bytes.subarray(16, 24)).toString('hex'),
    isBigEndian,
    checksum: sum,
  };
}

interface Frame {
  /** From 1. */
  page: number;
  /** The pages of the database after the commit that this frame ends; 0 when it ends none. */
  pagesAfterCommit: number;
}

/** Judges one frame after the other: a frame whose salts or checksum do not fit was never committed, or is damaged. */
export function frameReader(header: WalHeader): (frame: Uint8Array) => Frame | null {
  let sum = header.checksum;
  return (frame) => {
    const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
    if (Buffer.from(frame.buffer, frame.byteOffset + 8, 8).toString('hex') !== header.salts) return null;
    const next = checksum(view, 0, 8, header.isBigEndian, sum);
    const whole = checksum(view, frameHeaderBytes, frame.byteLength, header.isBigEndian, next);
    if (whole[0] !== view.getUint32(16) || whole[1] !== view.getUint32(20)) return null;
    sum = whole;
    const page = view.getUint32(0);
    return page === 0 ? null : { page, pagesAfterCommit: view.getUint32(4) };
  };
}

/** The shared index beside the log, which tells what is committed. */
export interface WalIndex {
  /** Committed frames in the log. */
  frames: number;
  /** Of these, the ones that the database file has already. */
  backfilled: number;
  pageSize: number;
  /** Pages of the database, the log's included. */
  pages: number;
}

export const walIndexBytes = 100;

/** Reads the start of a `-shm` file; null while it is not made up yet. The caller holds the write lock, so it stands still. */
export function readWalIndex(bytes: Uint8Array): WalIndex | null {
  if (bytes.length < walIndexBytes || bytes[12] === 0) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, walIndexBytes);
  const isLittle = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;
  const pageSize = view.getUint16(14, isLittle);
  return {
    frames: view.getUint32(16, isLittle),
    backfilled: view.getUint32(96, isLittle),
    // A page of 65536 bytes is written as 1.
    pageSize: pageSize === 1 ? 65536 : pageSize,
    pages: view.getUint32(20, isLittle),
  };
}

/** Whether both copies of the index's header are the same: they are not while somebody writes it. */
export function isSteadyIndex(bytes: Uint8Array): boolean {
  return Buffer.compare(bytes.subarray(0, 48), bytes.subarray(48, 96)) === 0;
}
