// What sending a reply or note changes, now or at its time.

import { DeskError } from '../domain/errors.ts';
import type { BodyFormat, TicketStatus } from '../domain/ticket.ts';
import type { Tx } from '../store/database.ts';
import { insertMentions } from '../store/mentions.ts';
import { type Attachment, type Message, messageById, updateAttachment } from '../store/messages.ts';
import type { Site } from '../store/sites.ts';
import { type Ticket, updateTicket } from '../store/tickets.ts';
import { catchUpClocks, respond } from './clocks.ts';
import type { Context } from './context.ts';
import { addMessage } from './messages.ts';
import { record } from './record.ts';
import { reindexTicket } from './search-index.ts';
import { breachColumns, changeStatus } from './ticket-status.ts';

export interface Said {
  ticket: Ticket;
  message: Message;
}

export interface AgentWords {
  ulid?: string;
  agentId: number | null;
  agentName: string;
  body: string;
  bodyFormat: BodyFormat;
  html: string | null;
  isInternal: boolean;
  attachments: readonly Attachment[];
  mentions: readonly number[];
}

/**
 * Only `status` or the site's setting changes the state (docs/spec/api.md#tickets).
 * @param status with `isOptional`, a status that the ticket can no longer get is left out
 */
export function sayAsAgent(
  tx: Tx,
  ctx: Context,
  site: Site,
  ticket: Ticket,
  { attachments, mentions, ...words }: AgentWords,
  status: { to: TicketStatus | null; isOptional: boolean },
): Said {
  const { isInternal } = words;
  const message = addMessage(tx, ctx, ticket.id, { ...words, isAgent: true, source: 'agent' });
  for (const { id } of attachments)
    updateAttachment(tx, id, { messageId: message.id, isInternal, scheduledReplyId: null });
  insertMentions(tx, message.id, ticket.id, mentions);
  const late = isInternal ? ticket : catchUpClocks(tx, ctx, site, ticket);
  const spoken = isInternal
    ? {}
    : { lastAgentMessageAt: ctx.now, ...breachColumns(late), ...respond(tx, ctx, site, late) };
  let changed = updateTicket(tx, ticket, { ...spoken, messageCount: ticket.messageCount + 1, updatedAt: ctx.now });
  record(tx, ctx, {
    kind: isInternal ? 'ticket.note_added' : 'ticket.replied',
    siteId: ticket.siteId,
    ticketId: ticket.id,
    data: { ticket_ulid: ticket.ulid, message_ulid: message.ulid, is_agent: true, agent_name: message.agentName },
  });
  if (status.to !== null)
    changed = (status.isOptional ? changeStatusIfPossible : changeStatus)(tx, ctx, site, changed, status.to);
  else if (!isInternal) changed = followSetting(tx, ctx, site, changed);
  reindexTicket(tx, ticket.id);
  // Queuing the mail has updated the message.
  return { ticket: changed, message: messageById(tx, message.id) ?? message };
}

/** Never reopens. */
function followSetting(tx: Tx, ctx: Context, site: Site, ticket: Ticket): Ticket {
  const to = site.settings.status_after_agent_reply;
  if (to === null || ticket.status === 'resolved' || ticket.status === 'closed') return ticket;
  return changeStatusIfPossible(tx, ctx, site, ticket, to);
}

function changeStatusIfPossible(tx: Tx, ctx: Context, site: Site, ticket: Ticket, to: TicketStatus): Ticket {
  try {
    return changeStatus(tx, ctx, site, ticket, to);
  } catch (error) {
    if (error instanceof DeskError && error.reason === 'no_such_transition') return ticket;
    throw error;
  }
}
