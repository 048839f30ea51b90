// What a rule costs each message that comes, at worst: the one place that says so.

import { mostOnSite, mostRuleCost } from './limits.ts';
import { patternSize } from './pattern-size.ts';
import type { RuleAction, RuleCondition } from './rule.ts';

type Costly = { conditions: readonly RuleCondition[]; actions: readonly RuleAction[] };

const ruleUnits = 10;
const actionUnits = 10;
/** Each tag and each key of metadata is looked up for itself. */
const namedUnits = 5;
/** What is stored is read, sent and kept: so many characters cost one unit. */
const charactersAUnit = 4;

/**
 * The cost of a rule: for each condition the steps of its regular expression (one for any other operator) times the weight
 * of the field that it searches, and what its value and the actions take to keep.
 */
export function costOfRule({ conditions, actions }: Costly): number {
  let units = ruleUnits;
  for (const condition of conditions) units += costOfCondition(condition);
  for (const action of actions) units += costOfAction(action);
  return units;
}

function costOfCondition({ field, operator, value }: RuleCondition): number {
  const steps = operator === 'matches' ? patternSize(String(value)) : 1;
  return steps * weightOf(field) + textUnits(value);
}

function costOfAction({ type, value }: RuleAction): number {
  const named = type === 'add_tags' ? value.length : type === 'set_metadata' ? Object.keys(value).length : 0;
  return actionUnits + named * namedUnits + textUnits(value);
}

/** How much there is to search: a body has ten thousand characters, a list of recipients or headers many values. */
function weightOf(field: string): number {
  if (field === 'body') return 10;
  if (field === 'to' || field === 'cc' || field === 'attachment_name' || field.startsWith('header:')) return 5;
  return 1;
}

function textUnits(value: unknown): number {
  return Math.ceil((JSON.stringify(value) ?? '').length / charactersAUnit);
}

const figure = (value: number) => value.toLocaleString('en');

/** Why the rules of a site are too many or too much together, in a sentence; null where they fit. */
export function excessOfRules(rules: readonly (Costly & { isActive: boolean })[]): string | null {
  const most = mostOnSite['inbound rule'];
  if (rules.length > most)
    return `A site has ${figure(most)} inbound rules at most; these are ${figure(rules.length)}.`;
  const cost = rules.reduce((sum, rule) => (rule.isActive ? sum + costOfRule(rule) : sum), 0);
  if (cost <= mostRuleCost) return null;
  return `The switched-on rules of a site may cost ${figure(mostRuleCost)} together; these cost ${figure(cost)}.`;
}

/**
 * Why a rule cannot be switched on, or become what it is to become, beside the others; null where it can. One that does not
 * make a site's rules costlier than they are is let through.
 */
export function refusalOfCost(
  rule: Costly & { isActive: boolean },
  before: (Costly & { isActive: boolean }) | null,
  others: readonly (Costly & { isActive: boolean })[],
): string | null {
  if (!rule.isActive) return null;
  const cost = costOfRule(rule);
  if (before?.isActive && cost <= costOfRule(before)) return null;
  const rest = others.reduce((sum, other) => (other.isActive ? sum + costOfRule(other) : sum), 0);
  if (rest + cost <= mostRuleCost) return null;
  return `The switched-on rules of a site may cost ${figure(mostRuleCost)} together: this one costs ${figure(cost)}, the others ${figure(rest)}. Large regular expressions on the body cost most.`;
}
