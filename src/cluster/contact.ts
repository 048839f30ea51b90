// Whether this machine still hears Consul: LiteFS cannot renew a lease without it, and then another machine may take over.

import { monotonicMs } from '../base/clock.ts';
import { DeskError } from '../domain/errors.ts';
import { connectionTo } from './reachable.ts';

export interface Contact {
  /** False with the check off. */
  hearsConsul(): boolean;
  /** Whether not even a refused connection has come back for that time: then the network is gone, and not only Consul. */
  isCutOff(): boolean;
  /** Throws `unavailable` after a silence longer than the limit. */
  requireContact(): void;
  /** Whether this machine may be away now: Consul lets the machines of a desk go one after another. Rejects when Consul refuses to say. */
  takesTurn(): Promise<boolean>;
  /** The machine that took its turn has done what it went for. Rejects when Consul refuses. */
  endTurn(): Promise<void>;
  stop(): void;
}

interface ContactOptions {
  /** Null has the check off: a static lease needs no one else. */
  consulUrl: string | null;
  /** Less than the time that a lease lasts after it was last renewed. */
  limitMs: number;
  /** Consul's key of the turn: the same on all machines of this desk, and on no others. */
  turnKey: string;
  /** Of `monotonicMs`. */
  passedMs?: () => number;
}

// So that one lost question does not make a silence.
const questionsInLimit = 4;
const maxAnswerCharacters = 1_000;
// Consul ends a session after one to two times this: a machine must have stopped and started again by then.
const turnTtl = '10s';
const turnAskMs = 3_000;

export function createContact({ consulUrl, limitMs, turnKey, passedMs = monotonicMs }: ContactOptions): Contact {
  if (consulUrl === null)
    return {
      hearsConsul: () => false,
      isCutOff: () => false,
      requireContact: () => undefined,
      takesTurn: () => Promise.resolve(true),
      endTurn: () => Promise.resolve(),
      stop: () => undefined,
    };
  let heardAt = passedMs();
  let refusedAt = heardAt;
  let isAsking = false;
  const timer = setInterval(async () => {
    if (isAsking) return;
    isAsking = true;
    // The answer proves contact at the time of the question, not of its arrival.
    const askedAt = passedMs();
    if (await hasLeader(consulUrl, limitMs)) heardAt = askedAt;
    // An answer without a leader can come from an agent on this machine, which is cut off as well.
    else if ((await connectionTo(consulUrl, limitMs)) === 'refused') refusedAt = askedAt;
    isAsking = false;
  }, limitMs / questionsInLimit);
  timer.unref();
  const silence = () => passedMs() - heardAt;
  return {
    hearsConsul: () => silence() <= limitMs,
    isCutOff: () => passedMs() - Math.max(heardAt, refusedAt) > limitMs,
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
    takesTurn: () => takeTurn(consulUrl, turnKey),
    endTurn: async () => void (await askConsul(consulUrl, 'DELETE', `kv/${turnKey}`)),
    stop: () => clearInterval(timer),
  };
}

async function askConsul(consulUrl: string, method: string, path: string, body: string | null = null): Promise<string> {
  const answer = await fetch(`${consulUrl}/v1/${path}`, {
    method,
    body,
    redirect: 'error',
    keepalive: false,
    signal: AbortSignal.timeout(turnAskMs),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`Consul answered ${answer.status} to ${path}`);
  return text;
}

/** A lock that the machine that took it does not give back: it ends, and the next primary gives it back. */
async function takeTurn(consulUrl: string, key: string): Promise<boolean> {
  const ask = (path: string, body: string) => askConsul(consulUrl, 'PUT', path, body);
  const wanted = { Name: 'helpdesk-restart', TTL: turnTtl, LockDelay: '0s', Behavior: 'delete', Checks: [] };
  const { ID: session } = JSON.parse(await ask('session/create', JSON.stringify(wanted)));
  const isTaken = (await ask(`kv/${key}?acquire=${session}`, '')).trim() === 'true';
  if (!isTaken) await ask(`session/destroy/${session}`, '');
  return isTaken;
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
