// When a ticket that is opened at some moment would be due, by a policy and targets that need not be stored.

import { invalid, notFound } from '../../domain/errors.ts';
import type { SlaPreviewInput } from '../../domain/input/sites.ts';
import { endOfTime, freshCalendar } from '../../domain/sla/calendar.ts';
import { slaClocks } from '../../domain/sla/clock.ts';
import { type ClockLedger, explain } from '../../domain/sla/ledger.ts';
import { start } from '../../domain/sla/sla.ts';
import type { Tx } from '../../engine/database.ts';
import { priorityRows } from '../../store/sites/catalogue.ts';
import { authorise, findSite } from '../access.ts';
import type { Context } from '../context.ts';
import { mergePolicy } from '../sites/settings.ts';

export interface SlaPreview {
  openedAt: number;
  timezone: string;
  clocks: ClockLedger[];
}

export function previewSla(tx: Tx, ctx: Context, siteName: string, input: SlaPreviewInput): SlaPreview {
  authorise(ctx, 'read');
  const site = findSite(tx, ctx, siteName);
  const policy = mergePolicy(site.slaPolicy, input.sla_policy, ctx.now);
  const priorityId = input.priority_id ?? site.defaultPriorityId;
  const priority = priorityId === null ? undefined : priorityRows.get(tx, site.id, priorityId);
  if (!priority) throw notFound('priority');
  const { first_response_minutes: first, resolution_minutes: resolution } = input;
  const targets = {
    firstResponseMinutes: first === undefined ? priority.firstResponseMinutes : first,
    resolutionMinutes: resolution === undefined ? priority.resolutionMinutes : resolution,
  };
  const timezone = policy.business_hours?.timezone ?? 'UTC';
  const openedAt = instantOf(input.opened_at, timezone);
  // Not from the store of calendars: what someone tries out would drive out those in use.
  const calendar = freshCalendar(policy.business_hours, policy.holidays);
  const terms = { calendar, warnAtPercent: policy.warn_at_percent };
  const state = start(terms, openedAt, targets);
  return { openedAt, timezone, clocks: slaClocks.map((clock) => explain(terms, state, [], clock, openedAt)) };
}

function instantOf(text: string, timezone: string): number {
  let at: number;
  try {
    at = Temporal.PlainDateTime.from(text).toZonedDateTime(timezone).epochMilliseconds;
  } catch {
    throw invalid('opened_at', 'Must be a time that exists, such as 2026-11-20T16:40.');
  }
  if (at < 0 || at >= endOfTime) throw invalid('opened_at', 'Must be a time from 1970 to 2209.');
  return at;
}
