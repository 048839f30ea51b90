// What a rule costs each message that comes, at worst: the one place that says so.

import { mostOnSite, mostRuleCost } from '../limits.ts';
import { patternSize } from './pattern-size.ts';
import type { RuleAction, RuleCondition } from './rule.ts';

type Costly = { conditions: readonly RuleCondition[]; actions: readonly RuleAction[] };

const figure = (value: number) => value.toLocaleString('en');

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

/** What a rule takes to keep, also while it is off. */
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
const runningRule = `The switched-on rules of a site may cost ${most} together`;
const keptRule = `What the rules of a site hold, also those that are off, may take ${most} units of four characters together`;

/** Why the rules of a site are too many or too much together, in a sentence; null where they fit. */
export function excessOfRules(rules: readonly Switchable[]): string | null {
  const mostRows = mostOnSite['inbound rule'];
  if (rules.length > mostRows)
    return `A site has ${figure(mostRows)} inbound rules at most; these are ${figure(rules.length)}.`;
  const { running, kept } = sumOf(rules);
  if (running > mostRuleCost) return `${runningRule}; these cost ${figure(running)}.`;
  return kept > mostRuleCost ? `${keptRule}; these take ${figure(kept)}.` : null;
}

/**
 * Why a rule cannot be switched on, or become what it is to become, beside the others; null where it can. One that makes a
 * site's rules no costlier than they are is let through.
 */
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
