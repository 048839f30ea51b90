// What the actions of triggers and timed rules do to a ticket. Each calls the verb that an agent would call.

import { newUlid } from '../../base/ids.ts';
import { DeskError } from '../../domain/errors.ts';
import type { EventData } from '../../domain/event.ts';
import type { TicketChangeInput } from '../../domain/input/tickets.ts';
import { hourMs } from '../../domain/instant.ts';
import { type ChangingAction, changeOf } from '../../domain/rules/inbound-actions.ts';
import { nextInTurn } from '../../domain/rules/rule.ts';
import { mapTexts } from '../../domain/rules/templates.ts';
import type { NewTicket, TriggerAction } from '../../domain/rules/trigger.ts';
import { publicName } from '../../domain/sites/site.ts';
import { cleanLine, truncate } from '../../domain/text.ts';
import type { Recipient } from '../../domain/tickets/participant.ts';
import { referenceOf } from '../../domain/tickets/ticket.ts';
import { fillIn } from '../../domain/variables.ts';
import type { Tx } from '../../engine/database.ts';
import { authorById } from '../../store/customers/authors.ts';
import { isSuppressed } from '../../store/mail/suppressions.ts';
import { followersOf, followUnlessDecided } from '../../store/notifications/followers.ts';
import { insertDelivery } from '../../store/outbox/outbox.ts';
import { type Agent, agentById, agentsOfSite } from '../../store/people/agents.ts';
import { noteReply, repliesOfRule, wasOpenedByMachine } from '../../store/rules/automation.ts';
import { channelRows } from '../../store/sites/catalogue.ts';
import { type Site, siteById, updateSite } from '../../store/sites/sites.ts';
import { lastAnswerer, type Message, messageByUlid } from '../../store/tickets/messages.ts';
import { type Ticket, ticketById, updateTicket } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import { queueForward, queueMail } from '../outbox/queue-mail.ts';
import { record } from '../record.ts';
import { changeTicket } from '../tickets/change-ticket.ts';
import { insertNote } from '../tickets/notes.ts';
import { bringIn } from '../tickets/participants.ts';
import { knownOn } from '../tickets/recipients.ts';
import { sayAsAgent } from '../tickets/sent-replies.ts';
import { openTicketAsAgent } from '../tickets/tickets.ts';

/** What set a rule off. */
export interface Cause {
  /** The last of its events; null: time. */
  seq: number | null;
  messageUlid: string | null;
  isByAgent: boolean;
}

interface Acting extends Pick<Cause, 'messageUlid' | 'isByAgent'> {
  tx: Tx;
  ctx: Context;
  site: Site;
  ticket: Ticket;
  /** The customers' words are left out. */
  isWithoutWords?: true;
}

type Action<Type extends TriggerAction['type']> = Extract<TriggerAction, { type: Type }>;
type OwnAction = Exclude<TriggerAction['type'], ChangingAction>;
type Actions = { [Type in OwnAction]: (acting: Acting, value: Action<Type>['value']) => void };

/** Throws a `DeskError` that says why it could not be done. Does nothing where the ticket is so already. */
export function runAction(
  tx: Tx,
  ctx: Context,
  site: Site,
  ticketId: number,
  { type, value }: TriggerAction,
  { messageUlid, isByAgent }: Cause,
): void {
  const ticket = ticketById(tx, ticketId);
  if (!ticket) return;
  const acting = { tx, ctx, site, ticket, messageUlid, isByAgent };
  const plain = changeOf(type, value);
  if (plain !== null) change(acting, plain);
  else (actions[type as OwnAction] as (acting: Acting, value: unknown) => void)(acting, value);
}

const change = ({ tx, ctx, ticket }: Acting, input: TicketChangeInput): void =>
  void changeTicket(tx, ctx, ticket.id, input, null);

const refused = (why: string) => new DeskError('conflict', why);

