// Takes a person out of the inbound rules of a site (docs/privacy.md).

import type { RuleAction } from '../../domain/rules/rule.ts';
import { type Known, type Traces, tracesOf } from '../../domain/traces.ts';
import type { Tx } from '../../store/database.ts';
import { inboundRuleRows } from '../../store/site-catalogue.ts';

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

export function scrubRules(tx: Tx, siteId: number, person: Known): void {
  const traces = tracesOf(person, false);
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
