// Does a changed ticket still match this list?

import type { ListFilter } from '../../../../domain/tickets/filters.ts';
import type { Ticket } from '../../wire.ts';

/** True for what only the desk can judge: words, dates and clocks. */
export function matches(filter: ListFilter, { sla: _, ...ticket }: Ticket, agentId: number): boolean {
  const values: Record<string, unknown> = {
    ...ticket,
    category_id: ticket.category?.id,
    priority_id: ticket.priority?.id,
    team_id: ticket.team?.id,
    assigned_to: ticket.assignee?.id,
    satisfaction: ticket.satisfaction?.rating,
  };
  const isAmong = ([key, wanted]: [key: string, wanted: unknown]) =>
    !(Array.isArray(wanted) && key in values) ||
    wanted.includes(values[key]) ||
    (key === 'assigned_to' && values[key] === agentId && wanted.includes('me'));
  return (
    Object.entries(filter).every(isAmong) &&
    (filter.unassigned !== true || ticket.assignee === null) &&
    (filter.has_draft !== true || ticket.has_draft) &&
    (filter.tag ?? []).every((tag) => ticket.tags.includes(tag)) &&
    (filter.site_id === undefined || filter.site_id === ticket.site_id) &&
    (filter.snoozed === undefined || filter.snoozed === (ticket.snoozed_until !== null)) &&
    (filter.is_spam === true) === (ticket.is_spam === true)
  );
}
