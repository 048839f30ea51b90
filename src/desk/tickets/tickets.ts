// Opening tickets.

import { hashSecret, randomSecret } from '../../base/crypto.ts';
import { newUlid } from '../../base/ids.ts';
import { isInScope } from '../../domain/actor.ts';
import { type FieldErrors, invalid, invalidFields } from '../../domain/errors.ts';
import type { FormInput } from '../../domain/input/portal.ts';
import type { AgentTicketInput, IngestTicketInput } from '../../domain/input/tickets.ts';
import { normaliseEmail } from '../../domain/mail/address.ts';
import { identityIn } from '../../domain/tickets/context.ts';
import { checkCustomFields } from '../../domain/tickets/custom-field.ts';
import type { Addressee } from '../../domain/tickets/participant.ts';
import type { BodyFormat, TicketStatus } from '../../domain/tickets/ticket.ts';
import type { Tx } from '../../engine/database.ts';
import { type Author, authorById, unverifiedAuthorByEmail } from '../../store/customers/authors.ts';
import { indexLater } from '../../store/lists/search-waiting.ts';
import { categoryRows, customFieldRows, type Priority, priorityRows } from '../../store/sites/catalogue.ts';
import { type Site, siteById } from '../../store/sites/sites.ts';
import { insertAttachment, type Message, updateAttachment } from '../../store/tickets/messages.ts';
import type { DraftFile } from '../../store/tickets/ticket-drafts.ts';
import { insertTicket, type Ticket, updateTicket } from '../../store/tickets/tickets.ts';
import { authorise } from '../access.ts';
import type { Context } from '../context.ts';
import { findOrCreateAuthor, requireReachable } from '../customers/authors.ts';
import { isAgentOfSite } from '../people/agents.ts';
import { isTeamOfSite } from '../people/teams.ts';
import { record } from '../record.ts';
import { requireSender } from '../sites/senders.ts';
import { markClocks, startClocks } from '../sla/clocks.ts';
import { addMessage } from './messages.ts';
import { takeNewTicketDraft } from './new-ticket-draft.ts';
import { recordPeople, startWith } from './participants.ts';
import { speakerOf } from './replies.ts';
import { sayAsAgent } from './sent-replies.ts';
import { changeStatus } from './ticket-status.ts';

export interface OpenedTicket {
  ticket: Ticket;
  accessToken: string;
}

/** For a site's application (docs/spec/api.md#ingest). Throws `invalid` naming every bad field. */
export function openTicket(tx: Tx, ctx: Context, site: Site, input: IngestTicketInput): OpenedTicket {
  return open(tx, ctx, site, input, { ...fromCustomer, source: input.context?.source ?? 'api' });
}

/** On someone's behalf (docs/spec/console.md#new-tickets). @param input `html` is needed for Markdown */
export function openTicketAsAgent(
  tx: Tx,
  ctx: Context,
  input: AgentTicketInput & { html?: string | null },
): { ticket: Ticket } {
  authorise(ctx, 'write');
  const site = siteById(tx, input.site_id);
  if (!site || !isInScope(ctx.actor, site.id)) throw invalid('site_id', 'does not name a site.');
  const { notify_author: isTold, status } = input;
  const source = input.source ?? input.context?.source ?? 'agent';
  const { ticket } = open(tx, ctx, site, input, {
    ...fromCustomer,
    source,
    senderId: requireSender(tx, site.id, input.from),
    assigneeId: input.assigned_to ?? null,
    teamId: input.team_id ?? null,
    isIngest: false,
    mayAcknowledge: isTold == null,
    words: {
      speaks: isTold === true ? 'agent' : isTold === false && source === 'agent' ? 'note' : 'author',
      bodyFormat: input.body_format ?? 'text',
      html: input.html ?? null,
      files: takeNewTicketDraft(tx, ctx, site, input.attachment_ids ?? []),
      status: isTold === true ? (status ?? null) : null,
    },
    ...(ctx.actor.kind === 'agent' ? { author: authorOfAgent(tx, ctx, site, input) } : {}),
  });
  const quiet = isTold === false ? { notify_author: false } : {};
  return { ticket: status == null ? ticket : changeStatus(tx, ctx, site, ticket, status, quiet) };
}

