// When a reply can be sent later: the usual moments, and what a date-time field means.

export interface SendTime {
  id: 'later' | 'tomorrow' | 'monday';
  at: Date;
}

const morning = 9;
const laterMs = 3 * 3_600_000;
export const mostDaysAhead = 90;

/** The usual moments after now, in the time of this computer. */
export function usualTimes(now: Date): SendTime[] {
  const tomorrow = atMorning(now, 1);
  const monday = atMorning(now, (8 - now.getDay()) % 7 || 7);
  const times: SendTime[] = [
    { id: 'later', at: new Date(now.getTime() + laterMs) },
    { id: 'tomorrow', at: tomorrow },
  ];
  return monday.getTime() === tomorrow.getTime() ? times : [...times, { id: 'monday', at: monday }];
}

function atMorning(now: Date, days: number): Date {
  const at = new Date(now);
  at.setDate(now.getDate() + days);
  at.setHours(morning, 0, 0, 0);
  return at;
}

/** What a `datetime-local` field holds for this moment. */
export function fieldValue(at: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** The moment in a `datetime-local` field, or what is wrong with it. */
export function sendTimeIn(value: string, now: Date): Date | 'missing' | 'past' | 'far' {
  const at = new Date(value);
  if (value === '' || Number.isNaN(at.getTime())) return 'missing';
  if (at.getTime() <= now.getTime()) return 'past';
  return at.getTime() > now.getTime() + mostDaysAhead * 86_400_000 ? 'far' : at;
}
