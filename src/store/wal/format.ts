// The format of SQLite's write-ahead log, as far as copying and replaying it needs (sqlite.org/fileformat2.html, section 4).

export const walHeaderBytes = 32;
export const frameHeaderBytes = 24;
const magic = 0x377f0682;

export interface WalHeader {
  pageSize: number;
  /** How often the file was begun anew in its place. */
  sequence: number;
  /** Both salts, 16 hexadecimal digits: they change whenever the log begins anew. */
  salts: string;
  isBigEndian: boolean;
  checksum: [number, number];
}

const isLittleMachine = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

type Sum = [number, number];

/** SQLite's checksum over words of 32 bits in these bytes, carried on from frame to frame. */
export function checksummer(bytes: Uint8Array, isBigEndian: boolean): (from: number, to: number, sum: Sum) => Sum {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // In the machine's own order it is several times faster.
  const isNative = isBigEndian !== isLittleMachine && bytes.byteOffset % 4 === 0;
  const words = isNative ? new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2) : null;
  return (from, to, [first, second]) => {
    let [a, b] = [first | 0, second | 0];
    if (words !== null) {
      for (let at = from >> 2; at < to >> 2; at += 2) {
        a = (a + words[at]! + b) | 0;
        b = (b + words[at + 1]! + a) | 0;
      }
    } else {
      for (let at = from; at < to; at += 8) {
        a = (a + view.getInt32(at, !isBigEndian) + b) | 0;
        b = (b + view.getInt32(at + 4, !isBigEndian) + a) | 0;
      }
    }
    return [a >>> 0, b >>> 0];
  };
}

/** Reads the first 32 bytes of a log; null when they are none. */
export function readWalHeader(bytes: Uint8Array): WalHeader | null {
  if (bytes.length < walHeaderBytes) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, walHeaderBytes);
  const first = view.getUint32(0);
  if (first >>> 1 !== magic >>> 1) return null;
  const isBigEndian = (first & 1) === 1;
  const sum = checksummer(bytes, isBigEndian)(0, 24, [0, 0]);
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
    const checksumOf = checksummer(frame, header.isBigEndian);
    const whole = checksumOf(frameHeaderBytes, frame.byteLength, checksumOf(0, 8, sum));
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
  /** Of the log that it tells of. */
  salts: string;
}

export const walIndexBytes = 100;
const indexHeaderBytes = 48;

/** Reads the start of a `-shm` file; null while it is not made up yet. The caller holds the write lock, so it stands still. */
export function readWalIndex(bytes: Uint8Array): WalIndex | null {
  if (bytes.length < walIndexBytes || bytes[12] === 0) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, walIndexBytes);
  const pageSize = view.getUint16(14, isLittleMachine);
  return {
    frames: view.getUint32(16, isLittleMachine),
    backfilled: view.getUint32(96, isLittleMachine),
    // A page of 65536 bytes is written as 1.
    pageSize: pageSize === 1 ? 65536 : pageSize,
    pages: view.getUint32(20, isLittleMachine),
    salts: Buffer.from(bytes.subarray(32, 40)).toString('hex'),
  };
}

/** Whether both copies of the index's header are the same: they are not while somebody writes it. */
export function isSteadyIndex(bytes: Uint8Array): boolean {
  return (
    Buffer.compare(bytes.subarray(0, indexHeaderBytes), bytes.subarray(indexHeaderBytes, 2 * indexHeaderBytes)) === 0
  );
}

/** What an index says that nobody may be keeping any more; null also where it was cut short in the making. */
export function readLeftIndex(bytes: Uint8Array): WalIndex | null {
  const found = readWalIndex(bytes);
  if (found === null || !isSteadyIndex(bytes)) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, indexHeaderBytes);
  const sum = checksummer(bytes, !isLittleMachine)(0, 40, [0, 0]);
  const isWhole = sum[0] === view.getUint32(40, isLittleMachine) && sum[1] === view.getUint32(44, isLittleMachine);
  return isWhole ? found : null;
}
