// Moving a site to another desk: its kinds of rows, and the references inside their JSON.

import type { StoredActor } from '../actor.ts';
import type { EventData } from '../event.ts';
import type { MacroChanges } from '../input/macros.ts';
import { type Rename, renamedAction } from '../rules/action-values.ts';
import type { RuleAction } from '../rules/rule.ts';
import type { AutomationKind, Because } from '../rules/trigger.ts';

export const transferVersion = 6;

// Until version 3 a team token was called an agent, and the command line an operator.
const actorTypesUntil3: Record<string, StoredActor['type']> = {
  agent: 'token',
  author: 'author',
  application: 'application',
  operator: 'command_line',
  scan: 'scan',
  mail: 'mail',
  rule: 'rule',
};

/** A line of an older export in the words of this version. What it does not know is left for the schema to refuse. */
export function upgradeLine(line: unknown, version: number): unknown {
  if (version > 3 || !isObject(line) || line.type !== 'event' || !isObject(line.actor)) return line;
  const { type } = line.actor;
  const known = typeof type === 'string' && Object.hasOwn(actorTypesUntil3, type) ? actorTypesUntil3[type] : null;
  return { ...line, actor: { ...line.actor, type: known } };
}

const numberedKinds = [
  'category',
  'priority',
  'field',
  'sender',
  'mail_template',
  'agent',
  'team',
  'sla_policy',
  'channel',
  'rule',
  'trigger',
  'timed_rule',
  'recurring_ticket',
  'token',
  'author',
  'ticket',
  'message',
  'scheduled_reply',
  'macro',
  'event',
  'mail',
] as const;
export type NumberedKind = (typeof numberedKinds)[number];

/** Maps a reference to the number or ulid on the other side; null when nothing there corresponds to it. */
export interface References {
  number(kind: NumberedKind, id: number): number | null;
  ulid(ulid: string): string;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

export const goneId = Number.MAX_SAFE_INTEGER;

const changeKinds = {
  category_id: 'category',
  priority_id: 'priority',
  sender_id: 'sender',
  assigned_to: 'agent',
  team_id: 'team',
} as const;
const nounKinds = {
  category: 'category',
  priority: 'priority',
  custom_field: 'field',
  sender: 'sender',
  webhook_channel: 'channel',
  inbound_rule: 'rule',
  trigger: 'trigger',
  timed_rule: 'timed_rule',
  recurring_ticket: 'recurring_ticket',
  macro: 'macro',
  team: 'team',
  author_id: 'author',
} as const;
const ulidKeys = ['site_ulid', 'ticket_ulid', 'message_ulid', 'attachment_ulid', 'source_ulid', 'into_ulid'];
// The other ticket of a split.
const splitKeys = ['into', 'from'];
const referenceKeys = ['source_reference', 'into_reference'];

function rewriteChanges(changes: NonNullable<EventData['changes']>, to: References): EventData['changes'] {
  const numberOf = (kind: NumberedKind, value: unknown) => (typeof value === 'number' ? to.number(kind, value) : value);
  return Object.fromEntries(
    Object.entries(changes).map(([field, change]) => {
      const kind = Object.hasOwn(changeKinds, field) ? changeKinds[field as keyof typeof changeKinds] : undefined;
      if (kind === undefined) return [field, change];
      return [field, { from: numberOf(kind, change.from), to: numberOf(kind, change.to) }];
    }),
  );
}

export function rewriteEventData(data: EventData, to: References): EventData {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => {
      if (key === 'changes' && data.changes) return [key, rewriteChanges(data.changes, to)];
      const split = splitKeys.includes(key) && isObject(value) ? value : null;
      if (split !== null && typeof split.id === 'number' && typeof split.ulid === 'string')
        return [key, { id: to.number('ticket', split.id), ulid: to.ulid(split.ulid) }];
      if (ulidKeys.includes(key) && typeof value === 'string') return [key, to.ulid(value)];
      const number = typeof value === 'string' ? /^#(\d{1,15})$/.exec(value)?.[1] : undefined;
      if (referenceKeys.includes(key) && number !== undefined) {
        const ticket = to.number('ticket', Number(number));
        return [key, ticket === null ? null : `#${ticket}`];
      }
      if (key === 'rule' && isObject(value)) return [key, rewriteBecause(value as Because, to)];
      if (key === 'did' && isObject(value)) return [key, rewriteDid(value, to)];
      const kind = Object.hasOwn(nounKinds, key) ? nounKinds[key as keyof typeof nounKinds] : undefined;
      return [key, kind !== undefined && typeof value === 'number' ? to.number(kind, value) : value];
    }),
  );
}

const rewriteBecause = (rule: Because, to: References) => ({
  ...rule,
  id: to.number(automationKinds[rule.kind], rule.id),
});

/** What a rule did beside changing the ticket. */
function rewriteDid({ ticket, agents, webhook_channel: channel, ...did }: Record<string, unknown>, to: References) {
  const opened = isObject(ticket) && typeof ticket.id === 'number' ? ticket : null;
  const numbers = (kind: NumberedKind, ids: unknown[]) =>
    ids.map((id) => (typeof id === 'number' ? to.number(kind, id) : id));
  return {
    ...did,
    ...(opened === null
      ? {}
      : { ticket: { id: to.number('ticket', Number(opened.id)), ulid: to.ulid(String(opened.ulid)) } }),
    ...(Array.isArray(agents) ? { agents: numbers('agent', agents) } : {}),
    ...(channel === undefined ? {} : { webhook_channel: numbers('channel', [channel])[0] }),
  };
}

const automationKinds: Record<AutomationKind, NumberedKind> = {
  trigger: 'trigger',
  timed_rule: 'timed_rule',
  recurring_ticket: 'recurring_ticket',
};

const actorKinds: Record<StoredActor['type'], NumberedKind | null> = {
  agent: 'agent',
  token: 'token',
  author: 'author',
  rule: 'rule',
  application: null,
  command_line: null,
  desk: null,
  scan: null,
  mail: null,
};

export function rewriteActor(actor: StoredActor, to: References): StoredActor {
  if (actor.id === null) return actor;
  const kind = actor.rule_kind === undefined ? actorKinds[actor.type] : automationKinds[actor.rule_kind];
  return { ...actor, id: kind === null ? null : to.number(kind, actor.id) };
}

/** What names something that is not there goes. */
export function rewriteMacroChanges(changes: MacroChanges, to: References): MacroChanges {
  const entries = Object.entries(changes).map(([field, value]) => {
    const kind = Object.hasOwn(changeKinds, field) ? changeKinds[field as keyof typeof changeKinds] : undefined;
    return [field, kind !== undefined && typeof value === 'number' ? (to.number(kind, value) ?? undefined) : value];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as MacroChanges;
}

/** What rules name, on the other side. */
export const renaming =
  (to: References): Rename =>
  (kind, value) =>
    typeof value === 'number' ? (to.number(kind, value) ?? goneId) : value;

export function rewriteTrace(trace: readonly unknown[], to: References): unknown[] {
  return trace.map((entry) => {
    if (!isObject(entry)) return entry;
    const rewritten = { ...entry };
    if (typeof entry.ruleId === 'number') rewritten.ruleId = to.number('rule', entry.ruleId) ?? goneId;
    if (Array.isArray(entry.actions)) {
      rewritten.actions = entry.actions.map((one) =>
        isObject(one) && isObject(one.action)
          ? { ...one, action: renamedAction(one.action as unknown as RuleAction, renaming(to), '') }
          : one,
      );
    }
    return rewritten;
  });
}
