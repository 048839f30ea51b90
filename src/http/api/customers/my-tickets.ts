// "My tickets" of a site, by the cookie of its list (docs/spec/customer.md#my-tickets).

import * as z from 'zod';
import { provenListOf } from '../../../desk/customers/lists.ts';
import { ownTicket, ownTickets } from '../../../desk/customers/my-tickets.ts';
import { portalSite } from '../../../desk/customers/portal.ts';
import { visitFromList } from '../../../desk/customers/visits.ts';
import { addressHint } from '../../../domain/customers/link.ts';
import { DeskError, notFound } from '../../../domain/errors.ts';
import { type TicketStatus, ticketStatuses } from '../../../domain/tickets/ticket.ts';
import type { Tx } from '../../../engine/database.ts';
import type { ProvenAddress } from '../../../store/customers/proofs.ts';
import { listSecretIn } from '../../credentials/customer-cookie.ts';
import { answered, type Edge, type Operation, operation } from '../../operation.ts';
import { tradedShape } from '../../wire/customers/customer.ts';
import { type OwnTickets, ownTicketsShape, presentOwnTicket } from '../../wire/customers/portal.ts';
import { list, number } from '../../wire/queries.ts';
import { jsonReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { answerVisit } from './started-visit.ts';
import { tag } from './visit.ts';

interface Asked {
  q?: string | undefined;
  status?: readonly TicketStatus[] | undefined;
  cursor?: number | undefined;
}

type Whose = ProvenAddress | 'no_list' | 'unproven' | 'no_site';

function whoseOf(tx: Tx, edge: Edge, cookies: string | undefined, slug: string): Whose {
  const site = portalSite(tx, slug, ['form_and_tickets']);
  // Without links, nothing on the list could be opened.
  if (site === null || site.settings.customer_links === 'off') return 'no_site';
  const secret = listSecretIn(edge.baseUrl, site.id, cookies);
  if (secret === null) return 'no_list';
  return provenListOf(tx, edge.desk.seal, secret, site.id, edge.desk.now()) ?? 'unproven';
}

function requireWhose(tx: Tx, edge: Edge, cookies: string | undefined, slug: string): ProvenAddress {
  const whose = whoseOf(tx, edge, cookies, slug);
  if (typeof whose !== 'string') return whose;
  if (whose === 'no_site') throw notFound('site');
  if (whose === 'no_list')
    throw new DeskError('unauthenticated', 'Ask for a code to your e-mail address first.', { reason: 'missing_token' });
  throw new DeskError('forbidden', 'Enter the code that was mailed to your address first.', {
    reason: 'confirm_address',
  });
}

function listed(tx: Tx, edge: Edge, whose: ProvenAddress, { q = '', status = [], cursor }: Asked): OwnTickets {
  const question = { text: q, statuses: status, before: cursor ?? null };
  const { rows, next } = ownTickets(tx, whose, question, edge.desk.now());
  return {
    tickets: rows.map(presentOwnTicket),
    next_cursor: next === null ? null : String(next),
    address_hint: addressHint(whose.address),
  };
}

/** For the page that the desk renders: null unless the browser has proved an address for this site. */
export function listCustomerTickets(
  edge: Edge,
  cookies: string | undefined,
  slug: string,
  asked: Asked,
): OwnTickets | null {
  return edge.desk.read((tx) => {
    const whose = whoseOf(tx, edge, cookies, slug);
    return typeof whose === 'string' ? null : listed(tx, edge, whose, asked);
  });
}

const slug = z
  .string()
  .max(64)
  .meta({ description: "The site's slug.", examples: ['web-shop'] });

export const ownTicketOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/api/v1/customer/tickets',
    id: 'listOwnTickets',
    tag,
    summary: 'List the tickets of an address',
    description:
      'Newest first, for a browser that entered the code which was mailed to the address. q searches the subject, the reference and public messages.',
    access: 'open',
    query: z.object({
      site: slug,
      q: z.string().max(200).optional(),
      status: list(z.enum(ticketStatuses)).optional(),
      cursor: number().optional().meta({ description: 'next_cursor of the previous page.' }),
    }),
    answer: answered(200, 'One page of at most 20', shapes.one(ownTicketsShape)),
    errors: [401, 403, 404],
    handle({ edge, query, header }) {
      const { site, ...asked } = query;
      return edge.desk.read((tx) => {
        const whose = requireWhose(tx, edge, header('cookie'), site);
        return jsonReply(200, { data: listed(tx, edge, whose, asked) });
      });
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/customer/tickets/{ulid}/open',
    id: 'openOwnTicket',
    tag,
    summary: 'Open a ticket from the list of an address',
    description: 'Sets the cookie of this ticket, as a link does.',
    access: 'customer',
    isNeverRepeated: true,
    body: z.object({ site: slug }),
    answer: answered(200, 'Where the ticket is, with its cookie', shapes.one(tradedShape)),
    errors: [401, 403, 404],
    handle(call) {
      const { edge, ctx, header, params, body } = call;
      return answerVisit(call, (tx) => {
        const whose = requireWhose(tx, edge, header('cookie'), body.site);
        const started = visitFromList(tx, ctx, ownTicket(tx, whose, params.ulid ?? ''), whose.address);
        if (started === null) throw notFound('ticket');
        return started;
      });
    },
  }),
];
