// Every change becomes a numbered event, which is also the ticket's history, in the same transaction.

import type { Instant } from '../base/clock.ts';
import { type Actor, toStoredActor } from '../domain/actor.ts';
import type { EventData, EventKind } from '../domain/event.ts';
import type { Tx } from '../store/database.ts';
import { insertEvent } from '../store/events.ts';
import type { Ticket } from '../store/tickets.ts';
import type { Context } from './context.ts';
import { enqueue } from './outbox/queue.ts';

interface Recorded {
  kind: EventKind;
  siteId: number;
  ticketId: number | null;
  data: EventData;
  at?: Instant;
  actor?: Actor;
  // Saves reading it again, a tenth of the cost of opening a ticket.
  ticket?: Ticket;
}

/** Also queues the deliveries that the event causes. Returns the event's number. */
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
