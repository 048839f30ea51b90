// Times in a conversation, as short as they can be without a doubt.

import { now } from '../../../shared/clock.ts';
import { dayKey, formatDate, locale } from '../../../shared/format.ts';
import { t } from '../messages.ts';

const dayMs = 86_400_000;

export function timeOfDay(iso: string): string {
  return formatDate(iso, { timeStyle: 'short' });
}

export function dayName(iso: string): string {
  const key = dayKey(iso);
  if (key === dayKey(now())) return t.today;
  if (key === dayKey(now() - dayMs)) return t.yesterday;
  return formatDate(iso, {
    weekday: 'short',
    day: 'numeric',
    month: 'long',
    ...(isThisYear(iso) ? {} : { year: 'numeric' }),
  });
}

/** For sentences: with the day, unless it is today. */
export function moment(iso: string): string {
  if (dayKey(iso) === dayKey(now())) return timeOfDay(iso);
  return formatDate(iso, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
    ...(isThisYear(iso) ? {} : { year: 'numeric' }),
  });
}

function isThisYear(iso: string): boolean {
  const year = { year: 'numeric' } as const;
  return formatDate(iso, year) === formatDate(now(), year);
}

export function listOf(words: readonly string[]): string {
  return new Intl.ListFormat(locale(), { type: 'conjunction' }).format(words);
}