const actions: Actions = {
  remove_tags: (acting, value) => change(acting, { remove_tags: [...value] }),
  set_team: (acting, value) => change(acting, { team_id: value }),
  unassign: (acting) => change(acting, { assigned_to: null }),
  assign(acting, value) {
    if (typeof value === 'object') {
      const { team_id, by } = value;
      const { teamId, assigneeId } = acting.ticket;
      // As with a site's own turns, a conversation keeps its agent.
      if (assigneeId === null || teamId !== team_id) change(acting, { team_id, assign_from_team: by });
      return;
    }
    const assigned_to =
      typeof value === 'number' ? value : value === 'round_robin' ? nextAgent(acting) : answerer(acting);
    if (assigned_to !== null) change(acting, { assigned_to });
  },
  set_subject: (acting, value) => change(acting, { subject: filledLine(withoutNotes(acting), value, 255) }),
  set_field: (acting, { key, value }) => change(acting, { custom_fields: { [key]: value } }),
  snooze: (acting, hours) => change(acting, { snoozed_until: acting.ctx.now + hours * hourMs }),
  set_metadata({ tx, ctx, ticket }, value) {
    const from = Object.fromEntries(
      Object.keys(value).map((key) => [key, Object.hasOwn(ticket.metadata, key) ? ticket.metadata[key] : null]),
    );
    if (JSON.stringify(from) === JSON.stringify(value)) return;
    const metadata = { ...ticket.metadata, ...value };
    if (JSON.stringify(metadata).length > mostMetadataCharacters)
      throw refused(`A ticket can have at most ${mostMetadataCharacters / 1024} KB of metadata.`);
    updateTicket(tx, ticket, { metadata, updatedAt: ctx.now });
    tell({ tx, ctx, ticket }, { changes: { metadata: { from, to: value } } });
  },
  add_participant: ({ tx, ctx, site, ticket }, value) => void bringIn(tx, ctx, site, ticket, [value]),
  note: (acting, value) => void insertNote(acting.tx, acting.ctx, acting.ticket, filled(acting, value)),
  forward(acting, address) {
    const { tx, ctx, site, messageUlid } = acting;
    const message = messageUlid === null ? undefined : messageByUlid(tx, messageUlid);
    if (message?.inboundId == null || message.isInternal)
      throw refused('It was set off by no mail that could be forwarded.');
    if (isSuppressed(tx, site.id, address)) throw refused('Mail to this address bounces.');
    queueForward(tx, ctx, site.id, address, message.inboundId, acting.ticket.subject);
    tell(acting, { did: { type: 'forward', to: [address] } });
  },
  reply,
  mail(acting, { to, subject, body }) {
    const { tx, ctx, site, ticket } = acting;
    if (ticket.isTest) throw refused('A test ticket sends no mail.');
    const people = to.flatMap((one): { name: string | null; email: string }[] => {
      if (typeof one === 'string') return [{ name: null, email: one }];
      const agent = agentsOfSite(tx, site.id).find(({ id }) => id === one);
      return agent === undefined ? [] : [agent];
    });
    const isAmongAgents = to.every((one) => typeof one === 'number');
    const said = isAmongAgents ? acting : withoutNotes(acting);
    const words = { subject: filledLine(said, subject, 255), body: filledText(said, body) };
    const seq = tell(acting, { did: { type: 'mail', to: people.map(({ email }) => email), ...words } });
    for (const { name, email } of people) queueMail(tx, ctx, site.id, ticket.id, seq, 'mail.rule', { name, email });
  },
  webhook(acting, { channel_id: id, body }) {
    const { tx, ctx, site, ticket } = acting;
    const channel = channelRows.get(tx, site.id, id);
    if (channel === undefined || channel.type !== 'custom') throw refused('The channel is no longer there.');
    if (ticket.isTest && !channel.includeTest) throw refused('The channel gets no events of test tickets.');
    if (!channel.isActive && channel.disabledAt === null) throw refused('The channel is switched off.');
    const said = withoutNotes(acting);
    const sent = mapTexts(body, (text) => truncate(filled(said, text), mostBody));
    if (JSON.stringify(sent).length > mostSent) throw refused('What it would send is too long.');
    const seq = tell(acting, { did: { type: 'webhook', webhook_channel: id, body: sent } });
    insertDelivery(tx, {
      ulid: newUlid(ctx.now),
      siteId: site.id,
      channelId: id,
      ticketId: ticket.id,
      eventSeq: seq,
      event: 'rule.webhook',
      payload: {},
      recipient: null,
      mailMessageId: null,
      createdAt: ctx.now,
    });
  },
  follow(acting, ids) {
    const { tx, ctx, site, ticket } = acting;
    const known = new Set(agentsOfSite(tx, site.id).map(({ id }) => id));
    const decided = new Set(followersOf(tx, ticket.id).map(({ agentId }) => agentId));
    const added = ids.filter((id) => known.has(id) && !decided.has(id));
    if (added.length === 0) return;
    for (const id of added) followUnlessDecided(tx, ticket.id, id, ctx.now);
    tell(acting, { did: { type: 'follow', agents: added } });
  },
  create_ticket: (acting, value) => openFrom(acting, value),
};

