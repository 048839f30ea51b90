// What a refusal means to the reader.

import { beforeAll, expect, test } from 'bun:test';
import { invalidFields } from '../../src/domain/errors.ts';
import { besideLabel } from '../../src/web/shared/field.tsx';
import { loadMessages, t } from '../../src/web/shared/messages.ts';
import { refusalText } from '../../src/web/shared/refusal-text.ts';

beforeAll(async () => {
  Object.defineProperty(globalThis.navigator, 'languages', { get: () => [], configurable: true });
  Object.assign(globalThis, { document: { documentElement: {} } });
  await loadMessages('en');
});

test.each([
  ['Too many requests; wait a little.', () => t.tooManyRequests('30 seconds')],
  ['Too many wrong attempts; wait a little.', () => t.rateLimited('30 seconds')],
])('“%s” is told as what it is', (message, text) => {
  const refusal = { code: 'rate_limited', status: 429, message, fields: {}, requestId: null, retryAfterSeconds: 30 };
  expect(refusalText(refusal)).toBe(text());
});

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
