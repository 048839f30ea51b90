// What groups are called: those to group by, and each row of a report.

import { otherGroups, timeGroups } from '../../../domain/reports/metrics.ts';
import { type Weekday, weekdays } from '../../../domain/sla/calendar.ts';
import { locale } from '../../shared/format.ts';
import { t as shared } from '../../shared/messages.ts';
import { dateText, dayName, inZone } from '../zone.ts';
import { t } from './messages.ts';
import type { ReportRow } from './wire.ts';

type Group = (typeof timeGroups)[number] | (typeof otherGroups)[number];

const names: Readonly<Record<Group, () => string>> = {
  day: () => t.groupDay,
  week: () => t.groupWeek,
  month: () => t.groupMonth,
  hour: () => t.groupHour,
  site: () => t.site,
  agent: () => t.groupAgent,
  team: () => t.team,
  category: () => t.category,
  priority: () => t.priority,
  source: () => t.groupSource,
  tag: () => t.tags,
  sender: () => t.groupSender,
};

export const groupName = (group: string) => names[group as Group]?.() ?? group;
export const groups = [...timeGroups, ...otherGroups] as readonly Group[];

const dateOf = (date: string) => Date.parse(`${date}T00:00:00Z`);

/** Of an hour such as `mon-09`. */
export function hourOf(key: string): { day: number; hour: number } {
  const [day = '', hour = ''] = key.split('-');
  return { day: weekdays.indexOf(day as Weekday), hour: Number(hour) };
}

export function hourText(hour: number): string {
  return inZone(hour * 3_600_000, 'UTC', { hour: 'numeric', minute: '2-digit' });
}

/** The name of a row, in full. */
export function rowText(groupBy: string, { group, label }: Pick<ReportRow, 'group' | 'label'>): string {
  if (group === null) return shared.nothingChosen;
  const key = String(group);
  if (groupBy === 'month') return inZone(dateOf(key), 'UTC', { month: 'long', year: 'numeric' });
  if (groupBy === 'day' || groupBy === 'week') return dateText(key);
  if (groupBy === 'hour') {
    const { day, hour } = hourOf(key);
    return `${dayName(day)} ${hourText(hour)}`;
  }
  if (groupBy === 'source') return sources[key]?.() ?? key;
  return label ?? `#${key}`;
}

const sources: Readonly<Record<string, () => string>> = {
  email: () => t.sourceMail,
  web: () => t.sourceForm,
  agent: () => t.groupAgent,
  api: () => 'API',
};

/** Below a chart, where room is short. */
export function tickText(groupBy: string, key: string): string {
  const format = groupBy === 'month' ? { month: 'short', year: '2-digit' } : { day: 'numeric', month: 'short' };
  return new Intl.DateTimeFormat(locale(), { ...(format as Intl.DateTimeFormatOptions), timeZone: 'UTC' }).format(
    dateOf(key),
  );
}
