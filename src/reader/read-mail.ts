// A provider's request as the desk files it: parsed, classified, folded, made safe to show, its files written to the disk.

import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { randomSecret, sha256Hex } from '../base/crypto.ts';
import { newUlid } from '../base/ids.ts';
import { DeskError } from '../domain/errors.ts';
import type { ProviderName } from '../domain/inbound.ts';
import { truncate } from '../domain/text.ts';
import { asUnavailable } from '../files/blobs.ts';
import { cleanFilename, maxAttachmentBytes, requireAllowedName, sniffContentType } from '../files/sniff.ts';
import { type Classified, classifyMail, type OwnMarks } from '../mail/inbound/classify.ts';
import { withoutTags } from '../mail/inbound/html-text.ts';
import type { InboundMessage, ReadMessage } from '../mail/inbound/message.ts';
import { type InboundDelivery, readInbound } from '../mail/inbound/providers.ts';
import { sanitiseHtml } from '../mail/inbound/sanitise.ts';
import { bodyOf, type FoldedBody, longestBody } from '../mail/reply/body.ts';

export interface ReadMailInput {
  provider: ProviderName;
  headers: Record<string, string>;
  /** The stored request. */
  path: string;
  /** Where files are written, on the disk of the attachments; null for a dry run, which keeps none. */
  folder: string | null;
  allowedTopicArns: string[];
  trustedServers: string[];
  /** Documents that were asked for before, by address. */
  documents: Record<string, string>;
  own: Pick<OwnMarks, 'header' | 'headerValue'>;
  /** An automatic answer that somebody has released is filed, with its files. */
  isReleased: boolean;
  /** Reads as little as will do: no HTML, no folding, the beginning of the text. */
  isPlain: boolean;
  /** For the names of files. */
  now: number;
}

/** A file on the disk under a temporary name. */
export interface WrittenFile {
  path: string;
  /** The name under which it is to be kept. */
  ulid: string;
  filename: string;
  contentType: string;
  size: number;
  sha256: string;
}

export type ReadMailOutput =
  | {
      kind: 'message';
      message: ReadMessage;
      classified: Classified;
      folded: FoldedBody;
      /** Sanitised. */
      html: string | null;
      files: WrittenFile[];
      /** Names of files that are not taken. */
      refused: string[];
    }
  | Exclude<InboundDelivery, { kind: 'message' }>
  /** A signature needs a document from an address that was checked to be Amazon's. */
  | { kind: 'wanted'; url: string };

/** Of one message; each is synced to the disk before the next. */
const mostFiles = 100;
const mostRefused = 1000;
/** As the desk keeps of a folded message. */
const longestWhole = 200_000;
/** Sanitising adds attributes: what grows beyond this is kept as text alone. */
const longestHtml = 1024 * 1024;
const plainBodiesBytes = 64 * 1024;

export async function readMail(input: ReadMailInput): Promise<ReadMailOutput> {
  const body = await readFile(input.path);
  let wanted: string | null = null;
  const fetchCertificate = (url: string) => {
    const known = input.documents[url];
    if (known !== undefined) return Promise.resolve(known);
    wanted = url;
    return Promise.reject(new Error('to be fetched'));
  };
  let read: InboundDelivery;
  try {
    read = await readInbound(
      input.provider,
      { headers: input.headers, body },
      {
        allowedTopicArns: input.allowedTopicArns,
        trustedServers: input.trustedServers,
        fetchCertificate,
        ...(input.isPlain ? { bodiesBytes: plainBodiesBytes } : {}),
      },
    );
  } catch (error) {
    if (wanted !== null) return { kind: 'wanted', url: wanted };
    throw error;
  }
  return read.kind === 'message' ? await understood(read.message, input) : read;
}

