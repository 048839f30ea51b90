// An inbound rule as its form has it, as the API takes it, and as words of the command line.

import type * as z from 'zod';
import type { ruleShape } from '../../../../http/wire/sites/catalogue.ts';
import { mailActionRows, type WireAction } from './action-rows.ts';
import { emptyParts, partsBody, partValues, problemsInParts, type RuleParts, type WireCondition } from './draft.ts';
import type { Names } from './names.ts';
import { mailVocabulary } from './vocabulary.ts';

export type Rule = z.output<typeof ruleShape>;

export interface RuleValues extends RuleParts {
  stop_processing: boolean;
}

export const emptyRule: RuleValues = { ...emptyParts, stop_processing: false };

export const valuesOf = (rule: Rule): RuleValues => ({
  ...partValues(rule, mailVocabulary),
  stop_processing: rule.stop_processing,
});

export const bodyOf = ({ stop_processing, ...parts }: RuleValues, names: Names) => ({
  ...partsBody(parts, mailVocabulary, names),
  stop_processing,
});

export const problemsIn = (values: RuleValues, names: Names) => problemsInParts(values, mailVocabulary, names);

/** As one argument of the command line, which takes quotes around it away. */
const quoted = (text: string) => (text !== text.trim() || /^(["']).*\1$/s.test(text) ? `"${text}"` : text);

/** Null: the command line cannot say it. */
function conditionText({ field, operator, negate, value }: WireCondition): string | null {
  const items = Array.isArray(value) ? value.map(String) : null;
  if (items?.some((item) => item.includes(','))) return null;
  const said = items?.join(',') ?? (value === null ? '' : quoted(String(value)));
  return `${field} ${negate ? 'not ' : ''}${operator} ${said}`.trim();
}

function actionText({ type, value = null }: WireAction): string {
  if (value === null) return type;
  if (Array.isArray(value)) return `${type} ${value.join(',')}`;
  if (typeof value !== 'object') return `${type} ${quoted(String(value))}`.trim();
  const { flag = JSON.stringify } = mailActionRows[type as keyof typeof mailActionRows];
  return `${type} ${flag(value as Record<string, unknown>)}`;
}

// Groups are for tickets.
const saidOf = (values: RuleValues, names: Names) =>
  (bodyOf(values, names).conditions as readonly WireCondition[]).map(conditionText);

/** The flags that say the same. Null: the command line cannot. */
export function flagsOf(values: RuleValues, names: Names): string[] | null {
  const { name, match, actions, stop_processing: stops } = bodyOf(values, names);
  const said = saidOf(values, names);
  if (said.includes(null)) return null;
  return [
    ...(name === '' ? [] : ['--name', name]),
    ...said.flatMap((text) => ['--if', text ?? '']),
    ...actions.flatMap((action) => ['--then', actionText(action)]),
    ...(match === 'any' ? ['--any'] : []),
    ...(stops ? ['--stop'] : []),
  ];
}

/** The flags that change one into the other. Null: there is nothing to change, or the command line cannot. */
export function changesOf(before: RuleValues, now: RuleValues, names: Names): string[] | null {
  const { name, match, conditions, actions, stop_processing: stops } = bodyOf(now, names);
  const said = before.conditions === now.conditions ? [] : saidOf(now, names);
  const isWithout = before.conditions !== now.conditions && conditions.length === 0;
  if (said.includes(null) || isWithout) return null;
  const flags = [
    ...(name === before.name ? [] : ['--name', name]),
    ...(match === before.match ? [] : ['--match', match]),
    ...said.flatMap((text) => ['--if', text ?? '']),
    ...(before.actions === now.actions ? [] : actions.flatMap((action) => ['--then', actionText(action)])),
    ...(stops === before.stop_processing ? [] : ['--stop-processing', stops ? 'yes' : 'no']),
  ];
  return flags.length === 0 ? null : flags;
}
