// Whether this machine still hears Consul: LiteFS cannot renew a lease without it, and then another machine may take over.

import { monotonicMs } from '../base/clock.ts';
import { isLoopbackHost } from '../base/local-url.ts';
import { DeskError } from '../domain/errors.ts';
import { connectionTo } from './reachable.ts';

export interface Contact {
  /** False with the check off. */
  hearsConsul(): boolean;
  /** Whether nothing has come back for that time, not even a refused connection: then the network is gone, and not only Consul. */
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
  // One on this machine is cut off as well, and answers without a leader.
  const isOwn = isLoopbackHost(new URL(consulUrl).hostname);
  let heardAt = passedMs();
  let reachedAt = heardAt;
  let isAsking = false;
  const timer = setInterval(async () => {
    if (isAsking) return;
    isAsking = true;
    // The answer proves contact at the time of the question, not of its arrival.
    const askedAt = passedMs();
    const answer = await askForLeader(consulUrl, limitMs);
    if (answer === 'leader') heardAt = askedAt;
    if (answer === 'leader' || (answer === 'no leader' && !isOwn)) reachedAt = askedAt;
    else if ((await connectionTo(consulUrl, limitMs)) === 'refused') reachedAt = askedAt;
    isAsking = false;
  }, limitMs / questionsInLimit);
  timer.unref();
  const silence = () => passedMs() - heardAt;
  return {
    hearsConsul: () => silence() <= limitMs,
    isCutOff: () => passedMs() - reachedAt > limitMs,
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

/** Null: nothing has answered. A server that has just started names no leader for some seconds. */
async function askForLeader(consulUrl: string, ms: number): Promise<'leader' | 'no leader' | null> {
  try {
    const answer = await fetch(`${consulUrl}/v1/status/leader`, {
      redirect: 'error',
      keepalive: false,
      signal: AbortSignal.timeout(ms),
    });
    const text = await answer.text();
    const hasLeader = answer.ok && text.length < maxAnswerCharacters && /^"[^"]+"\s*$/.test(text);
    return hasLeader ? 'leader' : 'no leader';
  } catch {
    return null;
  }
}
