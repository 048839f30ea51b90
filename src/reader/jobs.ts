// The jobs of the reader process. A new kind needs its types here and its function in run-job.ts.

import type { ProviderName } from '../domain/mail/inbound.ts';
import type { Findings, RuleQuestion } from '../domain/rules/judging.ts';
import type { CheckSenderInput, CheckSenderOutput } from './check-sender.ts';
import type { ReadMailInput, ReadMailOutput } from './read-mail.ts';
import type { ShowMailInput, ShowMailOutput } from './show-mail.ts';

/** These travel as JSON: plain values only, and the path of a file instead of its bytes. */
export interface Jobs {
  'read mail': { input: ReadMailInput; output: ReadMailOutput };
  'check sender': { input: CheckSenderInput; output: CheckSenderOutput };
  'show mail': { input: ShowMailInput; output: ShowMailOutput };
  'original message': { input: OriginalInput; output: { size: number } };
  'judge rules': { input: JudgeInput; output: Findings | null };
  'settings file': { input: { yaml: string }; output: unknown };
}
export type JobKind = keyof Jobs;

interface OriginalInput {
  provider: ProviderName;
  headers: Record<string, string>;
  path: string;
  target: string;
  /** Without the secrets of customers' links, which replies quote. */
  isForAgents: boolean;
}
interface JudgeInput extends Omit<RuleQuestion, 'rules'> {
  mark: string;
  rules: RuleQuestion['rules'] | null;
}

export interface Budget {
  processorMs: number;
  /** The whole process; about 75 MB are used before the job starts. */
  memoryBytes: number;
}

/** Several times what the most expensive known message needs (bench/mail-hostile.ts). */
export const mailBudget: Budget = { processorMs: 10_000, memoryBytes: 450 * 1024 * 1024 };

/** Rules have their own time limit; this covers what it cannot measure. */
export const rulesBudget: Budget = { processorMs: 3_000, memoryBytes: 450 * 1024 * 1024 };

/** The largest file that is taken needs about one second (src/http/api/sites/settings-file.ts). */
export const fileBudget: Budget = { processorMs: 5_000, memoryBytes: 450 * 1024 * 1024 };

/** A job that waits forever uses no processor time, so it also has a limit in real time. */
export const waitingFactor = 6;
export const leastWaitMs = 10_000;
