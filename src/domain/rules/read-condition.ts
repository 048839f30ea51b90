// Reads one condition of a rule from the wire.
import { kindOfField, operatorsOf, ruleFields } from './fields.ts';
import { patternProblem } from './pattern.ts';
import { type RuleCondition, type RuleOperator, type RuleSurroundings, type RuleValue, ruleOperators } from './rule.ts';
import { isObject, isOneOf, isShortText, type RuleReading, ruleLimits } from './wire-reading.ts';

export function readCondition(reading: RuleReading, input: unknown, path: string): RuleCondition | null {
  if (!isObject(input)) return reading.wrong(path, 'Must be an object.');
  const { field, operator, negate = false } = input;
  const value = input.value ?? null;
  const kind = typeof field === 'string' ? kindOfField(field) : null;
  if (typeof field !== 'string' || kind === null)
    return reading.wrong(`${path}.field`, `Must be one of ${ruleFields.join(', ')}.`);
  if (!isOneOf(ruleOperators, operator))
    return reading.wrong(`${path}.operator`, `Must be one of ${ruleOperators.join(', ')}.`);
  if (!operatorsOf(kind).includes(operator)) {
    return reading.wrong(`${path}.operator`, `Must be one of ${operatorsOf(kind).join(', ')} for ${field}.`);
  }
  if (typeof negate !== 'boolean') return reading.wrong(`${path}.negate`, 'Must be true or false.');
  const problem = valueProblem(operator, kind, value);
  if (problem !== null) return reading.wrong(`${path}.value`, problem);
  if (field === 'site_category' && (operator === 'equals' || operator === 'in')) {
    const unknown = [value].flat().find((each) => !hasCategoryNamed(reading.surroundings, each));
    if (unknown !== undefined)
      return reading.wrong(`${path}.value`, `Names category ${String(unknown)}, which the site does not have.`);
  }
  return { field, operator: operator as RuleOperator, value: value as RuleValue, negate };
}

export function valueProblem(operator: RuleOperator, kind: string, value: unknown): string | null {
  if (operator === 'exists')
    return value === null || typeof value === 'boolean' ? null : 'Must be true, false or absent for exists.';
  if (operator === 'in') {
    if (!Array.isArray(value) || value.length === 0) return 'Must be a list of values for in.';
    if (value.length > ruleLimits.listItems) return `Must have at most ${ruleLimits.listItems} values.`;
    if (kind === 'number' && !value.every((each) => Number.isFinite(each))) return 'Must be a list of numbers.';
    return value.every((each) => isShortText(each) || Number.isFinite(each))
      ? null
      : 'Must be a list of short texts or numbers.';
  }
  if (kind === 'number') return typeof value === 'number' && Number.isFinite(value) ? null : 'Must be a number.';
  if (kind === 'boolean') return typeof value === 'boolean' ? null : 'Must be true or false.';
  if (operator === 'matches')
    return typeof value === 'string' ? patternProblem(value) : 'Must be a regular expression.';
  if (typeof value === 'number' && operator === 'equals') return null;
  if (typeof value !== 'string' || value === '') return 'Must be text.';
  return isShortText(value) ? null : `Must have at most ${ruleLimits.value} characters.`;
}

function hasCategoryNamed(surroundings: RuleSurroundings | undefined, value: unknown): boolean {
  const wanted = String(value).toLowerCase();
  const categories = surroundings?.categories;
  return (
    categories === undefined ||
    categories.some((each) => [String(each.id), each.slug.toLowerCase(), each.name.toLowerCase()].includes(wanted))
  );
}
