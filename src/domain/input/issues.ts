// What is wrong with a value, in a sentence, for whoever sent it: the same over HTTP and on the command line.

import type * as z from 'zod';
import type { FieldErrors } from '../errors.ts';

const kinds: Record<string, string> = {
  string: 'a text',
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
      // The issue itself does not tell what was there instead.
      return issue.message.endsWith('received undefined')
        ? 'This field is required.'
        : `This must be ${kinds[issue.expected] ?? issue.expected}.`;
    case 'invalid_value':
      return `This must be one of: ${issue.values.join(', ')}.`;
    case 'too_big':
      return `At most ${issue.maximum}${units[issue.origin] ?? ''}.`;
    case 'too_small':
      return issue.inclusive === false
        ? `This must be more than ${issue.minimum}.`
        : `At least ${issue.minimum}${units[issue.origin] ?? ''}.`;
    case 'invalid_union':
      return 'This is of the wrong kind.';
    default:
      return issue.message;
  }
}

/** @param whole what a fault of the whole value is called */
export function fieldErrors(issues: readonly z.core.$ZodIssue[], whole: string): FieldErrors {
  const errors: FieldErrors = {};
  for (const issue of issues) {
    const path = issue.path.map(String).join('.') || whole;
    errors[path] = [...(errors[path] ?? []), describeIssue(issue)];
  }
  return errors;
}
