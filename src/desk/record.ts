// The one way in which a change becomes known: a numbered event, which is also the ticket's history, in the same transaction.

import type { Instant } from '../base/clock.ts';
import type { Seal } from '../base/crypto.ts';
import { type Actor, toStoredActor } from '../domain/actor.ts';
import type { EventData, EventKind } from '../domain/event.ts';
import type { Tx } from '../store/database.ts';
import { insertEvent } from '../store/events.ts';
import type { Ticket } from '../store/tickets.ts';
import { enqueue } from './outbox.ts';

/** Who asks, the one instant of this step, and the desk's key. */
export interface Context {
  readonly actor: Actor;
  readonly requestId: string;
  readonly now: Instant;
  readonly seal: Seal;
  /** The right side of the Message-IDs that the desk gives. */
  readonly mailDomain: string;
  /**
   * Told that a person was erased in this step, which must be known outside the database too before it is answered, and
   * whose stored mail and files (by their ulids) go with them.
   */
  readonly noteErasure?: (mails: readonly string[], attachments?: readonly string[]) => void;
}

interface Recorded {
  kind: EventKind;
  siteId: number;
  ticketId: number | null;
  data: EventData;
  /** When it happened, where that is not the instant of the step: a deadline that was found passed. */
  at?: Instant;
  actor?: Actor;
  /** The ticket as it is now, where the caller has it at hand: reading it again is a tenth of opening one. */
  ticket?: Ticket;
}

/** Stores an event and queues what must leave the desk because of it; answers the event's number. */
export function record(tx: Tx, ctx: Context, event: Recorded): number {
  const seq = insertEvent(tx, {
    kind: event.kind,
    siteId: event.siteId,
    ticketId: event.ticketId,
    actor: toStoredActor(event.actor ?? ctx.actor),
    data: event.data,
    createdAt: event.at ?? ctx.now,
  });
  if (event.ticketId !== null) enqueue(tx, ctx, event.kind, event.ticket ?? event.ticketId, event.data, seq);
  return seq;
}
