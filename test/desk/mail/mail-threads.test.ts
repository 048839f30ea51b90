// One thread in the customer's mail program: the desk's answers refer to the customer's mails and to its own.

import { afterEach, expect, test } from 'bun:test';
import { simpleParser } from 'mailparser';
import { replyAsAgent } from '../../../src/desk/tickets/replies.ts';
import { type MailDesk, mail, mailDesk, minute } from './mail-desk.ts';

let at: MailDesk;
afterEach(() => at.close());

async function leaving() {
  return await Promise.all(
    (await at.leave()).map(async ({ event, recipient, raw }) => {
      const { messageId, inReplyTo, references, subject } = await simpleParser(raw);
      return { event, recipient, messageId, inReplyTo, references: [references ?? []].flat(), subject };
    }),
  );
}

function answer(ticketId: number | null, body: string) {
  at.clock.advance(minute);
  return at.do((tx, ctx) => replyAsAgent(tx, ctx, ticketId ?? 0, { body }));
}

test('a thread that began in the customer’s mail program stays one there', async () => {
  at = await mailDesk();
  const { ticketId } = await at.post(mail({ id: '<first@customer.example>', subject: 'The printer burns' }));
  const [acknowledgement] = await leaving();
  expect(acknowledgement).toMatchObject({
    event: 'mail.acknowledgement',
    inReplyTo: '<first@customer.example>',
    references: ['<first@customer.example>'],
    subject: `[#${ticketId}] We have received your message`,
  });

  at.clock.advance(minute);
  const to = `ticket+${at.ticket(ticketId).ulid}@desk.example`;
  await at.post(mail({ id: '<second@customer.example>', to, subject: 'Re: The printer burns', body: 'Still.' }));
  // Someone in Cc has another mail program, and the author does not have their mail.
  await at.post(mail({ id: '<other@customer.example>', to, from: 'Ben <ben@customer.example>', body: 'Here too.' }));
  await answer(ticketId, 'Pull the plug.');
  const [reply] = await leaving();
  expect(reply).toMatchObject({
    event: 'mail.agent_reply',
    inReplyTo: '<second@customer.example>',
    references: ['<first@customer.example>', acknowledgement?.messageId, '<second@customer.example>'],
  });

  await answer(ticketId, 'Did that help?');
  expect((await leaving())[0]).toMatchObject({
    inReplyTo: reply?.messageId,
    references: [...(reply?.references ?? []), reply?.messageId],
  });
});

test('mail that was only noted, and ids that are none, are not referred to', async () => {
  at = await mailDesk();
  const { ticketId } = await at.post(mail({ id: 'no angle\tbrackets' }));
  const [acknowledgement] = await leaving();
  expect(acknowledgement?.inReplyTo).toBeUndefined();
  at.clock.advance(minute);
  const to = `ticket+${at.ticket(ticketId).ulid}@desk.example`;
  await at.post(mail({ id: '<away@customer.example>', to, headers: ['Auto-Submitted: auto-replied'] }));
  await answer(ticketId, 'Pull the plug.');
  expect((await leaving())[0]).toMatchObject({
    inReplyTo: acknowledgement?.messageId,
    references: [acknowledgement?.messageId],
  });
});
