// Whether the desk can be reached: one state, from what the stream and every request know.

import type { Timer } from '../../shared/clock.ts';

interface ReachOptions {
  timer: Timer;
  chance(): number;
  /** Asks the desk for next to nothing. */
  probe(): Promise<boolean>;
  onState(state: ReachState): void;
}

/** `doubted` is what is not worth a word yet. */
export type ReachState = 'here' | 'doubted' | 'away';

interface Reach {
  /** A request did not arrive, or the stream broke off. */
  lost(): void;
  /** The desk answered something. */
  reached(): void;
  /** There is hope: it is tried at once. */
  nudge(): void;
}

const settlesMs = 500;
const lookEveryMs = 1500;

export function createReach({ timer, chance, probe, onState }: ReachOptions): Reach {
  let state: ReachState = 'here';
  let turn = 0;
  let cancelWord: () => void = () => undefined;
  let cancelLook: () => void = () => undefined;

  function become(next: ReachState): void {
    state = next;
    onState(next);
  }

  function reached(): void {
    if (state === 'here') return;
    turn += 1;
    cancelWord();
    cancelLook();
    become('here');
  }

  async function look(): Promise<void> {
    turn += 1;
    const own = turn;
    cancelLook();
    const isThere = await probe();
    if (own !== turn) return;
    if (isThere) reached();
    // Not all consoles at the same time.
    else cancelLook = timer.later(lookEveryMs * (0.5 + chance()), () => void look());
  }

  return {
    reached,
    lost() {
      if (state !== 'here') return;
      become('doubted');
      cancelWord = timer.later(settlesMs, () => become('away'));
      void look();
    },
    nudge() {
      if (state !== 'here') void look();
    },
  };
}
