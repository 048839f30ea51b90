// Signed links to attachments: for one file, for a limited time, and impossible to forge.

import { expect, test } from 'bun:test';
import { createSeal } from '../../src/base/crypto.ts';
import { newUlid } from '../../src/base/ids.ts';
import { createLinks } from '../../src/files/links.ts';

const now = Date.UTC(2026, 8, 11);
const links = createLinks(createSeal(Buffer.alloc(32, 1)), 'https://desk.example.org', 900_000);
const ulid = newUlid(now);
const { url, expiresAt } = links.attachment(ulid, now);
const { expires, signature } = Object.fromEntries(new URL(url).searchParams) as { expires: string; signature: string };

test('a link opens its file until it expires', () => {
  expect(url).toStartWith(`https://desk.example.org/api/v1/attachments/${ulid}?`);
  expect(expiresAt).toBe(now + 900_000);
  expect(links.verify(ulid, expires, signature, now)).toBe('valid');
  expect(links.verify(ulid, expires, signature, expiresAt - 1)).toBe('valid');
  expect(links.verify(ulid, expires, signature, expiresAt)).toBe('expired');
});

test('nothing else does', () => {
  expect(links.verify(newUlid(now), expires, signature, now)).toBe('forged');
  expect(links.verify(ulid, String(expiresAt + 1), signature, now)).toBe('forged');
  expect(links.verify(ulid, expires, `${signature.slice(0, -1)}${signature.endsWith('A') ? 'B' : 'A'}`, now)).toBe(
    'forged',
  );
  for (const odd of ['', 'x', '1e9', `${expires} `, '-1', '9'.repeat(16)])
    expect(links.verify(ulid, odd, signature, now)).toBe('forged');
  const other = createLinks(createSeal(Buffer.alloc(32, 2)), 'https://desk.example.org', 900_000);
  expect(other.verify(ulid, expires, signature, now)).toBe('forged');
});
