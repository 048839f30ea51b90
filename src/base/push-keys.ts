// The keys of Web Push: the desk's own pair (RFC 8292), and the check of a browser's public key.

import { createECDH } from 'node:crypto';
import type { Seal } from './crypto.ts';

export interface KeyPair {
  /** Uncompressed: 65 bytes. */
  publicKey: Buffer;
  privateKey: Buffer;
}

const curve = 'prime256v1';

export function keyPairOf(privateKey?: Buffer): KeyPair {
  const pair = createECDH(curve);
  if (privateKey === undefined) pair.generateKeys();
  else pair.setPrivateKey(privateKey);
  return { publicKey: pair.getPublicKey(), privateKey: pair.getPrivateKey() };
}

/** Made from the desk's secret key, so it is stored nowhere else and comes back with a backup. */
export function pushKeysOf(seal: Seal): KeyPair {
  return keyPairOf(Buffer.from(seal.sign('push', 'keys'), 'base64url'));
}

/** Throws unless it is a point of the curve. */
export function sharedSecret(privateKey: Buffer, publicKey: Buffer): Buffer {
  const own = createECDH(curve);
  own.setPrivateKey(privateKey);
  return own.computeSecret(publicKey);
}

export function isPublicKey(text: string): boolean {
  try {
    sharedSecret(keyPairOf().privateKey, Buffer.from(text, 'base64url'));
    return true;
  } catch {
    return false;
  }
}
