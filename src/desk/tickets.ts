// Opening tickets.

import { hashSecret, randomSecret } from '../base/crypto.ts';
import { newUlid } from '../base/ids.ts';
import { isInScope } from '../domain/actor.ts';
import { identityIn } from '../domain/context.ts';
import { checkCustomFields } from '../domain/custom-field.ts';
import { type FieldErrors, invalid, invalidFields } from '../domain/errors.ts';
import type { FormInput } from '../domain/input/portal.ts';
import type { AgentTicketInput, IngestTicketInput } from '../domain/input/tickets.ts';
import type { Tx } from '../store/database.ts';
import type { Message } from '../store/messages.ts';
import { unverifiedAuthorByEmail } from '../store/people.ts';
import { indexTicket } from '../store/search.ts';
import { categoryRows, customFieldRows, priorityRows } from '../store/site-catalogue.ts';
import { type Site, siteById } from '../store/sites.ts';
import { insertTicket, type Ticket } from '../store/tickets.ts';
import { authorise } from './access.ts';
import { findOrCreateAuthor, requireReachable } from './authors.ts';
import { startClocks } from './clocks.ts';
import type { Context } from './context.ts';
import { addMessage } from './messages.ts';
import { isAgentOfSite } from './people/people.ts';
import { record } from './record.ts';

export interface OpenedTicket {
  ticket: Ticket;
  accessToken: string;
}

/** For a site's application (docs/spec/api.md#ingest). Throws `invalid` naming every bad field. */
export function openTicket(tx: Tx, ctx: Context, site: Site, input: IngestTicketInput): OpenedTicket {
  return open(tx, ctx, site, input, { ...fromCustomer, source: input.context?.source ?? 'api' });
}

/** On someone's behalf (docs/spec/api.md#tickets). */
export function openTicketAsAgent(tx: Tx, ctx: Context, input: AgentTicketInput): OpenedTicket {
  authorise(ctx, 'write');
  const site = siteById(tx, input.site_id);
  if (!site || !isInScope(ctx.actor, site.id)) throw invalid('site_id', 'does not name a site.');
  return open(tx, ctx, site, input, {
    ...fromCustomer,
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
    },
    { ...fromCustomer, source: 'email', takesFields: false, mayAcknowledge: mail.mayAcknowledge, mail },
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
  assigneeId: number | null;
  isIngest: boolean;
  takesFields: boolean;
  /** Acknowledging automatic mail would start a loop. */
  mayAcknowledge: boolean;
  mail?: MailTicket;
}

const fromCustomer = { assigneeId: null, isIngest: true, takesFields: true, mayAcknowledge: true } as const;

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
  const identity = identityIn(input.context ?? null);
  const author = findOrCreateAuthor(tx, ctx, site.id, {
    // Both surfaces are server-side and hold a secret, so they vouch for the external id (docs/spec/api.md#authors).
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
    customFields,
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
    splitFromId: null,
    snoozedUntil: null,
    isSpam: false,
    messageCount: 1,
    lastCustomerMessageAt: ctx.now,
    lastAgentMessageAt: null,
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  });
  const message = addMessage(tx, ctx, ticket.id, {
    authorId: author.id,
    authorName: author.name,
    body: input.message,
    source: opening.source,
    senderVerified: opening.mail?.senderVerified ?? null,
    html: opening.mail?.html ?? null,
    wholeBody: opening.mail?.wholeBody ?? null,
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
      ...(opening.mayAcknowledge ? {} : { acknowledge: false }),
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
