// Compresses JSON answers (docs/spec/api.md#conventions) and the pages that the desk writes itself.

import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { encodingFor } from './pages/negotiate.ts';
import { type Reply, toResponse } from './wire/respond.ts';

const leastBytes = 1024;

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);
// Higher levels take much longer for a few percent.
const compress = {
  br: (body: string) => toBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (body: string) => toGzip(body, { level: 6 }),
};

/** What another site had the browser ask for stays as it is: the length would tell what the text has in common with the URL. */
const isAskedElsewhere = (headers: Headers) =>
  ['cross-site', 'same-site'].includes(headers.get('sec-fetch-site') ?? '');

export async function compressedResponse(reply: Reply, asked: Headers): Promise<Response> {
  const type = reply.headers['Content-Type'];
  const isJson = type === undefined || type.startsWith('application/json');
  return isJson ? await compressedText(reply, asked) : toResponse(reply);
}

export async function compressedText(reply: Reply, asked: Headers): Promise<Response> {
  if (Buffer.byteLength(reply.body) < leastBytes) return toResponse(reply);
  const encoding = isAskedElsewhere(asked)
    ? 'identity'
    : encodingFor(asked.get('accept-encoding') ?? undefined, () => true);
  const headers = { ...reply.headers, Vary: 'Accept-Encoding' };
  if (encoding === 'identity') return toResponse({ ...reply, headers });
  const bytes = await compress[encoding](reply.body);
  return new Response(bytes, {
    status: reply.status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers, 'Content-Encoding': encoding },
  });
}
