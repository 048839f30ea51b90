// Whether mail for a domain can come: each case is a zone that answers, fails or is silent.

import { expect, test } from 'bun:test';
import type { DnsAnswer } from '../../src/domain/mail/sender-checks.ts';
import type { DomainFault } from '../../src/domain/own-services.ts';
import { mailFault } from '../../src/net/mail-exchange.ts';

const domain = 'support.example';
const mx = (exchange: string) => [{ exchange, priority: 10 }];

test.each<[string, Record<string, DnsAnswer>, DomainFault | null]>([
  ['has a mail server', { MX: mx('mx.example') }, null],
  ['has only an address, which then takes its mail', { MX: [], AAAA: ['2001:db8::1'] }, null],
  ['is not in DNS', {}, 'no_mail_server'],
  ['has other records', { MX: [], A: [] }, 'no_mail_server'],
  ['takes no mail', { MX: mx(''), A: ['192.0.2.1'] }, 'takes_no_mail'],
  ['is not answered for', { MX: 'silent', A: 'silent', AAAA: 'silent' }, 'dns_silent'],
])('a domain that %s', async (_, zone, fault) => {
  const asked: string[] = [];
  const found = await mailFault(domain, async (question) => {
    asked.push(question);
    return zone[question.split(' ')[0] ?? ''] ?? 'none';
  });
  expect([found?.reason ?? null, asked]).toEqual([fault, [`MX ${domain}`, `A ${domain}`, `AAAA ${domain}`]]);
});
