// Inbound rules: what a rule is, and which rules match a message, why, and what they would have done. Pure.
import { mostForwards, mostRuleNotes, ruleTimeMs } from '../limits.ts';
import {
  type Ask,
  type ConditionResult,
  type ConditionTest,
  conditionHolds,
  Fields,
  prepareCondition,
  type RuleMessage,
  TooSlow,
} from './condition.ts';

export const ruleOperators = [
  'equals',
  'contains',
  'starts_with',
  'ends_with',
  'matches',
  'in',
  'gt',
  'lt',
  'exists',
] as const;
export type RuleOperator = (typeof ruleOperators)[number];

export type RuleValue = string | number | boolean | null | readonly (string | number)[];
export type RuleCondition = { field: string; operator: RuleOperator; value: RuleValue; negate: boolean };

export const ruleStatuses = ['open', 'pending', 'resolved', 'closed'] as const;
export type RuleStatus = (typeof ruleStatuses)[number];

export type RuleAction =
  | { type: 'set_category'; value: number }
  | { type: 'set_priority'; value: number }
  | { type: 'assign'; value: number | 'round_robin' }
  | { type: 'add_tags'; value: readonly string[] }
  | { type: 'set_metadata'; value: Readonly<Record<string, unknown>> }
  | { type: 'set_status'; value: RuleStatus }
  | { type: 'note'; value: string }
  | { type: 'forward'; value: string }
  | { type: 'discard'; value: string | null };

export type RuleDraft = {
  name: string;
  isActive: boolean;
  match: 'all' | 'any';
  conditions: readonly RuleCondition[];
  actions: readonly RuleAction[];
  stopProcessing: boolean;
};
export type Rule = RuleDraft & { id: number; position: number };

export type RuleCategory = { id: number; slug: string; name: string };

/** What exists on the site today: a rule that names anything else is skipped. */
export type RuleSurroundings = {
  categories: readonly RuleCategory[];
  priorities: readonly { id: number; name: string }[];
  agents: readonly { id: number; name: string }[];
  /** Whether round_robin has anybody to choose from. */
  hasMembers: boolean;
};

/** What the rules ask for, the later rule winning where two set the same thing. Nothing has been done yet. */
type RuleEffects = {
  categoryId: number | null;
  priorityId: number | null;
  assign: number | 'round_robin' | null;
  tags: string[];
  metadata: Record<string, unknown>;
  status: RuleStatus | null;
  notes: { ruleId: number; text: string }[];
  forwards: { ruleId: number; address: string }[];
  discard: { ruleId: number; reason: string } | null;
};

export type ActionTrace = {
  action: RuleAction;
  isApplied: boolean;
  explanation: string;
  /** What came of it: the agent whose turn it was, the tags that were new. Null where it is not applied or not settled. */
  result?: unknown;
};

export type RuleTrace = {
  ruleId: number;
  name: string;
  outcome: 'matched' | 'not_matched' | 'skipped' | 'inactive' | 'not_reached';
  /** One sentence: why. */
  explanation: string;
  /** Those that were looked at, in order: the last of them decided unless all had to hold. */
  conditions: ConditionResult[];
  /** Index of the condition that decided, null where none did. */
  decidedBy: number | null;
  actions: ActionTrace[];
  /** The chain ended here (stop_processing, or the message was discarded). */
  isLast: boolean;
  /** Of a skipped rule: what can still be judged of its conditions holds. */
  wouldMatch?: boolean;
  /** Skipped since the time for the message was over. */
  isTooSlow?: boolean;
};

export type RuleOutcome = { effects: RuleEffects; trace: RuleTrace[] };

/**
 * Runs the rules in order of position (docs/spec/behaviour.md#inbound-rules). Rules see the category that earlier rules set.
 * When `ask` says that the time is over, that rule and all after it are skipped.
 */
