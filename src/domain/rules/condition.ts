// One condition of a rule against one message.

import { type FieldKind, type Fields, kindOfField } from './fields.ts';
import { patternTest } from './pattern.ts';
import type { ConditionResult, RuleCondition, RuleOperator } from './rule.ts';

/** The values that conditions look at. */
export type Readable = Pick<Fields, 'texts' | 'originals' | 'number' | 'boolean'>;

export type ConditionTest = {
  condition: RuleCondition;
  isFound: (fields: Readable, check?: () => void) => boolean;
};

export type Ask = (test: ConditionTest, fields: Readable) => boolean;

export class TooSlow extends Error {
  override name = 'TooSlow';
}

/** Ignores case. A missing field satisfies only a negated condition. */
export function prepareCondition(
  condition: RuleCondition,
  kind: FieldKind | null = kindOfField(condition.field),
): ConditionTest {
  // Compiled on first use: a process that only reads findings never compiles.
  let test: ConditionTest['isFound'] | null = null;
  return {
    condition,
    isFound(fields, check) {
      test ??= testOf(condition, kind);
      return test(fields, check);
    },
  };
}

export function conditionHolds(test: ConditionTest, fields: Readable, ask: Ask): ConditionResult {
  const { condition } = test;
  const found = ask(test, fields);
  const result = new Judged(condition, found !== condition.negate, found, fields);
  // What later actions change is told as it was.
  return condition.field === 'site_category' || condition.field === 'participant' ? result.toJSON() : result;
}

// Builds its sentence when read: building a thousand per message would cost more than the rules.
class Judged implements ConditionResult {
  readonly condition: RuleCondition;
  readonly holds: boolean;
  readonly #found: boolean;
  readonly #fields: Readable;

  constructor(condition: RuleCondition, holds: boolean, found: boolean, fields: Readable) {
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

function testOf({ field, operator, value }: RuleCondition, kind: FieldKind | null): ConditionTest['isFound'] {
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
  return (fields, check) => {
    const matches = patternTest(pattern);
    return matches !== null && fields.originals(field).some((text) => matches(text, check));
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

function explain(condition: RuleCondition, fields: Readable, found: boolean): string {
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
