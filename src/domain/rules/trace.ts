// How much is told of what rules did: all that did something, and of the others no more than somebody reads.

import { truncate } from '../text.ts';
import type { RuleTrace } from './rule.ts';

/** Of how many rules the ledger tells that did nothing: a thousand would be a novel for each message. */
const mostIdle = 50;
/** As JSON. A message of a kilobyte may meet megabytes of rules, which are not to be stored with each; a page has a hundred. */
const ledgerCharacters = 40_000;
const dryRunCharacters = 500_000;
/** Of an explanation, where conditions and actions are left out. */
const shortExplanation = 200;

/** For the ledger, as it will be read. */
export function traceForLedger(trace: readonly RuleTrace[]): RuleTrace[] {
  return withinCharacters(telling(trace), ledgerCharacters);
}

/** For a dry run: every rule. */
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

/** Once there is too much of it, a rule is told of without its conditions and actions. */
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
