// Walks the raw bytes before the MIME parser: refuses bombs, fixes what confuses the parser, extracts big bodies.
import { asUtf8, isVague } from './charset.ts';
import { mailLimits, tooMuch } from './limits.ts';
import { type Encoding, type HeaderField, headerLines, lineEndAt, type PartHeader, readPart } from './mime-headers.ts';
import { decodeBase64, decodeQuotedPrintable } from './transfer-encoding.ts';

/** `token` replaces the body; a text whose start stays in the message has none. */
export type TakenBody = {
  token: string | null;
  contentType: string;
  charset: string | null;
  encoding: Encoding;
  bytes: Buffer;
};

export type SlimMessage = {
  message: Buffer;
  taken: TakenBody[];
  isReport: boolean;
  charset: string | null;
  order: TextOrder;
};

/** 'alternatives': HTML and text have the same content. Otherwise both count, in this order. */
type TextOrder = 'alternatives' | 'text_then_html' | 'html_then_text';

type Delimiter = { lineStart: number; lineEnd: number; level: number; isClosing: boolean };

const tokenPrefix = 'helpdesk-taken-body-';
export const takenToken = /helpdesk-taken-body-\d{1,4}/g;

const newline = 0x0a;
const addressFields = /^(from|to|b?cc|sender|reply-to|delivered-to|return-path|disposition-notification-to|list-.*)$/;
const lineBreak = Buffer.from('\r\n');
const dashesAfterNewline = Buffer.from('\n--');

/** Linear time and memory. Throws MailRefusal beyond mailLimits. */
export function slimDown(raw: Buffer, bodiesBytes: number = mailLimits.allBodiesBytes): SlimMessage {
  return new Slimming(raw, bodiesBytes).run();
}

export function decodeBody(body: Pick<TakenBody, 'encoding' | 'bytes'>): Buffer {
  if (body.encoding === 'base64') return decodeBase64(body.bytes);
  if (body.encoding === 'quoted-printable') return decodeQuotedPrintable(body.bytes);
  return body.bytes;
}

class Slimming {
  private readonly raw: Buffer;
  private readonly bodiesBytes: number;
  private readonly pieces: Buffer[] = [];
  private readonly taken: TakenBody[] = [];
  private readonly boundaries: string[] = [];
  private alternativeLevel: number | null = null;
  private readonly loneTexts: string[] = [];
  private parts = 0;
  private headers = 0;
  private headerBytes = 0;
  private dashLines = 0;
  private keptBytes = 0;
  private linesLeft = mailLimits.textLines;
  private addressBytes = 0;
  private encodingAt = 0;

  constructor(raw: Buffer, bodiesBytes: number) {
    this.raw = raw;
    this.bodiesBytes = bodiesBytes;
  }

  run(): SlimMessage {
    if (this.raw.length > mailLimits.messageBytes) {
      throw tooMuch('message_too_large', `The message is larger than ${mailLimits.messageBytes / 1024 / 1024} MB.`);
    }
    let header = this.readHeader(startOfHeaders(this.raw), true);
    const isReport = header.isReport;
    let charset = header.charset;
    for (;;) {
      if (header.boundary !== null) this.enter(header.boundary, header.contentType);
      const delimiter = this.nextDelimiter(header.end);
      if (header.boundary === null) this.keepOrTake(header, delimiter?.lineStart ?? this.raw.length);
      const partStart = this.follow(delimiter);
      if (partStart === null) break;
      header = this.readHeader(partStart, false);
      charset ??= header.charset;
    }
    return { message: Buffer.concat(this.pieces), taken: this.taken, isReport, charset, order: this.order() };
  }

  private enter(boundary: string, contentType: string) {
    if (contentType === 'multipart/alternative') this.alternativeLevel ??= this.boundaries.length;
    this.boundaries.push(boundary);
    if (this.boundaries.length > mailLimits.depth) {
      throw tooMuch('nested_too_deep', `Parts are nested deeper than ${mailLimits.depth}.`);
    }
  }

  private leave(): string | undefined {
    const boundary = this.boundaries.pop();
    if (this.alternativeLevel !== null && this.boundaries.length <= this.alternativeLevel) this.alternativeLevel = null;
    return boundary;
  }

  private order(): TextOrder {
    const html = this.loneTexts.indexOf('text/html');
    if (html === -1) return 'alternatives';
    return this.loneTexts.indexOf('text/plain') < html ? 'text_then_html' : 'html_then_text';
  }

  /** Returns the start of the next part, or null at the end. */
  private follow(first: Delimiter | null): number | null {
    let delimiter = first;
    while (delimiter !== null) {
      // An unclosed part: the parser would read the outer delimiter as text.
      while (this.boundaries.length - 1 > delimiter.level)
        this.pieces.push(Buffer.from(`--${this.leave()}--\r\n`, 'latin1'));
      this.pieces.push(this.raw.subarray(delimiter.lineStart, delimiter.lineEnd));
      if (this.raw[delimiter.lineEnd - 1] !== newline) this.pieces.push(lineBreak);
      if (!delimiter.isClosing) return delimiter.lineEnd;
      this.leave();
      delimiter = this.nextDelimiter(delimiter.lineEnd);
    }
    return null;
  }

