// The proof of work that keeps robots from forms and sign-ins, in slices between what the visitor does. A Worker is not possible
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

const sliceMs = 12;
const triesBetweenLooks = 100;

/** @returns null if no number fits, or the algorithm is unknown */
export async function solve(asked: Challenge): Promise<string | null> {
  const { algorithm, challenge, maxnumber, salt, signature } = asked;
  const wanted = bytesOf(challenge);
  if (algorithm !== 'SHA-256' || wanted === null) return null;
  const fits = trial(salt, wanted);
  for (let number = 0; number <= maxnumber; ) {
    for (const end = now() + sliceMs; number <= maxnumber && now() < end; ) {
      const last = Math.min(number + triesBetweenLooks, maxnumber + 1);
      for (; number < last; number += 1)
        if (fits(number)) return btoa(JSON.stringify({ algorithm, challenge, number, salt, signature }));
    }
    await pause();
  }
  return null;
}

/** The salt is hashed once, and each try goes on from there: twelve times as fast. */
function trial(salt: string, wanted: Uint8Array): (number: number) => boolean {
  const begun = sha256.create().update(new TextEncoder().encode(salt));
  const attempt = begun.clone();
  const digest = new Uint8Array(32);
  const digits = new Uint8Array(16);
  return (number) => {
    let length = 0;
    for (let rest = number; length === 0 || rest > 0; rest = Math.floor(rest / 10)) length += 1;
    for (let at = length - 1, rest = number; at >= 0; at -= 1, rest = Math.floor(rest / 10))
      digits[at] = 48 + (rest % 10);
    begun._cloneInto(attempt);
    attempt.update(digits.subarray(0, length)).digestInto(digest);
    return digest[0] === wanted[0] && digest.every((byte, at) => byte === wanted[at]);
  };
}

function bytesOf(hex: string): Uint8Array | null {
  const pairs = /^[0-9a-f]{64}$/.test(hex) ? hex.match(/../g) : null;
  return pairs && Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
}

/** A browser's timer waits at least 4 ms; a message arrives immediately. */
function pause(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => resolve();
  port2.postMessage(null);
  return promise;
}
