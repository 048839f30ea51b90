// Holidays as they are edited: a line for each date, such as "2026-12-25 Christmas Day".

import { nextDate } from '../../zone.ts';

export interface Holiday {
  first: string;
  last: string;
  name: string;
}

interface StoredHolidays {
  holidays: string[];
  holiday_names: Record<string, string>;
}

export const holidaysText = ({ holidays, holiday_names: names }: StoredHolidays): string =>
  [...holidays]
    .sort()
    .map((date) => `${date} ${names[date] ?? ''}`.trimEnd())
    .join('\n');

const linesOf = (text: string) =>
  text === '' ? [] : text.split('\n').map((line) => ({ date: line.slice(0, 10), name: line.slice(11) }));

export function storedHolidays(text: string): StoredHolidays {
  const lines = linesOf(text);
  return {
    holidays: lines.map(({ date }) => date),
    holiday_names: Object.fromEntries(lines.filter(({ name }) => name !== '').map(({ date, name }) => [date, name])),
  };
}

/** Days of one name that follow one another are one entry. */
export function holidaysIn(text: string): Holiday[] {
  const found: Holiday[] = [];
  for (const { date, name } of linesOf(text)) {
    const before = found.at(-1);
    if (before !== undefined && before.name === name && name !== '' && nextDate(before.last) === date)
      before.last = date;
    else found.push({ first: date, last: date, name });
  }
  return found;
}

function datesOf({ first, last }: Holiday): string[] {
  const dates = [first];
  for (let date = first; date < last; ) {
    date = nextDate(date);
    dates.push(date);
  }
  return dates;
}

export function withHoliday(text: string, holiday: Holiday): string {
  const { holidays, holiday_names: names } = storedHolidays(withoutHoliday(text, holiday));
  const dates = datesOf(holiday);
  return holidaysText({
    holidays: [...holidays, ...dates],
    holiday_names: { ...names, ...Object.fromEntries(dates.map((date) => [date, holiday.name])) },
  });
}

export function withoutHoliday(text: string, { first, last }: Holiday): string {
  const kept = linesOf(text).filter(({ date }) => date < first || date > last);
  return kept.map(({ date, name }) => `${date} ${name}`.trimEnd()).join('\n');
}
