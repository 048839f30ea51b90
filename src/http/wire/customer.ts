// What customers see of a ticket by their link (docs/spec/customer.md#a-ticket-by-its-link).

import * as z from 'zod';
import { sha256Hex } from '../../base/crypto.ts';
import type { Visit } from '../../desk/customer/visits.ts';
import { customFieldTypes } from '../../domain/custom-field.ts';
import { addressHint, statusWords, statusWordsOf } from '../../domain/customer-link.ts';
import { portalModes, publicName } from '../../domain/site.ts';
import type { Tx } from '../../store/database.ts';
import { messageByUlid, publicAttachmentsOf, publicIdsOf, publicMessagesBefore } from '../../store/messages.ts';
import { customFieldRows } from '../../store/site-catalogue.ts';
import type { Site } from '../../store/sites.ts';
import type { View } from './long-lists.ts';
import { createLookups } from './lookups.ts';
import { attachmentShape, customerMessageShape, presentAttachment, presentMessageForCustomer } from './message.ts';
import { portalShape } from './portal.ts';
import * as shapes from './shapes.ts';
import { presentBrand } from './site.ts';
import { attachmentList, messagesForCustomer, type ShownFiles } from './thread.ts';
import { customerTicketShape, presentTicketForCustomer } from './ticket.ts';

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
    }),
    address_hint: z.string().meta({ examples: ['m…@e….org'] }),
    is_confirmed: z.boolean(),
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

const ticketOf = (tx: Tx, { thread }: Visit) =>
  presentTicketForCustomer(thread, createLookups(tx), customFieldRows.list(tx, thread.siteId));

function presentFields(tx: Tx, { thread }: Visit, values: Record<string, unknown>): CustomerThread['fields'] {
  return customFieldRows
    .list(tx, thread.siteId)
    .map(({ key, label, type }) => ({ key, label, type, value: values[key] }))
    .filter(({ value }) => value !== undefined && value !== null && String(value) !== '');
}

/** Only from what is shown, so that it tells nothing about notes. */
export function versionForCustomer(tx: Tx, visit: Visit): number {
  const { updated_at: _, ...ticket } = ticketOf(tx, visit);
  const { messages, attachments } = publicIdsOf(tx, visit.thread.id);
  return Number.parseInt(sha256Hex(JSON.stringify([ticket, messages, attachments])).slice(0, 12), 16);
}

function presentHead(tx: Tx, visit: Visit, isConfirmed: boolean) {
  const { thread, site, mode, address } = visit;
  const ticket = ticketOf(tx, visit);
  const isSolved = thread.status === 'resolved' || thread.status === 'closed';
  return {
    ticket,
    status_words: statusWordsOf(thread),
    fields: presentFields(tx, visit, ticket.custom_fields),
    site: presentCustomerSite(site),
    may: {
      reply: true,
      needs_confirmation: mode === 'confirm' && !isConfirmed,
      solve: !isSolved,
      reopen: isSolved,
    },
    address_hint: addressHint(address),
    is_confirmed: isConfirmed,
    version: versionForCustomer(tx, visit),
  };
}

export function presentVisit(view: View, visit: Visit, isConfirmed: boolean, shown: ShownFiles) {
  const { id } = visit.thread;
  const attachments = publicAttachmentsOf(view.tx, id);
  return {
    ...presentHead(view.tx, visit, isConfirmed),
    messages: messagesForCustomer(view, id, visit.author.id, attachments, shown),
    attachments: attachmentList(attachments, shown),
  };
}

/** So that a page stays small, and is made within a few milliseconds. */
const mostOnPage = { messages: 100, characters: 300_000 };

/** @param before ulid of the message before which it ends; null shows the newest */
export function presentVisitPage(tx: Tx, visit: Visit, isConfirmed: boolean, shown: ShownFiles, before: string | null) {
  const { id } = visit.thread;
  const later = before === null ? undefined : messageByUlid(tx, before);
  const end = later?.ticketId === id && !later.isInternal ? later : null;
  const { messages, hasEarlier } = publicMessagesBefore(tx, id, end?.id ?? Number.MAX_SAFE_INTEGER, mostOnPage);
  const files = Map.groupBy(publicAttachmentsOf(tx, id), ({ messageId }) => messageId);
  const look = createLookups(tx, { customerId: null });
  return {
    ...presentHead(tx, visit, isConfirmed),
    messages: messages.map((message) =>
      presentMessageForCustomer(message, look, { ...shown, attachments: files.get(message.id) ?? [] }),
    ),
    looseFiles: (files.get(null) ?? []).map((file) => presentAttachment(file, shown.links, shown.now)),
    hasEarlier,
    hasLater: end !== null,
  };
}
