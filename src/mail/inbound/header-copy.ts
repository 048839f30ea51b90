// Copies the headers of each part for the parser, within limits and without what would confuse it.

import { mailLimits, tooMuch } from './limits.ts';
import type { Boundaries } from './mime-boundaries.ts';
import { type Encoding, type HeaderField, headerLines, type PartHeader, readPart } from './mime-headers.ts';

const addressFields = /^(from|to|b?cc|sender|reply-to|delivered-to|return-path|disposition-notification-to|list-.*)$/;
const newline = 0x0a;
const lineBreak = Buffer.from('\r\n');

export class HeaderCopy {
  private readonly raw: Buffer;
  private readonly boundaries: Boundaries;
  private readonly pieces: Buffer[];
  private parts = 0;
  private headers = 0;
  private headerBytes = 0;
  private addressBytes = 0;
  private encodingAt = 0;

  constructor(raw: Buffer, boundaries: Boundaries, pieces: Buffer[]) {
    this.raw = raw;
    this.boundaries = boundaries;
    this.pieces = pieces;
  }

  copy(start: number, isRoot: boolean): PartHeader {
    if (++this.parts > mailLimits.parts) throw tooMuch('too_many_parts', `More than ${mailLimits.parts} parts.`);
    const lines = headerLines(this.raw, start, (at) => this.boundaries.isAt(at));
    this.headers += lines.fields.length;
    this.headerBytes += lines.end - start;
    if (this.headerBytes > mailLimits.headerBytes)
      throw tooMuch('headers_too_large', 'The headers are larger than 512 KB.');
    if (lines.fields.length > mailLimits.headersPerPart || this.headers > mailLimits.headersInAll) {
      throw tooMuch('too_many_headers', `More than ${mailLimits.headersPerPart} headers.`);
    }
    const part = readPart(this.raw, lines);
    // A multipart without parts is text with a wrong label.
    const isMislabelled = part.isMultipart && !this.hasPartsBehind(part);
    if (isMislabelled) Object.assign(part, { contentType: 'text/plain', boundary: null });
    for (const field of lines.fields) {
      if (isMislabelled && field.name === 'content-type') this.pieces.push(Buffer.from('Content-Type: text/plain\r\n'));
      else if (part.flow !== null && field.name === 'content-type') this.pieces.push(this.withoutFormat(field));
      else if (field.name !== 'content-transfer-encoding') this.keepField(field);
    }
    this.encodingAt = this.pieces.length;
    this.pieces.push(
      part.encoding === 'base64' || part.encoding === 'quoted-printable' ? encodedAs(part.encoding) : Buffer.alloc(0),
    );
    if (!isRoot && part.contentType === '') this.pieces.push(Buffer.from('Content-Type: text/plain\r\n'));
    this.pieces.push(lineBreak);
    return part;
  }

  private keepField(field: HeaderField) {
    if (addressFields.test(field.name)) {
      this.addressBytes += field.end - field.start;
      // The parser takes 100 ms for 64 KB of group names; more is an attack.
      if (this.addressBytes > mailLimits.addressBytes) return;
    }
    const colon = this.raw.indexOf(0x3a, field.start);
    this.pieces.push(Buffer.from(field.name), this.raw.subarray(colon, field.end));
    if (this.raw[field.end - 1] !== newline) this.pieces.push(lineBreak);
  }

  /** So that the parser leaves the lines alone: the desk joins them itself. */
  private withoutFormat({ start, end }: HeaderField): Buffer {
    const text = this.raw.toString('latin1', start, end).replace(/;(\s{0,20})format(?=\s{0,20}=)/gi, ';$1x-format');
    return Buffer.from(text.endsWith('\n') ? text : `${text}\r\n`, 'latin1');
  }

  private hasPartsBehind(part: PartHeader): boolean {
    if (part.boundary === null) return false;
    return this.raw.indexOf(`\n--${part.boundary}`, Math.max(part.end - 1, 0), 'latin1') !== -1;
  }

  setEncoding(encoding: Encoding) {
    this.pieces[this.encodingAt] = encodedAs(encoding);
  }
}

function encodedAs(encoding: Encoding): Buffer {
  return Buffer.from(`Content-Transfer-Encoding: ${encoding}\r\n`);
}
