// Whether a caller may see what single agents did (docs/spec/reports.md).

import { DeskError } from '../../domain/errors.ts';
import type { GroupBy, ReportName } from '../../domain/reports/metrics.ts';
import type { Tx } from '../../engine/database.ts';
import { readDeskSettings } from '../../store/desk-settings.ts';
import type { Context } from '../context.ts';

interface Asked {
  name: ReportName;
  groupBy: GroupBy | null;
  /** Of the filter. */
  assigneeIds: readonly number[];
}

/** The only agent whose work is shown; null for all of them. */
export function onlyAgentShown(tx: Tx, { actor }: Context, { name, groupBy, assigneeIds }: Asked): number | null {
  const setting = readDeskSettings(tx).agentReports;
  const isAboutAgents = name === 'agents' || groupBy === 'agent' || assigneeIds.length > 0;
  if (setting === 'all' || !isAboutAgents) return null;
  const ownId = setting === 'own' && actor.kind === 'agent' ? actor.agentId : null;
  if (ownId === null || assigneeIds.some((id) => id !== ownId))
    throw new DeskError('forbidden', 'This desk does not show what single agents did.', {
      reason: 'agent_reports_off',
    });
  return groupBy === 'agent' || name === 'agents' ? ownId : null;
}
