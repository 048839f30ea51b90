// Limits how many pieces of work run at the same time. Further ones wait briefly and are then refused.

interface GateOptions {
  atOnce: number;
  each?: number;
  /** How many of one once half of all are taken. */
  eachCrowded?: number;
  waiting: number;
  /** How many of one can wait. */
  eachWaiting?: number;
  /**
   * In ms. With it, of those who hold equally much, who has had places for the shortest time comes first, and in a full line the
   * last one makes way for who comes before. Not where strangers choose the names: each new one would come first.
   */
  clock?: () => number;
  waitMs: number;
  refusal: () => Error;
}

export interface Gate {
  /**
   * @param who its name, or each of its names: none of them has more than its share
   * @param room how many pieces of `who` can run at the same time, where that changes
   */
  pass<T>(who: string | readonly string[], work: () => Promise<T>, room?: () => number): Promise<T>;
  /** From 0 to 1: how much of the room is taken. */
  takenShare(): number;
}

interface Waiter {
  who: readonly string[];
  room: () => number;
  enter: () => void;
  refuse: () => void;
}

/** Of who comes again after that many others, it is not known what they had. */
const mostRemembered = 1000;

export function createGate(options: GateOptions): Gate {
  const { atOnce, each = atOnce, eachCrowded = each, waiting, eachWaiting = waiting } = options;
  const { waitMs, refusal, clock } = options;
  const inside = new Map<string, number>();
  /** For how long, who left longest ago first. Forgotten when no one is there. */
  const had = new Map<string, number>();
  const line = new Set<Waiter>();
  let total = 0;

  const usualRoom = () => (total * 2 < atOnce ? each : eachCrowded);
  const heldBy = (who: readonly string[]) => Math.max(0, ...who.map((name) => inside.get(name) ?? 0));
  const hasRoom = ({ who, room }: Pick<Waiter, 'who' | 'room'>) => total < atOnce && heldBy(who) < room();

  const hadBy = (who: readonly string[]) => Math.max(0, ...who.map((name) => had.get(name) ?? 0));

  /** Who holds least comes first: the many requests of a few keep no one else out. */
  function isBefore({ who: one }: Pick<Waiter, 'who'>, { who: other }: Waiter): boolean {
    const held = heldBy(one) - heldBy(other);
    return held < 0 || (held === 0 && hadBy(one) < hadBy(other));
  }

  function enter(who: readonly string[]): void {
    total += 1;
    for (const name of who) inside.set(name, (inside.get(name) ?? 0) + 1);
  }

  function remember(who: readonly string[], ms: number): void {
    for (const name of who) {
      const before = had.get(name) ?? 0;
      had.delete(name);
      had.set(name, before + ms);
    }
    for (const [oldest] of had) {
      if (had.size <= mostRemembered) break;
      had.delete(oldest);
    }
    if (total === 0 && line.size === 0) had.clear();
  }

  function leave(who: readonly string[], sinceMs: number): void {
    total -= 1;
    for (const name of who) {
      const left = (inside.get(name) ?? 1) - 1;
      if (left === 0) inside.delete(name);
      else inside.set(name, left);
    }
    if (clock !== undefined) remember(who, clock() - sinceMs);
    for (let waiter = next(); waiter !== null; waiter = next()) waiter.enter();
  }

  /** Of equals who waits longest. */
  function next(): Waiter | null {
    if (total >= atOnce) return null;
    let best: Waiter | null = null;
    for (const waiter of line) if ((best === null || isBefore(waiter, best)) && hasRoom(waiter)) best = waiter;
    return best;
  }

  function hasOwnPlace(who: readonly string[]): boolean {
    return who.every((name) => {
      let own = 0;
      for (const waiter of line) if (waiter.who.includes(name)) own += 1;
      return own < eachWaiting;
    });
  }

  /** In the line. */
  function hasPlace(who: readonly string[]): boolean {
    if (line.size < waiting) return true;
    if (clock === undefined) return false;
    let last: Waiter | null = null;
    for (const waiter of line) if (last === null || !isBefore(waiter, last)) last = waiter;
    if (last === null || !isBefore({ who }, last)) return false;
    last.refuse();
    return true;
  }

  function wait(who: readonly string[], room: () => number): Promise<void> {
    if (!hasOwnPlace(who) || !hasPlace(who)) throw refusal();
    return new Promise((resolve, reject) => {
      const stopWaiting = () => {
        clearTimeout(timer);
        line.delete(waiter);
      };
      const waiter: Waiter = {
        who,
        room,
        enter() {
          stopWaiting();
          enter(who);
          resolve();
        },
        refuse() {
          stopWaiting();
          reject(refusal());
        },
      };
      const timer = setTimeout(waiter.refuse, waitMs);
      line.add(waiter);
    });
  }

  return {
    takenShare: () => total / atOnce,
    async pass(named, work, room = usualRoom) {
      const who = typeof named === 'string' ? [named] : named;
      if (hasRoom({ who, room })) enter(who);
      else await wait(who, room);
      const sinceMs = clock?.() ?? 0;
      try {
        return await work();
      } finally {
        leave(who, sinceMs);
      }
    },
  };
}
