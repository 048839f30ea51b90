// What a schema found wrong with a value, starting with a verb; `fieldMessage` puts the name of the field in front.

import type * as z from 'zod';
import { type FieldErrors, mostFaults } from '../errors.ts';

const kinds: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
};
const units: Record<string, string> = { string: ' characters', array: ' entries' };

export function describeIssue(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.endsWith('received undefined')
        ? 'is required.'
        : `must be ${kinds[issue.expected] ?? issue.expected}.`;
    case 'invalid_value':
      return `must be one of: ${issue.values.join(', ')}.`;
    case 'too_big':
      return units[issue.origin] === undefined
        ? `must be at most ${issue.maximum}.`
        : `must have at most ${issue.maximum}${units[issue.origin]}.`;
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'is required.';
      return issue.inclusive === false
        ? `must be more than ${issue.minimum}.`
        : units[issue.origin] === undefined
          ? `must be at least ${issue.minimum}.`
          : `must have at least ${issue.minimum}${units[issue.origin]}.`;
    case 'invalid_union':
      return 'has the wrong type.';
    default:
      return issue.message;
  }
}

// An enum or a union does not report by itself that the value was missing.
function isMissing(value: unknown, { code, path }: z.core.$ZodIssue): boolean {
  if (path.length === 0 || !['invalid_value', 'invalid_union'].includes(code)) return false;
  const found = path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | null)?.[key], value);
  return found === undefined;
}

export function fieldErrors(issues: readonly z.core.$ZodIssue[], value: unknown, whole: string): FieldErrors {
  const errors = new Map<string, string[]>();
  for (const issue of issues) {
    const path = issue.path.map(String).join('.') || whole;
    const messages = errors.get(path) ?? [];
    if (messages.length === 0 && errors.size >= mostFaults) break;
    errors.set(path, messages);
    if (messages.length < mostFaults) messages.push(isMissing(value, issue) ? 'is required.' : describeIssue(issue));
  }
  return Object.fromEntries(errors);
}
