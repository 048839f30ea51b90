// A whole rule as a sentence, and its parts.

import type { RuleMatch } from '../../../../domain/rules/rule.ts';
import { count } from '../../../shared/format.ts';
import { labelled } from '../../../shared/labelled.ts';
import { actionSentence } from './action-rows.ts';
import {
  bytesOfKilobyte,
  isGroup,
  isWithoutValue,
  partsBody,
  type RuleParts,
  valueOfChoice,
  type WireCondition,
  type WirePart,
  type WireParts,
} from './draft.ts';
import { t } from './messages.ts';
import { inQuotes, listed, type Names } from './names.ts';
import { yesOrNoText } from './value-parts.tsx';
import { type Operator, operatorWords, type Vocabulary } from './vocabulary.ts';

const mostShown = 5;

export function conditionWords(
  { field, operator, value, negate }: WireCondition,
  { fieldWords, choices }: Vocabulary,
  names: Names,
): string {
  const subject = fieldWords(field, names);
  const isTurned = negate !== (operator === 'exists' && value === false);
  const verb = operatorWords[operator as Operator]?.()[isTurned ? 1 : 0] ?? operator;
  if (isWithoutValue(operator)) return `${subject} ${verb}`;
  if (typeof value === 'boolean' && operator === 'equals') return labelled(subject, yesOrNoText(value !== negate));
  const said = (one: unknown) => {
    if (typeof one === 'boolean') return yesOrNoText(one);
    if (field === 'size') return `${count(Number(one) / bytesOfKilobyte)} ${t.ruleKilobytes}`;
    if (typeof one === 'number' && choices(field, names) === null) return count(one);
    const wanted = valueOfChoice(String(one), field, names);
    return inQuotes(choices(field, names)?.find((choice) => choice.value === wanted)?.text ?? String(one));
  };
  const values = [value].flat();
  const shown = values.slice(0, mostShown).map(said);
  const rest = values.length - shown.length;
  if (rest === 0 && operator !== 'in') return `${subject} ${verb} ${listed(shown, 'disjunction')}`;
  return `${subject} ${verb} ${shown.join(', ')}${rest > 0 ? ` ${t.ruleMoreValues(count(rest))}` : ''}`;
}

const joined = (parts: readonly string[], match: RuleMatch) =>
  listed(parts, match === 'any' ? 'disjunction' : 'conjunction');

const partText = (part: WirePart, vocabulary: Vocabulary, names: Names): string =>
  isGroup<Extract<WirePart, { match: unknown }>>(part)
    ? `(${joined(
        part.conditions.map((one) => conditionWords(one, vocabulary, names)),
        part.match,
      )})`
    : conditionWords(part, vocabulary, names);

/** @param ends what comes after its actions */
export function sentenceOf(
  { match, conditions, actions }: WireParts,
  vocabulary: Vocabulary,
  names: Names,
  ends: readonly string[] = [],
): string {
  const then = listed(
    [...actions.map((action) => actionSentence(action, names, vocabulary.rows)), ...ends],
    'conjunction',
  );
  if (conditions.length === 0) return withOneStop(vocabulary.alwaysSentence(then));
  const when = joined(
    conditions.map((part) => partText(part, vocabulary, names)),
    match,
  );
  return withOneStop(t.ruleSentence(when, then));
}

/** What is quoted at the end may have a full stop of its own. */
const withOneStop = (sentence: string) => sentence.replace(/(?<=[.!?…]\u2069\s*\p{P})\.$/u, '');

/** A part of a rule that someone else has changed too. Null: it reads as it is. */
export function partWords(part: string, values: RuleParts, vocabulary: Vocabulary, names: Names): string | null {
  const { conditions, actions, match } = partsBody(values, vocabulary, names);
  if (part === 'match') return match === 'any' ? t.ruleMatchAny : t.ruleMatchAll;
  if (part === 'conditions') return conditions.map((one) => partText(one, vocabulary, names)).join('; ');
  return part === 'actions' ? actions.map((one) => actionSentence(one, names, vocabulary.rows)).join('; ') : null;
}
