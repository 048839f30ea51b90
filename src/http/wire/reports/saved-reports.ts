// Saved reports on the wire (docs/spec/reports.md#saved-reports).

import * as z from 'zod';
import { toWire } from '../../../base/clock.ts';
import type { Context } from '../../../desk/context.ts';
import { isOwn } from '../../../desk/lists/saved.ts';
import { filterInput } from '../../../domain/input/views.ts';
import type { ViewFilter } from '../../../domain/lists/view.ts';
import { reportNames, reportPeriods } from '../../../domain/reports/metrics.ts';
import { scheduleUnits } from '../../../domain/reports/schedule.ts';
import { weekdays } from '../../../domain/sla/calendar.ts';
import type { Tx } from '../../../engine/database.ts';
import { readersOfReport, type SavedReport } from '../../../store/reports/saved-reports.ts';
import { queryOfSaved } from '../lists/saved-query.ts';
import { presenter } from '../presenter.ts';
import { id, named, time } from '../shapes.ts';
import { reportQuery } from './reports.ts';

export const savedReportShape = named(
  'SavedReport',
  z.object({
    id: id(),
    name: z.string(),
    report: z.enum(reportNames),
    query: filterInput,
    is_shared: z.boolean(),
    is_own: z.boolean(),
    schedule: z
      .object({
        every: z.enum(scheduleUnits),
        weekday: z.enum(weekdays),
        day: z.int(),
        at: z.string(),
        time_zone: z.string(),
        agent_ids: z.array(id()),
        next_at: time(),
      })
      .nullable(),
    created_at: time(),
  }),
);

export const presentSavedReport = presenter(savedReportShape, (report: SavedReport, tx: Tx, ctx: Context) => {
  const { schedule, nextAt } = report;
  return {
    is_own: isOwn(ctx, report),
    schedule:
      schedule === null || nextAt === null
        ? null
        : { ...schedule, agent_ids: readersOfReport(tx, report.id), next_at: toWire(nextAt) },
  };
});

/** Instead of dates, the console opens it with a period that moves on. */
const savedQuery = reportQuery.extend({ period: z.enum(reportPeriods).optional() });

/** What the report is asked for; 422 naming the part that it does not take. */
export function queryOfReport(query: ViewFilter): z.output<typeof savedQuery> {
  return queryOfSaved(savedQuery, query, 'query', 'is not in the query of reports.');
}
