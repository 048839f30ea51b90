// Walks the raw bytes before the MIME parser: refuses bombs, fixes what confuses the parser, extracts big bodies.
import { readable } from './charset.ts';
import { unflow } from './flowed-text.ts';
import { HeaderCopy } from './header-copy.ts';
import { withoutTags } from './html-text.ts';
import { mailLimits, tooMuch } from './limits.ts';
import {
  beginningOf,
  decodeBody,
  isTextPart,
  linesUpTo,
  mostBytesOf,
  type TakenBody,
  withoutLineBreak,
} from './mime-bodies.ts';
import { Boundaries, type Delimiter } from './mime-boundaries.ts';
import type { PartHeader } from './mime-headers.ts';
import { isWrapped, unwrapped, type WrappedPart } from './wrapped-parts.ts';

export type SlimMessage = {
  message: Buffer;
  taken: TakenBody[];
  isReport: boolean;
  charset: string | null;
  order: TextOrder;
  /** Headers beyond the limits were left out, or cut. */
  hasCutHeaders: boolean;
};

/** 'alternatives': HTML and text have the same content. Otherwise both count, in this order. */
type TextOrder = 'alternatives' | 'text_then_html' | 'html_then_text';

const tokenPrefix = 'helpdesk-taken-body-';
export const takenToken = /helpdesk-taken-body-\d{1,4}/g;

const newline = 0x0a;
const lineBreak = Buffer.from('\r\n');

/** What is signed, then compressed, then signed again is the most that programs write. */
const mostWrappers = 4;

/** Linear time and memory. Throws MailRefusal beyond mailLimits. */
export function slimDown(raw: Buffer, bodiesBytes: number = mailLimits.allBodiesBytes): SlimMessage {
  let open = raw;
  for (let count = 0; ; count++) {
    let slimming = new Slimming(open, bodiesBytes, false);
    let slim = slimming.run();
    if (slimming.hasFileAsText) {
      slimming = new Slimming(open, bodiesBytes, true);
      slim = slimming.run();
    }
    const { wrappedParts } = slimming;
    const inner = wrappedParts.length === 0 || count === mostWrappers ? null : unwrapped(open, wrappedParts);
    if (inner === null) return slim;
    open = inner;
  }
}

class Slimming {
  private readonly raw: Buffer;
  private readonly bodiesBytes: number;
  private readonly pieces: Buffer[] = [];
  private readonly taken: TakenBody[] = [];
  private readonly boundaries: Boundaries;
  private readonly headers: HeaderCopy;
  private readonly loneTexts: string[] = [];
  readonly wrappedParts: WrappedPart[] = [];
  private readonly hasOtherText: boolean;
  private hasText = false;
  private hasNamedText = false;
  private hasUnnamedText = false;
  private keptBytes = 0;
  private linesLeft = mailLimits.textLines;

  /** @param hasOtherText no text with a file's name is the text of the mail */
  constructor(raw: Buffer, bodiesBytes: number, hasOtherText: boolean) {
    this.hasOtherText = hasOtherText;
    this.raw = raw;
    this.boundaries = new Boundaries(raw);
    this.headers = new HeaderCopy(raw, this.boundaries, this.pieces);
    this.bodiesBytes = bodiesBytes;
  }

  run(): SlimMessage {
    if (this.raw.length > mailLimits.messageBytes) {
      throw tooMuch('message_too_large', `The message is larger than ${mailLimits.messageBytes / 1024 / 1024} MB.`);
    }
    let start = startOfHeaders(this.raw);
    let header = this.headers.copy(start, true);
    let isRoot = true;
    const isReport = header.isReport;
    let charset = header.charset;
    for (;;) {
      if (header.boundary !== null) this.boundaries.enter(header.boundary, header.contentType);
      const delimiter = this.boundaries.next(header.end);
      const nextLine = delimiter?.lineStart ?? this.raw.length;
      if (header.boundary === null) {
        this.noteText(header, nextLine);
        this.keepOrTake(header, nextLine);
      }
      if (isWrapped(header)) this.noteWrapped(header, start, nextLine, isRoot);
      const partStart = this.follow(delimiter);
      if (partStart === null) break;
      start = partStart;
      isRoot = false;
      header = this.headers.copy(partStart, false);
      charset ??= header.charset;
    }
    const message = Buffer.concat(this.pieces);
    return { message, taken: this.taken, isReport, charset, order: this.order(), hasCutHeaders: this.headers.isCut };
  }

