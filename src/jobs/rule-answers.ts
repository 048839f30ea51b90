// The rules of a site asked about a message outside of any transaction, and again when they changed meanwhile.

import type { RuleAnswer, RulesToAsk } from '../desk/inbound/plan.ts';
import { DeskError } from '../domain/errors.ts';
import { type Findings, outcomeOfFindings } from '../domain/rules/judging.ts';
import { rulesBudget } from '../reader/jobs.ts';
import { type Reader, ReaderError } from '../reader/reader.ts';

/** Asks rules about one message, within the time that they have. */
export type Judge = (asked: RulesToAsk) => Promise<Findings>;

/** Asks them in the reader process, which is ended where it goes far beyond that time. */
export function createJudge(reader: Reader): Judge {
  const how = { budget: rulesBudget };
  return async ({ mark, question }) => {
    try {
      // It may have these rules from the message before.
      const findings = await reader.run('judge rules', { ...question, mark, rules: null }, how);
      return findings ?? (await reader.run('judge rules', { ...question, mark }, how)) ?? '';
    } catch (error) {
      if (!(error instanceof ReaderError)) throw error;
      // What took so much is the rules' own doing: the message is filed without them.
      if (error.what === 'processor' || error.what === 'memory') return '';
      throw new DeskError('unavailable', 'The inbound rules could not be asked.', { retryAfterSeconds: 5 });
    }
  };
}

/** Rules that change more often than this while one message is filed have it wait. */
const mostTurns = 5;

/**
 * Does `act` with the answer that it asks for, asking the rules anew for as long as it finds that they are others by now.
 * @param first what it will ask for, as far as is known; null where it may ask for nothing
 */
export async function withRules<T extends object>(
  judge: Judge,
  first: RulesToAsk | null,
  act: (answer: RuleAnswer | null) => Promise<T | RulesToAsk> | T | RulesToAsk,
): Promise<T> {
  let answer = first === null ? null : await answerTo(first, judge);
  for (let turn = 0; turn < mostTurns; turn += 1) {
    const done = await act(answer);
    if (!('question' in done)) return done as T;
    answer = await answerTo(done, judge);
  }
  throw new DeskError('unavailable', 'The rules of the site changed while they were asked, again and again.', {
    retryAfterSeconds: 5,
  });
}

async function answerTo(asked: RulesToAsk, judge: Judge): Promise<RuleAnswer> {
  return { key: asked.key, outcome: outcomeOfFindings(asked.question, await judge(asked)) };
}
