// What an e-mail address is, and the one form in which it is stored.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { ConfigError, readConfig } from '../../../src/base/config.ts';
import { anonymisedEmail, isAnonymisedEmail } from '../../../src/domain/customers/author.ts';
import {
  canonicalAddress,
  isAddress,
  keptForms,
  maxAddressLength,
  normaliseEmail,
  normaliseEmailOrDomain,
} from '../../../src/domain/mail/address.ts';
import { addresses } from '../../support/addresses.ts';
import { caseCount } from '../../support/case-count.ts';

test.each([
  ['mia@example.org', 'mia@example.org'],
  [' Mia.J+Tag@Sub.Example.CO.UK ', 'mia.j+tag@sub.example.co.uk'],
  ["o'neil@example.org", "o'neil@example.org"],
  ['eve@intranet', 'eve@intranet'],
  ['root@my_host', 'root@my_host'],
  ['eve@example.org.', 'eve@example.org'],
  ['cron@192.168.0.7', 'cron@192.168.0.7'],
  ['cron@[192.168.0.7]', 'cron@[192.168.0.7]'],
  ['cron@[IPv6:2001:DB8::1]', 'cron@[ipv6:2001:db8::1]'],
  ['jürgen@müller.example', 'jürgen@müller.example'],
  ['ju\u0308rgen@mu\u0308ller.example', 'jürgen@müller.example'],
  ['jürgen@xn--mller-kva.example', 'jürgen@müller.example'],
  ['mia@ＥＸＡＭＰＬＥ.org', 'mia@example.org'],
  ['a..b@docomo.example', 'a..b@docomo.example'],
  ['"mia.jansen"@example.org', 'mia.jansen@example.org'],
  [`${'x'.repeat(200)}@example.org`, `${'x'.repeat(200)}@example.org`],
])('%s is kept as %s', (written, kept) => {
  expect(canonicalAddress(written)).toBe(kept);
});

test.each([
  '',
  'mia',
  '@example.org',
  'mia@',
  'a@b..c',
  'a@-b.org',
  'a@b-.org',
  'a,b@example.org',
  'a@example.org\r\nBcc: x@y.z',
  '"a b"@example.org',
  '"a@b"@example.org',
  '<a@example.org>',
  'a@b@c.org',
  'a\u200db@example.org',
  'a@[192.168.0.1',
  'a@xn--a',
  `${'x'.repeat(maxAddressLength - 11)}@example.org`,
])('%s is none', (text) => {
  expect(isAddress(text)).toBe(false);
});

test('the form that is kept is kept as it is, and holds nothing that ends a header or a list', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        addresses,
        fc.string({ unit: 'binary' }).map((text) => `${text}@example.org`),
      ),
      (text) => {
        const kept = canonicalAddress(text);
        if (kept === null) return;
        expect(canonicalAddress(kept)).toBe(kept);
        expect(canonicalAddress(kept.toUpperCase())).not.toBe('');
        expect(kept).not.toMatch(/[\s,;<>"\\()\p{Cc}]/u);
        expect(kept.split('@')).toHaveLength(2);
        expect(kept.length).toBeLessThanOrEqual(maxAddressLength);
      },
    ),
    { numRuns: caseCount(150, 2000) },
  );
});

test('what is no address is still looked for as it was typed', () => {
  expect(normaliseEmail(' "A B"@Example.org ')).toBe('"a b"@example.org');
  expect(keptForms('Mia@Example.org.')).toEqual(['mia@example.org', 'mia@example.org.']);
  expect(keptForms('mia@example.org')).toEqual(['mia@example.org']);
});

test('no one may claim the address of someone who was erased', () => {
  expect([isAnonymisedEmail('x@ANONYMISED.invalid.'), isAnonymisedEmail('x@example.org')]).toEqual([true, false]);
  expect(isAnonymisedEmail(anonymisedEmail(3))).toBe(true);
});

test('what the desk itself may be set up to send from is an address', () => {
  fc.assert(
    fc.property(
      // The letters of a Punycode name are only checked where it is used.
      addresses.filter((address) => !/@xn--a$/i.test(address)),
      (address) => {
        try {
          readConfig({ HELPDESK_MAIL_FROM: address });
        } catch (error) {
          expect(error).toBeInstanceOf(ConfigError);
          return;
        }
        expect(isAddress(address)).toBe(true);
      },
    ),
  );
});

test('a domain to look for is stored as that of an address, and an address stays one', () => {
  for (const domain of ['Example.ORG', 'xn--mnchen-3ya.example', 'münchen.example.', ' example.org '])
    expect(`zoe${normaliseEmailOrDomain(`@${domain}`)}`).toBe(normaliseEmailOrDomain(`zoe@${domain.trim()}`));
  expect(normaliseEmailOrDomain('@Not A Domain')).toBe('@not a domain');
});
