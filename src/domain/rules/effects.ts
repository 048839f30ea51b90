// What the matched rules do to a ticket, action by action.

import { mostMetadataRules } from '../sites/limits.ts';
import { withActions } from './decision.ts';
import type { Progress, RuleDeed, RuleSubject, Settling } from './deed.ts';
import { isSingular, settle } from './inbound-actions.ts';
import type { ActionTrace, RuleAction, RuleTrace } from './rule.ts';

type SettledRules = { trace: RuleTrace[]; deeds: RuleDeed[] };

/** Where two rules set the same thing, the later one wins. Actions that change nothing, or cannot, are marked as not done. */
export function settleRules(trace: readonly RuleTrace[], subject: RuleSubject): SettledRules {
  const setters = metadataSetters(trace);
  const winners = lastSetters(trace, setters);
  const progress: Progress = {
    tags: [...subject.tags],
    participants: new Set(),
    forwardedTo: new Set(subject.forwardedTo),
    hasDiscarded: false,
    metadataCharacters: JSON.stringify(subject.metadata).length,
  };
  const deeds: RuleDeed[] = [];
  const settled = trace.map((entry): RuleTrace => {
    if (entry.outcome !== 'matched') return entry;
    const deed = newDeed(entry);
    const actions = entry.actions.map((each) => {
      if (!each.isApplied) return each;
      if (each.action.type === 'set_metadata' && !setters.has(entry))
        return new NotDone(each, `${mostMetadataRules} rules already set metadata`);
      return settleAction(each, { subject, progress, deed }, winners);
    });
    if (isDoing(deed)) deeds.push(deed);
    return withActions(entry, actions);
  });
  return { trace: settled, deeds };
}

function newDeed({ ruleId, name }: RuleTrace): RuleDeed {
  return { ruleId, name, change: {}, tags: [], participants: [], metadata: {}, notes: [], forwards: [] };
}

function isDoing({ change, status, tags, participants, metadata, notes, forwards }: RuleDeed): boolean {
  const lists = [Object.keys(change), tags, participants, notes, forwards, Object.keys(metadata)];
  return status !== undefined || lists.some(({ length }) => length > 0);
}

type Winners = { byType: Map<RuleAction['type'], Winner>; byKey: Map<string, ActionTrace> };
type Winner = { action: ActionTrace; name: string };

// Each is a change of the ticket and a row of its history.
function metadataSetters(trace: readonly RuleTrace[]): ReadonlySet<RuleTrace> {
  const setters = trace.filter(({ actions }) =>
    actions.some(({ isApplied, action }) => isApplied && action.type === 'set_metadata'),
  );
  return new Set(setters.slice(0, mostMetadataRules));
}

function lastSetters(trace: readonly RuleTrace[], setters: ReadonlySet<RuleTrace>): Winners {
  const winners: Winners = { byType: new Map(), byKey: new Map() };
  for (const entry of trace) {
    const { name, actions } = entry;
    for (const each of actions) {
      if (!each.isApplied) continue;
      const { type, value } = each.action;
      if (type === 'set_metadata') {
        if (setters.has(entry)) for (const key of Object.keys(value)) winners.byKey.set(key, each);
      } else if (isSingular(type)) winners.byType.set(type, { action: each, name });
    }
  }
  return winners;
}

class NotDone implements ActionTrace {
  readonly action: RuleAction;
  readonly isApplied = false;
  readonly result = null;
  readonly #asked: string;
  readonly #why: string;

  constructor({ action, explanation }: ActionTrace, why: string) {
    this.action = action;
    this.#asked = explanation;
    this.#why = why;
  }

  get explanation(): string {
    return `${this.#asked.slice(0, -1)}: not done, ${this.#why}.`;
  }

  toJSON(): ActionTrace {
    const { action, isApplied, explanation, result } = this;
    return { action, isApplied, explanation, result };
  }
}

function settleAction(each: ActionTrace, settling: Settling, winners: Winners): ActionTrace {
  const { action, explanation } = each;
  const { fate } = settling.subject;
  if (fate === 'held') return new NotDone(each, 'the message is held');
  if (fate === 'discarded' && action.type !== 'forward' && action.type !== 'discard')
    return new NotDone(each, 'the message is discarded');
  const winner = winners.byType.get(action.type);
  if (winner !== undefined && winner.action !== each)
    return new NotDone(each, `“${winner.name}” sets another value later`);
  const settled = settle(action.type === 'set_metadata' ? ownPart(each, action, winners) : action, settling);
  if (typeof settled === 'string') return new NotDone(each, settled);
  return { action, isApplied: true, explanation: settled.told ?? explanation, result: settled.result };
}

type MetadataAction = Extract<RuleAction, { type: 'set_metadata' }>;

/** Without the keys that a later rule sets. */
function ownPart(each: ActionTrace, { type, value }: MetadataAction, { byKey }: Winners): MetadataAction {
  return { type, value: Object.fromEntries(Object.entries(value).filter(([key]) => byKey.get(key) === each)) };
}
