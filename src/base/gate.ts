// Limits how many pieces of work run at the same time. Further ones wait briefly and are then refused.

interface GateOptions {
  atOnce: number;
  each?: number;
  /** How many of one once half of all are taken. */
  eachCrowded?: number;
  waiting: number;
  /** How many of one can wait. */
  eachWaiting?: number;
  waitMs: number;
  refusal: () => Error;
}

export interface Gate {
  /** @param room how many pieces of `who` can run at the same time, where that changes */
  pass<T>(who: string, work: () => Promise<T>, room?: () => number): Promise<T>;
  /** From 0 to 1: how much of the room is taken. */
  takenShare(): number;
}

interface Waiter {
  who: string;
  room: () => number;
  enter: () => void;
}

export function createGate(options: GateOptions): Gate {
  const { atOnce, each = atOnce, eachCrowded = each, waiting, eachWaiting = waiting, waitMs, refusal } = options;
  const inside = new Map<string, number>();
  const line = new Set<Waiter>();
  let total = 0;

  const usualRoom = () => (total * 2 < atOnce ? each : eachCrowded);
  const heldBy = (who: string) => inside.get(who) ?? 0;
  const hasRoom = ({ who, room }: Pick<Waiter, 'who' | 'room'>) => total < atOnce && heldBy(who) < room();

  function enter(who: string): void {
    total += 1;
    inside.set(who, heldBy(who) + 1);
  }

  function leave(who: string): void {
    total -= 1;
    const left = (inside.get(who) ?? 1) - 1;
    if (left === 0) inside.delete(who);
    else inside.set(who, left);
    for (let waiter = next(); waiter !== null; waiter = next()) waiter.enter();
  }

  /** Who holds least comes first, then who waits longest: the many requests of a few keep no one else out. */
  function next(): Waiter | null {
    if (total >= atOnce) return null;
    let best: Waiter | null = null;
    for (const waiter of line)
      if ((best === null || heldBy(waiter.who) < heldBy(best.who)) && hasRoom(waiter)) best = waiter;
    return best;
  }

  function isLineFull(who: string): boolean {
    if (line.size >= waiting) return true;
    let own = 0;
    for (const waiter of line) if (waiter.who === who) own += 1;
    return own >= eachWaiting;
  }

  function wait(who: string, room: () => number): Promise<void> {
    if (isLineFull(who)) throw refusal();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        line.delete(waiter);
        reject(refusal());
      }, waitMs);
      const waiter: Waiter = {
        who,
        room,
        enter() {
          clearTimeout(timer);
          line.delete(waiter);
          enter(who);
          resolve();
        },
      };
      line.add(waiter);
    });
  }

  return {
    takenShare: () => total / atOnce,
    async pass(who, work, room = usualRoom) {
      if (hasRoom({ who, room })) enter(who);
      else await wait(who, room);
      try {
        return await work();
      } finally {
        leave(who);
      }
    },
  };
}
