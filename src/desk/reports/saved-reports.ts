// Saved reports: one's own or shared, some of them mailed (docs/spec/reports.md#saved-reports).

import { type Known, tracesOf } from '../../domain/customers/traces.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import type { SavedReportChangeInput, SavedReportInput, ScheduleInput } from '../../domain/input/reports.ts';
import { namesAgent } from '../../domain/lists/view.ts';
import { nextMailAt, type ReportSchedule } from '../../domain/reports/schedule.ts';
import type { Tx } from '../../engine/database.ts';
import {
  readersOfReport,
  type SavedReport,
  savedReportRows,
  savedReportsNaming,
  savedReportsOf,
  setReportReaders,
} from '../../store/reports/saved-reports.ts';
import { authorise } from '../access.ts';
import type { Context } from '../context.ts';
import { agentIdOf, changedSaved, isSeen, newSaved, requireOwner, type Saved } from '../lists/saved.ts';
import { actingAgent } from '../people/acting-agent.ts';

const asSaved = ({ query, ...rest }: Omit<SavedReport, 'id'>): Saved => ({ ...rest, filter: query });

export const isReportSeen = (tx: Tx, by: Pick<Context, 'actor'>, report: SavedReport): boolean =>
  isSeen(tx, by, asSaved(report));

/** A caller who is not an agent gets none that are about the agent who asks. */
export function listSavedReports(tx: Tx, ctx: Context): SavedReport[] {
  authorise(ctx, 'read');
  const agentId = agentIdOf(ctx.actor);
  return savedReportsOf(tx, agentId).filter(
    (report) => isReportSeen(tx, ctx, report) && (agentId !== null || !namesAgent(report.query)),
  );
}

function reportToChange(tx: Tx, ctx: Context, id: number): SavedReport {
  authorise(ctx, 'read');
  const report = savedReportRows.get(tx, id);
  if (!report || !isReportSeen(tx, ctx, report)) throw notFound('report');
  requireOwner(ctx, 'report', asSaved(report));
  return report;
}

/** Each must see the report, as must who names them. */
function requireReaders(tx: Tx, report: SavedReport, agentIds: readonly number[]): void {
  for (const agentId of agentIds) {
    const actor = actingAgent(tx, agentId);
    if (actor === null || !isReportSeen(tx, { actor }, report))
      throw invalid('schedule.agent_ids', `names ${agentId}, who is no agent that sees this report.`);
  }
}

function scheduleOf({ agent_ids: agentIds, ...input }: ScheduleInput): { schedule: ReportSchedule; readers: number[] } {
  return {
    schedule: { ...input, weekday: input.weekday ?? 'mon', day: input.day ?? 1 },
    readers: [...new Set(agentIds)],
  };
}

export function createSavedReport(tx: Tx, ctx: Context, input: SavedReportInput): SavedReport {
  authorise(ctx, 'read');
  const { name, report, query = {}, is_shared: isShared } = input;
  const kept = newSaved(tx, ctx, 'report', { filter: query, isShared });
  const { schedule = null, readers = [] } = input.schedule ? scheduleOf(input.schedule) : {};
  const nextAt = schedule && nextMailAt(schedule, ctx.now);
  const row = { ...kept, name, report, query, schedule, nextAt, createdAt: ctx.now };
  const saved = savedReportRows.insert(tx, row);
  requireReaders(tx, saved, readers);
  setReportReaders(tx, saved.id, readers);
  return saved;
}

export function changeSavedReport(tx: Tx, ctx: Context, id: number, input: SavedReportChangeInput): SavedReport {
  const before = reportToChange(tx, ctx, id);
  const { is_shared: wanted, schedule: asked, ...rest } = input;
  const seen = changedSaved(tx, ctx, 'report', asSaved(before), { filter: rest.query, isShared: wanted });
  const set = asked ? scheduleOf(asked) : { schedule: null, readers: [] };
  const change = {
    ...rest,
    ...seen,
    ...(asked === undefined
      ? {}
      : { schedule: set.schedule, nextAt: set.schedule && nextMailAt(set.schedule, ctx.now) }),
  };
  savedReportRows.update(tx, id, change);
  const after = { ...before, ...change };
  const readers = asked === undefined ? readersOfReport(tx, id) : set.readers;
  // Readers who have lost sight of it meanwhile stay, and get no mail.
  if (asked !== undefined || (before.isShared && !seen.isShared)) requireReaders(tx, after, readers);
  if (asked !== undefined) setReportReaders(tx, id, readers);
  return after;
}

export function removeSavedReport(tx: Tx, ctx: Context, id: number): void {
  reportToChange(tx, ctx, id);
  savedReportRows.remove(tx, id);
}

export function scrubSavedReports(tx: Tx, person: Known): void {
  const traces = tracesOf(person, false);
  const texts = [...person.emails, ...person.names, ...person.externalIds];
  const found = new Map(texts.flatMap((text) => savedReportsNaming(tx, text)).map((report) => [report.id, report]));
  for (const { id, name, query } of found.values())
    savedReportRows.update(tx, id, { name: traces.text(name), query: traces.json(query) });
}
