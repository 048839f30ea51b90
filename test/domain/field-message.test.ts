// The field that a message is about, and what was expected if clients send something else.

import { describe, expect, test } from 'bun:test';
import * as z from 'zod';
import { DeskError, fieldMessage, invalid, invalidFields } from '../../src/domain/errors.ts';
import { resourceId } from '../../src/domain/input/fields.ts';
import { fieldErrors } from '../../src/domain/input/issues.ts';
import { asMeant } from '../../src/domain/input/lenient.ts';

test.each([
  ['subject', 'is required.', 'The subject field is required.'],
  ['category_id', 'must be a number.', 'The category id field must be a number.'],
  ['custom_fields.order_number', 'is required.', 'The order number field is required.'],
  ['tags.3', 'must be text.', 'The tags field must be text.'],
  ['sla_policy.business_hours.weekly.mon.1.0', 'Must be a time.', 'The mon field must be a time.'],
  ['name', 'At most 255 characters.', 'The name field must have at most 255 characters.'],
  ['conditions.0.value', 'exists takes no value.', 'The value field is refused: exists takes no value.'],
  ['', 'must be an object.', 'The value field must be an object.'],
])('%p %p', (path, message, sentence) => {
  expect(fieldMessage(path, message)).toBe(sentence);
  expect(fieldMessage(path, sentence)).toBe(sentence);
});

test('a label stays short, whatever key a client made up', () => {
  expect(fieldMessage(`custom_fields.${'🙂'.repeat(5000)}`, 'is required.')).toBe(
    `The ${'🙂'.repeat(64)} field is required.`,
  );
});

test('a refusal of fields says the same in its own sentence', () => {
  expect(invalid('into', 'does not name a ticket.')).toMatchObject({
    message: 'The into field does not name a ticket.',
    errors: { into: ['The into field does not name a ticket.'] },
  });
  expect(invalidFields({ a: ['is required.'], b: ['is required.'] }).message).toBe(
    'The a field is required. (and 1 more)',
  );
  expect(new DeskError('invalid', 'No.', { errors: { a: ['is required.'] } }).errors).toEqual({
    a: ['The a field is required.'],
  });
});

test('a missing choice is required, and a wrong one names the choices', () => {
  const schema = z.object({
    type: z.enum(['text', 'date']),
    into: z.union([z.string(), z.number()]),
    rules: z.array(z.object({ field: z.enum(['to']) })),
  });
  const errorsOf = (value: unknown) => fieldErrors(schema.safeParse(value).error?.issues ?? [], value, 'body');
  expect(errorsOf({ rules: [{}] })).toEqual({
    type: ['is required.'],
    into: ['is required.'],
    'rules.0.field': ['is required.'],
  });
  expect(errorsOf({ type: null, into: true, rules: [{ field: 'cc' }] })).toEqual({
    type: ['must be one of: text, date.'],
    into: ['has the wrong type.'],
    'rules.0.field': ['must be one of: to.'],
  });
});

describe('what is meant', () => {
  const schema = z.object({
    id: resourceId().nullish(),
    ids: z.array(resourceId()).max(5).optional(),
    text: z.string().optional(),
    share: z.number().optional(),
    values: z.record(z.string(), z.unknown()).nullish(),
    inner: z.object({ days: z.int().nullable().optional(), list: z.array(z.string()).optional() }).optional(),
  });

  test.each([
    [[], {}],
    [{ values: [] }, { values: {} }],
    [{ inner: [] }, { inner: {} }],
    [{ id: '7' }, { id: 7 }],
    [{ ids: ['7', 8] }, { ids: [7, 8] }],
    [{ share: '7' }, { share: 7 }],
    [{ inner: { days: '14' } }, { inner: { days: 14 } }],
    [{ id: null }, { id: null }],
  ])('by %j is %j', (sent, meant) => {
    expect(asMeant(schema, sent)).toEqual(meant as never);
  });

  test.each([
    [[1]],
    [{ values: [1] }],
    [{ inner: { list: [] } }],
    [{ text: '7' }],
    [{ share: '7.5' }],
    [{ id: '07' }],
    [{ id: '7.0' }],
    [{ id: ' 7' }],
    [{ id: '-7' }],
    [{ id: '9'.repeat(16) }],
    [{ id: true }],
    ['7'],
    [null],
  ])('by %j is itself', (sent) => {
    expect(asMeant(schema, sent)).toBe(sent as never);
  });
});
