// Writes the file of a multipart body to disk as it arrives.

import type { Readable } from 'node:stream';
import busboy, { type BusboyHeaders } from '@fastify/busboy';
import { createGate } from '../base/gate.ts';
import { DeskError, invalid } from '../domain/errors.ts';
import { extensionOf, type FileRules, isRefusedProgram, megabyte, typeRefusal } from '../domain/tickets/files.ts';
import type { Blobs, Staged } from '../files/blobs.ts';
import { anyType, cleanFilename, programEnding, sniffContentType } from '../files/sniff.ts';
import { chunksOf, declaredBytes, mostDropMs, strangersPatience } from './body.ts';
import { memberOf, type Stranger } from './body-gates.ts';
import type { Call } from './operation.ts';

// Larger than any file, so that a slightly too large file gets a 422 on its field (docs/spec/api.md#errors).
export const mostUploadBytes = ({ maxBytes }: Pick<FileRules, 'maxBytes'>) => maxBytes + 6 * megabyte;
// Each file is in memory meanwhile.
const sniffing = createGate({
  atOnce: 2,
  waiting: 64,
  waitMs: 30_000,
  refusal: () =>
    new DeskError('unavailable', 'Too many files at the same time. Send it again later.', { retryAfterSeconds: 5 }),
});
const sliceBytes = 32 * 1024;

export interface Upload {
  staged: Staged;
  filename: string;
  contentType: string;
  fields: Record<string, string>;
}

/**
 * On any error, nothing stays on the disk.
 * @param stranger who sends it without an account; null of everyone else
 */
export async function receiveUpload(call: Call, rules: FileRules, stranger: Stranger | null): Promise<Upload> {
  const { request, edge } = call;
  const type = call.header('content-type') ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type)) {
    throw new DeskError('unsupported', 'Send the file as multipart/form-data under the key "file".');
  }
  const mostBytes = mostUploadBytes(rules);
  const tooLarge = () => new DeskError('too_large', `A request with a file can have at most ${mostBytes} bytes.`);
  // Nothing of it is wanted: it is dropped, and refused.
  if (declaredBytes(request) > mostBytes) for await (const _ of chunksOf(request, 0, tooLarge));
  const places = stranger === null ? null : edge.gates.uploadsAt[stranger.by](stranger.siteId);
  const patience = places === null ? {} : { ...strangersPatience, crowding: places.takenShare };
  const read = () =>
    parseMultipart(chunksOf(request, mostBytes, tooLarge, patience), { 'content-type': type }, edge.blobs, rules);
  const parsed = await enter(call, stranger, read);
  if (!parsed.file) throw fileError('is required.');
  const { staged, filename } = parsed.file;
  try {
    if (staged.size === 0) throw fileError('is an empty file.');
    const program = await programEnding(staged.path);
    if (isRefusedProgram(filename, program, rules))
      throw refusedType(`must not be a program, whatever its name (.${program}).`, rules);
    const contentType = await sniffing.pass('', () => sniffContentType(staged.path, filename));
    // From agents a file is kept whatever it is. Browsers only save what is not what its name says.
    if (contentType === null && rules.types !== null)
      throw fileError(`must have the content that its extension (.${extensionOf(filename)}) promises.`);
    return { staged, filename, contentType: contentType ?? anyType, fields: parsed.fields };
  } catch (error) {
    await staged.discard();
    throw error;
  }
}

/** Many addresses with one ticket have no more places than one address, and one address with many tickets has no more than one ticket. */
function enter<T>({ actor, guesser, edge }: Call, stranger: Stranger | null, read: () => Promise<T>): Promise<T> {
  const { uploads, uploadsAt } = edge.gates;
  if (stranger === null) {
    const { crowd, name } = memberOf(actor);
    return uploads[crowd].pass(name, read);
  }
  const { by, siteId, ticketId } = stranger;
  const names = [guesser.network, `ticket:${ticketId}`];
  // Who waits for a place at a site has none of those of all sites.
  return uploadsAt[by](siteId).pass(names, () => uploads[by].pass(names, read));
}

function asFieldError(error: unknown, { maxBytes }: FileRules): unknown {
  return error instanceof DeskError && error.code === 'too_large'
    ? fileError(`must have at most ${maxBytes} bytes.`)
    : error;
}

const fileError = (message: string, reason?: string) => invalid('file', message, reason);

const refusedType = (message: string, { refused }: FileRules) =>
  fileError(`${message} This site refuses programs and scripts: ${refused.join(', ')}.`, 'attachment_type_refused');

