// One condition of a rule against one message.

import { type Fields, kindOfField } from './fields.ts';
import { mayMatch, patternTest } from './pattern.ts';
import type { ConditionResult, RuleCondition, RuleOperator } from './rule.ts';

export type ConditionTest = {
  condition: RuleCondition;
  isFound: (fields: Fields, check?: () => void) => boolean;
};

export type Ask = (test: ConditionTest, fields: Fields) => boolean;

export class TooSlow extends Error {
  override name = 'TooSlow';
}

/** Ignores case. A missing field satisfies only a negated condition. */
export function prepareCondition(condition: RuleCondition): ConditionTest {
  // Compiled on first use: a process that only reads findings never compiles.
  let test: ConditionTest['isFound'] | null = null;
  return {
    condition,
    isFound(fields, check) {
      test ??= testOf(condition);
      return test(fields, check);
    },
  };
}

export function conditionHolds(test: ConditionTest, fields: Fields, ask: Ask): ConditionResult {
  const { condition } = test;
  const found = ask(test, fields);
  const result = new Judged(condition, found !== condition.negate, found, fields);
  return condition.field === 'site_category' ? result.toJSON() : result;
}

// Builds its sentence when read: building a thousand per message would cost more than the rules.
class Judged implements ConditionResult {
  readonly condition: RuleCondition;
  readonly holds: boolean;
  readonly #found: boolean;
  readonly #fields: Fields;

  constructor(condition: RuleCondition, holds: boolean, found: boolean, fields: Fields) {
    this.condition = condition;
    this.holds = holds;
    this.#found = found;
    this.#fields = fields;
  }

  get explanation(): string {
    return explain(this.condition, this.#fields, this.#found);
  }

  toJSON(): ConditionResult {
    return { condition: this.condition, holds: this.holds, explanation: this.explanation };
  }
}

function testOf({ field, operator, value }: RuleCondition): ConditionTest['isFound'] {
  const kind = kindOfField(field);
  if (kind === null) return () => false;
  if (kind === 'boolean') {
    // For a boolean, "exists" means "is true".
    const wanted = operator === 'exists' ? isExisting(value) : isTrue(value);
    return (fields) => fields.boolean(field) === wanted;
  }
  if (kind === 'number') return (fields) => testNumber(operator, value, fields.number(field));
  const wanted = String(value).toLowerCase();
  switch (operator) {
    case 'exists': {
      const isWantedThere = isExisting(value);
      return (fields) => fields.texts(field).length > 0 === isWantedThere;
    }
    case 'in': {
      const list = new Set([value].flat().map((each) => String(each).toLowerCase()));
      return (fields) => fields.texts(field).some((text) => list.has(text));
    }
    case 'matches':
      return matchOf(field, String(value));
    case 'equals':
      return (fields) => fields.texts(field).includes(wanted);
    case 'contains':
      return (fields) => fields.texts(field).some((text) => text.includes(wanted));
    case 'starts_with':
      return (fields) => fields.texts(field).some((text) => text.startsWith(wanted));
    case 'ends_with':
      return (fields) => fields.texts(field).some((text) => text.endsWith(wanted));
    default:
      return () => false;
  }
}

function matchOf(field: string, pattern: string): ConditionTest['isFound'] {
  // A substring search is a hundred times faster than a regular expression, and most messages lack the word.
  const mayHold = mayMatch(pattern);
  return (fields, check) => {
    const texts = fields.texts(field);
    if (!texts.some(mayHold)) return false;
    const matches = patternTest(pattern);
    const originals = fields.originals(field);
    return matches !== null && texts.some((lower, at) => mayHold(lower) && matches(originals[at]!, check));
  };
}

function testNumber(operator: RuleOperator, value: RuleCondition['value'], actual: number | null): boolean {
  if (operator === 'exists') return (actual !== null) === isExisting(value);
  if (actual === null) return false;
  if (operator === 'in') return [value].flat().some((each) => Number(each) === actual);
  const wanted = Number(value);
  if (operator === 'gt') return actual > wanted;
  if (operator === 'lt') return actual < wanted;
  return operator === 'equals' && actual === wanted;
}

function isExisting(value: RuleCondition['value']): boolean {
  return value === null || value === '' || isTrue(value);
}

function isTrue(value: unknown): boolean {
  return value === true || value === 'true' || value === 1 || value === '1';
}

const words: Readonly<Record<RuleOperator, readonly [string, string]>> = {
  equals: ['is', 'is not'],
  contains: ['contains', 'does not contain'],
  starts_with: ['starts with', 'does not start with'],
  ends_with: ['ends with', 'does not end with'],
  matches: ['matches', 'does not match'],
  in: ['is one of', 'is none of'],
  gt: ['is above', 'is not above'],
  lt: ['is below', 'is not below'],
  exists: ['exists', 'does not exist'],
};

function explain(condition: RuleCondition, fields: Fields, found: boolean): string {
  const { field, operator, value } = condition;
  if (operator === 'exists') {
    const isWantedAbsent = !isExisting(value);
    return `${field} ${words.exists[found === isWantedAbsent ? 1 : 0]}.`;
  }
  const wanted = [value].flat().map((each) => `“${shortened(String(each))}”`);
  const kind = kindOfField(field);
  const actual =
    kind === 'number'
      ? [fields.number(field)].filter((each) => each !== null)
      : kind === 'boolean'
        ? [fields.boolean(field)]
        : fields.originals(field);
  const seen =
    actual.length === 0
      ? 'it is missing'
      : `it is ${actual
          .slice(0, 3)
          .map((each) => `“${shortened(String(each))}”`)
          .join(', ')}`;
  return `${field} ${words[operator][found ? 0 : 1]} ${wanted.slice(0, 5).join(', ')} (${seen}).`;
}

function shortened(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 80).toWellFormed()}…`;
}
