// What happened today, above the overview of a period.

import type { MetricName } from '../../../domain/reports/metrics.ts';
import { Link } from '../route.ts';
import { chosenSite } from '../session.ts';
import { queryFor } from './choice.ts';
import { datesOf } from './dates.ts';
import { t } from './messages.ts';
import { metricName } from './metric-words.ts';
import { type ReportView, ticketsHref } from './report-view.ts';
import { useFresh } from './use-fresh.ts';
import { cellText } from './values.ts';
import type { Report } from './wire.ts';

const metrics = [
  'created',
  'resolved',
  'backlog',
  'first_response',
  'first_response_in_target',
] as const satisfies MetricName[];

export function Today({ name, params, choice, today }: Omit<ReportView, 'report'>) {
  const query = queryFor({ ...choice, dates: datesOf('today', today), isCompared: false }, chosenSite.value);
  query.set('group_by', 'none');
  const { data } = useFresh<Report>(`/reports/overview?${query}`);
  const total = data.value?.data.total;
  return (
    <section class="report-today" aria-label={t.periodToday}>
      <h2>{t.periodToday}</h2>
      <dl>
        {metrics.map((metric) => (
          <div key={metric}>
            <dt>{metricName(metric)}</dt>
            <dd>
              {total === undefined ? (
                <span class="soft">–</span>
              ) : (
                <Link href={ticketsHref({ name, params }, metric, undefined, 'today')}>
                  {cellText(metric, total[metric], choice.time)}
                </Link>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
