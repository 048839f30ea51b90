// What a change does to a ticket, and which change takes it back: what the page shows before the desk answers.

import type { TicketChangeInput } from '../../../domain/input/tickets.ts';
import { composedFields, transitionBetween } from '../../../domain/tickets/ticket.ts';
import type { Category, Colleague, Priority, Team, Ticket } from '../wire.ts';

/** The fields of `PATCH /tickets/{ticket}`, and what only a bulk change has. */
export interface TicketChange extends Omit<TicketChangeInput, 'snoozed_until'> {
  snoozed_until?: string | null;
  macro_id?: number;
  merge_into?: string;
  /** A call of its own, for each ticket. */
  unmerge?: true;
}

type PlainField = Exclude<keyof TicketChange & keyof Ticket, (typeof composedFields)[number]>;

/** The fields of a change that a ticket has under the same name, and that depend on nothing else. */
function plainFields(change: TicketChange, ticket: Ticket): PlainField[] {
  const isPlain = (field: string) => field in ticket && !(composedFields as readonly string[]).includes(field);
  return (Object.keys(change) as PlainField[]).filter((field) => change[field] !== undefined && isPlain(field));
}

const picked = <From extends object>(from: From, fields: readonly (keyof From)[]) =>
  Object.fromEntries(fields.map((field) => [field, from[field]])) as Partial<Pick<From, PlainField & keyof From>>;

export interface Known {
  agent(id: number): Colleague | undefined;
  team(id: number): Team | undefined;
  category(id: number): Category | undefined;
  priority(id: number): Priority | undefined;
}

/** The fields that the page shows at once. What only the desk can know is left as it is. */
export function effectOf(change: TicketChange, ticket: Ticket, known: Known): Partial<Ticket> {
  const effect: Partial<Ticket> = picked(change, plainFields(change, ticket));
  if (change.status !== undefined) Object.assign(effect, { status: change.status, snoozed_until: null });
  if (change.assigned_to === null) effect.assignee = null;
  else if (change.assigned_to !== undefined) {
    const agent = known.agent(change.assigned_to);
    if (agent !== undefined) effect.assignee = { id: agent.id, name: agent.name, email: agent.email };
  }
  if (change.team_id === null) effect.team = null;
  else if (change.team_id !== undefined) {
    const team = known.team(change.team_id);
    if (team !== undefined) effect.team = { id: team.id, name: team.name };
  }
  if (change.priority_id !== undefined) {
    const priority = known.priority(change.priority_id);
    if (priority !== undefined) effect.priority = priority;
  }
  if (change.category_id === null) effect.category = null;
  else if (change.category_id !== undefined) {
    const category = known.category(change.category_id);
    if (category !== undefined) effect.category = category;
  }
  const { add_tags: added = [], remove_tags: removed = [] } = change;
  if (change.tags !== undefined) effect.tags = change.tags;
  else if (added.length > 0 || removed.length > 0)
    effect.tags = [...new Set([...ticket.tags, ...added])].filter((tag) => !removed.includes(tag));
  if (change.custom_fields !== undefined)
    effect.custom_fields = withoutNulls({ ...ticket.custom_fields, ...change.custom_fields });
  if (change.snoozed_until !== undefined) {
    effect.snoozed_until = change.snoozed_until;
    if (change.snoozed_until !== null) effect.status = 'pending';
    else if (change.status === undefined && ticket.snoozed_until !== null) effect.status = 'open';
  }
  return effect;
}

/** Whether the ticket is as the change left it, and no one has changed the same again. */
export function leaves(change: TicketChange, ticket: Ticket): boolean {
  const { add_tags: added = [], remove_tags: removed = [], custom_fields: fields = {} } = change;
  const is = (wanted: unknown, found: unknown) => wanted === undefined || wanted === found;
  return (
    is(change.status, ticket.status) &&
    is(change.assigned_to, ticket.assignee?.id ?? null) &&
    is(change.team_id, ticket.team?.id ?? null) &&
    is(change.priority_id, ticket.priority?.id) &&
    is(change.category_id, ticket.category?.id ?? null) &&
    plainFields(change, ticket).every((field) => change[field] === ticket[field]) &&
    (change.snoozed_until === undefined || (change.snoozed_until === null) === (ticket.snoozed_until === null)) &&
    [...(change.tags ?? []), ...added].every((tag) => ticket.tags.includes(tag)) &&
    !removed.some((tag) => ticket.tags.includes(tag)) &&
    Object.entries(fields).every(([key, value]) => String(value ?? '') === String(ticket.custom_fields[key] ?? ''))
  );
}

function withoutNulls(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

/**
 * The changes that bring a ticket back to what it was, in order. Null for what cannot be taken back: a macro, whose changes are
 * not known here.
 */
export function wayBack(change: TicketChange, before: Ticket): TicketChange[] | null {
  if (change.macro_id !== undefined) return null;
  if (change.merge_into !== undefined) return [{ unmerge: true }];
  const back: TicketChange = picked(before, plainFields(change, before));
  if (change.assigned_to !== undefined) back.assigned_to = before.assignee?.id ?? null;
  if (change.team_id !== undefined) back.team_id = before.team?.id ?? null;
  if (change.priority_id !== undefined && before.priority !== null) back.priority_id = before.priority.id;
  if (change.category_id !== undefined) back.category_id = before.category?.id ?? null;
  if (change.tags !== undefined || change.add_tags !== undefined || change.remove_tags !== undefined)
    back.tags = [...before.tags];
  if (change.custom_fields !== undefined)
    back.custom_fields = Object.fromEntries(
      Object.keys(change.custom_fields).map((key) => [key, before.custom_fields[key] ?? null]),
    );
  const after = change.snoozed_until == null ? change.status : 'pending';
  const isStatusChange = change.status !== undefined || change.snoozed_until !== undefined;
  if (!isStatusChange) return [back];
  if (before.snoozed_until !== null) return [{ ...back, snoozed_until: before.snoozed_until }];
  if (after === before.status)
    return change.snoozed_until == null ? [back] : [{ snoozed_until: null }, { ...back, status: before.status }];
  const isDirect = after === undefined || transitionBetween(after, before.status) !== null;
  return isDirect ? [{ ...back, status: before.status }] : [{ status: 'open' }, { ...back, status: before.status }];
}
