// Reads the conditions and actions of triggers and timed rules from the wire. Errors by dotted path.

import type { FieldErrors } from '../errors.ts';
import { canonicalAddress } from '../mail/address.ts';
import { assignmentWays } from '../people/turns.ts';
import { type CustomField, checkCustomFields } from '../tickets/custom-field.ts';
import { maxTags, tagPattern } from '../tickets/ticket.ts';
import { operatorsOf } from './fields.ts';
import { readAction } from './inbound-actions.ts';
import { valueProblem } from './read-condition.ts';
import { type RuleOperator, type RuleSurroundings, ruleActionTypes, ruleMatches } from './rule.ts';
import { mapTexts, variableProblems } from './templates.ts';
import { canChange, changingFields, customFieldKey, kindOfTicketField, ticketFields } from './ticket-fields.ts';
import {
  changeOperators,
  type NewTicket,
  replySpeakers,
  type TriggerAction,
  type TriggerCondition,
  type TriggerPart,
  triggerActionTypes,
  triggerOperators,
} from './trigger.ts';
import { isId, isObject, isOneOf, RuleReading } from './wire-reading.ts';

type Worded = { id: number; name: string; slug?: string };

export type TriggerSurroundings = Omit<RuleSurroundings, 'priorities' | 'agents'> & {
  priorities: readonly Worded[];
  /** Their slug is their address. */
  agents: readonly Worded[];
  teams: readonly Worded[];
  fields: readonly CustomField[];
  channels: readonly { id: number; name: string; type: string }[];
};

const triggerLimits = {
  conditions: 50,
  groups: 20,
  actions: 20,
  subject: 255,
  body: 10_000,
  recipients: 20,
  followers: 20,
  snoozeHours: 24 * 366,
} as const;

type Draft = { conditions: TriggerPart[]; actions: TriggerAction[] };
type Read = { rule: Draft; errors: null } | { rule: null; errors: FieldErrors };

/** With `surroundings`, everything the rule names must be on the site. @param isStored its patterns were checked when it was saved */
export function readTrigger(
  input: { conditions: readonly unknown[]; actions: readonly unknown[] },
  surroundings?: TriggerSurroundings,
  isStored = false,
): Read {
  const reading = new TriggerReading(surroundings, isStored);
  const rule = { conditions: reading.parts(input.conditions), actions: reading.actions(input.actions) };
  return Object.keys(reading.errors).length === 0 ? { rule, errors: null } : { rule: null, errors: reading.errors };
}

class TriggerReading extends RuleReading {
  private readonly around: TriggerSurroundings | undefined;
  private readonly types: ReadonlyMap<string, CustomField['type']> | null;
  private readonly keys: ReadonlySet<string> | null;

  private readonly isStored: boolean;

  constructor(surroundings: TriggerSurroundings | undefined, isStored: boolean) {
    super(surroundings);
    this.isStored = isStored;
    this.around = surroundings;
    this.types = surroundings ? new Map(surroundings.fields.map(({ key, type }) => [key, type])) : null;
    this.keys = surroundings ? new Set(surroundings.fields.map(({ key }) => key)) : null;
  }

  parts(given: readonly unknown[]): TriggerPart[] {
    let total = 0;
    const parts = this.list(given, 'conditions', triggerLimits.conditions, (each, path): TriggerPart | null => {
      if (!isObject(each) || !('conditions' in each)) return this.condition(each, path);
      if (!isOneOf(ruleMatches, each.match)) return this.wrong(`${path}.match`, 'Must be all or any.');
      const conditions = this.list(each.conditions, `${path}.conditions`, triggerLimits.conditions, (one, at) =>
        isObject(one) && 'conditions' in one
          ? this.wrong(at, 'Must be a condition: groups have one level.')
          : this.condition(one, at),
      );
      total += conditions.length;
      if (Array.isArray(each.conditions) && each.conditions.length === 0)
        return this.wrong(`${path}.conditions`, 'Must have at least one condition.');
      return { match: each.match, conditions };
    });
    if (total + parts.length > 2 * triggerLimits.conditions)
      this.wrong('conditions', `Must have at most ${2 * triggerLimits.conditions} conditions with those of groups.`);
    return parts;
  }

