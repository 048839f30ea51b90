// The filters of ticket lists: their names in queries, addresses and saved views, and what each takes (docs/spec/api.md#tickets).

import { ratings } from './satisfaction.ts';
import { slaFilters, ticketStatuses } from './ticket.ts';

interface ValueOfKind {
  flag: boolean;
  ids: number[];
  /** Ids of agents; `me` is the agent who asks. */
  agents: (number | 'me')[];
  tags: string[];
  /** In a query also a ulid or slug. */
  site: number;
  text: string;
  /** An address, or `@example.org` for every address of that domain. */
  address: string;
  search: string;
  /** Of a date without a time, its first moment. */
  from: string;
  /** Of a date without a time, its last moment. */
  to: string;
}
export type FilterKind = keyof ValueOfKind;

/** Each takes what its kind says, or some of these words. */
export const ticketFilters = {
  site_id: 'site',
  status: ticketStatuses,
  category_id: 'ids',
  priority_id: 'ids',
  assigned_to: 'agents',
  unassigned: 'flag',
  team_id: 'ids',
  mentions: 'agents',
  has_draft: 'flag',
  unread: 'flag',
  external_id: 'text',
  email: 'address',
  participant: 'address',
  tag: 'tags',
  q: 'search',
  created_from: 'from',
  created_to: 'to',
  updated_from: 'from',
  updated_to: 'to',
  sla: slaFilters,
  snoozed: 'flag',
  has_attachment: 'flag',
  satisfaction: ratings,
  include_test: 'flag',
  is_spam: 'flag',
} as const satisfies Record<string, FilterKind | readonly string[]>;

type Filters = typeof ticketFilters;
export type FilterKey = keyof Filters;

type ValueOf<Taken> = Taken extends FilterKind
  ? ValueOfKind[Taken]
  : Taken extends readonly (infer Word)[]
    ? Word[]
    : never;
/** What is asked of a list: in a view, in an address and in a query. */
export type ListFilter = { -readonly [Key in FilterKey]?: ValueOf<Filters[Key]> };

const severals = ['ids', 'agents', 'tags'] as const;
/** Those that take several values. */
export type ListKey = {
  [Key in FilterKey]: Filters[Key] extends (typeof severals)[number] | readonly string[] ? Key : never;
}[FilterKey];

export function takesSeveral(key: FilterKey): key is ListKey {
  const taken: FilterKind | readonly string[] = ticketFilters[key];
  return typeof taken !== 'string' || (severals as readonly string[]).includes(taken);
}

/** What the API says of those that need words; nothing of it reaches a browser. */
export const filterMeanings: Partial<Record<FilterKey, string>> = {
  assigned_to: 'Ids of agents; me is the agent who asks.',
  unassigned: 'false does not filter.',
  team_id: 'Ids of teams.',
  mentions: 'Tickets with a message that mentions one of these agents; me is the agent who asks.',
  has_draft: 'Tickets on which the agent who asks has a draft; false does not filter.',
  unread: 'Tickets that are unread for the agent who asks (is_unread); false does not filter.',
  email: "The author's address, or @example.org for all addresses of that domain, without its subdomains.",
  participant:
    'The address of someone who takes part beside the author, or @example.org for all addresses of that domain.',
  tag: 'Can be repeated; a ticket must have all of them.',
  q: 'Full-text search for words and "phrases" in subject, messages and author. #41 or a ulid finds that ticket.',
  is_spam: 'true: only spam. Otherwise lists have none.',
};