async function understood(message: InboundMessage, input: ReadMailInput): Promise<ReadMailOutput> {
  // Which Message-IDs the desk gave out is known to the desk alone, which asks itself before it files.
  const classified = classifyMail(message, { ...input.own, isOwnMessageId: () => false });
  const folded = input.isPlain ? plainBody(message) : bodyOf(message);
  const isKept = classified.kind === 'ordinary' || (input.isReleased && classified.kind === 'automatic');
  const isShown = input.folder !== null;
  const { taken, refused } = isKept && isShown ? await chooseFiles(message, folded, input.now) : noFiles;
  const ulidOf = new Map(taken.flatMap(({ cid, ulid }) => (cid === null ? [] : [[cid, ulid] as const])));
  const html =
    message.html === null || input.isPlain || !isShown
      ? null
      : // The address of a picture is short-lived: it is put in when the message is shown.
        sanitiseHtml(message.html, { cidUrl: () => null, keptAs: (cid) => ulidOf.get(cid) }).html;
  // Last, so that a message that costs too much leaves nothing on the disk.
  const files: WrittenFile[] = [];
  if (input.folder !== null) for (const file of taken) files.push(await write(file, input.folder));
  const { text: _text, html: _html, embedded: _embedded, attachments, ...rest } = message;
  return {
    kind: 'message',
    message: { ...rest, attachments: attachments.map(({ filename, isInline }) => ({ filename, isInline })) },
    classified,
    folded: { ...folded, whole: truncate(folded.whole, longestWhole) },
    html: html === null || html.length > longestHtml ? null : html,
    files,
    refused,
  };
}

/** The beginning of the text, else of what stands between the tags of the HTML. */
function plainBody({ text, html }: InboundMessage): FoldedBody {
  const words = (text ?? '').trim() || withoutTags((html ?? '').slice(0, plainBodiesBytes));
  const whole = words.slice(0, plainBodiesBytes).replaceAll('\r\n', '\n').trim();
  return {
    body: whole.slice(0, longestBody).toWellFormed(),
    whole,
    foldedAway: false,
    isCut: whole.length > longestBody,
  };
}

interface ChosenFile {
  ulid: string;
  filename: string;
  contentType: string;
  bytes: Uint8Array;
  cid: string | null;
}

const noFiles: { taken: ChosenFile[]; refused: string[] } = { taken: [], refused: [] };

/** Which attachments are taken; the others are named. */
async function chooseFiles(message: InboundMessage, folded: FoldedBody, now: number): Promise<typeof noFiles> {
  const taken: ChosenFile[] = [];
  const refused: string[] = [];
  const all = message.attachments.map(({ filename, bytes, cid }) => ({ name: filename, bytes, cid }));
  // First, so that no number of files crowds out what was said.
  if (folded.isCut) all.unshift({ name: 'message.txt', bytes: new TextEncoder().encode(folded.whole), cid: null });
  for (const [at, { name, bytes, cid }] of all.entries()) {
    const filename = cleanFilename(name ?? '') || 'unnamed';
    const contentType = at < mostFiles ? await typeOf(filename, bytes) : null;
    if (contentType === null) refused.push(filename);
    else taken.push({ ulid: newUlid(now), filename, contentType, bytes, cid });
  }
  return { taken, refused: refused.slice(0, mostRefused) };
}

/** Null where such a file is not taken. */
async function typeOf(filename: string, bytes: Uint8Array): Promise<string | null> {
  if (bytes.length === 0 || bytes.length > maxAttachmentBytes) return null;
  try {
    requireAllowedName(filename);
    return await sniffContentType(bytes, filename);
  } catch (error) {
    if (!(error instanceof DeskError)) throw error;
    return null;
  }
}

async function write({ bytes, cid: _cid, ...named }: ChosenFile, folder: string): Promise<WrittenFile> {
  const path = join(folder, randomSecret('part'));
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    await rm(path, { force: true });
    throw asUnavailable(error);
  }
  return { ...named, path, size: bytes.length, sha256: sha256Hex(bytes) };
}
