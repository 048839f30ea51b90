// Solves a challenge as a browser does.

import { createHash } from 'node:crypto';
import type { Challenge } from '../../src/identity/proof-of-work.ts';

export function solve({ algorithm, challenge, maxnumber, salt, signature }: Challenge): string {
  const begun = createHash('sha256').update(salt);
  for (let number = 0; number <= maxnumber; number += 1) {
    if (begun.copy().update(String(number)).digest('hex') !== challenge) continue;
    return btoa(JSON.stringify({ algorithm, challenge, number, salt, signature }));
  }
  throw new Error('no number solves this challenge');
}

export const opened = (proof: string): Record<string, unknown> => JSON.parse(atob(proof));
export const closed = (solution: object): string => btoa(JSON.stringify(solution));
