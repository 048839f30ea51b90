// An outage of DNS costs those who ask first some time, and no one else.

import { expect, test } from 'bun:test';
import type { AskDns, DnsAnswer } from '../../src/domain/mail/sender-checks.ts';
import { sparingOutages } from '../../src/net/dns-outage.ts';

const times = { doubtMs: 1, probeMs: 1, againMs: 0 };
const endlessMs = 3_600_000;

function dns(isSilent: (question: string) => boolean) {
  const asked: string[] = [];
  const ask: AskDns = (question, withinMs) => {
    asked.push(question);
    if (!isSilent(question)) return Promise.resolve(['yes']);
    const { promise, resolve } = Promise.withResolvers<DnsAnswer>();
    if (withinMs !== endlessMs) setTimeout(resolve, withinMs, 'silent');
    return promise;
  };
  return { asked, ask };
}

test('while everything is silent, no one waits to the end, and later questions are not asked', async () => {
  let isOut = true;
  const { asked, ask } = dns(() => isOut);
  const sparing = sparingOutages(ask, { ...times, againMs: endlessMs });
  const first = ['TXT a.example', 'TXT b.example'] as const;
  expect(await Promise.all(first.map((question) => sparing(question, endlessMs)))).toEqual(['silent', 'silent']);
  expect(asked).toEqual([...first, 'A example.com']);
  expect(await sparing('TXT c.example', endlessMs)).toBe('silent');
  expect(asked).toHaveLength(3);

  // It asks for itself whether DNS is back, and then asks again for others.
  isOut = false;
  const again = sparingOutages(dns(() => isOut).ask, times);
  isOut = true;
  expect(await again('TXT a.example', endlessMs)).toBe('silent');
  isOut = false;
  let answer: DnsAnswer = 'silent';
  while (answer === 'silent') answer = await again('TXT a.example', endlessMs);
  expect(answer).toEqual(['yes']);
});

test("a stranger's silent name servers are no outage: others are asked as before", async () => {
  const { asked, ask } = dns((question) => question.endsWith('evil.example'));
  const sparing = sparingOutages(ask, times);
  const silent = sparing('TXT evil.example', 20);
  while (!asked.includes('A example.com')) await new Promise((resolve) => setImmediate(resolve));
  expect(await sparing('TXT customer.example', endlessMs)).toEqual(['yes']);
  expect(await silent).toBe('silent');
  expect(await sparing('TXT other.example', endlessMs)).toEqual(['yes']);
});
