// Conditions and actions as the command line takes them: --if '<field> <operator> <value>' and --then '<action> <value>'.

import { kindOfField, ruleFields } from './fields.ts';
import { typedValue, unquoted } from './inbound-actions.ts';
import { type RuleSurroundings, ruleActionTypes, ruleOperators } from './rule.ts';
import { validateRule } from './validation.ts';
import { isOneOf } from './wire-reading.ts';

type WireCondition = { field: string; operator: string; value: unknown; negate: boolean };
type WireAction = { type: string; value: unknown };
type Parsed<T> = { value: T; error: null } | { value: null; error: string };

const conditionExample = "--if 'subject contains invoice' or --if 'from_domain not in example.com,example.org'";
const actionExample = "--then 'set_priority 3' or --then 'add_tags billing,vip'";

/** Reads `<field> [not] <operator> <value>`: commas separate list items, sizes take KB and MB, quotes are removed. */
export function parseCondition(text: string, surroundings?: RuleSurroundings): Parsed<WireCondition> {
  const words = /^\s*(\S+)\s+(?:(not)\s+)?(\S+)(?:\s+([\s\S]*))?$/i.exec(text.trim());
  if (words === null) return wrong(`“${text}” is not a condition. Examples: ${conditionExample}.`);
  const [, field = '', not, operatorWord = '', rest = ''] = words;
  const kind = kindOfField(field);
  if (kind === null) return wrong(`There is no field “${field}”. Fields are ${ruleFields.join(', ')}.`);
  const operator = operatorWord.toLowerCase();
  if (!ruleOperators.some((each) => each === operator)) {
    return wrong(`There is no operator “${operatorWord}”. Operators are ${ruleOperators.join(', ')}.`);
  }
  const value = conditionValue(field, kind, operator, unquoted(rest.trim()));
  if (value === undefined)
    return wrong(`“${rest.trim()}” is not ${kind === 'boolean' ? 'true or false' : 'a number'}, as ${field} needs.`);
  const condition = { field, operator, value, negate: not !== undefined };
  return checked(
    condition,
    validateRule({ name: '-', conditions: [condition], actions: [{ type: 'discard' }] }, surroundings),
    'conditions.0',
  );
}

/** Reads `<action> <value>`. Categories, priorities and agents can be named if `surroundings` are given. */
export function parseAction(text: string, surroundings?: RuleSurroundings): Parsed<WireAction> {
  const words = /^\s*(\S+)(?:\s+([\s\S]*))?$/.exec(text.trim());
  if (words === null) return wrong(`“${text}” is not an action. Examples: ${actionExample}.`);
  const type = words[1]!.toLowerCase();
  if (!isOneOf(ruleActionTypes, type))
    return wrong(`There is no action “${words[1]}”. Actions are ${ruleActionTypes.join(', ')}.`);
  const rest = unquoted((words[2] ?? '').trim());
  const value = typedValue(type, rest, surroundings);
  if (value === undefined) return wrong(`“${rest}” is not a value for ${type}.`);
  const action = { type, value };
  return checked(action, validateRule({ name: '-', actions: [action] }, surroundings), 'actions.0');
}

function conditionValue(field: string, kind: string, operator: string, text: string): unknown {
  if (operator === 'exists') return text === '' ? null : (booleanOf(text) ?? undefined);
  if (operator === 'in') {
    const items = text
      .split(',')
      .map((each) => unquoted(each.trim()))
      .filter((each) => each !== '');
    if (kind !== 'number') return items;
    const numbers = items.map((each) => numberOf(field, each));
    return numbers.includes(undefined) ? undefined : numbers;
  }
  if (kind === 'boolean') return text === '' ? true : (booleanOf(text) ?? undefined);
  return kind === 'number' ? numberOf(field, text) : text;
}

function numberOf(field: string, text: string): number | undefined {
  const match = /^(-?\d{1,12}(?:\.\d{1,6})?)\s*([km]?b?)$/i.exec(text);
  if (match === null || (match[2] !== '' && field !== 'size')) return undefined;
  const unit = match[2]!.toLowerCase();
  return Number(match[1]) * (unit.startsWith('k') ? 1024 : unit.startsWith('m') ? 1024 * 1024 : 1);
}

function booleanOf(text: string): boolean | null {
  if (/^(true|yes|1)$/i.test(text)) return true;
  return /^(false|no|0)$/i.test(text) ? false : null;
}

function checked<T>(value: T, errors: Record<string, string[]>, path: string): Parsed<T> {
  const [at, messages] = Object.entries(errors).find(([key]) => key.startsWith(path)) ?? [];
  if (at === undefined) return { value, error: null };
  return wrong(`${at.slice(path.length + 1)}: ${messages?.[0] ?? 'not valid'}`);
}

function wrong(error: string): { value: null; error: string } {
  return { value: null, error };
}
