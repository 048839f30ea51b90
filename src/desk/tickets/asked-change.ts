// Decides what a change asks of a ticket: the columns, and every field that is refused.

import { toWire } from '../../base/clock.ts';
import { columnName } from '../../domain/column-names.ts';
import { type FieldErrors, invalidFields } from '../../domain/errors.ts';
import type { EventData } from '../../domain/event.ts';
import type { TicketChangeInput } from '../../domain/input/tickets.ts';
import { dayMs } from '../../domain/instant.ts';
import type { AssignmentWay } from '../../domain/people/turns.ts';
import { checkCustomFields } from '../../domain/tickets/custom-field.ts';
import { composedFields, maxTags, type TicketStatus } from '../../domain/tickets/ticket.ts';
import type { Tx } from '../../engine/database.ts';
import { type Team, teamById } from '../../store/people/teams.ts';
import { categoryRows, customFieldRows, type Priority, priorityRows, senderRows } from '../../store/sites/catalogue.ts';
import type { Site } from '../../store/sites/sites.ts';
import type { Ticket } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import { isAgentOfSite } from '../people/agents.ts';
import { isTeamOfSite } from '../people/teams.ts';

export interface AskedChange {
  changes: NonNullable<EventData['changes']>;
  columns: Partial<Ticket>;
  /** A new one, whose targets the clocks get. */
  priority: Priority | undefined;
  status: TicketStatus | undefined;
  /** Who and which team has it, which is an event of its own. */
  assigned: Pick<AskedChange, 'changes' | 'columns'>;
  /** Whom it goes to is to be decided. */
  fromTeam: { team: Team; way: AssignmentWay } | null;
}

const composed: readonly (keyof TicketChangeInput)[] = composedFields;
type PlainField = Exclude<keyof TicketChangeInput, (typeof composedFields)[number]>;

const plainFields = (input: TicketChangeInput) =>
  (Object.keys(input) as PlainField[]).filter((field) => input[field] !== undefined && !composed.includes(field));

/** The rows of the site whose ids a field takes. */
const rowsNamed: {
  [Field in PlainField]?: { rows: Pick<typeof categoryRows | typeof senderRows, 'get'>; noun: string };
} = {
  category_id: { rows: categoryRows, noun: 'category' },
  sender_id: { rows: senderRows, noun: 'sender' },
};

const longestSnoozeMs = 366 * dayMs;

/** Throws `invalid` naming every bad field. */
export function askedChange(tx: Tx, ctx: Context, site: Site, ticket: Ticket, input: TicketChangeInput): AskedChange {
  const errors: FieldErrors = {};
  const columns: Partial<Ticket> = {};
  const changes: AskedChange['changes'] = {};
  const set = (field: string, from: unknown, to: unknown, values: Partial<Ticket>) => {
    if (JSON.stringify(from) === JSON.stringify(to)) return;
    changes[field] = { from, to };
    Object.assign(columns, values);
  };
  for (const field of plainFields(input)) {
    const [to, column] = [input[field], columnName(field)];
    const named = rowsNamed[field];
    if (named && typeof to === 'number' && !named.rows.get(tx, site.id, to))
      errors[field] = [`does not name a ${named.noun} of this site.`];
    else set(field, ticket[column], to, { [column]: to });
  }
  const tags = askedTags(ticket, input);
  if (tags.length > maxTags)
    errors[input.tags ? 'tags' : 'add_tags'] = [`must leave the ticket with at most ${maxTags} tags.`];
  else set('tags', ticket.tags, tags, { tags });
  let priority: Priority | undefined;
  if (input.priority_id !== undefined && input.priority_id !== ticket.priorityId) {
    priority = priorityRows.get(tx, site.id, input.priority_id);
    if (!priority) errors.priority_id = ['does not name a priority of this site.'];
    else set('priority_id', ticket.priorityId, priority.id, { priorityId: priority.id, priorityLevel: priority.level });
  }
  if (input.custom_fields !== undefined) {
    const fields = customFieldRows.list(tx, site.id).filter((field) => field.isActive);
    const checked = checkCustomFields(fields, input.custom_fields, ticket.customFields);
    Object.assign(errors, checked.errors);
    set('custom_fields', ticket.customFields, checked.values, { customFields: checked.values });
  }
  const assigned = askedAssignment(tx, site, ticket, input, errors);
  const fromTeam = askedTurn(tx, site, ticket, input, errors);
  const snooze = askedSnooze(ctx, ticket, input);
  if ('refusal' in snooze) errors.snoozed_until = [snooze.refusal];
  else if (snooze.until !== undefined)
    set('snoozed_until', toWire(ticket.snoozedUntil), toWire(snooze.until), { snoozedUntil: snooze.until });
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
  return { changes, columns, priority, status: 'status' in snooze ? snooze.status : undefined, assigned, fromTeam };
}

