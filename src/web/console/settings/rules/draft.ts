// A rule as its form has it, and as the API takes it.

import { kindOfField } from '../../../../domain/rules/fields.ts';
import type { RuleMatch } from '../../../../domain/rules/rule.ts';
import {
  type ActionDraft,
  actionDraft,
  actionOf,
  actionProblems,
  emptyAction,
  type WireAction,
} from './action-rows.ts';
import { t } from './messages.ts';
import { type Names, namedBy } from './names.ts';
import { linesIn, numberIn } from './value-parts.tsx';
import { headerOf, type Operator, type Vocabulary } from './vocabulary.ts';

export interface WireCondition {
  field: string;
  operator: string;
  value: unknown;
  negate: boolean;
}
export type WirePart = WireCondition | { match: RuleMatch; conditions: readonly WireCondition[] };

/** As it is typed: a list has a line for each entry, a size is in kilobytes. */
export interface ConditionDraft {
  field: string;
  operator: Operator;
  negate: boolean;
  value: string;
}

export interface GroupDraft {
  match: RuleMatch;
  conditions: readonly ConditionDraft[];
}

export type PartDraft = ConditionDraft | GroupDraft;

export const isGroup = <Group extends { conditions: unknown }>(part: object | Group): part is Group =>
  'conditions' in part;

/** What rules on mail, changes and time share. Both lists are JSON of drafts, so that values can be compared. */
export interface RuleParts {
  name: string;
  match: RuleMatch;
  conditions: string;
  actions: string;
}

export interface WireParts {
  name: string;
  match: RuleMatch;
  conditions: readonly WirePart[];
  actions: readonly WireAction[];
}

export const draftsIn = <Draft>(text: string): Draft[] => JSON.parse(text) as Draft[];

/** With them, the value is one or several. */
const isOfChange = (operator: string) => operator === 'changed_from' || operator === 'changed_to';
export const isWithoutValue = (operator: string) => operator === 'exists' || operator === 'changed';
export const isList = (operator: string) => operator === 'in' || isOfChange(operator);

export const bytesOfKilobyte = 1024;

function conditionDraft({ field, operator, value, negate }: WireCondition): ConditionDraft {
  const typed = (one: unknown) => String(field === 'size' ? Number(one) / bytesOfKilobyte : one);
  const isAbsent = operator === 'exists' && value === false;
  return {
    ...{ field, operator: operator as Operator, negate: negate !== isAbsent },
    value: isWithoutValue(operator) ? '' : [value].flat().map(typed).join('\n'),
  };
}

function conditionOf(draft: ConditionDraft, { kindOf }: Vocabulary, names: Names): WireCondition {
  const { operator, negate, value } = draft;
  const header = headerOf(draft.field);
  const field = header === null ? draft.field : `header:${header.trim()}`;
  const kind = kindOf(field, names);
  const meaning = (text: string) => {
    if (kind === 'boolean') return text === 'true';
    return kind === 'number' ? (numberIn(text) ?? Number.NaN) * (field === 'size' ? bytesOfKilobyte : 1) : text;
  };
  const several = () => linesIn(value).map(meaning);
  const [one, ...others] = isOfChange(operator) ? several() : [];
  const meant = isOfChange(operator) && others.length === 0 ? one : isList(operator) ? several() : meaning(value);
  return { field, operator, negate, value: isWithoutValue(operator) ? null : meant };
}

export const emptyCondition: ConditionDraft = { field: 'subject', operator: 'contains', negate: false, value: '' };

export const emptyParts: RuleParts = {
  ...{ name: '', match: 'all', conditions: JSON.stringify([emptyCondition]) },
  actions: JSON.stringify([emptyAction('set_category')]),
};

const mapped = <One extends object, Other extends object>(
  part: One | { match: RuleMatch; conditions: readonly One[] },
  change: (one: One) => Other,
): Other | { match: RuleMatch; conditions: readonly Other[] } =>
  isGroup<{ match: RuleMatch; conditions: readonly One[] }>(part)
    ? { match: part.match, conditions: part.conditions.map(change) }
    : change(part as One);

export const partValues = ({ name, match, conditions, actions }: WireParts, { rows }: Vocabulary): RuleParts => ({
  ...{ name, match },
  conditions: JSON.stringify(conditions.map((part) => mapped(part, conditionDraft))),
  actions: JSON.stringify(actions.map((action) => actionDraft(action, rows))),
});

export const partsBody = (
  { name, match, conditions, actions }: RuleParts,
  vocabulary: Vocabulary,
  names: Names,
): WireParts => ({
  ...{ name: name.trim(), match },
  conditions: draftsIn<PartDraft>(conditions).map((part) => mapped(part, (one) => conditionOf(one, vocabulary, names))),
  actions: draftsIn<ActionDraft>(actions).map((action) => actionOf(action, vocabulary.rows)),
});

/** What is wrong before the desk is asked, by the paths that it would name. Patterns only it can judge. */
export function problemsInParts(values: RuleParts, vocabulary: Vocabulary, names: Names): Record<string, string> {
  const found: Record<string, string> = values.name.trim() === '' ? { name: t.required } : {};
  for (const [at, part] of draftsIn<PartDraft>(values.conditions).entries()) {
    const path = `conditions.${at}`;
    if (!isGroup<GroupDraft>(part)) Object.assign(found, conditionProblems(part, path, vocabulary, names));
    else
      for (const [place, one] of part.conditions.entries())
        Object.assign(found, conditionProblems(one, `${path}.conditions.${place}`, vocabulary, names));
  }
  const actions = draftsIn<ActionDraft>(values.actions);
  if (actions.length === 0) found.actions = t.ruleNeedsAction;
  for (const [at, draft] of actions.entries())
    Object.assign(found, actionProblems(draft, `actions.${at}`, vocabulary.rows));
  return found;
}

function conditionProblems(
  { field, operator, value }: ConditionDraft,
  path: string,
  { kindOf }: Vocabulary,
  names: Names,
): Record<string, string> {
  const header = headerOf(field);
  const found: Record<string, string> =
    header !== null && kindOfField(`header:${header.trim()}`) === null
      ? { [`${path}.field`]: t.ruleHeaderRefused }
      : {};
  if (isWithoutValue(operator)) return found;
  const parts = isList(operator) ? linesIn(value) : [value];
  if (parts.length === 0 || parts.includes('')) return { ...found, [`${path}.value`]: t.required };
  const isWrong = kindOf(field, names) === 'number' && parts.some((part) => numberIn(part) === null);
  return isWrong ? { ...found, [`${path}.value`]: t.ruleNumberRefused } : found;
}

/** The id as an option of a select has it: rules may also name things by slug or address. */
export function valueOfChoice(value: string, field: string, names: Names): string {
  const rows = {
    category: 'category',
    site_category: 'category',
    priority: 'priority',
    assignee: 'agent',
    team: 'team',
  };
  const kind = rows[field as keyof typeof rows] as 'category' | 'priority' | 'agent' | 'team' | undefined;
  const found = kind === undefined ? undefined : namedBy(names[kind], value);
  return found === undefined ? value : String(found.id);
}
