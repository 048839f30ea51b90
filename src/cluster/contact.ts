// Whether this machine still hears Consul: LiteFS cannot renew a lease without it, and then another machine may take over.

import { monotonicMs } from '../base/clock.ts';
import { DeskError } from '../domain/errors.ts';

export interface Contact {
  /** False with the check off. */
  hearsConsul(): boolean;
  /** Throws `unavailable` after a silence longer than the limit. */
  requireContact(): void;
  stop(): void;
}

interface ContactOptions {
  /** Null has the check off: a static lease needs no one else. */
  consulUrl: string | null;
  /** Less than the time that a lease lasts after it was last renewed. */
  limitMs: number;
}

// So that one lost question does not make a silence.
const questionsInLimit = 4;
const maxAnswerCharacters = 1_000;

export function createContact({ consulUrl, limitMs }: ContactOptions): Contact {
  if (consulUrl === null) return { hearsConsul: () => false, requireContact: () => undefined, stop: () => undefined };
  let heardAt = monotonicMs();
  let isAsking = false;
  const timer = setInterval(async () => {
    if (isAsking) return;
    isAsking = true;
    // The answer proves contact at the time of the question, not of its arrival.
    const askedAt = monotonicMs();
    if (await hasLeader(consulUrl, limitMs)) heardAt = askedAt;
    isAsking = false;
  }, limitMs / questionsInLimit);
  timer.unref();
  const silence = () => monotonicMs() - heardAt;
  return {
    hearsConsul: () => silence() <= limitMs,
    requireContact() {
      const silentMs = silence();
      if (silentMs <= limitMs) return;
      const seconds = Math.round(silentMs / 1000);
      throw new DeskError(
        'unavailable',
        `This machine has not heard Consul for ${seconds} s, so another one may be the primary. Nothing was stored.`,
        { retryAfterSeconds: 2 },
      );
    },
    stop: () => clearInterval(timer),
  };
}

async function hasLeader(consulUrl: string, ms: number): Promise<boolean> {
  try {
    const answer = await fetch(`${consulUrl}/v1/status/leader`, {
      redirect: 'error',
      keepalive: false,
      signal: AbortSignal.timeout(ms),
    });
    const text = await answer.text();
    return answer.ok && text.length < maxAnswerCharacters && /^"[^"]+"\s*$/.test(text);
  } catch {
    return false;
  }
}
