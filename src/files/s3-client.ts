// Signed addresses of an S3-compatible store, and its lists of keys.

import { AwsClient } from 'aws4fetch';

export interface S3Options {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Ends what waits for the store. */
  signal?: AbortSignal;
}

export interface ListPage {
  keys: { key: string; lastModified: string | undefined }[];
  isMore: boolean;
}

export type S3Method = 'GET' | 'HEAD' | 'PUT' | 'DELETE';

export interface S3Client {
  signal: AbortSignal | null;
  presign(key: string, method: S3Method): Promise<string>;
  /** Keys in order, a page at a time. Throws S3ListError for a refusal. */
  list(asked: { prefix: string; mostKeys: number; startAfter: string | null }): Promise<ListPage>;
}

const validSeconds = 15 * 60;
const mostListCharacters = 4 * 1024 * 1024;

class S3ListError extends Error {
  override name = 'S3ListError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decoded(xml: string): string {
  return xml.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (all, decimal, hex, name) => {
    if (name !== undefined) return entities[name] ?? all;
    const point = Number.parseInt(decimal ?? hex, decimal === undefined ? 16 : 10);
    return point <= 0x10ffff ? String.fromCodePoint(point) : all;
  });
}

export function xmlPart(xml: string, name: string): string | null {
  const found = new RegExp(`<${name}>([^<]{1,1500})</${name}>`).exec(xml)?.[1];
  return found === undefined ? null : decoded(found);
}

export function createS3Client(options: S3Options): S3Client {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey, signal = null } = options;
  const aws = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' });
  const root = `${endpoint.replace(/\/+$/, '')}/${encodeURIComponent(bucket)}`;

  async function signed(path: string, method: S3Method, parameters: Record<string, string> = {}): Promise<string> {
    const url = new URL(`${root}${path}`);
    for (const [name, value] of Object.entries({ ...parameters, 'X-Amz-Expires': String(validSeconds) }))
      url.searchParams.set(name, value);
    return (await aws.sign(url.href, { method, aws: { signQuery: true } })).url;
  }

  return {
    signal,
    presign: (key, method) => signed(`/${key.split('/').map(encodeURIComponent).join('/')}`, method),
    async list({ prefix, mostKeys, startAfter }) {
      // Some stores compute the signature of a bucket's own address without a slash at its end.
      const url = await signed('', 'GET', {
        'list-type': '2',
        'max-keys': String(mostKeys),
        prefix,
        ...(startAfter === null ? {} : { 'start-after': startAfter }),
      });
      const response = await fetch(url, { redirect: 'manual', signal });
      const xml = (await response.text()).slice(0, mostListCharacters);
      if (!response.ok)
        throw new S3ListError(xmlPart(xml, 'Code') ?? `HTTP ${response.status}`, xmlPart(xml, 'Message') ?? '');
      if (!xml.includes('<ListBucketResult')) throw new S3ListError('NoList', 'The answer is no list of keys.');
      const keys = [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].flatMap(([, part = '']) => {
        const key = xmlPart(part, 'Key');
        return key === null ? [] : [{ key, lastModified: xmlPart(part, 'LastModified') ?? undefined }];
      });
      return { keys, isMore: xmlPart(xml, 'IsTruncated') === 'true' };
    },
  };
}
