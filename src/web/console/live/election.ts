// Which tab of the browser leads: the one that follows the desk and tells the others. For browsers that give no locks, as on plain
// http in a network. No I/O, so that tests can play all tabs.

import type { Timer } from '../../shared/clock.ts';

export type Word =
  | { kind: 'here'; from: string; term: number }
  | { kind: 'who'; from: string }
  | { kind: 'leaving'; from: string };

interface ElectionOptions {
  /** Of this tab; unlike that of any other. */
  id: string;
  say(word: Word): void;
  timer: Timer;
  chance(): number;
  isVisible(): boolean;
  onRole(isLeader: boolean): void;
}

export interface Election {
  hear(word: Word): void;
  start(): void;
  /** Gives the lead away, because the page closes or is put to sleep. */
  leave(): void;
  /** Says once more that this tab leads, if it does. */
  announce(): void;
  /** Looks at once whether there is a leader, such as when the page becomes visible. */
  check(): void;
}

const beatMs = 1000;
// A leader in the background can be late by seconds, so it is asked before it counts as gone.
const silentMs = { visible: 3500, hidden: 9000 };
const answerMs = 300;
const spreadMs = 200;

export function createElection({ id, say, timer, chance, isVisible, onRole }: ElectionOptions): Election {
  let state: 'away' | 'asking' | 'following' | 'leading' = 'away';
  let term = 0;
  let leader: string | null = null;
  let heardAt = 0;
  let cancel: () => void = () => undefined;

  function later(ms: number, act: () => void): void {
    cancel();
    cancel = timer.later(ms, act);
  }

  function ask(leastMs: number): void {
    state = 'asking';
    leader = null;
    // Tabs in the background wait longer, so that one in front leads.
    later(leastMs + chance() * spreadMs + (isVisible() ? 0 : spreadMs + leastMs), lead);
    say({ kind: 'who', from: id });
  }

  function lead(): void {
    state = 'leading';
    leader = id;
    term += 1;
    onRole(true);
    beat();
  }

  function beat(): void {
    later(beatMs, beat);
    say({ kind: 'here', from: id, term });
  }

  function follow(from: string, itsTerm: number): void {
    const wasLeading = state === 'leading';
    state = 'following';
    leader = from;
    term = Math.max(term, itsTerm);
    heardAt = timer.now();
    if (wasLeading) onRole(false);
    later(beatMs, watch);
  }

  function watch(): void {
    if (state !== 'following') return;
    const isSilent = timer.now() - heardAt >= (isVisible() ? silentMs.visible : silentMs.hidden);
    if (isSilent) ask(answerMs);
    else later(beatMs, watch);
  }

  function hearLeader(from: string, itsTerm: number): void {
    // Of two leaders, the later one goes on: the earlier one was thought to be gone.
    const isOther = itsTerm > term || (itsTerm === term && from < id);
    if (state !== 'leading' || isOther) follow(from, itsTerm);
    else say({ kind: 'here', from: id, term });
  }

  return {
    hear(word) {
      if (state === 'away' || word.from === id) return;
      if (word.kind === 'here') hearLeader(word.from, word.term);
      else if (word.kind === 'who' && state === 'leading') say({ kind: 'here', from: id, term });
      else if (word.kind === 'leaving' && word.from === leader) ask(0);
    },
    start() {
      if (state === 'away') ask(answerMs);
    },
    leave() {
      const wasLeading = state === 'leading';
      state = 'away';
      leader = null;
      cancel();
      if (!wasLeading) return;
      onRole(false);
      say({ kind: 'leaving', from: id });
    },
    announce() {
      if (state === 'leading') say({ kind: 'here', from: id, term });
    },
    check: watch,
  };
}