const mostMetadataCharacters = 16 * 1024;
const mostBody = 10_000;
const mostSent = 64 * 1024;

function tell({ tx, ctx, ticket }: Pick<Acting, 'tx' | 'ctx' | 'ticket'>, data: EventData): number {
  return record(tx, ctx, {
    kind: 'ticket.updated',
    siteId: ticket.siteId,
    ticketId: ticket.id,
    data: { ticket_ulid: ticket.ulid, ...data },
  });
}

/** Whose turn it is, for a ticket that no one has: a conversation keeps its agent. */
function nextAgent({ tx, site, ticket }: Acting): number | null {
  if (ticket.assigneeId !== null) return null;
  const members = agentsOfSite(tx, site.id).map(({ id }) => id);
  const next = nextInTurn(members, siteById(tx, site.id)?.lastAssignedAgentId ?? null);
  if (next === null) throw refused('The site has no active agents.');
  updateSite(tx, site.id, { lastAssignedAgentId: next });
  return next;
}

function answerer({ tx, site, ticket }: Acting): number | null {
  const agentId = lastAnswerer(tx, ticket.id);
  const isHere = agentId !== null && agentsOfSite(tx, site.id).some(({ id }) => id === agentId);
  if (!isHere) throw refused('No agent of the site has answered.');
  return agentId;
}

/** An automatic reply may reach another machine that answers: a ticket gets only a few a day. */
const mostRepliesADay = 10;

function reply(acting: Acting, { body, as, is_repeated: isRepeated }: Action<'reply'>['value']): void {
  const { tx, ctx, site, ticket } = acting;
  const { why, isOfMachine } = ctx.rule as NonNullable<Context['rule']>;
  const before = repliesOfRule(tx, ctx.now, why.kind, why.id, ticket.id);
  if (before.hasReplied && !isRepeated) return;
  if (before.today >= mostRepliesADay) throw refused(`A rule answers a ticket at most ${mostRepliesADay} times a day.`);
  if (isOfMachine || wasOpenedByMachine(tx, ticket.id)) throw refused('Automatic mail is not answered.');
  const agent = as === 'assignee' ? assigneeOf(tx, ticket) : null;
  const recipients = knownOn(tx, ticket);
  const told = withoutNotes(acting);
  const said = filledText(mayRepeat(acting, recipients) ? told : { ...told, isWithoutWords: true }, body);
  noteReply(tx, ctx.now, why.kind, why.id, ticket.id);
  const words = {
    agentId: agent?.id ?? null,
    agentName: agent?.name ?? publicName(site),
    body: said,
    bodyFormat: 'text',
    html: null,
    isInternal: false,
    isAutomated: true,
    senderId: null,
    attachments: [],
    mentions: [],
    recipients,
  } as const;
  sayAsAgent(tx, ctx, site, ticket, words, { to: null, isOptional: false });
}

const assigneeOf = (tx: Tx, { assigneeId }: Ticket): Agent | null =>
  assigneeId === null ? null : (agentById(tx, assigneeId) ?? null);

