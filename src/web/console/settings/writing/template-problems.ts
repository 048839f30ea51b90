// What is wrong with the words of a mail template, in the agent's language.

import type { TemplateProblem } from '../../../../domain/mail/template.ts';
import { t } from './messages.ts';

/** The desk's own sentence is in English, and begins with the name that the field has in a call. */
export function problemText(problems: readonly TemplateProblem[]): string {
  const named = (kind: TemplateProblem['kind']) =>
    problems.flatMap((one) => (one.kind === kind ? [`{{${one.variable}}}`] : []));
  const texts = [
    ...[named('unknown')].flatMap((names) => (names.length > 0 ? [t.wordsUnknown(names.join(', '))] : [])),
    ...named('misplaced').map(t.wordsMisplaced),
    ...named('missing').map(t.wordsMissing),
  ];
  return texts.join(' ');
}
