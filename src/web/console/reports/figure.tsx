// One number of a report: what it is called and means, its value, and how it changed.

import { type MetricName, metricOf } from '../../../domain/reports/metrics.ts';
import { count } from '../../shared/format.ts';
import { Icon } from '../../shared/icons.tsx';
import { labelled } from '../../shared/labelled.ts';
import { usePopover } from '../../shared/popover.ts';
import { Link } from '../route.ts';
import { t } from './messages.ts';
import { metricName, metricWords } from './metric-words.ts';
import { type ReportView, ticketsHref } from './report-view.ts';
import { cellText, changeOf } from './values.ts';

interface FigureProps {
  shown: ReportView;
  metric: MetricName;
  /** Its colour in the chart, where there are several. */
  tone?: 'first' | 'second' | undefined;
}

export function Figure({ shown, metric, tone }: FigureProps) {
  const { report, choice } = shown;
  const [cell, before] = [report.data.total[metric], report.data.previous?.total[metric]];
  const name = metricName(metric);
  const change = changeOf(metric, cell, before);
  const more = furtherText(metric, shown);
  return (
    <div class="figure">
      <div class="figure-name">
        {tone !== undefined && <span class={`chart-swatch ${tone}`} aria-hidden="true" />}
        <h2>{name}</h2>
        <Definition name={name} text={metricWords[metric].text()} />
      </div>
      <p class="figure-value">
        <Link href={ticketsHref(shown, metric)} label={labelled(name, cellText(metric, cell, choice.time))}>
          {cellText(metric, cell, choice.time)}
        </Link>
        {before !== undefined && (
          <Link
            href={ticketsHref(shown, metric, undefined, 'before')}
            class={`change${change?.isBetter == null ? '' : change.isBetter ? ' better' : ' worse'}`}
            label={labelled(t.periodBefore, cellText(metric, before, choice.time))}
            title={labelled(t.periodBefore, cellText(metric, before, choice.time))}
          >
            {change?.text ?? labelled(t.periodBefore, cellText(metric, before, choice.time))}
          </Link>
        )}
      </p>
      {more !== '' && <p class="soft figure-more">{more}</p>}
    </div>
  );
}

function furtherText(metric: MetricName, { report, choice }: ReportView): string {
  const cell = report.data.total[metric];
  if (cell === undefined) return '';
  switch (metricOf(metric).shape) {
    case 'share':
      return 'of' in cell ? t.someOf(count(cell.n), count(cell.of)) : '';
    case 'duration':
      return `${t.percentile90} ${cellText(metric, cell, choice.time, 'p90')} · ${t.metricCounted} ${count(cell.n)}`;
    case 'amount':
      return 'none' in cell
        ? `${t.percentile90} ${cellText(metric, cell, choice.time, 'p90')} · ${t.metricWithoutReply} ${count(cell.none)}`
        : '';
    default:
      return '';
  }
}

/** What a number means, behind a small button. */
function Definition({ name, text }: { name: string; text: string }) {
  const popover = usePopover<HTMLButtonElement>();
  return (
    <>
      <button ref={popover.anchor} type="button" class="definition" aria-label={t.whatIs(name)} title={t.whatIs(name)}>
        <Icon name="help" />
      </button>
      <div ref={popover.panel} id={popover.id} class={`${popover.panelClass} definition-text`} popover="auto">
        <p>{text}</p>
      </div>
    </>
  );
}
