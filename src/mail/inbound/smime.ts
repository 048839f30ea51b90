// Opens S/MIME that is not encrypted: what was signed or compressed stands inside (RFC 8551, 5652 and 3274).

import { inflateSync } from 'node:zlib';
import { decodeBase64 } from './transfer-encoding.ts';

/** Object identifiers, as their bytes. */
const signedData = '2a864886f70d010702';
const compressedData = '2a864886f70d0109100109';

const sequence = 0x30;
const identifier = 0x06;
const octets = 0x04;
const octetPieces = 0x24;
const explicit = 0xa0;

interface Element {
  tag: number;
  start: number;
  /** Null when only the end of its last child says where it ends. */
  end: number | null;
}

/** Pieces of pieces are read once for each level, and no program writes more than one. */
const deepestPieces = 3;
const deepest = 30;

/** What was signed or compressed, at most `most` bytes; null for anything else, also for what is encrypted. */
export function openSmime(file: Buffer, most: number): Buffer | null {
  // Some servers drop the header that says base64.
  const isEncoded = file.toString('latin1', 0, 2) === 'MI';
  try {
    return new Cms(isEncoded ? decodeBase64(file) : file).open(most);
  } catch {
    // Torn, or made to be: it stays a file.
    return null;
  }
}

class Cms {
  private readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  open(most: number): Buffer | null {
    let at = this.enter(0, sequence);
    const kind = this.element(at);
    const named = this.bytes.toString('hex', kind.start, Math.min(kind.end ?? kind.start, kind.start + 20));
    if (kind.tag !== identifier || (named !== signedData && named !== compressedData)) return null;
    at = this.enter(this.enter(this.after(at), explicit), sequence);
    // The version, then how it was hashed or compressed, then what it holds.
    at = this.enter(this.after(this.after(at)), sequence);
    const content = this.content(this.enter(this.after(at), explicit));
    if (named === signedData) return content.length > most ? null : content;
    return inflateSync(content, { maxOutputLength: most });
  }

  private content(at: number): Buffer {
    const out = Buffer.allocUnsafe(this.bytes.length - at);
    const length = this.collect(at, out, 0, 0);
    return out.subarray(0, length);
  }

  /** Programs that do not know the length beforehand write it in pieces. */
  private collect(at: number, out: Buffer, length: number, depth: number): number {
    const { tag, start, end } = this.element(at);
    if (tag === octets && end !== null) return length + this.bytes.copy(out, length, start, end);
    if (tag !== octetPieces || depth > deepestPieces) throw new Error('no octets');
    let filled = length;
    for (let next = start; end === null ? !this.isEndAt(next) : next < end; next = this.after(next, depth)) {
      filled = this.collect(next, out, filled, depth + 1);
    }
    return filled;
  }

  private enter(at: number, tag: number): number {
    const found = this.element(at);
    if (found.tag !== tag) throw new Error('something else');
    return found.start;
  }

  private element(at: number): Element {
    const tag = this.byte(at);
    // None of those that are looked for has a tag of more bytes.
    if ((tag & 0x1f) === 0x1f) throw new Error('a long tag');
    const first = this.byte(at + 1);
    if (first === 0x80) return { tag, start: at + 2, end: null };
    const more = first > 0x80 ? first - 0x80 : 0;
    if (more > 4) throw new Error('a long length');
    const start = at + 2 + more;
    const length = more === 0 ? first : this.bytes.readUIntBE(at + 2, more);
    if (start + length > this.bytes.length) throw new Error('torn');
    return { tag, start, end: start + length };
  }

  private after(at: number, depth = 0): number {
    const { start, end } = this.element(at);
    if (end !== null) return end;
    if (depth > deepest) throw new Error('too deep');
    let next = start;
    while (!this.isEndAt(next)) next = this.after(next, depth + 1);
    return next + 2;
  }

  private isEndAt(at: number): boolean {
    return this.byte(at) === 0 && this.byte(at + 1) === 0;
  }

  private byte(at: number): number {
    const byte = this.bytes[at];
    if (byte === undefined) throw new Error('torn');
    return byte;
  }
}
