// Evaluates a site's rules outside the transaction, and again if the rules change before it.

import type { RuleAnswer, RulesToAsk } from '../desk/rules/question.ts';
import { DeskError } from '../domain/errors.ts';
import { type Findings, outcomeOfFindings } from '../domain/rules/judging.ts';
import { rulesBudget } from '../reader/jobs.ts';
import { type Reader, ReaderError } from '../reader/reader.ts';

export type Judge = (asked: RulesToAsk) => Promise<Findings>;

/** The process is killed if it far exceeds the time for rules. */
export function createJudge(reader: Reader): Judge {
  const how = { budget: rulesBudget };
  return async ({ mark, question }) => {
    try {
      // It may still have these rules from the last message.
      const findings = await reader.run('judge rules', { ...question, mark, rules: null }, how);
      return findings ?? (await reader.run('judge rules', { ...question, mark }, how)) ?? '';
    } catch (error) {
      if (!(error instanceof ReaderError)) throw error;
      // The rules cost too much: the message is filed without them.
      if (error.what === 'processor' || error.what === 'memory') return '';
      throw new DeskError('unavailable', 'The inbound rules could not be evaluated.', { retryAfterSeconds: 5 });
    }
  };
}

const mostTurns = 5;

/** Evaluates the rules again while `act` finds that they have changed. @param first the expected question, if known */
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
  throw new DeskError('unavailable', 'The inbound rules of the site kept changing while they were evaluated.', {
    retryAfterSeconds: 5,
  });
}

async function answerTo(asked: RulesToAsk, judge: Judge): Promise<RuleAnswer> {
  return { key: asked.key, outcome: outcomeOfFindings(asked.question, await judge(asked)) };
}
