// Copies the headers of each part for the parser, within limits and without what would confuse it.

import type { Flow } from './flowed-text.ts';
import { mailLimits, tooMuch } from './limits.ts';
import type { Boundaries } from './mime-boundaries.ts';
import { type Encoding, type HeaderField, headerLines, type PartHeader, readPart } from './mime-headers.ts';
import { fieldInWords } from './seven-bits.ts';

const addressFields = /^(from|to|b?cc|sender|reply-to|delivered-to|return-path|disposition-notification-to|list-.*)$/;
/** Texts of people, where a tilde and a brace may begin Chinese. */
const writtenFields = /^(subject|comments|keywords|from|to|cc|sender|reply-to)$/;
const charsetParameter = /(;\s{0,20}charset\s{0,20}=\s{0,20})(?:"(?:[^"\\]|\\.)*"|[^;\s]*)/i;
const newline = 0x0a;
const lineBreak = Buffer.from('\r\n');
const escapeByte = 0x1b;
const shiftOut = 0x0e;

export class HeaderCopy {
  private readonly raw: Buffer;
  private readonly boundaries: Boundaries;
  private readonly pieces: Buffer[];
  private parts = 0;
  private headers = 0;
  private headerBytes = 0;
  private addressBytes = 0;
  private encodingAt = 0;
  private contentTypeAt: number | null = null;
  private dispositionAt = 0;

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
    this.contentTypeAt = null;
    this.dispositionAt = this.pieces.length;
    this.pieces.push(Buffer.alloc(0));
    for (const field of lines.fields) {
      if (isMislabelled && field.name === 'content-type') this.pieces.push(Buffer.from('Content-Type: text/plain\r\n'));
      else if (field.name !== 'content-transfer-encoding') this.keepField(field, part.flow);
    }
    this.encodingAt = this.pieces.length;
    this.pieces.push(
      part.encoding === 'base64' || part.encoding === 'quoted-printable' ? encodedAs(part.encoding) : Buffer.alloc(0),
    );
    if (!isRoot && part.contentType === '') this.pieces.push(Buffer.from('Content-Type: text/plain\r\n'));
    this.pieces.push(lineBreak);
    return part;
  }

  private keepField(field: HeaderField, flow: Flow | null) {
    if (addressFields.test(field.name)) {
      this.addressBytes += field.end - field.start;
      // The parser takes 100 ms for 64 KB of group names; more is an attack.
      if (this.addressBytes > mailLimits.addressBytes) return;
    }
    const colon = this.raw.indexOf(0x3a, field.start);
    const isType = field.name === 'content-type';
    if (isType) this.contentTypeAt = this.pieces.length + 1;
    if (field.name === 'content-disposition') this.dispositionAt = this.pieces.length + 1;
    const value = this.inWords(field.name, this.raw.subarray(colon, field.end));
    this.pieces.push(Buffer.from(field.name), isType && flow !== null ? this.withoutFormat(value) : value);
    if (this.raw[field.end - 1] !== newline) this.pieces.push(lineBreak);
  }

  /** So that the parser leaves the lines alone: the desk joins them itself. */
  private withoutFormat(type: Buffer): Buffer {
    return Buffer.from(type.toString('latin1').replace(/;(\s{0,20})format(?=\s{0,20}=)/gi, ';$1x-format'), 'latin1');
  }

  private inWords(name: string, value: Buffer): Buffer {
    if (!value.includes(escapeByte) && !value.includes(shiftOut) && !value.includes('=?') && !value.includes('~{'))
      return value;
    const words = fieldInWords(value.toString('latin1'), writtenFields.test(name));
    return words === null || words.length > mailLimits.headerLineBytes ? value : Buffer.from(words, 'latin1');
  }

  private hasPartsBehind(part: PartHeader): boolean {
    if (part.boundary === null) return false;
    return this.raw.indexOf(`\n--${part.boundary}`, Math.max(part.end - 1, 0), 'latin1') !== -1;
  }

  setEncoding(encoding: Encoding) {
    this.pieces[this.encodingAt] = encodedAs(encoding);
  }

  /** For a text that is a file. */
  setAttachment() {
    const given = this.pieces[this.dispositionAt]?.toString('latin1') ?? '';
    const field = given === '' ? 'Content-Disposition: attachment\r\n' : given.replace(/^:[^;\r\n]*/, ': attachment');
    this.pieces[this.dispositionAt] = Buffer.from(field, 'latin1');
  }

  /** For a text that was decoded. */
  setCharset(charset: string) {
    if (this.contentTypeAt === null) return;
    const field = this.pieces[this.contentTypeAt]?.toString('latin1') ?? '';
    this.pieces[this.contentTypeAt] = Buffer.from(field.replace(charsetParameter, `$1${charset}`), 'latin1');
  }
}

function encodedAs(encoding: Encoding): Buffer {
  return Buffer.from(`Content-Transfer-Encoding: ${encoding}\r\n`);
}
