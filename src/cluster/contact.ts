// Whether this machine still hears Consul or another machine: a primary that hears neither may have been replaced.

import { monotonicMs } from '../base/clock.ts';
import { DeskError } from '../domain/errors.ts';

interface Contact {
  /** Throws `unavailable` after a silence longer than the limit. */
  requireContact(): void;
  stop(): void;
}

interface ContactOptions {
  /** Null has the check off: a static lease needs no one else. */
  consulUrl: string | null;
  limitMs: number;
  heardPeerAt: () => number;
  askEveryMs?: number;
}

const askTimeoutMs = 2_000;
const usualAskEveryMs = 1_000;
const maxAnswerCharacters = 1_000;

export function createContact({ consulUrl, limitMs, heardPeerAt, askEveryMs }: ContactOptions): Contact {
  if (consulUrl === null) return { requireContact: () => undefined, stop: () => undefined };
  let heardAt = monotonicMs();
  let isAsking = false;
  const timer = setInterval(async () => {
    if (isAsking) return;
    isAsking = true;
    if (await hasLeader(consulUrl)) heardAt = monotonicMs();
    isAsking = false;
  }, askEveryMs ?? usualAskEveryMs);
  timer.unref();
  return {
    requireContact() {
      const silentMs = monotonicMs() - Math.max(heardAt, heardPeerAt());
      if (silentMs <= limitMs) return;
      const seconds = Math.round(silentMs / 1000);
      throw new DeskError(
        'unavailable',
        `This machine has heard neither Consul nor another machine for ${seconds} s, so another one may be the primary. Nothing was stored.`,
        { retryAfterSeconds: 2 },
      );
    },
    stop: () => clearInterval(timer),
  };
}

async function hasLeader(consulUrl: string): Promise<boolean> {
  try {
    const answer = await fetch(`${consulUrl}/v1/status/leader`, {
      redirect: 'error',
      keepalive: false,
      signal: AbortSignal.timeout(askTimeoutMs),
    });
    const text = await answer.text();
    return answer.ok && text.length < maxAnswerCharacters && /^"[^"]+"\s*$/.test(text);
  } catch {
    return false;
  }
}
