// Runs the rules in one place (slow) and explains the outcome in another (fast).

import { ruleTimeMs } from '../sites/limits.ts';
import { TooSlow } from './condition.ts';
import { evaluateRules } from './evaluate.ts';
import type { RuleMessage } from './fields.ts';
import { forgetPatterns } from './pattern.ts';
import type { Rule, RuleOutcome, RuleSurroundings } from './rule.ts';

// Expressions this slow have built large tables; compiling again costs less than keeping them.
const heavyMs = 100;

export type RuleQuestion = {
  rules: readonly Rule[];
  message: RuleMessage;
  surroundings: RuleSurroundings;
};

/** '1' or '0' for each condition tested, in order. Ends early if the time ran out. */
export type Findings = string;

export function judgeRules({ rules, message, surroundings }: RuleQuestion, spentMs: () => number): Findings {
  const found: string[] = [];
  const check = () => {
    if (spentMs() > ruleTimeMs) throw new TooSlow();
  };
  evaluateRules(rules, message, surroundings, (test, fields) => {
    check();
    const isFound = test.isFound(fields, check);
    found.push(isFound ? '1' : '0');
    return isFound;
  });
  if (spentMs() > heavyMs) forgetPatterns();
  return found.join('');
}

/** Derives the outcome without searching any text, so its cost does not depend on the expressions. */
export function outcomeOfFindings({ rules, message, surroundings }: RuleQuestion, findings: Findings): RuleOutcome {
  let at = 0;
  return evaluateRules(rules, message, surroundings, () => {
    const found = findings[at];
    if (found === undefined) throw new TooSlow();
    at += 1;
    return found === '1';
  });
}
