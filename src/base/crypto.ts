// Randomness, hashes, signatures and sealing. The only room that asks for random bytes.

import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 random bits behind a prefix that names the kind of secret, such as `hds_…` for a site. */
export function randomSecret(prefix: string): string {
  return `${prefix}_${randomBytes(32).toString('base64url')}`;
}

export function randomKey(): Buffer {
  return randomBytes(32);
}

export function randomBelow(below: number): number {
  return randomBytes(6).readUIntBE(0, 6) % below;
}

/** With 256 random bits, a slow password hash would only add a way to exhaust the machine. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

export function sha256Hex(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export async function sha256OfStream(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of bytes) hash.update(chunk);
  return hash.digest('hex');
}

/** Takes the same time wherever the difference is. */
export function isSameSecret(a: string, b: string): boolean {
  const left = createHash('sha256').update(a).digest();
  const right = createHash('sha256').update(b).digest();
  return timingSafeEqual(left, right);
}

/** AES-256-GCM under the desk's key, for secrets that the desk must read again but a stolen database must not show. */
export interface Seal {
  seal(text: string): string;
  open(sealed: string): string;
  /** A keyed hash that recognises a value without keeping it. */
  fingerprint(purpose: string, value: string): string;
  sign(purpose: string, text: string): string;
}

export function createSeal(key: Uint8Array): Seal {
  const encryption = createHmac('sha256', key).update('helpdesk/seal').digest();
  const keys = new Map<string, Buffer>();
  const keyFor = (purpose: string) => {
    let derived = keys.get(purpose);
    if (!derived) {
      derived = createHmac('sha256', key).update(`helpdesk/${purpose}`).digest();
      keys.set(purpose, derived);
    }
    return derived;
  };
  return {
    seal(text) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', encryption, nonce);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', encryption, bytes.subarray(0, 12));
      decipher.setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
    },
    fingerprint: (purpose, value) => createHmac('sha256', keyFor(purpose)).update(value).digest('base64url'),
    sign: (purpose, text) => createHmac('sha256', keyFor(purpose)).update(text).digest('base64url'),
  };
}
