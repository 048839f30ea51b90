// Whether a changed ticket still belongs into a list, as far as the browser can tell.

import type { ListFilter } from '../../../../domain/tickets/filters.ts';
import type { Ticket } from '../../wire.ts';

/** True for what only the desk can judge: words, dates and clocks. */
export function matches(filter: ListFilter, ticket: Ticket, agentId: number): boolean {
  const {
    status,
    category_id: categories,
    priority_id: priorities,
    assigned_to: assignees,
    team_id: teams,
    tag: tags,
  } = filter;
  const has = <Value>(wanted: readonly Value[] | undefined, value: Value | undefined) =>
    wanted === undefined || (value !== undefined && wanted.includes(value));
  return (
    has(status, ticket.status) &&
    has(categories, ticket.category?.id) &&
    has(priorities, ticket.priority?.id) &&
    has(teams, ticket.team?.id) &&
    has(
      assignees?.map((one) => (one === 'me' ? agentId : one)),
      ticket.assignee?.id,
    ) &&
    has(filter.satisfaction, ticket.satisfaction?.rating) &&
    (filter.unassigned !== true || ticket.assignee === null) &&
    (filter.has_draft !== true || ticket.has_draft) &&
    (tags ?? []).every((tag) => ticket.tags.includes(tag)) &&
    (filter.site_id === undefined || filter.site_id === ticket.site_id) &&
    (filter.snoozed === undefined || filter.snoozed === (ticket.snoozed_until !== null)) &&
    (filter.is_spam === true) === (ticket.is_spam === true)
  );
}
