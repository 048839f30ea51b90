// Recovery codes: random, and found again however they were typed.

import { expect, test } from 'bun:test';
import { newRecoveryCodes, normaliseRecoveryCode } from '../../src/identity/recovery-codes.ts';

test('are ten, each different, in letters and digits that cannot be confused', () => {
  const codes = Array.from({ length: 20 }, newRecoveryCodes).flat();
  expect(codes).toHaveLength(200);
  expect(new Set(codes).size).toBe(200);
  for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){3}$/);
  expect(new Set(codes.join('').replaceAll('-', '')).size).toBe(32);
});

test('are the same in capitals, with spaces, and with letters for digits', () => {
  expect(normaliseRecoveryCode('7k2m-0xq9-pw3d-v6h1')).toBe('7k2m0xq9pw3dv6h1');
  expect(normaliseRecoveryCode(' 7K2M OXQ9 PW3DV6HL ')).toBe('7k2m0xq9pw3dv6h1');
});

test.each(['', '123456', '7k2m-0xq9-pw3d-v6h', '7k2m-0xq9-pw3d-v6hu', '7k2m0xq9pw3dv6h12', 'x'.repeat(1_000_000)])(
  'other text is none',
  (text) => {
    expect(normaliseRecoveryCode(text)).toBeNull();
  },
);
