// Web Push: a message encrypted for one browser (RFC 8291), and the signature by which its push service knows the desk (RFC 8292).

import { createCipheriv, createPrivateKey, hkdfSync, sign } from 'node:crypto';
import type { Instant } from '../base/clock.ts';
import { randomKey } from '../base/crypto.ts';
import { type KeyPair, keyPairOf, sharedSecret } from '../base/push-keys.ts';
import type { PushTarget } from '../domain/input/push.ts';
import { hourMs } from '../domain/instant.ts';

const recordBytes = 4096;
const tagBytes = 16;
const headerBytes = 86;
/** Of the text. One byte ends it. */
export const mostPushBytes = recordBytes - headerBytes - tagBytes - 1;

const tokenMs = 12 * hourMs;

const derive = (key: Buffer, salt: Buffer, info: Buffer | string, length: number) =>
  Buffer.from(hkdfSync('sha256', key, salt, info, length));

export function encryptPush(
  text: string,
  { p256dh, auth }: Pick<PushTarget, 'p256dh' | 'auth'>,
  own: KeyPair = keyPairOf(),
  salt: Buffer = randomKey().subarray(0, 16),
): Buffer {
  const browser = Buffer.from(p256dh, 'base64url');
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser, own.publicKey]);
  const key = derive(sharedSecret(own.privateKey, browser), Buffer.from(auth, 'base64url'), info, 32);
  const cipher = createCipheriv(
    'aes-128-gcm',
    derive(key, salt, 'Content-Encoding: aes128gcm\0', 16),
    derive(key, salt, 'Content-Encoding: nonce\0', 12),
  );
  const size = Buffer.alloc(5);
  size.writeUInt32BE(recordBytes);
  size.writeUInt8(own.publicKey.length, 4);
  const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.update(Buffer.from([2])), cipher.final()]);
  return Buffer.concat([salt, size, own.publicKey, content, cipher.getAuthTag()]);
}

/** @param subject where the push service finds who runs the desk */
export function vapidHeader(endpoint: string, subject: string, keys: KeyPair, now: Instant): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { aud: new URL(endpoint).origin, exp: Math.floor((now + tokenMs) / 1000), sub: subject };
  const signed = `${part({ typ: 'JWT', alg: 'ES256' })}.${part(claims)}`;
  const coordinate = (from: number) => keys.publicKey.subarray(from, from + 32).toString('base64url');
  const d = keys.privateKey.toString('base64url').padStart(43, 'A');
  const key = createPrivateKey({
    key: { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33), d },
    format: 'jwk',
  });
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url');
  return `vapid t=${signed}.${signature}, k=${keys.publicKey.toString('base64url')}`;
}
