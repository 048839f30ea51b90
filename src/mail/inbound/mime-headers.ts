// The header fields of one MIME part, and what they say about its body.

import type { Flow } from './flowed-text.ts';
import { mailLimits } from './limits.ts';

export type Encoding = 'base64' | 'quoted-printable' | 'uuencode' | 'identity';

export type PartHeader = {
  end: number;
  contentType: string;
  boundary: string | null;
  charset: string | null;
  /** Null unless it is text in format=flowed. */
  flow: Flow | null;
  encoding: Encoding;
  disposition: string;
  /** Of a file; empty where none is given. */
  filename: string;
  isMultipart: boolean;
  isReport: boolean;
};

const newline = 0x0a;

export type HeaderField = { name: string; start: number; end: number };

export interface HeaderLines {
  fields: HeaderField[];
  end: number;
  /** Beyond the limits, long fields end early and further ones are left out. */
  isCut: boolean;
}

/** Lines that are not headers are skipped or end the header. */
export function headerLines(raw: Buffer, start: number, isDelimiter: (at: number) => boolean): HeaderLines {
  const fields: HeaderField[] = [];
  let isCut = false;
  let room: number = mailLimits.headerBytes;
  let at = start;
  while (at < raw.length) {
    const end = lineEndAt(raw, at);
    const first = raw[at];
    if (first === newline || (first === 0x0d && end - at === 2)) return { fields, end, isCut };
    if (first === 0x2d && raw[at + 1] === 0x2d && isDelimiter(at)) return { fields, end: at, isCut };
    const last = fields.at(-1);
    const isFolded = first === 0x20 || first === 0x09;
    const name = isFolded ? null : fieldName(raw, at, end);
    if (name !== null) {
      const isLong = end - at > mailLimits.headerLineBytes;
      const field = { name, start: at, end: isLong ? endWithin(raw, at) : end };
      const bytes = field.end - field.start;
      if (fields.length === mailLimits.headersPerPart || bytes > room)
        return { fields, end: blankLineAfter(raw, at), isCut: true };
      fields.push(field);
      room -= bytes;
      isCut ||= isLong;
    } else if (isFolded) {
      const bytes = end - at;
      // Once a line of it is left out, so are those that follow.
      const fits = last?.end === at && end - last.start <= mailLimits.headerLineBytes && bytes <= room;
      if (fits) {
        last.end = end;
        room -= bytes;
      } else isCut ||= last !== undefined;
    } else if (!isFromLine(raw, at) && !isHeaderOrBlank(raw, end)) return { fields, end: at, isCut };
    at = end;
  }
  return { fields, end: raw.length, isCut };
}

/** Between two entries of a list, if it is one: half an address could be another one. Else between two characters. */
function endWithin(raw: Buffer, start: number): number {
  let most = start + mailLimits.headerLineBytes;
  const comma = raw.lastIndexOf(0x2c, most - 1);
  if (comma > start) return comma;
  while ((raw[most] ?? 0) >> 6 === 0b10) most -= 1;
  return most;
}

function blankLineAfter(raw: Buffer, at: number): number {
  const ends = ['\n\n', '\n\r\n'].flatMap((text) => {
    const found = raw.indexOf(text, at);
    return found === -1 ? [] : [found + text.length];
  });
  return Math.min(raw.length, ...ends);
}

function isHeaderOrBlank(raw: Buffer, at: number): boolean {
  if (at >= raw.length) return false;
  const first = raw[at];
  return (
    first === newline ||
    first === 0x0d ||
    first === 0x20 ||
    first === 0x09 ||
    fieldName(raw, at, lineEndAt(raw, at)) !== null
  );
}

function isFromLine(raw: Buffer, at: number): boolean {
  return /^>?From /.test(raw.toString('latin1', at, Math.min(at + 6, raw.length)));
}

function fieldName(raw: Buffer, start: number, end: number): string | null {
  const line = raw.toString('latin1', start, Math.min(end, start + 200));
  const match = /^([!-9;-~]{1,120})[ \t]{0,20}:/.exec(line);
  return match === null ? null : match[1]!.toLowerCase();
}

export function readPart(raw: Buffer, lines: Pick<HeaderLines, 'fields' | 'end'>): PartHeader {
  const value = (name: string) => {
    // The parser uses the last one too.
    const field = lines.fields.findLast((each) => each.name === name);
    if (field === undefined) return '';
    const text = raw.toString('latin1', field.start, field.end);
    return text
      .slice(text.indexOf(':') + 1)
      .replace(/\r?\n/g, '')
      .trim();
  };
  const type = value('content-type');
  const contentType = type.split(/[;\s]/, 1)[0]!.toLowerCase();
  const isMultipart = contentType.startsWith('multipart/');
  const boundary = isMultipart ? parameter(type, 'boundary') : null;
  const disposition = value('content-disposition');
  return {
    end: lines.end,
    contentType,
    boundary: boundary === null || boundary === '' || boundary.length > 250 ? null : boundary,
    charset: parameter(type, 'charset'),
    flow: contentType.startsWith('text/') ? flowOf(type) : null,
    encoding: encodingOf(value('content-transfer-encoding'), isMultipart),
    disposition: disposition.split(/[;\s]/, 1)[0]!.toLowerCase(),
    filename: parameter(disposition, `filename${pieces}`) ?? parameter(type, `name${pieces}`) ?? '',
    isMultipart,
    isReport: contentType === 'multipart/report',
  };
}

/** RFC 2231: a value in another charset, or in pieces. */
const pieces = '(?:\\*\\d{0,3}\\*?)?';

function parameter(value: string, name: string): string | null {
  const match = new RegExp(`;\\s{0,20}${name}\\s{0,20}=\\s{0,20}(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s]*))`, 'i').exec(
    value,
  );
  return match === null ? null : (match[1]?.replace(/\\(.)/g, '$1') ?? match[2] ?? null);
}

function flowOf(type: string): Flow | null {
  const says = (name: string, value: string) => parameter(type, name)?.trim().toLowerCase() === value;
  if (!says('format', 'flowed')) return null;
  return says('delsp', 'yes') ? 'spaces_added' : 'spaces_kept';
}

function encodingOf(value: string, isMultipart: boolean): Encoding {
  const word = value.toLowerCase().replace(/[^a-z0-9-]/g, '');
  if (isMultipart) return 'identity';
  if (word === 'base64') return 'base64';
  if (word === 'quoted-printable' || word === 'quotedprintable') return 'quoted-printable';
  return /^x?-?uu(encode|e)?$/.test(word) ? 'uuencode' : 'identity';
}

export function lineEndAt(raw: Buffer, start: number): number {
  const found = raw.indexOf(newline, start);
  return found === -1 ? raw.length : found + 1;
}
