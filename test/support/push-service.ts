// A push service on loopback, over TLS, and the browser behind it, which decrypts by another implementation than the desk's.

import { createECDH, createPublicKey, randomBytes, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { decrypt } from 'http_ece';

const host = 'hooks.example.test';
const fixture = (name: string) => readFileSync(new URL(`../net/fixtures/${host}.${name}.pem`, import.meta.url), 'utf8');

interface Pushed {
  path: string;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

export interface PushService {
  /** The guarded client reaches it with these. */
  guard: { resolve: () => Promise<{ address: string; family: number }[]>; authoritiesPem: string };
  endpoint(path: string): string;
  received: Pushed[];
  /** The next answers, before it goes on with 201. */
  answers: { status: number; headers?: Record<string, string> }[];
  close(): Promise<void>;
}

export async function startPushService(): Promise<PushService> {
  const received: Pushed[] = [];
  const answers: PushService['answers'] = [];
  const server = createServer({ key: fixture('key'), cert: fixture('cert') }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, bytes: Buffer.concat(chunks) });
      const { status, headers } = answers.shift() ?? { status: 201 };
      response.writeHead(status, headers).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    guard: { resolve: async () => [{ address: '127.0.0.1', family: 4 }], authoritiesPem: fixture('cert') },
    endpoint: (path) => `https://${host}:${port}${path}`,
    received,
    answers,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** What a browser keeps of a subscription. */
export function subscribedBrowser(endpoint: string) {
  const pair = createECDH('prime256v1');
  const p256dh = pair.generateKeys('base64url');
  const auth = randomBytes(16).toString('base64url');
  return {
    /** As `PushSubscription.toJSON()` gives it. */
    json: { endpoint, expirationTime: null, keys: { p256dh, auth } },
    read: ({ bytes }: Pushed) =>
      JSON.parse(decrypt(bytes, { version: 'aes128gcm', privateKey: pair, authSecret: auth }).toString('utf8')),
  };
}

/** The claims of a request's token (RFC 8292), if its signature fits the key beside it. */
export function vapidClaims(authorization = ''): { key: string; claims: Record<string, unknown> } {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const [head = '', body = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${body}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) throw new Error('the token is not signed with this key');
  return { key, claims: JSON.parse(Buffer.from(body, 'base64url').toString()) };
}
