// Asking DNS for the records of a sender: each case is a zone that answers, fails or is silent.

import { describe, expect, test } from 'bun:test';
import type { AskDns, DnsAnswer, DnsQuestion } from '../../src/domain/mail/sender-checks.ts';
import { createDns } from '../../src/net/dns-records.ts';
import { checkRecords } from '../../src/net/sender-records.ts';

type Zone = Partial<Record<DnsQuestion, DnsAnswer>>;

function dns(zone: Zone): { ask: AskDns; asked: string[] } {
  const asked: string[] = [];
  const ask: AskDns = async (question) => {
    asked.push(question);
    return zone[question] ?? 'none';
  };
  return { ask, asked };
}
const spfOf = async (server: string | null, zone: Zone) =>
  (await checkRecords('help@shop.example', ['s1'], server, dns(zone).ask)).spf;

test('asks for the ASCII form of a domain, for each name once, and cuts what is too long', async () => {
  const asked: string[] = [];
  const found = await checkRecords(
    'help@größe.example',
    [],
    null,
    createDns(async (name) => {
      asked.push(name);
      if (name === 'xn--gre-6ka8i.example') return [['v=spf1 include:', 'a.example ', 'x'.repeat(10_000)]];
      throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    }),
  );
  expect(asked).toContain('_dmarc.xn--gre-6ka8i.example');
  expect(new Set(asked).size).toBe(asked.length);
  expect(found.spf.found).toStartWith('v=spf1 include:a.example xxx');
  expect(found.spf.found?.length).toBeLessThanOrEqual(2001);
});

test('silence about one name makes only that record unknown', async () => {
  const { ask } = dns({ 'TXT shop.example': 'silent', 'TXT _dmarc.shop.example': 'silent' });
  const found = await checkRecords('help@shop.example', ['s1'], 'smtp.gmail.com', ask);
  expect([found.spf.status, found.dkim.status, found.dmarc.status]).toEqual(['unknown', 'missing', 'unknown']);
});

describe('SPF is read as receivers read it', () => {
  const google: Zone = {
    'TXT _spf.google.com': ['v=spf1 ip4:198.51.100.0/24 ~all'],
    'TXT spf.hoster.example': ['v=spf1 include:_spf.google.com -all'],
  };
  const own: Zone = { 'A smtp.shop.example': ['8.8.4.4'], 'AAAA smtp.shop.example': [] };
  const loop = Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [`TXT l${at}.example`, [`v=spf1 include:l${at + 1}.example -all`]]),
  ) as Zone;
  test.each<[string, string | null, string, Zone, string]>([
    ['a provider', 'smtp.gmail.com', 'v=spf1 include:_spf.google.com ~all', google, 'spf_covers'],
    [
      'a provider behind another name',
      'smtp.gmail.com',
      'v=spf1 include:spf.hoster.example -all',
      google,
      'spf_covers',
    ],
    ['a provider by redirect', 'smtp.gmail.com', 'v=spf1 redirect=_spf.google.com', google, 'spf_covers'],
    ['another provider', 'smtp.office365.com', 'v=spf1 include:_spf.google.com ~all', google, 'spf_lacks_provider'],
    ['the address of the server', 'smtp.shop.example', 'v=spf1 ip4:8.8.4.0/24 -all', own, 'spf_covers'],
    ['the name of the server', 'smtp.shop.example', 'v=spf1 a:smtp.shop.example -all', own, 'spf_covers'],
    ['another address', 'smtp.shop.example', 'v=spf1 ip4:9.9.9.9 -all', own, 'spf_lacks_server'],
    [
      'a server without a public address',
      'smtp.lan.example',
      'v=spf1 mx -all',
      { 'A smtp.lan.example': ['10.0.0.5'] },
      'spf_unjudged',
    ],
    ['too many includes', 'smtp.shop.example', 'v=spf1 include:l0.example -all', { ...own, ...loop }, 'spf_broken'],
    ['a mistake', 'smtp.shop.example', 'v=spf1 ipv4:8.8.4.4 -all', own, 'spf_broken'],
    [
      'silence about an include',
      'smtp.shop.example',
      'v=spf1 include:a.example -all',
      { ...own, 'TXT a.example': 'silent' },
      'dns_silent',
    ],
    ['no server', null, 'v=spf1 mx -all', {}, 'spf_unjudged'],
  ])('%s', async (_name, server, record, zone, reason) => {
    expect((await spfOf(server, { ...zone, 'TXT shop.example': [record] })).reason).toBe(reason as never);
  });

  test('a record that leads to ever more names is asked for a bounded number of questions', async () => {
    const { ask, asked } = dns({});
    const endless: AskDns = async (question, withinMs) => {
      await ask(question, withinMs);
      return [
        `v=spf1 ${Array.from({ length: 40 }, (_, at) => `include:x${at}.${question.slice(4, 60)}`).join(' ')} -all`,
      ];
    };
    await checkRecords('help@shop.example', [], 'smtp.gmail.com', endless);
    expect(asked.length).toBeLessThanOrEqual(100);
  });
});
