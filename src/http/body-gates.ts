// Limits how many large bodies arrive at once.

import { createGate, type Gate } from '../base/gate.ts';
import type { Actor } from '../domain/actor.ts';
import { DeskError } from '../domain/errors.ts';

const waitMs = 5_000;

export function busy(): DeskError {
  return new DeskError('unavailable', 'Too many large requests at once. Try again in a moment.', {
    reason: 'too_many_uploads',
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  });
}

export interface Gates {
  uploads: Gate;
  bodies: Gate;
  /** Of people without an account, by the client's address: they keep out no one else. */
  strangersUploads: Gate;
  strangersBodies: Gate;
  /** Attempts for one e-mail address come one after the other. */
  passwords: Gate;
  /** Passwords, codes and links of one client address: no more at once than may still fail. */
  attempts: Gate;
}

export function senderOf(actor: Actor): string {
  if (actor.kind === 'token') return `token:${actor.tokenId}`;
  if (actor.kind === 'agent') return `agent:${actor.agentId}`;
  return 'siteId' in actor ? `site:${actor.siteId}` : actor.kind;
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
  const signIns = { atOnce: 128, waiting: 256, waitMs, refusal: tooManySignIns };
  return {
    uploads: createGate({ atOnce: 16, each: 12, ...patience }),
    bodies: createGate({ atOnce: 32, each: 24, ...patience }),
    strangersUploads: createGate({ atOnce: 24, each: 3, ...patience }),
    strangersBodies: createGate({ atOnce: 16, each: 4, ...patience }),
    passwords: createGate({ ...signIns, each: 1 }),
    attempts: createGate({ ...signIns, waiting: 64, waitMs: 3000 }),
  };
}
