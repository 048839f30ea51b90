// What an inbound rule is: conditions, actions, and the trace of what it did.
import type { Addressee } from '../tickets/participant.ts';
import type { TicketStatus } from '../tickets/ticket.ts';

export const ruleOperators = [
  'equals',
  'contains',
  'starts_with',
  'ends_with',
  'matches',
  'in',
  'gt',
  'lt',
  'exists',
] as const;
export type RuleOperator = (typeof ruleOperators)[number];

export type RuleValue = string | number | boolean | null | readonly (string | number)[];
export type RuleCondition = { field: string; operator: RuleOperator; value: RuleValue; negate: boolean };

export const ruleMatches = ['all', 'any'] as const;
export type RuleMatch = (typeof ruleMatches)[number];

export const ruleTraceOutcomes = ['matched', 'not_matched', 'skipped', 'inactive', 'not_reached'] as const;
type RuleTraceOutcome = (typeof ruleTraceOutcomes)[number];

export const ruleActionTypes = [
  'set_category',
  'set_priority',
  'set_sender',
  'assign',
  'add_tags',
  'add_participant',
  'set_metadata',
  'set_status',
  'note',
  'forward',
  'discard',
] as const;

/** Their value is an id. */
export const idActions = ['set_category', 'set_priority', 'set_sender', 'assign'] as const;

export type RuleAction =
  | { type: 'set_category'; value: number }
  | { type: 'set_priority'; value: number }
  | { type: 'set_sender'; value: number }
  | { type: 'assign'; value: number | 'round_robin' }
  | { type: 'add_tags'; value: readonly string[] }
  | { type: 'add_participant'; value: Addressee }
  | { type: 'set_metadata'; value: Readonly<Record<string, unknown>> }
  | { type: 'set_status'; value: TicketStatus }
  | { type: 'note'; value: string }
  | { type: 'forward'; value: string }
  | { type: 'discard'; value: string | null };

export type RuleDraft = {
  name: string;
  isActive: boolean;
  match: RuleMatch;
  conditions: readonly RuleCondition[];
  actions: readonly RuleAction[];
  stopProcessing: boolean;
};
export type Rule = RuleDraft & { id: number; position: number };

export type RuleCategory = { id: number; slug: string; name: string };

export type RuleSurroundings = {
  categories: readonly RuleCategory[];
  priorities: readonly { id: number; name: string }[];
  senders: readonly { id: number; name: string }[];
  agents: readonly { id: number; name: string }[];
  hasMembers: boolean;
};

/** Surroundings by their ids. */
export type Known = {
  categories: Map<number, RuleCategory>;
  categoryWords: Set<string>;
  priorities: Map<number, string>;
  senders: Map<number, string>;
  agents: Map<number, string>;
  hasMembers: boolean;
};

/** What later rules see of earlier ones, what has a limit, and what decides whether the message becomes a ticket. */
export type RuleEffects = {
  categoryId: number | null;
  participants: string[];
  notes: number;
  forwards: { ruleId: number; address: string }[];
  discard: { ruleId: number; reason: string } | null;
};

export type ConditionResult = { condition: RuleCondition; holds: boolean; explanation: string };

export type ActionTrace = {
  action: RuleAction;
  isApplied: boolean;
  explanation: string;
  /** What changed, such as the agent whose turn it was or the new tags. Null while not applied or not settled. */
  result?: unknown;
};

export type RuleTrace = {
  ruleId: number;
  name: string;
  outcome: RuleTraceOutcome;
  explanation: string;
  conditions: ConditionResult[];
  decidedBy: number | null;
  actions: ActionTrace[];
  isLast: boolean;
  wouldMatch?: boolean;
  isTooSlow?: boolean;
};

export type RuleOutcome = { effects: RuleEffects; trace: RuleTrace[] };

export function noEffects(): RuleEffects {
  return { categoryId: null, participants: [], notes: 0, forwards: [], discard: null };
}

export function nextInTurn(memberIds: readonly number[], lastId: number | null): number | null {
  const sorted = [...memberIds].sort((a, b) => a - b);
  return sorted.find((id) => lastId !== null && id > lastId) ?? sorted[0] ?? null;
}

// Object.assign would lose a key named __proto__.
export function setOwn(target: Record<string, unknown>, source: Readonly<Record<string, unknown>>): void {
  for (const [key, value] of Object.entries(source))
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}
