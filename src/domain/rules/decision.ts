// What became of one rule, and the sentences that say why.

import { explained } from './inbound-actions.ts';
import type { ActionTrace, ConditionResult, Known, Rule, RuleTrace } from './rule.ts';

export function decided(rule: Rule, conditions: ConditionResult[], isMatch: boolean, known: Known): RuleTrace {
  if (!isMatch) return new Decided(rule, conditions, noActions, false);
  const actions = rule.actions.map((action) => explained(action, known));
  const isDiscard = actions.some((each) => each.isApplied && each.action.type === 'discard');
  return new Decided(rule, conditions, actions, rule.stopProcessing || isDiscard);
}

const noActions: ActionTrace[] = [];

export function withActions(entry: RuleTrace, actions: ActionTrace[]): RuleTrace {
  return entry instanceof Decided ? entry.withActions(actions) : { ...entry, actions };
}

class Decided implements RuleTrace {
  readonly ruleId: number;
  readonly name: string;
  readonly outcome: RuleTrace['outcome'];
  readonly conditions: ConditionResult[];
  readonly decidedBy: number | null;
  readonly actions: ActionTrace[];
  readonly isLast: boolean;
  readonly #rule: Rule;

  constructor(rule: Rule, conditions: ConditionResult[], actions: ActionTrace[], isLast: boolean) {
    const isByOne = conditions.length > 0 && conditions.at(-1)!.holds === (rule.match === 'any');
    this.#rule = rule;
    this.ruleId = rule.id;
    this.name = rule.name;
    this.outcome = actions === noActions ? 'not_matched' : 'matched';
    this.conditions = conditions;
    this.decidedBy = isByOne ? conditions.length - 1 : null;
    this.actions = actions;
    this.isLast = isLast;
  }

  get explanation(): string {
    return explainDecision(this.#rule, this.conditions, this.outcome === 'matched', this.decidedBy);
  }

  withActions(actions: ActionTrace[]): RuleTrace {
    return new Decided(this.#rule, this.conditions, actions, this.isLast);
  }

  toJSON(): RuleTrace {
    const { ruleId, name, outcome, explanation, conditions, decidedBy, actions, isLast } = this;
    return { ruleId, name, outcome, explanation, conditions, decidedBy, actions, isLast };
  }
}

function explainDecision(
  rule: Rule,
  conditions: readonly ConditionResult[],
  isMatch: boolean,
  decidedBy: number | null,
): string {
  const result = isMatch ? 'Matched' : 'Did not match';
  if (decidedBy !== null) return `${result}: ${conditions[decidedBy]!.explanation}`;
  if (conditions.length === 0) return 'Matched: a rule without conditions matches every message.';
  if (conditions.length === 1) return `${result}: ${conditions[0]!.explanation}`;
  return `${result}: ${rule.match === 'all' ? 'all' : 'none'} of its ${conditions.length} conditions held.`;
}

export function untouched(rule: Rule, outcome: RuleTrace['outcome'], explanation: string): RuleTrace {
  return {
    ruleId: rule.id,
    name: rule.name,
    outcome,
    explanation,
    conditions: [],
    decidedBy: null,
    actions: [],
    isLast: false,
  };
}
