// A site's recurring tickets: opened by the desk on a schedule, each time once.

import { invalid } from '../../domain/errors.ts';
import type {
  RecurringTicketBody,
  RecurringTicketChangeInput,
  RecurringTicketInput,
} from '../../domain/input/automation.ts';
import { nextRun } from '../../domain/rules/recurring.ts';
import type { Because } from '../../domain/rules/trigger.ts';
import type { Tx } from '../../engine/database.ts';
import { readDeskSettings } from '../../store/desk-settings.ts';
import { countAutomation, insertRun } from '../../store/rules/automation.ts';
import { dueRecurring } from '../../store/rules/timed-rules.ts';
import {
  categoryRows,
  priorityRows,
  type RecurringTicketRow,
  recurringTicketRows,
  senderRows,
} from '../../store/sites/catalogue.ts';
import { type Site, siteById } from '../../store/sites/sites.ts';
import type { Context } from '../context.ts';
import { requireReachable } from '../customers/authors.ts';
import { isAgentOfSite } from '../people/agents.ts';
import { columnsOf } from '../sites/catalogue/columns.ts';
import { catalogue } from '../sites/catalogue/verbs.ts';
import { openTicketAsAgent } from '../tickets/tickets.ts';
import { pendingAfter, pendingTotal } from './pending-changes.ts';
import { asRule, markOf } from './run-triggers.ts';
import { nextPosition } from './triggers.ts';

const zoneOf = (tx: Tx, site: Site): string => site.slaPolicy.business_hours?.timezone ?? readDeskSettings(tx).timeZone;

function nextFor(tx: Tx, site: Site, schedule: string, after: number): number | null {
  try {
    const at = nextRun(schedule, zoneOf(tx, site), after);
    if (at !== null) return at;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw invalid('schedule', error.message);
  }
  throw invalid('schedule', 'names no time that will come.');
}

/** Of what the site no longer has; null if nothing. */
export function missingIn(tx: Tx, site: Site, ticket: RecurringTicketBody): { field: string; what: string } | null {
  const { category_id: category, priority_id: priority, assigned_to: agent, from } = ticket;
  if (category != null && !categoryRows.get(tx, site.id, category)?.isActive)
    return { field: 'category_id', what: 'category' };
  if (priority != null && !priorityRows.get(tx, site.id, priority)?.isActive)
    return { field: 'priority_id', what: 'priority' };
  if (agent != null && !isAgentOfSite(tx, site.id, agent)) return { field: 'assigned_to', what: 'agent' };
  if (from != null && !senderRows.get(tx, site.id, from)) return { field: 'from', what: 'sender' };
  return null;
}

function requireBody(tx: Tx, site: Site, ticket: RecurringTicketBody): RecurringTicketBody {
  const missing = missingIn(tx, site, ticket);
  if (missing !== null) throw invalid(`ticket.${missing.field}`, `does not name a ${missing.what} of this site.`);
  requireReachable(ticket.email);
  return ticket;
}

export const recurringTickets = catalogue<RecurringTicketRow, RecurringTicketInput, RecurringTicketChangeInput>({
  noun: 'recurring ticket',
  rows: recurringTicketRows,
  compose(tx, ctx, site, input) {
    const rows = recurringTicketRows.list(tx, site.id);
    return {
      name: input.name,
      position: input.position ?? nextPosition(rows),
      isActive: input.is_active ?? true,
      schedule: input.schedule,
      ticket: requireBody(tx, site, input.ticket),
      nextAt: nextFor(tx, site, input.schedule, ctx.now),
      createdAt: ctx.now,
    };
  },
  revise(tx, ctx, site, row, input) {
    const isTimed = input.schedule !== undefined || (input.is_active === true && !row.isActive);
    return {
      ...columnsOf(input, row),
      ...(input.ticket === undefined ? {} : { ticket: requireBody(tx, site, input.ticket) }),
      // What was missed while it was switched off is not made up for.
      ...(isTimed ? { nextAt: nextFor(tx, site, input.schedule ?? row.schedule, ctx.now) } : {}),
    };
  },
});

const atOnce = 16;

export const recurringDue = (tx: Tx, now: number) => dueRecurring(tx, now, atOnce);

/** Opens the ticket and moves to the next time in one transaction, so that each time has one ticket. Times that were missed have one together. */
export function openRecurring(tx: Tx, ctx: Context, siteId: number, id: number): null {
  const site = siteById(tx, siteId);
  const row = site && recurringTicketRows.get(tx, siteId, id);
  if (!site || !row?.isActive || row.nextAt === null || row.nextAt > ctx.now) return null;
  recurringTicketRows.update(tx, row.id, { nextAt: nextFor(tx, site, row.schedule, ctx.now) });
  if (missingIn(tx, site, row.ticket) !== null) {
    countAutomation(tx, ctx.now, 'recurring_ticket', id, { ran: 1, skipped: 1 });
    return null;
  }
  const why: Because = { kind: 'recurring_ticket', id, name: row.name, because: [] };
  const ruled = { why, chain: [markOf('recurring_ticket', id)], isOfMachine: false };
  const before = pendingTotal(tx);
  const { ticket } = openTicketAsAgent(tx, asRule(ctx, site, ruled), { ...row.ticket, site_id: site.id });
  const seqs = pendingAfter(tx, before).map(({ seq }) => seq);
  countAutomation(tx, ctx.now, 'recurring_ticket', id, { ran: 1, matched: 1, changed: 1 });
  const [first] = seqs;
  if (first !== undefined) insertRun(tx, first, seqs.at(-1) ?? first, null, 'recurring_ticket', id, ticket.id, ctx.now);
  return null;
}

/** Of one whose ticket cannot be opened: the others must not wait for it. */
export function passRecurring(tx: Tx, ctx: Context, siteId: number, id: number): null {
  const site = siteById(tx, siteId);
  const row = site && recurringTicketRows.get(tx, siteId, id);
  if (!site || !row || row.nextAt === null || row.nextAt > ctx.now) return null;
  recurringTicketRows.update(tx, id, { nextAt: nextFor(tx, site, row.schedule, ctx.now) });
  countAutomation(tx, ctx.now, 'recurring_ticket', id, { ran: 1, skipped: 1 });
  return null;
}
