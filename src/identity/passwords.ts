// Passwords: what makes one acceptable, and slow hashes of them, a few at a time (docs/spec/people.md#passwords).

import { availableParallelism } from 'node:os';
import { argon2Hash, argon2Verify } from '#platform/argon2.ts';
import { randomKey } from '../base/crypto.ts';
import { createGate } from '../base/gate.ts';
import { DeskError } from '../domain/errors.ts';
import { passwordLength } from '../domain/sites/limits.ts';
import list from './common-passwords.txt' with { type: 'text' };

const cost = { memoryKib: 19_456, passes: 2 };

// One hash takes a core for about 30 ms. One core stays free for requests.
const gate = createGate({
  atOnce: Math.max(1, Math.min(4, availableParallelism() - 1)),
  waiting: 40,
  waitMs: 3000,
  refusal: () =>
    new DeskError('unavailable', 'Too many people are signing in at the moment. Try again in a few seconds.', {
      reason: 'too_busy',
      retryAfterSeconds: 2,
    }),
});

/** The same password must be the same on every keyboard. */
function prepared(plain: string): string {
  return plain.normalize('NFKC');
}

function lengthOf(plain: string): number {
  return [...plain].length;
}

// No character is longer than two code units, and normalising can make one of several, but not of this many.
const isAbsurd = (plain: string) => plain.length > passwordLength.most * 8;

type PasswordProblem = 'too_short' | 'too_long' | 'is_email' | 'too_common' | 'too_simple';

export function passwordProblem(plain: string, email: string): PasswordProblem | null {
  if (isAbsurd(plain)) return 'too_long';
  const text = prepared(plain);
  if (lengthOf(text) < passwordLength.least) return 'too_short';
  if (lengthOf(text) > passwordLength.most) return 'too_long';
  if (text.toLowerCase() === prepared(email).toLowerCase()) return 'is_email';
  if (isCommonPassword(text)) return 'too_common';
  return isSequence(text.toLowerCase()) ? 'too_simple' : null;
}

const running = ['1234567890', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiopasdfghjklzxcvbnm'];

/** Blank, the same again and again, or a run such as `9876543210`. */
function isSequence(text: string): boolean {
  const letters = [...text];
  if (letters.every((letter) => /[\s\p{C}]/u.test(letter))) return true;
  const half = Math.floor(letters.length / 2);
  for (let length = 1; length <= half; length += 1)
    if (letters.every((letter, at) => letter === letters[at % length])) return true;
  const backwards = letters.toReversed().join('');
  return running.some((run) => {
    const runs = run.repeat(Math.ceil(text.length / run.length) + 1);
    return runs.includes(text) || runs.includes(backwards);
  });
}

export function hashPassword(plain: string): Promise<string> {
  return gate.pass('', () => argon2Hash(prepared(plain), cost));
}

function hashOfNothing(): string {
  const [salt, digest] = [randomKey(), randomKey()].map((key) => key.toString('base64').replace(/=+$/, ''));
  return `$argon2id$v=19$m=${cost.memoryKib},t=${cost.passes},p=1$${salt}$${digest}`;
}

/** @param hash null costs as much work as a wrong password */
export async function verifyPassword(
  plain: string,
  hash: string | null,
): Promise<{ isRight: boolean; needsRehash: boolean }> {
  const text = isAbsurd(plain) ? '' : prepared(plain);
  const isMatch = await gate.pass('', () => argon2Verify(text === '' ? ' ' : text, hash ?? hashOfNothing()));
  const isRight = isMatch && hash !== null && text !== '';
  return { isRight, needsRehash: isRight && isWeaker(hash) };
}

function isWeaker(hash: string): boolean {
  const [, memory, passes] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=\d+\$/.exec(hash) ?? [];
  return Number(memory ?? 0) < cost.memoryKib || Number(passes ?? 0) < cost.passes;
}

// Passwords that attackers try first.
let known: Set<string> | null = null;

/** Capital letters do not make a common password rare. */
function isCommonPassword(plain: string): boolean {
  known ??= new Set(list.trim().split('\n'));
  return known.has(plain.toLowerCase());
}
