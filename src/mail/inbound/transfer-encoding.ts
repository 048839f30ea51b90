// Decodes base64, quoted-printable and uuencode.

/** Accepts line breaks, stray characters and padding in the middle, where two encoders were joined. */
export function decodeBase64(bytes: Buffer): Buffer {
  const pieceCount = paddingRuns(bytes, mostPieces + 1);
  // No encoder writes this much padding: read it as one run, which loses the alignment.
  if (pieceCount > mostPieces) return Buffer.from(withoutPadding(bytes).toString('latin1'), 'base64');
  const text = bytes.toString('latin1');
  const padding = text.indexOf('=');
  if (padding === -1 || /^[=\s]*$/.test(text.slice(padding, padding + 1000))) return Buffer.from(text, 'base64');
  return Buffer.concat(text.split(/=+/).map((piece) => Buffer.from(piece, 'base64')));
}

function paddingRuns(bytes: Buffer, most: number): number {
  let runs = 0;
  for (let at = bytes.indexOf(equals); at !== -1 && runs < most; at = bytes.indexOf(equals, at + 1)) {
    if (bytes[at - 1] !== equals) runs++;
  }
  return runs;
}

function withoutPadding(bytes: Buffer): Buffer {
  const out = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] !== equals) out[length++] = bytes[at]!;
  return out.subarray(0, length);
}

const equals = 0x3d;

const mostPieces = 10_000;

const hexValue = new Int8Array(256).fill(-1);
for (let digit = 0; digit < 16; digit++) {
  hexValue[digit.toString(16).charCodeAt(0)] = digit;
  hexValue[digit.toString(16).toUpperCase().charCodeAt(0)] = digit;
}

/** An "=" that starts no escape stays, since dropping it would lose text. */
export function decodeQuotedPrintable(bytes: Buffer): Buffer {
  const out = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  // Byte by byte: native searches are a third slower when everything is escaped.
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte !== 0x3d) {
      out[length++] = byte;
      continue;
    }
    const first = bytes[at + 1] ?? 0x0a;
    const high = hexValue[first]!;
    const low = hexValue[bytes[at + 2] ?? 0]!;
    if (high >= 0 && low >= 0) {
      out[length++] = high * 16 + low;
      at += 2;
    } else if (first === 0x0a) at += 1;
    else if (first === 0x0d && bytes[at + 2] === 0x0a) at += 2;
    else out[length++] = byte;
  }
  return out.subarray(0, length);
}

type Uuencoded = { filename: string; bytes: Buffer };

export function findUuencoded(text: string): (Uuencoded & { start: number; end: number }) | null {
  const begin = /^begin [0-7]{3,4} ([^\r\n]{1,255})\r?\n/m.exec(text);
  if (begin === null) return null;
  const out: Buffer[] = [];
  let at = begin.index + begin[0].length;
  while (at < text.length) {
    const newline = text.indexOf('\n', at);
    const lineEnd = newline === -1 ? text.length : newline;
    const line = text.slice(at, lineEnd).replace(/\r$/, '');
    at = lineEnd + 1;
    if (line === 'end') {
      return {
        filename: begin[1]!.trim(),
        bytes: Buffer.concat(out),
        start: begin.index,
        end: Math.min(at, text.length),
      };
    }
    const decoded = decodeUuLine(line);
    if (decoded === null) return null;
    out.push(decoded);
  }
  return null;
}

function decodeUuLine(line: string): Buffer | null {
  if (line === '' || line === '`') return Buffer.alloc(0);
  const length = (line.charCodeAt(0) - 32) & 63;
  const digits = line.slice(1);
  // Some encoders drop trailing spaces or add a checksum character.
  if (length > 45 || digits.length > Math.ceil(length / 3) * 4 + 2) return null;
  const out = Buffer.alloc(Math.ceil(length / 3) * 3);
  for (let group = 0; group * 3 < length; group++) {
    let bits = 0;
    for (let digit = 0; digit < 4; digit++) {
      const code = digits.charCodeAt(group * 4 + digit) || 32;
      if (code < 32 || code > 96) return null;
      bits = (bits << 6) | ((code - 32) & 63);
    }
    out[group * 3] = bits >> 16;
    out[group * 3 + 1] = (bits >> 8) & 255;
    out[group * 3 + 2] = bits & 255;
  }
  return out.subarray(0, length);
}