  private condition(input: unknown, path: string): TriggerCondition | null {
    if (!isObject(input)) return this.wrong(path, 'Must be an object.');
    const { field, operator } = input;
    const negate = input.negate ?? false;
    const value = input.value ?? null;
    const kind = typeof field === 'string' ? kindOfTicketField(field, this.types) : null;
    if (typeof field !== 'string' || kind === null)
      return this.wrong(
        `${path}.field`,
        typeof field === 'string' && customFieldKey(field) !== null
          ? 'Names a custom field that the site does not have.'
          : `Must be one of ${ticketFields.join(', ')}.`,
      );
    if (!isOneOf(triggerOperators, operator))
      return this.wrong(`${path}.operator`, `Must be one of ${triggerOperators.join(', ')}.`);
    if (typeof negate !== 'boolean') return this.wrong(`${path}.negate`, 'Must be true or false.');
    if (isOneOf(changeOperators, operator)) {
      if (!canChange(field))
        return this.wrong(`${path}.operator`, `Is only for the fields ${changingFields.join(', ')}.`);
      if (operator === 'changed')
        return value === null ? { field, operator, value, negate } : this.wrong(`${path}.value`, 'Must be absent.');
    } else if (!operatorsOf(kind).includes(operator))
      return this.wrong(`${path}.operator`, `Must be one of ${operatorsOf(kind).join(', ')} for ${field}.`);
    const asked = isOneOf(changeOperators, operator) ? (Array.isArray(value) ? 'in' : 'equals') : operator;
    // What is stored was checked then: to compile all patterns of a site again would take too long.
    const isChecked = this.isStored && operator === 'matches';
    const problem = isChecked
      ? null
      : (valueProblem(asked as RuleOperator, kind, value) ?? this.unnamed(field, asked, value));
    if (problem !== null) return this.wrong(`${path}.value`, problem);
    return { field, operator, value: value as TriggerCondition['value'], negate };
  }

  private unnamed(field: string, operator: string, value: unknown): string | null {
    if (this.around === undefined || (operator !== 'equals' && operator !== 'in')) return null;
    const known = namesOf(field, this.around);
    const gone = known && [value].flat().find((each) => !known.has(String(each).toLowerCase()));
    return gone == null ? null : `Names ${field} ${String(gone)}, which the site does not have.`;
  }

  actions(given: readonly unknown[]): TriggerAction[] {
    if (given.length === 0) this.wrong('actions', 'Must have at least one action.');
    return this.list(given, 'actions', triggerLimits.actions, (each, path) => this.action(each, path));
  }

  private action(input: unknown, path: string): TriggerAction | null {
    if (!isObject(input)) return this.wrong(path, 'Must be an object.');
    const { type } = input;
    const value = input.value ?? null;
    const at = `${path}.value`;
    if (!isOneOf(triggerActionTypes, type))
      return this.wrong(`${path}.type`, `Must be one of ${triggerActionTypes.join(', ')}.`);
    switch (type) {
      case 'assign':
        if (value === 'last_answered') return { type, value };
        if (isObject(value)) return this.fromTeam(value, at);
        return readAction(this, input, path) as TriggerAction | null;
      case 'set_team':
        return value === null || this.team(value, at) ? { type, value } : null;
      case 'unassign':
        return value === null ? { type, value } : this.wrong(at, 'Must be absent.');
      case 'remove_tags':
        return this.tags(value, at) ? { type, value: [...new Set(value)] } : null;
      case 'set_subject':
        return this.text(value, at, triggerLimits.subject, true) ? { type, value } : null;
      case 'set_field':
        return this.field(value, at);
      case 'snooze':
        return isId(value) && value <= triggerLimits.snoozeHours
          ? { type, value }
          : this.wrong(at, `Must be a number of hours from 1 to ${triggerLimits.snoozeHours}.`);
      case 'note':
        return this.text(value, at, triggerLimits.body) ? { type, value } : null;
      case 'reply':
        return this.reply(value, at);
      case 'mail':
        return this.mail(value, at);
      case 'webhook':
        return this.webhook(value, at);
      case 'follow':
        return this.followers(value, at) ? { type, value: [...new Set(value)] } : null;
      case 'create_ticket': {
        const ticket = this.newTicket(value, at);
        return ticket && { type, value: ticket };
      }
      default:
        return isOneOf(ruleActionTypes, type) ? (readAction(this, input, path) as TriggerAction | null) : null;
    }
  }

