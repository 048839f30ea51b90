// Saved reports that are mailed: one mail for each reader and period, queued in the step that sets the next time (docs/spec/reports.md#by-mail).

import type { AgentActor } from '../../domain/actor.ts';
import { lastMailAt, mailedPeriod, nextMailAt } from '../../domain/reports/schedule.ts';
import type { Tx } from '../../engine/database.ts';
import type { Delivery } from '../../store/outbox/outbox.ts';
import { agentById } from '../../store/people/agents.ts';
import {
  readersOfReport,
  removeReportReader,
  type SavedReport,
  savedReportRows,
  savedReportsDue,
} from '../../store/reports/saved-reports.ts';
import type { Context } from '../context.ts';
import { queueMail } from '../outbox/queue-mail.ts';
import { actingAgent } from '../people/acting-agent.ts';
import { isReportSeen } from './saved-reports.ts';

/** What a mail is made of, by the rights that its reader has when it leaves. */
export interface MailedReport {
  saved: SavedReport;
  reader: AgentActor;
  from: string;
  to: string;
}

const reportsAtOnce = 20;

/** Returns whether there may be more. */
export function mailDueReports(tx: Tx, ctx: Context): boolean {
  const due = savedReportsDue(tx, ctx.now, reportsAtOnce);
  for (const report of due) mailReport(tx, ctx, report);
  return due.length === reportsAtOnce;
}

/** After a long stop only the newest period. */
function mailReport(tx: Tx, ctx: Context, { id, schedule, nextAt }: SavedReport): void {
  if (schedule === null || nextAt === null) return;
  const dueAt = lastMailAt(schedule, nextAt, ctx.now);
  savedReportRows.update(tx, id, { nextAt: nextMailAt(schedule, dueAt) });
  for (const agentId of readersOfReport(tx, id)) {
    const agent = agentById(tx, agentId);
    if (!agent?.isActive) continue;
    const report = { id, agent_id: agentId, ...mailedPeriod(schedule, dueAt) };
    queueMail(tx, ctx, null, null, null, 'mail.report', agent, { report });
  }
}

/** Null for another mail, and when its reader lost it meanwhile. */
export function mailedReport(tx: Tx, { payload }: Delivery): MailedReport | null {
  if (payload.report === undefined) return null;
  const { id, agent_id: agentId, from, to } = payload.report;
  const saved = savedReportRows.get(tx, id);
  const reader = actingAgent(tx, agentId);
  if (!saved || reader === null || !readersOfReport(tx, id).includes(agentId)) return null;
  return isReportSeen(tx, { actor: reader }, saved) ? { saved, reader, from, to } : null;
}

/** Who was its last reader ends the schedule. */
export function stopReportFor(tx: Tx, id: number, agentId: number): void {
  removeReportReader(tx, id, agentId);
  if (readersOfReport(tx, id).length === 0) savedReportRows.update(tx, id, { schedule: null, nextAt: null });
}
