// One file out of a multipart body, written to disk while it arrives.

import { Readable } from 'node:stream';
import busboy, { type BusboyHeaders } from '@fastify/busboy';
import { DeskError } from '../domain/errors.ts';
import type { Blobs, Staged } from '../files/blobs.ts';
import { cleanFilename, fileError, maxAttachmentBytes, requireAllowedName, sniffContentType } from '../files/sniff.ts';
import type { Call } from './call.ts';

// The file, its boundaries and a few short fields.
const maxBodyBytes = maxAttachmentBytes + 64 * 1024;
// A client that sends nothing for this long has gone.
const stallMs = 30_000;

export interface Upload {
  staged: Staged;
  filename: string;
  contentType: string;
  fields: Record<string, string>;
}

/** Reads the body; on any error nothing of it stays on the disk. */
export async function receiveUpload(call: Call): Promise<Upload> {
  const { request, edge } = call;
  const type = call.header('content-type') ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type)) {
    throw new DeskError('unsupported', 'Send the file as multipart/form-data under the key "file".');
  }
  if (Number(call.header('content-length') ?? 0) > maxBodyBytes) throw tooLarge();
  if (request.body === null) throw fileError('is required.');
  const parsed = await parseMultipart(request.body, { 'content-type': type }, edge.blobs);
  if (!parsed.file) throw fileError('is required.');
  const { staged, filename } = parsed.file;
  try {
    if (staged.size === 0) throw fileError('is an empty file.');
    return { staged, filename, contentType: await sniffContentType(staged.path, filename), fields: parsed.fields };
  } catch (error) {
    await staged.discard();
    throw error;
  }
}

function tooLarge(): DeskError {
  return new DeskError('too_large', `A file may have ${maxAttachmentBytes} bytes at most.`, {
    reason: 'attachment_too_large',
  });
}

interface Parsed {
  file: { staged: Staged; filename: string } | null;
  fields: Record<string, string>;
}

function parseMultipart(body: ReadableStream<Uint8Array>, headers: BusboyHeaders, blobs: Blobs): Promise<Parsed> {
  return new Promise((resolve, reject) => {
    const source = Readable.fromWeb(body as never);
    let parser: ReturnType<typeof busboy>;
    try {
      parser = busboy({
        headers,
        limits: { files: 1, fields: 10, fieldSize: 4096, parts: 12, headerPairs: 50, fieldNameSize: 200 },
      });
    } catch {
      source.destroy();
      reject(new DeskError('malformed', 'The multipart body names no boundary.'));
      return;
    }
    const fields: Record<string, string> = {};
    let staging: Promise<{ staged: Staged; filename: string }> | null = null;
    let arriving: Readable | null = null;
    let isSettled = false;
    const stall = setTimeout(() => fail(new DeskError('malformed', 'The body stopped before its end.')), stallMs);

    function fail(error: unknown) {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(stall);
      source.unpipe(parser);
      source.destroy();
      // The file that was arriving ends here, and what was staged of it goes before the refusal is answered.
      arriving?.destroy(new Error('the body failed'));
      parser.destroy();
      const discarded = staging?.then(
        ({ staged }) => staged.discard(),
        () => undefined,
      );
      Promise.resolve(discarded).then(
        () => reject(error),
        () => reject(error),
      );
    }

    source.on('data', () => stall.refresh());
    source.on('error', () => fail(new DeskError('malformed', 'The body could not be read to its end.')));
    parser.on('error', () => fail(new DeskError('malformed', 'The multipart body is malformed.')));
    parser.on('filesLimit', () => fail(fileError('may have one file at a time.')));
    parser.on('partsLimit', () => fail(new DeskError('malformed', 'The multipart body has too many parts.')));
    parser.on('fieldsLimit', () => fail(new DeskError('malformed', 'The multipart body has too many fields.')));
    parser.on('field', (name, value) => {
      if (!Object.hasOwn(fields, name) && name !== '__proto__') fields[name] = value;
    });
    parser.on('file', (name, stream, rawName) => {
      if (name !== 'file') {
        fail(fileError('is required.'));
        return;
      }
      // Browsers write a quote and a line break so (WHATWG, multipart/form-data); neither is kept in a name.
      const filename = cleanFilename((rawName ?? '').replace(/%(?:22|0a|0d)/gi, ''));
      try {
        if (filename === '') throw fileError('must have a file name.');
        requireAllowedName(filename);
      } catch (error) {
        stream.resume();
        fail(error);
        return;
      }
      arriving = stream;
      // Whoever reads the stream is told; without a listener of its own an error here would end the process.
      stream.on('error', () => undefined);
      staging = blobs.stage(stream, maxAttachmentBytes).then((staged) => ({ staged, filename }));
      staging.catch(fail);
    });
    parser.on('finish', async () => {
      if (isSettled) return;
      try {
        const file = staging ? await staging : null;
        if (isSettled) return;
        isSettled = true;
        clearTimeout(stall);
        resolve({ file, fields });
      } catch (error) {
        fail(error);
      }
    });
    source.pipe(parser);
  });
}
