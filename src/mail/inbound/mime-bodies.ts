// The bodies of a message's parts: how much of one stays in the message, and what one that was taken out says.

import { mailLimits } from './limits.ts';
import type { Encoding, PartHeader } from './mime-headers.ts';
import { decodeBase64, decodeQuotedPrintable } from './transfer-encoding.ts';

/** `token` replaces the body; a text whose start stays in the message has none. */
export type TakenBody = {
  token: string | null;
  contentType: string;
  charset: string | null;
  encoding: Encoding;
  bytes: Buffer;
};

const newline = 0x0a;

export function decodeBody(body: Pick<TakenBody, 'encoding' | 'bytes'>): Buffer {
  if (body.encoding === 'base64') return decodeBase64(body.bytes);
  if (body.encoding === 'quoted-printable') return decodeQuotedPrintable(body.bytes);
  return body.bytes;
}

export function isTextPart(part: PartHeader): boolean {
  return part.disposition !== 'attachment' && /^(text\/(plain|html))?$/.test(part.contentType);
}

export function mostBytesOf(part: PartHeader): number {
  if (!isTextPart(part)) return mailLimits.smallBodyBytes;
  return part.contentType === 'text/html' ? mailLimits.htmlBytes : mailLimits.textBytes;
}

export function withoutLineBreak(raw: Buffer, start: number, end: number): number {
  if (end > start && raw[end - 1] === newline) return end > start + 1 && raw[end - 2] === 0x0d ? end - 2 : end - 1;
  return end;
}

/** Ends at a line break where possible, so that no escape or character is cut. */
export function beginningOf(body: Buffer, most: number, encoding: Encoding): Buffer {
  const lastBreak = body.subarray(0, most).lastIndexOf(newline);
  if (lastBreak > most / 2) return body.subarray(0, lastBreak + 1);
  return body.subarray(0, encoding === 'base64' ? most - (most % 4) : most);
}

export function linesUpTo(body: Buffer, mostBytes: number, mostLines: number): { end: number; lines: number } {
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
