// Who has which ticket open: kept in memory, bounded, and forgotten ten seconds after the last word.

import { monotonicMs } from '../../base/clock.ts';
import { type PresenceState, type Present, presenceMs, type TicketPresence } from '../../domain/tickets/presence.ts';

type Place = Omit<TicketPresence, 'agents'>;

interface Word {
  place: Place;
  agent: Present;
  /** The session that said it, or that the primary of a cluster did. */
  from: string;
  until: number;
}

export interface PresenceRegister {
  note(sessionId: number, agent: { id: number; name: string }, place: Place, state: PresenceState | 'gone'): void;
  /** The session has this ticket open no more. */
  leave(sessionId: number, ulid: string): void;
  of(ticketId: number): Present[];
  all(): TicketPresence[];
  /** What another machine knows: it takes the place of what that machine said before. */
  mirror(known: readonly TicketPresence[]): void;
  /** Called with the tickets where someone came, left or began to write. */
  onChange(listener: (changed: TicketPresence[]) => void): void;
}

interface Limits {
  /** Tickets that one session can have open. The one that it named longest ago is dropped for another. */
  mostTickets: number;
  mostWords: number;
  gatherMs: number;
  stayMs: number;
}
const usualLimits: Limits = { mostTickets: 20, mostWords: 20_000, gatherMs: 50, stayMs: presenceMs };

const fromPrimary = 'primary';

export function createPresence(limits: Limits = usualLimits, now: () => number = monotonicMs): PresenceRegister {
  // In the order in which they were said, so that the first one expires first.
  const words = new Map<string, Word>();
  const ofTicket = new Map<number, Map<string, Word>>();
  const ofSession = new Map<string, Set<string>>();
  const listeners: ((changed: TicketPresence[]) => void)[] = [];
  const tellSoon = gatherNews(agentsOn, limits.gatherMs, (news) => {
    for (const listener of listeners) listener(news);
  });
  let isExpiring = false;

  const keyOf = ({ place, from, agent }: Pick<Word, 'place' | 'from' | 'agent'>) =>
    `${place.ticketId} ${from} ${from === fromPrimary ? agent.id : ''}`;

  function drop(key: string): void {
    const word = words.get(key);
    if (word === undefined) return;
    words.delete(key);
    const { ticketId } = word.place;
    const others = ofTicket.get(ticketId);
    others?.delete(key);
    if (others?.size === 0) ofTicket.delete(ticketId);
    const own = ofSession.get(word.from);
    own?.delete(key);
    if (own?.size === 0) ofSession.delete(word.from);
    tellSoon(word.place);
  }

  function keep(word: Word): void {
    const key = keyOf(word);
    drop(key);
    const own = ofSession.get(word.from) ?? new Set();
    const [oldest] = own;
    if (word.from !== fromPrimary && own.size >= limits.mostTickets && oldest !== undefined) drop(oldest);
    const [first] = words.keys();
    if (words.size >= limits.mostWords && first !== undefined) drop(first);
    words.set(key, word);
    const { ticketId } = word.place;
    ofTicket.set(ticketId, (ofTicket.get(ticketId) ?? new Map()).set(key, word));
    ofSession.set(word.from, (ofSession.get(word.from) ?? new Set()).add(key));
    tellSoon(word.place);
    expireLater();
  }

  function expireLater(): void {
    const [first] = words.values();
    if (isExpiring || first === undefined) return;
    isExpiring = true;
    setTimeout(
      () => {
        isExpiring = false;
        expire();
        expireLater();
      },
      Math.max(1, first.until - now()),
    );
  }

  function expire(): void {
    for (const [key, { until }] of words) {
      if (until > now()) break;
      drop(key);
    }
  }

  function agentsOn(ticketId: number): Present[] {
    const agents = new Map<number, Present>();
    for (const { agent, until } of ofTicket.get(ticketId)?.values() ?? []) {
      if (until <= now()) continue;
      if (agents.get(agent.id)?.state !== 'writing') agents.set(agent.id, agent);
    }
    return [...agents.values()].sort((one, other) => one.id - other.id);
  }

  return {
    note(sessionId, { id, name }, place, state) {
      const from = `session ${sessionId}`;
      const said = { place, from, agent: { id, name, state: state === 'gone' ? ('viewing' as const) : state } };
      if (state === 'gone') drop(keyOf(said));
      else keep({ ...said, until: now() + limits.stayMs });
    },
    leave(sessionId, ulid) {
      for (const key of [...(ofSession.get(`session ${sessionId}`) ?? [])])
        if (words.get(key)?.place.ulid === ulid) drop(key);
    },
    of: agentsOn,
    all() {
      const places = new Map<number, Place>();
      for (const { place } of words.values()) places.set(place.ticketId, place);
      return [...places.values()]
        .map((place) => ({ ...place, agents: agentsOn(place.ticketId) }))
        .filter(({ agents }) => agents.length > 0);
    },
    mirror(known) {
      const before = new Set(ofSession.get(fromPrimary));
      for (const { agents, ...place } of known)
        for (const agent of agents) {
          const word = { place, agent, from: fromPrimary, until: now() + limits.stayMs };
          before.delete(keyOf(word));
          keep(word);
        }
      for (const key of before) drop(key);
    },
    onChange: (listener) => {
      listeners.push(listener);
    },
  };
}

/** Tells of places whose agents are others than at the last time, all of a moment together. */
function gatherNews(
  agentsOn: (ticketId: number) => Present[],
  gatherMs: number,
  tell: (news: TicketPresence[]) => void,
): (place: Place) => void {
  const told = new Map<number, string>();
  let changed = new Map<number, Place>();
  let isGathering = false;

  function gathered(): void {
    isGathering = false;
    const places = [...changed.values()];
    changed = new Map();
    const news: TicketPresence[] = [];
    for (const place of places) {
      const agents = agentsOn(place.ticketId);
      const text = JSON.stringify(agents);
      if ((told.get(place.ticketId) ?? '[]') === text) continue;
      if (agents.length === 0) told.delete(place.ticketId);
      else told.set(place.ticketId, text);
      news.push({ ...place, agents });
    }
    if (news.length > 0) tell(news);
  }

  return (place) => {
    changed.set(place.ticketId, place);
    if (!isGathering) setTimeout(gathered, gatherMs);
    isGathering = true;
  };
}