  private order(): TextOrder {
    const html = this.loneTexts.indexOf('text/html');
    if (html === -1) return 'alternatives';
    return this.loneTexts.indexOf('text/plain') < html ? 'text_then_html' : 'html_then_text';
  }

  private follow(first: Delimiter | null): number | null {
    let delimiter = first;
    while (delimiter !== null) {
      // An unclosed part: the parser would read the outer delimiter as text.
      while (this.boundaries.depth - 1 > delimiter.level)
        this.pieces.push(Buffer.from(`--${this.boundaries.leave()}--\r\n`, 'latin1'));
      this.pieces.push(this.raw.subarray(delimiter.lineStart, delimiter.lineEnd));
      if (this.raw[delimiter.lineEnd - 1] !== newline) this.pieces.push(lineBreak);
      if (!delimiter.isClosing) return delimiter.lineEnd;
      this.boundaries.leave();
      delimiter = this.boundaries.next(delimiter.lineEnd);
    }
    return null;
  }

  /** The text of the mail follows a file that was taken for it. */
  get hasFileAsText(): boolean {
    return !this.hasOtherText && this.hasNamedText && this.hasUnnamedText;
  }

  /** A text with the name of a file is one, unless the mail has no other words: then some programs name those. */
  private noteText(part: PartHeader, nextLine: number) {
    if (!isTextPart(part)) return;
    const isNamed = part.filename !== '' && (part.contentType === 'text/plain' || part.disposition === 'inline');
    const mayBeFile = isNamed && !this.boundaries.isAlternative;
    if (mayBeFile && (this.hasOtherText || this.hasText)) {
      part.disposition = 'attachment';
      this.headers.setAttachment();
      return;
    }
    if (this.hasUnnamedText) return;
    const body = this.raw.subarray(part.end, this.endOfBody(part, nextLine));
    if (!hasWords(part, body)) return;
    this.hasText = true;
    if (mayBeFile) this.hasNamedText = true;
    else this.hasUnnamedText = true;
  }

  private noteWrapped(header: PartHeader, start: number, nextLine: number, isRoot: boolean) {
    const bodyStart = header.end;
    this.wrappedParts.push({ header, start, bodyStart, end: this.endOfBody(header, nextLine), isRoot });
  }

  private endOfBody(part: PartHeader, nextLine: number): number {
    const end = nextLine >= this.raw.length ? nextLine : withoutLineBreak(this.raw, part.end, nextLine);
    return Math.max(end, part.end);
  }

  private keepOrTake(part: PartHeader, nextLine: number) {
    const isLast = nextLine >= this.raw.length;
    const body = this.raw.subarray(part.end, this.endOfBody(part, nextLine));
    const isText = isTextPart(part);
    if (isText && !this.boundaries.isInAlternative) this.loneTexts.push(part.contentType || 'text/plain');
    const most = mostBytesOf(part);
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

  /** Re-encodes a text that the parser would misread, for its label, its encoding, or lines that flow. */
  private legible(part: PartHeader, body: Buffer): Buffer {
    const flow = part.contentType === 'text/plain' ? part.flow : null;
    const decoded = decodeBody({ encoding: part.encoding, bytes: body });
    const utf8 = readable(decoded, part);
    if (flow === null && utf8 === null) return body;
    this.headers.setEncoding('base64');
    if (utf8 !== null) this.headers.setCharset('utf-8');
    const text = utf8 ?? decoded;
    return Buffer.from((flow === null ? text : unflow(text, flow)).toString('base64').replace(/.{76}/g, '$&\r\n'));
  }
}

const unseen = /<(style|script|title)\b[\s\S]*?(?:<\/\1>|$)/gi;

/** Judged by the beginning: pictures without a word in HTML leave a named text the text of the mail. */
function hasWords({ encoding, contentType }: PartHeader, body: Buffer): boolean {
  const words = decodeBody({ encoding, bytes: body.subarray(0, 16 * 1024) }).toString('latin1');
  if (contentType !== 'text/html') return /\S/.test(words);
  return /\S/.test(withoutTags(words.replace(unseen, '')).replaceAll('&nbsp;', ' '));
}

/** Blank lines or a byte order mark would end the headers. */
function startOfHeaders(raw: Buffer): number {
  let at = raw[0] === 0xef && raw[1] === 0xbb && raw[2] === 0xbf ? 3 : 0;
  while (at < raw.length && at < 1000 && (raw[at] === newline || raw[at] === 0x0d)) at++;
  return at;
}
