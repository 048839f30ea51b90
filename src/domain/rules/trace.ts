// How much of a trace is kept: every rule that did something, and a limited number of others.

import { truncate } from '../text.ts';
import type { RuleTrace } from './rule.ts';

const mostIdle = 50;
/** As JSON. A small message may meet megabytes of rules. */
const loggedCharacters = 40_000;
const dryRunCharacters = 500_000;
const shortExplanation = 200;

export function traceForLog(trace: readonly RuleTrace[]): RuleTrace[] {
  return withinCharacters(telling(trace), loggedCharacters);
}

export function traceForDryRun(trace: readonly RuleTrace[]): RuleTrace[] {
  return withinCharacters(trace, dryRunCharacters);
}

export function tooSlowRules(trace: readonly RuleTrace[]): RuleTrace[] {
  return trace.filter(({ isTooSlow }) => isTooSlow === true);
}

function telling(trace: readonly RuleTrace[]): readonly RuleTrace[] {
  if (trace.length <= mostIdle) return trace;
  const [firstSlow] = tooSlowRules(trace);
  let idle = 0;
  return trace.filter((entry) => {
    const { outcome, wouldMatch, actions } = entry;
    if ((outcome === 'skipped' && wouldMatch) || actions.some(({ isApplied }) => isApplied)) return true;
    idle += 1;
    return idle <= mostIdle || entry === firstSlow;
  });
}

/** When the room is used up, further rules are kept without their conditions and actions. */
function withinCharacters(trace: readonly RuleTrace[], most: number): RuleTrace[] {
  let left = most;
  return trace.map((entry) => {
    if (left > 0) {
      const json = JSON.stringify(entry);
      left -= json.length;
      if (left >= 0) return JSON.parse(json) as RuleTrace;
    }
    const { ruleId, name, outcome, isLast, wouldMatch, isTooSlow } = entry;
    const explanation = truncate(entry.explanation, shortExplanation);
    return {
      ...{ ruleId, name, outcome, explanation, conditions: [], decidedBy: null, actions: [], isLast },
      ...(wouldMatch === undefined ? {} : { wouldMatch }),
      ...(isTooSlow === undefined ? {} : { isTooSlow }),
    };
  });
}