function askedAssignment(
  tx: Tx,
  site: Site,
  ticket: Ticket,
  { assigned_to: assigneeId, team_id: teamId }: TicketChangeInput,
  errors: FieldErrors,
): AskedChange['assigned'] {
  const assigned: AskedChange['assigned'] = { changes: {}, columns: {} };
  if (assigneeId !== undefined && assigneeId !== ticket.assigneeId) {
    if (assigneeId !== null && !isAgentOfSite(tx, site.id, assigneeId))
      errors.assigned_to = ['does not name an agent of this site.'];
    assigned.changes.assigned_to = { from: ticket.assigneeId, to: assigneeId };
    assigned.columns.assigneeId = assigneeId;
  }
  if (teamId !== undefined && teamId !== ticket.teamId) {
    if (teamId !== null && !isTeamOfSite(tx, site.id, teamId)) errors.team_id = ['does not name a team of this site.'];
    assigned.changes.team_id = { from: ticket.teamId, to: teamId };
    assigned.columns.teamId = teamId;
  }
  return assigned;
}

function askedTurn(
  tx: Tx,
  site: Site,
  ticket: Ticket,
  { assign_from_team: way, assigned_to: assigned, team_id: teamId }: TicketChangeInput,
  errors: FieldErrors,
): AskedChange['fromTeam'] {
  if (way === undefined) return null;
  const id = teamId === undefined ? ticket.teamId : teamId;
  const team = id === null || !isTeamOfSite(tx, site.id, id) ? undefined : teamById(tx, id);
  if (assigned !== undefined) errors.assign_from_team = ['must not be sent with assigned_to.'];
  else if (team === undefined) errors.assign_from_team = ['needs a team: send team_id too.'];
  return team === undefined ? null : { team, way };
}

function askedTags(ticket: Ticket, { tags, add_tags: added = [], remove_tags: removed = [] }: TicketChangeInput) {
  const kept = (tags ?? ticket.tags).filter((tag) => !removed.includes(tag));
  return [...new Set([...kept, ...added])];
}

type Snooze = { refusal: string } | { until: number | null | undefined; status: TicketStatus | undefined };

/** A snoozed ticket is pending. Any other state ends the snooze, in the event of that state. */
function askedSnooze({ now }: Context, ticket: Ticket, { snoozed_until: until, status }: TicketChangeInput): Snooze {
  if (until === undefined) return { until, status };
  if (until === null) {
    const next = status ?? (ticket.snoozedUntil === null ? undefined : 'open');
    return { until: next === undefined || next === 'pending' ? null : undefined, status: next };
  }
  if (until === ticket.snoozedUntil && (status ?? 'pending') === 'pending') return { until, status };
  if (status !== undefined && status !== 'pending')
    return { refusal: 'must not be sent with a status other than pending.' };
  if (until <= now) return { refusal: 'must be in the future.' };
  if (until > now + longestSnoozeMs) return { refusal: 'must be at most a year ahead.' };
  return { until, status: 'pending' };
}
