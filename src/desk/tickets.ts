// Opening, changing, merging and finding tickets.

import { hashSecret, isSameSecret, randomSecret } from '../base/crypto.ts';
import { newUlid } from '../base/ids.ts';
import { isInScope } from '../domain/actor.ts';
import { identityIn } from '../domain/context.ts';
import { checkCustomFields } from '../domain/custom-field.ts';
import { conflict, DeskError, type FieldErrors, invalid, notFound } from '../domain/errors.ts';
import type { EventData } from '../domain/event.ts';
import type { AgentTicketInput, IngestTicketInput, TicketChangeInput } from '../domain/input/tickets.ts';
import { maxTags, referenceOf, type TicketStatus, transitionBetween } from '../domain/ticket.ts';
import type { Tx } from '../store/database.ts';
import {
  type Attachment,
  attachmentsOfTicket,
  insertMessage,
  type Message,
  messagesOfTicket,
  moveAttachments,
  moveMessages,
} from '../store/messages.ts';
import { type Author, agentsOfSite, authorById } from '../store/people.ts';
import { indexTicket } from '../store/search.ts';
import { categoryRows, customFieldRows, type Priority, priorityRows, type Site, siteById } from '../store/sites.ts';
import { insertTicket, mergedIds, type Ticket, ticketById, ticketByUlid, updateTicket } from '../store/tickets.ts';
import { authorise, findTicket, requireVersion } from './access.ts';
import { findOrCreateAuthor } from './authors.ts';
import { catchUpClocks, moveClocks, retarget, startClocks } from './clocks.ts';
import { type Context, record } from './record.ts';
import { reindexTicket } from './search-index.ts';

export interface OpenedTicket {
  ticket: Ticket;
  /** Shown this once; only its hash is kept. */
  accessToken: string;
}

/** Opens a ticket for a site's application (docs/spec/api.md#ingest). Throws `invalid` with every field at fault. */
export function openTicket(tx: Tx, ctx: Context, site: Site, input: IngestTicketInput): OpenedTicket {
  return open(tx, ctx, site, input, { source: input.context?.source ?? 'api', assigneeId: null, isIngest: true });
}

/** Opens a ticket on somebody's behalf (docs/spec/api.md#tickets). */
export function openTicketAsAgent(tx: Tx, ctx: Context, input: AgentTicketInput): OpenedTicket {
  authorise(ctx, 'write');
  const site = siteById(tx, input.site_id);
  if (!site || !isInScope(ctx.actor, site.id)) throw invalid('site_id', 'names no site.');
  return open(tx, ctx, site, input, {
    source: input.context?.source ?? 'agent',
    assigneeId: input.assigned_to ?? null,
    isIngest: false,
  });
}

interface MailTicket {
  email: string;
  name: string | null;
  subject: string;
  body: string;
  html: string | null;
  wholeBody: string | null;
  senderVerified: boolean | null;
  mayAcknowledge: boolean;
}

/** Opens a ticket for mail that matched none; a site's required fields cannot be asked of a mail. */
export function openFromMail(tx: Tx, ctx: Context, site: Site, mail: MailTicket): { ticket: Ticket; message: Message } {
  const { ticket, message } = open(
    tx,
    ctx,
    site,
    {
      email: mail.email,
      name: mail.name,
      subject: mail.subject,
      message: mail.body,
    },
    { source: 'email', assigneeId: null, isIngest: true, mail },
  );
  return { ticket, message };
}

interface Opening {
  source: string;
  assigneeId: number | null;
  isIngest: boolean;
  mail?: MailTicket;
}

