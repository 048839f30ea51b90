// What a message to several people says of the mail to each.

import { expect, test } from 'bun:test';
import { byOutcome, namesPeople } from '../../../src/web/console/ticket/message/delivery.tsx';
import type { Message, TicketDetail } from '../../../src/web/console/wire.ts';

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

test('a reply names whom it went to, but not the author where there is no one else', () => {
  const author = { email: 'a@x.example' } as TicketDetail['author'];
  const bo = (removed: string | null) =>
    ({ email: 'b@x.example', removed_at: removed }) as TicketDetail['participants'][number];
  const names = (participants: TicketDetail['participants'], ...emails: string[]) =>
    namesPeople(
      { author, participants },
      emails.map((email) => to(email, 'sent')),
    );
  expect([names([], 'a@x.example'), names([]), names([bo('2026-09-11T09:30:00Z')], 'a@x.example')]).toEqual([
    false,
    false,
    false,
  ]);
  expect([names([bo(null)], 'a@x.example'), names([], 'b@x.example'), names([], 'a@x.example', 'b@x.example')]).toEqual(
    [true, true, true],
  );
  expect(namesPeople(null, [to('a@x.example', 'sent')])).toBe(true);
});