/** An agent types what someone said: that proves nothing, and renames no one. */
function authorOfAgent(tx: Tx, ctx: Context, site: Site, input: AgentTicketInput): () => Author {
  const { author_id: id, email } = input;
  if (id == null)
    return () => {
      const known = unverifiedAuthorByEmail(tx, site.id, requireReachable(email))?.name ?? null;
      return findOrCreateAuthor(tx, ctx, site.id, { externalId: null, email, name: known ?? (input.name || null) });
    };
  const author = authorById(tx, id);
  const isThem = author?.siteId === site.id && author.anonymisedAt === null;
  if (!isThem || normaliseEmail(author.email) !== normaliseEmail(email))
    throw invalid('author_id', 'does not name a customer of this site with this address.');
  return () => author;
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
  cc: Addressee[];
  senderId: number | null;
  inboundId: number;
  isSpam: boolean;
}

/** Skips required fields, which mail cannot fill in. */
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
      cc: mail.cc,
    },
    {
      ...fromCustomer,
      source: 'email',
      takesFields: false,
      mayAcknowledge: mail.mayAcknowledge,
      senderId: mail.senderId,
      mail,
    },
  );
  return { ticket, message };
}

const fromForm = { source: 'web', mayAcknowledge: false } as const;

/** From a site's form, for an address that no one has proved. Its receipt takes the place of an acknowledgement. */
export function openFromForm(
  tx: Tx,
  ctx: Context,
  site: Site,
  input: FormInput,
  { takesFields }: { takesFields: boolean },
): { ticket: Ticket; message: Message } {
  // A stranger must not rename the person whose address they type.
  const known = unverifiedAuthorByEmail(tx, site.id, input.email)?.name ?? null;
  const { ticket, message } = open(
    tx,
    ctx,
    site,
    { ...input, name: known === null ? input.name : null },
    { ...fromCustomer, ...fromForm, takesFields },
  );
  return { ticket, message };
}

/** What is wrong with a form, without opening a ticket. */
export function checkForm(tx: Tx, site: Site, input: FormInput): void {
  requireReachable(input.email);
  checkOpening(tx, site, input, { ...fromCustomer, ...fromForm });
}

interface Opening {
  source: string;
  /** That the ticket came to, or that an agent chose. */
  senderId: number | null;
  assigneeId: number | null;
  teamId: number | null;
  isIngest: boolean;
  takesFields: boolean;
  /** Acknowledging automatic mail would start a loop. */
  mayAcknowledge: boolean;
  mail?: MailTicket;
  words?: AgentsWords;
  author?: () => Author;
}

/** What an agent wrote as the first message. */
interface AgentsWords {
  speaks: 'agent' | 'note' | 'author';
  bodyFormat: BodyFormat;
  html: string | null;
  files: readonly DraftFile[];
  status: TicketStatus | null;
}

const fromCustomer = {
  senderId: null,
  assigneeId: null,
  teamId: null,
  isIngest: true,
  takesFields: true,
  mayAcknowledge: true,
} as const;

function checkOpening(tx: Tx, site: Site, input: IngestTicketInput, opening: Opening) {
  const errors: FieldErrors = {};
  const fields = customFieldRows
    .list(tx, site.id)
    .filter((field) => opening.takesFields && field.isActive && (!opening.isIngest || field.isAuthorVisible));
  const custom = checkCustomFields(fields, input.custom_fields, null);
  Object.assign(errors, custom.errors);
  const category = input.category_id == null ? null : categoryRows.get(tx, site.id, input.category_id);
  if (category === undefined || category?.isActive === false)
    errors.category_id = ['does not name a category of this site.'];
  const priority = priorityRows.get(tx, site.id, input.priority_id ?? site.defaultPriorityId ?? 0);
  if (priority === undefined || (input.priority_id != null && !priority.isActive))
    errors.priority_id = ['does not name a priority of this site.'];
  if (opening.assigneeId !== null && !isAgentOfSite(tx, site.id, opening.assigneeId))
    errors.assigned_to = ['does not name an agent of this site.'];
  if (opening.teamId !== null && !isTeamOfSite(tx, site.id, opening.teamId))
    errors.team_id = ['does not name a team of this site.'];
  if (Object.keys(errors).length > 0 || !priority) throw invalidFields(errors);
  return { customFields: custom.values, category, priority };
}

