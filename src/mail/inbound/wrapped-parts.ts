// Puts what stands inside an S/MIME wrapper in the place of the wrapper, as if it had been sent in the open.

import { isUtf8 } from 'node:buffer';
import { mailLimits } from './limits.ts';
import { decodeBody } from './mime-bodies.ts';
import { headerLines, type PartHeader } from './mime-headers.ts';
import { openSmime } from './smime.ts';

export interface WrappedPart {
  header: PartHeader;
  /** Of its headers, its body and the body's end in the message. */
  start: number;
  bodyStart: number;
  end: number;
  isRoot: boolean;
}

/** Each may inflate to the size of a mail before it proves to be too large. Real mail has one, a forwarded one more. */
const mostParts = 10;

const types = /^application\/(x-)?pkcs7-mime$/i;

export function isWrapped({ contentType, filename }: Pick<PartHeader, 'contentType' | 'filename'>): boolean {
  return types.test(contentType) || (contentType === 'application/octet-stream' && /\.p7m$/i.test(filename));
}

/** The message with what could be opened; null when nothing could. Nothing of it is proven: the desk checks no certificate. */
export function unwrapped(raw: Buffer, parts: readonly WrappedPart[]): Buffer | null {
  const pieces: Buffer[] = [];
  let at = 0;
  // What is inside takes the place of the wrapper.
  let room = mailLimits.messageBytes - raw.length;
  for (const part of parts.slice(0, mostParts)) {
    const { header, start, bodyStart, end, isRoot } = part;
    const file = decodeBody({ encoding: header.encoding, bytes: raw.subarray(bodyStart, end) });
    const inner = openSmime(file, room + end - bodyStart);
    const entity = inner === null ? null : entityOf(inner, isRoot || isUnnamed(header));
    if (inner === null || entity === null) continue;
    room -= inner.length - (end - bodyStart);
    pieces.push(raw.subarray(at, start));
    if (isRoot) pieces.push(...outerFields(raw, start, bodyStart));
    pieces.push(...entity);
    at = end;
  }
  return pieces.length === 0 ? null : Buffer.concat([...pieces, raw.subarray(at)]);
}

const isUnnamed = ({ filename }: PartHeader) => filename === '' || /^smime\.p7m$/i.test(filename);

/** Only the envelope of the mail says from whom and to whom it is; only the content says what the content is. */
const outerFields = (raw: Buffer, start: number, end: number) =>
  fieldsOf(raw.subarray(start, end))
    .filter(({ name }) => !name.startsWith('content-'))
    .map(({ bytes }) => bytes);

function fieldsOf(bytes: Buffer): { name: string; bytes: Buffer }[] {
  return headerLines(bytes, 0, () => false).fields.map(({ name, start, end }) => ({
    name,
    bytes: ended(bytes.subarray(start, end)),
  }));
}

const ended = (line: Buffer) => (line.at(-1) === 0x0a ? line : Buffer.concat([line, Buffer.from('\r\n')]));

/** Null for what is not part of a mail, as a document that was signed for itself. */
function entityOf(inner: Buffer, mayBeText: boolean): Buffer[] | null {
  const head = inner.subarray(0, mailLimits.headerBytes);
  const fields = fieldsOf(head).filter(({ name }) => name.startsWith('content-'));
  const blank = Buffer.from('\r\n');
  if (fields.some(({ name }) => name === 'content-type')) {
    const { end } = headerLines(head, 0, () => false);
    return [...fields.map(({ bytes }) => bytes), blank, inner.subarray(end)];
  }
  const isText = mayBeText && isUtf8(inner) && !inner.includes(0);
  return isText ? [Buffer.from('Content-Type: text/plain; charset=utf-8\r\n'), blank, inner] : null;
}
