// The tickets behind one number of a report.

import { type MetricName, metricNames } from '../../../domain/reports/metrics.ts';
import { Dialog } from '../../shared/dialog.tsx';
import { count } from '../../shared/format.ts';
import { Link } from '../route.ts';
import { chosenSite } from '../session.ts';
import { useFetched } from '../shell/fetched.ts';
import { Refused } from '../shell/refused.tsx';
import { TicketLine } from '../tickets/ticket-line.tsx';
import { dateRange } from '../zone.ts';
import { type Behind, behindQuery, pathWith } from './choice.ts';
import { datesBefore } from './dates.ts';
import { rowText } from './group-words.ts';
import { t } from './messages.ts';
import { metricName } from './metric-words.ts';
import type { ReportView } from './report-view.ts';
import type { ReportRow, TicketsBehind as Tickets } from './wire.ts';

interface TicketsBehindProps {
  shown: ReportView;
  behind: Behind;
  onClose: () => void;
}

export function TicketsBehind({ shown, behind, onClose }: TicketsBehindProps) {
  const { name, params, choice, today } = shown;
  const query = behindQuery(choice, chosenSite.value, behind, today);
  const { data, refusal, isOld, reload } = useFetched<Tickets>(`/reports/${name}/tickets?${query}`);
  const found = data.value;
  const metric = metricNames.find((one) => one === behind.metric);
  const title = [metric === undefined ? behind.metric : metricName(metric), whereOf(shown, behind, metric)].join(' · ');
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="behind" aria-busy={isOld || undefined}>
        {refusal.value !== null && <Refused refusal={refusal.value} onRetry={reload} />}
        {refusal.value === null && found !== null && (
          <>
            <p class="soft" role="status">
              {found.meta.total === 0 ? t.behindNone : t.ticketCount(count(found.meta.total), false)}
            </p>
            <ul class="customer-tickets">
              {found.data.map((ticket) => (
                <TicketLine key={ticket.ulid} ticket={ticket} />
              ))}
            </ul>
            <Pages shown={{ name, params }} behind={behind} last={found.meta.last_page} />
          </>
        )}
        {refusal.value === null && found === null && (
          <div class="skeleton screen-loading" aria-hidden="true">
            {[...'abcdef'].map((key) => (
              <span key={key} class="skeleton-bar row-skeleton" />
            ))}
          </div>
        )}
      </div>
    </Dialog>
  );
}

function whereOf({ choice, report, today }: ReportView, { group, of }: Behind, metric: MetricName | undefined): string {
  if (of === 'today') return dateRange(today, today);
  const dates = of === 'before' ? datesBefore(choice.dates) : choice.dates;
  if (group === null) return dateRange(dates.from, dates.to);
  const rows: readonly ReportRow[] = (of === 'before' ? report.data.previous?.rows : report.data.rows) ?? [];
  const row = rows.find((one) => String(one.group ?? '(none)') === group && (metric === undefined || metric in one));
  return rowText(choice.groupBy, row ?? { group: group === '(none)' ? null : group, label: null });
}

interface PagesProps {
  shown: Pick<ReportView, 'name' | 'params'>;
  behind: Behind;
  last: number;
}

function Pages({ shown: { name, params }, behind: { metric, group, of, page }, last }: PagesProps) {
  if (last < 2) return null;
  const link = (to: number) => pathWith(name, params, { metric, group, of, page: String(to) });
  const text = t.behindPage(count(page), count(last));
  return (
    <nav class="pages" aria-label={text}>
      {page > 1 ? <Link href={link(page - 1)}>{t.behindPrevious}</Link> : <span />}
      <span class="soft">{text}</span>
      {page < last ? <Link href={link(page + 1)}>{t.behindNext}</Link> : <span />}
    </nav>
  );
}
