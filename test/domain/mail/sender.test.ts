// What the records of an address say: each case is a zone, and what is judged of it.

import { describe, expect, test } from 'bun:test';
import { type Coverage, judgeRecords, questionsOf, type TxtRecords } from '../../../src/domain/mail/sender.ts';

const domain = 'help.shop.example';
const key = 'v=DKIM1; k=rsa; p=MIGfMA0GCSqG';

function judged(
  zone: Record<string, TxtRecords>,
  selectors: readonly string[] = [],
  server: string | null = null,
  coverage: Coverage = 'unjudged',
) {
  const { spf, dkim, dmarc } = questionsOf(domain, selectors);
  const names = [spf, ...dmarc, ...dkim.map(({ name }) => name)];
  const answers = new Map(names.map((name) => [name, Object.hasOwn(zone, name) ? (zone[name] ?? null) : []]));
  return judgeRecords(domain, selectors, answers, { server, coverage });
}

describe('SPF', () => {
  test.each<[string, TxtRecords, string]>([
    ['no record', ['google-site-verification=x'], 'missing'],
    ['a record', ['v=spf1 include:_spf.provider.example -all'], 'ok'],
    ['a record in other case', ['V=SPF1 mx ~all'], 'ok'],
    ['something that begins like one', ['v=spf10 mx'], 'missing'],
    ['two records', ['v=spf1 mx -all', 'v=spf1 a -all'], 'wrong'],
    ['a record that names no server', ['v=spf1 -all'], 'wrong'],
    ['a record that lets everyone send', ['v=spf1 +all'], 'wrong'],
    ['a redirect', ['v=spf1 redirect=_spf.shop.example'], 'ok'],
    ['no answer', null, 'unknown'],
  ])('%s', (_name, records, status) => {
    expect(judged({ [domain]: records }).spf.status).toBe(status as never);
  });

  const old = 'v=spf1 mx -all';
  test.each<[string, string | null, TxtRecords, Coverage, string, string | null]>([
    ['the server of the desk', 'smtp.example.net', [], 'unjudged', 'spf_missing', 'v=spf1 mx a:smtp.example.net ~all'],
    ['a server with an address only', '192.0.2.7', [], 'unjudged', 'spf_missing', 'v=spf1 mx ip4:192.0.2.7 ~all'],
    ['a server that no one else knows', 'localhost', [], 'unjudged', 'spf_missing', 'v=spf1 mx ~all'],
    ['Google', 'smtp.gmail.com', [], 'unjudged', 'spf_missing', 'v=spf1 include:_spf.google.com ~all'],
    ['Google, covered', 'smtp.gmail.com', [old], 'covers', 'spf_covers', null],
    [
      'Google, not covered',
      'smtp.gmail.com',
      [old],
      'lacks',
      'spf_lacks_provider',
      'v=spf1 include:_spf.google.com mx -all',
    ],
    ['a server, covered', 'smtp.example.net', [old], 'covers', 'spf_covers', null],
    [
      'a server, not covered',
      'smtp.example.net',
      [old],
      'lacks',
      'spf_lacks_server',
      'v=spf1 a:smtp.example.net mx -all',
    ],
    [
      'no server named',
      'smtp.example.net',
      ['v=spf1 -all'],
      'lacks',
      'spf_names_none',
      'v=spf1 a:smtp.example.net -all',
    ],
    ['a broken record', 'smtp.example.net', [old], 'broken', 'spf_broken', null],
    ['silence about what it includes', 'smtp.example.net', [old], 'silent', 'dns_silent', null],
  ])('says what to publish: %s', (_name, server, records, coverage, reason, value) => {
    const { spf } = judged({ [domain]: records }, [], server, coverage);
    expect([spf.reason, spf.add?.value ?? null]).toEqual([reason as never, value]);
    expect(spf.explanation).not.toContain('null');
  });
});

describe('DKIM', () => {
  const at = (selector: string) => `${selector}._domainkey.${domain}`;
  test.each<[string, Record<string, TxtRecords>, string[], string]>([
    ['a key under a usual name', { [at('selector1')]: [key] }, [], 'ok'],
    ['no key under a usual name', {}, [], 'unknown'],
    ['a key under the name that the sender has', { [at('mail2026')]: [key] }, ['mail2026'], 'ok'],
    ['none under the name that the sender has', { [at('selector1')]: [key] }, ['mail2026'], 'missing'],
    ['a revoked key', { [at('mail2026')]: ['v=DKIM1; p='] }, ['mail2026'], 'wrong'],
    ['a revoked key beside a good one', { [at('a')]: ['v=DKIM1; p='], [at('b')]: ['k=rsa; p=AB'] }, ['a', 'b'], 'ok'],
    ['no answer', { [at('mail2026')]: null }, ['mail2026'], 'unknown'],
  ])('%s', (_name, zone, selectors, status) => {
    expect(judged(zone, selectors).dkim.status).toBe(status as never);
  });
});

test('a provider signs its own domain, and is told apart where it does not sign yet', () => {
  const at = (domain: string, server: string) =>
    judgeRecords(
      domain,
      [],
      new Map(
        [...questionsOf(domain, []).dkim.map(({ name }) => name), domain, `_dmarc.${domain}`].map((name) => [name, []]),
      ),
      { server, coverage: 'covers' },
    );
  expect(at('gmail.com', 'smtp.gmail.com').dkim).toMatchObject({ status: 'ok', reason: 'dkim_of_provider' });
  expect(at('gmail.com', 'smtp.gmail.com').spf.add).toBeNull();
  expect(at('shop.example', 'smtp.office365.com').dkim).toMatchObject({
    status: 'missing',
    about: 'Microsoft',
    add: { type: 'CNAME', name: 'selector1._domainkey.shop.example', value: null },
  });
});

describe('DMARC', () => {
  const own = `_dmarc.${domain}`;
  const above = '_dmarc.shop.example';
  const spf = { [domain]: ['v=spf1 mx -all'] };
  test.each<[string, Record<string, TxtRecords>, string[], string]>([
    ['none', {}, [], 'missing'],
    ['a policy of its own', { ...spf, [own]: ['v=DMARC1; p=none'] }, [], 'ok'],
    ['a policy of the domain above', { ...spf, [above]: ['v=DMARC1;p=none'] }, [], 'ok'],
    ['a policy while DKIM is unknown', { [own]: ['v=DMARC1; p=none'] }, [], 'unknown'],
    ['a mild policy that nothing passes', { [own]: ['v=DMARC1; p=none'] }, ['x'], 'wrong'],
    ['a refusing policy, with SPF', { ...spf, [own]: ['v=DMARC1; p=reject'] }, ['x'], 'ok'],
    ['a refusing policy that nothing passes', { [own]: ['v=DMARC1; p=reject'] }, ['x'], 'wrong'],
    ['a refusing policy for domains below', { [above]: ['v=DMARC1; p=none; sp=quarantine'] }, ['x'], 'wrong'],
    ['two records', { [own]: ['v=DMARC1; p=none', 'v=DMARC1; p=reject'] }, [], 'wrong'],
    ['no answer', { [own]: null }, [], 'unknown'],
  ])('%s', (_name, zone, selectors, status) => {
    expect(judged(zone, selectors).dmarc.status).toBe(status as never);
  });

  test('asks for a bounded number of names, never for a top-level domain', () => {
    const { dmarc } = questionsOf(`${'a.'.repeat(60)}shop.example`, []);
    expect(dmarc).toHaveLength(6);
    expect(dmarc.at(-1)).toBe('_dmarc.shop.example');
  });
});
