// The rules that a site's incoming mail goes through, in their order.

import { DeskError } from '../domain/errors.ts';
import type { RuleChangeInput, RuleInput } from '../domain/input/channels.ts';
import type { RuleAction, RuleCondition } from '../domain/rule.ts';
import { validateRule } from '../domain/rule-validation.ts';
import { type InboundRule, inboundRuleRows } from '../store/sites.ts';
import { catalogue, columnsOf } from './catalog.ts';

function requireValid(rule: { name: string; conditions: RuleCondition[]; actions: RuleAction[] }): void {
  const errors = validateRule(rule);
  if (Object.keys(errors).length > 0) throw new DeskError('invalid', 'The rule does not hold together.', { errors });
}

export const inboundRules = catalogue<InboundRule, RuleInput, RuleChangeInput>({
  noun: 'inbound rule',
  rows: inboundRuleRows,
  // Every message goes through all of them: two thousand cost it a few milliseconds.
  maxRows: 2000,
  compose(tx, ctx, site, input) {
    const rows = inboundRuleRows.list(tx, site.id);
    const rule = { conditions: input.conditions.map(plainCondition), actions: input.actions as RuleAction[] };
    requireValid({ name: input.name, ...rule });
    return {
      name: input.name,
      position: input.position ?? rows.reduce((highest, { position }) => Math.max(highest, position), 0) + 1,
      isActive: input.is_active ?? true,
      match: input.match ?? 'all',
      ...rule,
      stopProcessing: input.stop_processing ?? false,
      createdAt: ctx.now,
    };
  },
  revise(_tx, _ctx, _site, row, input) {
    const columns = columnsOf(input, {
      name: 'name',
      position: 'position',
      is_active: 'isActive',
      match: 'match',
      actions: 'actions',
      stop_processing: 'stopProcessing',
    }) as Partial<InboundRule>;
    if (input.conditions !== undefined) columns.conditions = input.conditions.map(plainCondition);
    requireValid({
      name: columns.name ?? row.name,
      conditions: columns.conditions ?? row.conditions,
      actions: columns.actions ?? row.actions,
    });
    return columns;
  },
});

function plainCondition(condition: RuleInput['conditions'][number]): RuleCondition {
  return {
    field: condition.field,
    operator: condition.operator as RuleCondition['operator'],
    value: (condition.value ?? null) as RuleCondition['value'],
    negate: condition.negate ?? false,
  };
}
