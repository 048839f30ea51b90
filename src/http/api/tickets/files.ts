// Attachments by their signed links, with ranges (docs/spec/api.md#attachments).

import * as z from 'zod';
import { linkedFile } from '../../../desk/tickets/attachments.ts';
import { DeskError, notFound } from '../../../domain/errors.ts';
import { imageTypes, pdfType, withheld } from '../../../domain/tickets/files.ts';
import { thumbnailType } from '../../../files/thumbnails.ts';
import { answered, type Operation, operation } from '../../operation.ts';
import * as query from '../../wire/queries.ts';
import { isKnown } from '../../wire/respond.ts';

const linkQuery = z.object({
  expires: z.string().max(20).optional(),
  ticket: z.string().max(20).optional(),
  signature: z.string().max(100).optional(),
  view: query.boolean().optional().meta({
    description: 'Whether a PDF is shown by the browser, also in a frame of the desk, instead of downloaded.',
  }),
  thumbnail: query.boolean().optional().meta({
    description:
      'Of a picture, whether a copy of at most 320 pixels each way is enough (image/webp). Where there is none, such as for other files or on Node, the answer is the whole file.',
  }),
});

export const sandbox = "default-src 'none'; sandbox";
// Browsers start no viewer of PDFs in a sandbox. The viewer is a page of the browser's own.
const viewerPolicy = "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'self'";

/** RFC 6266: an ASCII name for old clients, and the full name in UTF-8. */
export function disposition(kind: string, filename: string): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

export function parseRange(
  header: string | undefined,
  size: number,
): { start: number; end: number } | null | 'unsatisfiable' {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return null;
  if (match[1] === '') {
    const length = Number(match[2]);
    return length === 0 ? 'unsatisfiable' : { start: Math.max(0, size - length), end: size - 1 };
  }
  const start = Number(match[1]);
  const end = match[2] === '' ? size - 1 : Math.min(Number(match[2]), size - 1);
  if (match[2] !== '' && Number(match[2]) < start) return null;
  return start >= size ? 'unsatisfiable' : { start, end };
}

export const fileOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/api/v1/attachments/{ulid}',
    id: 'downloadAttachment',
    tag: 'Attachments',
    summary: 'Download an attachment',
    description: 'The link is signed and expires. Read the ticket to get a new one.',
    access: 'signed',
    query: linkQuery,
    answer: answered(200, "The file's content", null, { contentType: 'application/octet-stream' }),
    errors: [403, 404, 409],
    async handle(call) {
      const ulid = call.params.ulid ?? '';
      const { view, thumbnail } = call.query;
      const link = call.edge.links.verify(ulid, call.query, call.ctx.now);
      if (link === 'forged') throw notFound('attachment');
      if (link === 'expired')
        throw new DeskError('forbidden', 'This link has expired; read the ticket again for a new one.', {
          reason: 'link_expired',
        });
      const attachment = call.edge.desk.read((tx) => linkedFile(tx, ulid, link));
      const size = attachment === null ? null : await call.edge.blobs.size(ulid);
      if (attachment === null || size === null) throw notFound('attachment');
      const refusal = withheld(attachment);
      if (refusal !== null) throw refusal;
      // A truncated file must not pass for a whole one. `doctor` compares the hashes.
      if (size !== attachment.size)
        throw new DeskError('unavailable', 'This file is damaged. An administrator must restore it from a backup.', {
          reason: 'file_damaged',
          retryAfterSeconds: 3600,
        });
      const isViewed = view === true && attachment.contentType === pdfType;
      const isInline = isViewed || imageTypes.includes(attachment.contentType);
      const headers: Record<string, string> & { ETag: string } = {
        'Content-Type': attachment.contentType,
        'Content-Disposition': disposition(isInline ? 'inline' : 'attachment', attachment.filename),
        'Content-Security-Policy': isViewed ? viewerPolicy : sandbox,
        'X-Content-Type-Options': 'nosniff',
        'Accept-Ranges': 'bytes',
        'Cache-Control': 'no-store',
        ETag: `"${attachment.sha256}"`,
      };
      if (isKnown(call.header('if-none-match'), headers.ETag)) return new Response(null, { status: 304, headers });
      const isHead = call.request.method === 'HEAD';
      const small =
        thumbnail === true && !isHead && imageTypes.includes(attachment.contentType)
          ? await call.edge.thumbnails.of(attachment)
          : null;
      if (small !== null) {
        const { ETag: _, 'Accept-Ranges': __, ...same } = headers;
        return new Response(small as Uint8Array<ArrayBuffer>, { headers: { ...same, 'Content-Type': thumbnailType } });
      }
      const ifRange = call.header('if-range');
      // Only GET has ranges (RFC 9110, 14.2).
      const isRanged = !isHead && (ifRange === undefined || ifRange === headers.ETag);
      const range = isRanged ? parseRange(call.header('range'), size) : null;
      if (range === 'unsatisfiable') {
        return new Response(null, { status: 416, headers: { ...headers, 'Content-Range': `bytes */${size}` } });
      }
      const { start, end } = range ?? { start: 0, end: size - 1 };
      headers['Content-Length'] = String(end - start + 1);
      if (range) headers['Content-Range'] = `bytes ${start}-${end}/${size}`;
      const body = isHead ? null : call.edge.blobs.read(ulid, start, end);
      return new Response(body, { status: range ? 206 : 200, headers });
    },
  }),
];
