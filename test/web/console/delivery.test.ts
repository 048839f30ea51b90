// What a message to several people says of the mail to each.

import { expect, test } from 'bun:test';
import { byOutcome } from '../../../src/web/console/ticket/message/delivery.tsx';
import type { Message } from '../../../src/web/console/wire.ts';

const to = (email: string, status: Message['recipients'][number]['status']) =>
  ({ email, name: null, as: 'to', status, at: null, error: null, error_code: null }) as const;

test('each recipient stands where their mail is, and no one is left unnamed', () => {
  const recipients = [
    to('a@x.example', 'sent'),
    to('b@x.example', 'failed'),
    to('c@x.example', 'queued'),
    to('d@x.example', 'bounced'),
    to('e@x.example', null),
  ];
  const { reached, waiting, lost } = byOutcome(recipients);
  const emails = (people: readonly { email: string }[]) => people.map(({ email }) => email[0]).join('');
  expect([reached, waiting, lost].map(emails)).toEqual(['a', 'ce', 'bd']);
});
