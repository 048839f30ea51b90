// What each type of custom field accepts.

import { describe, expect, test } from 'bun:test';
import {
  type CustomField,
  type CustomFieldType,
  checkCustomFields,
  customFieldTypes,
} from '../../../src/domain/tickets/custom-field.ts';

const field = (type: CustomFieldType, change: Partial<CustomField> = {}): CustomField => ({
  key: 'f',
  label: 'Field',
  type,
  options: type.includes('select') ? ['red', 'blue'] : [],
  isRequired: false,
  isAuthorVisible: true,
  isActive: true,
  ...change,
});

const good: Record<CustomFieldType, unknown[]> = {
  text: ['x', 'x'.repeat(255), '😀'.repeat(255)],
  textarea: ['a\nb', 'x'.repeat(10_000)],
  number: [0, -1.5, 1e300],
  boolean: [true, false],
  date: ['2026-02-28', '2024-02-29'],
  url: ['https://example.org/a?b', 'http://localhost'],
  email: ['mia@example.org', 'jürgen@müller.example'],
  select: ['red'],
  multiselect: [['red'], ['blue', 'red']],
};
const bad: Record<CustomFieldType, unknown[]> = {
  text: [1, true, {}, ['x'], 'x'.repeat(256)],
  textarea: [1, 'x'.repeat(10_001)],
  number: ['1', Number.NaN, Number.POSITIVE_INFINITY, true, {}],
  boolean: ['true', 1, 0],
  date: ['2026-02-30', '26-1-1', '2026-01-01T00:00:00Z', 20260101, '2025-02-29'],
  url: [
    'example.org',
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://example.org',
    7,
    `https://example.org/${'x'.repeat(2048)}`,
  ],
  email: ['mia', 'mia@', '@example.org', 'a@b..c', 'a b@example.org', `${'x'.repeat(250)}@example.org`],
  select: ['green', 1, ['red'], 'Red'],
  multiselect: ['red', ['green'], [1], ['red', 'green'], { a: 'red' }],
};

describe('a custom field', () => {
  for (const type of customFieldTypes) {
    test(`of type ${type} takes what it should and nothing else`, () => {
      for (const value of good[type])
        expect(checkCustomFields([field(type)], { f: value }, null)).toEqual({
          values: { f: value as never },
          errors: {},
        });
      for (const value of bad[type])
        expect(Object.keys(checkCustomFields([field(type)], { f: value }, null).errors)).toEqual(['custom_fields.f']);
    });
  }

  test('that is not there is an error', () => {
    for (const key of ['g', '__proto__x', 'toString', 'constructor'])
      expect(checkCustomFields([field('text')], { [key]: 'x' }, null).errors).toHaveProperty([`custom_fields.${key}`]);
  });

  test('that is required must come with a new ticket, and cannot be emptied later', () => {
    const required = field('text', { isRequired: true });
    for (const values of [null, undefined, {}, { f: null }, { f: '' }, { f: ' \t ' }, { f: '\0' }])
      expect(checkCustomFields([required], values, null).errors).toHaveProperty(['custom_fields.f']);
    // A ticket that is older than the field is not changed.
    expect(checkCustomFields([required], {}, {}).errors).toEqual({});
    expect(checkCustomFields([required], { f: null }, { f: 'x' }).errors).toHaveProperty(['custom_fields.f']);
  });

  test('that holds only spaces holds nothing', () => {
    for (const type of ['text', 'textarea'] as const) {
      expect(checkCustomFields([field(type, { isRequired: true })], { f: ' \n ' }, null).errors).toHaveProperty([
        'custom_fields.f',
      ]);
      expect(checkCustomFields([field(type)], { f: ' \n ' }, { f: 'x' })).toEqual({ values: {}, errors: {} });
    }
  });

  test('changes by key, and null removes', () => {
    const fields = [field('text'), field('number', { key: 'n' })];
    expect(checkCustomFields(fields, { n: 2 }, { f: 'x', n: 1 }).values).toEqual({ f: 'x', n: 2 });
    expect(checkCustomFields(fields, { f: null }, { f: 'x', n: 1 }).values).toEqual({ n: 1 });
    const current = { f: 'x' };
    checkCustomFields(fields, { f: 'y' }, current);
    expect(current).toEqual({ f: 'x' });
  });

  test('takes a list as an object with numbers as keys', () => {
    const chosen = (f: unknown) => checkCustomFields([field('multiselect')], { f }, null).values;
    expect(chosen({ 1: 'red', 4: 'blue' })).toEqual({ f: ['red', 'blue'] });
    expect(chosen({})).toEqual({});
  });

  test('holds a choice once', () => {
    expect(checkCustomFields([field('multiselect')], { f: ['red', 'red'] }, null).values).toEqual({ f: ['red'] });
  });
});

test('of many faults and options the first are named', () => {
  const options = Array.from({ length: 200 }, (_, at) => `Option ${at}`);
  const field = { key: 'plan', label: 'Plan', type: 'select' as const, options, isRequired: false };
  const fields = [{ ...field, isAuthorVisible: true, isActive: true }];
  expect(checkCustomFields(fields, { plan: 'none' }, null).errors['custom_fields.plan']?.[0]).toEndWith(
    'Option 18, Option 19 and 180 more.',
  );
  const unknown = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`k${at}`, 1]));
  expect(Object.keys(checkCustomFields(fields, unknown, null).errors)).toHaveLength(100);
});
