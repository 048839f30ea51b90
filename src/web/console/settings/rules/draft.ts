// A rule as its form has it, as the API takes it, and as words of the command line.

import type * as z from 'zod';
import { kindOfField, ruleFields } from '../../../../domain/rules/fields.ts';
import { idActions, type RuleMatch, type RuleOperator, type ruleActionTypes } from '../../../../domain/rules/rule.ts';
import { tagPattern } from '../../../../domain/tickets/ticket.ts';
import type { ruleShape } from '../../../../http/wire/sites/catalogue.ts';
import { t } from './messages.ts';

export type Rule = z.output<typeof ruleShape>;
type WireCondition = Omit<Rule['conditions'][number], 'negate'> & { negate: boolean };
export type WireAction = { type: string; value?: unknown };
export type RuleActionType = (typeof ruleActionTypes)[number];

/** Stands for every header; the last of the fields. */
export const anyHeader = ruleFields.at(-1) ?? '';

/** As it is typed: a list has a line for each entry, a size is in kilobytes. */
export interface ConditionDraft {
  field: string;
  header: string;
  operator: RuleOperator;
  negate: boolean;
  value: string;
}

export interface ActionDraft {
  type: RuleActionType;
  value: string;
  /** Of a person. */
  name: string;
}

/** Both lists are JSON of drafts, so that values can be compared. */
export interface RuleValues {
  name: string;
  match: RuleMatch;
  conditions: string;
  actions: string;
  stop_processing: boolean;
}

export const draftsIn = <Draft>(text: string): Draft[] => JSON.parse(text) as Draft[];

export const kindOf = ({ field }: Pick<ConditionDraft, 'field'>) =>
  field === anyHeader ? 'text' : (kindOfField(field) ?? 'text');

export const bytesOfKilobyte = 1024;
const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
const tagsOf = (text: string) => text.split(/[\s,]+/).filter(Boolean);

function conditionDraft({ field, operator, value, negate }: WireCondition): ConditionDraft {
  const header = /^header:(.*)$/.exec(field)?.[1];
  const typed = (one: unknown) => String(field === 'size' ? Number(one) / bytesOfKilobyte : one);
  const isAbsent = operator === 'exists' && value === false;
  return {
    field: header === undefined ? field : anyHeader,
    header: header ?? '',
    operator: operator as RuleOperator,
    negate: negate !== isAbsent,
    value: operator === 'exists' ? '' : [value].flat().map(typed).join('\n'),
  };
}

function conditionOf(draft: ConditionDraft) {
  const { operator, negate, value } = draft;
  const field = draft.field === anyHeader ? `header:${draft.header.trim()}` : draft.field;
  const kind = kindOf(draft);
  const read = (text: string) =>
    kind === 'number' ? (numberIn(text) ?? Number.NaN) * (field === 'size' ? bytesOfKilobyte : 1) : text;
  const single = kind === 'boolean' ? value === 'true' : read(value);
  return {
    ...{ field, operator, negate },
    value: operator === 'exists' ? null : operator === 'in' ? linesOf(value).map(read) : single,
  };
}

function numberIn(text: string): number | null {
  const plain = text.trim().replace(',', '.');
  return /^-?\d{1,12}(?:\.\d+)?$/.test(plain) ? Number(plain) : null;
}

/** One a line: `order=4711` is text, and `seats:=3` is JSON. */
const metadataText = (value: object) =>
  Object.entries(value)
    .map(([key, one]) => {
      const isText = typeof one === 'string' && one === one.trim() && !one.includes('\n');
      const name = /^[\s"]|[=\n]|[\s:]$|^$/.test(key) ? JSON.stringify(key) : key;
      return `${name}${isText ? `=${one}` : `:=${JSON.stringify(one)}`}`;
    })
    .join('\n');

/** Null: a line of it cannot be read. */
function metadataIn(text: string): Record<string, unknown> | null {
  try {
    return Object.fromEntries(
      linesOf(text).map((line) => {
        const [, key = '', mark, value = ''] = /^("(?:[^"\\]|\\.)*"|[^=]+?)(:?=)(.*)$/.exec(line) ?? [];
        if (key.trim() === '') throw new SyntaxError('a line without a key');
        const name = key.startsWith('"') ? (JSON.parse(key) as string) : key.trim();
        return [name, mark === ':=' ? JSON.parse(value) : value.trim()];
      }),
    );
  } catch {
    return null;
  }
}

function actionDraft({ type, value = null }: WireAction): ActionDraft {
  const draft = { type: type as RuleActionType, value: '', name: '' };
  if (value === null) return draft;
  if (Array.isArray(value)) return { ...draft, value: value.join(', ') };
  if (typeof value !== 'object') return { ...draft, value: String(value) };
  if (type === 'set_metadata') return { ...draft, value: metadataText(value) };
  const { email = '', name = null } = value as { email?: string; name?: string | null };
  return { ...draft, value: email, name: name ?? '' };
}

