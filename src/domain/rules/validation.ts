// Whether a rule as the wire has it is sound, and the rule it becomes. Errors by dotted path (docs/spec/api.md#errors).
import { isAddress, normaliseEmail } from '../address.ts';
import type { FieldErrors } from '../errors.ts';
import { kindOfField, operatorsOf, ruleFields } from './condition.ts';
import { patternProblem } from './pattern.ts';
import {
  type RuleAction,
  type RuleCondition,
  type RuleDraft,
  type RuleOperator,
  type RuleStatus,
  type RuleSurroundings,
  type RuleValue,
  ruleOperators,
  ruleStatuses,
} from './rule.ts';

const ruleLimits = {
  name: 255,
  conditions: 50,
  actions: 20,
  value: 1000,
  listItems: 500,
  tags: 10,
  metadataKeys: 50,
  metadataBytes: 4096,
  note: 10_000,
} as const;

export const ruleActionTypes = [
  'set_category',
  'set_priority',
  'assign',
  'add_tags',
  'set_metadata',
  'set_status',
  'note',
  'forward',
  'discard',
] as const;

type ReadRule = { rule: RuleDraft; errors: null } | { rule: null; errors: FieldErrors };

/**
 * Reads {name, is_active, match, conditions, actions, stop_processing}; match is `all`, is_active true and stop_processing
 * false where they are absent. With `surroundings`, what the rule names must exist too.
 */
export function readRule(input: unknown, surroundings?: RuleSurroundings): ReadRule {
  const reader = new Reader(surroundings);
  const rule = reader.rule(input);
  return Object.keys(reader.errors).length === 0 ? { rule, errors: null } : { rule: null, errors: reader.errors };
}

/** Field errors of a rule as the wire has it; empty where it is sound. */
export function validateRule(input: unknown, surroundings?: RuleSurroundings): FieldErrors {
  return readRule(input, surroundings).errors ?? {};
}

type Wire = Record<string, unknown>;

class Reader {
  readonly errors: FieldErrors = {};
  private readonly surroundings: RuleSurroundings | undefined;

  constructor(surroundings: RuleSurroundings | undefined) {
    this.surroundings = surroundings;
  }

  rule(input: unknown): RuleDraft {
    const wire = isObject(input) ? input : {};
    const name = typeof wire.name === 'string' ? wire.name.trim() : '';
    if (name === '') this.wrong('name', 'A name is required.');
    else if ([...name].length > ruleLimits.name) this.wrong('name', `At most ${ruleLimits.name} characters.`);
    const match = wire.match ?? 'all';
    if (match !== 'all' && match !== 'any') this.wrong('match', 'Must be all or any.');
    const actions = this.list(wire.actions, 'actions', ruleLimits.actions, (each, path) => this.action(each, path));
    if (Array.isArray(wire.actions) && wire.actions.length === 0)
      this.wrong('actions', 'At least one action is required.');
    return {
      name,
      isActive: this.flag(wire, 'is_active', true),
      match: match === 'any' ? 'any' : 'all',
      conditions: this.list(wire.conditions ?? [], 'conditions', ruleLimits.conditions, (each, path) =>
        this.condition(each, path),
      ),
      actions,
      stopProcessing: this.flag(wire, 'stop_processing', false),
    };
  }

  private wrong(path: string, message: string): null {
    const messages = this.errors[path];
    if (messages === undefined) this.errors[path] = [message];
    else messages.push(message);
    return null;
  }

  private flag(wire: Wire, key: string, otherwise: boolean): boolean {
    const value = wire[key] ?? otherwise;
    if (typeof value !== 'boolean') this.wrong(key, 'Must be true or false.');
    return value === true;
  }

  private list<T>(value: unknown, path: string, most: number, read: (each: unknown, path: string) => T | null): T[] {
    if (!Array.isArray(value)) {
      this.wrong(path, 'Must be a list.');
      return [];
    }
    if (value.length > most) {
      this.wrong(path, `At most ${most}.`);
      return [];
    }
    return value.map((each, at) => read(each, `${path}.${at}`)).filter((each): each is T & {} => each !== null);
  }

  private condition(input: unknown, path: string): RuleCondition | null {
    if (!isObject(input)) return this.wrong(path, 'Must be an object.');
    const { field, operator, negate = false } = input;
    const value = input.value ?? null;
    const kind = typeof field === 'string' ? kindOfField(field) : null;
    if (typeof field !== 'string' || kind === null)
      return this.wrong(`${path}.field`, `Unknown field; one of ${ruleFields.join(', ')}.`);
    if (!isOneOf(ruleOperators, operator))
      return this.wrong(`${path}.operator`, `Unknown operator; one of ${ruleOperators.join(', ')}.`);
    if (!operatorsOf(kind).includes(operator)) {
      return this.wrong(`${path}.operator`, `${field} takes ${operatorsOf(kind).join(', ')}.`);
    }
    if (typeof negate !== 'boolean') return this.wrong(`${path}.negate`, 'Must be true or false.');
    const problem = this.valueProblem(operator, kind, value);
    if (problem !== null) return this.wrong(`${path}.value`, problem);
    if (field === 'site_category' && (operator === 'equals' || operator === 'in')) {
      const unknown = [value].flat().find((each) => !this.hasCategoryNamed(each));
      if (unknown !== undefined) return this.wrong(`${path}.value`, `The site has no category ${String(unknown)}.`);
    }
    return { field, operator: operator as RuleOperator, value: value as RuleValue, negate };
  }

