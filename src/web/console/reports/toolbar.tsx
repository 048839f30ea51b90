// What a report is asked: its period, groups, filters and ways to count. All of it is in the address.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { isDate } from '../../../domain/instant.ts';
import type { AgentReports, ReportName, ReportPeriod } from '../../../domain/reports/metrics.ts';
import { metricOf, reportPeriods, reports, reportTimes } from '../../../domain/reports/metrics.ts';
import type { ListFilter } from '../../../domain/tickets/filters.ts';
import { Combobox } from '../../shared/combobox.tsx';
import { Icon } from '../../shared/icons.tsx';
import { Menu } from '../../shared/menu.tsx';
import { customFields } from '../catalogue.ts';
import { FilterChip } from '../list/filters/chip.tsx';
import { filterKeys } from '../list/filters/filter.ts';
import { type ChoiceKey, isChoice, offeredNames } from '../list/filters/filter-fields.ts';
import { t as filterWords } from '../on-demand-messages.ts';
import { go } from '../route.ts';
import { chosenSite, visibleSites } from '../session.ts';
import { offersTime, pathWith, pathWithFilter, type ReportChoice } from './choice.ts';
import { type Dates, daysIn } from './dates.ts';
import { groupName, groups } from './group-words.ts';
import { t } from './messages.ts';

interface ToolbarProps {
  name: ReportName;
  params: URLSearchParams;
  choice: ReportChoice;
  agentReports: AgentReports;
}

const periodText = (period: ReportPeriod): string => {
  if (period === 'today') return t.periodToday;
  if (period === 'this_month') return t.periodThisMonth;
  if (period === 'last_month') return t.periodLastMonth;
  return t.periodLast(String(/\d+/.exec(period)));
};

export function Toolbar(props: ToolbarProps) {
  const { name, params, choice } = props;
  const change = (with_: Record<string, string | null>) => go(pathWith(name, params, with_));
  const hasDurations = reports[name].metrics.some((metric) => metricOf(metric).shape === 'duration');
  return (
    <section class="report-toolbar" aria-label={filterWords.filter}>
      <PeriodChoice {...props} onChange={change} />
      {name !== 'load' && <GroupChoice {...props} onChange={change} />}
      {hasDurations && (
        <Combobox
          label={t.timeMeasured}
          value={choice.time}
          options={reportTimes.map((value) => ({
            value,
            text: value === 'working' ? t.timeWorking : t.timeCalendar,
          }))}
          onChange={(value) => change({ time: value === 'working' ? null : value })}
        />
      )}
      <Combobox
        label={t.countedBy}
        value={choice.by}
        options={[
          { value: 'event' as ReportChoice['by'], text: t.byEvent },
          { value: 'cohort', text: t.byCohort },
        ]}
        onChange={(value) => change({ by: value === 'event' ? null : value })}
      />
      <button
        type="button"
        class="button quiet tool"
        aria-pressed={choice.isCompared}
        onClick={() => change({ compare: choice.isCompared ? null : '1' })}
      >
        <Icon name={choice.isCompared ? 'check' : 'sort'} />
        {t.compareBefore}
      </button>
      <Filters {...props} />
    </section>
  );
}

type Part = ToolbarProps & { onChange: (change: Record<string, string | null>) => void };

function PeriodChoice({ choice, onChange }: Part) {
  const { period, dates } = choice;
  return (
    <>
      <Combobox<ReportPeriod | 'own'>
        label={t.reportPeriod}
        value={period ?? 'own'}
        options={[
          ...reportPeriods.map((value) => ({ value, text: periodText(value) })),
          { value: 'own' as const, text: t.periodOwn },
        ]}
        onChange={(value) =>
          onChange(
            value === 'own'
              ? { period: null, from: dates.from, to: dates.to }
              : { period: value === 'last_30_days' ? null : value, from: null, to: null },
          )
        }
      />
      {period === null && <OwnDates key={`${dates.from} ${dates.to}`} dates={dates} onChange={onChange} />}
    </>
  );
}

/** As many as the desk takes. */
const mostDays = 3700;

