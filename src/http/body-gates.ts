// Limits how many large bodies arrive at the same time.

import { monotonicMs } from '../base/clock.ts';
import { createGate, type Gate } from '../base/gate.ts';
import type { Actor } from '../domain/actor.ts';
import { DeskError } from '../domain/errors.ts';

const waitMs = 5_000;

export function busy(): DeskError {
  return new DeskError('unavailable', 'Too many large requests at the same time. Try again in a moment.', {
    reason: 'too_many_uploads',
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  });
}

/** Each has places of its own, so that it keeps no other out: agents and team tokens, sites' applications. */
type Members = 'team' | 'sites';
/** And so have people without an account: customers by the link to their ticket, and who sends a form, which anyone can. */
type Strangers = 'links' | 'forms';

export interface Gates {
  uploads: Record<Members | Strangers, Gate>;
  /** At one site, so that a flood there keeps no one from another. */
  uploadsAt: Record<Strangers, (siteId: number) => Gate>;
  bodies: Record<Members | 'strangers', Gate>;
  /** Attempts for one e-mail address come one after the other. */
  passwords: Gate;
  /** Passwords, codes and links of one client address: no more at a time than may still fail. */
  attempts: Gate;
}

/** Who sends an upload without an account, by what, and for which ticket. */
export interface Stranger {
  by: Strangers;
  siteId: number;
  ticketId: number;
}

export function memberOf(actor: Actor): { crowd: Members; name: string } {
  if ('siteId' in actor) return { crowd: 'sites', name: `site:${actor.siteId}` };
  if (actor.kind === 'token') return { crowd: 'team', name: `token:${actor.tokenId}` };
  return { crowd: 'team', name: actor.kind === 'agent' ? `agent:${actor.agentId}` : actor.kind };
}

function tooManySignIns(): DeskError {
  return new DeskError('unavailable', 'Too many people are signing in at the moment. Try again in a few seconds.', {
    reason: 'too_busy',
    retryAfterSeconds: 2,
  });
}

/** An arriving file takes a few megabytes of memory; a JSON body takes a few times its size. */
export function createGates(): Gates {
  const patience = { waiting: 64, waitMs, refusal: busy };
  const few = { each: 3, eachCrowded: 1, eachWaiting: 3, clock: monotonicMs, ...patience };
  const signIns = { atOnce: 128, waiting: 256, waitMs, refusal: tooManySignIns };
  return {
    uploads: {
      team: createGate({ atOnce: 16, each: 12, ...patience }),
      sites: createGate({ atOnce: 16, each: 8, ...patience }),
      links: createGate({ atOnce: 96, ...few }),
      forms: createGate({ atOnce: 32, ...few }),
    },
    uploadsAt: {
      links: bySite(() => createGate({ atOnce: 24, ...few })),
      forms: bySite(() => createGate({ atOnce: 16, ...few })),
    },
    bodies: {
      team: createGate({ atOnce: 32, each: 24, ...patience }),
      sites: createGate({ atOnce: 16, each: 12, ...patience }),
      strangers: createGate({ atOnce: 16, each: 4, ...patience }),
    },
    passwords: createGate({ ...signIns, each: 1 }),
    attempts: createGate({ ...signIns, waiting: 64, waitMs: 3000 }),
  };
}

/** Only of sites that exist: strangers must not be able to add to it. */
function bySite(create: () => Gate): (siteId: number) => Gate {
  const gates = new Map<number, Gate>();
  return (siteId) => {
    const gate = gates.get(siteId) ?? create();
    gates.set(siteId, gate);
    return gate;
  };
}
