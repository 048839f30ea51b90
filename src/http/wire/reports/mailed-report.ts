// The numbers of a report that is mailed, as its reader would see them now.

import type { Desk } from '../../../desk/desk.ts';
import type { MailedReport } from '../../../desk/reports/mailed-reports.ts';
import type { Cell, MetricName } from '../../../domain/reports/metrics.ts';
import type { ReportNumbers } from '../../../mail/outgoing/mail-content.ts';
import { readReport } from './reports.ts';
import { queryOfReport } from './saved-reports.ts';

type Cells = Partial<Record<MetricName, Cell>>;

export async function mailedNumbers(desk: Desk, { saved, reader, from, to }: MailedReport): Promise<ReportNumbers> {
  const asked = queryOfReport(saved.query);
  const timeZone = asked.time_zone ?? saved.schedule?.time_zone;
  const query = { ...asked, from, to, compare: true, ...(timeZone === undefined ? {} : { time_zone: timeZone }) };
  const { data, meta } = await readReport(desk, desk.context(reader, 'mailed report'), saved.report, query);
  return {
    report: meta.report,
    metrics: meta.metrics,
    time: meta.time,
    from,
    to,
    total: data.total as Cells,
    before: (data.previous?.total ?? {}) as Cells,
    groupBy: meta.group_by,
    groups: data.rows.map(({ group, label, ...cells }) => ({ group, label, cells: cells as Cells })),
  };
}
