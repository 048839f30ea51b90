// Replies of customers and agents, and agents' notes.

import type { AgentActor } from '../../domain/actor.ts';
import { conflict, DeskError, invalid, notFound } from '../../domain/errors.ts';
import {
  type AgentReplyInput,
  agentReplyInput,
  type CustomerReplyInput,
  type NoteInput,
} from '../../domain/input/tickets.ts';
import { dayMs } from '../../domain/instant.ts';
import { sendLimits } from '../../domain/sites/limits.ts';
import { publicName } from '../../domain/sites/site.ts';
import { requireNoneInfected } from '../../domain/tickets/files.ts';
import type { Tx } from '../../engine/database.ts';
import type { Author } from '../../store/customers/authors.ts';
import { indexLater } from '../../store/lists/search-waiting.ts';
import { type Agent, agentById, agentsNamed, agentsSeeingSite } from '../../store/people/agents.ts';
import { teamById } from '../../store/people/teams.ts';
import { type Site, siteById } from '../../store/sites/sites.ts';
import {
  type Attachment,
  attachmentsByIds,
  hasPublicMessageAfter,
  hasPublicMessageSince,
  isLoose,
  messageByUlid,
} from '../../store/tickets/messages.ts';
import { scheduledReplyByUlid } from '../../store/tickets/scheduled-replies.ts';
import { type Ticket, updateTicket } from '../../store/tickets/tickets.ts';
import { authorise, findTicket } from '../access.ts';
import type { Context } from '../context.ts';
import { isAgentOfSite } from '../people/agents.ts';
import { isTeamOfSite } from '../people/teams.ts';
import { record } from '../record.ts';
import { requireSender } from '../sites/senders.ts';
import { hearAuthor } from '../sla/clocks.ts';
import { backToTeam } from './back-to-team.ts';
import { forgetDraft } from './drafts.ts';
import { addMessage } from './messages.ts';
import { chosenRecipients } from './recipients.ts';
import { type Scheduled, scheduleReply } from './scheduled-replies.ts';
import { type AgentWords, type Said, sayAsAgent } from './sent-replies.ts';
import { changeStatus } from './ticket-status.ts';

/** By which link of a customer a message came. */
interface ByLink {
  linkId: number;
  isConfirmed: boolean;
}

