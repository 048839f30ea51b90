// A report as a mail: its numbers with those of the time before, then its groups.

import type { Locale } from '../../domain/people/preferences.ts';
import { fit, oneLine } from '../../domain/plain-text.ts';
import { type Cell, type MetricName, metricOf } from '../../domain/reports/metrics.ts';
import type { MailContent, MailFrame, ReportNumbers } from './mail-content.ts';
import { type ReportWords, reportWords } from './report-words.ts';
import { type Letter, named, type Part } from './text-and-html.ts';

type Report = Extract<MailContent, { kind: 'report' }>;

const mostGroups = 31;
const longestLabel = 60;

const languageOf = (locale: Locale) => (locale === 'en' ? 'en-GB' : locale);

export function subjectOfReport({ locale, site }: MailFrame, { name, numbers }: Report): string {
  const subject = reportWords[locale].subject(oneLine(name), periodIn(locale, numbers));
  return fit(`${subject} (${oneLine(site.name)})`, 300);
}

export function letterOfReport({ locale, site }: MailFrame, { numbers, url, choicesUrl }: Report): Letter {
  const words = reportWords[locale];
  const { metrics, total, before, groups } = numbers;
  const tell = createTeller(locale, words);
  const hasDurations = metrics.some((name) => metricOf(name).shape === 'duration');
  const shown = inOrder(numbers).slice(0, mostGroups);
  return {
    language: locale,
    parts: [
      { kind: 'sentence', text: words.about(periodIn(locale, numbers), numbers.time) },
      {
        kind: 'table',
        columns: [words.measure, words.inPeriod, words.before],
        rows: metrics.map((name) => [words.metrics[name], tell(name, total[name]), tell(name, before[name])]),
      },
      { kind: 'link', label: words.open, url },
      ...(shown.length === 0 ? [] : [groupTable(words, tell, numbers, shown, locale)]),
      ...(groups.length > shown.length
        ? [{ kind: 'sentence', text: words.more(groups.length - shown.length) } as const]
        : []),
      ...(hasDurations ? [{ kind: 'faint', text: words.spreads } as const] : []),
      { kind: 'link', label: words.choose, url: choicesUrl },
    ],
    footer: `${named(site.name, 'Helpdesk')} · ${words.because}`,
  };
}

type Tell = (name: MetricName, cell: Cell | undefined) => string;

function groupTable(
  words: ReportWords,
  tell: Tell,
  { metrics }: ReportNumbers,
  shown: ReportNumbers['groups'],
  locale: Locale,
): Part {
  return {
    kind: 'table',
    columns: [words.group, ...metrics.map((name) => words.metrics[name])],
    rows: shown.map(({ group, label, cells }) => [
      labelIn(locale, words, group, label),
      ...metrics.map((name) => tell(name, cells[name])),
    ]),
  };
}

/** Hours of the week by how much happened in them; all else as the report has it. */
function inOrder({ groupBy, groups, metrics }: ReportNumbers): ReportNumbers['groups'] {
  const [first] = metrics;
  if (groupBy !== 'hour' || first === undefined) return groups;
  return groups.toSorted((one, other) => (other.cells[first]?.n ?? 0) - (one.cells[first]?.n ?? 0));
}

const dateIn = (locale: Locale, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(languageOf(locale), { timeZone: 'UTC', ...options });

const dayOf = (date: string) => new Date(`${date}T00:00:00Z`);

const periodIn = (locale: Locale, { from, to }: ReportNumbers): string =>
  dateIn(locale, { dateStyle: 'long' }).formatRange(dayOf(from), dayOf(to));

// A Monday, from which hours of the week are counted.
const someMonday = Date.UTC(2024, 0, 1);
const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

function labelIn(locale: Locale, words: ReportWords, group: string | number | null, label: string | null): string {
  const text = String(group);
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return dateIn(locale, { dateStyle: 'medium' }).format(dayOf(text));
  const [weekday = '', hour = ''] = text.split('-');
  const place = /^\d\d$/.test(hour) ? weekdays.indexOf(weekday) : -1;
  if (place >= 0) {
    const at = someMonday + (place * 24 + Number(hour)) * 3_600_000;
    return dateIn(locale, { weekday: 'short', hour: '2-digit', minute: '2-digit' }).format(at);
  }
  return fit(oneLine(label ?? ''), longestLabel) || words.nothing;
}

function createTeller(locale: Locale, words: ReportWords): Tell {
  const language = languageOf(locale);
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  const unit = (name: 'hour' | 'minute') =>
    new Intl.NumberFormat(language, { style: 'unit', unit: name, unitDisplay: 'short', maximumFractionDigits: 0 });
  const [hours, minutes] = [unit('hour'), unit('minute')];
  const span = (value: number | null) => {
    const all = Math.round(value ?? 0);
    if (all < 60) return minutes.format(all);
    const left = all % 60;
    return left === 0 ? hours.format(all / 60) : `${hours.format(Math.floor(all / 60))} ${minutes.format(left)}`;
  };
  return (name, cell) => {
    if (cell === undefined) return '–';
    if ('share' in cell)
      return cell.share === null
        ? '–'
        : words.share(percent.format(cell.share), number.format(cell.n), number.format(cell.of));
    if ('median_minutes' in cell)
      return cell.n === 0 ? '–' : words.spread(span(cell.median_minutes), span(cell.p90_minutes));
    if ('median' in cell)
      return cell.median === null ? '–' : words.spread(number.format(cell.median), number.format(cell.p90 ?? 0));
    return metricOf(name).shape === 'count' ? number.format(cell.n) : '–';
  };
}