/** For the same customer, who is not told. */
function openFrom(acting: Acting, { subject, body, ...fields }: NewTicket): void {
  const { tx, ctx, site, ticket } = acting;
  const told = withoutNotes(acting);
  const author = authorById(tx, ticket.authorId);
  if (!author || author.anonymisedAt !== null) throw refused('The customer was erased.');
  const opened = openTicketAsAgent(tx, ctx, {
    ...fields,
    site_id: site.id,
    email: author.email,
    subject: filledLine(told, subject, 255),
    message: filledText(told, body),
    notify_author: false,
    is_test: ticket.isTest,
  } as Parameters<typeof openTicketAsAgent>[2]);
  tell(acting, { did: { type: 'create_ticket', ticket: { id: opened.ticket.id, ulid: opened.ticket.ulid } } });
}

/** Whether who wrote a message has proved who they are. */
export function isWriterProven(tx: Tx, { senderVerified, inboundId, isConfirmed, authorId }: Message): boolean {
  if (senderVerified !== null) return senderVerified;
  // Mail that no one vouches for, also in the name of someone for whom the application does.
  if (inboundId !== null) return false;
  return isConfirmed ?? authorById(tx, authorId ?? 0)?.isVerified ?? false;
}

/**
 * Whether a reply that no one reads before it leaves may repeat what customers wrote. Else anyone could have the desk mail
 * their words to whom they name. What an agent set off may, and what goes to no one but who wrote, if that is proven. Where no
 * customer's message set it off, an agent must have answered.
 */
function mayRepeat({ tx, ticket, messageUlid, isByAgent }: Acting, recipients: readonly Recipient[]): boolean {
  if (isByAgent) return true;
  const author = authorById(tx, ticket.authorId);
  const message = messageUlid === null ? undefined : messageByUlid(tx, messageUlid);
  if (message === undefined || message.isAgent || message.isInternal)
    return ticket.lastAgentMessageAt !== null || author?.isVerified === true;
  const isTheirs = authorById(tx, message.authorId ?? 0)?.email === author?.email;
  return isTheirs && isWriterProven(tx, message) && recipients.every(({ isAuthor }) => isAuthor);
}

function variableOf({ tx, site, ticket, messageUlid, isWithoutWords }: Acting, name: string): string {
  switch (name) {
    case 'ticket.reference':
      return referenceOf(ticket.id);
    case 'ticket.subject':
      return isWithoutWords ? '' : ticket.subject;
    case 'ticket.status':
      return ticket.status;
    case 'author.name':
    case 'author.email': {
      const author = authorById(tx, ticket.authorId);
      return (name === 'author.name' && !isWithoutWords ? author?.name : null) || (author?.email ?? '');
    }
    case 'assignee.name':
      return assigneeOf(tx, ticket)?.name ?? '';
    case 'message.body': {
      const message = messageUlid === null || isWithoutWords ? undefined : messageByUlid(tx, messageUlid);
      return message?.body ?? '';
    }
    case 'site.name':
      return publicName(site);
    default: {
      const key = name.slice('field.'.length);
      if (isWithoutWords) return '';
      const value = Object.hasOwn(ticket.customFields, key) ? ticket.customFields[key] : undefined;
      return value == null ? '' : [value].flat().join(', ');
    }
  }
}

/** The words of a note are in nothing that a rule says to others than agents. */
function withoutNotes(acting: Acting): Acting {
  const message = acting.messageUlid === null ? undefined : messageByUlid(acting.tx, acting.messageUlid);
  return message?.isInternal ? { ...acting, messageUlid: null } : acting;
}

const filled = (acting: Acting, text: string): string => fillIn(text, 'text', (name) => variableOf(acting, name));

function filledText(acting: Acting, text: string): string {
  const said = truncate(filled(acting, text), mostBody);
  if (said.trim() === '') throw refused('Its text would be empty.');
  return said;
}

/** One line, whatever the values are: it becomes a header. */
const filledLine = (acting: Acting, text: string, most: number): string =>
  truncate(cleanLine(filled(acting, text)), most) || referenceOf(acting.ticket.id);
