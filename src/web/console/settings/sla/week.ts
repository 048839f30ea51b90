// The working week as it is edited. A day is text such as "09:00-12:30,13:00-17:00", as at the command line.

import { minutesPerDay, type Weekday, weekdays } from '../../../../domain/sla/calendar.ts';

/** In minutes of the day on which it begins. A night shift ends after 24:00. */
export interface Shift {
  from: number;
  to: number;
}

export type Week = Record<Weekday, string>;
export type WeeklyHours = Partial<Record<Weekday, [string, string][]>>;

export const isOvernight = ({ to }: Shift) => to > minutesPerDay;

export const stepMinutes = 15;
const newMinutes = 60;
const longestNightShift = 12 * 60;

export function clockTime(minutes: number): string {
  const inDay = minutes > minutesPerDay ? minutes - minutesPerDay : minutes;
  return `${String(Math.floor(inDay / 60)).padStart(2, '0')}:${String(inDay % 60).padStart(2, '0')}`;
}

function minutesOf(time: string): number {
  const [hours, minutes] = time.split(':');
  return Number(hours) * 60 + Number(minutes);
}

/** An end that is not after the start is on the next day; midnight ends the same day. */
export function shiftOf(start: string, end: string): Shift {
  const from = minutesOf(start);
  const to = end === '00:00' ? minutesPerDay : minutesOf(end);
  return { from, to: to < from ? to + minutesPerDay : to };
}

export function shiftsOf(day: string): Shift[] {
  if (day === '') return [];
  return day.split(',').map((shift) => {
    const [start = '', end = ''] = shift.split('-');
    return shiftOf(start, end);
  });
}

export const dayOf = (shifts: readonly Shift[]): string =>
  shifts.map(({ from, to }) => `${clockTime(from)}-${clockTime(to)}`).join(',');

export function weekOf(weekly: WeeklyHours): Week {
  const days = weekdays.map((day) => [day, (weekly[day] ?? []).map(([from, to]) => `${from}-${to}`).join(',')]);
  return Object.fromEntries(days) as Week;
}

/** Days without hours are left out. */
export function weeklyOf(week: Week): WeeklyHours {
  const open = weekdays.filter((day) => week[day] !== '');
  const inOrder = (day: string) => shiftsOf(day).sort((one, other) => one.from - other.from);
  return Object.fromEntries(
    open.map((day) => [day, inOrder(week[day]).map(({ from, to }) => [clockTime(from), clockTime(to)])]),
  );
}

export const minutesInWeek = (week: Week): number =>
  weekdays.flatMap((day) => shiftsOf(week[day])).reduce((sum, { from, to }) => sum + to - from, 0);

/** What is free around a shift. A night shift may end later, but not become longer than one can be. */
function roomOf(shifts: readonly Shift[], at: number): Shift {
  const { from, to } = shifts[at]!;
  const others = shifts.filter((_, index) => index !== at);
  const before = others.filter((other) => other.from < from).map((other) => other.to);
  const after = others.filter((other) => other.from > from).map((other) => other.from);
  return {
    from: Math.max(0, ...before),
    to: Math.min(to > minutesPerDay ? from + longestNightShift : minutesPerDay, ...after),
  };
}

const within = (value: number, least: number, most: number) => Math.min(Math.max(value, least), Math.max(least, most));
const changed = (shifts: readonly Shift[], at: number, shift: Shift) =>
  shifts.map((one, index) => (index === at ? shift : one));

export type Grip = 'whole' | 'start' | 'end';

/** By as many minutes as there is room. */
export function dragged(shifts: readonly Shift[], at: number, grip: Grip, by: number): Shift[] {
  const { from, to } = shifts[at]!;
  const room = roomOf(shifts, at);
  if (grip === 'start') return changed(shifts, at, { from: within(from + by, room.from, to - stepMinutes), to });
  if (grip === 'end') return changed(shifts, at, { from, to: within(to + by, from + stepMinutes, room.to) });
  // A night shift moves as far as its start stays on its day.
  const latest = to > minutesPerDay ? minutesPerDay - stepMinutes : room.to - (to - from);
  const start = within(from + by, room.from, latest);
  return changed(shifts, at, { from: start, to: start + to - from });
}

/** A new one that begins there, as long as there is room. Null: something is there already. */
export function begun(shifts: readonly Shift[], from: number): { shifts: Shift[]; at: number } | null {
  const start = within(Math.floor(from / stepMinutes) * stepMinutes, 0, minutesPerDay - stepMinutes);
  if (shifts.some((shift) => shift.from <= start && start < shift.to)) return null;
  const next = Math.min(minutesPerDay, ...shifts.map((shift) => shift.from).filter((other) => other > start));
  const all = [...shifts, { from: start, to: Math.min(start + newMinutes, next) }];
  all.sort((one, other) => one.from - other.from);
  return { shifts: all, at: all.findIndex((shift) => shift.from === start) };
}

const preferred = [9 * 60, 13 * 60];
const officeMinutes = 8 * 60;

/** For a button: a whole day where the day is free, else an hour in the first gap. */
export function added(shifts: readonly Shift[]): { shifts: Shift[]; at: number } | null {
  if (shifts.length === 0) return { shifts: [{ from: preferred[0]!, to: preferred[0]! + officeMinutes }], at: 0 };
  for (const from of [...preferred, ...shifts.map(({ to }) => to), 0].filter((start) => start < minutesPerDay)) {
    const found = begun(shifts, from);
    if (found !== null) return found;
  }
  return null;
}

/** As the command line takes it: "mon-fri 09:00-17:00; sat 10:00-14:00". */
export function asFlag(week: Week): string {
  const parts: { first: Weekday; last: Weekday; hours: string }[] = [];
  for (const [index, day] of weekdays.entries()) {
    const before = parts.at(-1);
    if (week[day] === '') continue;
    if (before !== undefined && before.hours === week[day] && weekdays[index - 1] === before.last) before.last = day;
    else parts.push({ first: day, last: day, hours: week[day] });
  }
  return parts.map(({ first, last, hours }) => `${first === last ? first : `${first}-${last}`} ${hours}`).join('; ');
}
