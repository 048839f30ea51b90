// Reads a rule from the wire's form. Errors by dotted path (docs/spec/api.md#errors).
import { isAddress, normaliseEmail } from '../address.ts';
import type { FieldErrors } from '../errors.ts';
import { maxTags, type TicketStatus, tagPattern, ticketStatuses } from '../ticket.ts';
import { kindOfField, operatorsOf, ruleFields } from './fields.ts';
import { patternProblem } from './pattern.ts';
import {
  type RuleAction,
  type RuleCondition,
  type RuleDraft,
  type RuleOperator,
  type RuleSurroundings,
  type RuleValue,
  ruleOperators,
} from './rule.ts';

const ruleLimits = {
  name: 255,
  conditions: 50,
  actions: 20,
  value: 1000,
  listItems: 500,
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

/** `match` defaults to `all`, `is_active` to true. With `surroundings`, everything the rule names must exist. */
export function readRule(input: unknown, surroundings?: RuleSurroundings): ReadRule {
  const reader = new Reader(surroundings);
  const rule = reader.rule(input);
  return Object.keys(reader.errors).length === 0 ? { rule, errors: null } : { rule: null, errors: reader.errors };
}

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
    if (name === '') this.wrong('name', 'Is required.');
    else if ([...name].length > ruleLimits.name) this.wrong('name', `Must have at most ${ruleLimits.name} characters.`);
    const match = wire.match ?? 'all';
    if (match !== 'all' && match !== 'any') this.wrong('match', 'Must be all or any.');
    const actions = this.list(wire.actions, 'actions', ruleLimits.actions, (each, path) => this.action(each, path));
    if (Array.isArray(wire.actions) && wire.actions.length === 0)
      this.wrong('actions', 'Must have at least one action.');
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
      this.wrong(path, `Must have at most ${most} entries.`);
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
      return this.wrong(`${path}.field`, `Must be one of ${ruleFields.join(', ')}.`);
    if (!isOneOf(ruleOperators, operator))
      return this.wrong(`${path}.operator`, `Must be one of ${ruleOperators.join(', ')}.`);
    if (!operatorsOf(kind).includes(operator)) {
      return this.wrong(`${path}.operator`, `Must be one of ${operatorsOf(kind).join(', ')} for ${field}.`);
    }
    if (typeof negate !== 'boolean') return this.wrong(`${path}.negate`, 'Must be true or false.');
    const problem = this.valueProblem(operator, kind, value);
    if (problem !== null) return this.wrong(`${path}.value`, problem);
    if (field === 'site_category' && (operator === 'equals' || operator === 'in')) {
      const unknown = [value].flat().find((each) => !this.hasCategoryNamed(each));
      if (unknown !== undefined)
        return this.wrong(`${path}.value`, `Names category ${String(unknown)}, which the site does not have.`);
    }
    return { field, operator: operator as RuleOperator, value: value as RuleValue, negate };
  }

  private valueProblem(operator: RuleOperator, kind: string, value: unknown): string | null {
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

  private action(input: unknown, path: string): RuleAction | null {
    if (!isObject(input)) return this.wrong(path, 'Must be an object.');
    const { type } = input;
    const value = input.value ?? null;
    const at = `${path}.value`;
    if (!isOneOf(ruleActionTypes, type))
      return this.wrong(`${path}.type`, `Must be one of ${ruleActionTypes.join(', ')}.`);
    switch (type) {
      case 'set_category':
        if (!isId(value)) return this.wrong(at, 'Must be the id of a category.');
        return this.exists('categories', value)
          ? { type, value }
          : this.wrong(at, `Names category ${value}, which the site does not have.`);
      case 'set_priority':
        if (!isId(value)) return this.wrong(at, 'Must be the id of a priority.');
        return this.exists('priorities', value)
          ? { type, value }
          : this.wrong(at, `Names priority ${value}, which the site does not have.`);
      case 'assign':
        if (value === 'round_robin') return { type, value };
        if (!isId(value)) return this.wrong(at, 'Must be the id of an agent or round_robin.');
        return this.exists('agents', value)
          ? { type, value }
          : this.wrong(at, `Names agent ${value}, which the site does not have.`);
      case 'add_tags':
        return this.tags(value, at);
      case 'set_metadata':
        return this.metadata(value, at);
      case 'set_status':
        if (!isOneOf(ticketStatuses, value)) return this.wrong(at, `Must be one of ${ticketStatuses.join(', ')}.`);
        return { type, value: value as TicketStatus };
      case 'note':
        if (typeof value !== 'string' || value.trim() === '') return this.wrong(at, 'Must be the text of the note.');
        return [...value].length > ruleLimits.note
          ? this.wrong(at, `Must have at most ${ruleLimits.note} characters.`)
          : { type, value };
      case 'forward':
        return typeof value === 'string' && isAddress(value)
          ? { type, value: normaliseEmail(value) }
          : this.wrong(at, 'Must be an e-mail address.');
      case 'discard':
        if (value === null || isShortText(value)) return { type, value: value === '' ? null : value };
        return this.wrong(at, 'Must be a reason or absent.');
    }
  }

  private tags(value: unknown, at: string): RuleAction | null {
    if (!Array.isArray(value) || value.length === 0 || value.length > maxTags)
      return this.wrong(at, `Must be a list of 1 to ${maxTags} tags.`);
    const wrongAt = value.findIndex((tag) => typeof tag !== 'string' || !tagPattern.test(tag));
    if (wrongAt !== -1)
      return this.wrong(`${at}.${wrongAt}`, 'Must have 1 to 32 lower-case letters, digits and hyphens.');
    return { type: 'add_tags', value: [...new Set(value as string[])] };
  }

  private metadata(value: unknown, at: string): RuleAction | null {
    if (!isObject(value) || Object.keys(value).length === 0)
      return this.wrong(at, 'Must be an object with at least one key.');
    if (Object.keys(value).length > ruleLimits.metadataKeys)
      return this.wrong(at, `Must have at most ${ruleLimits.metadataKeys} keys.`);
    if (JSON.stringify(value).length > ruleLimits.metadataBytes)
      return this.wrong(at, `Must have at most ${ruleLimits.metadataBytes} bytes.`);
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
