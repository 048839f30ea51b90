// Asking the rules in one place and telling what came of it in another: the asking takes long, the telling does not.

import { ruleTimeMs } from '../limits.ts';
import { type RuleMessage, TooSlow } from './condition.ts';
import { forgetPatterns } from './pattern.ts';
import { evaluateRules, type Rule, type RuleOutcome, type RuleSurroundings } from './rule.ts';

/** Expressions that took this long have built large tables; compiling them again costs less than keeping those. */
const heavyMs = 100;

/** What rules are asked of a message. */
export type RuleQuestion = {
  rules: readonly Rule[];
  /** The part of it that rules look at. */
  message: RuleMessage;
  surroundings: RuleSurroundings;
};

/** For each condition that was asked, in order, whether it was found: 1 or 0. Where the time was over it ends. */
export type Findings = string;

/**
 * Asks the rules until they are done or their time is over.
 * @param spentMs processor time since the asking began
 */
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

/** The outcome that these findings lead to. No text is searched: it costs the same whatever the expressions are. */
export function outcomeOfFindings({ rules, message, surroundings }: RuleQuestion, findings: Findings): RuleOutcome {
  let at = 0;
  return evaluateRules(rules, message, surroundings, () => {
    const found = findings[at];
    if (found === undefined) throw new TooSlow();
    at += 1;
    return found === '1';
  });
}