  private nextDelimiter(from: number): Delimiter | null {
    if (this.boundaries.length === 0) return null;
    let at = Math.max(from - 1, 0);
    for (;;) {
      const found = this.raw.indexOf(dashesAfterNewline, at);
      if (found === -1) return null;
      if (++this.dashLines > mailLimits.dashLines) {
        throw tooMuch('too_many_boundaries', `More than ${mailLimits.dashLines} lines begin like a part's boundary.`);
      }
      const lineStart = found + 1;
      const level = this.levelAt(lineStart);
      if (level !== null) return { lineStart, lineEnd: lineEndAt(this.raw, lineStart), ...level };
      at = found + 3;
    }
  }

  private levelAt(lineStart: number): { level: number; isClosing: boolean } | null {
    const peek = this.raw.toString('latin1', lineStart + 2, Math.min(lineStart + 300, this.raw.length));
    for (let level = this.boundaries.length - 1; level >= 0; level--) {
      const boundary = this.boundaries[level]!;
      if (!peek.startsWith(boundary)) continue;
      const rest = /^(--)?\r?(\n|$)/.exec(peek.slice(boundary.length));
      if (rest !== null) return { level, isClosing: rest[1] !== undefined };
    }
    return null;
  }

  private readHeader(start: number, isRoot: boolean): PartHeader {
    if (++this.parts > mailLimits.parts) throw tooMuch('too_many_parts', `More than ${mailLimits.parts} parts.`);
    const lines = headerLines(this.raw, start, (at) => this.boundaries.length > 0 && this.levelAt(at) !== null);
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

  private hasPartsBehind(part: PartHeader): boolean {
    if (part.boundary === null) return false;
    return this.raw.indexOf(`\n--${part.boundary}`, Math.max(part.end - 1, 0), 'latin1') !== -1;
  }

  private keepOrTake(part: PartHeader, nextLine: number) {
    const isLast = nextLine >= this.raw.length;
    const end = !isLast ? withoutLineBreak(this.raw, part.end, nextLine) : this.raw.length;
    const body = this.raw.subarray(part.end, Math.max(end, part.end));
    const isText = part.disposition !== 'attachment' && /^(text\/(plain|html))?$/.test(part.contentType);
    if (isText && this.alternativeLevel === null) this.loneTexts.push(part.contentType || 'text/plain');
    const most = !isText
      ? mailLimits.smallBodyBytes
      : part.contentType === 'text/html'
        ? mailLimits.htmlBytes
        : mailLimits.textBytes;
    const room = this.bodiesBytes - this.keptBytes;
    const isTaken = part.encoding === 'uuencode' || body.length > Math.min(most, room);
    const fit = isText && !isTaken ? linesUpTo(body, body.length, this.linesLeft) : { end: body.length, lines: 0 };
    if (!isTaken && fit.end === body.length) {
      this.linesLeft -= fit.lines;
      this.keptBytes += body.length;
      this.pieces.push(isText ? this.legible(part, body) : body);
      if (!isLast) this.pieces.push(lineBreak);
      return;
    }
    const { contentType, charset, encoding } = part;
    if (isText && encoding !== 'uuencode' && room > 4096 && this.linesLeft > 100) {
      const { end, lines } = linesUpTo(body, Math.min(most, room), this.linesLeft);
      this.linesLeft -= lines;
      const beginning = beginningOf(body, end, encoding);
      this.keptBytes += beginning.length;
      this.taken.push({ token: null, contentType: contentType || 'text/plain', charset, encoding, bytes: body });
      this.pieces.push(this.legible(part, beginning), lineBreak);
      return;
    }
    const token = `${tokenPrefix}${this.taken.length}`;
    this.taken.push({ token, contentType, charset, encoding, bytes: body });
    this.pieces.push(Buffer.from(encoding === 'base64' ? Buffer.from(token).toString('base64') : token), lineBreak);
  }

  /** Re-encodes a text with a vague label so that the parser can read it. */
  private legible(part: PartHeader, body: Buffer): Buffer {
    if (!isVague(part)) return body;
    const utf8 = asUtf8(decodeBody({ encoding: part.encoding, bytes: body }), part);
    if (utf8 === null) return body;
    this.pieces[this.encodingAt] = encodedAs('base64');
    return Buffer.from(utf8.toString('base64').replace(/.{76}/g, '$&\r\n'));
  }
}

function encodedAs(encoding: Encoding): Buffer {
  return Buffer.from(`Content-Transfer-Encoding: ${encoding}\r\n`);
}

/** Blank lines or a byte order mark would end the headers. */
function startOfHeaders(raw: Buffer): number {
  let at = raw[0] === 0xef && raw[1] === 0xbb && raw[2] === 0xbf ? 3 : 0;
  while (at < raw.length && at < 1000 && (raw[at] === newline || raw[at] === 0x0d)) at++;
  return at;
}

function withoutLineBreak(raw: Buffer, start: number, end: number): number {
  if (end > start && raw[end - 1] === newline) return end > start + 1 && raw[end - 2] === 0x0d ? end - 2 : end - 1;
  return end;
}

/** Ends at a line break where possible, so that no escape or character is cut. */
function beginningOf(body: Buffer, most: number, encoding: Encoding): Buffer {
  const lastBreak = body.subarray(0, most).lastIndexOf(newline);
  if (lastBreak > most / 2) return body.subarray(0, lastBreak + 1);
  return body.subarray(0, encoding === 'base64' ? most - (most % 4) : most);
}

function linesUpTo(body: Buffer, mostBytes: number, mostLines: number): { end: number; lines: number } {
  let at = 0;
  let lines = 0;
  while (at < mostBytes && lines < mostLines) {
    const found = body.indexOf(newline, at);
    if (found === -1) return { end: mostBytes, lines };
    at = found + 1;
    lines++;
  }
  return { end: Math.min(at, mostBytes), lines };
}
