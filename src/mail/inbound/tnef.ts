// Reads winmail.dat: what Outlook and Exchange send in a format of their own (MS-OXTNEF).

import { charsetOfCodepage, decodeText } from './charset.ts';
import { mailLimits } from './limits.ts';
import { cleanLine, cleanText, type InboundAttachment } from './message.ts';
import { textOfRtf, unpackRtf } from './rtf.ts';

interface Tnef {
  text: string | null;
  html: string | null;
  attachments: InboundAttachment[];
  /** A file within could not be read, as a message in a format of Outlook's own. */
  isPartial: boolean;
}

const signature = 0x223e9f78;
const mostFiles = 100;
const mostProperties = 10_000;

const attribute = {
  body: 0x0002800c,
  codepage: 0x00069007,
  properties: 0x00069003,
  newFile: 0x00069002,
  fileTitle: 0x00018010,
  fileData: 0x0006800f,
  fileProperties: 0x00069005,
} as const;

const property = {
  body: 0x1000,
  rtf: 0x1009,
  html: 0x1013,
  htmlCodepage: 0x3fde,
  displayName: 0x3001,
  fileData: 0x3701,
  shortName: 0x3704,
  longName: 0x3707,
  mimeType: 0x370e,
  contentId: 0x3712,
} as const;

interface OpenFile {
  title: string;
  longName: string;
  contentType: string;
  cid: string | null;
  bytes: Buffer | null;
}

/** Uses its words when the mail has no others, and puts the files within in its place. */
export function takeTnef(
  body: { text: string | null; html: string | null },
  attachments: InboundAttachment[],
): { text: string | null; html: string | null } {
  let words = body;
  for (const file of attachments.filter(isTnef)) {
    const read = readTnef(file.bytes);
    if (read === null) continue;
    const isOnlyText = (words.text ?? '').trim() === '' && words.html === null;
    const { text, html } = read;
    if (isOnlyText && (text ?? html) !== null)
      words = {
        text: text?.slice(0, mailLimits.textBytes) ?? null,
        html: html?.slice(0, mailLimits.htmlBytes) ?? null,
      };
    // Some say no more than a meeting's date in properties of their own: nothing of that is lost.
    const isCut = (text ?? '').length > mailLimits.textBytes || (html ?? '').length > mailLimits.htmlBytes;
    const isTold = read.attachments.length > 0 || words !== body;
    attachments.splice(attachments.indexOf(file), isTold && !isCut && !read.isPartial ? 1 : 0, ...read.attachments);
  }
  return words;
}

function isTnef({ contentType, filename }: Pick<InboundAttachment, 'contentType' | 'filename'>): boolean {
  return /^application\/(vnd\.)?ms-tnef$/i.test(contentType) || /^winmail\.dat$/i.test(filename);
}

/** Null for what is not TNEF. One that is torn gives what stands before. */
function readTnef(file: Uint8Array): Tnef | null {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (bytes.length < 6 || bytes.readUInt32LE(0) !== signature) return null;
  const reading = new TnefReading();
  let at = 6;
  while (at + 9 <= bytes.length) {
    const start = at + 9;
    const end = start + bytes.readUInt32LE(at + 5);
    if (end > bytes.length) {
      reading.isPartial = true;
      break;
    }
    reading.take(bytes.readUInt32LE(at + 1), bytes.subarray(start, end));
    // A checksum follows.
    at = end + 2;
  }
  return reading.result();
}

class TnefReading {
  isPartial = false;
  private codepage = 1252;
  private htmlCodepage: number | null = null;
  private body: string | null = null;
  private html: Buffer | string | null = null;
  private rtf: Buffer | null = null;
  private readonly files: OpenFile[] = [];

  take(id: number, data: Buffer): void {
    const file = this.files.at(-1);
    if (id === attribute.codepage && data.length >= 4) this.codepage = data.readUInt32LE(0);
    else if (id === attribute.body) this.body ??= this.string8(data);
    else if (id === attribute.properties) this.readProperties(data, (name, value) => this.takeMessage(name, value));
    else if (id === attribute.newFile) this.begin();
    else if (file === undefined) return;
    else if (id === attribute.fileTitle) file.title = this.string8(data);
    else if (id === attribute.fileData) file.bytes = data;
    else if (id === attribute.fileProperties) this.readProperties(data, (name, value) => takeFile(file, name, value));
  }

  private begin(): void {
    if (this.files.length < mostFiles)
      this.files.push({ title: '', longName: '', contentType: '', cid: null, bytes: null });
    else this.isPartial = true;
  }

  private takeMessage(name: number, value: string | Buffer | number): void {
    if (name === property.body && typeof value === 'string') this.body = value;
    else if (name === property.html && typeof value !== 'number') this.html = value;
    else if (name === property.rtf && Buffer.isBuffer(value)) this.rtf = value;
    else if (name === property.htmlCodepage && typeof value === 'number') this.htmlCodepage = value;
  }

