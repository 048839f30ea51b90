// What customers see of a ticket by their link (docs/spec/customer.md#a-ticket-by-its-link).

import * as z from 'zod';
import { sha256Hex } from '../../../base/crypto.ts';
import type { Opened } from '../../../desk/customers/links.ts';
import { needsProof, peopleOn } from '../../../desk/customers/proofs.ts';
import { mayRate } from '../../../desk/customers/satisfaction.ts';
import type { Visit } from '../../../desk/customers/visits.ts';
import { addressHint, nameForOthers, statusWords, statusWordsOf } from '../../../domain/customers/link.ts';
import { portalModes, publicName } from '../../../domain/sites/site.ts';
import { customFieldTypes } from '../../../domain/tickets/custom-field.ts';
import { isRatingFinal } from '../../../domain/tickets/satisfaction.ts';
import { referenceOf } from '../../../domain/tickets/ticket.ts';
import type { Tx } from '../../../engine/database.ts';
import type { Author } from '../../../store/customers/authors.ts';
import { customFieldRows } from '../../../store/sites/catalogue.ts';
import type { Site } from '../../../store/sites/sites.ts';
import {
  messageByUlid,
  publicAttachmentsOf,
  publicIdsOf,
  publicMessagesBefore,
} from '../../../store/tickets/messages.ts';
import type { View } from '../long-lists.ts';
import { createLookups } from '../lookups.ts';
import * as shapes from '../shapes.ts';
import { presentBrand } from '../sites/site.ts';
import {
  attachmentShape,
  customerMessageShape,
  presentAttachment,
  presentMessageForCustomer,
} from '../tickets/message.ts';
import { attachmentList, messagesForCustomer, type ShownFiles } from '../tickets/thread.ts';
import { customerTicketShape, presentTicketForCustomer } from '../tickets/ticket.ts';
import { portalShape } from './portal.ts';
import { givenRatingShape, presentGivenRating } from './rating.ts';

const customerSiteShape = portalShape
  .pick({ name: true, slug: true, brand: true, locale: true })
  .extend({ portal: z.enum(portalModes) });

export const visitShape = shapes.named(
  'CustomerVisit',
  z.object({
    ticket: customerTicketShape,
    status_words: z.enum(statusWords),
    fields: z
      .array(z.object({ key: z.string(), label: z.string(), type: z.enum(customFieldTypes), value: z.unknown() }))
      .meta({
        description: 'The custom fields that the customer may see and that have a value, in the order of the form.',
      }),
    messages: z.array(customerMessageShape),
    attachments: z.array(attachmentShape),
    site: customerSiteShape,
    may: z.object({
      reply: z.boolean(),
      needs_confirmation: z.boolean().meta({ description: 'Writing needs a code first.' }),
      solve: z.boolean(),
      reopen: z.boolean(),
      rate: z.boolean().meta({ description: 'The author is asked how the help was, or can change what they said.' }),
    }),
    satisfaction: givenRatingShape
      .nullable()
      .meta({ description: 'What the author said of the help. Only for them, where writing needs no further proof.' }),
    address_hint: z.string().meta({ examples: ['m…@e….org'] }),
    is_shared: z.boolean().meta({
      description:
        'Several people have this link: who writes names their address, and gets the code there. Until then address_hint says nothing.',
    }),
    is_confirmed: z.boolean(),
    participants: z.array(z.string()).meta({
      description:
        'Who takes part beside the author: names, or hints of addresses. Only for the author, once confirmed.',
    }),
    version: z.int().meta({ description: 'Different after every change that the customer can see.' }),
  }),
);
type CustomerThread = z.output<typeof visitShape>;

export const tradedShape = z.object({
  ticket: shapes.ulid(),
  path: z.string().meta({ examples: ['/t/01K4VJ8Q4N7R'] }),
});

function presentCustomerSite(site: Site): z.output<typeof customerSiteShape> {
  const { locale, portal } = site.settings;
  return { name: publicName(site), slug: site.slug, brand: presentBrand(site), locale, portal };
}

/** Nothing of the ticket but its number. */
export function presentRatable({ thread, site }: Opened, now: number) {
  return {
    site: presentCustomerSite(site),
    reference: referenceOf(thread.id),
    given: presentGivenRating(thread),
    isFinal: isRatingFinal(thread.satisfactionAt, now),
  };
}

const ticketOf = (tx: Tx, { thread }: Visit) =>
  presentTicketForCustomer(thread, createLookups(tx), customFieldRows.list(tx, thread.siteId));

