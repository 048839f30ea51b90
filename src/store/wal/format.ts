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
  checksum: [number, number];
}

const isLittleMachine = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

type Sum = [number, number];

/** SQLite's checksum over 32-bit words; continues from frame to frame. */
export function checksummer(bytes: Uint8Array, isBigEndian: boolean): (from: number, to: number, sum: Sum) => Sum {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // The machine's own byte order is several times faster.
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
  page: number;
  /** The pages of the database after a commit frame; 0 for other frames. */
  pagesAfterCommit: number;
}

/** Null for a frame whose salts or checksum are wrong: it was never committed, or is damaged. */
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
  const sum = checksummer(bytes, !isLittleMachine)(0, 40, [0, 0]);
  const isWhole = sum[0] === view.getUint32(40, isLittleMachine) && sum[1] === view.getUint32(44, isLittleMachine);
  return isWhole ? found : null;
}