  private readProperties(data: Buffer, take: (name: number, value: string | Buffer | number) => void): void {
    try {
      new Properties(data, (bytes) => this.string8(bytes)).each(take);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      // Torn: what stands before the tear was taken.
      this.isPartial = true;
    }
  }

  private string8(bytes: Buffer): string {
    return withoutEnd(decodeText(bytes, charsetOfCodepage(this.codepage), false) ?? bytes.toString('latin1'));
  }

  result(): Tnef {
    const { html } = this;
    const htmlCharset = charsetOfCodepage(this.htmlCodepage ?? this.codepage);
    const readHtml =
      typeof html === 'string' || html === null
        ? html
        : (decodeText(html, htmlCharset, false) ?? html.toString('latin1'));
    const fromRtf = this.rtf === null ? null : unpackRtf(this.rtf, mailLimits.htmlBytes * 4);
    const text = this.body?.trim() ? this.body : fromRtf === null ? null : textOfRtf(fromRtf);
    const attachments = this.files.flatMap((file, index) => {
      if (file.bytes !== null) return [attachmentOf(file, file.bytes, index)];
      this.isPartial = true;
      return [];
    });
    return { text: withWords(text), html: withWords(readHtml), attachments, isPartial: this.isPartial };
  }
}

const withWords = (text: string | null) => (text === null || text.trim() === '' ? null : cleanText(text));

const withoutEnd = (text: string) => text.split('\0', 1)[0] ?? '';

function attachmentOf(file: OpenFile, bytes: Buffer, index: number): InboundAttachment {
  return {
    filename: cleanLine(file.longName || file.title) || `attachment-${index + 1}.bin`,
    contentType: /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(file.contentType)
      ? file.contentType.toLowerCase()
      : 'application/octet-stream',
    bytes,
    cid: file.cid,
    isInline: file.cid !== null,
  };
}

function takeFile(file: OpenFile, name: number, value: string | Buffer | number): void {
  if (name === property.fileData && Buffer.isBuffer(value)) file.bytes ??= value;
  else if (typeof value !== 'string') return;
  else if (name === property.longName) file.longName = value;
  else if (name === property.shortName || name === property.displayName) file.title ||= value;
  else if (name === property.mimeType) file.contentType = value;
  else if (name === property.contentId) file.cid = cleanLine(value) || null;
}

const string8 = 0x1e;
const unicode = 0x1f;
const object = 0x0d;
const binary = 0x102;
const manyValues = 0x1000;
const fixedBytes: Readonly<Record<number, number>> = {
  2: 4,
  3: 4,
  4: 4,
  5: 8,
  6: 8,
  7: 8,
  10: 4,
  11: 4,
  20: 8,
  64: 8,
  72: 16,
};

/** Throws RangeError where the bytes end before a property does. */
class Properties {
  private readonly bytes: Buffer;
  private readonly string8: (bytes: Buffer) => string;
  private at = 0;

  constructor(bytes: Buffer, string8: (bytes: Buffer) => string) {
    this.bytes = bytes;
    this.string8 = string8;
  }

  each(take: (name: number, value: string | Buffer | number) => void): void {
    const count = Math.min(this.number(), mostProperties);
    for (let index = 0; index < count; index++) {
      const kind = this.bytes.readUInt16LE(this.at);
      const name = this.bytes.readUInt16LE(this.at + 2);
      this.at += 4;
      if (name >= 0x8000) this.skipName();
      const value = this.value(kind & ~manyValues, (kind & manyValues) !== 0);
      if (value !== null) take(name, value);
    }
  }

  private skipName(): void {
    this.at += 16;
    const isNumber = this.number() === 0;
    const length = isNumber ? 4 : padded(this.number());
    this.at += length;
  }

  private value(kind: number, isMany: boolean): string | Buffer | number | null {
    const size = fixedBytes[kind];
    if (size !== undefined) {
      const count = isMany ? this.number() : 1;
      const value = kind === 3 && !isMany ? this.bytes.readInt32LE(this.at) : null;
      this.at += count * size;
      return value;
    }
    if (kind !== string8 && kind !== unicode && kind !== object && kind !== binary)
      throw new RangeError('unknown kind');
    let first: Buffer | null = null;
    for (let left = this.number(); left > 0; left--) {
      const length = this.number();
      const end = this.at + length;
      if (end > this.bytes.length) throw new RangeError('torn');
      first ??= this.bytes.subarray(this.at, end);
      this.at += padded(length);
    }
    if (first === null || isMany || kind === object) return null;
    if (kind === unicode) return withoutEnd(first.toString('utf16le'));
    return kind === string8 ? this.string8(first) : first;
  }

  private number(): number {
    const value = this.bytes.readUInt32LE(this.at);
    this.at += 4;
    return value;
  }
}

const padded = (length: number) => Math.ceil(length / 4) * 4;
