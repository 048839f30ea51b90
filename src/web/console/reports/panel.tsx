// A part of a report: its numbers, and a chart of them or a table.

import { useSignal } from '@preact/signals';
import { type MetricName, metricOf } from '../../../domain/reports/metrics.ts';
import { weekdays } from '../../../domain/sla/calendar.ts';
import { Button } from '../../shared/button.tsx';
import { count } from '../../shared/format.ts';
import { Icon } from '../../shared/icons.tsx';
import { Bars } from './charts/bars.tsx';
import { HeatMap } from './charts/heat-map.tsx';
import { LineChart, type Series } from './charts/line-chart.tsx';
import type { ScaleOf } from './charts/scale.ts';
import { isTimeGroup } from './choice.ts';
import { Figure } from './figure.tsx';
import { hourOf, rowText, tickText } from './group-words.ts';
import { t } from './messages.ts';
import { metricName } from './metric-words.ts';
import { ReportTable } from './report-table.tsx';
import { type ReportView, rowBefore, ticketsHref } from './report-view.ts';
import { cellText, numberOf, type Part, sizeOf, valueText } from './values.ts';
import type { ReportRow } from './wire.ts';

interface PanelProps {
  shown: ReportView;
  metrics: readonly [MetricName, ...MetricName[]];
  isWide?: boolean;
}

export function Panel({ shown, metrics, isWide = false }: PanelProps) {
  const isTable = useSignal(false);
  const { groupBy } = shown.choice;
  const name = metrics.map(metricName).join(', ');
  const [metric] = metrics;
  return (
    <section class={`report-panel${isWide ? ' wide' : ''}`} aria-label={name}>
      <header>
        <div class="figures">
          {metrics.map((one, index) => (
            <Figure
              key={one}
              shown={shown}
              metric={one}
              tone={metrics.length === 1 ? undefined : index === 0 ? 'first' : 'second'}
            />
          ))}
        </div>
        <button
          type="button"
          class="icon-button"
          aria-pressed={isTable.value}
          aria-label={t.asTableOf(name)}
          title={t.asTable}
          onClick={() => {
            isTable.value = !isTable.value;
          }}
        >
          <Icon name="columns" />
        </button>
      </header>
      {isTable.value ? (
        <ReportTable label={t.asTableOf(name)} shown={shown} metrics={metrics} isWhole />
      ) : isTimeGroup(groupBy) ? (
        <Lines label={name} shown={shown} metrics={metrics} />
      ) : groupBy === 'hour' ? (
        <Week label={name} shown={shown} metric={metric} />
      ) : (
        <Groups
          label={name}
          shown={shown}
          metric={metric}
          onAll={() => {
            isTable.value = true;
          }}
        />
      )}
    </section>
  );
}

const scaleOf = (metric: MetricName): ScaleOf => {
  const { shape } = metricOf(metric);
  return shape === 'share' ? 'share' : shape === 'duration' ? 'minutes' : 'number';
};

interface ChartProps {
  label: string;
  shown: ReportView;
}

function Lines({ label, shown, metrics }: ChartProps & { metrics: PanelProps['metrics'] }) {
  const { choice, report, today } = shown;
  const { rows } = report.data;
  const [metric] = metrics;
  const pointsOf = (one: MetricName, part: Part = 'main', of: 'before' | null = null) =>
    rows.map((row, index) => {
      const from = of === null ? row : rowBefore(shown, row, index);
      const value = numberOf(from?.[one], part);
      if (from === undefined || value === null || isAhead(row, today)) return null;
      return { value, text: valueText(one, value, choice.time), href: ticketsHref(shown, one, from, of) };
    });
  const series: Series[] = metrics.map((one, index) => ({
    tone: index === 0 ? 'first' : 'second',
    name: metricName(one),
    points: pointsOf(one),
  }));
  const [first] = series;
  if (first !== undefined && ['duration', 'amount'].includes(metricOf(metric).shape)) {
    first.name = t.median;
    series.push({ tone: 'upper', name: t.percentile90, points: pointsOf(metric, 'p90') });
  }
  if (report.data.previous !== null)
    series.push({ tone: 'before', name: t.periodBefore, points: pointsOf(metric, 'main', 'before') });
  return (
    <LineChart
      label={label}
      buckets={rows.map((row) => ({
        name: rowText(choice.groupBy, row),
        tick: tickText(choice.groupBy, String(row.group)),
      }))}
      series={series}
      scale={scaleOf(metric)}
      tickText={(value) => (value === 0 ? '0' : valueText(metric, value, choice.time))}
    />
  );
}

/** A day that is still to come has no numbers yet. */
const isAhead = ({ group }: ReportRow, today: string) => String(group) > today;

function Week({ label, shown, metric }: ChartProps & { metric: MetricName }) {
  const { choice, report } = shown;
  const byHour = new Map(
    report.data.rows.map((row) => {
      const { day, hour } = hourOf(String(row.group));
      return [day * 24 + hour, row];
    }),
  );
  const cells = Array.from({ length: 7 }, (_, day) =>
    Array.from({ length: 24 }, (_, hour) => {
      const row = byHour.get(day * 24 + hour);
      const isCount = metricOf(metric).shape === 'count';
      const value = numberOf(row?.[metric]) ?? (isCount ? 0 : null);
      return {
        value,
        text: valueText(metric, value, choice.time),
        href: ticketsHref(shown, metric, { group: keyOfHour(day, hour) }),
      };
    }),
  );
  return <HeatMap label={label} name={metricName(metric)} cells={cells} />;
}

const keyOfHour = (day: number, hour: number) => `${weekdays[day]}-${String(hour).padStart(2, '0')}`;

const mostBars = 10;

function Groups({ label, shown, metric, onAll }: ChartProps & { metric: MetricName; onAll: () => void }) {
  const { choice, report } = shown;
  const all = report.data.rows
    .map((row, index) => ({ row, before: rowBefore(shown, row, index) }))
    .filter(({ row }) => sizeOf(row[metric]) > 0)
    .sort((one, other) => (numberOf(other.row[metric]) ?? 0) - (numberOf(one.row[metric]) ?? 0));
  const bars = all.slice(0, mostBars);
  const values = bars.flatMap(({ row, before }) => [numberOf(row[metric]) ?? 0, numberOf(before?.[metric]) ?? 0]);
  if (bars.length === 0) return <p class="soft panel-none">{t.behindNone}</p>;
  return (
    <>
      <Bars
        label={label}
        most={scaleOf(metric) === 'share' ? 1 : Math.max(...values)}
        bars={bars.map(({ row, before }) => ({
          key: String(row.group),
          name: rowText(choice.groupBy, row),
          value: numberOf(row[metric]),
          text: cellText(metric, row[metric], choice.time),
          href: ticketsHref(shown, metric, row),
          before:
            report.data.previous === null
              ? null
              : { value: numberOf(before?.[metric]), text: cellText(metric, before?.[metric], choice.time) },
        }))}
      />
      {all.length > mostBars && (
        <Button kind="quiet" onClick={onAll}>
          {t.showAllGroups(count(all.length))}
        </Button>
      )}
    </>
  );
}
