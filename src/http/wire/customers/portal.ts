// A site's front door on the wire (docs/spec/customer.md#front-door).

import * as z from 'zod';
import { toWire } from '../../../base/clock.ts';
import { statusWords, statusWordsOf } from '../../../domain/customers/link.ts';
import { locales } from '../../../domain/people/preferences.ts';
import { portalModes, publicName } from '../../../domain/sites/site.ts';
import { customFieldTypes } from '../../../domain/tickets/custom-field.ts';
import { customersRules } from '../../../domain/tickets/files.ts';
import { referenceOf, ticketStatuses } from '../../../domain/tickets/ticket.ts';
import type { Tx } from '../../../engine/database.ts';
import { categoryRows, customFieldRows } from '../../../store/sites/catalogue.ts';
import type { Site } from '../../../store/sites/sites.ts';
import type { Ticket } from '../../../store/tickets/tickets.ts';
import { id, named, time, ulid } from '../shapes.ts';
import { brandShape, presentBrand } from '../sites/site.ts';

/** What customers can send to the site. */
export function presentFileRules({ settings }: Pick<Site, 'settings'>) {
  const { types, maxBytes } = customersRules(settings);
  return { extensions: [...types], max_bytes: maxBytes };
}

export const portalShape = named(
  'Portal',
  z.object({
    name: z.string(),
    slug: z.string(),
    portal: z.enum(portalModes).exclude(['off']),
    brand: brandShape,
    locale: z.enum(locales).nullable(),
    categories: z.array(z.object({ id: id(), slug: z.string(), name: z.string() })),
    custom_fields: z.array(
      z.object({
        key: z.string(),
        label: z.string(),
        description: z.string(),
        type: z.enum(customFieldTypes),
        options: z.array(z.string()),
        is_required: z.boolean(),
      }),
    ),
    attachments: z.object({ extensions: z.array(z.string()), max_bytes: z.int() }),
  }),
);
export type Portal = z.output<typeof portalShape>;

/** Only what a form needs: active categories without their descriptions, and fields that the author may see. */
export function presentPortal(tx: Tx, site: Site): Portal {
  const { portal, locale } = site.settings;
  if (portal === 'off') throw new Error('a site without a form has nothing to show');
  return {
    name: publicName(site),
    slug: site.slug,
    portal,
    brand: presentBrand(site),
    locale,
    categories: categoryRows
      .list(tx, site.id)
      .filter(({ isActive }) => isActive)
      .map(({ id, slug, name }) => ({ id, slug, name })),
    custom_fields: customFieldRows
      .list(tx, site.id)
      .filter(({ isActive, isAuthorVisible }) => isActive && isAuthorVisible)
      .map(({ key, label, description, type, options, isRequired }) => ({
        key,
        label,
        description,
        type,
        options,
        is_required: isRequired,
      })),
    attachments: presentFileRules(site),
  };
}

export const challengeShape = named(
  'Challenge',
  z.object({
    algorithm: z.string(),
    challenge: z.string(),
    maxnumber: z.int(),
    salt: z.string(),
    signature: z.string(),
  }),
);

export const formAnswerShape = z.object({
  reference: z.string().nullable(),
  upload_token: z
    .string()
    .nullable()
    .meta({ description: 'For the files of this form, within 15 minutes. It opens nothing.' }),
});

const ownTicketShape = z.object({
  ulid: ulid(),
  reference: z.string(),
  subject: z.string(),
  status: z.enum(ticketStatuses),
  status_words: z.enum(statusWords),
  created_at: time(),
  last_message_at: time(),
});

export const ownTicketsShape = named(
  'OwnTickets',
  z.object({
    tickets: z.array(ownTicketShape),
    next_cursor: z.string().nullable().meta({ description: 'With a filter, a page can be short and have one.' }),
    address_hint: z.string().meta({ examples: ['m…@e….org'] }),
  }),
);
export type OwnTickets = z.output<typeof ownTicketsShape>;

/** @param thread what opening it shows */
export function presentOwnTicket({ ticket, thread }: { ticket: Ticket; thread: Ticket }) {
  const { createdAt, lastCustomerMessageAt, lastAgentMessageAt } = thread;
  return {
    ulid: ticket.ulid,
    reference: referenceOf(ticket.id),
    subject: ticket.subject,
    status: thread.status,
    status_words: statusWordsOf(thread),
    created_at: toWire(ticket.createdAt),
    last_message_at: toWire(Math.max(createdAt, lastCustomerMessageAt ?? 0, lastAgentMessageAt ?? 0)),
  };
}
