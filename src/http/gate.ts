// Limits how many large bodies arrive at once. Further requests wait briefly and are then refused.

import type { Actor } from '../domain/actor.ts';
import { DeskError } from '../domain/errors.ts';

interface GateOptions {
  atOnce: number;
  /** How many of them can belong to one caller, so that one caller cannot block all others. */
  each: number;
  /** How many requests can wait; further ones are refused at once. */
  waiting: number;
  waitMs: number;
}

interface Gate {
  /** Throws `unavailable` when there is no room within `waitMs`. */
  pass<T>(who: string, work: () => Promise<T>): Promise<T>;
}

interface Waiter {
  who: string;
  enter: () => void;
}

export function createGate({ atOnce, each, waiting, waitMs }: GateOptions): Gate {
  const inside = new Map<string, number>();
  const line = new Set<Waiter>();
  let total = 0;

  const hasRoom = (who: string) => total < atOnce && (inside.get(who) ?? 0) < each;

  function enter(who: string): void {
    total += 1;
    inside.set(who, (inside.get(who) ?? 0) + 1);
  }

  function leave(who: string): void {
    total -= 1;
    const left = (inside.get(who) ?? 1) - 1;
    if (left === 0) inside.delete(who);
    else inside.set(who, left);
    for (const waiter of line) {
      if (total >= atOnce) break;
      if (hasRoom(waiter.who)) waiter.enter();
    }
  }

  function wait(who: string): Promise<void> {
    if (line.size >= waiting) throw busy(waitMs);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        line.delete(waiter);
        reject(busy(waitMs));
      }, waitMs);
      const waiter: Waiter = {
        who,
        enter() {
          clearTimeout(timer);
          line.delete(waiter);
          enter(who);
          resolve();
        },
      };
      line.add(waiter);
    });
  }

  return {
    async pass(who, work) {
      if (hasRoom(who)) enter(who);
      else await wait(who);
      try {
        return await work();
      } finally {
        leave(who);
      }
    },
  };
}

function busy(waitMs: number): DeskError {
  return new DeskError('unavailable', 'Too many large requests at once. Try again in a moment.', {
    reason: 'too_many_uploads',
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  });
}

export interface Gates {
  uploads: Gate;
  bodies: Gate;
}

/** The caller that a body counts for: a team token, or a site with all its customers. */
export function senderOf(actor: Actor): string {
  if (actor.kind === 'token') return `token:${actor.tokenId}`;
  return 'siteId' in actor ? `site:${actor.siteId}` : actor.kind;
}

/** An arriving file takes a few megabytes of memory; a JSON body takes a few times its size. */
export function createGates(): Gates {
  const patience = { waiting: 64, waitMs: 5_000 };
  return {
    uploads: createGate({ atOnce: 16, each: 12, ...patience }),
    bodies: createGate({ atOnce: 32, each: 24, ...patience }),
  };
}
