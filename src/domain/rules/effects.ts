// What the matched rules do to a ticket, action by action.

import { mostMetadataCharacters, mostMetadataRules } from '../sites/limits.ts';
import { type Addressee, participantLimits } from '../tickets/participant.ts';
import { maxTags, type TicketStatus, transitionBetween } from '../tickets/ticket.ts';
import { withActions } from './decision.ts';
import { type ActionTrace, idActions, type RuleAction, type RuleTrace, setOwn } from './rule.ts';
import { isOneOf } from './wire-reading.ts';

export type RuleSubject = {
  fate: 'filed' | 'discarded' | 'held';
  status: TicketStatus;
  categoryId: number | null;
  priorityId: number | null;
  senderId: number | null;
  assigneeId: number | null;
  tags: readonly string[];
  circle: Circle;
  metadata: Readonly<Record<string, unknown>>;
  nextAgentId: number | null;
  agents: readonly { id: number; name: string }[];
  forwardedTo: readonly string[];
  bouncing: readonly string[];
};

/** Who takes part in the ticket once the message is filed. */
export type Circle = {
  size: number;
  /** Why those of the people whom rules name are not added. */
  refused: ReadonlyMap<string, string>;
};

export type RuleDeed = {
  ruleId: number;
  name: string;
  categoryId?: number;
  priorityId?: number;
  senderId?: number;
  assigneeId?: number;
  isTurn?: boolean;
  tags: string[];
  participants: Addressee[];
  metadata: Record<string, unknown>;
  status?: TicketStatus;
  notes: string[];
  forwards: string[];
};

type Settled = { trace: RuleTrace[]; deeds: RuleDeed[] };

/** Where two rules set the same thing, the later one wins. Actions that change nothing, or cannot, are marked as not done. */
export function settleRules(trace: readonly RuleTrace[], subject: RuleSubject): Settled {
  const setters = metadataSetters(trace);
  const winners = lastSetters(trace, setters);
  const state: State = {
    tags: [...subject.tags],
    participants: new Set(),
    forwardedTo: new Set(subject.forwardedTo),
    hasDiscarded: false,
    metadataCharacters: JSON.stringify(subject.metadata).length,
  };
  const deeds: RuleDeed[] = [];
  const settled = trace.map((entry): RuleTrace => {
    if (entry.outcome !== 'matched') return entry;
    let deed: RuleDeed | null = null;
    const deedOf = () => (deed ??= newDeed(entry));
    const actions = entry.actions.map((each) => {
      if (!each.isApplied) return each;
      if (each.action.type === 'set_metadata' && !setters.has(entry))
        return new NotDone(each, `${mostMetadataRules} rules already set metadata`);
      return settleAction(each, deedOf, subject, state, winners);
    });
    if (deed !== null && isDoing(deed)) deeds.push(deed);
    return withActions(entry, actions);
  });
  return { trace: settled, deeds };
}

function newDeed({ ruleId, name }: RuleTrace): RuleDeed {
  return { ruleId, name, tags: [], participants: [], metadata: {}, notes: [], forwards: [] };
}

function isDoing(deed: RuleDeed): boolean {
  const { categoryId, priorityId, senderId, assigneeId, status, tags, participants, metadata, notes, forwards } = deed;
  const isSetting = [categoryId, priorityId, senderId, assigneeId, status].some((value) => value !== undefined);
  const lists = [tags, participants, notes, forwards, Object.keys(metadata)];
  return isSetting || lists.some(({ length }) => length > 0);
}

/** A ticket has one of each. */
const singular = [...idActions, 'set_status'] as const;

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
      } else if (isOneOf(singular, type)) winners.byType.set(type, { action: each, name });
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

type State = {
  tags: string[];
  participants: Set<string>;
  forwardedTo: Set<string>;
  hasDiscarded: boolean;
  metadataCharacters: number;
};