  private valueProblem(operator: RuleOperator, kind: string, value: unknown): string | null {
    if (operator === 'exists')
      return value === null || typeof value === 'boolean' ? null : 'exists takes no value, or true or false.';
    if (operator === 'in') {
      if (!Array.isArray(value) || value.length === 0) return 'in takes a list of values.';
      if (value.length > ruleLimits.listItems) return `At most ${ruleLimits.listItems} values.`;
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
    if (typeof value !== 'string' || value === '') return 'Must be a text.';
    return isShortText(value) ? null : `At most ${ruleLimits.value} characters.`;
  }

  private action(input: unknown, path: string): RuleAction | null {
    if (!isObject(input)) return this.wrong(path, 'Must be an object.');
    const { type } = input;
    const value = input.value ?? null;
    const at = `${path}.value`;
    if (!isOneOf(ruleActionTypes, type))
      return this.wrong(`${path}.type`, `Unknown action; one of ${ruleActionTypes.join(', ')}.`);
    switch (type) {
      case 'set_category':
        if (!isId(value)) return this.wrong(at, 'Must be the id of a category.');
        return this.exists('categories', value)
          ? { type, value }
          : this.wrong(at, `The site has no category ${value}.`);
      case 'set_priority':
        if (!isId(value)) return this.wrong(at, 'Must be the id of a priority.');
        return this.exists('priorities', value)
          ? { type, value }
          : this.wrong(at, `The site has no priority ${value}.`);
      case 'assign':
        if (value === 'round_robin') return { type, value };
        if (!isId(value)) return this.wrong(at, 'Must be the id of an agent or round_robin.');
        return this.exists('agents', value) ? { type, value } : this.wrong(at, `The site has no agent ${value}.`);
      case 'add_tags':
        return this.tags(value, at);
      case 'set_metadata':
        return this.metadata(value, at);
      case 'set_status':
        if (!isOneOf(ruleStatuses, value)) return this.wrong(at, `Must be one of ${ruleStatuses.join(', ')}.`);
        return { type, value: value as RuleStatus };
      case 'note':
        if (typeof value !== 'string' || value.trim() === '') return this.wrong(at, 'Must be the text of the note.');
        return [...value].length > ruleLimits.note
          ? this.wrong(at, `At most ${ruleLimits.note} characters.`)
          : { type, value };
      case 'forward':
        return typeof value === 'string' && isAddress(value)
          ? { type, value: normaliseEmail(value) }
          : this.wrong(at, 'Must be an e-mail address.');
      case 'discard':
        if (value === null || isShortText(value)) return { type, value: value === '' ? null : value };
        return this.wrong(at, 'Must be a reason, or absent.');
    }
  }

  private tags(value: unknown, at: string): RuleAction | null {
    if (!Array.isArray(value) || value.length === 0 || value.length > ruleLimits.tags)
      return this.wrong(at, `Must be a list of 1 to ${ruleLimits.tags} tags.`);
    const wrongAt = value.findIndex((tag) => typeof tag !== 'string' || !/^[a-z0-9-]{1,32}$/.test(tag));
    if (wrongAt !== -1) return this.wrong(`${at}.${wrongAt}`, 'A tag has 1 to 32 small letters, digits and hyphens.');
    return { type: 'add_tags', value: [...new Set(value as string[])] };
  }

  private metadata(value: unknown, at: string): RuleAction | null {
    if (!isObject(value) || Object.keys(value).length === 0)
      return this.wrong(at, 'Must be an object with at least one key.');
    if (Object.keys(value).length > ruleLimits.metadataKeys)
      return this.wrong(at, `At most ${ruleLimits.metadataKeys} keys.`);
    if (JSON.stringify(value).length > ruleLimits.metadataBytes)
      return this.wrong(at, `At most ${ruleLimits.metadataBytes} bytes.`);
    return { type: 'set_metadata', value };
  }

  private exists(what: 'categories' | 'priorities' | 'agents', id: number): boolean {
    return this.surroundings === undefined || this.surroundings[what].some((each) => each.id === id);
  }

  private hasCategoryNamed(value: unknown): boolean {
    const wanted = String(value).toLowerCase();
    const categories = this.surroundings?.categories;
    return (
      categories === undefined ||
      categories.some((each) => [String(each.id), each.slug.toLowerCase(), each.name.toLowerCase()].includes(wanted))
    );
  }
}

function isObject(value: unknown): value is Wire {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isOneOf<T extends string>(list: readonly T[], value: unknown): value is T {
  return list.some((each) => each === value);
}

function isShortText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= ruleLimits.value;
}

function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}
