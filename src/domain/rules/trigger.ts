// What triggers are made of: rules that act after a change of a ticket, in its transaction (docs/spec/automation.md).

import type { EventData, EventKind } from '../event.ts';
import type { AssignmentWay } from '../people/turns.ts';
import type { RuleAction, RuleMatch, RuleOperator, RuleValue } from './rule.ts';
import { ruleOperators } from './rule.ts';

export const triggerEvents = [
  'created',
  'customer_message',
  'agent_reply',
  'note',
  'status_changed',
  'assigned',
  'priority_changed',
  'category_changed',
  'tagged',
  'field_changed',
  'sla_warned',
  'sla_breached',
  'snooze_ended',
  'satisfaction_given',
] as const;
export type TriggerEvent = (typeof triggerEvents)[number];

export const changeOperators = ['changed', 'changed_from', 'changed_to'] as const;
export type ChangeOperator = (typeof changeOperators)[number];
export const triggerOperators = [...ruleOperators, ...changeOperators] as const;
type TriggerOperator = RuleOperator | ChangeOperator;

export type TriggerCondition = { field: string; operator: TriggerOperator; value: RuleValue; negate: boolean };
export type ConditionGroup = { match: RuleMatch; conditions: TriggerCondition[] };
export type TriggerPart = TriggerCondition | ConditionGroup;

export const isGroup = (part: TriggerPart): part is ConditionGroup => 'conditions' in part;

/** Groups opened. */
export const plainConditions = (parts: readonly TriggerPart[]): TriggerCondition[] =>
  parts.flatMap((part) => (isGroup(part) ? part.conditions : [part]));

export const replySpeakers = ['desk', 'assignee'] as const;

export type NewTicket = {
  subject: string;
  body: string;
  category_id?: number | null;
  priority_id?: number;
  assigned_to?: number | null;
  tags?: string[];
};

/** To one of a team. */
type FromTeam = { team_id: number; by: AssignmentWay };

type InboundAction = Exclude<RuleAction, { type: 'assign' | 'discard' }>;

export type TriggerAction =
  | InboundAction
  | { type: 'assign'; value: number | 'round_robin' | 'last_answered' | FromTeam }
  | { type: 'set_team'; value: number | null }
  | { type: 'unassign'; value: null }
  | { type: 'remove_tags'; value: readonly string[] }
  | { type: 'set_subject'; value: string }
  | { type: 'set_field'; value: { key: string; value: unknown } }
  /** Hours. */
  | { type: 'snooze'; value: number }
  | { type: 'reply'; value: { body: string; as: (typeof replySpeakers)[number]; is_repeated: boolean } }
  /** Ids of agents, and addresses. */
  | { type: 'mail'; value: { to: readonly (number | string)[]; subject: string; body: string } }
  | { type: 'webhook'; value: { channel_id: number; body: unknown } }
  | { type: 'follow'; value: readonly number[] }
  | { type: 'create_ticket'; value: NewTicket };

export const triggerActionTypes = [
  'set_category',
  'set_priority',
  'set_sender',
  'set_team',
  'assign',
  'unassign',
  'add_tags',
  'remove_tags',
  'add_participant',
  'set_metadata',
  'set_status',
  'set_subject',
  'set_field',
  'snooze',
  'note',
  'forward',
  'reply',
  'mail',
  'webhook',
  'follow',
  'create_ticket',
] as const satisfies readonly TriggerAction['type'][];

export type Trigger = {
  id: number;
  name: string;
  match: RuleMatch;
  conditions: readonly TriggerPart[];
  actions: readonly TriggerAction[];
  stopProcessing: boolean;
};

/** How much the rules of a desk do after one change. */
export const chainLimits = { depth: 4, effects: 50, timeMs: 50 } as const;

export const automationKinds = ['trigger', 'timed_rule', 'recurring_ticket'] as const;
export type AutomationKind = (typeof automationKinds)[number];

/** Why something was done, as history keeps it: the rule, and some of its conditions that held. */
export type Because = { kind: AutomationKind; id: number; name: string; because: TriggerCondition[] };

/** What one event says to triggers. */
function triggerEventsOf(kind: EventKind, data: EventData): TriggerEvent[] {
  switch (kind) {
    case 'ticket.created':
      return ['created'];
    case 'ticket.replied':
      if (data.is_automated === true) return [];
      return [data.is_agent === true ? 'agent_reply' : 'customer_message'];
    case 'ticket.note_added':
      return ['note'];
    case 'ticket.status_changed':
      return hasWoken(data) ? ['status_changed', 'snooze_ended'] : ['status_changed'];
    case 'ticket.assigned':
      return ['assigned'];
    case 'ticket.sla_warning':
      return ['sla_warned'];
    case 'ticket.sla_breached':
      return ['sla_breached'];
    case 'ticket.rated':
      return ['satisfaction_given'];
    case 'ticket.updated': {
      const { changes = {} } = data;
      const found = Object.entries(byField).flatMap(([field, event]) => (Object.hasOwn(changes, field) ? [event] : []));
      return hasWoken(data) ? [...found, 'snooze_ended'] : found;
    }
    default:
      return [];
  }
}

const byField = {
  priority_id: 'priority_changed',
  category_id: 'category_changed',
  tags: 'tagged',
  custom_fields: 'field_changed',
} as const satisfies Record<string, TriggerEvent>;

function hasWoken({ changes }: EventData): boolean {
  const snooze = changes !== undefined && Object.hasOwn(changes, 'snoozed_until') ? changes.snoozed_until : undefined;
  return snooze !== undefined && snooze.from !== null && snooze.to === null;
}

export type TicketChange = {
  events: readonly TriggerEvent[];
  /** From the first event, to the last. In the names of events. */
  changes: ReadonlyMap<string, { from: unknown; to: unknown }>;
  messageUlid: string | null;
};

/** What happened to one ticket in one step, as one change. */
export function changeOf(told: readonly { kind: EventKind; data: EventData }[]): TicketChange {
  const events = new Set<TriggerEvent>();
  const changes = new Map<string, { from: unknown; to: unknown }>();
  let messageUlid: string | null = null;
  for (const { kind, data } of told) {
    for (const event of triggerEventsOf(kind, data)) events.add(event);
    for (const [field, { from, to }] of Object.entries(data.changes ?? {}))
      changes.set(field, { from: changes.has(field) ? changes.get(field)?.from : from, to });
    if (typeof data.message_ulid === 'string') messageUlid = data.message_ulid;
  }
  for (const [field, { from, to }] of changes) if (JSON.stringify(from) === JSON.stringify(to)) changes.delete(field);
  return { events: [...events], changes, messageUlid };
}
