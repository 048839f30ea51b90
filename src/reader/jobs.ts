// What the reader process can be asked. A new kind of job needs its types here, its function in work.ts, and nothing else.

import type { ProviderName } from '../domain/inbound.ts';
import type { Findings, RuleQuestion } from '../domain/rules/judging.ts';
import type { ReadMailInput, ReadMailOutput } from './read-mail.ts';

/** Input and output go through JSON: plain values only, and bytes by the path of a file. */
export interface Jobs {
  'read mail': { input: ReadMailInput; output: ReadMailOutput };
  'original message': { input: OriginalInput; output: OriginalOutput };
  /** Null where the rules of this mark have not come yet. */
  'judge rules': { input: JudgeInput; output: Findings | null };
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

interface JudgeInput extends Omit<RuleQuestion, 'rules'> {
  /** Names these very rules. */
  mark: string;
  /** Null where they are known by their mark. */
  rules: RuleQuestion['rules'] | null;
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

/** Rules keep to their own time; this is for what they cannot see of it. */
export const rulesBudget: Budget = { processorMs: 3_000, memoryBytes: 450 * 1024 * 1024 };

/** A job that waits for something it will never get uses no processor: it is ended after so many times its processor time, or after `leastWaitMs`. */
export const waitingFactor = 6;
export const leastWaitMs = 10_000;
