// Reads a rule from the wire's form. Errors by dotted path (docs/spec/api.md#errors).
import type { FieldErrors } from '../errors.ts';
import { readAction } from './inbound-actions.ts';
import { readCondition } from './read-condition.ts';
import type { RuleDraft, RuleSurroundings } from './rule.ts';
import { isObject, RuleReading, ruleLimits } from './wire-reading.ts';

type ReadRule = { rule: RuleDraft; errors: null } | { rule: null; errors: FieldErrors };

/** `match` defaults to `all`, `is_active` to true. With `surroundings`, everything the rule names must exist. */
export function readRule(input: unknown, surroundings?: RuleSurroundings): ReadRule {
  const reading = new RuleReading(surroundings);
  const rule = draftOf(reading, input);
  return Object.keys(reading.errors).length === 0 ? { rule, errors: null } : { rule: null, errors: reading.errors };
}

export function validateRule(input: unknown, surroundings?: RuleSurroundings): FieldErrors {
  return readRule(input, surroundings).errors ?? {};
}

function draftOf(reading: RuleReading, input: unknown): RuleDraft {
  const wire = isObject(input) ? input : {};
  const name = typeof wire.name === 'string' ? wire.name.trim() : '';
  if (name === '') reading.wrong('name', 'Is required.');
  else if ([...name].length > ruleLimits.name)
    reading.wrong('name', `Must have at most ${ruleLimits.name} characters.`);
  const match = wire.match ?? 'all';
  if (match !== 'all' && match !== 'any') reading.wrong('match', 'Must be all or any.');
  const actions = reading.list(wire.actions, 'actions', ruleLimits.actions, (each, path) =>
    readAction(reading, each, path),
  );
  if (Array.isArray(wire.actions) && wire.actions.length === 0)
    reading.wrong('actions', 'Must have at least one action.');
  return {
    name,
    isActive: reading.flag(wire, 'is_active', true),
    match: match === 'any' ? 'any' : 'all',
    conditions: reading.list(wire.conditions ?? [], 'conditions', ruleLimits.conditions, (each, path) =>
      readCondition(reading, each, path),
    ),
    actions,
    stopProcessing: reading.flag(wire, 'stop_processing', false),
  };
}
