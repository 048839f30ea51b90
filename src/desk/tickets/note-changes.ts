// What the writer of a note can do with it later (docs/spec/console.md#notes).

import { notFound } from '../../domain/errors.ts';
import type { NoteChangeInput } from '../../domain/input/tickets.ts';
import { isUlid } from '../../domain/ulid.ts';
import type { Tx } from '../../engine/database.ts';
import { indexLater } from '../../store/lists/search-waiting.ts';
import { mentionsIn, replaceMentions } from '../../store/tickets/mentions.ts';
import {
  deleteMessage,
  type Message,
  messageById,
  messageByUlid,
  updateMessage,
} from '../../store/tickets/messages.ts';
import { type Ticket, updateTicket } from '../../store/tickets/tickets.ts';
import { authorise, findTicket, requireOwnNote } from '../access.ts';
import type { Context } from '../context.ts';
import { tellMentioned } from '../notifications/notify.ts';
import { record } from '../record.ts';
import { mentionedBy } from './replies.ts';
import type { Said } from './sent-replies.ts';

function ownNote(tx: Tx, ctx: Context, name: string | number, ulid: string): { ticket: Ticket; note: Message } {
  authorise(ctx, 'note');
  const ticket = findTicket(tx, ctx, name);
  const note = isUlid(ulid) ? messageByUlid(tx, ulid.toUpperCase()) : undefined;
  if (note?.ticketId !== ticket.id || !note.isInternal) throw notFound('note');
  requireOwnNote(ctx, note);
  return { ticket, note };
}

/** @param input `html` is needed for Markdown */
export function changeNote(
  tx: Tx,
  ctx: Context,
  name: string | number,
  ulid: string,
  input: NoteChangeInput & { html: string | null },
): Said {
  const { ticket, note } = ownNote(tx, ctx, name, ulid);
  const { body, html, body_format: bodyFormat } = input;
  const before = mentionsIn(tx, [note.id]).map(({ agentId }) => agentId);
  const mentioned = mentionedBy(tx, ticket.siteId, input);
  replaceMentions(tx, note.id, ticket.id, mentioned);
  updateMessage(tx, note.id, { body, html, bodyFormat: bodyFormat ?? 'text', editedAt: ctx.now });
  const changed = updateTicket(tx, ticket, {});
  const seq = recordNote(tx, ctx, changed, note, 'ticket.note_changed');
  const others = mentioned.filter((agentId) => !before.includes(agentId));
  tellMentioned(tx, ctx, changed, others, seq);
  return { ticket: changed, message: messageById(tx, note.id) ?? note };
}

/** With its files. */
export function deleteNote(tx: Tx, ctx: Context, name: string | number, ulid: string): void {
  const { ticket, note } = ownNote(tx, ctx, name, ulid);
  deleteMessage(tx, note.id);
  const changed = updateTicket(tx, ticket, { messageCount: ticket.messageCount - 1 });
  recordNote(tx, ctx, changed, note, 'ticket.note_deleted');
}

/** Customers see nothing of it, so the ticket counts as unchanged since. */
function recordNote(
  tx: Tx,
  ctx: Context,
  ticket: Ticket,
  { ulid, agentName }: Message,
  kind: 'ticket.note_changed' | 'ticket.note_deleted',
): number {
  indexLater(tx, 'ticket_search', ticket.id);
  return record(tx, ctx, {
    kind,
    siteId: ticket.siteId,
    ticketId: ticket.id,
    data: { ticket_ulid: ticket.ulid, message_ulid: ulid, is_agent: true, agent_name: agentName },
  });
}
