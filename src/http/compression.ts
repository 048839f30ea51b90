// Compresses JSON answers (docs/spec/api.md#conventions) and the pages that the desk writes itself.

import { pipeline, Readable, type Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import { encodingFor } from './pages/negotiate.ts';
import { type Reply, toResponse } from './wire/respond.ts';

const leastBytes = 1024;

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);
// Higher levels take much longer for a few percent.
const quality = { [constants.BROTLI_PARAM_QUALITY]: 4 };
const gzipLevel = { level: 6 };
const compress = {
  br: (body: string) => toBrotli(body, { params: quality }),
  gzip: (body: string) => toGzip(body, gzipLevel),
};
// A client may take its time, and each coder takes two megabytes with a window of 256 KiB. Further answers are sent as they are.
const mostCoders = 32;
let openCoders = 0;
const coders = {
  br: () => createBrotliCompress({ params: { ...quality, [constants.BROTLI_PARAM_LGWIN]: 18 } }),
  gzip: () => createGzip(gzipLevel),
};

/** What another site had the browser ask for stays as it is: the length would tell what the text has in common with the URL. */
const isAskedElsewhere = (headers: Headers) =>
  ['cross-site', 'same-site'].includes(headers.get('sec-fetch-site') ?? '');

export async function compressedResponse(reply: Reply, asked: Headers): Promise<Response> {
  const type = reply.headers['Content-Type'];
  const isJson = type === undefined || type.startsWith('application/json');
  return isJson ? await compressedText(reply, asked) : toResponse(reply);
}

const encodingOf = (asked: Headers) =>
  isAskedElsewhere(asked) ? 'identity' : encodingFor(asked.get('accept-encoding') ?? undefined, () => true);

const encodedHeaders = (headers: Record<string, string>, encoding: string) => ({
  'Content-Type': 'application/json; charset=utf-8',
  ...headers,
  Vary: 'Accept-Encoding',
  ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
});

export async function compressedText(reply: Reply, asked: Headers): Promise<Response> {
  if (Buffer.byteLength(reply.body) < leastBytes) return toResponse(reply);
  const encoding = encodingOf(asked);
  const body = encoding === 'identity' ? reply.body : await compress[encoding](reply.body);
  return new Response(body, { status: reply.status, headers: encodedHeaders(reply.headers, encoding) });
}

export function compressedStream(text: Readable, headers: Record<string, string>, asked: Headers): Response {
  const encoding = openCoders < mostCoders ? encodingOf(asked) : 'identity';
  const body = encoding === 'identity' ? text : encoded(text, coders[encoding]());
  return new Response(Readable.toWeb(body) as unknown as ReadableStream, {
    headers: encodedHeaders(headers, encoding),
  });
}

function encoded(text: Readable, coder: Transform): Readable {
  openCoders += 1;
  return pipeline(text, coder, () => {
    openCoders -= 1;
  });
}
