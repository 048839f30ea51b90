// What an inbound rule did to a message, in words.

import type { presentInboundMail } from '../../src/http/wire/mail/inbound-mail.ts';
import { bold, plain } from './text.ts';

type RuleTrace = ReturnType<typeof presentInboundMail>['trace'][number];

export function describeRule({ id, name, outcome, explanation, conditions, actions }: RuleTrace): string {
  // The explanation already says how a single condition went.
  const listed = conditions.length > 1 ? conditions : [];
  return [
    bold(`Rule ${id} ${plain(name)}: ${outcome.replaceAll('_', ' ')}`),
    `  ${plain(explanation)}`,
    ...listed.map((one) => `  ${one.holds ? '✓' : '✗'} ${plain(one.explanation)}`),
    ...actions.map((one) => `  – ${plain(one.explanation)}`),
  ].join('\n');
}
