// Spares those who ask DNS the waiting while it is silent about everything: the first pay for an outage, not each.

import type { AskDns, DnsAnswer, DnsQuestion } from '../domain/mail/sender-checks.ts';

// A name that no sender of mail chooses, so that a stranger's silent name servers are not taken for an outage.
const probe: DnsQuestion = 'A example.com';
const usual = { doubtMs: 1000, probeMs: 2000, againMs: 10_000 };

export function sparingOutages(ask: AskDns, { doubtMs, probeMs, againMs }: typeof usual = usual): AskDns {
  let isOut = false;
  let answered = 0;
  let probedAt = 0;
  let isProbing = false;
  const waiting = new Set<() => void>();

  async function look(): Promise<void> {
    if (isProbing) return;
    isProbing = true;
    const before = answered;
    const answer = await ask(probe, probeMs).finally(() => {
      isProbing = false;
    });
    if (answer !== 'silent') answered += 1;
    isOut = answered === before;
    probedAt = performance.now();
    if (isOut) for (const giveUp of waiting) giveUp();
  }

  return async (question, withinMs) => {
    if (isOut) {
      if (performance.now() - probedAt >= againMs) void look();
      return 'silent';
    }
    const before = answered;
    const { promise, resolve } = Promise.withResolvers<DnsAnswer>();
    const giveUp = () => resolve('silent');
    waiting.add(giveUp);
    const doubt = setTimeout(() => answered === before && void look(), doubtMs);
    try {
      const answer = await Promise.race([ask(question, withinMs), promise]);
      if (answer === 'silent') return answer;
      answered += 1;
      isOut = false;
      return answer;
    } finally {
      clearTimeout(doubt);
      waiting.delete(giveUp);
    }
  };
}
