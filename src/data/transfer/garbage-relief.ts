// Keeps memory low on long streams: the garbage collector counts small objects, not the bytes behind them.

import { collectGarbage } from '#platform/runtime.ts';

const collectEveryBytes = 4 * 1024 * 1024;

export function createRelief(): (bytes: number) => void {
  let passed = 0;
  return (bytes) => {
    passed += bytes;
    if (passed < collectEveryBytes) return;
    passed = 0;
    collectGarbage();
  };
}
