// The two SLA clocks of a ticket, moved by what happens to it.

import { addWorkingTime, type Calendar, compileCalendar } from '../domain/calendar.ts';
import type { Transition } from '../domain/ticket.ts';
import type { Tx } from '../store/database.ts';
import type { Priority, Site } from '../store/sites.ts';
import type { Ticket } from '../store/tickets.ts';
import type { Context } from './record.ts';

type Clocks = Pick<
  Ticket,
  | 'firstResponseTargetMinutes'
  | 'resolutionTargetMinutes'
  | 'firstResponseDueAt'
  | 'firstResponseAt'
  | 'firstResponseWarnedAt'
  | 'firstResponseBreachedAt'
  | 'resolutionDueAt'
  | 'resolvedAt'
  | 'resolutionWarnedAt'
  | 'resolutionBreachedAt'
  | 'slaPausedAt'
  | 'firstResponsePausedMs'
  | 'resolutionPausedMs'
  | 'slaNextAt'
>;

function calendarOf(site: Site): Calendar {
  return compileCalendar(site.slaPolicy.business_hours, site.slaPolicy.holidays);
}

export function startClocks(site: Site, priority: Priority, at: number): Clocks {
  const calendar = calendarOf(site);
  const due = (minutes: number | null) => (minutes === null ? null : addWorkingTime(calendar, at, minutes * 60_000));
  return {
    firstResponseTargetMinutes: priority.firstResponseMinutes,
    resolutionTargetMinutes: priority.resolutionMinutes,
    firstResponseDueAt: due(priority.firstResponseMinutes),
    firstResponseAt: null,
    firstResponseWarnedAt: null,
    firstResponseBreachedAt: null,
    resolutionDueAt: due(priority.resolutionMinutes),
    resolvedAt: null,
    resolutionWarnedAt: null,
    resolutionBreachedAt: null,
    slaPausedAt: null,
    firstResponsePausedMs: 0,
    resolutionPausedMs: 0,
    slaNextAt: null,
  };
}
export function transition(_tx: Tx, _ctx: Context, _site: Site, _ticket: Ticket, _step: Transition): Partial<Ticket> {
  return {};
}
export function retarget(_tx: Tx, _ctx: Context, _site: Site, _ticket: Ticket, _priority: Priority): Partial<Ticket> {
  return {};
}
export function respond(_tx: Tx, ctx: Context, _site: Site, ticket: Ticket): Partial<Ticket> {
  return ticket.firstResponseAt === null ? { firstResponseAt: ctx.now } : {};
}
