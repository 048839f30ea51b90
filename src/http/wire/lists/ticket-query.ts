// The query of the ticket list, and the filter that it asks for (docs/spec/api.md#tickets).

import * as z from 'zod';
import { listScope } from '../../../desk/access.ts';
import type { Context } from '../../../desk/context.ts';
import { DeskError } from '../../../domain/errors.ts';
import { normaliseEmailOrDomain } from '../../../domain/mail/address.ts';
import { type FilterKey, type FilterKind, filterMeanings, ticketFilters } from '../../../domain/tickets/filters.ts';
import { directions, parseReference, ticketSorts } from '../../../domain/tickets/ticket.ts';
import { isUlid } from '../../../domain/ulid.ts';
import type { Tx } from '../../../engine/database.ts';
import { type ColumnFilter, columnFilters, type TicketFilter } from '../../../store/lists/filter.ts';
import { removals } from '../../../store/sites/removals.ts';
import { ticketByUlid } from '../../../store/tickets/tickets.ts';
import * as query from '../queries.ts';

/** What a query takes of each kind. */
const schemas = {
  flag: query.boolean,
  ids: () => query.list(query.number()),
  agents: () => query.list(query.numberOr('me')),
  tags: () => query.list(z.string().max(32)),
  site: query.site,
  text: () => z.string().max(255),
  address: () => z.string().max(1000),
  search: () => z.string().max(500),
  from: () => query.time('first'),
  to: () => query.time('last'),
} satisfies Record<FilterKind, () => z.ZodType>;

type SchemaOf<Taken> = Taken extends FilterKind
  ? ReturnType<(typeof schemas)[Taken]>
  : Taken extends readonly (infer Word)[]
    ? z.ZodType<Word[]>
    : never;
type FilterShape = { [Key in FilterKey]: z.ZodOptional<SchemaOf<(typeof ticketFilters)[Key]>> };

function schemaOf([name, taken]: [name: string, taken: FilterKind | readonly string[]]): [string, z.ZodType] {
  const value: z.ZodType = typeof taken === 'string' ? schemas[taken]() : query.list(z.enum(taken));
  const meaning = filterMeanings[name as FilterKey];
  return [name, meaning === undefined ? value.optional() : value.optional().meta({ description: meaning })];
}

/** What of the query says which tickets. */
export const filterQuery = z.object(Object.fromEntries(Object.entries(ticketFilters).map(schemaOf)) as FilterShape);
export const ticketListQuery = filterQuery.extend({
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

function agentsOf<Value>(ctx: Context, name: FilterKey, asked: readonly Value[] = []): Exclude<Value, 'me'>[] {
  return asked.map((one) => (one === 'me' ? askingAgent(ctx, `${name}=me`) : one) as Exclude<Value, 'me'>);
}

/** Of those that compare one column, which need nothing else. */
function columnsOf(ctx: Context, asked: TicketListQuery): ColumnFilter {
  const values = Object.entries(columnFilters).map(([field, { name }]) => [
    field,
    agentsOf<string | number>(ctx, name, asked[name]),
  ]);
  return Object.fromEntries(values) as ColumnFilter;
}

export function filterOf(tx: Tx, ctx: Context, asked: TicketListQuery): TicketFilter {
  const { search, ids } = searchOf(tx, asked.q);
  return {
    sites: listScope(tx, ctx, asked.site_id ?? null),
    exceptSiteIds: removals(tx).map(({ siteId }) => siteId),
    statuses: asked.status ?? [],
    ...columnsOf(ctx, asked),
    mentionedIds: agentsOf(ctx, 'mentions', asked.mentions),
    isUnassigned: asked.unassigned === true ? true : null,
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
    includeTest: asked.include_test ?? false,
    isSpam: asked.is_spam ?? false,
  };
}
