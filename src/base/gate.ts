// Limits how many pieces of work run at once. Further ones wait briefly and are then refused.

interface GateOptions {
  atOnce: number;
  each?: number;
  waiting: number;
  waitMs: number;
  refusal: () => Error;
}

export interface Gate {
  /** @param room how many pieces of `who` can run at once, where that changes */
  pass<T>(who: string, work: () => Promise<T>, room?: () => number): Promise<T>;
}

interface Waiter {
  who: string;
  room: () => number;
  enter: () => void;
}

export function createGate({ atOnce, each = atOnce, waiting, waitMs, refusal }: GateOptions): Gate {
  const inside = new Map<string, number>();
  const line = new Set<Waiter>();
  let total = 0;

  const hasRoom = ({ who, room }: Pick<Waiter, 'who' | 'room'>) => total < atOnce && (inside.get(who) ?? 0) < room();

  function enter(who: string): void {
    total += 1;
    inside.set(who, (inside.get(who) ?? 0) + 1);
  }

  function leave(who: string): void {
    total -= 1;
    const left = (inside.get(who) ?? 1) - 1;
    if (left === 0) inside.delete(who);
    else inside.set(who, left);
    for (const waiter of line) {
      if (total >= atOnce) break;
      if (hasRoom(waiter)) waiter.enter();
    }
  }

  function wait(who: string, room: () => number): Promise<void> {
    if (line.size >= waiting) throw refusal();
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
    async pass(who, work, room = () => each) {
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