/** Reopens a pending, resolved or closed ticket (docs/spec/behaviour.md#states). */
export function replyAsCustomer(
  tx: Tx,
  ctx: Context,
  ticket: Ticket,
  author: Author,
  input: CustomerReplyInput,
  by: ByLink | null = null,
): Said {
  const message = addMessage(tx, ctx, ticket.id, {
    authorId: author.id,
    authorName: author.name,
    body: input.body,
    source: by === null ? 'api' : 'web',
    ...by,
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
  changed = hearAuthor(tx, ctx, site, changeStatus(tx, ctx, site, backToTeam(tx, ctx, changed), 'open'));
  indexLater(tx, 'ticket_search', ticket.id);
  return { ticket: changed, message };
}

/** `html` is needed for Markdown. */
export type Written = AgentReplyInput & { html?: string | null };

/** The author of a reply: the agent who signed in, or the one that a token names. */
export function speakerOf(
  tx: Tx,
  ctx: Context,
  site: Site,
  input: Pick<AgentReplyInput, 'agent_id' | 'agent_name' | 'is_internal'>,
): { agentId: number | null; agentName: string } {
  const { actor } = ctx;
  if (actor.kind !== 'agent') {
    const agent = namedAgent(tx, site.id, input.agent_id);
    const fallback = actor.kind === 'token' && input.is_internal ? actor.name : publicName(site);
    return { agentId: agent?.id ?? null, agentName: input.agent_name || agent?.name || fallback };
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

/** Now, or at the time that it names (docs/spec/console.md#scheduled-replies). */
export function answerTicket(tx: Tx, ctx: Context, name: string | number, input: Written): Said | Scheduled {
  const sendAt = sendTimeOf(ctx, input);
  if (sendAt === null) return replyAsAgent(tx, ctx, name, input);
  const { ticket, words } = prepare(tx, ctx, name, input);
  forgetDraft(tx, ctx, ticket.id, words.isInternal ? 'note' : 'reply');
  return scheduleReply(tx, ctx, ticket, words, input.status ?? null, sendAt);
}

/** The text of a macro that is applied to many tickets: the agent's drafts stay. Returns the reply's ulid. */
export function replyFromMacro(
  tx: Tx,
  ctx: Context,
  name: string | number,
  { html, ...input }: { html: string | null; [key: string]: unknown },
): string {
  const checked = agentReplyInput.safeParse(input);
  if (!checked.success) throw invalid('macro_id', 'must make a text of at most 10,000 characters.');
  const { ticket, site, words } = prepare(tx, ctx, name, { ...checked.data, html });
  const status = checked.data.status ?? null;
  const sendAt = sendTimeOf(ctx, checked.data);
  return sendAt === null
    ? sayAsAgent(tx, ctx, site, ticket, words, { to: status, isOptional: false }).message.ulid
    : scheduleReply(tx, ctx, ticket, words, status, sendAt).reply.ulid;
}

export function replyAsAgent(
  tx: Tx,
  ctx: Context,
  name: string | number,
  input: Omit<Written, 'send_at' | 'hold_seconds'>,
): Said {
  const { ticket, site, words } = prepare(tx, ctx, name, input);
  forgetDraft(tx, ctx, ticket.id, words.isInternal ? 'note' : 'reply');
  return sayAsAgent(tx, ctx, site, ticket, words, { to: input.status ?? null, isOptional: false });
}

function prepare(tx: Tx, ctx: Context, name: string | number, input: Written) {
  const isInternal = input.is_internal ?? false;
  const isNoteOnly = isInternal && input.status == null && (input.attachment_ids ?? []).length === 0;
  authorise(ctx, isNoteOnly ? 'note' : 'write');
  const ticket = findTicket(tx, ctx, name);
  if (ticket.mergedIntoId !== null)
    throw conflict('This ticket was merged into another one. Reply there instead.', 'ticket_merged');
  const site = siteById(tx, ticket.siteId);
  if (!site) throw notFound('ticket');
  if (isInternal && input.from != null) throw invalid('from', 'cannot be used for a note.');
  if (input.after_message != null) requireFreshThread(tx, ctx, ticket.id, input.after_message);
  const bodyFormat = input.body_format ?? 'text';
  if (bodyFormat === 'markdown' && input.html == null) throw new Error('Markdown is rendered before it is stored');
  const words: AgentWords = {
    ...speakerOf(tx, ctx, site, input),
    body: input.body,
    bodyFormat,
    html: input.html ?? null,
    isInternal,
    senderId: requireSender(tx, site.id, input.from),
    attachments: looseAttachments(tx, ticket.id, input.attachment_ids ?? []),
    mentions: mentionedBy(tx, site.id, input),
    recipients: chosenRecipients(tx, ctx, ticket, input),
  };
  return { ticket, site, words };
}

/** Null: at once. */
function sendTimeOf(ctx: Context, input: AgentReplyInput): number | null {
  const { send_at: sendAt, hold_seconds: holdSeconds } = input;
  if (sendAt == null && holdSeconds == null) return null;
  if (input.is_internal && sendAt != null) throw invalid('send_at', 'cannot be used for a note.');
  if (sendAt == null) return ctx.now + (holdSeconds ?? 0) * 1000;
  if (holdSeconds != null) throw invalid('hold_seconds', 'cannot be used together with send_at.');
  if (sendAt <= ctx.now) throw invalid('send_at', 'must be in the future.');
  if (sendAt > ctx.now + sendLimits.aheadDays * dayMs)
    throw invalid('send_at', `must be at most ${sendLimits.aheadDays} days ahead.`);
  return sendAt;
}

/** 409 if someone else has said something since. Agents have seen what they wrote themselves. */
function requireFreshThread(tx: Tx, ctx: Context, ticketId: number, seenUlid: string): void {
  const own = ctx.actor.kind === 'agent' ? ctx.actor.agentId : 0;
  const seen = messageByUlid(tx, seenUlid);
  const waiting = seen ? undefined : scheduledReplyByUlid(tx, seenUlid);
  if ((seen ?? waiting)?.ticketId !== ticketId)
    throw invalid('after_message', 'does not name a message of this ticket.');
  const isStale = seen
    ? hasPublicMessageAfter(tx, ticketId, seen.id, own)
    : waiting !== undefined && hasPublicMessageSince(tx, ticketId, waiting.createdAt, own);
  if (!isStale) return;
  throw new DeskError('conflict', 'Another message came in since. Read it before you reply.', {
    reason: 'stale_thread',
    errors: { after_message: ['is no longer the newest message.'] },
  });
}

function looseAttachments(tx: Tx, ticketId: number, ids: readonly number[]): Attachment[] {
  const wanted = [...new Set(ids)];
  const attached = wanted.length === 0 ? [] : attachmentsByIds(tx, ticketId, wanted);
  if (attached.length !== wanted.length || attached.some((file) => !isLoose(file) || !file.isAgent))
    throw invalid('attachment_ids', 'must name attachments of this ticket that belong to no message yet.');
  requireNoneInfected(attached);
  return attached;
}

/** Of a team, all who see the ticket. */
export function mentionedBy(
  tx: Tx,
  siteId: number,
  { mentions, team_mentions: named }: Pick<NoteInput, 'mentions' | 'team_mentions'>,
): number[] {
  const ids = mentions ?? [];
  const teams = (named ?? []).map((id) => (isTeamOfSite(tx, siteId, id) ? teamById(tx, id) : undefined));
  if (ids.length === 0 && teams.length === 0) return [];
  const known = new Set(agentsSeeingSite(tx, siteId).map(({ id }) => id));
  if (ids.some((id) => !known.has(id))) throw invalid('mentions', 'must name agents who can see this ticket.');
  if (teams.includes(undefined)) throw invalid('team_mentions', 'must name teams of this site.');
  const members = teams.flatMap((team) => team?.memberIds ?? []).filter((id) => known.has(id));
  return [...new Set([...ids, ...members])];
}

export function addNote(
  tx: Tx,
  ctx: Context,
  name: string | number,
  input: Omit<NoteInput, 'hold_seconds'> & Pick<Written, 'html'>,
): Said {
  return replyAsAgent(tx, ctx, name, { ...input, is_internal: true });
}
