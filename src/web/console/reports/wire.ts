// Reports as the desk answers them.

import type * as z from 'zod';
import type { AgentReports, Cell, MetricName } from '../../../domain/reports/metrics.ts';
import type { reportShape } from '../../../http/wire/reports/reports.ts';
import type { Ticket } from '../wire.ts';

type Numbers = Partial<Record<MetricName, Cell>>;
export type ReportRow = Numbers & { group: string | number | null; label: string | null };

interface Shown {
  rows: readonly ReportRow[];
  total: Numbers;
}

export interface Report {
  data: Shown & { previous: Shown | null };
  meta: z.output<typeof reportShape>['meta'];
}

export interface ReportDesk {
  data: { time_zone: string; agent_reports: AgentReports };
}

export interface TicketsBehind {
  data: Ticket[];
  meta: { current_page: number; last_page: number; total: number };
}
