// A site's inbound rules, in order.

import { invalid, invalidFields } from '../../domain/errors.ts';
import type { RuleChangeInput, RuleInput } from '../../domain/input/channels.ts';
import type { RuleAction, RuleCondition, RuleSurroundings } from '../../domain/rules/rule.ts';
import { charactersOf, excessOfCharacters } from '../../domain/rules/size.ts';
import type { TriggerAction } from '../../domain/rules/trigger.ts';
import { validateRule } from '../../domain/rules/validation.ts';
import type { Tx } from '../../engine/database.ts';
import { agentsOfSite } from '../../store/people/agents.ts';
import {
  categoryRows,
  type InboundRule,
  inboundRuleRows,
  priorityRows,
  senderRows,
} from '../../store/sites/catalogue.ts';
import type { Site } from '../../store/sites/sites.ts';
import type { Context } from '../context.ts';
import { columnsOf } from '../sites/catalogue/columns.ts';
import { catalogue } from '../sites/catalogue/verbs.ts';
import { asSender } from '../sites/site-senders.ts';
import { requireCanTakePart } from '../tickets/participants.ts';

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
    senders: senderRows.list(tx, site.id).map((row) => {
      const { id, name, address } = asSender(site, row);
      return { id, name: address ?? name ?? site.name };
    }),
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

export function requirePeople(
  tx: Tx,
  ctx: Context,
  site: Site,
  actions: readonly (RuleAction | TriggerAction)[],
): void {
  for (const [at, { type, value }] of actions.entries())
    if (type === 'add_participant') requireCanTakePart(tx, ctx, site, value.email, `actions.${at}.value.email`);
}

type Sized = Pick<InboundRule, 'conditions' | 'actions'>;

/** Rules from an older version may be too large: a change that adds nothing is let through. */
function requireRoom(rule: Sized, before: Sized | null, others: readonly Sized[], field: string): void {
  if (before !== null && charactersOf([rule]) <= charactersOf([before])) return;
  const excess = excessOfCharacters([...others, rule]);
  if (excess !== null) throw invalid(field, excess);
}

export const inboundRules = catalogue<InboundRule, RuleInput, RuleChangeInput>({
  noun: 'inbound rule',
  rows: inboundRuleRows,
  compose(tx, ctx, site, input) {
    const rows = inboundRuleRows.list(tx, site.id);
    const rule = { conditions: input.conditions.map(plainCondition), actions: input.actions as RuleAction[] };
    requireValid({ name: input.name, ...rule }, surroundingsOf(tx, site, 'all'));
    requirePeople(tx, ctx, site, rule.actions);
    requireRoom(rule, null, rows, 'conditions');
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
  revise(tx, ctx, site, row, input) {
    const columns = columnsOf(input, row);
    if (input.conditions !== undefined) columns.conditions = input.conditions.map(plainCondition);
    const { name = row.name, conditions = row.conditions, actions = row.actions } = columns;
    requireValid({ name, conditions, actions });
    // A removed category must not prevent renaming a rule that names it.
    const surroundings = surroundingsOf(tx, site, 'all');
    if (columns.conditions !== undefined) requireValid({ name, conditions, actions: harmless }, surroundings);
    if (columns.actions !== undefined) {
      requireValid({ name, conditions: [], actions }, surroundings);
      requirePeople(tx, ctx, site, actions);
    }
    const others = inboundRuleRows.list(tx, site.id).filter(({ id }) => id !== row.id);
    requireRoom({ conditions, actions }, row, others, columns.conditions === undefined ? 'actions' : 'conditions');
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