function open(
  tx: Tx,
  ctx: Context,
  site: Site,
  input: IngestTicketInput,
  opening: Opening,
): OpenedTicket & { message: Message } {
  const errors: FieldErrors = {};
  const fields = customFieldRows
    .list(tx, site.id)
    .filter((field) => !opening.mail && field.isActive && (!opening.isIngest || field.isAuthorVisible));
  const custom = checkCustomFields(fields, input.custom_fields, null);
  Object.assign(errors, custom.errors);
  const category = input.category_id == null ? null : categoryRows.get(tx, site.id, input.category_id);
  if (category === undefined || category?.isActive === false) errors.category_id = ['names no category of this site.'];
  const priority = priorityRows.get(tx, site.id, input.priority_id ?? site.defaultPriorityId ?? 0);
  if (priority === undefined || (input.priority_id != null && !priority.isActive))
    errors.priority_id = ['names no priority of this site.'];
  if (opening.assigneeId !== null && !isAgentOfSite(tx, site.id, opening.assigneeId))
    errors.assigned_to = ['names no agent of this site.'];
  if (Object.keys(errors).length > 0 || !priority)
    throw new DeskError('invalid', 'The ticket could not be opened as it is.', { errors });

  const identity = identityIn(input.context ?? null);
  const author = findOrCreateAuthor(tx, ctx, site.id, {
    // Both surfaces are server-side and hold a secret, so both vouch for the external id (docs/spec/api.md#authors).
    externalId: identity.externalId,
    email: input.email,
    name: input.name || identity.name,
  });
  const accessToken = randomSecret('hda');
  const ticket = insertTicket(tx, {
    ulid: newUlid(ctx.now),
    siteId: site.id,
    authorId: author.id,
    subject: input.subject,
    status: 'open',
    source: opening.source,
    isTest: input.is_test ?? false,
    tags: input.tags ?? [],
    customFields: custom.values,
    metadata: {},
    context: input.context ?? null,
    categoryId: category?.id ?? null,
    priorityId: priority.id,
    priorityLevel: priority.level,
    assigneeId: opening.assigneeId,
    accessTokenHash: hashSecret(accessToken),
    ...startClocks(site, priority, ctx.now, input.is_test ?? false),
    closedAt: null,
    mergedIntoId: null,
    messageCount: 1,
    lastCustomerMessageAt: ctx.now,
    lastAgentMessageAt: null,
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  });
  const message = insertMessage(tx, {
    ulid: newUlid(ctx.now),
    ticketId: ticket.id,
    authorId: author.id,
    agentId: null,
    agentName: null,
    authorName: author.name,
    body: input.message,
    bodyFormat: 'text',
    isInternal: false,
    isAutomated: false,
    isAgent: false,
    source: opening.source,
    senderVerified: opening.mail?.senderVerified ?? null,
    delivery: null,
    html: opening.mail?.html ?? null,
    wholeBody: opening.mail?.wholeBody ?? null,
    createdAt: ctx.now,
  });
  indexTicket(
    tx,
    ticket,
    { subject: ticket.subject, authorName: author.name, authorEmail: author.email, bodies: [message.body] },
    true,
  );
  const isAuthorActing = ctx.actor.kind === 'application' || ctx.actor.kind === 'mail';
  const actor = isAuthorActing
    ? ({ kind: 'author', siteId: site.id, authorId: author.id, name: author.name } as const)
    : ctx.actor;
  record(tx, ctx, {
    kind: 'ticket.created',
    siteId: site.id,
    ticketId: ticket.id,
    ticket,
    actor,
    data: {
      ticket_ulid: ticket.ulid,
      message_ulid: message.ulid,
      status: ticket.status,
      source: ticket.source,
      // A machine that were told so would answer, and never stop.
      ...(opening.mail?.mayAcknowledge === false ? { acknowledge: false } : {}),
    },
  });
  if (ticket.assigneeId !== null) {
    record(tx, ctx, {
      kind: 'ticket.assigned',
      siteId: site.id,
      ticketId: ticket.id,
      data: { ticket_ulid: ticket.ulid, changes: { assigned_to: { from: null, to: ticket.assigneeId } } },
    });
  }
  return { ticket, accessToken, message };
}

export function isAgentOfSite(tx: Tx, siteId: number, agentId: number): boolean {
  return agentsOfSite(tx, siteId).some(({ id }) => id === agentId);
}

/** Moves a ticket to a state, with its clocks and its event; the state it has already is no event. 409 where there is no way. */
export function changeStatus(tx: Tx, ctx: Context, site: Site, ticket: Ticket, to: TicketStatus): Ticket {
  const step = transitionBetween(ticket.status, to);
  if (step === 'none') return ticket;
  if (step === null) throw conflict(`A ${ticket.status} ticket cannot become ${to}.`, 'no_such_transition');
  const from = ticket.status;
  // A deadline that has passed unseen is recorded before the change that would hide it.
  const late = catchUpClocks(tx, ctx, site, ticket);
  const seq = record(tx, ctx, {
    kind: 'ticket.status_changed',
    siteId: ticket.siteId,
    ticketId: ticket.id,
    data: { ticket_ulid: ticket.ulid, old_status: from, new_status: to, changes: { status: { from, to } } },
  });
  return updateTicket(tx, ticket, {
    ...breachColumns(late),
    ...moveClocks(tx, ctx, site, late, step, seq),
    ...statusColumns(ctx, ticket, to),
    updatedAt: ctx.now,
  });
}

/** What `catchUpClocks` may have set. */
export function breachColumns(ticket: Ticket): Partial<Ticket> {
  const { firstResponseBreachedAt, resolutionBreachedAt, slaNextAt } = ticket;
  return { firstResponseBreachedAt, resolutionBreachedAt, slaNextAt };
}

