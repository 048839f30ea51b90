// The query of the ticket list, and the filter that it asks for (docs/spec/api.md#tickets).

import * as z from 'zod';
import { listScope } from '../../../desk/access.ts';
import type { Context } from '../../../desk/context.ts';
import { DeskError } from '../../../domain/errors.ts';
import { normaliseEmailOrDomain } from '../../../domain/mail/address.ts';
import { ratings } from '../../../domain/tickets/satisfaction.ts';
import {
  directions,
  parseReference,
  slaFilters,
  type TicketStatus,
  ticketSorts,
  ticketStatuses,
} from '../../../domain/tickets/ticket.ts';
import { isUlid } from '../../../domain/ulid.ts';
import type { Tx } from '../../../engine/database.ts';
import type { TicketFilter } from '../../../store/lists/filter.ts';
import { removals } from '../../../store/sites/removals.ts';
import { ticketByUlid } from '../../../store/tickets/tickets.ts';
import * as query from '../queries.ts';

export const ticketListQuery = z.object({
  site_id: query.site().optional(),
  status: query.list(z.enum(ticketStatuses)).optional(),
  category_id: query.list(query.number()).optional(),
  priority_id: query.list(query.number()).optional(),
  assigned_to: query
    .list(query.numberOr('me'))
    .optional()
    .meta({ description: 'Ids of agents; me is the agent who asks.' }),
  unassigned: query.boolean().optional().meta({ description: 'false does not filter.' }),
  team_id: query.list(query.number()).optional().meta({ description: 'Ids of teams.' }),
  mentions: query
    .list(query.numberOr('me'))
    .optional()
    .meta({ description: 'Tickets with a message that mentions one of these agents; me is the agent who asks.' }),
  has_draft: query.boolean().optional().meta({
    description: 'Tickets on which the agent who asks has a draft; false does not filter.',
  }),
  unread: query.boolean().optional().meta({
    description: 'Tickets that are unread for the agent who asks (is_unread); false does not filter.',
  }),
  external_id: z.string().max(255).optional(),
  email: z.string().max(1000).optional().meta({
    description: "The author's address, or @example.org for all addresses of that domain, without its subdomains.",
  }),
  participant: z.string().max(1000).optional().meta({
    description:
      'The address of someone who takes part beside the author, or @example.org for all addresses of that domain.',
  }),
  tag: query
    .list(z.string().max(32))
    .optional()
    .meta({ description: 'Can be repeated; a ticket must have all of them.' }),
  q: z.string().max(500).optional().meta({
    description:
      'Full-text search for words and "phrases" in subject, messages and author. #41 or a ulid finds that ticket.',
  }),
  created_from: query.time('first').optional(),
  created_to: query.time('last').optional(),
  updated_from: query.time('first').optional(),
  updated_to: query.time('last').optional(),
  sla: query.list(z.enum(slaFilters)).optional(),
  snoozed: query.boolean().optional(),
  has_attachment: query.boolean().optional(),
  satisfaction: query.list(z.enum(ratings)).optional(),
  include_test: query.boolean().optional(),
  is_spam: query.boolean().optional().meta({ description: 'true: only spam. Otherwise lists have none.' }),
  sort: z.enum(ticketSorts).optional(),
  direction: z.enum(directions).optional(),
  ...query.paging,
  cursor: z
    .string()
    .max(512)
    .optional()
    .meta({ description: 'meta.next_cursor of the previous page. Deep pages stay fast.' }),
});
export type TicketListQuery = z.output<typeof ticketListQuery>;
/** What of it says which tickets. */
export const filterQuery = ticketListQuery.omit({
  sort: true,
  direction: true,
  page: true,
  per_page: true,
  cursor: true,
});

/** `#41` and a ulid name one ticket; any other text is a search. */
function searchOf(tx: Tx, text: string | undefined): { search: string | null; ids: number[] | null } {
  const term = text?.trim();
  if (!term) return { search: null, ids: null };
  if (term.startsWith('#') && parseReference(term) !== null) return { search: null, ids: [parseReference(term) ?? 0] };
  if (isUlid(term)) return { search: null, ids: [ticketByUlid(tx, term)?.id ?? 0] };
  return { search: term, ids: null };
}

function askingAgent({ actor }: Context, asked: string): number {
  if (actor.kind === 'agent') return actor.agentId;
  throw new DeskError('malformed', `Only an agent who signed in can ask for ${asked}.`, { reason: 'agent_needed' });
}

function agentsOf(
  ctx: Context,
  asked: TicketListQuery['assigned_to'] = [],
  name: 'assigned_to' | 'mentions',
): number[] {
  return asked.map((one) => (one === 'me' ? askingAgent(ctx, `${name}=me`) : one));
}

export function filterOf(tx: Tx, ctx: Context, asked: TicketListQuery): TicketFilter {
  const { search, ids } = searchOf(tx, asked.q);
  return {
    sites: listScope(tx, ctx, asked.site_id ?? null),
    exceptSiteIds: removals(tx).map(({ siteId }) => siteId),
    statuses: (asked.status ?? []) as TicketStatus[],
    categoryIds: asked.category_id ?? [],
    priorityIds: asked.priority_id ?? [],
    assigneeIds: agentsOf(ctx, asked.assigned_to, 'assigned_to'),
    mentionedIds: agentsOf(ctx, asked.mentions, 'mentions'),
    isUnassigned: asked.unassigned === true ? true : null,
    teamIds: asked.team_id ?? [],
    drafterId: asked.has_draft === true ? askingAgent(ctx, 'has_draft') : null,
    unreadForId: asked.unread === true ? askingAgent(ctx, 'unread') : null,
    externalId: asked.external_id ?? null,
    email: asked.email === undefined ? null : normaliseEmailOrDomain(asked.email),
    participant: asked.participant === undefined ? null : normaliseEmailOrDomain(asked.participant),
    tags: asked.tag ?? [],
    search,
    ids,
    createdFrom: asked.created_from ?? null,
    createdTo: asked.created_to ?? null,
    updatedFrom: asked.updated_from ?? null,
    updatedTo: asked.updated_to ?? null,
    sla: asked.sla ?? [],
    isSnoozed: asked.snoozed ?? null,
    hasAttachment: asked.has_attachment ?? null,
    ratings: asked.satisfaction ?? [],
    includeTest: asked.include_test ?? false,
    isSpam: asked.is_spam ?? false,
  };
}
