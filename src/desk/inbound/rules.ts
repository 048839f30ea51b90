// A site's inbound rules, in order.

import { invalid, invalidFields } from '../../domain/errors.ts';
import type { RuleChangeInput, RuleInput } from '../../domain/input/channels.ts';
import { refusalOfCost } from '../../domain/rules/cost.ts';
import type { RuleAction, RuleCondition, RuleSurroundings } from '../../domain/rules/rule.ts';
import { validateRule } from '../../domain/rules/validation.ts';
import { agentsOfSite } from '../../store/agents.ts';
import type { Tx } from '../../store/database.ts';
import { categoryRows, type InboundRule, inboundRuleRows, priorityRows } from '../../store/site-catalogue.ts';
import type { Site } from '../../store/sites.ts';
import { columnsOf } from '../catalogue/columns.ts';
import { catalogue } from '../catalogue/verbs.ts';

export function surroundingsOf(tx: Tx, site: Site, only: 'all' | 'active'): RuleSurroundings {
  const isNamed = (row: { isActive: boolean }) => only === 'all' || row.isActive;
  const agents = agentsOfSite(tx, site.id);
  return {
    categories: categoryRows
      .list(tx, site.id)
      .filter(isNamed)
      .map(({ id, slug, name }) => ({ id, slug, name })),
    priorities: priorityRows
      .list(tx, site.id)
      .filter(isNamed)
      .map(({ id, name }) => ({ id, name })),
    agents: agents.map(({ id, name }) => ({ id, name })),
    hasMembers: agents.length > 0,
  };
}

const harmless: RuleAction[] = [{ type: 'discard', value: null }];

type Part = { name: string; conditions: RuleCondition[]; actions: RuleAction[] };

function requireValid(rule: Part, surroundings?: RuleSurroundings): void {
  const errors = validateRule(rule, surroundings);
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
}

type Costly = Pick<InboundRule, 'conditions' | 'actions' | 'isActive'>;

function requireAffordable(rule: Costly, before: Costly | null, others: readonly Costly[], field: string): void {
  const refusal = refusalOfCost(rule, before, others);
  if (refusal !== null) throw invalid(field, refusal);
}

export const inboundRules = catalogue<InboundRule, RuleInput, RuleChangeInput>({
  noun: 'inbound rule',
  rows: inboundRuleRows,
  compose(tx, ctx, site, input) {
    const rows = inboundRuleRows.list(tx, site.id);
    const rule = { conditions: input.conditions.map(plainCondition), actions: input.actions as RuleAction[] };
    requireValid({ name: input.name, ...rule }, surroundingsOf(tx, site, 'all'));
    const isActive = input.is_active ?? true;
    requireAffordable({ ...rule, isActive }, null, rows, 'conditions');
    return {
      name: input.name,
      position: input.position ?? rows.reduce((highest, { position }) => Math.max(highest, position), 0) + 1,
      isActive,
      match: input.match ?? 'all',
      ...rule,
      stopProcessing: input.stop_processing ?? false,
      createdAt: ctx.now,
    };
  },
  revise(tx, _ctx, site, row, input) {
    const columns = columnsOf(input, {
      name: 'name',
      position: 'position',
      is_active: 'isActive',
      match: 'match',
      actions: 'actions',
      stop_processing: 'stopProcessing',
    }) as Partial<InboundRule>;
    if (input.conditions !== undefined) columns.conditions = input.conditions.map(plainCondition);
    const { name = row.name, conditions = row.conditions, actions = row.actions } = columns;
    requireValid({ name, conditions, actions });
    // A removed category must not prevent renaming a rule that names it.
    const surroundings = surroundingsOf(tx, site, 'all');
    if (columns.conditions !== undefined) requireValid({ name, conditions, actions: harmless }, surroundings);
    if (columns.actions !== undefined) requireValid({ name, conditions: [], actions }, surroundings);
    const isActive = columns.isActive ?? row.isActive;
    const isEnabling = isActive && !row.isActive;
    const changed = columns.conditions !== undefined ? 'conditions' : isEnabling ? 'is_active' : 'actions';
    const others = inboundRuleRows.list(tx, site.id).filter(({ id }) => id !== row.id);
    requireAffordable({ conditions, actions, isActive }, row, others, changed);
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
