// Signed links to attachments: for one file, for a limited time, and impossible to forge.

import { expect, test } from 'bun:test';
import { createSeal } from '../../src/base/crypto.ts';
import { newUlid } from '../../src/base/ids.ts';
import { createLinks } from '../../src/files/links.ts';

const now = Date.UTC(2026, 8, 11);
const links = createLinks(createSeal(Buffer.alloc(32, 1)), { baseUrl: 'https://desk.example.org' }, 900_000);
const ulid = newUlid(now);
const { url, expiresAt } = links.attachment({ ulid, ticketId: 7 }, now);
const query = Object.fromEntries(new URL(url).searchParams) as { expires: string; ticket: string; signature: string };

test('a link opens its file until it expires', () => {
  expect(url).toStartWith(`https://desk.example.org/api/v1/attachments/${ulid}?expires=`);
  expect(expiresAt).toBe(now + 900_000);
  for (const at of [now, expiresAt - 1]) expect(links.verify(ulid, query, at)).toEqual({ ticketId: 7, madeAt: now });
  expect(links.verify(ulid, query, expiresAt)).toBe('expired');
});

test('of a file that waits for a new ticket names none', () => {
  const waiting = Object.fromEntries(new URL(links.attachment({ ulid }, now).url).searchParams);
  expect(links.verify(ulid, waiting, now)).toEqual({ ticketId: null, madeAt: now });
  expect(links.verify(ulid, { ...waiting, ticket: '7' }, now)).toBe('forged');
});

test('nothing else does', () => {
  expect(links.verify(newUlid(now), query, now)).toBe('forged');
  const { expires, ticket, signature } = query;
  expect(links.verify(ulid, { expires, signature }, now)).toBe('forged');
  expect(links.verify(ulid, { ...query, ticket: '8' }, now)).toBe('forged');
  expect(links.verify(ulid, { ...query, expires: String(expiresAt + 1) }, now)).toBe('forged');
  const other = `${signature.slice(0, -1)}${signature.endsWith('A') ? 'B' : 'A'}`;
  for (const odd of [other, '', undefined])
    expect(links.verify(ulid, { expires, ticket, signature: odd }, now)).toBe('forged');
  for (const odd of ['', 'x', '1e9', `${expires} `, '-1', '9'.repeat(16)])
    expect(links.verify(ulid, { ...query, expires: odd }, now)).toBe('forged');
  const elsewhere = createLinks(createSeal(Buffer.alloc(32, 2)), { baseUrl: 'https://desk.example.org' }, 900_000);
  expect(elsewhere.verify(ulid, query, now)).toBe('forged');
});
