// What the conditions of triggers and timed rules name of a site: for moving a site to another desk, and for its file of settings.

import type { Rename } from './action-values.ts';
import type { ConditionGroup, TriggerCondition, TriggerPart } from './trigger.ts';
import { isGroup } from './trigger.ts';

const named = { category: 'category', priority: 'priority', assignee: 'agent', team: 'team' } as const;
const naming = ['equals', 'in', 'changed_from', 'changed_to'];

export function renameInConditions(parts: readonly TriggerPart[], rename: Rename): TriggerPart[] {
  return parts.map((part, at) => {
    const path = `conditions.${at}`;
    if (!isGroup(part)) return renamedCondition(part, rename, path);
    const conditions = part.conditions.map((one, place) =>
      renamedCondition(one, rename, `${path}.conditions.${place}`),
    );
    return { ...part, conditions } satisfies ConditionGroup;
  });
}

/** Conditions can name things by words, which stay. */
function renamedCondition(condition: TriggerCondition, rename: Rename, path: string): TriggerCondition {
  const { field, operator, value } = condition;
  if (!Object.hasOwn(named, field) || !naming.includes(operator)) return condition;
  const kind = named[field as keyof typeof named];
  const one = (each: unknown) => (/^\d{1,15}$/.test(String(each)) ? rename(kind, Number(each), `${path}.value`) : each);
  return { ...condition, value: (Array.isArray(value) ? value.map(one) : one(value)) as TriggerCondition['value'] };
}
