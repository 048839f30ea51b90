// Whose message offers to add its writer to the ticket.

import { expect, test } from 'bun:test';
import { strangerOf } from '../../../src/web/console/ticket/participants.ts';
import type { Message } from '../../../src/web/console/wire.ts';

const eve = { email: 'eve@example.org', name: 'Eve', anonymised_at: null as string | null };

test.each([
  ['is not on the ticket', { author: eve, author_role: 'other' }, true],
  ['takes part', { author: eve, author_role: 'participant' }, false],
  ['opened it', { author: eve, author_role: 'author' }, false],
  ['was erased', { author: { ...eve, anonymised_at: '2026-01-01T00:00:00Z' }, author_role: 'other' }, false],
  ['is an agent', { author: null, author_role: null }, false],
])('who %s', (_, message, isStranger) => {
  expect(strangerOf(message as Message) !== null).toBe(isStranger);
});