export function evaluateRules(
  rules: readonly Rule[],
  message: RuleMessage,
  surroundings: RuleSurroundings,
  ask: Ask = (test, fields) => test.isFound(fields),
): RuleOutcome {
  const known = index(surroundings);
  const fields = new Fields(message);
  const effects = noEffects();
  const trace: RuleTrace[] = [];
  let endedBy: string | null = null;
  let isTimeOver = false;
  for (const ready of readyOf(rules)) {
    const { rule } = ready;
    if (endedBy !== null) {
      trace.push(untouched(rule, 'not_reached', `“${endedBy}” ended the chain.`));
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
      else if (action.isApplied) apply(effects, rule, action.action);
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
  const why = `Skipped: too slow. All rules together have ${ruleTimeMs} ms for one message, and they were over.`;
  return { ...untouched(rule, 'skipped', why), isTooSlow: true };
}

function switchedOff(rule: Rule): RuleTrace {
  return untouched(rule, 'inactive', 'The rule is switched off.');
}

/** Why one message may not set off more of an action; null where it may. */
function limitOf({ type, value }: RuleAction, { forwards, notes }: RuleEffects): string | null {
  if (type === 'note' && notes.length >= mostRuleNotes) return `rules add ${mostRuleNotes} notes to a message at most`;
  if (type !== 'forward' || forwards.length < mostForwards || isAmong(forwards, value)) return null;
  return `a message is forwarded to ${mostForwards} addresses at most`;
}

function isAmong(forwards: RuleEffects['forwards'], address: string): boolean {
  return forwards.some((each) => each.address.toLowerCase() === address.toLowerCase());
}

/** An action that was asked for and is not done. */
function notDone({ action, explanation }: ActionTrace, why: string): ActionTrace {
  return { action, isApplied: false, explanation: `${explanation.slice(0, -1)}: not done, ${why}.`, result: null };
}

export function noEffects(): RuleEffects {
  return {
    categoryId: null,
    priorityId: null,
    assign: null,
    tags: [],
    metadata: {},
    status: null,
    notes: [],
    forwards: [],
    discard: null,
  };
}

/** The member after the one who got the last message; the first where that one is gone. Null where there is nobody. */
export function nextInTurn(memberIds: readonly number[], lastId: number | null): number | null {
  const sorted = [...memberIds].sort((a, b) => a - b);
  return sorted.find((id) => lastId !== null && id > lastId) ?? sorted[0] ?? null;
}

type Known = {
  categories: Map<number, RuleCategory>;
  categoryWords: Set<string>;
  priorities: Map<number, string>;
  agents: Map<number, string>;
  hasMembers: boolean;
};

function index(surroundings: RuleSurroundings): Known {
  const words = surroundings.categories.flatMap((each) => [
    String(each.id),
    each.slug.toLowerCase(),
    each.name.toLowerCase(),
  ]);
  return {
    categories: new Map(surroundings.categories.map((each) => [each.id, each])),
    categoryWords: new Set(words),
    priorities: new Map(surroundings.priorities.map((each) => [each.id, each.name])),
    agents: new Map(surroundings.agents.map((each) => [each.id, each.name])),
    hasMembers: surroundings.hasMembers,
  };
}

/** A rule that is ready to be asked of many messages. */
type ReadyRule = { rule: Rule; tests: readonly ConditionTest[]; mayNameGone: boolean };

// The same list comes with each message until a rule of the site changes.
const ready = new WeakMap<readonly Rule[], readonly ReadyRule[]>();

function readyOf(rules: readonly Rule[]): readonly ReadyRule[] {
  let known = ready.get(rules);
  if (known === undefined) {
    known = inOrder(rules).map((rule) => ({
      rule,
      tests: rule.conditions.map(prepareCondition),
      mayNameGone:
        rule.actions.some(({ type }) => type === 'set_category' || type === 'set_priority' || type === 'assign') ||
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
    const skipped = untouched(rule, 'skipped', `Skipped: it names ${gone}, which is gone or switched off.`);
    return { ...skipped, wouldMatch: wouldMatch(rule, tests, fields, known, ask) };
  }
  const conditions: ConditionResult[] = [];
  const wanted = rule.match === 'any';
  for (const test of tests) {
    const result = conditionHolds(test, fields, ask);
    conditions.push(result);
    if (result.holds === wanted) return decided(rule, conditions, wanted, known);
  }
  // All of all held, or none of any; a rule without conditions is for every message.
  return decided(rule, conditions, !wanted || tests.length === 0, known);
}

function decided(rule: Rule, conditions: ConditionResult[], isMatch: boolean, known: Known): RuleTrace {
  if (!isMatch) return new Decided(rule, conditions, noActions, false);
  const actions = rule.actions.map((action) => explainAction(action, known));
  const isDiscard = actions.some((each) => each.isApplied && each.action.type === 'discard');
  return new Decided(rule, conditions, actions, rule.stopProcessing || isDiscard);
}

const noActions: ActionTrace[] = [];

/** A matched rule whose actions turned out otherwise. */
export function withActions(entry: RuleTrace, actions: ActionTrace[]): RuleTrace {
  return entry instanceof Decided ? entry.withActions(actions) : { ...entry, actions };
}

/** What became of a rule that was asked. Its sentence is made when it is read: nobody reads a thousand of them. */
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
  const verdict = isMatch ? 'Matched' : 'Did not match';
  if (decidedBy !== null) return `${verdict}: ${conditions[decidedBy]!.explanation}`;
  if (conditions.length === 0) return 'Matched: it has no conditions and is for every message.';
  if (conditions.length === 1) return `${verdict}: ${conditions[0]!.explanation}`;
  return `${verdict}: ${rule.match === 'all' ? 'all' : 'none'} of its ${conditions.length} conditions held.`;
}

function untouched(rule: Rule, outcome: RuleTrace['outcome'], explanation: string): RuleTrace {
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

/** The first thing that the rule names and the site no longer has, in words; null where all is there. */
function missing(rule: Rule, known: Known): string | null {
  for (const { type, value } of rule.actions) {
    if (type === 'set_category' && !known.categories.has(value)) return `category ${value}`;
    if (type === 'set_priority' && !known.priorities.has(value)) return `priority ${value}`;
    if (type === 'assign' && value !== 'round_robin' && !known.agents.has(value)) return `agent ${value}`;
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

/** Whether a skipped rule was meant for this message, as far as its conditions can be judged. */
function wouldMatch(rule: Rule, tests: readonly ConditionTest[], fields: Fields, known: Known, ask: Ask): boolean {
  const judged = tests.filter(({ condition }) => missingCategory(condition, known) === undefined);
  const holds = (test: ConditionTest) => conditionHolds(test, fields, ask).holds;
  if (rule.match === 'all') return judged.every(holds);
  return judged.length < rule.conditions.length || judged.length === 0 || judged.some(holds);
}

function explainAction(action: RuleAction, known: Known): ActionTrace {
  const done = (explanation: string): ActionTrace => ({ action, isApplied: true, explanation });
  switch (action.type) {
    case 'set_category':
      return done(`Set the category to ${known.categories.get(action.value)?.name}.`);
    case 'set_priority':
      return done(`Set the priority to ${known.priorities.get(action.value)}.`);
    case 'assign':
      if (action.value !== 'round_robin') return done(`Assign to ${known.agents.get(action.value)}.`);
      if (known.hasMembers) return done('Assign to the next member of the site in turn.');
      return { action, isApplied: false, explanation: 'Assign nobody: the site has no active members.' };
    case 'add_tags':
      return done(`Add the tags ${action.value.join(', ')}.`);
    case 'set_metadata':
      return done(`Set the metadata ${Object.keys(action.value).join(', ')}.`);
    case 'set_status':
      return done(`Set the status to ${action.value}.`);
    case 'note':
      return done('Add a note.');
    case 'forward':
      return done(`Forward the message to ${action.value}.`);
    case 'discard':
      return done(`Discard the message${action.value ? `: ${action.value.replace(/\.$/, '')}` : ''}.`);
  }
}

/** Object.assign would lose a key named __proto__. */
export function setOwn(target: Record<string, unknown>, source: Readonly<Record<string, unknown>>): void {
  for (const [key, value] of Object.entries(source))
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

/** A ticket has ten tags at most: beyond this nobody asks which others were wished for. */
const mostTagsAsked = 100;

/** Adds one applied action to the effects. The trace alone is enough to do this again. */
export function apply(effects: RuleEffects, rule: Pick<Rule, 'id' | 'name'>, action: RuleAction): void {
  switch (action.type) {
    case 'set_category':
      effects.categoryId = action.value;
      break;
    case 'set_priority':
      effects.priorityId = action.value;
      break;
    case 'assign':
      effects.assign = action.value;
      break;
    case 'add_tags':
      for (const tag of action.value)
        if (effects.tags.length < mostTagsAsked && !effects.tags.includes(tag)) effects.tags.push(tag);
      break;
    case 'set_metadata':
      setOwn(effects.metadata, action.value);
      break;
    case 'set_status':
      effects.status = action.value;
      break;
    case 'note':
      effects.notes.push({ ruleId: rule.id, text: action.value });
      break;
    case 'forward':
      if (!isAmong(effects.forwards, action.value)) effects.forwards.push({ ruleId: rule.id, address: action.value });
      break;
    case 'discard':
      effects.discard ??= { ruleId: rule.id, reason: action.value || `Discarded by rule “${rule.name}”.` };
  }
}
