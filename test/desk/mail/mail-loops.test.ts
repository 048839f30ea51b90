// Machines that write to each other: each exchange ends after at most one round.

import { afterEach, beforeEach, expect, test } from 'bun:test';
import { changeSite } from '../../../src/desk/sites/sites.ts';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import { replyAsAgent } from '../../../src/desk/tickets/replies.ts';
import { type Leaving, type MailDesk, mail, mailDesk } from './mail-desk.ts';

let here: MailDesk;
let there: MailDesk;
beforeEach(async () => {
  here = await mailDesk({ seed: 1, domain: 'here.example' });
  there = await mailDesk({ seed: 2, domain: 'there.example' });
});
afterEach(async () => {
  await here.close();
  await there.close();
});

const header = (raw: string, name: string) => new RegExp(`^${name}: *(.*)$`, 'im').exec(raw)?.[1]?.trim() ?? '';

/** Carries mail between the two desks until none is left. Returns the number of mails in each round. */
async function converse(): Promise<number[]> {
  const rounds: number[] = [];
  for (let round = 0; round < 10; round += 1) {
    const carried = [...(await here.leave()), ...(await there.leave())];
    if (carried.length === 0) return rounds;
    rounds.push(carried.length);
    for (const { raw, recipient } of carried) {
      const desk = recipient.endsWith('@here.example') ? here : recipient.endsWith('@there.example') ? there : null;
      await desk?.post(raw, { to: recipient });
    }
  }
  throw new Error('They never stop.');
}

const outcomes = (desk: MailDesk) => desk.inboundLog().map(({ outcome }) => outcome);

test('two desks: an acknowledgement is never answered', async () => {
  await there.post(mail({ from: 'support@here.example', to: 'support@there.example', subject: 'A question' }));
  expect(await converse()).toEqual([1]);
  expect(there.tickets()).toHaveLength(1);
  expect(here.tickets()).toHaveLength(0);
  expect(outcomes(here)).toEqual(['ignored_auto_reply']);
});

test("two desks: an agent's answer opens at most one ticket, whose acknowledgement is not answered", async () => {
  const { ticketId } = await there.post(
    mail({ from: 'support@here.example', to: 'support@there.example', subject: 'A question' }),
  );
  await converse();
  await there.do((tx, ctx) => replyAsAgent(tx, ctx, ticketId ?? 0, { body: 'An answer.' }));
  expect(await converse()).toEqual([1, 1]);
  expect(here.tickets()).toHaveLength(1);
  expect(there.messages(ticketId).filter(({ isInternal }) => !isInternal)).toHaveLength(2);
  await there.do((tx, ctx) => {
    changeTicket(tx, ctx, ticketId ?? 0, { status: 'resolved' }, null);
    return null;
  });
  expect((await converse()).length).toBeLessThanOrEqual(1);
  expect(there.ticket(ticketId).status).toBe('resolved');
});

/** Answers all mail, like a machine that marks its answers, or like one that only words them so. */
const autoresponder = (sent: Leaving, isMarked: boolean) =>
  mail({
    from: sent.recipient,
    to: header(sent.raw, 'Reply-To').replace(/.*<|>.*/g, '') || 'support@here.example',
    subject: `${isMarked ? 'Re' : 'Out of Office'}: ${header(sent.raw, 'Subject')}`,
    body: 'I am away.',
    headers: [`In-Reply-To: ${sent.messageId}`, ...(isMarked ? ['Auto-Submitted: auto-replied'] : [])],
  });

test.each([true, false])('an autoresponder, marked: %p', async (isMarked) => {
  const { ticketId } = await here.post(mail({ from: 'mia@customer.example' }));
  await here.do((tx, ctx) => replyAsAgent(tx, ctx, ticketId ?? 0, { body: 'An answer.', status: 'resolved' }));
  const sent = await here.leave();
  expect(sent.length).toBeGreaterThan(0);
  for (const each of sent) await here.post(autoresponder(each, isMarked));
  expect(await here.leave()).toEqual([]);
  expect(here.tickets()).toHaveLength(1);
  expect(here.ticket(ticketId).status).toBe('resolved');
});

test('an autoresponder that hides what it is gets one acknowledgement an hour', async () => {
  let raw = mail({ from: 'robot@customer.example', subject: 'Your message was received' });
  let total = 0;
  for (let round = 0; round < 5; round += 1) {
    await here.post(raw);
    const sent = await here.leave();
    total += sent.length;
    raw = mail({ from: 'robot@customer.example', subject: 'Your message was received' });
  }
  expect(total).toBe(1);
});

