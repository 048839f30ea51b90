// Until when a ticket can be snoozed with one click, in the agent's own time.

export interface SnoozeTime {
  name: 'laterToday' | 'tomorrow' | 'nextWeek' | 'nextMonth';
  at: Date;
}

const morning = 9;
const evening = 18;

export function snoozeTimes(now: Date): SnoozeTime[] {
  const at = (days: number, hour: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour);
  const times: SnoozeTime[] = [];
  const later = new Date(now.getFullYear(), now.getMonth(), now.getDate(), now.getHours() + 3);
  if (later < at(0, evening)) times.push({ name: 'laterToday', at: later });
  times.push({ name: 'tomorrow', at: at(1, morning) });
  // On a Sunday, Monday is tomorrow: then the week after.
  const toMonday = (8 - now.getDay()) % 7 || 7;
  times.push({ name: 'nextWeek', at: at(toMonday === 1 ? 8 : toMonday, morning) });
  times.push({ name: 'nextMonth', at: new Date(now.getFullYear(), now.getMonth() + 1, 1, morning) });
  return times;
}

const mostMs = 365 * 86_400_000;

/** From a field of type datetime-local. Null for what the desk would refuse. */
export function snoozeTimeIn(text: string, now: Date): Date | null {
  const at = new Date(text);
  const ms = at.getTime() - now.getTime();
  return Number.isNaN(ms) || ms <= 0 || ms > mostMs ? null : at;
}
