// The reader's work in the test's own process: the same functions, with nothing to start and no budget.

import type { Reader } from '../../src/reader/reader.ts';
import { doJob, outcomeOf } from '../../src/reader/run-job.ts';

/** Values pass through JSON, as on the pipe. */
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value));

export const inlineReader: Reader = {
  run: async (kind, input) => outcomeOf(plain(await doJob(kind, plain(input)))),
  processIds: () => [],
  stop: () => Promise.resolve(),
};
