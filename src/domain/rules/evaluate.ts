// Which rules match a message and why, and what they would do. Nothing is changed here.

import { ruleTimeMs } from '../sites/limits.ts';
import { type Ask, type ConditionTest, conditionHolds, prepareCondition, TooSlow } from './condition.ts';
import { decided, untouched } from './decision.ts';
import { Fields, type RuleMessage } from './fields.ts';
import { goneFrom, limitOf, noteEffect } from './inbound-actions.ts';
import {
  type ActionTrace,
  type ConditionResult,
  idActions,
  type Known,
  noEffects,
  type Rule,
  type RuleCondition,
  type RuleOutcome,
  type RuleSurroundings,
  type RuleTrace,
} from './rule.ts';
import { isOneOf } from './wire-reading.ts';

export function evaluateRules(
  rules: readonly Rule[],
  message: RuleMessage,
  surroundings: RuleSurroundings,
  ask: Ask = (test, fields) => test.isFound(fields),
): RuleOutcome {
  const known = indexed(surroundings);
  const fields = new Fields(message);
  const effects = noEffects();
  const trace: RuleTrace[] = [];
  let endedBy: string | null = null;
  let isTimeOver = false;
  for (const ready of readyOf(rules)) {
    const { rule } = ready;
    if (endedBy !== null) {
      trace.push(untouched(rule, 'not_reached', `“${endedBy}” stopped processing.`));
      continue;
    }
    const entry: RuleTrace = isTimeOver ? tooSlow(rule) : evaluateInTime(ready, fields, known, ask);
    isTimeOver ||= entry.isTooSlow === true;
    trace.push(entry);
    if (entry.outcome !== 'matched') continue;
    const categoryBefore = effects.categoryId;
    for (const [at, action] of entry.actions.entries()) {
      const limit = action.isApplied ? limitOf(action.action, effects) : null;
      if (limit !== null) entry.actions[at] = notDone(action, limit);
      else if (action.isApplied) {
        noteEffect(effects, rule, action.action);
        if (action.action.type === 'add_participant') fields.addParticipant(action.action.value);
      }
    }
    if (effects.categoryId !== categoryBefore && effects.categoryId !== null)
      fields.setCategory(known.categories.get(effects.categoryId) ?? null);
    if (entry.isLast) endedBy = rule.name;
  }
  return { effects, trace };
}

function evaluateInTime(ready: ReadyRule, fields: Fields, known: Known, ask: Ask): RuleTrace {
  try {
    return evaluate(ready, fields, known, ask);
  } catch (error) {
    if (!(error instanceof TooSlow)) throw error;
    return tooSlow(ready.rule);
  }
}

function tooSlow(rule: Rule): RuleTrace {
  if (!rule.isActive) return switchedOff(rule);
  const why = `Skipped: too slow. All rules together have ${ruleTimeMs} ms per message, and the time was up.`;
  return { ...untouched(rule, 'skipped', why), isTooSlow: true };
}

function switchedOff(rule: Rule): RuleTrace {
  return untouched(rule, 'inactive', 'The rule is switched off.');
}

function notDone({ action, explanation }: ActionTrace, why: string): ActionTrace {
  return { action, isApplied: false, explanation: `${explanation.slice(0, -1)}: not done, ${why}.`, result: null };
}

type ReadyRule = { rule: Rule; tests: readonly ConditionTest[]; mayNameGone: boolean };

// The same list arrives with each message until a rule of the site changes.
const ready = new WeakMap<readonly Rule[], readonly ReadyRule[]>();

function readyOf(rules: readonly Rule[]): readonly ReadyRule[] {
  let known = ready.get(rules);
  if (known === undefined) {
    known = inOrder(rules).map((rule) => ({
      rule,
      tests: rule.conditions.map((condition) => prepareCondition(condition)),
      mayNameGone:
        rule.actions.some(({ type }) => isOneOf(idActions, type)) ||
        rule.conditions.some(({ field }) => field === 'site_category'),
    }));
    ready.set(rules, known);
  }
  return known;
}

function inOrder(rules: readonly Rule[]): readonly Rule[] {
  const isSorted = rules.every((rule, at) => at === 0 || rules[at - 1]!.position <= rule.position);
  return isSorted ? rules : [...rules].sort((a, b) => a.position - b.position || a.id - b.id);
}

function evaluate({ rule, tests, mayNameGone }: ReadyRule, fields: Fields, known: Known, ask: Ask): RuleTrace {
  if (!rule.isActive) return switchedOff(rule);
  const gone = mayNameGone ? missing(rule, known) : null;
  if (gone !== null) {
    const skipped = untouched(rule, 'skipped', `Skipped: it names ${gone}, which was removed or switched off.`);
    return { ...skipped, wouldMatch: wouldMatch(rule, tests, fields, known, ask) };
  }
  const conditions: ConditionResult[] = [];
  const wanted = rule.match === 'any';
  for (const test of tests) {
    const result = conditionHolds(test, fields, ask);
    conditions.push(result);
    if (result.holds === wanted) return decided(rule, conditions, wanted, known);
  }
  // With `all`, every condition held; with `any`, none did. A rule without conditions matches every message.
  return decided(rule, conditions, !wanted || tests.length === 0, known);
}

function wouldMatch(rule: Rule, tests: readonly ConditionTest[], fields: Fields, known: Known, ask: Ask): boolean {
  const judged = tests.filter(({ condition }) => missingCategory(condition, known) === undefined);
  const holds = (test: ConditionTest) => conditionHolds(test, fields, ask).holds;
  if (rule.match === 'all') return judged.every(holds);
  return judged.length < rule.conditions.length || judged.length === 0 || judged.some(holds);
}

function indexed(surroundings: RuleSurroundings): Known {
  const words = surroundings.categories.flatMap((each) => [
    String(each.id),
    each.slug.toLowerCase(),
    each.name.toLowerCase(),
  ]);
  return {
    categories: new Map(surroundings.categories.map((each) => [each.id, each])),
    categoryWords: new Set(words),
    priorities: new Map(surroundings.priorities.map((each) => [each.id, each.name])),
    senders: new Map(surroundings.senders.map((each) => [each.id, each.name])),
    agents: new Map(surroundings.agents.map((each) => [each.id, each.name])),
    hasMembers: surroundings.hasMembers,
  };
}

function missing(rule: Rule, known: Known): string | null {
  for (const action of rule.actions) {
    const gone = goneFrom(action, known);
    if (gone !== null) return gone;
  }
  for (const condition of rule.conditions) {
    const gone = missingCategory(condition, known);
    if (gone !== undefined) return `category ${gone}`;
  }
  return null;
}

function missingCategory({ field, operator, value }: RuleCondition, known: Known): string | undefined {
  if (field !== 'site_category' || (operator !== 'equals' && operator !== 'in')) return undefined;
  const gone = [value].flat().find((each) => !known.categoryWords.has(String(each).toLowerCase()));
  return gone === undefined ? undefined : String(gone);
}
