// What triggers and timed rules name of a site: for moving a site to another desk, and for its file of settings.

import type { ConditionGroup, TriggerAction, TriggerCondition, TriggerPart } from './trigger.ts';
import { isGroup } from './trigger.ts';
import { isObject } from './wire-reading.ts';

export type NamedKind = 'category' | 'priority' | 'sender' | 'agent' | 'team' | 'channel';

/** What takes the place of a reference, which is a number or what stands for it in a file. @param path of the value */
export type Rename = (kind: NamedKind, value: unknown, path: string) => unknown;

const plain = { set_category: 'category', set_priority: 'priority', set_sender: 'sender', set_team: 'team' } as const;
const ofNewTicket = {
  category_id: 'category',
  priority_id: 'priority',
  assigned_to: 'agent',
  team_id: 'team',
  from: 'sender',
} as const;

/** Values of another shape than these actions have stay as they are, for the verbs to refuse. */
export function renameInActions(actions: readonly TriggerAction[], rename: Rename): TriggerAction[] {
  return actions.map((action, at) => {
    const value = renamed(action.type, action.value, rename, `actions.${at}.value`);
    return value === action.value ? action : ({ ...action, value } as TriggerAction);
  });
}

function renamed(type: string, value: unknown, rename: Rename, path: string): unknown {
  if (Object.hasOwn(plain, type)) return rename(plain[type as keyof typeof plain], value, path);
  switch (type) {
    case 'assign':
      if (isObject(value)) return { ...value, team_id: rename('team', value.team_id, `${path}.team_id`) };
      return value === 'round_robin' || value === 'last_answered' ? value : rename('agent', value, path);
    case 'follow':
      return Array.isArray(value) ? value.map((one, at) => rename('agent', one, `${path}.${at}`)) : value;
    case 'mail': {
      if (!isObject(value) || !Array.isArray(value.to)) return value;
      return { ...value, to: value.to.map((one, at) => rename('agent', one, `${path}.to.${at}`)) };
    }
    case 'webhook':
      return isObject(value)
        ? { ...value, channel_id: rename('channel', value.channel_id, `${path}.channel_id`) }
        : value;
    case 'create_ticket':
      return isObject(value) ? renameInTicket(value, rename, path) : value;
    default:
      return value;
  }
}

/** Of a ticket that is to be opened. */
export function renameInTicket<Ticket extends object>(ticket: Ticket, rename: Rename, path = 'ticket'): Ticket {
  const given = ticket as Record<string, unknown>;
  const changed = Object.entries(ofNewTicket).flatMap(([field, kind]) =>
    given[field] == null ? [] : [[field, rename(kind, given[field], `${path}.${field}`)]],
  );
  return { ...ticket, ...Object.fromEntries(changed) };
}

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
