// Takes a person out of the rules of a site (docs/privacy.md).

import { type Known, type Traces, tracesOf } from '../../domain/customers/traces.ts';
import type { RuleAction } from '../../domain/rules/rule.ts';
import { isGroup, type TriggerAction, type TriggerCondition, type TriggerPart } from '../../domain/rules/trigger.ts';
import type { Tx } from '../../engine/database.ts';
import { inboundRuleRows, recurringTicketRows, timedRuleRows, triggerRows } from '../../store/sites/catalogue.ts';

/** An action that would be nothing without the person goes. */
function scrubbed(action: RuleAction, traces: Traces): RuleAction[] {
  switch (action.type) {
    case 'set_metadata': {
      const kept = Object.entries(action.value).filter(([key]) => !traces.isIn(key));
      return kept.length === 0 ? [] : [{ ...action, value: traces.json(Object.fromEntries(kept)) }];
    }
    case 'add_tags': {
      const value = action.value.filter((tag) => !traces.isIn(tag));
      return value.length === 0 ? [] : [{ ...action, value }];
    }
    case 'add_participant': {
      const { email, name } = action.value;
      return traces.isIn(email) ? [] : [{ ...action, value: { email, name: name && traces.text(name) } }];
    }
    case 'forward':
      return traces.isIn(action.value) ? [] : [action];
    case 'note':
      return [{ ...action, value: traces.text(action.value) }];
    case 'discard':
      return [{ ...action, value: traces.json(action.value) }];
    default:
      return [action];
  }
}

/** What texts are for machines stays: types, keys of fields, words of choices. */
function scrubbedTrigger(action: TriggerAction, traces: Traces): TriggerAction[] {
  switch (action.type) {
    case 'remove_tags': {
      const value = action.value.filter((tag) => !traces.isIn(tag));
      return value.length === 0 ? [] : [{ ...action, value }];
    }
    case 'set_subject':
      return [{ ...action, value: traces.text(action.value) }];
    case 'set_field':
      return [{ ...action, value: { ...action.value, value: traces.json(action.value.value) } }];
    case 'reply':
      return [{ ...action, value: { ...action.value, body: traces.text(action.value.body) } }];
    case 'mail': {
      const to = action.value.to.filter((one) => typeof one === 'number' || !traces.isIn(one));
      const { subject, body } = action.value;
      const value = { to, subject: traces.text(subject), body: traces.text(body) };
      return to.length === 0 ? [] : [{ ...action, value }];
    }
    case 'webhook':
      return [{ ...action, value: { ...action.value, body: traces.json(action.value.body) } }];
    case 'create_ticket': {
      const { subject, body } = action.value;
      return [{ ...action, value: { ...action.value, subject: traces.text(subject), body: traces.text(body) } }];
    }
    case 'set_team':
    case 'assign':
    case 'unassign':
    case 'snooze':
    case 'follow':
      return [action];
    default:
      return scrubbed(action, traces) as TriggerAction[];
  }
}

function scrubbedPart(part: TriggerPart, traces: Traces): TriggerPart {
  if (isGroup(part))
    return { ...part, conditions: part.conditions.map((one) => scrubbedPart(one, traces) as TriggerCondition) };
  return typeof part.value === 'number' ? part : { ...part, value: traces.json(part.value) };
}

function scrubTriggers(tx: Tx, siteId: number, traces: Traces, rows: typeof triggerRows | typeof timedRuleRows): void {
  for (const { id, name, conditions, actions, version } of rows.list(tx, siteId)) {
    const left = actions.flatMap((action) => scrubbedTrigger(action, traces));
    const changed = {
      name: traces.text(name),
      conditions: conditions.map((part) => scrubbedPart(part, traces)),
      actions: left,
    };
    if (JSON.stringify(changed) !== JSON.stringify({ name, conditions, actions }))
      rows.update(tx, id, { ...changed, version: version + 1 });
  }
}

/** One for the person themselves goes. */
function scrubRecurring(tx: Tx, siteId: number, traces: Traces): void {
  for (const { id, name, ticket, version } of recurringTicketRows.list(tx, siteId)) {
    if (traces.isIn(ticket.email)) {
      recurringTicketRows.remove(tx, id);
      continue;
    }
    const changed = { name: traces.text(name), ticket: traces.json(ticket) };
    if (JSON.stringify(changed) !== JSON.stringify({ name, ticket }))
      recurringTicketRows.update(tx, id, { ...changed, version: version + 1 });
  }
}

export function scrubRules(tx: Tx, siteId: number, person: Known): void {
  const traces = tracesOf(person, false);
  scrubTriggers(tx, siteId, traces, triggerRows);
  scrubTriggers(tx, siteId, traces, timedRuleRows);
  scrubRecurring(tx, siteId, traces);
  for (const { id, name, conditions, actions, version } of inboundRuleRows.list(tx, siteId)) {
    const changed = {
      name: traces.text(name),
      conditions: conditions.map((one) =>
        typeof one.value === 'number' ? one : { ...one, value: traces.json(one.value) },
      ),
      actions: actions.flatMap((action) => scrubbed(action, traces)),
    };
    if (JSON.stringify(changed) !== JSON.stringify({ name, conditions, actions }))
      inboundRuleRows.update(tx, id, { ...changed, version: version + 1 });
  }
}
