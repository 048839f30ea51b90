// Codes of authenticator apps, checked against the vectors of RFC 6238 and an independent implementation.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { newTotpSecret, totpQr, totpStep, totpUri } from '../../src/identity/totp.ts';
import { bytesOfBase32, codeOfStep } from '../support/totp-code.ts';

// The ASCII text 12345678901234567890 of RFC 6238, appendix B.
const rfcSecret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('a code', () => {
  test.each([
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ])('of RFC 6238 at %d s', (seconds, code) => {
    expect(codeOfStep(rfcSecret, Math.floor(seconds / 30))).toBe(code);
    expect(totpStep(rfcSecret, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
  });

  test('counts one step early or late, and says which step it is', () => {
    const moment = fc.integer({ min: 1_600_000_000_000, max: 4_000_000_000_000 });
    fc.assert(
      fc.property(moment, fc.integer({ min: -3, max: 3 }), (now, delta) => {
        const secret = newTotpSecret();
        const step = Math.floor(now / 30_000) + delta;
        const nearby = [-1, 0, 1].map((near) => Math.floor(now / 30_000) + near);
        const found = totpStep(secret, codeOfStep(secret, step), now);
        if (Math.abs(delta) <= 1) expect(codeOfStep(secret, found ?? 0)).toBe(codeOfStep(secret, step));
        else if (found !== null)
          expect(nearby.map((near) => codeOfStep(secret, near))).toContain(codeOfStep(secret, step));
      }),
      { numRuns: 200 },
    );
  });

  test('can be typed with a space', () => {
    expect(totpStep(rfcSecret, ' 287 082 ', 59_000)).toBe(1);
  });

  test.each([
    '',
    '28708',
    '2870820',
    '28708a',
    '２８７０８２',
    '287082\u0000',
    '-287082-287082',
    '9'.repeat(1_000_000),
    ' '.repeat(1_000_000),
  ])('in another form is none', (code) => {
    expect(totpStep(rfcSecret, code, 59_000)).toBeNull();
  });
});

describe('a secret', () => {
  test('has 160 bits and never comes twice', () => {
    const secrets = Array.from({ length: 50 }, newTotpSecret);
    for (const secret of secrets) expect(bytesOfBase32(secret)).toHaveLength(20);
    expect(new Set(secrets).size).toBe(50);
  });

  test('is handed over as an address that apps understand', () => {
    const uri = new URL(totpUri(rfcSecret, 'mia+ü@example.org', 'Desk: Ärzte & Co'));
    expect(uri.protocol).toBe('otpauth:');
    expect(uri.host).toBe('totp');
    expect(decodeURIComponent(uri.pathname)).toBe('/Desk  Ärzte & Co:mia+ü@example.org');
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      issuer: 'Desk  Ärzte & Co',
      secret: rfcSecret,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
  });

  test('is handed over as a picture without scripts, styles or foreign text', () => {
    const svg = totpQr(totpUri(rfcSecret, '<script>"@example.org', '</svg>'));
    expect(svg).toMatch(
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 \d+ \d+"><rect [^<>]*\/><path [^<>]*\/><\/svg>$/,
    );
    expect(svg).not.toMatch(/style|script|on\w+=/);
  });
});
