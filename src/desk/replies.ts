// Replies of customers and agents, and agents' notes.

import type { AgentActor } from '../domain/actor.ts';
import { conflict, DeskError, invalid, notFound } from '../domain/errors.ts';
import type { AgentReplyInput, CustomerReplyInput, NoteInput } from '../domain/input/tickets.ts';
import { type Agent, agentById, agentsNamed } from '../store/agents.ts';
import type { Tx } from '../store/database.ts';
import { attachmentsByIds, type Message, messageById, updateAttachment } from '../store/messages.ts';
import type { Author } from '../store/people.ts';
import { siteById } from '../store/sites.ts';
import { type Ticket, updateTicket } from '../store/tickets.ts';
import { authorise, findTicket } from './access.ts';
import { catchUpClocks, respond } from './clocks.ts';
import type { Context } from './context.ts';
import { addMessage } from './messages.ts';
import { isAgentOfSite } from './people.ts';
import { record } from './record.ts';
import { reindexTicket } from './search-index.ts';
import { breachColumns, changeStatus } from './ticket-status.ts';

export interface Said {
  ticket: Ticket;
  message: Message;
}

/** Reopens a pending, resolved or closed ticket (docs/spec/behaviour.md#states). */
export function replyAsCustomer(tx: Tx, ctx: Context, ticket: Ticket, author: Author, input: CustomerReplyInput): Said {
  const message = addMessage(tx, ctx, ticket.id, {
    authorId: author.id,
    authorName: author.name,
    body: input.body,
    source: 'api',
  });
  let changed = updateTicket(tx, ticket, {
    messageCount: ticket.messageCount + 1,
    lastCustomerMessageAt: ctx.now,
    updatedAt: ctx.now,
  });
  record(tx, ctx, {
    kind: 'ticket.replied',
    siteId: ticket.siteId,
    ticketId: ticket.id,
    data: { ticket_ulid: ticket.ulid, message_ulid: message.ulid, is_agent: false },
  });
  const site = siteById(tx, ticket.siteId);
  if (!site) throw notFound('ticket');
  changed = changeStatus(tx, ctx, site, changed, 'open');
  reindexTicket(tx, ticket.id);
  return { ticket: changed, message };
}

interface Speaker {
  agentId: number | null;
  agentName: string;
}

/** The author of a reply: the agent who signed in, or the one that a token names. */
function speakerOf(tx: Tx, ctx: Context, siteId: number, input: AgentReplyInput): Speaker {
  const { actor } = ctx;
  if (actor.kind !== 'agent') {
    const agent = namedAgent(tx, siteId, input.agent_id);
    return { agentId: agent?.id ?? null, agentName: input.agent_name || agent?.name || nameOfSender(ctx) };
  }
  const isOther = input.agent_id != null && input.agent_id !== actor.agentId;
  if (isOther || (input.agent_name && isNameOfAnother(tx, actor, input.agent_name)))
    throw new DeskError('forbidden', 'You can reply only under your own name.', { reason: 'other_agent' });
  return { agentId: actor.agentId, agentName: input.agent_name || actor.name };
}

/** Two agents can have one name, and each can use it. */
function isNameOfAnother(tx: Tx, { agentId }: AgentActor, name: string): boolean {
  const namesakes = agentsNamed(tx, name).map(({ id }) => id);
  return namesakes.length > 0 && !namesakes.includes(agentId);
}

function namedAgent(tx: Tx, siteId: number, agentId: number | null | undefined): Agent | null {
  if (agentId == null) return null;
  const agent = agentById(tx, agentId);
  if (!agent || !isAgentOfSite(tx, siteId, agentId)) throw invalid('agent_id', 'does not name an agent of this site.');
  return agent;
}

/** Only the reply's `status` or the site's setting changes the state (docs/spec/api.md#tickets). */
export function replyAsAgent(tx: Tx, ctx: Context, name: string | number, input: AgentReplyInput): Said {
  const isInternal = input.is_internal ?? false;
  const isNoteOnly = isInternal && input.status == null && (input.attachment_ids ?? []).length === 0;
  authorise(ctx, isNoteOnly ? 'note' : 'write');
  const ticket = findTicket(tx, ctx, name);
  if (ticket.mergedIntoId !== null)
    throw conflict('This ticket was merged into another one. Reply there instead.', 'ticket_merged');
  const site = siteById(tx, ticket.siteId);
  if (!site) throw notFound('ticket');
  const speaker = speakerOf(tx, ctx, site.id, input);
  const attachmentIds = [...new Set(input.attachment_ids ?? [])];
  const attached = attachmentIds.length === 0 ? [] : attachmentsByIds(tx, ticket.id, attachmentIds);
  if (
    attached.length !== attachmentIds.length ||
    attached.some(({ messageId, isAgent }) => messageId !== null || !isAgent)
  ) {
    throw invalid('attachment_ids', 'must name attachments of this ticket that belong to no message yet.');
  }
  const message = addMessage(tx, ctx, ticket.id, {
    ...speaker,
    body: input.body,
    isInternal,
    isAgent: true,
    source: 'agent',
  });
  for (const attachment of attached) updateAttachment(tx, attachment.id, { messageId: message.id, isInternal });
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
  if (input.status != null) changed = changeStatus(tx, ctx, site, changed, input.status);
  else if (!isInternal) changed = followSetting(tx, ctx, site, changed);
  reindexTicket(tx, ticket.id);
  // Queuing the mail has updated the message.
  return { ticket: changed, message: messageById(tx, message.id) ?? message };
}

/** Ignores a setting that the ticket's state does not allow, and never reopens. */
function followSetting(tx: Tx, ctx: Context, site: NonNullable<ReturnType<typeof siteById>>, ticket: Ticket): Ticket {
  const to = site.settings.status_after_agent_reply;
  if (to === null || ticket.status === 'resolved' || ticket.status === 'closed') return ticket;
  try {
    return changeStatus(tx, ctx, site, ticket, to);
  } catch (error) {
    if (error instanceof DeskError && error.reason === 'no_such_transition') return ticket;
    throw error;
  }
}

export function addNote(tx: Tx, ctx: Context, name: string | number, input: NoteInput): Said {
  return replyAsAgent(tx, ctx, name, { ...input, is_internal: true });
}

function nameOfSender(ctx: Context): string {
  return ctx.actor.kind === 'token' ? ctx.actor.name : 'Support';
}
