// Keeps a long stream from piling up what it has done with: the collector sees small objects, not the bytes behind them.

import { collectGarbage } from '../../platform/bun/runtime.ts';

const collectEveryBytes = 4 * 1024 * 1024;

/** Answers a function that is told of bytes that passed, and has the garbage collected each time some megabytes have. */
export function createRelief(): (bytes: number) => void {
  let passed = 0;
  return (bytes) => {
    passed += bytes;
    if (passed < collectEveryBytes) return;
    passed = 0;
    collectGarbage();
  };
}
