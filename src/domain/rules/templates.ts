// The variables in texts of rules: {{ticket.reference}} (docs/spec/automation.md#variables).

import { hasStrayBraces, unknownInWords, variablesIn } from '../variables.ts';

export const ruleVariables = [
  'ticket.reference',
  'ticket.subject',
  'ticket.status',
  'author.name',
  'author.email',
  'assignee.name',
  'message.body',
  'site.name',
] as const;

const fieldVariable = /^field\.(.+)$/;

/** @param fields keys of the custom fields that it may name; null accepts every key */
export function variableProblems(text: string, fields: ReadonlySet<string> | null): string[] {
  const isKnown = (name: string) => {
    const key = fieldVariable.exec(name)?.[1];
    return key === undefined ? ruleVariables.some((one) => one === name) : (fields?.has(key) ?? true);
  };
  const problems = unknownInWords(variablesIn(text).filter((name) => !isKnown(name)));
  return hasStrayBraces(text) ? [...problems, 'has braces that belong to no variable.'] : problems;
}

/** The texts in a value of JSON, with what `change` makes of each. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapTexts(one, change)]));
}
