// The numbers of a report as a table. Each opens the tickets behind it.

import { type Cell, type MetricName, metricOf } from '../../../domain/reports/metrics.ts';
import { count } from '../../shared/format.ts';
import { Link } from '../route.ts';
import { groupName, rowText } from './group-words.ts';
import { t } from './messages.ts';
import { metricName } from './metric-words.ts';
import { type ReportView, rowBefore, ticketsHref } from './report-view.ts';
import { cellText, sizeOf } from './values.ts';
import type { ReportRow } from './wire.ts';

interface Column {
  metric: MetricName;
  name: string;
  text: (cell: Cell | undefined) => string;
  isBefore?: boolean;
}

interface ReportTableProps {
  label: string;
  shown: ReportView;
  metrics: readonly MetricName[];
  /** With everything that is known of each number. */
  isWhole: boolean;
}

export function ReportTable({ label, shown, metrics, isWhole }: ReportTableProps) {
  const { report, choice } = shown;
  const columns = metrics.flatMap((metric) => columnsOf(metric, shown, isWhole, metrics.length > 1));
  // Hours without anything are not in the answer, and days without anything say so.
  const rows = report.data.rows;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
    <section class="report-table" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{groupName(choice.groupBy)}</th>
            {columns.map(({ metric, name }) => (
              <th key={`${metric} ${name}`} scope="col" class="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => {
            const name = rowText(choice.groupBy, row);
            return (
              <tr key={String(row.group)}>
                <th scope="row" title={name}>
                  <bdi>{name}</bdi>
                </th>
                {columns.map((column) => (
                  <Amount
                    key={`${column.metric} ${column.name}`}
                    column={column}
                    shown={shown}
                    row={column.isBefore ? rowBefore(shown, row, index) : row}
                    name={name}
                  />
                ))}
              </tr>
            );
          })}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t.reportTotal}</th>
            {columns.map((column) => (
              <Amount key={`${column.metric} ${column.name}`} column={column} shown={shown} name={t.reportTotal} />
            ))}
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

interface AmountProps {
  column: Column;
  shown: ReportView;
  row?: ReportRow | undefined;
  name: string;
}

function Amount({ column: { metric, name: what, text, isBefore = false }, shown, row, name }: AmountProps) {
  const { data } = shown.report;
  const isTotal = name === t.reportTotal && row === undefined;
  const cell = isTotal ? (isBefore ? data.previous?.total[metric] : data.total[metric]) : row?.[metric];
  const written = text(cell);
  return (
    <td class="number">
      {sizeOf(cell) === 0 ? (
        <span class="soft">{written}</span>
      ) : (
        <Link
          href={ticketsHref(shown, metric, isTotal ? undefined : row, isBefore ? 'before' : null)}
          label={`${name}, ${what}: ${written}`}
        >
          {written}
        </Link>
      )}
    </td>
  );
}

function columnsOf(metric: MetricName, { choice, report }: ReportView, isWhole: boolean, isNamed: boolean): Column[] {
  const { shape } = metricOf(metric);
  const { time } = choice;
  const name = metricName(metric);
  const main = (cell: Cell | undefined) => cellText(metric, cell, time);
  const before: Column[] =
    isWhole && report.data.previous !== null
      ? [{ metric, name: isNamed ? `${name}, ${t.periodBefore}` : t.periodBefore, text: main, isBefore: true }]
      : [];
  const hasParts = shape !== 'count' && isWhole;
  if (!hasParts) return [{ metric, name, text: main }, ...before];
  const titled = (part: string) => (isNamed ? `${name}, ${part}` : part);
  if (shape === 'share')
    return [
      { metric, name, text: main },
      {
        metric,
        name: titled(t.metricCounted),
        text: (cell) => (cell !== undefined && 'of' in cell ? t.someOf(count(cell.n), count(cell.of)) : '–'),
      },
      ...before,
    ];
  return [
    { metric, name: titled(t.median), text: main },
    { metric, name: titled(t.percentile90), text: (cell) => cellText(metric, cell, time, 'p90') },
    { metric, name: titled(t.metricCounted), text: (cell) => count(cell?.n ?? 0) },
    ...before,
  ];
}
