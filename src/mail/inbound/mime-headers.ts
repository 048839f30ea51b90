// The header fields of one MIME part, and what they say about its body.

import type { Flow } from './flowed-text.ts';
import { mailLimits, tooMuch } from './limits.ts';

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

/** Lines that are not headers are skipped or end the header. */
export function headerLines(
  raw: Buffer,
  start: number,
  isDelimiter: (at: number) => boolean,
): { fields: HeaderField[]; end: number } {
  const fields: HeaderField[] = [];
  let at = start;
  while (at < raw.length) {
    const end = lineEndAt(raw, at);
    if (end - start > mailLimits.headerBytes) throw tooMuch('headers_too_large', 'The headers are larger than 512 KB.');
    const first = raw[at];
    if (first === newline || (first === 0x0d && end - at === 2)) return { fields, end };
    if (first === 0x2d && raw[at + 1] === 0x2d && isDelimiter(at)) return { fields, end: at };
    const last = fields.at(-1);
    const name = fieldName(raw, at, end);
    if (name !== null) fields.push({ name, start: at, end });
    else if (first === 0x20 || first === 0x09) {
      if (last !== undefined) last.end = end;
    } else if (!isFromLine(raw, at) && !isHeaderOrBlank(raw, end)) return { fields, end: at };
    const field = fields.at(-1);
    if (field !== undefined && field.end - field.start > mailLimits.headerLineBytes) {
      throw tooMuch('header_line_too_long', `A header is longer than ${mailLimits.headerLineBytes / 1024} KB.`);
    }
    if (fields.length > mailLimits.headersPerPart) return { fields, end };
    at = end;
  }
  return { fields, end: raw.length };
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

export function readPart(raw: Buffer, lines: { fields: HeaderField[]; end: number }): PartHeader {
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