function statusColumns(ctx: Context, ticket: Ticket, to: TicketStatus): Partial<Ticket> {
  switch (to) {
    case 'open':
      return { status: to, resolvedAt: null, closedAt: null };
    case 'pending':
      return { status: to };
    case 'resolved':
      return { status: to, resolvedAt: ctx.now };
    case 'closed':
      return { status: to, resolvedAt: ticket.resolvedAt ?? ctx.now, closedAt: ctx.now };
  }
}

/** Changes what an agent may change (docs/spec/api.md#tickets). Nothing is changed when any field is refused. */
export function changeTicket(
  tx: Tx,
  ctx: Context,
  name: string | number,
  input: TicketChangeInput,
  ifMatch: readonly string[] | null,
): Ticket {
  authorise(ctx, 'write');
  let ticket = findTicket(tx, ctx, name);
  requireVersion(ifMatch, ticketEtag(ticket));
  const site = siteById(tx, ticket.siteId);
  if (!site) throw notFound('ticket');
  const errors: FieldErrors = {};
  const change: Partial<Ticket> = {};
  const changes: NonNullable<EventData['changes']> = {};
  const set = (field: string, from: unknown, to: unknown, columns: Partial<Ticket>) => {
    if (JSON.stringify(from) === JSON.stringify(to)) return;
    changes[field] = { from, to };
    Object.assign(change, columns);
  };
  if (input.subject !== undefined) set('subject', ticket.subject, input.subject, { subject: input.subject });
  if (input.tags !== undefined) set('tags', ticket.tags, input.tags, { tags: input.tags });
  if (input.category_id !== undefined) {
    if (input.category_id !== null && !categoryRows.get(tx, site.id, input.category_id))
      errors.category_id = ['names no category of this site.'];
    else set('category_id', ticket.categoryId, input.category_id, { categoryId: input.category_id });
  }
  let priority: Priority | undefined;
  if (input.priority_id !== undefined && input.priority_id !== ticket.priorityId) {
    priority = priorityRows.get(tx, site.id, input.priority_id);
    if (!priority) errors.priority_id = ['names no priority of this site.'];
    else set('priority_id', ticket.priorityId, priority.id, { priorityId: priority.id, priorityLevel: priority.level });
  }
  if (input.custom_fields !== undefined) {
    const fields = customFieldRows.list(tx, site.id).filter((field) => field.isActive);
    const checked = checkCustomFields(fields, input.custom_fields, ticket.customFields);
    Object.assign(errors, checked.errors);
    set('custom_fields', ticket.customFields, checked.values, { customFields: checked.values });
  }
  const assigneeId = input.assigned_to;
  if (
    assigneeId !== undefined &&
    assigneeId !== null &&
    assigneeId !== ticket.assigneeId &&
    !isAgentOfSite(tx, site.id, assigneeId)
  ) {
    errors.assigned_to = ['names no agent of this site.'];
  }
  if (Object.keys(errors).length > 0) throw new DeskError('invalid', 'The ticket could not be changed.', { errors });
  if (ticket.mergedIntoId !== null && input.status !== undefined && input.status !== ticket.status) {
    throw conflict('This ticket was merged into another one; change that one.', 'ticket_merged');
  }

  if (Object.keys(changes).length > 0) {
    if (priority) {
      const late = catchUpClocks(tx, ctx, site, ticket);
      Object.assign(change, breachColumns(late), retarget(tx, site, late, priority));
    }
    ticket = updateTicket(tx, ticket, { ...change, updatedAt: ctx.now });
    record(tx, ctx, {
      kind: 'ticket.updated',
      siteId: site.id,
      ticketId: ticket.id,
      data: { ticket_ulid: ticket.ulid, changes },
    });
    if (changes.subject) reindexTicket(tx, ticket.id);
  }
  if (assigneeId !== undefined && assigneeId !== ticket.assigneeId) {
    const from = ticket.assigneeId;
    ticket = updateTicket(tx, ticket, { assigneeId, updatedAt: ctx.now });
    record(tx, ctx, {
      kind: 'ticket.assigned',
      siteId: site.id,
      ticketId: ticket.id,
      data: { ticket_ulid: ticket.ulid, changes: { assigned_to: { from, to: assigneeId } } },
    });
  }
  if (input.status !== undefined) ticket = changeStatus(tx, ctx, site, ticket, input.status);
  return ticket;
}