interface Parsed {
  file: { staged: Staged; filename: string } | null;
  fields: Record<string, string>;
}

async function parseMultipart(
  body: AsyncIterable<Uint8Array>,
  headers: BusboyHeaders,
  blobs: Blobs,
  rules: FileRules,
): Promise<Parsed> {
  const refused = Promise.withResolvers<never>();
  let isRefused = false;
  let isOver = false;
  refused.promise.catch(() => {
    isRefused = true;
  });
  const parser = parserOf(headers);
  const fields: Record<string, string> = {};
  let staging: Promise<{ staged: Staged; filename: string }> | null = null;
  let arriving: Readable | null = null;

  const refuse = (error: DeskError) => () => refused.reject(error);
  parser.on('error', refuse(new DeskError('malformed', 'The multipart body is malformed.')));
  parser.on('filesLimit', refuse(fileError('must be a single file.')));
  parser.on('partsLimit', refuse(new DeskError('malformed', 'The multipart body has too many parts.')));
  parser.on('fieldsLimit', refuse(new DeskError('malformed', 'The multipart body has too many fields.')));
  parser.on('field', (name, value) => {
    if (!Object.hasOwn(fields, name) && name !== '__proto__') fields[name] = value;
  });
  parser.on('file', (name, stream, rawName) => {
    // The reader of the stream gets the error too; without this listener it would end the process.
    stream.on('error', () => undefined);
    try {
      if (name !== 'file') throw fileError('is required.');
      const filename = nameOf(rawName, rules);
      arriving = stream;
      staging = blobs.stage(stream, rules.maxBytes).then(
        (staged) => ({ staged, filename }),
        (error) => {
          throw asFieldError(error, rules);
        },
      );
      staging.catch(refused.reject);
    } catch (error) {
      stream.resume();
      refused.reject(error);
    }
  });
  const finished = new Promise<void>((resolve) => parser.on('finish', () => resolve()));

  async function feed(): Promise<Parsed> {
    for await (const chunk of body) {
      if (isOver) break;
      // What follows a refusal is dropped, so that the client sees the answer.
      for (let at = 0; at < chunk.length && !isRefused; at += sliceBytes) {
        const isRoom = parser.write(chunk.subarray(at, at + sliceBytes));
        const next = new Promise((resolve) => (isRoom ? setImmediate(resolve) : parser.once('drain', resolve)));
        await Promise.race([next, refused.promise]).catch(() => undefined);
      }
    }
    if (isRefused) return await refused.promise;
    parser.end();
    await Promise.race([finished, refused.promise]);
    return { file: staging ? await staging : null, fields };
  }

  const fed = feed();
  try {
    return await Promise.race([fed, refused.promise]);
  } catch (error) {
    parser.destroy();
    (arriving as Readable | null)?.destroy(new Error('the body failed'));
    const started = staging as Promise<{ staged: Staged }> | null;
    await started?.then(
      ({ staged }) => staged.discard(),
      () => undefined,
    );
    await settled(fed, mostDropMs);
    isOver = true;
    throw error;
  }
}

async function settled(work: Promise<unknown>, atMostMs: number): Promise<void> {
  const over = Promise.withResolvers<null>();
  const timer = setTimeout(() => over.resolve(null), atMostMs);
  await Promise.race([work.catch(() => undefined), over.promise]);
  clearTimeout(timer);
}

function parserOf(headers: BusboyHeaders): ReturnType<typeof busboy> {
  try {
    return busboy({
      headers,
      limits: {
        files: 1,
        fields: 10,
        fieldSize: 4096,
        parts: 12,
        headerPairs: 50,
        headerSize: 8192,
        fieldNameSize: 200,
      },
    });
  } catch {
    throw new DeskError('malformed', 'The Content-Type has no multipart boundary.');
  }
}

/** Removes quotes and line breaks, which browsers escape this way (WHATWG, multipart/form-data). */
function nameOf(raw: string | undefined, rules: FileRules): string {
  const filename = cleanFilename((raw ?? '').replace(/%(?:22|0a|0d)/gi, ''));
  if (filename === '') throw fileError('must have a file name.');
  const refusal = typeRefusal(filename, rules);
  if (refusal === 'not_listed')
    throw fileError(`must have one of these extensions: ${(rules.types ?? []).join(', ')}.`);
  if (refusal === 'refused') throw refusedType(`must not be a .${extensionOf(filename)} file.`, rules);
  return filename;
}
