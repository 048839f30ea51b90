// The working hours of a site as a form edits them, so that each day and the holidays are compared and kept by themselves.

import type { Refusal } from '../../../shared/api.ts';
import { fieldProblems } from '../../../shared/refusal-text.ts';
import { holidaysText, storedHolidays } from './holidays.ts';
import { t } from './messages.ts';
import { asFlag, type Week, weeklyOf, weekOf } from './week.ts';
import type { SiteWithPolicy, SlaPolicy } from './wire.ts';

export interface HoursValues extends Week {
  isAlways: boolean;
  timezone: string;
  holidays: string;
}

const office: [string, string][] = [['09:00', '17:00']];
const officeHours = { mon: office, tue: office, wed: office, thu: office, fri: office };

/** A site that is open around the clock starts from office hours, where the reader is. */
export function hoursOf({ sla_policy: { business_hours: hours, ...policy } }: SiteWithPolicy): HoursValues {
  return {
    ...weekOf(hours?.weekly ?? officeHours),
    isAlways: hours === null,
    timezone: hours?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    holidays: holidaysText(policy),
  };
}

export function policyOf(values: HoursValues): Omit<SlaPolicy, 'pause_while_pending' | 'warn_at_percent'> {
  const { isAlways, timezone, holidays } = values;
  return { business_hours: isAlways ? null : { timezone, weekly: weeklyOf(values) }, ...storedHolidays(holidays) };
}

export function commandOf(slug: string, values: HoursValues): string[] {
  const { holidays } = storedHolidays(values.holidays);
  return [
    ...['helpdesk', 'site', 'update', slug],
    ...(values.isAlways ? ['--business-hours', 'always'] : ['--timezone', values.timezone]),
    ...(values.isAlways ? [] : ['--business-hours', asFlag(values)]),
    ...['--holidays', holidays.join(',')],
  ];
}

const start = 'sla_policy.';
const inDay = /^business_hours\.weekly\.([a-z]{3})\.\d+(?:\.(\d))?$/;

/** The desk checks; here its answer is said in the reader's language, beside what it is about. */
export function hoursProblems(refusal: Refusal): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [path, sentence] of Object.entries(fieldProblems(refusal))) {
    const name = path.startsWith(start) ? path.slice(start.length) : path;
    const [, day, part] = inDay.exec(name) ?? [];
    if (day !== undefined) found[day] = part === '1' ? t.hoursEndRefused : t.hoursOverlap;
    else if (name === 'business_hours.weekly') found.mon = t.hoursMissing;
    else if (name === 'business_hours.timezone') found.timezone = sentence;
    else found.holidays = name === 'holidays' ? t.holidaysLeaveNothing : sentence;
  }
  return found;
}
