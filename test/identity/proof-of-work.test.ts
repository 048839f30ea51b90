// Proof of work: what is solved counts for its place and time, and nothing else does.

import { expect, test } from 'bun:test';
import { createSeal } from '../../src/base/crypto.ts';
import { proofOfWork } from '../../src/domain/customers/portal.ts';
import { type Challenge, newChallenge, readProof } from '../../src/identity/proof-of-work.ts';
import { closed, opened, solve } from '../support/solved.ts';

const now = Date.UTC(2026, 8, 11, 9, 30);
const seal = createSeal(Buffer.alloc(32, 5));
const challenge: Challenge = await newChallenge(seal, 'form:A', now);
const proof = solve(challenge);
const read = (text: string, at = now, place = 'form:A') => readProof(seal, text, place, at);

test('a solution counts for its place until the challenge expires', async () => {
  const expiresAt = now + proofOfWork.lifetimeMs;
  expect(await read(proof)).toEqual({ challenge: challenge.challenge, expiresAt });
  expect(await read(proof, expiresAt - 1)).not.toBeNull();
  expect(await read(proof, expiresAt)).toBeNull();
  expect(await read(proof, now, 'form:B')).toBeNull();
  expect(await readProof(createSeal(Buffer.alloc(32, 6)), proof, 'form:A', now)).toBeNull();
});

test('challenges differ, and say nothing of their number', async () => {
  const other = await newChallenge(seal, 'form:A', now);
  expect(other.challenge).not.toBe(challenge.challenge);
  expect(other.salt).not.toBe(challenge.salt);
  expect(Object.keys(other).sort()).toEqual(['algorithm', 'challenge', 'maxnumber', 'salt', 'signature']);
});

const { number, salt } = opened(proof) as { number: number; salt: string };
const late = salt.replace(/expires=\d+/, 'expires=9999999999');

test.each([
  ['another number', { number: number === 7 ? 8 : 7 }],
  ['a number as text', { number: String(number) }],
  ['a number beyond all', { number: Number.MAX_SAFE_INTEGER }],
  ['a negative number', { number: -1 }],
  ['no number', { number: undefined }],
  ['a later end', { salt: late }],
  [
    'digits that move from the salt to the number',
    { salt: salt.slice(0, -1) + String(number)[0], number: Number(String(number).slice(1) || 0) },
  ],
  ['another place in the salt', { salt: salt.replace('form%3AA', 'form%3AB') }],
  ['no salt', { salt: undefined }],
  ['an object as salt', { salt: { toString: 'x' } }],
  ['a long salt', { salt: `${salt}${'x'.repeat(5000)}` }],
  ['another algorithm', { algorithm: 'SHA-1' }],
  ['no algorithm', { algorithm: 'none' }],
  ['a forged signature', { signature: '0'.repeat(64) }],
  ['no signature', { signature: undefined }],
])('%s is refused', async (_, change) => {
  expect(await read(closed({ ...opened(proof), ...change }))).toBeNull();
});

test.each([
  '',
  'x',
  'null',
  btoa('null'),
  btoa('[]'),
  btoa('{}'),
  btoa('7'),
  '%%%',
  '\u{1f600}',
  'e30='.repeat(10_000),
  btoa('{"__proto__":{}}'),
])('%p is refused', async (text) => {
  expect(await read(text)).toBeNull();
});
