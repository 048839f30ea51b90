// Copies the headers of each part for the parser, within limits and without what would confuse it.

import type { Flow } from './flowed-text.ts';
import { mailLimits, tooMuch } from './limits.ts';
import type { Boundaries } from './mime-boundaries.ts';
import {
  type Encoding,
  type HeaderField,
  type HeaderLines,
  headerLines,
  type PartHeader,
  readPart,
} from './mime-headers.ts';
import { fieldInWords } from './seven-bits.ts';

const senderFields = /^(from|sender|reply-to|return-path)$/;
const otherAddressFields = /^(to|b?cc|delivered-to|disposition-notification-to|list-.*)$/;
/** Without them no part can be read. The parser uses the last of each. */
const partFields = ['content-type', 'content-disposition', 'content-transfer-encoding', 'content-id'];
const mostOfPartField = 1024;
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
  private readonly addressBytes = { senders: 0, others: 0 };
  /** Whether something was left out, beyond the limits. */
  isCut = false;
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
    const lines = this.withinLimits(headerLines(this.raw, start, (at) => this.boundaries.isAt(at)));
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

  private withinLimits(lines: HeaderLines): HeaderLines {
    const bytes = lines.fields.reduce((sum, { start, end }) => sum + end - start, 0);
    const isFull =
      this.headers + lines.fields.length > mailLimits.headersInAll || this.headerBytes + bytes > mailLimits.headerBytes;
    this.isCut ||= lines.isCut || isFull;
    if (!isFull) {
      this.headers += lines.fields.length;
      this.headerBytes += bytes;
      return lines;
    }
    const last = partFields.flatMap((name) => lines.fields.findLast((field) => field.name === name) ?? []);
    return {
      ...lines,
      fields: last.map((field) => ({ ...field, end: Math.min(field.end, field.start + mostOfPartField) })),
    };
  }

  /** The parser takes 100 ms for 64 KB of group names; more is an attack. Long lists of recipients do not push the sender out. */
  private hasRoomFor({ name, start, end }: HeaderField): boolean {
    const kind = senderFields.test(name) ? 'senders' : otherAddressFields.test(name) ? 'others' : null;
    if (kind === null) return true;
    this.addressBytes[kind] += end - start;
    return this.addressBytes[kind] <= mailLimits.addressBytes;
  }

  private keepField(field: HeaderField, flow: Flow | null) {
    if (!this.hasRoomFor(field)) {
      this.isCut = true;
      return;
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
