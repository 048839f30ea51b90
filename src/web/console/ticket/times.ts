// Times in a conversation, as short as they can be without a doubt.

import { now } from '../../shared/clock.ts';
import { locale } from '../../shared/format.ts';
import { t } from './messages.ts';

const dayMs = 86_400_000;

export function timeOfDay(iso: string): string {
  return new Intl.DateTimeFormat(locale(), { timeStyle: 'short' }).format(new Date(iso));
}

/** The same for moments of one day. */
export function dayKey(iso: string): string {
  return new Date(iso).toDateString();
}

export function dayName(iso: string): string {
  const key = dayKey(iso);
  if (key === new Date(now()).toDateString()) return t.today;
  if (key === new Date(now() - dayMs).toDateString()) return t.yesterday;
  const at = new Date(iso);
  const isThisYear = at.getFullYear() === new Date(now()).getFullYear();
  return new Intl.DateTimeFormat(locale(), {
    weekday: 'short',
    day: 'numeric',
    month: 'long',
    ...(isThisYear ? {} : { year: 'numeric' }),
  }).format(at);
}

/** For sentences: with the day, unless it is today. */
export function moment(iso: string): string {
  if (dayKey(iso) === new Date(now()).toDateString()) return timeOfDay(iso);
  const at = new Date(iso);
  const isThisYear = at.getFullYear() === new Date(now()).getFullYear();
  return new Intl.DateTimeFormat(locale(), {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
    ...(isThisYear ? {} : { year: 'numeric' }),
  }).format(at);
}

export function listOf(words: readonly string[]): string {
  return new Intl.ListFormat(locale(), { type: 'conjunction' }).format(words);
}

export function fileSize(bytes: number): string {
  const [unit, value] = bytes < 1_000_000 ? ['kilobyte', Math.max(1, bytes / 1000)] : ['megabyte', bytes / 1_000_000];
  return new Intl.NumberFormat(locale(), {
    style: 'unit',
    unit: String(unit),
    unitDisplay: 'short',
    maximumFractionDigits: unit === 'megabyte' ? 1 : 0,
  }).format(Number(value));
}
