// Which prefixes of header names a channel may have.

import { expect, test } from 'bun:test';
import { defaultHeaderPrefix, headerPrefixProblem } from '../../../src/domain/outbox/header-prefix.ts';

test.each([defaultHeaderPrefix, 'X-Escalated', 'Acme', 'Webhook-Acme', "!#$%&'*+-.^_`|~0aZ", 'X', 'x'.repeat(64)])(
  '%p is fine',
  (prefix) => {
    expect(headerPrefixProblem(prefix)).toBeNull();
    const headers = new Headers({ [`${prefix}-Event`]: 'x' });
    expect(headers.get(`${prefix}-event`)).toBe('x');
  },
);

test.each([
  ['', 'is required'],
  ['x'.repeat(65), 'at most 64'],
  ['X Helpdesk', 'header names allow'],
  ['X-Helpdesk:', 'header names allow'],
  ['X\r\nHost: evil', 'header names allow'],
  ['Ümlaut', 'header names allow'],
  ['X-Helpdesk-', 'hyphen'],
  ...['Content', 'content-x', 'Proxy', 'Connection', 'Transfer', 'Sec-Fetch', 'Host', 'TE', 'Keep'].map(
    (prefix) => [prefix, 'standard HTTP header'] as const,
  ),
  ['webHook', 'Standard Webhooks'],
] as const)('%p is refused', (prefix, why) => {
  expect(headerPrefixProblem(prefix)).toContain(why);
});
