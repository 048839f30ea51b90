// Takes a person out of the rules of a site (docs/privacy.md).

import { type Known, type Traces, tracesOf } from '../../domain/customers/traces.ts';
import { scrubbedActions } from '../../domain/rules/action-values.ts';
import { isGroup, type TriggerCondition, type TriggerPart } from '../../domain/rules/trigger.ts';
import type { Tx } from '../../engine/database.ts';
import { inboundRuleRows, recurringTicketRows, timedRuleRows, triggerRows } from '../../store/sites/catalogue.ts';

function scrubbedPart(part: TriggerPart, traces: Traces): TriggerPart {
  if (isGroup(part))
    return { ...part, conditions: part.conditions.map((one) => scrubbedPart(one, traces) as TriggerCondition) };
  return typeof part.value === 'number' ? part : { ...part, value: traces.json(part.value) };
}

function scrubTriggers(tx: Tx, siteId: number, traces: Traces, rows: typeof triggerRows | typeof timedRuleRows): void {
  for (const { id, name, conditions, actions, version } of rows.list(tx, siteId)) {
    const changed = {
      name: traces.text(name),
      conditions: conditions.map((part) => scrubbedPart(part, traces)),
      actions: scrubbedActions(actions, traces),
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
      actions: scrubbedActions(actions, traces),
    };
    if (JSON.stringify(changed) !== JSON.stringify({ name, conditions, actions }))
      inboundRuleRows.update(tx, id, { ...changed, version: version + 1 });
  }
}
