// Reads a stored request: parse, classify, fold, sanitise, and write the attachments to disk.

import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { randomSecret, sha256Hex } from '../base/crypto.ts';
import { newUlid } from '../base/ids.ts';
import type { ProviderName } from '../domain/mail/inbound.ts';
import type { SenderChecks } from '../domain/mail/sender-checks.ts';
import { truncate } from '../domain/text.ts';
import {
  extensionOf,
  type FileRules,
  isRefusedProgram,
  megabyte,
  type RefusedFile,
  textWithin,
  typeRefusal,
} from '../domain/tickets/files.ts';
import { asUnavailable } from '../files/blobs.ts';
import { anyType, cleanFilename, namedByContent, programEnding, sniffContentType } from '../files/sniff.ts';
import { isSignature, sealedFile } from '../mail/inbound/attachments.ts';
import { answersSomeMail, type Classified, classifyMail, type OwnMarks } from '../mail/inbound/classify.ts';
import { withoutTags } from '../mail/inbound/html-text.ts';
import {
  forgetLinkSecrets,
  htmlWithoutLinkSecrets,
  sourceWithoutLinkSecrets,
  withoutLinkSecrets,
} from '../mail/inbound/link-secrets.ts';
import type { InboundAttachment, InboundMessage, ReadMessage } from '../mail/inbound/message.ts';
import { type InboundDelivery, readInbound } from '../mail/inbound/providers.ts';
import { sanitiseHtml } from '../mail/inbound/sanitise.ts';
import { type AboveLine, wordsAboveLine } from '../mail/reply/above-line.ts';
import { bodyOf, type FoldedBody, longestBody } from '../mail/reply/body.ts';

export interface StoredInput {
  provider: ProviderName;
  headers: Record<string, string>;
  path: string;
  allowedTopicArns: string[];
  trustedServers: string[];
  senderChecks: SenderChecks | null;
  documents: Record<string, string>;
  fileRules: FileRules;
  /** Under which the site writes. */
  ownNames: string[];
  /** For a message that proved expensive: no HTML, no folding, only the start of the text. */
  isPlain: boolean;
}

export interface ReadMailInput extends StoredInput {
  /** On the disk of the attachments. Null for a dry run, which keeps no files. */
  folder: string | null;
  own: Pick<OwnMarks, 'header' | 'headerValue'>;
  /** An agent released it, so an automatic answer is filed with its attachments. */
  isReleased: boolean;
  now: number;
}

export interface WrittenFile {
  path: string;
  ulid: string;
  filename: string;
  contentType: string;
  size: number;
  sha256: string;
  isUnsaid?: boolean;
}

/** The SNS signature needs this document; the URL was checked to be Amazon's. */
export interface Wanted {
  kind: 'wanted';
  url: string;
}

export type ReadMailOutput =
  | {
      kind: 'message';
      message: ReadMessage;
      classified: Classified;
      folded: FoldedBody;
      /** What stands above the line that the desk's mails to agents begin with. */
      aboveLine: AboveLine | null;
      html: string | null;
      files: WrittenFile[];
      refused: RefusedFile[];
    }
  | Exclude<InboundDelivery, { kind: 'message' }>
  | Wanted;

export const mostFiles = 100;
const mostRefused = 1000;
export const longestWhole = 200_000;
/** Sanitising adds attributes; longer HTML is dropped and the text remains. */
const longestHtml = 1024 * 1024;
const plainBodiesBytes = 64 * 1024;

export async function readMail(input: ReadMailInput): Promise<ReadMailOutput> {
  const read = await openStored(input);
  return read.kind === 'message' ? await classifyAndFold(read.message, input) : read;
}

export async function openStored(input: StoredInput): Promise<InboundDelivery | Wanted> {
  const body = await readFile(input.path);
  let wanted: string | null = null;
  const fetchCertificate = (url: string) => {
    const known = input.documents[url];
    if (known !== undefined) return Promise.resolve(known);
    wanted = url;
    return Promise.reject(new Error('not fetched yet'));
  };
  let read: InboundDelivery;
  try {
    read = await readInbound(
      input.provider,
      { headers: input.headers, body },
      {
        allowedTopicArns: input.allowedTopicArns,
        trustedServers: input.trustedServers,
        senderChecks: input.senderChecks,
        fetchCertificate,
        ...(input.isPlain ? { bodiesBytes: plainBodiesBytes } : {}),
      },
    );
  } catch (error) {
    if (wanted !== null) return { kind: 'wanted', url: wanted };
    throw error;
  }
  return read.kind === 'message' ? { kind: 'message', message: forgetLinkSecrets(read.message) } : read;
}

