// What people see of a stored message before they decide about it: its words, headers and files, or one of the files.

import { open } from 'node:fs/promises';
import { truncate } from '../domain/text.ts';
import { imageTypes } from '../domain/tickets/files.ts';
import { asUnavailable } from '../files/blobs.ts';
import type { InboundMessage } from '../mail/inbound/message.ts';
import type { InboundDelivery } from '../mail/inbound/providers.ts';
import {
  foldedOf,
  judgeFile,
  longestWhole,
  mostFiles,
  openStored,
  type StoredInput,
  safeHtml,
  typeOf,
  type Wanted,
} from './read-mail.ts';

export interface ShowMailInput extends StoredInput {
  /** Small pictures that belong to the HTML become part of it. */
  hasPictures: boolean;
  file: { at: number; target: string } | null;
}

export interface ShownFile {
  filename: string;
  /** By its content; null for a file that the site refuses. */
  contentType: string | null;
  size: number;
}

type Shown = 'from' | 'replyTo' | 'to' | 'cc' | 'envelope' | 'date' | 'verdict' | 'spamScore';

export interface ShownMail extends Pick<InboundMessage, Shown> {
  headers: { name: string; value: string }[];
  text: string;
  html: string | null;
  files: ShownFile[];
  /** There is more text, or more headers, than this. */
  isCut: boolean;
}

export type ShowMailOutput =
  | { kind: 'message'; mail: ShownMail }
  | { kind: 'file'; file: ShownFile | null }
  | Exclude<InboundDelivery, { kind: 'message' }>
  | Wanted;

const mostHeaderCharacters = 100_000;
const picturesBytes = 512 * 1024;

export async function showMail(input: ShowMailInput): Promise<ShowMailOutput> {
  const read = await openStored(input);
  if (read.kind !== 'message') return read;
  const { message } = read;
  if (input.file !== null) return { kind: 'file', file: await writeFile(message, input.file, input) };
  return { kind: 'message', mail: await shown(message, input) };
}

async function shown(message: InboundMessage, input: ShowMailInput): Promise<ShownMail> {
  const { from, replyTo, to, cc, envelope, date, verdict, spamScore } = message;
  const { whole } = foldedOf(message, input);
  const text = truncate(whole, longestWhole);
  const { headers, hasMore } = headerLines(message);
  const files: ShownFile[] = [];
  for (const at of message.attachments.keys()) files.push(await fileOf(message, at, input));
  const plainHtml = () => safeHtml(message, input, { cidUrl: () => null });
  const withPictures = () => safeHtml(message, input, { cidUrl: picturesOf(message, files) });
  return {
    ...{ from, replyTo, to, cc, envelope, date, verdict, spamScore, headers, text, files },
    html: (input.hasPictures ? withPictures() : null) ?? plainHtml(),
    isCut: input.isPlain || message.isCut || hasMore || text.length < whole.length,
  };
}

function headerLines({ headers }: InboundMessage) {
  let left = mostHeaderCharacters;
  const all = Object.entries(headers).flatMap(([name, values]) => values.map((value) => ({ name, value })));
  const kept = all.filter(({ name, value }) => {
    left -= name.length + value.length;
    return left >= 0;
  });
  return { headers: kept, hasMore: kept.length < all.length };
}

async function fileOf({ attachments }: InboundMessage, at: number, { fileRules }: ShowMailInput): Promise<ShownFile> {
  const { filename: given = '', bytes = new Uint8Array() } = attachments[at] ?? {};
  const { filename, why } = await judgeFile(given, bytes, fileRules);
  const isKept = at < mostFiles && why === null;
  return { filename, contentType: isKept ? await typeOf(filename, bytes) : null, size: bytes.length };
}

function picturesOf({ attachments }: InboundMessage, files: readonly ShownFile[]): (cid: string) => string | null {
  let left = picturesBytes;
  const urls = new Map<string, string>();
  for (const [at, { cid, bytes }] of attachments.entries()) {
    const type = files[at]?.contentType ?? '';
    if (cid === null || !imageTypes.includes(type) || bytes.length > left) continue;
    left -= bytes.length;
    urls.set(cid, `data:${type};base64,${Buffer.from(bytes).toString('base64')}`);
  }
  return (cid) => {
    const url = urls.get(cid) ?? null;
    // Shown once: a mail could name one picture a thousand times.
    urls.delete(cid);
    return url;
  };
}

/** Null when there is no such file, or the site refuses it. */
async function writeFile(
  message: InboundMessage,
  { at, target }: { at: number; target: string },
  input: ShowMailInput,
) {
  const attachment = message.attachments[at];
  const file = await fileOf(message, at, input);
  if (attachment === undefined || file.contentType === null) return null;
  try {
    await using written = await open(target, 'wx', 0o600);
    await written.writeFile(attachment.bytes);
  } catch (error) {
    throw asUnavailable(error);
  }
  return file;
}