  private tags(value: unknown, at: string): value is string[] {
    const isValid =
      Array.isArray(value) &&
      value.length > 0 &&
      value.length <= maxTags &&
      value.every((tag) => typeof tag === 'string' && tagPattern.test(tag));
    if (!isValid) this.wrong(at, `Must be a list of 1 to ${maxTags} tags.`);
    return isValid;
  }

  private text(value: unknown, at: string, most: number, isOneLine = false): value is string {
    if (typeof value !== 'string' || value.trim() === '') {
      this.wrong(at, 'Must be text.');
      return false;
    }
    const problems = variableProblems(value, this.keys).map((problem) => problem[0]!.toUpperCase() + problem.slice(1));
    if ([...value].length > most) problems.push(`Must have at most ${most} characters.`);
    if (isOneLine && /\p{Cc}/u.test(value)) problems.push('Must be one line.');
    for (const problem of problems) this.wrong(at, problem);
    return problems.length === 0;
  }

  private agent(value: unknown, at: string): value is number {
    const isKnown = isId(value) && (this.around?.agents.some(({ id }) => id === value) ?? true);
    if (!isKnown) this.wrong(at, 'Must be the id of an agent of the site.');
    return isKnown;
  }

  private team(value: unknown, at: string): value is number {
    const isKnown = isId(value) && (this.around?.teams.some(({ id }) => id === value) ?? true);
    if (!isKnown) this.wrong(at, 'Must be the id of a team of the site.');
    return isKnown;
  }

  private fromTeam({ team_id: id, by }: Record<string, unknown>, at: string): TriggerAction | null {
    if (!isOneOf(assignmentWays, by)) return this.wrong(`${at}.by`, `Must be one of ${assignmentWays.join(', ')}.`);
    return this.team(id, `${at}.team_id`) ? { type: 'assign', value: { team_id: id, by } } : null;
  }

  private field(value: unknown, at: string): TriggerAction | null {
    if (!isObject(value) || typeof value.key !== 'string' || value.key.length > 64)
      return this.wrong(at, 'Must be an object with a key and a value.');
    const { key } = value;
    const set = value.value ?? null;
    if (JSON.stringify(set).length > triggerLimits.body) return this.wrong(`${at}.value`, 'Is too long.');
    if (this.around !== undefined) {
      const known = this.around.fields.filter((field) => field.key === key && field.isActive);
      if (known.length === 0) return this.wrong(`${at}.key`, 'Names a custom field that the site does not have.');
      const { errors } = checkCustomFields(known, { [key]: set }, {});
      for (const message of Object.values(errors).flat()) this.wrong(`${at}.value`, message);
    }
    return { type: 'set_field', value: { key, value: set } };
  }

  private reply(value: unknown, at: string): TriggerAction | null {
    if (!isObject(value)) return this.wrong(at, 'Must be an object with a body.');
    const { body, as = 'desk', is_repeated = false } = value;
    if (!isOneOf(replySpeakers, as)) return this.wrong(`${at}.as`, `Must be one of ${replySpeakers.join(', ')}.`);
    if (typeof is_repeated !== 'boolean') return this.wrong(`${at}.is_repeated`, 'Must be true or false.');
    return this.text(body, `${at}.body`, triggerLimits.body)
      ? { type: 'reply', value: { body, as, is_repeated } }
      : null;
  }

  private mail(value: unknown, at: string): TriggerAction | null {
    if (!isObject(value)) return this.wrong(at, 'Must be an object with to, subject and body.');
    const { to, subject, body } = value;
    const people = this.list(to, `${at}.to`, triggerLimits.recipients, (each, path) => {
      if (typeof each === 'string')
        return canonicalAddress(each) ?? this.wrong(path, 'Must be an e-mail address or the id of an agent.');
      return this.agent(each, path) ? each : null;
    });
    if (Array.isArray(to) && to.length === 0) this.wrong(`${at}.to`, 'Must name someone.');
    const hasSubject = this.text(subject, `${at}.subject`, triggerLimits.subject, true);
    return this.text(body, `${at}.body`, triggerLimits.body) && hasSubject
      ? { type: 'mail', value: { to: [...new Set(people)], subject, body } }
      : null;
  }

