// Whether a trigger or a timed rule matches a ticket, and which of its conditions held.

import { prepareCondition, type Readable } from './condition.ts';
import type { FieldKind } from './fields.ts';
import type { RuleCondition, RuleMatch } from './rule.ts';
import { hasChanged } from './ticket-fields.ts';
import {
  type ChangeOperator,
  changeOperators,
  isGroup,
  type TicketChange,
  type TriggerCondition,
  type TriggerPart,
} from './trigger.ts';
import { isOneOf } from './wire-reading.ts';

export interface JudgedTicket {
  change: TicketChange;
  after: Readable;
  /** Made only if a condition asks. */
  before(): Readable;
}

type Test = { condition: TriggerCondition; cost: number; holds: (ticket: JudgedTicket, check: () => void) => boolean };
type Group = { match: RuleMatch; tests: (Test | Group)[]; cost: number };

export type PreparedTrigger = Group;

type KindOf = (field: string) => FieldKind | null;

/** The cheapest conditions are asked first: the order changes no answer. */
export function prepareTrigger(
  { match, conditions }: { match: RuleMatch; conditions: readonly TriggerPart[] },
  kindOf: KindOf,
): PreparedTrigger {
  const tests = conditions.map((part) => (isGroup(part) ? prepareTrigger(part, kindOf) : prepared(part, kindOf)));
  return { match, tests: tests.sort((a, b) => a.cost - b.cost), cost: Math.max(0, ...tests.map(({ cost }) => cost)) };
}

// Bodies and people are looked up, and patterns read the whole text.
const lookedUp = ['body', 'author', 'author_domain', 'participant', 'is_verified', 'working_hours'];

function prepared(condition: TriggerCondition, kindOf: KindOf): Test {
  const { field, operator, value, negate } = condition;
  const cost = Number(lookedUp.includes(field)) * 2 + Number(operator === 'matches') * 4;
  if (!isOneOf(changeOperators, operator)) {
    const test = prepareCondition({ ...condition, operator } as RuleCondition, kindOf(field));
    return { condition, cost, holds: ({ after }, check) => test.isFound(after, check) !== negate };
  }
  if (operator === 'changed') return { condition, cost, holds: ({ change }) => hasChanged(field, change) !== negate };
  const side = sideOf(field, operator, value, kindOf);
  return { condition, cost, holds: (ticket, check) => side(ticket, check) !== negate };
}

function sideOf(
  field: string,
  operator: Exclude<ChangeOperator, 'changed'>,
  value: TriggerCondition['value'],
  kindOf: KindOf,
): Test['holds'] {
  const is = { field, operator: Array.isArray(value) ? ('in' as const) : ('equals' as const), value, negate: false };
  const test = prepareCondition(is, kindOf(field));
  return ({ change, before, after }, check) =>
    hasChanged(field, change) && test.isFound(operator === 'changed_from' ? before() : after, check);
}

/** The conditions that held; null if the rule does not match. `check` may throw `TooSlow`. */
export function judgeTrigger(
  { match, tests }: PreparedTrigger,
  ticket: JudgedTicket,
  check: () => void,
): TriggerCondition[] | null {
  // Most rules match nothing: that makes nothing.
  let held: TriggerCondition[] | null = null;
  for (const test of tests) {
    const found =
      'tests' in test ? judgeTrigger(test, ticket, check) : test.holds(ticket, check) ? [test.condition] : null;
    if (match === 'all' && found === null) return null;
    if (match === 'any' && found !== null) return found;
    if (found !== null) held = held === null ? found : [...held, ...found];
  }
  return match === 'all' || tests.length === 0 ? (held ?? []) : null;
}
