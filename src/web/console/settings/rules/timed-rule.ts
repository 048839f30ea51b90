// A timed rule as its form has it, and as the API takes it.

import type * as z from 'zod';
import { mostTimedMinutes, type TimedSince, type TimedTime } from '../../../../domain/rules/timed-rule.ts';
import type { timedRuleShape } from '../../../../http/wire/rules/automation.ts';
import { emptyParts, partsBody, partValues, problemsInParts, type RuleParts } from './draft.ts';
import { t } from './messages.ts';
import type { Names } from './names.ts';
import { numberIn } from './value-parts.tsx';
import { timeVocabulary } from './vocabulary.ts';

export type TimedRule = z.output<typeof timedRuleShape>;

const units = { minute: 1, hour: 60, day: 1440 } as const;
export type Unit = keyof typeof units;

/** As it is typed. */
export interface Span {
  amount: string;
  unit: Unit;
  time: TimedTime;
}

export interface TimedValues extends RuleParts {
  since: TimedSince;
  /** JSON of a `Span`, whose parts mean nothing without one another. */
  span: string;
}

/** A day of working time would be many days. */
export const unitsOf = (time: TimedTime): Unit[] =>
  time === 'working' ? ['minute', 'hour'] : ['minute', 'hour', 'day'];

/** In its largest unit that leaves nothing. */
export function spanOf({ minutes, time }: Pick<TimedRule, 'minutes' | 'time'>): Span {
  const unit = unitsOf(time).findLast((one) => minutes % units[one] === 0) ?? 'minute';
  return { amount: String(minutes / units[unit]), unit, time };
}

/** Days become hours where they are not offered. */
export function withTime(span: Span, time: TimedTime): Span {
  if (unitsOf(time).includes(span.unit)) return { ...span, time };
  const hours = (numberIn(span.amount) ?? 0) * (units[span.unit] / units.hour);
  return { amount: String(hours), unit: 'hour', time };
}

export const spanIn = ({ span }: TimedValues): Span => JSON.parse(span);

const threeDays = 4320;

export const emptyTimed: TimedValues = {
  ...{ ...emptyParts, since: 'status_changed' },
  span: JSON.stringify(spanOf({ minutes: threeDays, time: 'calendar' })),
};

export const valuesOf = (rule: TimedRule): TimedValues => ({
  ...{ ...partValues(rule, timeVocabulary), since: rule.since, span: JSON.stringify(spanOf(rule)) },
});

const minutesOf = ({ amount, unit }: Span) => (numberIn(amount) ?? Number.NaN) * units[unit];

export const bodyOf = (values: TimedValues, names: Names) => {
  const { name, ...parts } = partsBody(values, timeVocabulary, names);
  const span = spanIn(values);
  return { name, since: values.since, minutes: minutesOf(span), time: span.time, ...parts };
};

export function problemsIn(values: TimedValues, names: Names): Record<string, string> {
  const span = spanIn(values);
  const minutes = minutesOf(span);
  const isRight = Number.isInteger(minutes) && minutes >= 1 && minutes <= mostTimedMinutes;
  return {
    ...problemsInParts(values, timeVocabulary, names),
    ...(isRight ? {} : { minutes: span.amount.trim() === '' ? t.required : t.timedRefused }),
  };
}