  private webhook(value: unknown, at: string): TriggerAction | null {
    if (!isObject(value)) return this.wrong(at, 'Must be an object with channel_id and body.');
    const { channel_id: id, body = {} } = value;
    const channel = this.around?.channels.find((one) => one.id === id);
    if (!isId(id) || (this.around !== undefined && channel?.type !== 'custom'))
      return this.wrong(`${at}.channel_id`, 'Must be the id of a custom channel of the site.');
    if (typeof body !== 'object' || body === null || JSON.stringify(body).length > triggerLimits.body)
      return this.wrong(`${at}.body`, `Must be an object or a list of at most ${triggerLimits.body} characters.`);
    let isKnown = true;
    mapTexts(body, (text) => {
      for (const problem of variableProblems(text, this.keys)) {
        this.wrong(`${at}.body`, problem[0]!.toUpperCase() + problem.slice(1));
        isKnown = false;
      }
      return text;
    });
    return isKnown ? { type: 'webhook', value: { channel_id: id, body } } : null;
  }

  private followers(value: unknown, at: string): value is number[] {
    const ids = this.list(value, at, triggerLimits.followers, (each, path) => (this.agent(each, path) ? each : null));
    if (Array.isArray(value) && value.length === 0) this.wrong(at, 'Must name someone.');
    return Array.isArray(value) && ids.length === value.length && ids.length > 0;
  }

  private newTicket(value: unknown, at: string): NewTicket | null {
    if (!isObject(value)) return this.wrong(at, 'Must be an object with a subject and a body.');
    const { subject, body, category_id: category, priority_id: priority, assigned_to: agent, tags } = value;
    const hasSubject = this.text(subject, `${at}.subject`, triggerLimits.subject, true);
    const hasBody = this.text(body, `${at}.body`, triggerLimits.body);
    const isOf = (list: readonly { id: number }[] | undefined, id: unknown, name: string, what: string) => {
      if (id == null || (isId(id) && (list?.some((one) => one.id === id) ?? true))) return true;
      this.wrong(`${at}.${name}`, `Must be the id of ${what} of the site.`);
      return false;
    };
    const isNamed = [
      isOf(this.around?.categories, category, 'category_id', 'a category'),
      isOf(this.around?.priorities, priority, 'priority_id', 'a priority'),
      isOf(this.around?.agents, agent, 'assigned_to', 'an agent'),
      tags == null || this.tags(tags, `${at}.tags`),
    ].every(Boolean);
    if (!hasSubject || !hasBody || !isNamed) return null;
    return {
      subject,
      body,
      ...(category == null ? {} : { category_id: category as number }),
      ...(priority == null ? {} : { priority_id: priority as number }),
      ...(agent == null ? {} : { assigned_to: agent as number }),
      ...(tags == null ? {} : { tags: tags as string[] }),
    };
  }
}

/** What `equals` and `in` may name; null for fields that name nothing. */
function namesOf(field: string, around: TriggerSurroundings): ReadonlySet<string> | null {
  const lower = (list: readonly (string | number | undefined)[]) =>
    new Set(list.flatMap((one) => (one === undefined ? [] : [String(one).toLowerCase()])));
  switch (field) {
    case 'category':
      return lower(around.categories.flatMap(({ id, slug, name }) => [id, slug, name]));
    case 'priority':
      return lower(around.priorities.flatMap(({ id, name, slug }) => [id, name, slug]));
    case 'assignee':
      return lower(around.agents.flatMap(({ id, name, slug }) => [id, name, slug]));
    case 'team':
      return lower(around.teams.flatMap(({ id, name }) => [id, name]));
    default:
      return null;
  }
}

/** What a rule names that is no longer there or switched off; null if nothing. */
export function brokenBy(
  rule: { conditions: readonly unknown[]; actions: readonly unknown[] },
  surroundings: TriggerSurroundings,
): string | null {
  const { errors } = readTrigger(rule, surroundings, true);
  const [first] = Object.entries(errors ?? {});
  return first === undefined ? null : `${first[0]}: ${first[1][0]}`;
}
