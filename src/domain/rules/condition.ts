// One condition of a rule against one message.

import { mayMatch, patternTest } from './pattern.ts';
import type { RuleCategory, RuleCondition, RuleOperator } from './rule.ts';

/** A message as rules see it. */
export type RuleMessage = {
  from: { address: string; name: string } | null;
  to: readonly { address: string; name: string }[];
  cc: readonly { address: string; name: string }[];
  subject: string;
  /** The new text; rules look at its first 10000 characters. */
  body: string;
  /** Lower-case names. */
  headers: Readonly<Record<string, readonly string[] | undefined>>;
  attachmentNames: readonly string[];
  sizeBytes: number;
  spamScore: number | null;
  isReply: boolean;
  /** The ticket's category so far: of the ticket replied to, or the site's default. */
  category: RuleCategory | null;
};

type FieldKind = 'text' | 'number' | 'boolean';

const kinds: Readonly<Record<string, FieldKind>> = {
  from: 'text',
  from_domain: 'text',
  to: 'text',
  cc: 'text',
  subject: 'text',
  body: 'text',
  has_attachment: 'boolean',
  attachment_name: 'text',
  size: 'number',
  spam_score: 'number',
  is_reply: 'boolean',
  site_category: 'text',
};
export const ruleFields: readonly string[] = [...Object.keys(kinds), 'header:{name}'];

const operators: Readonly<Record<FieldKind, readonly RuleOperator[]>> = {
  text: ['equals', 'contains', 'starts_with', 'ends_with', 'matches', 'in', 'exists'],
  number: ['equals', 'in', 'gt', 'lt', 'exists'],
  boolean: ['equals', 'exists'],
};

/** Null for a field that does not exist. Headers are header:name. */
export function kindOfField(field: string): FieldKind | null {
  if (/^header:[!-9;-~]{1,120}$/.test(field)) return 'text';
  return Object.hasOwn(kinds, field) ? kinds[field]! : null;
}

export function operatorsOf(kind: FieldKind): readonly RuleOperator[] {
  return operators[kind];
}

export type ConditionResult = { condition: RuleCondition; holds: boolean; explanation: string };

/** How much of a text is looked at: the longest body that a message can have. */
const longestText = 10_000;
/** Of all values of one field, such as the recipients or a header that comes a hundred times. */
const mostText = 50_000;
const mostValues = 1_000;

/** The fields of one message, each prepared once however many rules ask for it. */
export class Fields {
  private readonly message: RuleMessage;
  private readonly written = new Map<string, readonly string[]>();
  private readonly prepared = new Map<string, readonly string[]>();
  private category: RuleCategory | null;

  constructor(message: RuleMessage) {
    this.message = message;
    this.category = message.category;
  }

  setCategory(category: RuleCategory | null): void {
    this.category = category;
    this.prepared.delete('site_category');
    this.written.delete('site_category');
  }

  /** All values of a text field, lower-case; a condition holds where one of them does. */
  texts(field: string): readonly string[] {
    let values = this.prepared.get(field);
    if (values === undefined) {
      values = this.originals(field).map((value) => value.toLowerCase());
      this.prepared.set(field, values);
    }
    return values;
  }

  /** The same values in the same order as they are written. */
  originals(field: string): readonly string[] {
    let values = this.written.get(field);
    if (values === undefined) {
      values = bounded(this.read(field));
      this.written.set(field, values);
    }
    return values;
  }

  number(field: string): number | null {
    return field === 'size' ? this.message.sizeBytes : this.message.spamScore;
  }

  boolean(field: string): boolean {
    return field === 'has_attachment' ? this.message.attachmentNames.length > 0 : this.message.isReply;
  }

