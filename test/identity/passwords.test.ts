// Passwords: which are refused, that hashing costs the same for strangers, never holds the event loop and never piles up.

import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { argon2Hash } from '#platform/argon2.ts';
import { commonPasswords } from '../../scripts/common-passwords.ts';
import { DeskError } from '../../src/domain/errors.ts';
import { hashPassword, passwordProblem, verifyPassword } from '../../src/identity/passwords.ts';

const email = 'mia@example.org';

describe('a password', () => {
  test.each([
    ['', 'too_short'],
    ['ninechars', 'too_short'],
    // Ten code units, five characters.
    ['😀😀😀😀😀', 'too_short'],
    ['MIA@Example.org', 'is_email'],
    ['password123', 'too_common'],
    ['1234567890', 'too_common'],
    ['          ', 'too_simple'],
    ['\u00a0 \u2003\u200b \t      ', 'too_simple'],
    ['§§§§§§§§§§§§', 'too_simple'],
    ['xqjxqjxqjxqjx', 'too_simple'],
    ['Plum7Plum7Plum7', 'too_simple'],
    ['cdefghijklmno', 'too_simple'],
    ['8901234567890123', 'too_simple'],
    ['uytrewqmnbv', 'too_simple'],
    ['sdfghjklzxcv', 'too_simple'],
    ['abcdefghij 12', null],
    ['plum plum tree', null],
    ['PASSWORD123', 'too_common'],
    // Full-width letters and digits.
    ['ｐａｓｓｗｏｒｄ１２３', 'too_common'],
    ['correct horse', null],
    ['пароль-из-слов', null],
  ] as const)('%p is %p', (plain, problem) => {
    expect(passwordProblem(plain, email)).toBe(problem);
  });

  test.each([
    ['256 characters', `${'x'.repeat(255)}y`, null],
    ['257', 'x'.repeat(257), 'too_long'],
    ['a million', 'x'.repeat(1_000_000), 'too_long'],
  ] as const)('of %s is judged by its length', (_, plain, problem) => {
    expect(passwordProblem(plain, email)).toBe(problem);
  });

  test('is compared with the list of the package as it is today', async () => {
    const list = readFileSync(new URL('../../src/identity/common-passwords.txt', import.meta.url), 'utf8');
    expect(list).toBe(await commonPasswords());
    expect(list.split('\n').length).toBeGreaterThan(1500);
  });
});

describe('a hash', () => {
  test('is argon2id with 19 MiB and two passes, and a different one each time', async () => {
    const [one, other] = [await hashPassword('correct horse'), await hashPassword('correct horse')];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(other);
  });

  test('opens to its password only', async () => {
    const hash = await hashPassword('correct horse');
    expect(await verifyPassword('correct horse', hash)).toEqual({ isRight: true, needsRehash: false });
    expect(await verifyPassword('correct horsf', hash)).toEqual({ isRight: false, needsRehash: false });
    expect(await verifyPassword('', hash)).toEqual({ isRight: false, needsRehash: false });
    expect(await verifyPassword('x'.repeat(1_000_000), hash)).toEqual({ isRight: false, needsRehash: false });
  });

  test('opens to the same characters typed on another system', async () => {
    const hash = await hashPassword('caf\u00e9 au lait');
    expect((await verifyPassword('cafe\u0301 au lait', hash)).isRight).toBe(true);
  });

  test('that was made with less work is to be made again, but only for the right password', async () => {
    for (const cost of [
      { memoryKib: 8192, passes: 2 },
      { memoryKib: 19_456, passes: 1 },
    ]) {
      const weak = await argon2Hash('correct horse', cost);
      expect(await verifyPassword('correct horse', weak)).toEqual({ isRight: true, needsRehash: true });
      expect(await verifyPassword('wrong horse!', weak)).toEqual({ isRight: false, needsRehash: false });
    }
  });

  test('of no one stands in the same queue as that of someone', async () => {
    const hash = await hashPassword('correct horse');
    for (const stored of [null, hash]) {
      const asked = Array.from({ length: 120 }, () => verifyPassword('a wrong one', stored));
      const outcomes = await Promise.allSettled(asked);
      const answers = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
      expect(new Set(answers.map(({ isRight }) => isRight))).toEqual(new Set([false]));
      expect(answers.length).toBeLessThan(60);
    }
  });

  test('leaves the event loop free', async () => {
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await hashPassword('correct horse');
    isDone = true;
    // A hash that held the loop would leave no turn before its end.
    expect(turns).toBeGreaterThan(0);
  });
});

test('further people than can wait are told when to come back', async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 120 }, () => hashPassword('correct horse')));
  const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  expect(refusals.length).toBeGreaterThan(60);
  expect(refusals.length).toBeLessThan(120);
  for (const refusal of refusals) {
    expect(refusal).toBeInstanceOf(DeskError);
    expect(refusal).toMatchObject({ code: 'unavailable', reason: 'too_busy', retryAfterSeconds: 2 });
  }
  expect((await verifyPassword('correct horse', await hashPassword('correct horse'))).isRight).toBe(true);
});
