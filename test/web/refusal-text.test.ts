// What is said beside a field that was refused.

import { expect, test } from 'bun:test';
import { invalidFields } from '../../src/domain/errors.ts';
import { besideLabel } from '../../src/web/shared/field.tsx';

test.each([
  [{ 'bucket.endpoint': ['must be an address.'] }, 'Must be an address.'],
  [
    { order_number: ['is required.', 'must have at most 64 characters.'] },
    'Is required. Must have at most 64 characters.',
  ],
  [{ 'signature.0': ['"{{" is not closed.'] }, 'Is refused: "{{" is not closed.'],
])('beside its label, a problem of %j does not name the field a second time', (errors, text) => {
  const [said = []] = Object.values(invalidFields(errors).errors ?? {});
  expect(besideLabel(said.join(' '))).toBe(text);
});

test('words of the console stay as they are', () => {
  expect(besideLabel('Enter a name of at most 255 characters.')).toBe('Enter a name of at most 255 characters.');
});
