// Secrets, seals and signatures.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { createSeal, hashSecret, isSameSecret, randomBelow, randomSecret, sha256Hex } from '../../src/base/crypto.ts';

const seal = createSeal(Buffer.alloc(32, 1));

describe('a seal', () => {
  test('gives back what it was given, and never twice the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const sealed = seal.seal(text);
        expect(seal.open(sealed)).toBe(text);
        expect(seal.seal(text)).not.toBe(sealed);
      }),
    );
  });

  test('that was tampered with opens nothing, whichever byte it was', () => {
    const sealed = Buffer.from(seal.seal('whsec_secret'), 'base64');
    for (let at = 0; at < sealed.length; at += 1) {
      const forged = Buffer.from(sealed);
      forged[at] = (forged[at] ?? 0) ^ 1;
      expect(() => seal.open(forged.toString('base64'))).toThrow();
    }
    for (const length of [0, 11, 12, 27, sealed.length - 1])
      expect(() => seal.open(sealed.subarray(0, length).toString('base64'))).toThrow();
  });

  test('of another key opens nothing', () => {
    expect(() => createSeal(Buffer.alloc(32, 2)).open(seal.seal('x'))).toThrow();
  });

  test('signs for one purpose only', () => {
    expect(seal.sign('attachment', 'a')).toBe(createSeal(Buffer.alloc(32, 1)).sign('attachment', 'a'));
    const others = [
      seal.sign('other', 'a'),
      seal.sign('attachment', 'b'),
      createSeal(Buffer.alloc(32, 2)).sign('attachment', 'a'),
    ];
    for (const signature of others) expect(signature).not.toBe(seal.sign('attachment', 'a'));
    expect(seal.fingerprint('erased-email/1', 'a')).not.toBe(seal.fingerprint('erased-email/2', 'a'));
  });
});

test('secrets carry 256 random bits behind their prefix', () => {
  const many = new Set(Array.from({ length: 1000 }, () => randomSecret('hdt')));
  expect(many.size).toBe(1000);
  for (const one of many) expect(one).toMatch(/^hdt_[\w-]{43}$/);
});

test('hashes are the standard ones', () => {
  expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(Buffer.from(hashSecret('abc'), 'base64url').toString('hex')).toBe(sha256Hex('abc'));
});

test('secrets are compared whole', () => {
  expect(isSameSecret('a', 'a')).toBe(true);
  expect(isSameSecret('a', 'b')).toBe(false);
  expect(isSameSecret('a', 'aa')).toBe(false);
  expect(isSameSecret('', '')).toBe(true);
});

test('random numbers stay below', () => {
  for (let at = 0; at < 1000; at += 1) expect(randomBelow(3)).toBeLessThan(3);
});
