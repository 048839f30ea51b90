// Mails that customers ask for on a page: to whom they go, and what they leave in the desk.

import { afterEach, beforeEach, expect, test } from 'bun:test';
import { simpleParser } from 'mailparser';
import { eraseAuthor } from '../../src/desk/authors.ts';
import { changeTicket } from '../../src/desk/change-ticket.ts';
import { mailCustomerCode, mailFormReceipt, mailRequestedLink } from '../../src/desk/outbox/customer-mails.ts';
import { listOutbox } from '../../src/desk/outbox/log.ts';
import { replyAsAgent } from '../../src/desk/replies.ts';
import { changeSite } from '../../src/desk/sites.ts';
import { query } from '../../src/store/database.ts';
import { suppressAddress } from '../../src/store/suppressions.ts';
import type { Ticket } from '../../src/store/tickets.ts';
import { type MailDesk, mail, mailDesk, minute } from './mail-desk.ts';

const author = 'ada@customer.example';

let at: MailDesk;
let ticket: Ticket;
beforeEach(async () => {
  at = await mailDesk();
  const { ticketId } = await at.post(
    mail({ from: `Ada <${author}>`, id: '<first@customer.example>', subject: 'The printer burns' }),
  );
  ticket = at.ticket(ticketId);
  await at.leave();
  at.clock.advance(minute);
});
afterEach(() => at.close());

const code = '041267';
const sendCode = (address = author) =>
  at.do((tx, ctx) => mailCustomerCode(tx, ctx, { ticket: at.ticket(ticket.id), address, code }));

const rowsOf = (event: string) =>
  at.do((tx) =>
    query<{ payload: string; recipient: string }>(tx, 'SELECT * FROM deliveries WHERE event = ?').all(event),
  );

test('a code goes to the address that asked, outside the conversation', async () => {
  await sendCode('ben@other.example');
  const [sent] = await at.leave();
  const { subject, text, inReplyTo, references, replyTo, headers } = await simpleParser(sent!.raw);
  expect(sent).toMatchObject({ event: 'mail.customer_code', recipient: 'ben@other.example' });
  expect(subject).toStartWith(`${code} `);
  expect(text).toContain(code);
  expect([inReplyTo, references, replyTo]).toEqual([undefined, undefined, undefined]);
  expect(headers.get('auto-submitted')).toBe('auto-generated');
});

test('an answer after a code continues the conversation, not the code', async () => {
  await sendCode();
  await at.leave();
  await at.do((tx, ctx) => replyAsAgent(tx, ctx, ticket.id, { body: 'Pull the plug.' }));
  const [sent] = await at.leave();
  const { references } = await simpleParser(sent!.raw);
  expect(references).toHaveLength(2);
  expect(references).toContain('<first@customer.example>');
});

test('a code is readable neither in the database nor in the list of deliveries', async () => {
  await sendCode();
  const rows = await rowsOf('mail.customer_code');
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(code);
  const listed = await at.do((tx, ctx) =>
    listOutbox(tx, ctx, { site: 'web-shop', isMail: true, status: null }, 10, 0).rows.filter(
      ({ delivery }) => delivery.event === 'mail.customer_code',
    ),
  );
  expect(listed).toHaveLength(1);
});

test('customers get mail in the site’s language and under the name that it has for them', async () => {
  await at.do(
    (tx, ctx) => changeSite(tx, ctx, 'web-shop', { settings: { locale: 'de', brand: { name: 'Krämer' } } }, null).id,
  );
  await sendCode();
  await at.do((tx, ctx) => replyAsAgent(tx, ctx, ticket.id, { body: 'Pull the plug.' }));
  const [sent, reply] = await Promise.all((await at.leave()).map(({ raw }) => simpleParser(raw)));
  expect(sent?.subject).toBe(`${code} ist Ihr Code für Krämer`);
  expect(reply?.from?.value[0]?.name).toBe('Krämer');
  expect(reply?.text).toContain('Krämer · ');
});

const asked: [string, () => Promise<unknown>][] = [
  ['code', () => sendCode()],
  ['new link', () => at.do((tx, ctx) => mailRequestedLink(tx, ctx, at.ticket(ticket.id)))],
  ['receipt', () => at.do((tx, ctx) => mailFormReceipt(tx, ctx, at.ticket(ticket.id)))],
];

test.each(asked)('a %s goes to the author, once', async (_, ask) => {
  await ask();
  const waiting = await at.do((tx) =>
    query<{ recipient: string }>(tx, "SELECT recipient FROM deliveries WHERE status = 'queued'").all(),
  );
  expect(waiting).toEqual([{ recipient: author }]);
});

const reasons: [string, () => Promise<unknown>][] = [
  ['address that bounces', () => at.do((tx) => suppressAddress(tx, ticket.siteId, author, 'gone', at.clock.now()))],
  [
    'erased author',
    () => at.do((tx, ctx) => eraseAuthor(tx, ctx, { site_id: ticket.siteId, email: author }).author.id),
  ],
  ['sender of spam', () => at.do((tx, ctx) => changeTicket(tx, ctx, `${ticket.id}`, { is_spam: true }, null).id)],
];

test.each(reasons)('an %s gets none of them', async (_, make) => {
  await make();
  for (const [, ask] of asked) await ask();
  expect(await at.leave()).toEqual([]);
});

test('erasing the author ends a code that waits', async () => {
  await sendCode();
  await at.do((tx, ctx) => eraseAuthor(tx, ctx, { site_id: ticket.siteId, email: author }).author.id);
  expect(await at.leave()).toEqual([]);
  const [row] = await rowsOf('mail.customer_code');
  expect(row?.payload).toBe('{}');
  expect(row?.recipient).not.toBe(author);
});
