// A small imitation of an S3-compatible store: what the desk needs of one, and ways to fail.

import { serve } from './serving.ts';

interface StoredObject {
  bytes: Uint8Array;
  changedAt: number;
}

export type Failure =
  /** Answers 500 to this method. */
  | 'error'
  /** Accepts an upload but keeps half of it. */
  | 'half'
  /** Accepts an upload but keeps nothing. */
  | 'nothing'
  /** Sends half of the answer and hangs up. */
  | 'cut'
  /** Sends the whole object, whatever range was asked for. */
  | 'rangeless'
  /** 403, as for a wrong key. */
  | 'denied';

export interface FakeS3 {
  endpoint: string;
  objects: Map<string, StoredObject>;
  requests: { method: string; key: string; search: string; range: string | null }[];
  fail(method: string, failure: Failure | null): void;
  close(): void;
}

const maxListed = 3;

export async function fakeS3(bucket: string, accessKeyId: string, region: string): Promise<FakeS3> {
  const objects = new Map<string, StoredObject>();
  const requests: FakeS3['requests'] = [];
  const failures = new Map<string, Failure>();
  const error = (status: number, code: string) =>
    new Response(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`, { status });

  async function answer(request: Request): Promise<Response> {
    const { pathname, search, searchParams } = new URL(request.url);
    const [, first = '', ...rest] = pathname.split('/');
    const key = rest.join('/');
    requests.push({ method: request.method, key, search, range: request.headers.get('range') });
    const signed = new RegExp(
      `^AWS4-HMAC-SHA256 Credential=${accessKeyId}/\\d{8}/${region}/s3/aws4_request, ?SignedHeaders=[a-z0-9;-]*host[a-z0-9;-]*, ?Signature=[0-9a-f]{64}$`,
    );
    const isLink =
      searchParams
        .get('X-Amz-Credential')
        ?.match(/^(.+)\/\d{8}\/(.+)\/s3\/aws4_request$/)
        ?.slice(1)
        .join() === [accessKeyId, region].join() && /^[0-9a-f]{64}$/.test(searchParams.get('X-Amz-Signature') ?? '');
    if (!isLink && !signed.test(request.headers.get('authorization') ?? '')) return error(403, 'AccessDenied');
    if (first !== bucket) return error(404, 'NoSuchBucket');
    const failure = failures.get(request.method);
    if (failure === 'error') return error(500, 'InternalError');
    if (failure === 'denied') return error(403, 'AccessDenied');
    const found = objects.get(key);
    if (request.method === 'PUT') {
      const bytes = new Uint8Array(await request.arrayBuffer());
      const kept = failure === 'half' ? bytes.subarray(0, bytes.length / 2) : bytes;
      if (failure !== 'nothing') objects.set(key, { bytes: kept, changedAt: Date.now() });
      return new Response(null, { headers: { ETag: '"e"' } });
    }
    if (request.method === 'DELETE') {
      objects.delete(key);
      return new Response(null, { status: 204 });
    }
    if (key === '' && searchParams.get('list-type') === '2') return list(searchParams);
    if (!found) return request.method === 'HEAD' ? new Response(null, { status: 404 }) : error(404, 'NoSuchKey');
    if (request.method === 'HEAD')
      return new Response(null, { headers: { 'Content-Length': String(found.bytes.length), ETag: '"e"' } });
    const range = failure === 'rangeless' ? null : /^bytes=(\d+)-(\d+)$/.exec(request.headers.get('range') ?? '');
    const part = range ? found.bytes.subarray(Number(range[1]), Number(range[2]) + 1) : found.bytes;
    if (failure === 'cut') {
      const half = part.subarray(0, part.length / 2);
      // Without a length, a short answer looks complete.
      const stream = new ReadableStream({
        start(controller) {
          controller.enqueue(half);
          controller.close();
        },
      });
      return new Response(stream, { status: range ? 206 : 200 });
    }
    return new Response(part as BodyInit, { status: range ? 206 : 200 });
  }

  function list(query: URLSearchParams): Response {
    const prefix = query.get('prefix') ?? '';
    const after = query.get('start-after') ?? '';
    const most = Math.min(Number(query.get('max-keys') ?? maxListed), maxListed);
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
    const shown = keys.slice(0, most).map((key) => {
      const { bytes, changedAt } = objects.get(key) as StoredObject;
      return `<Contents><Key>${key}</Key><LastModified>${new Date(changedAt).toISOString()}</LastModified><ETag>&quot;e&quot;</ETag><Size>${bytes.length}</Size><StorageClass>STANDARD</StorageClass></Contents>`;
    });
    return new Response(
      `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${bucket}</Name><Prefix>${prefix}</Prefix><KeyCount>${shown.length}</KeyCount><MaxKeys>${most}</MaxKeys><IsTruncated>${keys.length > most}</IsTruncated>${shown.join('')}</ListBucketResult>`,
      { headers: { 'Content-Type': 'application/xml' } },
    );
  }

  const server = await serve(answer);
  return {
    endpoint: `http://127.0.0.1:${server.port}`,
    objects,
    requests,
    fail(method, failure) {
      if (failure === null) failures.delete(method);
      else failures.set(method, failure);
    },
    close: () => void server.stop(true),
  };
}
