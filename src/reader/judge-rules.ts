// Evaluates inbound rules for one message, and keeps the rules of recent sites in memory.

import { processorClock } from '../base/process.ts';
import { judgeRules } from '../domain/rules/judging.ts';
import type { Rule } from '../domain/rules/rule.ts';
import type { Jobs } from './jobs.ts';

const known = new Map<string, readonly Rule[]>();
const mostKnown = 20;

export function judge({ mark, rules, ...question }: Jobs['judge rules']['input']): Jobs['judge rules']['output'] {
  const asked = rules ?? known.get(mark);
  if (asked === undefined) return null;
  known.delete(mark);
  known.set(mark, asked);
  for (const oldest of known.keys()) {
    if (known.size <= mostKnown) break;
    known.delete(oldest);
  }
  return judgeRules({ ...question, rules: asked }, processorClock());
}
