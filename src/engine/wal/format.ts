// The format of SQLite's write-ahead log, as far as it is needed here (sqlite.org/fileformat2.html, section 4).

export const walHeaderBytes = 32;
export const frameHeaderBytes = 24;
const magic = 0x377f0682;

export interface WalHeader {
  pageSize: number;
  sequence: number;
  /** Both salts in hexadecimal; they change whenever the log is restarted. */
  salts: string;
  isBigEndian: boolean;
  checksum: Sum;
}

const isLittleMachine = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

/** SQLite's checksum: two 32-bit words that continue from frame to frame. */
type Sum = Int32Array;

export const emptySum = (): Sum => new Int32Array(2);

// A start after a crash adds up the whole log: no allocations here.
function addWords(words: Int32Array, from: number, to: number, sum: Sum): void {
  let a = sum[0]!;
  let b = sum[1]!;
  for (let at = from; at < to; at += 2) {
    a = (a + words[at]! + b) | 0;
    b = (b + words[at + 1]! + a) | 0;
  }
  sum[0] = a;
  sum[1] = b;
}

function addSwapped(view: DataView, from: number, to: number, isLittle: boolean, sum: Sum): void {
  let a = sum[0]!;
  let b = sum[1]!;
  for (let at = from; at < to; at += 8) {
    a = (a + view.getInt32(at, isLittle) + b) | 0;
    b = (b + view.getInt32(at + 4, isLittle) + a) | 0;
  }
  sum[0] = a;
  sum[1] = b;
}

/** Adds these bytes to a sum. */
export function checksummer(bytes: Uint8Array, isBigEndian: boolean): (from: number, to: number, sum: Sum) => void {
  // The machine's own byte order is several times faster.
  if (isBigEndian !== isLittleMachine && bytes.byteOffset % 4 === 0) {
    const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
    return (from, to, sum) => addWords(words, from >> 2, to >> 2, sum);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return (from, to, sum) => addSwapped(view, from, to, !isBigEndian, sum);
}

/** Whether the sum is the one stored there, which is big-endian in a log. */
export function isSumAt(view: DataView, at: number, sum: Sum, isLittle = false): boolean {
  return view.getInt32(at, isLittle) === sum[0] && view.getInt32(at + 4, isLittle) === sum[1];
}

export function readWalHeader(bytes: Uint8Array): WalHeader | null {
  if (bytes.length < walHeaderBytes) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, walHeaderBytes);
  const first = view.getUint32(0);
  if (first >>> 1 !== magic >>> 1) return null;
  const isBigEndian = (first & 1) === 1;
  const sum = emptySum();
  checksummer(bytes, isBigEndian)(0, 24, sum);
  if (!isSumAt(view, 24, sum)) return null;
  return {
    pageSize: view.getUint32(8),
    sequence: view.getUint32(12),
    salts: Buffer.from(bytes.subarray(16, 24)).toString('hex'),
    isBigEndian,
    checksum: sum,
  };
}

interface Frame {
  page: number;
  /** The pages of the database after a commit frame; 0 for other frames. */
  pagesAfterCommit: number;
}

/** Null for a frame whose salts or checksum are wrong: it was never committed, or is damaged. Then stop. */
export function frameReader(header: WalHeader): (frame: Uint8Array) => Frame | null {
  const sum = header.checksum.slice();
  return (frame) => {
    const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
    if (Buffer.from(frame.buffer, frame.byteOffset + 8, 8).toString('hex') !== header.salts) return null;
    const add = checksummer(frame, header.isBigEndian);
    add(0, 8, sum);
    add(frameHeaderBytes, frame.byteLength, sum);
    if (!isSumAt(view, 16, sum)) return null;
    const page = view.getUint32(0);
    return page === 0 ? null : { page, pagesAfterCommit: view.getUint32(4) };
  };
}

/** The shared index beside the log, which says what is committed. */
export interface WalIndex {
  frames: number;
  backfilled: number;
  pageSize: number;
  pages: number;
  salts: string;
}

export const walIndexBytes = 100;
const indexHeaderBytes = 48;

/** The start of a `-shm` file; null until it is initialised. Needs the write lock, so that it does not change. */
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

/** The two copies of the header differ while a process writes them. */
export function isSteadyIndex(bytes: Uint8Array): boolean {
  return (
    Buffer.compare(bytes.subarray(0, indexHeaderBytes), bytes.subarray(indexHeaderBytes, 2 * indexHeaderBytes)) === 0
  );
}

/** For an index that no process maintains any longer; null if it was left unfinished. */
export function readLeftIndex(bytes: Uint8Array): WalIndex | null {
  const found = readWalIndex(bytes);
  if (found === null || !isSteadyIndex(bytes)) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, indexHeaderBytes);
  const sum = emptySum();
  checksummer(bytes, !isLittleMachine)(0, 40, sum);
  return isSumAt(view, 40, sum, isLittleMachine) ? found : null;
}