function settleAction(
  each: ActionTrace,
  deedOf: () => RuleDeed,
  subject: RuleSubject,
  state: State,
  winners: Winners,
): ActionTrace {
  const { action, explanation } = each;
  const done = (result: unknown, told = explanation): ActionTrace => ({
    action,
    isApplied: true,
    explanation: told,
    result,
  });
  const not = (why: string) => new NotDone(each, why);
  if (subject.fate === 'held') return not('the message is held');
  if (subject.fate === 'discarded' && action.type !== 'forward' && action.type !== 'discard')
    return not('the message is discarded');
  switch (action.type) {
    case 'set_category':
    case 'set_priority':
    case 'set_sender':
    case 'assign':
    case 'set_status': {
      const winner = winners.byType.get(action.type);
      if (winner !== undefined && winner.action !== each) return not(`“${winner.name}” sets another value later`);
      return setOne(action, deedOf(), subject, done, not);
    }
    case 'add_tags': {
      const missing = action.value.filter((tag) => !state.tags.includes(tag));
      if (missing.length === 0) return not('the ticket already has them');
      const added = missing.slice(0, Math.max(0, maxTags - state.tags.length));
      if (added.length === 0) return not(`a ticket can have at most ${maxTags} tags`);
      state.tags.push(...added);
      deedOf().tags.push(...added);
      return done(added, `Add the tags ${added.join(', ')}.`);
    }
    case 'add_participant': {
      const { email } = action.value;
      const why = subject.circle.refused.get(email);
      if (why !== undefined) return not(why);
      if (state.participants.has(email)) return not('an earlier rule adds them');
      if (subject.circle.size + state.participants.size >= participantLimits.onTicket)
        return not(`a ticket can have at most ${participantLimits.onTicket} participants`);
      state.participants.add(email);
      deedOf().participants.push(action.value);
      return done(email);
    }
    case 'set_metadata': {
      const entries = Object.entries(action.value).filter(
        ([key, value]) => winners.byKey.get(key) === each && !isSame(ownValue(subject.metadata, key), value),
      );
      if (entries.length === 0) return not('the ticket already has these values, or a later rule sets others');
      const metadata = Object.fromEntries(entries);
      const characters = state.metadataCharacters + JSON.stringify(metadata).length;
      if (characters > mostMetadataCharacters)
        return not(`a ticket can have at most ${mostMetadataCharacters / 1024} KB of metadata`);
      state.metadataCharacters = characters;
      setOwn(deedOf().metadata, metadata);
      return done(metadata, `Set the metadata ${entries.map(([key]) => key).join(', ')}.`);
    }
    case 'note':
      deedOf().notes.push(action.value);
      return done(action.value);
    case 'forward': {
      const address = action.value.toLowerCase();
      if (state.forwardedTo.has(address)) return not('the message was already forwarded there');
      if (subject.bouncing.includes(address)) return not('mail to this address bounces');
      state.forwardedTo.add(address);
      deedOf().forwards.push(action.value);
      return done(action.value);
    }
    case 'discard':
      if (state.hasDiscarded) return not('the message is already discarded');
      state.hasDiscarded = true;
      return done(action.value);
  }
}

function setOne(
  action: Extract<RuleAction, { type: (typeof singular)[number] }>,
  deed: RuleDeed,
  subject: RuleSubject,
  done: (result: unknown, told?: string) => ActionTrace,
  not: (why: string) => ActionTrace,
): ActionTrace {
  switch (action.type) {
    case 'set_category':
      if (subject.categoryId === action.value) return not('the ticket already has this value');
      deed.categoryId = action.value;
      return done(action.value);
    case 'set_priority':
      if (subject.priorityId === action.value) return not('the ticket already has this value');
      deed.priorityId = action.value;
      return done(action.value);
    case 'set_sender':
      if (subject.senderId === action.value) return not('the ticket already has this value');
      deed.senderId = action.value;
      return done(action.value);
    case 'assign': {
      // Turns are for unassigned tickets: a conversation keeps its agent.
      if (action.value === 'round_robin' && subject.assigneeId !== null) return not('the ticket is already assigned');
      const agentId = action.value === 'round_robin' ? subject.nextAgentId : action.value;
      if (agentId === null) return not('the site has no active agents');
      if (agentId === subject.assigneeId) return not('the ticket already has this value');
      deed.assigneeId = agentId;
      if (action.value !== 'round_robin') return done(agentId);
      deed.isTurn = true;
      return done(agentId, `Assign to ${subject.agents.find(({ id }) => id === agentId)?.name}, whose turn it is.`);
    }
    case 'set_status': {
      const step = transitionBetween(subject.status, action.value);
      if (step === 'none') return not('the ticket already has this value');
      if (step === null) return not(`a ${subject.status} ticket cannot become ${action.value}`);
      deed.status = action.value;
      return done(action.value);
    }
  }
}

function ownValue(metadata: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(metadata, key) ? metadata[key] : undefined;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