/** Moves messages, attachments and tags of one ticket into another of the same site, and closes it (docs/spec/api.md#tickets). */
export function mergeTickets(
  tx: Tx,
  ctx: Context,
  name: string | number,
  into: string | number,
): { source: Ticket; target: Ticket } {
  authorise(ctx, 'write');
  const source = findTicket(tx, ctx, name);
  let target: Ticket;
  try {
    target = findTicket(tx, ctx, into);
  } catch (error) {
    if (error instanceof DeskError && error.code === 'not_found') throw invalid('into', 'names no ticket.');
    throw error;
  }
  if (target.siteId !== source.siteId) throw invalid('into', 'must name a ticket of the same site.');
  if (target.id === source.id) throw invalid('into', 'must name another ticket.');
  if (source.mergedIntoId !== null) throw conflict('This ticket was already merged.', 'ticket_merged');
  if (target.mergedIntoId !== null)
    throw conflict('The other ticket was itself merged; name the one it went into.', 'ticket_merged');
  if (target.isTest !== source.isTest) throw conflict('A test ticket and a real one cannot be merged.', 'test_ticket');
  const site = siteById(tx, source.siteId);
  if (!site) throw notFound('ticket');
  moveMessages(tx, source.id, target.id);
  moveAttachments(tx, source.id, target.id);
  const latest = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : Math.max(a, b));
  const movedCount = source.messageCount;
  const tags = [...new Set([...target.tags, ...source.tags])].slice(0, maxTags);
  const changedTarget = updateTicket(tx, target, {
    tags,
    messageCount: target.messageCount + source.messageCount,
    lastCustomerMessageAt: latest(target.lastCustomerMessageAt, source.lastCustomerMessageAt),
    lastAgentMessageAt: latest(target.lastAgentMessageAt, source.lastAgentMessageAt),
    updatedAt: ctx.now,
  });
  const closed = source.status === 'closed' ? source : changeStatus(tx, ctx, site, source, 'closed');
  const changedSource = updateTicket(tx, closed, {
    mergedIntoId: target.id,
    // Those that found no room stay where they were.
    tags: source.tags.filter((tag) => !tags.includes(tag)),
    messageCount: 0,
    updatedAt: ctx.now,
  });
  const data = {
    source_ulid: source.ulid,
    source_reference: referenceOf(source.id),
    into_ulid: target.ulid,
    into_reference: referenceOf(target.id),
  };
  record(tx, ctx, {
    kind: 'ticket.merged',
    siteId: source.siteId,
    ticketId: source.id,
    data: { ticket_ulid: source.ulid, ...data },
  });
  record(tx, ctx, {
    kind: 'ticket.merged',
    siteId: source.siteId,
    ticketId: target.id,
    data: { ticket_ulid: target.ulid, ...data, messages_moved: movedCount },
  });
  reindexTicket(tx, source.id);
  reindexTicket(tx, target.id);
  return { source: changedSource, target: changedTarget };
}

/** Where a ticket's thread lives: itself, or what it was merged into, however many times. */
export function followMerges(tx: Tx, ticket: Ticket): Ticket {
  let at = ticket;
  // Merging a merged ticket is refused, so there is no ring; the bound is for a database that somebody edited.
  for (let step = 0; at.mergedIntoId !== null && step < 100; step += 1) {
    const next = ticketById(tx, at.mergedIntoId);
    if (!next) break;
    at = next;
  }
  return at;
}

/**
 * The thread that an access token opens. 404 for a ticket that does not exist, is another site's or has another token,
 * after the same work in each case, so that neither body nor duration tells them apart.
 */
export function openThread(
  tx: Tx,
  siteId: number,
  ulid: string,
  accessToken: string,
): { ticket: Ticket; author: Author } {
  const named = ticketByUlid(tx, ulid);
  const ticket = named && named.siteId === siteId ? named : undefined;
  const presented = hashSecret(accessToken);
  const candidates: (Ticket | undefined)[] = [
    ticket,
    ...mergedIds(tx, ticket?.id ?? -1).map((id) => ticketById(tx, id)),
  ];
  // Every candidate is compared, whichever fits.
  const fits = candidates.map((one) => isSameSecret(one?.accessTokenHash ?? '-', presented));
  // Whose token it is speaks here: on a merged thread that is not always the author of the ticket named.
  const holder = candidates[fits.indexOf(true)];
  if (!ticket || !holder) throw notFound('ticket');
  const thread = followMerges(tx, ticket);
  const author = authorById(tx, holder.authorId);
  if (!author) throw notFound('ticket');
  return { ticket: thread, author };
}

interface TicketDetail {
  ticket: Ticket;
  messages: Message[];
  attachments: Attachment[];
}

export function readTicket(tx: Tx, ctx: Context, name: string | number): TicketDetail {
  authorise(ctx, 'read');
  const ticket = findTicket(tx, ctx, name);
  return { ticket, messages: messagesOfTicket(tx, ticket.id), attachments: attachmentsOfTicket(tx, ticket.id) };
}

export function ticketEtag(ticket: Ticket): string {
  return `"t${ticket.id}-${ticket.version}"`;
}