function presentFields(tx: Tx, { thread }: Visit, values: Record<string, unknown>): CustomerThread['fields'] {
  return customFieldRows
    .list(tx, thread.siteId)
    .map(({ key, label, type }) => ({ key, label, type, value: values[key] }))
    .filter(({ value }) => value !== undefined && value !== null && String(value) !== '');
}

export function versionForCustomer(tx: Tx, visit: Visit): number {
  return versionOf(tx, visit, ticketOf(tx, visit));
}

/** Only from what is shown, so that it tells nothing about notes. */
function versionOf(tx: Tx, visit: Visit, shown: CustomerThread['ticket']): number {
  const { updated_at: _, ...ticket } = shown;
  const { id, satisfaction, satisfactionComment } = visit.thread;
  const { messages, attachments } = publicIdsOf(tx, id);
  const all = [ticket, messages, attachments, satisfaction, satisfactionComment, visit.site.settings.ask_satisfaction];
  return Number.parseInt(sha256Hex(JSON.stringify(all)).slice(0, 12), 16);
}

function namesOn(tx: Tx, { thread }: Visit): string[] {
  return peopleOn(tx, { thread })
    .filter(({ id }) => id !== thread.authorId)
    .map(({ name, email }) => nameForOthers(name, email));
}

/** Who has not proved to be the author yet can be: they see the question, and not what was answered. */
function presentOwnRating(visit: Visit, speaker: Author | null, now: number) {
  const { thread, author, address } = visit;
  const isProven = speaker !== null || !needsProof(visit);
  const id = speaker?.id ?? (address === null ? thread.authorId : author.id);
  const may = mayRate({ ...visit, author: { id } }, now);
  const isTheirs = isProven && id === thread.authorId;
  return {
    rate: may && (isTheirs || thread.satisfaction === null),
    satisfaction: isTheirs ? presentGivenRating(thread) : null,
  };
}

function presentHead(tx: Tx, visit: Visit, speaker: Author | null, now: number) {
  const { thread, site, address } = visit;
  const ticket = ticketOf(tx, visit);
  const { rate, satisfaction } = presentOwnRating(visit, speaker, now);
  const isSolved = thread.status === 'resolved' || thread.status === 'closed';
  return {
    ticket,
    status_words: statusWordsOf(thread),
    fields: presentFields(tx, visit, ticket.custom_fields),
    site: presentCustomerSite(site),
    may: {
      reply: true,
      needs_confirmation: speaker === null && needsProof(visit),
      solve: !isSolved,
      reopen: isSolved,
      rate,
    },
    satisfaction,
    address_hint: addressHint(address ?? speaker?.email ?? ''),
    is_shared: address === null,
    is_confirmed: speaker !== null,
    participants: speaker?.id === thread.authorId ? namesOn(tx, visit) : [],
    version: versionOf(tx, visit, ticket),
  };
}

export function presentVisit(view: View, visit: Visit, speaker: Author | null, shown: ShownFiles) {
  const { id } = visit.thread;
  const attachments = publicAttachmentsOf(view.tx, id);
  return {
    ...presentHead(view.tx, visit, speaker, shown.now),
    messages: messagesForCustomer(view, id, visit.author.id, attachments, shown),
    attachments: attachmentList(attachments, shown),
  };
}

/** So that a page stays small, and is made within a few milliseconds. */
const mostOnPage = { messages: 100, characters: 300_000 };

/** @param before ulid of the message before which it ends; null shows the newest */
export function presentVisitPage(
  tx: Tx,
  visit: Visit,
  speaker: Author | null,
  shown: ShownFiles,
  before: string | null,
) {
  const { id } = visit.thread;
  const later = before === null ? undefined : messageByUlid(tx, before);
  const end = later?.ticketId === id && !later.isInternal ? later : null;
  const { messages, hasEarlier } = publicMessagesBefore(tx, id, end?.id ?? Number.MAX_SAFE_INTEGER, mostOnPage);
  const files = Map.groupBy(publicAttachmentsOf(tx, id), ({ messageId }) => messageId);
  const look = createLookups(tx, { customerId: null });
  return {
    ...presentHead(tx, visit, speaker, shown.now),
    messages: messages.map((message) =>
      presentMessageForCustomer(message, look, { ...shown, attachments: files.get(message.id) ?? [] }),
    ),
    looseFiles: (files.get(null) ?? []).map((file) => presentAttachment(file, shown.links, shown.now)),
    hasEarlier,
    hasLater: end !== null,
  };
}
