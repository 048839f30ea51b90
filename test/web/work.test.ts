// The proof of work of the form, against challenges made by another implementation.

import { expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { solve } from '../../src/web/shared/work.ts';

const challengeFor = (salt: string, number: number, maxnumber = 5000) => ({
  algorithm: 'SHA-256',
  challenge: createHash('sha256').update(`${salt}${number}`).digest('hex'),
  salt,
  maxnumber,
  signature: 'signed',
});

test.each([0, 7, 10, 99, 100, 1234, 5000])('finds %d', async (number) => {
  const salt = `${'ä'.repeat(40)}?expires=1&`;
  const proof = JSON.parse(atob((await solve(challengeFor('salt?expires=1&', number))) ?? 'null'));
  expect(proof).toEqual({
    algorithm: 'SHA-256',
    challenge: challengeFor('salt?expires=1&', number).challenge,
    number,
    salt: 'salt?expires=1&',
    signature: 'signed',
  });
  // Longer than one block of the hash.
  expect(await solve({ ...challengeFor(salt, number), salt: `${salt}x` })).toBeNull();
});

test('gives up where no number fits, and on what it does not know', async () => {
  expect(await solve(challengeFor('salt', 600, 500))).toBeNull();
  expect(await solve({ ...challengeFor('salt', 1), algorithm: 'SHA-1' })).toBeNull();
  expect(await solve({ ...challengeFor('salt', 1), challenge: 'x' })).toBeNull();
});