function OwnDates({ dates, onChange }: { dates: Dates; onChange: Part['onChange'] }) {
  const typed = useSignal(dates);
  const { from, to } = typed.value;
  const isWhole = isDate(from) && isDate(to);
  const problem = !isWhole
    ? null
    : from > to
      ? t.periodRefused
      : daysIn({ from, to }) > mostDays
        ? t.periodTooLong
        : null;
  const apply = () => {
    if (isWhole && problem === null && (from !== dates.from || to !== dates.to)) onChange({ period: null, from, to });
  };
  const field = (name: keyof Dates, label: string) => (
    <input
      type="date"
      aria-label={label}
      title={label}
      value={typed.value[name]}
      aria-invalid={problem !== null || undefined}
      aria-describedby={problem === null ? undefined : 'period-problem'}
      onInput={({ currentTarget }) => {
        typed.value = { ...typed.value, [name]: currentTarget.value };
      }}
      onBlur={apply}
      onKeyDown={({ key }) => {
        if (key === 'Enter') apply();
      }}
    />
  );
  return (
    <span class="own-dates">
      {field('from', t.periodFrom)}
      <span aria-hidden="true">–</span>
      {field('to', t.periodTo)}
      {problem !== null && (
        <span id="period-problem" class="field-problem" role="alert">
          {problem}
        </span>
      )}
    </span>
  );
}

function GroupChoice({ choice, agentReports, onChange }: Part) {
  const days = daysIn(choice.dates);
  const offered = groups.filter(
    (group) =>
      (group !== 'agent' || agentReports !== 'off') &&
      (!['day', 'week', 'month'].includes(group) || offersTime(group, days)) &&
      (group !== 'site' || visibleSites.value.length > 1),
  );
  const site =
    choice.filter.site_id ?? chosenSite.value ?? (visibleSites.value.length === 1 ? visibleSites.value[0]?.id : null);
  const fields = site == null ? [] : (customFields(site).value ?? []).filter(({ type }) => type === 'select');
  const options = [
    ...offered.map((value) => ({ value: value as string, text: groupName(value) })),
    ...fields.map(({ key, label }) => ({ value: `field:${key}`, text: label })),
  ];
  return (
    <Combobox
      label={t.groupBy}
      value={choice.groupBy}
      options={
        options.some(({ value }) => value === choice.groupBy)
          ? options
          : [...options, { value: choice.groupBy, text: groupName(choice.groupBy) }]
      }
      onChange={(value) => onChange({ group_by: value })}
    >
      <span class="combobox-value">
        <span class="soft">{t.groupBy}</span>{' '}
        {options.find(({ value }) => value === choice.groupBy)?.text ?? groupName(choice.groupBy)}
      </span>
    </Combobox>
  );
}

const flags = ['unassigned', 'has_attachment', 'snoozed'] as const;

function Filters({ name, params, choice, agentReports }: ToolbarProps) {
  const adding = useSignal<ChoiceKey | null>(null);
  const { filter } = choice;
  const names = offeredNames();
  const choose = (change: Partial<Record<keyof ListFilter, unknown>>) => {
    const next = Object.entries({ ...filter, ...change }).filter(
      ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
    );
    go(pathWithFilter(name, params, Object.fromEntries(next)));
  };
  const keys = filterKeys.filter((key) => filter[key] !== undefined);
  const pending = adding.value !== null && !keys.includes(adding.value) ? adding.value : null;
  useEffect(() => {
    adding.value = null;
  }, [name]);
  const sites = visibleSites.value;
  return (
    <>
      <Menu
        label={filterWords.filter}
        buttonClass="button quiet tool"
        items={[
          ...(Object.keys(names) as (keyof typeof names)[])
            .filter(isChoice)
            .filter((key) => key !== 'assigned_to' || agentReports !== 'off')
            .map((key) => ({
              text: names[key],
              run: () => {
                // Of others the desk shows nothing.
                if (key === 'assigned_to' && agentReports === 'own') choose({ assigned_to: ['me'] });
                else adding.value = key;
              },
            })),
          ...flags
            .filter((key) => filter[key] === undefined)
            .map((key, index) => ({ text: names[key], isApart: index === 0, run: () => choose({ [key]: true }) })),
          ...(sites.length > 1 && chosenSite.value === null
            ? sites.slice(0, 12).map((site, index) => ({
                text: site.name,
                isApart: index === 0,
                run: () => choose({ site_id: site.id }),
              }))
            : []),
        ]}
      >
        <Icon name="filter" />
        {filterWords.filter}
      </Menu>
      {(keys.length > 0 || pending !== null) && (
        <div class="filter-chips">
          {[...keys, ...(pending === null ? [] : [pending])].map((key) => (
            <FilterChip key={key} field={key} filter={filter} adding={adding} choose={choose} />
          ))}
        </div>
      )}
    </>
  );
}
