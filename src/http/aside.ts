// Writes that no answer waits for, at a moment that no one outside can know: neither the answer nor the time of the next
// request shows whether there was anything to write.

import { randomBelow } from '../base/crypto.ts';
import type { Desk } from '../desk/desk.ts';
import type { Tx } from '../store/database.ts';

export interface Aside {
  run(fault: string, act: (tx: Tx) => void): void;
  /** Begins at once what waits, and ends with it. */
  finish(): Promise<void>;
}

const leastMs = 1000;
const mostMs = 4000;

export function createAside(desk: Desk, reportFault: (error: unknown, message: string) => void): Aside {
  const waiting = new Set<() => Promise<void>>();
  return {
    run(fault, act) {
      const begin = async () => {
        clearTimeout(timer);
        waiting.delete(begin);
        await desk
          .write((tx) => {
            act(tx);
            return null;
          })
          .catch((error) => reportFault(error, fault));
      };
      const timer = setTimeout(begin, leastMs + randomBelow(mostMs - leastMs));
      waiting.add(begin);
    },
    async finish() {
      await Promise.all([...waiting].map((begin) => begin()));
    },
  };
}