async function classifyAndFold(message: InboundMessage, input: ReadMailInput): Promise<ReadMailOutput> {
  const classified = classifyMail(message, { ...input.own, isOwnMessageId: () => false });
  const folded = foldedOf(message, input);
  const isKept = classified.kind === 'ordinary' || (input.isReleased && classified.kind === 'automatic');
  const isShown = input.folder !== null;
  const { taken, refused } = isKept && isShown ? await chooseFiles(message, folded, input) : noFiles;
  const ulidOf = new Map(taken.flatMap(({ cid, ulid }) => (cid === null ? [] : [[cid, ulid] as const])));
  // Picture URLs expire, so they are added when the message is shown.
  const html = isShown ? safeHtml(message, input, { cidUrl: () => null, keptAs: (cid) => ulidOf.get(cid) }) : null;
  // Last, so that a message that exceeds its budget leaves no files.
  const files: WrittenFile[] = [];
  if (input.folder !== null) for (const file of taken) files.push(await write(file, input.folder));
  const { text: _text, html: _html, embedded: _embedded, attachments, ...rest } = message;
  return {
    kind: 'message',
    message: { ...rest, attachments: attachments.map(({ filename, isInline }) => ({ filename, isInline })) },
    classified,
    folded: { ...folded, whole: truncate(folded.whole, longestWhole) },
    aboveLine: wordsAboveLine(folded.whole),
    html,
    files,
    refused,
  };
}

export function safeHtml(
  { html }: InboundMessage,
  { isPlain }: StoredInput,
  options: Parameters<typeof sanitiseHtml>[1],
): string | null {
  const safe = html === null || isPlain ? null : sanitiseHtml(html, options).html;
  return safe === null || safe.length > longestHtml ? null : htmlWithoutLinkSecrets(safe);
}

/** What was cleaned on its way in is decoded by now, and a secret may be whole only here. */
export function foldedOf(
  message: InboundMessage,
  { isPlain, ownNames }: Pick<StoredInput, 'isPlain' | 'ownNames'>,
): FoldedBody {
  const folded = isPlain ? plainBody(message) : bodyOf(message, { ownNames, isAnswer: answersSomeMail(message) });
  const sealed = folded.whole === '' ? sealedFile(message.attachments) : null;
  if (sealed !== null) {
    const words = textWithin(nameOf(sealed));
    return { ...folded, body: words, whole: words };
  }
  return { ...folded, body: withoutLinkSecrets(folded.body), whole: withoutLinkSecrets(folded.whole) };
}

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
  isUnsaid?: boolean;
}

const noFiles: { taken: ChosenFile[]; refused: RefusedFile[] } = { taken: [], refused: [] };

async function chooseFiles(
  message: InboundMessage,
  folded: FoldedBody,
  { fileRules, now }: ReadMailInput,
): Promise<typeof noFiles> {
  const taken: ChosenFile[] = [];
  const refused: RefusedFile[] = [];
  const all: Pick<InboundAttachment, 'filename' | 'bytes' | 'cid' | 'isShown'>[] = [...message.attachments];
  // First, so that other attachments cannot crowd it out.
  if (folded.isCut) all.unshift({ filename: 'message.txt', bytes: new TextEncoder().encode(folded.whole), cid: null });
  for (const [at, { filename: given, bytes, cid, isShown }] of all.entries()) {
    const { filename, why } =
      at < mostFiles ? await judgeFile(given, bytes, fileRules) : { filename: nameOf(given), why: 'too many files' };
    const isUnsaid = isShown === true || isSignature(filename);
    if (why === null) {
      const contentType = await typeOf(filename, bytes);
      const file = { ulid: newUlid(now), filename, contentType, bytes: textWithoutLinkSecrets(bytes), cid };
      taken.push(isUnsaid ? { ...file, isUnsaid } : file);
    } else if (!isUnsaid) refused.push({ name: filename, why });
  }
  return { taken, refused: refused.slice(0, mostRefused) };
}

/** Texts and mails that are kept as files quote links too. What has a zero byte is not text. */
const textWithoutLinkSecrets = (bytes: Uint8Array) => (bytes.includes(0) ? bytes : sourceWithoutLinkSecrets(bytes));

const nameOf = (name: string) => cleanFilename(withoutLinkSecrets(name)) || 'unnamed';

/** The name that the file is kept under, or why the site does not keep it. */
export async function judgeFile(
  given: string,
  bytes: Uint8Array,
  rules: FileRules,
): Promise<{ filename: string; why: string | null }> {
  const sent = nameOf(given);
  const filename = (await refusalOf(sent, bytes, rules)) === null ? await namedByContent(bytes, sent) : sent;
  return { filename, why: await refusalOf(filename, bytes, rules) };
}

/** In words; null for a file that the site keeps. */
async function refusalOf(filename: string, bytes: Uint8Array, rules: FileRules): Promise<string | null> {
  if (typeRefusal(filename, rules) !== null) return `.${extensionOf(filename)} files are refused`;
  const program = await programEnding(bytes);
  if (isRefusedProgram(filename, program, rules)) return `a program; .${program} files are refused`;
  if (bytes.length === 0) return 'empty';
  return bytes.length > rules.maxBytes ? `larger than ${rules.maxBytes / megabyte} MB` : null;
}

export const typeOf = async (filename: string, bytes: Uint8Array) =>
  (await sniffContentType(bytes, filename)) ?? anyType;

async function write({ bytes, cid: _cid, ...named }: ChosenFile, folder: string): Promise<WrittenFile> {
  const path = join(folder, randomSecret('part'));
  try {
    await using file = await open(path, 'wx', 0o600);
    await file.writeFile(bytes);
    await file.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw asUnavailable(error);
  }
  return { ...named, path, size: bytes.length, sha256: sha256Hex(bytes) };
}
