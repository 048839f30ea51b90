// Prints how long 1,000,000 due dates take over a year's calendar with lunch breaks and holidays.

import { dayMs, minuteMs } from '../src/domain/instant.ts';
import { addWorkingTime, type BusinessHours, compileCalendar } from '../src/domain/sla/calendar.ts';

const day: [string, string][] = [
  ['09:00', '12:30'],
  ['13:00', '17:00'],
];
const businessHours: BusinessHours = {
  timezone: 'Europe/Amsterdam',
  weekly: { mon: day, tue: day, wed: day, thu: day, fri: day },
};
const calendar = compileCalendar(businessHours, ['2026-01-01', '2026-04-06', '2026-12-25']);
const yearStart = Temporal.Instant.from('2026-01-01T00:00Z').epochMilliseconds;
const count = 1_000_000;

const startedAt = performance.now();
let checksum = 0;
for (let index = 0; index < count; index += 1) {
  const from = yearStart + ((index * 7_919_333) % (365 * dayMs));
  checksum += addWorkingTime(calendar, from, ((index % 4800) + 1) * minuteMs) % 1000;
}
const tookMs = performance.now() - startedAt;
console.log(`${count} due computations: ${tookMs.toFixed(0)} ms (budget 5000 ms), checksum ${checksum}`);