function open(
  tx: Tx,
  ctx: Context,
  site: Site,
  input: IngestTicketInput,
  opening: Opening,
): OpenedTicket & { message: Message } {
  const { customFields, category, priority } = checkOpening(tx, site, input, opening);
  const { words } = opening;
  const author = opening.author?.() ?? authorOfSystem(tx, ctx, site, input);
  const agents = words === undefined || words.speaks === 'author' ? null : words;
  const accessToken = randomSecret('hda');
  const created = insertTicket(tx, {
    ulid: newUlid(ctx.now),
    siteId: site.id,
    authorId: author.id,
    subject: input.subject,
    status: 'open',
    source: opening.source,
    isTest: input.is_test ?? false,
    tags: input.tags ?? [],
    customFields,
    metadata: {},
    context: input.context ?? null,
    categoryId: category?.id ?? null,
    priorityId: priority.id,
    priorityLevel: priority.level,
    assigneeId: opening.assigneeId,
    accessTokenHash: hashSecret(accessToken),
    // Of old mail no deadline is promised.
    ...startClocks(site, ctx.isSilent ? withoutTargets(priority) : priority, ctx.now, {
      isTest: input.is_test ?? false,
      awaitsAuthor: agents?.speaks === 'agent',
    }),
    isSpam: opening.mail?.isSpam ?? false,
    senderId: opening.senderId,
    messageCount: agents === null ? 1 : 0,
    lastCustomerMessageAt: agents === null ? ctx.now : null,
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
    teamId: opening.teamId,
  });
  const leftOut = startWith(tx, ctx, site, created, input.cc ?? []);
  const ulid = newUlid(ctx.now);
  indexLater(tx, 'ticket_search', created.id);
  const isAuthorActing = ctx.actor.kind === 'application' || ctx.actor.kind === 'mail';
  const actor = isAuthorActing
    ? ({ kind: 'author', siteId: site.id, authorId: author.id, name: author.name } as const)
    : ctx.actor;
  const seq = record(tx, ctx, {
    kind: 'ticket.created',
    siteId: site.id,
    ticketId: created.id,
    ticket: created,
    author,
    actor,
    data: {
      ticket_ulid: created.ulid,
      message_ulid: agents?.speaks === 'note' ? null : ulid,
      status: created.status,
      source: created.source,
      ...(opening.mayAcknowledge ? {} : { acknowledge: false }),
      ...(ctx.isSilent ? { is_silent: true } : {}),
    },
  });
  const ticket = created.isSpam ? updateTicket(tx, created, markClocks(tx, ctx, site, created, true, seq)) : created;
  if (leftOut > 0) recordPeople(tx, ctx, ticket, { left_out: leftOut });
  if (ticket.assigneeId !== null || ticket.teamId !== null) {
    const { assigneeId, teamId } = ticket;
    record(tx, ctx, {
      kind: 'ticket.assigned',
      siteId: site.id,
      ticketId: ticket.id,
      data: {
        ticket_ulid: ticket.ulid,
        changes: {
          ...(assigneeId === null ? {} : { assigned_to: { from: null, to: assigneeId } }),
          ...(teamId === null ? {} : { team_id: { from: null, to: teamId } }),
        },
      },
    });
  }
  const attachments = (words?.files ?? []).map(({ id: _, ...file }) =>
    insertAttachment(tx, {
      ...file,
      siteId: site.id,
      ticketId: ticket.id,
      messageId: null,
      isAgent: true,
      isInternal: true,
    }),
  );
  const message = { ulid, body: input.message, bodyFormat: words?.bodyFormat ?? 'text', html: words?.html ?? null };
  if (agents !== null) {
    const isInternal = agents.speaks === 'note';
    const speaker = speakerOf(tx, ctx, site, { is_internal: isInternal });
    const said = { ...speaker, ...message, isInternal, attachments, mentions: [], senderId: null, recipients: null };
    return { ...sayAsAgent(tx, ctx, site, ticket, said, { to: agents.status, isOptional: false }), accessToken };
  }
  const kept = addMessage(tx, ctx, ticket.id, {
    ...message,
    authorId: author.id,
    authorName: author.name,
    source: opening.source,
    senderVerified: opening.mail?.senderVerified ?? null,
    html: opening.mail?.html ?? message.html,
    wholeBody: opening.mail?.wholeBody ?? null,
    inboundId: opening.mail?.inboundId ?? null,
  });
  for (const { id } of attachments) updateAttachment(tx, id, { messageId: kept.id, isInternal: false });
  return { ticket, accessToken, message: kept };
}

const withoutTargets = (priority: Priority): Priority => ({
  ...priority,
  firstResponseMinutes: null,
  resolutionMinutes: null,
});

function authorOfSystem(tx: Tx, ctx: Context, site: Site, input: IngestTicketInput): Author {
  const identity = identityIn(input.context ?? null);
  return findOrCreateAuthor(tx, ctx, site.id, {
    // Both surfaces are server-side and hold a secret, so they vouch for the external id (docs/spec/api.md#authors).
    externalId: identity.externalId,
    email: input.email,
    name: input.name || identity.name,
  });
}