  private read(field: string): readonly string[] {
    const { message } = this;
    const people = (list: readonly { address: string; name: string }[]) =>
      list.flatMap((each) => [each.address, each.name]).filter((each) => each !== '');
    if (field.startsWith('header:')) return headerOf(message, field.slice('header:'.length).toLowerCase());
    switch (field) {
      case 'from':
        return message.from === null ? [] : people([message.from]);
      case 'from_domain':
        return message.from?.address.includes('@')
          ? [message.from.address.slice(message.from.address.lastIndexOf('@') + 1)]
          : [];
      case 'to':
        return people(message.to);
      case 'cc':
        return people(message.cc);
      case 'subject':
        return message.subject === '' ? [] : [message.subject];
      case 'body':
        return message.body === '' ? [] : [message.body];
      case 'attachment_name':
        return message.attachmentNames;
      case 'site_category':
        return this.category === null ? [] : [this.category.slug, this.category.name, String(this.category.id)];
      default:
        return [];
    }
  }
}

/** Names of headers are a stranger's, and a rule's: none of them finds what every object has. */
function headerOf({ headers }: RuleMessage, name: string): readonly string[] {
  return Object.hasOwn(headers, name) ? (headers[name] ?? []) : [];
}

function bounded(values: readonly string[]): readonly string[] {
  let left = mostText;
  const kept: string[] = [];
  for (const value of values.slice(0, mostValues)) {
    const text = value.slice(0, Math.min(longestText, left));
    kept.push(text);
    left -= text.length;
    if (left <= 0) break;
  }
  return kept;
}

/**
 * The part of a message that the rules of a site look at, small enough to be sent to another process: no headers but those
 * that a condition names.
 */
export function messageForRules(
  message: RuleMessage,
  rules: readonly { conditions: readonly RuleCondition[] }[],
): RuleMessage {
  const people = (list: RuleMessage['to']) =>
    list
      .slice(0, mostValues)
      .map(({ address, name }) => ({ address: address.slice(0, longestText), name: name.slice(0, longestText) }));
  const headers: Record<string, readonly string[]> = Object.create(null);
  for (const { conditions } of rules)
    for (const { field } of conditions) {
      const name = field.startsWith('header:') ? field.slice('header:'.length).toLowerCase() : null;
      if (name !== null && !(name in headers)) headers[name] = bounded(headerOf(message, name));
    }
  return {
    ...message,
    to: people(message.to),
    cc: people(message.cc),
    body: message.body.slice(0, longestText),
    headers,
    attachmentNames: bounded(message.attachmentNames),
  };
}

/** A condition that is ready to be asked of many messages. */
export type ConditionTest = {
  condition: RuleCondition;
  /** @param check throws when the time is over */
  isFound: (fields: Fields, check?: () => void) => boolean;
};

/** Asks one condition of a message: whether it is found there, before it is negated. Throws TooSlow when the time is over. */
export type Ask = (test: ConditionTest, fields: Fields) => boolean;

/** The time for a message is over. */
export class TooSlow extends Error {
  override name = 'TooSlow';
}

/** Letter case never matters. A field that is absent holds nothing but a negated condition. */
export function prepareCondition(condition: RuleCondition): ConditionTest {
  // Made when it is asked for the first time: whoever tells what was found elsewhere never asks.
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
  // The category alone can change before the sentence is read.
  return condition.field === 'site_category' ? result.toJSON() : result;
}

/** The sentence is made when it is read: a thousand of them a message would cost more than the rules. */
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
    // Whoever writes that an attachment exists means that there is one.
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
  // Looking for a word is a hundred times faster than looking for an expression, and most messages lack the word.
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

/** What `exists` asks for, which needs no value. */
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

/** What is the case, with the value that was found: "from_domain is not “example.com” (it is “other.org”)". */
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
      ? 'it is absent'
      : `it is ${actual
          .slice(0, 3)
          .map((each) => `“${shortened(String(each))}”`)
          .join(', ')}`;
  return `${field} ${words[operator][found ? 0 : 1]} ${wanted.slice(0, 5).join(', ')} (${seen}).`;
}

function shortened(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 80).toWellFormed()}…`;
}
