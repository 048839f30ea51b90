// Common and rare addresses: whatever accepts one must be able to work with it.

import fc from 'fast-check';

const letters = fc.string({ unit: fc.constantFrom(...'abcxyz019._-+'), minLength: 1, maxLength: 12 });
const locals = fc.oneof(
  letters,
  fc.constantFrom('jörg', 'jo\u0308rg', 'ΑΣ', 'İ', 'ﬁ', '😀', "o'neil", 'a..b', '.a', 'x=?y', '#!$%&*/^`{|}~'),
  fc.constantFrom('"john.doe"', '"john doe"', '"a@b"', 'a:b', 'a(b)', 'x'.repeat(64), 'x'.repeat(65), 'x'.repeat(241)),
);
const domains = fc.oneof(
  fc.constantFrom('example.org', 'sub.example.co.uk', 'intranet', 'my_host', 'b', 'example.org.', '192.168.0.7'),
  fc.constantFrom('[192.168.0.7]', '[IPv6:2001:db8::1]', 'müller.example', 'mu\u0308ller.example', '請求.example'),
  fc.constantFrom(
    'xn--mller-kva.example',
    'i❤.example',
    '-x.example',
    'a..b',
    'xn--a',
    'ＥＸＡＭＰＬＥ.org',
    'ß.example',
  ),
);
const cases = fc.constantFrom(
  (text: string) => text,
  (text: string) => text.toUpperCase(),
  (text: string) => text.normalize('NFD'),
);

export const addresses = fc.tuple(locals, domains, cases).map(([local, domain, as]) => as(`${local}@${domain}`));
