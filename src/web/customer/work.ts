// The proof of work that keeps robots from the form, in slices between what the visitor does. A Worker is not possible
// under the policy of the pages, and `crypto.subtle` is missing on plain http in a network.

import { sha256 } from '@noble/hashes/sha2.js';
import { now } from '../shared/clock.ts';

/** As ALTCHA has it. */
export interface Challenge {
  algorithm: string;
  challenge: string;
  maxnumber: number;
  salt: string;
  signature: string;
}

const sliceMs = 8;

/** @returns null if no number fits, or the algorithm is unknown */
export async function solve(asked: Challenge): Promise<string | null> {
  const { algorithm, challenge, maxnumber, salt, signature } = asked;
  if (algorithm !== 'SHA-256') return null;
  let number = 0;
  while (number <= maxnumber) {
    const end = now() + sliceMs;
    for (; number <= maxnumber && now() < end; ) {
      const last = Math.min(number + 100, maxnumber + 1);
      for (; number < last; number += 1)
        if (hex(sha256(bytes(salt + number))) === challenge)
          return btoa(JSON.stringify({ algorithm, challenge, number, salt, signature }));
    }
    await pause();
  }
  return null;
}

const encoder = new TextEncoder();
const bytes = (text: string) => encoder.encode(text);

function hex(hash: Uint8Array): string {
  let text = '';
  for (const byte of hash) text += byte.toString(16).padStart(2, '0');
  return text;
}

function pause(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve);
  return promise;
}
