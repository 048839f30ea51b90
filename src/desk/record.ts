// Every change becomes a numbered event, which is also the ticket's history, in the same transaction.

import type { Instant } from '../base/clock.ts';
import { type Actor, toStoredActor } from '../domain/actor.ts';
import type { EventData, EventKind } from '../domain/event.ts';
import type { Tx } from '../engine/database.ts';
import type { Author } from '../store/customers/authors.ts';
import { insertEvent } from '../store/events.ts';
import type { Ticket } from '../store/tickets/tickets.ts';
import type { Context } from './context.ts';
import { notify } from './notifications/notify.ts';
import { enqueue } from './outbox/queue.ts';
import { noteForRules } from './rules/pending-changes.ts';

interface Recorded {
  kind: EventKind;
  siteId: number;
  ticketId: number | null;
  data: EventData;
  at?: Instant;
  actor?: Actor;
  // Saves reading them again, a tenth of the cost of opening a ticket.
  ticket?: Ticket;
  author?: Author;
}

/** Also queues the deliveries that the event causes, tells the agents whom it concerns, and sets off rules. Returns the event's number. */
export function record(tx: Tx, ctx: Context, recorded: Recorded): number {
  const event = ctx.rule === undefined ? recorded : { ...recorded, data: { ...recorded.data, rule: ctx.rule.why } };
  const seq = insertEvent(tx, {
    kind: event.kind,
    siteId: event.siteId,
    ticketId: event.ticketId,
    actor: toStoredActor(event.actor ?? ctx.actor),
    data: event.data,
    createdAt: event.at ?? ctx.now,
  });
  if (event.ticketId !== null && !ctx.isSilent) {
    const subject = event.ticket ?? event.ticketId;
    enqueue(tx, ctx, event.kind, subject, event.data, seq, event.author);
    notify(tx, ctx, event.kind, subject, event.data, seq);
    noteForRules(tx, ctx, { kind: event.kind, siteId: event.siteId, ticketId: event.ticketId, data: event.data, seq });
  }
  return seq;
}
