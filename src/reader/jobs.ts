// What the reader process can be asked. A new kind of job needs its types here, its function in work.ts, and nothing else.

import type { ProviderName } from '../domain/inbound.ts';
import type { ReadMailInput, ReadMailOutput } from './read-mail.ts';

/** Input and output go through JSON: plain values only, and bytes by the path of a file. */
export interface Jobs {
  'read mail': { input: ReadMailInput; output: ReadMailOutput };
  'original message': { input: OriginalInput; output: OriginalOutput };
}
export type JobKind = keyof Jobs;

interface OriginalInput {
  provider: ProviderName;
  headers: Record<string, string>;
  /** The stored request. */
  path: string;
  /** Where the message is written. */
  target: string;
}
interface OriginalOutput {
  size: number;
}

/** What one job may take before its process is ended. */
export interface Budget {
  /** Processor time of the whole process, its garbage collector included. */
  processorMs: number;
  /** Memory of the whole process, of which about 75 MB are there before the job. */
  memoryBytes: number;
}

/** Of one message: several times what the costliest that is known takes (bench/mail-hostile.ts). */
export const mailBudget: Budget = { processorMs: 10_000, memoryBytes: 450 * 1024 * 1024 };

/** A job that waits for something it will never get uses no processor: it is ended after so many times its processor time, or after `leastWaitMs`. */
export const waitingFactor = 6;
export const leastWaitMs = 10_000;
