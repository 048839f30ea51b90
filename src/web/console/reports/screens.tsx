// The screens of the reports, in the order of their list. Each stands at `/reports/{id}`; the first also at `/reports`.

import type { ComponentType } from 'preact';
import { t } from './messages.ts';
import { MetricReport, type MetricReportProps, seesAgents } from './metric-report.tsx';
import { Today } from './today.tsx';
import type { ReportDesk } from './wire.ts';

export interface ReportScreen {
  id: string;
  title: () => string;
  /** Without it: always. */
  isShown?: (desk: ReportDesk['data']) => boolean;
  Page: ComponentType<{ desk: ReportDesk['data'] }>;
}

interface Given extends Omit<MetricReportProps, 'title' | 'desk'> {
  title: ReportScreen['title'];
  isShown?: NonNullable<ReportScreen['isShown']>;
}

function metricScreen({ title, isShown, ...report }: Given): ReportScreen {
  return {
    id: report.name,
    title,
    ...(isShown === undefined ? {} : { isShown }),
    Page: ({ desk }) => <MetricReport {...report} title={title()} desk={desk} />,
  };
}

export const screens: readonly ReportScreen[] = [
  metricScreen({
    name: 'overview',
    title: () => t.reportOverview,
    Before: Today,
    panels: [
      ['created', 'resolved'],
      ['backlog'],
      ['first_response'],
      ['resolution'],
      ['first_response_in_target', 'resolution_in_target'],
    ],
  }),
  metricScreen({
    name: 'response',
    title: () => t.reportResponse,
    panels: [['first_response'], ['next_response'], ['first_response_in_target'], ['replies']],
  }),
  metricScreen({
    name: 'resolution',
    title: () => t.reportResolution,
    panels: [
      ['resolved', 'reopenings'],
      ['resolution'],
      ['first_resolution'],
      ['customer_wait'],
      ['reopened'],
      ['one_touch'],
      ['replies_to_resolution'],
    ],
  }),
  metricScreen({
    name: 'sla',
    title: () => t.reportSla,
    panels: [['first_response_in_target'], ['resolution_in_target']],
  }),
  metricScreen({ name: 'load', title: () => t.reportLoad, panels: [['created']] }),
  metricScreen({
    name: 'agents',
    title: () => t.reportAgents,
    isShown: seesAgents,
    hasTable: true,
    panels: [['replies'], ['resolved'], ['next_response'], ['first_response'], ['resolution']],
  }),
  metricScreen({
    name: 'categories',
    title: () => t.reportCategories,
    hasTable: true,
    panels: [['created'], ['resolved'], ['backlog'], ['first_response'], ['resolution']],
  }),
  metricScreen({
    name: 'satisfaction',
    title: () => t.reportSatisfaction,
    panels: [['satisfaction'], ['satisfaction_answered']],
  }),
];
