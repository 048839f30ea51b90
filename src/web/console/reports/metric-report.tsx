// A report of numbers: what it is asked, its panels, and the tickets behind one of them.

import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { AgentReports, MetricName, ReportName } from '../../../domain/reports/metrics.ts';
import { reports } from '../../../domain/reports/metrics.ts';
import { now } from '../../shared/clock.ts';
import { count } from '../../shared/format.ts';
import { Notice } from '../../shared/notices.tsx';
import { go, route } from '../route.ts';
import { chosenSite } from '../session.ts';
import { Empty } from '../shell/empty.tsx';
import { Refused } from '../shell/refused.tsx';
import { dateRange } from '../zone.ts';
import { behindOf, choiceOf, isTimeGroup, pathWith, queryFor } from './choice.ts';
import { dateIn } from './dates.ts';
import { t } from './messages.ts';
import { Panel } from './panel.tsx';
import { ReportTable } from './report-table.tsx';
import type { ReportView } from './report-view.ts';
import { TicketsBehind } from './tickets-behind.tsx';
import { Toolbar } from './toolbar.tsx';
import { useFresh } from './use-fresh.ts';
import { sizeOf } from './values.ts';
import type { Report, ReportDesk } from './wire.ts';

export interface MetricReportProps {
  name: ReportName;
  title: string;
  /** Metrics that share a chart over time have the same shape. */
  panels: readonly (readonly [MetricName, ...MetricName[]])[];
  /** All numbers of each group in one table, before the panels. */
  hasTable?: boolean;
  /** Stands above the panels. */
  Before?: ComponentType<Omit<ReportView, 'report'>>;
  desk: ReportDesk['data'];
}

export function MetricReport({ name, title, panels, hasTable = false, Before, desk }: MetricReportProps) {
  const params = route.value.query;
  const zone = params.get('time_zone') ?? desk.time_zone;
  const today = dateIn(zone, now());
  const choice = choiceOf(name, params, today);
  const query = queryFor(choice, chosenSite.value);
  const { data, refusal, isOld, reload } = useFresh<Report>(`/reports/${name}?${query}`);
  const report = data.value;
  // What came for another question is not shown under this one.
  const isShown = report !== null && report.meta.report === name && (report.meta.group_by ?? 'none') === choice.groupBy;
  const shown = isShown ? { name, params, choice, report, today } : null;
  const isAboutAgents = name === 'agents' || choice.groupBy === 'agent' || choice.filter.assigned_to !== undefined;
  const close = useClose(name, params);
  const behind = behindOf(params);
  const isRefused = refusal.value?.code === 'agent_reports_off';
  return (
    <>
      <header class="report-head">
        <h1>{title}</h1>
        <a class="button quiet" href={`/api/v1/reports/${name}?${query}&format=csv`} download={`${name}.csv`}>
          {t.downloadCsv}
        </a>
        <p class="soft">
          {dateRange(choice.dates.from, choice.dates.to)} · {zone.replaceAll('_', ' ')}
          {report?.meta.previous != null &&
            choice.isCompared &&
            ` · ${t.comparedWith(dateRange(report.meta.previous.from, report.meta.previous.to))}`}
        </p>
      </header>
      <Toolbar {...{ name, params, choice }} agentReports={desk.agent_reports} />
      {desk.agent_reports === 'own' && isAboutAgents && <p class="soft">{t.agentReportsOwn}</p>}
      {isRefused && (
        <Empty icon="people" title={t.agentReportsOff}>
          {t.agentReportsOffText}
        </Empty>
      )}
      {refusal.value !== null && !isRefused && <Refused refusal={refusal.value} onRetry={reload} />}
      {refusal.value === null && (
        <div class="report-body" aria-busy={isOld || undefined}>
          {Before !== undefined && <Before {...{ name, params, choice, today }} />}
          {shown === null ? (
            <Loading panels={panels.length} />
          ) : (
            <Body shown={shown} panels={panels} hasTable={hasTable && !isTimeGroup(choice.groupBy)} label={title} />
          )}
        </div>
      )}
      {shown !== null && behind !== null && <TicketsBehind shown={shown} behind={behind} onClose={close} />}
    </>
  );
}

/** Leaves the list of tickets as Back does, if that is how it was opened. */
function useClose(name: string, params: URLSearchParams): () => void {
  const isOpen = params.has('metric');
  const wasReport = useRef(false);
  useEffect(() => {
    if (!isOpen) wasReport.current = true;
  }, [isOpen]);
  return () => {
    if (!new URLSearchParams(location.search).has('metric')) return;
    if (wasReport.current) history.back();
    else go(pathWith(name, params, {}), { replace: true });
  };
}

interface BodyProps {
  shown: ReportView;
  panels: MetricReportProps['panels'];
  hasTable: boolean;
  label: string;
}

function Body({ shown, panels, hasTable, label }: BodyProps) {
  const { report, choice, name } = shown;
  const { facts_due: due, groups_left_out: leftOut } = report.meta;
  const { metrics } = reports[name as ReportName];
  const numbers = [report.data.total, ...report.data.rows];
  const isEmpty = numbers.every((one) => metrics.every((metric) => sizeOf(one[metric]) === 0));
  // Only over time do two numbers share a chart; an hour of the week has no backlog.
  const apart = isTimeGroup(choice.groupBy)
    ? panels
    : panels.flat().flatMap((metric) => (choice.groupBy === 'hour' && metric === 'backlog' ? [] : [[metric] as const]));
  return (
    <>
      {due > 0 && (
        <Notice kind="hint">
          <p>{t.factsDue(count(due))}</p>
        </Notice>
      )}
      {leftOut > 0 && <p class="soft">{t.groupsLeftOut(count(leftOut))}</p>}
      {isEmpty ? (
        <Empty icon="chart" title={t.reportEmpty}>
          {t.reportEmptyText}
        </Empty>
      ) : (
        <>
          {hasTable && <ReportTable label={label} shown={shown} metrics={metrics} isWhole={false} />}
          <div class="report-panels">
            {apart.map((one) => (
              <Panel key={one.join()} shown={shown} metrics={one} isWide={choice.groupBy === 'hour'} />
            ))}
          </div>
        </>
      )}
    </>
  );
}

function Loading({ panels }: { panels: number }) {
  return (
    <div class="report-panels skeleton" aria-hidden="true">
      {Array.from({ length: panels }, (_, index) => (
        <span key={index} class="skeleton-bar report-skeleton" />
      ))}
    </div>
  );
}

export const seesAgents = ({ agent_reports: setting }: { agent_reports: AgentReports }) => setting !== 'off';