test('a bounce, and the bounce of a bounce', async () => {
  const { ticketId } = await here.post(mail({ from: 'gone@customer.example', to: 'support@here.example' }));
  const [acknowledgement] = await here.leave();
  const bounce = (of: string) =>
    mail({
      from: 'MAILER-DAEMON@mx.example',
      to: 'support@here.example',
      subject: 'Undelivered Mail Returned to Sender',
      headers: ['Content-Type: multipart/report; report-type=delivery-status; boundary=b'],
      body: `--b\r\n\r\nNo such user.\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx\r\n\r\nFinal-Recipient: rfc822; gone@customer.example\r\nAction: failed\r\nStatus: 5.1.1\r\n--b\r\nContent-Type: message/rfc822\r\n\r\nMessage-ID: ${of}\r\n\r\nx\r\n--b--`,
    });
  const first = bounce(acknowledgement?.messageId ?? '');
  await here.post(first, { from: '' });
  await here.post(bounce(header(first, 'Message-ID')), { from: '' });
  expect(outcomes(here)).toEqual(['ticket_created', 'bounce_recorded', 'bounce_recorded']);
  expect(await here.leave()).toEqual([]);
  await here.do((tx, ctx) => replyAsAgent(tx, ctx, ticketId ?? 0, { body: 'Anyone?' }));
  expect(await here.leave()).toEqual([]);
});

test('a mailing list that the desk is on: filed, never answered', async () => {
  const headers = ['List-Id: <talk.list.example>', 'List-Post: <mailto:talk@list.example>', 'Precedence: list'];
  for (let count = 0; count < 3; count += 1)
    await here.post(mail({ from: `writer${count}@list.example`, to: 'talk@list.example', headers }));
  expect(outcomes(here)).toEqual(Array(3).fill('ticket_created'));
  expect(await here.leave()).toEqual([]);
});

test('a mailing list that sends our own post back', async () => {
  const { ticketId } = await here.post(mail({ from: 'talk@list.example' }));
  await here.do((tx, ctx) => replyAsAgent(tx, ctx, ticketId ?? 0, { body: 'An answer.' }));
  for (const { raw } of await here.leave()) {
    const stripped = raw.replace(/^X-Helpdesk-Desk:.*\r\n/im, '');
    await here.post(`List-Id: <talk.list.example>\r\nPrecedence: list\r\n${stripped}`);
  }
  expect(outcomes(here).slice(1)).toEqual(Array(outcomes(here).length - 1).fill('ignored_auto_reply'));
  expect(await here.leave()).toEqual([]);
});

test('our own notification forwarded back, by a machine and by a person', async () => {
  const { ticketId } = await here.post(mail({ from: 'mia@customer.example' }));
  await here.do((tx, ctx) => replyAsAgent(tx, ctx, ticketId ?? 0, { body: 'An answer.' }));
  const sent = await here.leave();
  for (const { raw } of sent) await here.post(raw, { from: 'mia@customer.example', to: 'support@here.example' });
  expect(outcomes(here).slice(1)).toEqual(sent.map(() => 'ignored_auto_reply'));
  const forwarded = sent.at(-1)?.raw ?? '';
  await here.post(
    mail({
      from: 'mia@customer.example',
      subject: `Fwd: ${header(forwarded, 'Subject')}`,
      headers: ['Content-Type: multipart/mixed; boundary=b'],
      body: `--b\r\n\r\nWhat is this?\r\n--b\r\nContent-Type: message/rfc822\r\n\r\n${forwarded}\r\n--b--`,
    }),
  );
  expect(outcomes(here).at(-1)).toBe('reply_added');
  expect((await here.leave()).map(({ event }) => event)).toEqual([]);
});

test('two desks that forward everything to each other', async () => {
  for (const [desk, address] of [
    [here, 'support@there.example'],
    [there, 'support@here.example'],
  ] as const) {
    await desk.rule({ actions: [{ type: 'forward', value: address }] });
    await desk.do((tx, ctx) => {
      changeSite(tx, ctx, 'web-shop', { settings: { acknowledge: false } }, null);
      return null;
    });
  }
  await here.post(mail({ from: 'mia@customer.example', to: 'support@here.example' }));
  const rounds = await converse();
  expect(rounds.length).toBeLessThanOrEqual(2);
});
