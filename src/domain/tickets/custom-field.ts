// A site's own fields on a ticket, and the values each type accepts (docs/spec/api.md#catalogue).

import { type FieldErrors, mostFaults } from '../errors.ts';
import { asList } from '../input/lenient.ts';
import { isDate } from '../instant.ts';
import { isAddress } from '../mail/address.ts';
import { cleanLine, cleanText, countCharacters } from '../text.ts';

export const customFieldTypes = [
  'text',
  'textarea',
  'number',
  'boolean',
  'date',
  'url',
  'email',
  'select',
  'multiselect',
] as const;
export type CustomFieldType = (typeof customFieldTypes)[number];

type CustomFieldValue = string | number | boolean | string[];
export type CustomFieldValues = Record<string, CustomFieldValue>;

export interface CustomField {
  key: string;
  label: string;
  type: CustomFieldType;
  options: readonly string[];
  isRequired: boolean;
  isAuthorVisible: boolean;
  isActive: boolean;
}

type Checked = { value: CustomFieldValue } | { error: string };

const checks: Record<CustomFieldType, (value: unknown, field: CustomField) => Checked> = {
  text: (value) => line(value, 255),
  textarea: (value) =>
    typeof value !== 'string'
      ? { error: 'must be text.' }
      : countCharacters(value) > 10_000
        ? { error: 'must have at most 10000 characters.' }
        : { value: value.trim() === '' ? '' : cleanText(value) },
  number: (value) => (typeof value === 'number' && Number.isFinite(value) ? { value } : { error: 'must be a number.' }),
  boolean: (value) => (typeof value === 'boolean' ? { value } : { error: 'must be true or false.' }),
  date: (value) =>
    typeof value === 'string' && isDate(value) ? { value } : { error: 'must be a date such as 2026-09-11.' },
  url: (value) => {
    if (typeof value !== 'string' || value.length > 2048 || !URL.canParse(value)) return { error: 'must be a URL.' };
    return ['http:', 'https:'].includes(new URL(value).protocol)
      ? { value }
      : { error: 'must be an http or https URL.' };
  },
  email: (value) =>
    typeof value === 'string' && isAddress(value) ? { value: value.trim() } : { error: 'must be an e-mail address.' },
  select: (value, field) =>
    typeof value === 'string' && field.options.includes(value)
      ? { value }
      : { error: `must be one of: ${someOf(field.options)}.` },
  multiselect: (given, field) => {
    const value = asList(given);
    if (!Array.isArray(value)) return { error: 'must be a list.' };
    const chosen = [...new Set(value)];
    return chosen.every((one): one is string => typeof one === 'string' && field.options.includes(one))
      ? { value: chosen }
      : { error: `must contain only: ${someOf(field.options)}.` };
  },
};

const optionsNamed = 20;

function someOf(options: readonly string[]): string {
  const more = options.length - optionsNamed;
  return more <= 0 ? options.join(', ') : `${options.slice(0, optionsNamed).join(', ')} and ${more} more`;
}

function line(value: unknown, max: number): Checked {
  if (typeof value !== 'string') return { error: 'must be text.' };
  return countCharacters(value) > max ? { error: `must have at most ${max} characters.` } : { value: cleanLine(value) };
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

/**
 * @param fields those that the sender can set
 * @param current what a change merges with; null for a new ticket
 */
export function checkCustomFields(
  fields: readonly CustomField[],
  values: Record<string, unknown> | null | undefined,
  current: CustomFieldValues | null,
): { values: CustomFieldValues; errors: FieldErrors } {
  const result: CustomFieldValues = { ...current };
  const errors: FieldErrors = {};
  const byKey = new Map(fields.map((field) => [field.key, field]));
  for (const [key, value] of Object.entries(values ?? {})) {
    if (Object.keys(errors).length >= mostFaults) break;
    const field = byKey.get(key);
    if (!field) errors[`custom_fields.${key}`] = ['is not a custom field of this site.'];
    else if (isEmpty(value)) delete result[key];
    else {
      const checked = checks[field.type](value, field);
      if ('error' in checked) errors[`custom_fields.${key}`] = [checked.error];
      else if (isEmpty(checked.value)) delete result[key];
      else result[key] = checked.value;
    }
  }
  for (const field of fields) {
    const isTouched = current === null || (values !== null && values !== undefined && Object.hasOwn(values, field.key));
    if (field.isRequired && isTouched && !Object.hasOwn(result, field.key) && !errors[`custom_fields.${field.key}`]) {
      errors[`custom_fields.${field.key}`] = ['is required.'];
    }
  }
  return { values: result, errors };
}
