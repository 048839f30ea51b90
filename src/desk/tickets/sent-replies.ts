// What sending a reply or note changes, now or at its time.

import { DeskError } from '../../domain/errors.ts';
import type { Recipient } from '../../domain/tickets/participant.ts';
import type { BodyFormat, TicketStatus } from '../../domain/tickets/ticket.ts';
import type { Tx } from '../../engine/database.ts';
import { indexLater } from '../../store/lists/search-waiting.ts';
import type { Site } from '../../store/sites/sites.ts';
import { insertMentions } from '../../store/tickets/mentions.ts';
import { type Attachment, type Message, messageById, updateAttachment } from '../../store/tickets/messages.ts';
import { type Ticket, updateTicket } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import { asQueued } from '../outbox/reply-mails.ts';
import { record } from '../record.ts';
import { catchUpClocks, respond } from '../sla/clocks.ts';
import { addMessage } from './messages.ts';
import { bringIn } from './participants.ts';
import { everyoneOn } from './recipients.ts';
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
  /** A rule wrote it: it counts as no agent's answer, and changes no status. */
  isAutomated?: true;
  /** Chosen for it; null: the one of the ticket. */
  senderId: number | null;
  attachments: readonly Attachment[];
  mentions: readonly number[];
  /** Null: everyone on the ticket. */
  recipients: Recipient[] | null;
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
  { attachments, mentions, senderId, recipients, ...words }: AgentWords,
  status: { to: TicketStatus | null; isOptional: boolean },
): Said {
  const { isInternal } = words;
  const to = isInternal ? [] : (recipients ?? everyoneOn(tx, ticket));
  const message = addMessage(tx, ctx, ticket.id, {
    ...words,
    isAgent: true,
    source: ctx.actor.kind === 'agent' && ctx.actor.isByMail ? 'email' : 'agent',
    recipients: to.length === 0 || ticket.isTest ? null : asQueued(ctx, to),
    senderId: isInternal ? null : (senderId ?? ticket.senderId),
  });
  for (const { id } of attachments)
    updateAttachment(tx, id, { messageId: message.id, isInternal, scheduledReplyId: null });
  insertMentions(tx, message.id, ticket.id, mentions);
  const isSpoken = !isInternal && !words.isAutomated;
  const late = isSpoken ? catchUpClocks(tx, ctx, site, ticket) : ticket;
  const spoken = !isSpoken
    ? {}
    : {
        lastAgentMessageAt: ctx.now,
        ...breachColumns(late),
        ...respond(tx, ctx, site, late),
      };
  // Whom everyone can answer takes part.
  const met =
    recipients === null || words.isAutomated
      ? ticket
      : bringIn(
          tx,
          ctx,
          site,
          ticket,
          recipients.filter(({ as }) => as !== 'bcc'),
        );
  let changed = updateTicket(tx, met, { ...spoken, messageCount: ticket.messageCount + 1, updatedAt: ctx.now });
  record(tx, ctx, {
    kind: isInternal ? 'ticket.note_added' : 'ticket.replied',
    siteId: ticket.siteId,
    ticketId: ticket.id,
    data: {
      ticket_ulid: ticket.ulid,
      message_ulid: message.ulid,
      is_agent: true,
      agent_name: message.agentName,
      ...(words.isAutomated ? { is_automated: true } : {}),
    },
  });
  // Queuing the mail has updated the message.
  const said = messageById(tx, message.id) ?? message;
  const replyTo = isInternal ? null : said.recipients;
  if (status.to !== null)
    changed = (status.isOptional ? changeStatusIfPossible : changeStatus)(
      tx,
      ctx,
      site,
      changed,
      status.to,
      {},
      replyTo,
    );
  else if (isSpoken) changed = followSetting(tx, ctx, site, changed, replyTo);
  indexLater(tx, 'ticket_search', ticket.id);
  return { ticket: changed, message: said };
}

/** Never reopens. */
function followSetting(tx: Tx, ctx: Context, site: Site, ticket: Ticket, replyTo: Message['recipients']): Ticket {
  const to = site.settings.status_after_agent_reply;
  if (to === null || ticket.status === 'resolved' || ticket.status === 'closed') return ticket;
  return changeStatusIfPossible(tx, ctx, site, ticket, to, {}, replyTo);
}

function changeStatusIfPossible(
  ...[tx, ctx, site, ticket, to, told, replyTo]: Parameters<typeof changeStatus>
): Ticket {
  try {
    return changeStatus(tx, ctx, site, ticket, to, told, replyTo);
  } catch (error) {
    if (error instanceof DeskError && error.reason === 'no_such_transition') return ticket;
    throw error;
  }
}
