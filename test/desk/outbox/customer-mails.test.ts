// Mails that customers ask for on a page: to whom they go, and what they leave in the desk.

import { afterEach, beforeEach, expect, test } from 'bun:test';
import { simpleParser } from 'mailparser';
import { eraseAuthor } from '../../../src/desk/customers/authors.ts';
import { findLink } from '../../../src/desk/customers/links.ts';
import { loadDelivery } from '../../../src/desk/outbox/content.ts';
import { mailCustomerCode, mailFormReceipt, mailRequestedLink } from '../../../src/desk/outbox/customer-mails.ts';
import { listOutbox } from '../../../src/desk/outbox/log.ts';
import { addAgent } from '../../../src/desk/people/agents.ts';
import { changeSite } from '../../../src/desk/sites/sites.ts';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import { replyAsAgent } from '../../../src/desk/tickets/replies.ts';
import { query } from '../../../src/engine/database.ts';
import { suppressAddress } from '../../../src/store/mail/suppressions.ts';
import type { Ticket } from '../../../src/store/tickets/tickets.ts';
import { type MailDesk, mail, mailDesk, minute } from '../mail/mail-desk.ts';

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
    query<{ id: number; payload: string; recipient: string }>(tx, 'SELECT * FROM deliveries WHERE event = ?').all(
      event,
    ),
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

const textOf = async (raw: string) => (await simpleParser(raw)).text ?? '';
const linkIn = (text: string) => /https?:\S+\/t\/\S+#\S+/.exec(text)?.[0] ?? null;
const answer = (body: string) => at.do((tx, ctx) => replyAsAgent(tx, ctx, ticket.id, { body }));
const links = (value: 'confirm' | 'open' | 'off') =>
  at.do((tx, ctx) => changeSite(tx, ctx, 'web-shop', { settings: { customer_links: value } }, null).id);
const askLink = () => at.do((tx, ctx) => mailRequestedLink(tx, ctx, at.ticket(ticket.id)));
const receipt = () => at.do((tx, ctx) => mailFormReceipt(tx, ctx, at.ticket(ticket.id)));

/** What the link of the newest mail is, as the desk knows it. */
const opened = (url: string) =>
  at.do((tx, ctx) => {
    const [, ulid = '', secret = ''] = /\/t\/(.*)#(.*)/.exec(url) ?? [];
    const { thread, link } = findLink(tx, ctx, ulid, secret);
    if (!('kind' in link)) throw new Error('the token of the ingest API');
    return { ticketId: thread.id, kind: link.kind, address: link.address };
  });

test('each mail to a customer brings a link of its own that opens the ticket', async () => {
  await answer('Pull the plug.');
  await answer('Did that help?');
  await askLink();
  await receipt();
  const sent = await Promise.all((await at.leave()).map(async ({ raw }) => linkIn(await textOf(raw))));
  expect(new Set(sent).size).toBe(4);
  const kinds = await Promise.all(sent.map((url) => opened(url ?? '')));
  expect(kinds).toEqual(
    ['mail', 'mail', 'requested', 'form'].map((kind) => ({ ticketId: ticket.id, kind, address: author }) as never),
  );
});

test('a mail that is composed again has the same link', async () => {
  await answer('Pull the plug.');
  const id = (await rowsOf('mail.agent_reply'))[0]!.id;
  const composed = () =>
    at.do((tx, ctx) => {
      const material = loadDelivery(tx, ctx, id);
      return material?.customerLink?.path ?? '';
    });
  const first = await composed();
  expect(first).toStartWith(`/t/${ticket.ulid}#hdl_`);
  at.clock.advance(minute);
  expect(await composed()).toBe(first);
  expect(linkIn(await textOf((await at.leave())[0]!.raw))).toEndWith(first);
});

test('a site whose links are off sends none, and mail that waited loses its link', async () => {
  await answer('Pull the plug.');
  await askLink();
  await links('off');
  await answer('Did that help?');
  const replies = await rowsOf('mail.agent_reply');
  const [waiting] = await rowsOf('mail.customer_link');
  const paths = await at.do((tx, ctx) =>
    [...replies, waiting!].map(({ id }) => loadDelivery(tx, ctx, id)?.customerLink ?? null),
  );
  expect(paths).toEqual([null, null, null]);
  const made = await at.do((tx) => query<{ n: number }>(tx, 'SELECT count(*) AS n FROM customer_links').get()?.n ?? 0);
  await answer('Hello?');
  await askLink();
  expect(await rowsOf('mail.customer_link')).toHaveLength(1);
  const after = await at.do((tx) => query<{ n: number }>(tx, 'SELECT count(*) AS n FROM customer_links').get()?.n ?? 0);
  expect(after).toBe(made);
});

test('an open link says so', async () => {
  await links('open');
  await answer('Pull the plug.');
  expect(await textOf((await at.leave())[0]!.raw)).toContain('can read the conversation and answer');
});

test('mail to agents has the address in the console, and no customer’s link', async () => {
  await at.do((tx, ctx) => {
    const agent = addAgent(tx, ctx, { name: 'Grace', email: 'grace@desk.example', role: 'owner' });
    changeTicket(tx, ctx, `${ticket.id}`, { assigned_to: agent.id }, null);
    return null;
  });
  const [sent] = await at.leave();
  expect(sent?.recipient).toBe('grace@desk.example');
  const text = await textOf(sent!.raw);
  expect(text).toContain(`/tickets/${ticket.ulid}`);
  expect(linkIn(text)).toBeNull();
});

test('the secret of a link is neither in the database nor in what agents see of deliveries', async () => {
  await answer('Pull the plug.');
  const [sent] = await at.leave();
  const secret = linkIn(await textOf(sent!.raw))!.split('#')[1]!;
  const [tables, listed] = await at.do((tx, ctx) => [
    ['deliveries', 'delivery_attempts', 'customer_links', 'events', 'messages'].map((table) =>
      query(tx, `SELECT * FROM ${table}`).all(),
    ),
    listOutbox(tx, ctx, { site: 'web-shop', isMail: true, status: null }, 10, 0),
  ]);
  expect(JSON.stringify([tables, listed])).not.toContain(secret.slice(4));
});

const asked: [string, () => Promise<unknown>][] = [
  ['code', () => sendCode()],
  ['new link', () => askLink()],
  ['receipt', () => receipt()],
];

test.each(asked)('a %s goes to the author, once', async (_, ask) => {
  await ask();
  const waiting = await at.do((tx) =>
    query<{ recipient: string }>(tx, "SELECT recipient FROM deliveries WHERE status = 'queued'").all(),
  );
  expect(waiting).toEqual([{ recipient: author }]);
});

const reasons: [string, () => Promise<unknown>][] = [
  ['an address that bounces', () => at.do((tx) => suppressAddress(tx, ticket.siteId, author, 'gone', at.clock.now()))],
  [
    'erased author',
    () => at.do((tx, ctx) => eraseAuthor(tx, ctx, { site_id: ticket.siteId, email: author }).author.id),
  ],
  ['a sender of spam', () => at.do((tx, ctx) => changeTicket(tx, ctx, `${ticket.id}`, { is_spam: true }, null).id)],
];

test.each(reasons)('%s gets none of them', async (_, make) => {
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
