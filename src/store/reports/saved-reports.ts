// Saved reports, who gets them by mail, and which are due.

import type { InferSelectModel } from 'drizzle-orm';
import type { Tx } from '../../engine/database.ts';
import { insertInto, rowsOf, selectFrom, statement } from '../../engine/statements.ts';
import { isAttached } from '../detachments.ts';
import { reportReaders, savedReports } from '../schema/reports.ts';

export type SavedReport = InferSelectModel<typeof savedReports>;

export const savedReportRows = rowsOf(savedReports);

/** Without an agent, the shared ones. */
export const savedReportsOf = selectFrom(savedReports, 'WHERE agent_id = ? OR is_shared = 1 ORDER BY name, id').all<
  [agentId: number | null]
>;

export const savedReportsNaming = selectFrom(savedReports, 'WHERE instr(lower(name || query), lower(?)) > 0').all<
  [text: string]
>;

export const readersOfReport = statement(
  `SELECT agent_id FROM report_readers WHERE report_id = ?
     AND agent_id IN (SELECT id FROM agents WHERE ${isAttached('agents')}) ORDER BY agent_id`,
).column<number, [reportId: number]>;

const insertReader = insertInto(reportReaders);
const clearReaders = statement('DELETE FROM report_readers WHERE report_id = ?').run<[reportId: number]>;

export function setReportReaders(tx: Tx, reportId: number, agentIds: readonly number[]): void {
  clearReaders(tx, reportId);
  for (const agentId of agentIds) insertReader(tx, { reportId, agentId });
}

export const removeReportReader = statement('DELETE FROM report_readers WHERE report_id = ? AND agent_id = ?').run<
  [reportId: number, agentId: number]
>;

export const savedReportsDue = selectFrom(
  savedReports,
  'INDEXED BY saved_reports_due WHERE next_at <= ? ORDER BY next_at LIMIT ?',
).all<[now: number, limit: number]>;
