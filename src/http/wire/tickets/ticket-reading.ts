// One page of tickets, and one ticket with everything on it, for the agent surface and the command line.

import { monotonicMs, toWire } from '../../../base/clock.ts';
import type { Context } from '../../../desk/context.ts';
import { otherTickets } from '../../../desk/customers/customers.ts';
import type { Desk } from '../../../desk/desk.ts';
import { deskAddress } from '../../../desk/outbox/own-server.ts';
import { signatureFor } from '../../../desk/sites/signature.ts';
import { fromOf, senderOf } from '../../../desk/sites/site-senders.ts';
import { readTicket } from '../../../desk/tickets/find-ticket.ts';
import { authorPausedSince } from '../../../desk/tickets/participants.ts';
import { undoableMerges } from '../../../desk/tickets/unmerge-ticket.ts';
import { scopeOf } from '../../../domain/actor.ts';
import { DeskError, notFound } from '../../../domain/errors.ts';
import { referenceOf } from '../../../domain/tickets/ticket.ts';
import type { Tx } from '../../../engine/database.ts';
import type { Links } from '../../../files/links.ts';
import { newestEventSeq } from '../../../store/events.ts';
import type { TicketFilter } from '../../../store/lists/filter.ts';
import { createPage } from '../../../store/lists/list.ts';
import type { TicketPage } from '../../../store/lists/page.ts';
import { siteById } from '../../../store/sites/sites.ts';
import { type Ticket, ticketsByIds } from '../../../store/tickets/tickets.ts';
import { untilSearchable } from '../../searchable.ts';
import { stepFor, turnsOf } from '../../turns.ts';
import { ticketCounts } from '../lists/ticket-counts.ts';
import { filterOf, type TicketListQuery } from '../lists/ticket-query.ts';
import type { View } from '../long-lists.ts';
import { createLookups } from '../lookups.ts';
import { pageOf } from '../queries.ts';
import { pageBody } from '../respond.ts';
import { presentParticipant } from './participant.ts';
import { attachmentList, eventList, messagesForAgents, messagesOf } from './thread.ts';
import { presentMerge, presentOtherTickets, presentTicket } from './ticket.ts';

function encodeCursor(cursor: { sort: string; direction: string; key: number[] }): string {
  return Buffer.from(JSON.stringify([cursor.sort, cursor.direction, ...cursor.key])).toString('base64url');
}

function decodeCursor(text: string, sort: string, direction: string): number[] {
  const refusal = new DeskError('malformed', 'This cursor does not belong to this list.', { reason: 'bad_cursor' });
  try {
    const [of, to, ...key] = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as unknown[];
    const length = sort === 'priority' ? 3 : 2;
    if (of === sort && to === direction && key.length === length && key.every((part) => Number.isSafeInteger(part)))
      return key as number[];
  } catch {
    throw refusal;
  }
  throw refusal;
}

// After the first limit the work continues in turns with other requests; after the second it fails.
const atOnceMs = 15;
const mostMs = 5000;
const inAllMs = 10_000;

export async function listTickets(desk: Desk, baseUrl: string, ctx: Context, asked: TicketListQuery, url: URL) {
  if (asked.q !== undefined) await untilSearchable(desk);
  const { page, perPage } = pageOf(asked);
  const sort = asked.sort ?? 'created_at';
  const direction = asked.direction ?? 'desc';
  const from: TicketPage['from'] =
    asked.cursor === undefined
      ? { offset: (page - 1) * perPage }
      : { after: decodeCursor(asked.cursor, sort, direction) };
  const wanted: TicketPage = { sort, direction, limit: perPage + 1, from };
  const startedAt = monotonicMs();
  const begun = desk.read((tx) => {
    const filter = filterOf(tx, ctx, asked);
    const steps = createPage(filter, wanted, ctx.now);
    const isWhole = stepFor(tx, steps.step, atOnceMs);
    const newestSeq = newestEventSeq(tx, scopeOf(ctx.actor));
    return { filter, steps, newestSeq, shown: isWhole ? show(tx, filter, steps) : null };
  });
  const { filter, steps, newestSeq } = begun;
  let { shown } = begun;
  if (shown === null) {
    const spentMs = monotonicMs() - startedAt;
    await turnsOf(desk).run(steps.step, mostMs - spentMs, inAllMs - spentMs);
    shown = desk.read((tx) => show(tx, filter, steps));
  }
  const { data, next, total } = shown;
  const { total: counted, isCapped } = await total;
  const cursor = { next, isUsed: asked.cursor !== undefined };
  const body = pageBody(baseUrl, url, data, { page, perPage }, counted, cursor, isCapped);
  return { ...body, meta: { ...body.meta, newest_seq: newestSeq } };

  function show(tx: Tx, filter: TicketFilter, steps: ReturnType<typeof createPage>) {
    const rows = steps.rows();
    const shown = rows.slice(0, perPage);
    const last = shown.at(-1);
    const next = rows.length > perPage && last ? encodeCursor({ sort, direction, key: [...last.key] }) : null;
    const tickets = ticketsByIds(
      tx,
      shown.map(({ id }) => id),
    );
    const look = createLookups(tx, { listed: tickets, reader: ctx.actor, search: filter.search });
    const data = tickets.map((ticket) => presentTicket(ticket, look));
    // A first page that is not full is all there is.
    const isAll = filter.search === null && page === 1 && asked.cursor === undefined && rows.length <= perPage;
    const known = isAll ? rows.length : (steps.total?.() ?? null);
    const total = known === null ? ticketCounts(desk).of(tx, filter, ctx.now) : { total: known, isCapped: false };
    return { data, next, total };
  }
}

/** What a reply of the agent who asks will show beside their words. */
function answering(tx: Tx, ctx: Context, ticket: Ticket) {
  const site = siteById(tx, ticket.siteId);
  if (site === undefined) throw notFound('ticket');
  const sender = senderOf(tx, site, ticket);
  return {
    sender: fromOf(site, sender, deskAddress(tx, ctx)),
    signature: signatureFor(tx, ctx, site, referenceOf(ticket.id)),
  };
}

/** A ticket with messages, attachments, context and history (docs/spec/api.md#tickets). */
export function ticketDetail(view: View, ctx: Context, links: Links, name: string, hasOthers: boolean) {
  const { ticket, attachments } = readTicket(view.tx, ctx, name);
  const data = () => {
    const shown = { links, now: ctx.now };
    const messages = messagesOf(view, ticket.id, false);
    const look = createLookups(view.tx, {
      reader: ctx.actor,
      ticket,
      messages: messages.rest === null ? messages.first : null,
    });
    const author = look.author(ticket.authorId);
    return {
      ...presentTicket(ticket, look),
      author_paused_at: toWire(author === undefined ? null : authorPausedSince(view.tx, author)),
      participants: look.participants(ticket).map(presentParticipant),
      merges: undoableMerges(view.tx, ctx, ticket).map(presentMerge),
      ...answering(view.tx, ctx, ticket),
      messages: messagesForAgents(view, ticket.id, messages, look, attachments, shown),
      attachments: attachmentList(attachments, shown),
      context: ticket.context,
      events: eventList(view, ticket.id, look),
      ...(hasOthers && { other_tickets: presentOtherTickets(otherTickets(view.tx, ticket)) }),
    };
  };
  return { ticket, data };
}
