// Senders whom a site blocks or allows: what becomes of their mail.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { eraseAuthor } from '../../../src/desk/customers/authors.ts';
import { discardMail, holdMail } from '../../../src/desk/mail/log.ts';
import { changeSite } from '../../../src/desk/sites/sites.ts';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import { settingsInput } from '../../../src/domain/input/sites.ts';
import { listedSender, listingOf } from '../../../src/domain/mail/listed-senders.ts';
import { siteById } from '../../../src/store/sites/sites.ts';
import { type MailDesk, mail, mailDesk } from './mail-desk.ts';
import { came, fakeDns } from './signed-mail.ts';

let desk: MailDesk;
const dns = fakeDns({});
beforeEach(async () => {
  desk = await mailDesk({ askDns: dns.ask });
});
afterEach(() => desk.close());
const settings = (change: object) =>
  desk.do((tx, ctx) => changeSite(tx, ctx, String(desk.site.id), { settings: settingsInput.parse(change) }, null));
const blocked = () => desk.desk.read((tx) => siteById(tx, desk.site.id))?.settings.blocked_senders;

test.each([
  ['Mia@Example.ORG', 'mia@example.org'],
  ['example.org', '@example.org'],
  [' @Xn--gre-6ka8i.example. ', '@größe.example'],
  ['not a domain', null],
  ['@', null],
])('%p is kept as %p', (text, expected) => expect(listedSender(text)).toBe(expected));

test.each([
  ['mia@example.org', ['@example.org'], [], 'blocked'],
  ['mia@deep.mail.example.org', ['@example.org'], [], 'blocked'],
  ['mia@notexample.org', ['@example.org'], [], null],
  ['mia@example.org', ['@example.org'], ['mia@example.org'], 'allowed'],
  ['mia@mail.example.org', ['@mail.example.org'], ['@example.org'], 'blocked'],
  ['mia@example.org', ['mia@example.org'], ['mia@example.org'], 'blocked'],
] as const)('%p with %p blocked and %p allowed is %p', (sender, blocked_senders, allowed_senders, expected) =>
  expect(listingOf(sender, { blocked_senders, allowed_senders })).toBe(expected),
);

describe('mail of a blocked sender', () => {
  test('is recorded and not filed, also on their ticket, and released if an agent wants', async () => {
    const first = await desk.post(mail());
    await settings({ blocked_senders: ['customer.example'] });
    const reply = await desk.post(mail({ subject: `[#${first.ticketId}] Again` }));
    expect(reply).toMatchObject({ outcome: 'discarded', reason: 'mia@customer.example is blocked.' });
    expect(desk.messages(first.ticketId)).toHaveLength(1);
    const { row } = await desk.mailroom.replay(null, reply.id, { isReleased: true, forwardsAgain: false });
    expect(row.outcome).toBe('reply_added');
  });

  test('is blocked while held mail of theirs is discarded, and heard again when that is taken back', async () => {
    const first = await desk.post(mail());
    await desk.do((tx, ctx) => changeTicket(tx, ctx, String(first.ticketId), { is_spam: true }, null));
    const held = await desk.post(mail());
    expect(held.outcome).toBe('held');
    await desk.do((tx, ctx) => discardMail(tx, ctx, null, held.id, true));
    expect(blocked()).toEqual(['mia@customer.example']);
    expect((await desk.post(mail())).outcome).toBe('discarded');
    await desk.do((tx, ctx) => holdMail(tx, ctx, null, held.id, true));
    expect(blocked()).toEqual([]);
  });

  test('leaves no trace on the list when they are erased', async () => {
    await desk.post(mail());
    await settings({ blocked_senders: ['mia@customer.example', '@other.example'] });
    await desk.do((tx, ctx) => eraseAuthor(tx, ctx, { site_id: desk.site.id, email: 'mia@customer.example' }));
    expect(blocked()).toEqual(['@other.example']);
  });
});

describe('mail of an allowed sender', () => {
  test('is not taken for spam', async () => {
    await desk.rule({
      conditions: [{ field: 'spam_score', operator: 'gt', value: 5 }],
      actions: [{ type: 'discard', value: 'Spam' }],
    });
    const spam = () => mail({ headers: ['X-Spam-Score: 9'] });
    expect((await desk.post(spam())).outcome).toBe('discarded');
    await settings({ allowed_senders: ['mia@customer.example'] });
    const row = await desk.post(spam());
    expect(row.outcome).toBe('ticket_created');
    await desk.do((tx, ctx) => changeTicket(tx, ctx, String(row.ticketId), { is_spam: true }, null));
    expect((await desk.post(spam())).outcome).toBe('ticket_created');
  });

  test('is held when it is forged', async () => {
    await settings({ allowed_senders: ['customer.example'] });
    dns.records = new Map([
      ['TXT customer.example', ['v=spf1 -all']],
      ['TXT _dmarc.customer.example', ['v=DMARC1; p=reject']],
    ]);
    expect((await desk.post(came(), { from: 'mia@customer.example' })).outcome).toBe('held');
  });
});
