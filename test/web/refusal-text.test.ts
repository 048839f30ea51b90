// What a refusal means to the reader.

import { beforeAll, expect, test } from 'bun:test';
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
