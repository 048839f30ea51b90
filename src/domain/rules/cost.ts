// What a rule costs for each message, at worst.

import { mostOnSite, mostRuleCost } from '../limits.ts';
import { patternSize } from './pattern-size.ts';
import type { RuleAction, RuleCondition } from './rule.ts';

type Costly = { conditions: readonly RuleCondition[]; actions: readonly RuleAction[] };

const figure = (value: number) => value.toLocaleString('en');

const ruleUnits = 10;
const actionUnits = 10;
const namedUnits = 5;
const charactersAUnit = 4;

/** Steps of each regular expression times the weight of its field, plus the room that values and actions take. */
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

function weightOf(field: string): number {
  if (field === 'body') return 10;
  if (field === 'to' || field === 'cc' || field === 'attachment_name' || field.startsWith('header:')) return 5;
  return 1;
}

function textUnits(value: unknown): number {
  return Math.ceil((JSON.stringify(value) ?? '').length / charactersAUnit);
}

function keepingUnits({ conditions, actions }: Costly): number {
  let units = 0;
  for (const { value } of [...conditions, ...actions]) units += textUnits(value);
  return units;
}

type Switchable = Costly & { isActive: boolean };
type Sum = { running: number; kept: number };

function sumOf(rules: readonly Switchable[]): Sum {
  const sum = { running: 0, kept: 0 };
  for (const rule of rules) {
    if (rule.isActive) sum.running += costOfRule(rule);
    sum.kept += keepingUnits(rule);
  }
  return sum;
}

const most = figure(mostRuleCost);
const runningRule = `The active rules of a site must cost at most ${most} in total`;
const keptRule = `All rules of a site, active or not, must take at most ${most} units of four characters in total`;

export function excessOfRules(rules: readonly Switchable[]): string | null {
  const mostRows = mostOnSite['inbound rule'];
  if (rules.length > mostRows)
    return `A site can have at most ${figure(mostRows)} inbound rules; this one has ${figure(rules.length)}.`;
  const { running, kept } = sumOf(rules);
  if (running > mostRuleCost) return `${runningRule}; these cost ${figure(running)}.`;
  return kept > mostRuleCost ? `${keptRule}; these take ${figure(kept)}.` : null;
}

/** Why a rule cannot be added or changed, or null. A change that makes nothing more expensive is always allowed. */
export function refusalOfCost(
  rule: Switchable,
  before: Switchable | null,
  others: readonly Switchable[],
): string | null {
  const [mine, was, rest] = [sumOf([rule]), sumOf(before === null ? [] : [before]), sumOf(others)];
  if (mine.running > was.running && rest.running + mine.running > mostRuleCost)
    return `${runningRule}: this one costs ${figure(mine.running)}, the others ${figure(rest.running)}. Large regular expressions on the body cost most.`;
  if (mine.kept > was.kept && rest.kept + mine.kept > mostRuleCost)
    return `${keptRule}: this one takes ${figure(mine.kept)}, the others ${figure(rest.kept)}.`;
  return null;
}