function actionOf({ type, value, name }: ActionDraft): { type: RuleActionType; value: unknown } {
  if (idActions.some((one) => one === type)) return { type, value: value === 'round_robin' ? value : Number(value) };
  switch (type) {
    case 'add_tags':
      return { type, value: tagsOf(value) };
    case 'add_participant':
      return { type, value: { email: value.trim(), name: name.trim() === '' ? null : name.trim() } };
    case 'set_metadata':
      return { type, value: metadataIn(value) };
    case 'discard':
      return { type, value: value.trim() === '' ? null : value.trim() };
    case 'forward':
      return { type, value: value.trim() };
    default:
      return { type, value };
  }
}

export const emptyCondition: ConditionDraft = {
  ...{ field: 'subject', header: '', operator: 'contains', negate: false, value: '' },
};
export const emptyAction: ActionDraft = { type: 'set_category', value: '', name: '' };

export const emptyRule: RuleValues = {
  ...{ name: '', match: 'all', conditions: JSON.stringify([emptyCondition]) },
  ...{ actions: JSON.stringify([emptyAction]), stop_processing: false },
};

export const valuesOf = ({ name, match, conditions, actions, stop_processing: stops }: Rule): RuleValues => ({
  ...{ name, match, stop_processing: stops },
  conditions: JSON.stringify(conditions.map(conditionDraft)),
  actions: JSON.stringify(actions.map(actionDraft)),
});

export const bodyOf = ({ name, match, conditions, actions, stop_processing }: RuleValues) => ({
  ...{ name: name.trim(), match, stop_processing },
  conditions: draftsIn<ConditionDraft>(conditions).map(conditionOf),
  actions: draftsIn<ActionDraft>(actions).map(actionOf),
});

/** What is wrong before the desk is asked, by the paths that it would name. Patterns only it can judge. */
export function problemsIn(values: RuleValues): Record<string, string> {
  const found: Record<string, string> = values.name.trim() === '' ? { name: t.required } : {};
  for (const [at, draft] of draftsIn<ConditionDraft>(values.conditions).entries()) {
    const { field, header, operator, value } = draft;
    if (field === anyHeader && kindOfField(`header:${header.trim()}`) === null)
      found[`conditions.${at}.field`] = t.ruleHeaderRefused;
    if (operator === 'exists') continue;
    const parts = operator === 'in' ? linesOf(value) : [value];
    if (parts.length === 0 || parts.includes('')) found[`conditions.${at}.value`] = t.required;
    else if (kindOf(draft) === 'number' && parts.some((part) => numberIn(part) === null))
      found[`conditions.${at}.value`] = t.ruleNumberRefused;
  }
  const actions = draftsIn<ActionDraft>(values.actions);
  if (actions.length === 0) found.actions = t.ruleNeedsAction;
  for (const [at, draft] of actions.entries()) {
    const problem = problemOf(draft);
    if (problem !== null) found[`actions.${at}.value`] = problem;
  }
  return found;
}

function problemOf({ type, value }: ActionDraft): string | null {
  if (type === 'discard') return null;
  if (value.trim() === '') return t.required;
  if ((type === 'forward' || type === 'add_participant') && !/^[^\s@]+@[^\s@]+$/.test(value.trim()))
    return t.ruleAddressRefused;
  if (type === 'add_tags' && !tagsOf(value).every((tag) => tagPattern.test(tag))) return t.ruleTagsRefused;
  return type === 'set_metadata' && metadataIn(value) === null ? t.ruleMetadataRefused : null;
}

/** As one argument of the command line, which takes quotes around it away. */
const quoted = (text: string) => (text !== text.trim() || /^(["']).*\1$/s.test(text) ? `"${text}"` : text);

/** Null: the command line cannot say it. */
function conditionText({ field, operator, negate, value }: ReturnType<typeof conditionOf>): string | null {
  const items = Array.isArray(value) ? value.map(String) : null;
  if (items?.some((item) => item.includes(','))) return null;
  const said = items?.join(',') ?? (value === null ? '' : quoted(String(value)));
  return `${field} ${negate ? 'not ' : ''}${operator} ${said}`.trim();
}

function actionText({ type, value }: ReturnType<typeof actionOf>): string {
  if (Array.isArray(value)) return `${type} ${value.join(',')}`;
  if (type === 'add_participant') {
    const { email, name } = value as { email: string; name: string | null };
    return `${type} ${name === null ? email : `${name} <${email}>`}`;
  }
  if (type === 'set_metadata') return `${type} ${JSON.stringify(value)}`;
  return `${type} ${value === null ? '' : quoted(String(value))}`.trim();
}

/** The flags that say the same. Null: the command line cannot. */
export function flagsOf(values: RuleValues): string[] | null {
  const { name, match, conditions, actions, stop_processing: stops } = bodyOf(values);
  const said = conditions.map(conditionText);
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
export function changesOf(before: RuleValues, now: RuleValues): string[] | null {
  const { name, match, conditions, actions, stop_processing: stops } = bodyOf(now);
  const said = before.conditions === now.conditions ? [] : conditions.map(conditionText);
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
