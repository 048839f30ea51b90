// Who is asked how the help was, by which mail, and what becomes of the answer.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { simpleParser } from 'mailparser';
import { eraseAuthor } from '../../../src/desk/customers/authors.ts';
import { findLink } from '../../../src/desk/customers/links.ts';
import { findRatable, rateTicket } from '../../../src/desk/customers/satisfaction.ts';
import { revokeTicketLinks } from '../../../src/desk/customers/ticket-links.ts';
import { actorOf } from '../../../src/desk/customers/visits.ts';
import { withdrawUntrue } from '../../../src/desk/outbox/undoable.ts';
import { changeSite } from '../../../src/desk/sites/sites.ts';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import { mergeTickets } from '../../../src/desk/tickets/merge-tickets.ts';
import { replyAsAgent } from '../../../src/desk/tickets/replies.ts';
import { dayMs } from '../../../src/domain/instant.ts';
import type { Rating } from '../../../src/domain/tickets/satisfaction.ts';
import { query } from '../../../src/engine/database.ts';
import { authorById } from '../../../src/store/customers/authors.ts';
import { eventsOfTicket } from '../../../src/store/events.ts';
import { suppressAddress } from '../../../src/store/mail/suppressions.ts';
import { type Delivery, deliveryById } from '../../../src/store/outbox/outbox.ts';
import { type MailDesk, mail, mailDesk, minute } from '../mail/mail-desk.ts';

let at: MailDesk;
let id: number;

const configure = (settings: object) => at.do((tx, ctx) => changeSite(tx, ctx, '1', { settings } as never, null));
const set = (change: Parameters<typeof changeTicket>[3], ticket = id) =>
  at.do((tx, ctx) => changeTicket(tx, ctx, ticket, change, null));
const reply = (more: object = {}) =>
  at.do((tx, ctx) => replyAsAgent(tx, ctx, id, { body: 'Try again.', status: 'resolved', ...more }));

beforeEach(async () => {
  at = await mailDesk();
  await configure({ ask_satisfaction: true });
  id = await opened('Ada <ada@customer.example>');
});
afterEach(() => at.close());

let posted = 0;
async function opened(from: string, cc?: string): Promise<number> {
  posted += 1;
  const { ticketId } = await at.post(
    mail({ from, id: `<m${posted}@customer.example>`, headers: cc ? [`Cc: ${cc}`] : [] }),
  );
  await at.leave();
  at.clock.advance(minute);
  if (ticketId === null) throw new Error('no ticket');
  return ticketId;
}

/** The mails that leave now, with the links in them that rate. */
async function sent() {
  at.clock.advance(minute);
  const left = await at.leave();
  return await Promise.all(
    left.map(async ({ event, recipient, raw }) => {
      const { text = '', html } = await simpleParser(raw);
      const found = [...text.matchAll(/\/rate\/([0-9A-Z]{26})\/(hdr_[\w-]{43})\?as=(good|bad)/g)];
      for (const [whole] of found) expect(String(html)).toContain(whole);
      return { event, recipient, links: found.map(([, link = '', secret = '', as]) => ({ link, secret, as })) };
    }),
  );
}
const asks = async () => (await sent()).map(({ event, links }) => `${event} ${links.length}`);
const askedIn = (ticket = id) =>
  at.do((tx) => eventsOfTicket(tx, ticket).findLast(({ kind }) => kind === 'ticket.status_changed')?.data ?? {});

describe('who resolves', () => {
  test('with a reply asks in it, and with a status alone in a mail of its own', async () => {
    await reply();
    expect(await asks()).toEqual(['mail.agent_reply 2']);
    expect(await askedIn()).toMatchObject({ satisfaction_asked: 'reply' });
    await set({ status: 'open' });
    await set({ status: 'resolved' });
    expect(await asks()).toEqual(['mail.satisfaction 2']);
    expect(await askedIn()).toMatchObject({ satisfaction_asked: 'mail' });
  });

  test('asks in the mail about it where the site sends one, and then not in the reply too', async () => {
    await configure({ notify_resolved: true });
    await set({ status: 'resolved' });
    expect(await asks()).toEqual(['mail.ticket_resolved 2']);
    await set({ status: 'open' });
    await reply();
    expect(await asks()).toEqual(['mail.agent_reply 0', 'mail.ticket_resolved 2']);
  });

  test('asks no one in a mail that several people read, and sends no other for it', async () => {
    id = await opened('Ada <ada@customer.example>', 'Bo <bo@customer.example>');
    await reply();
    expect(await asks()).toEqual(['mail.agent_reply 0']);
    expect(await askedIn()).not.toHaveProperty('satisfaction_asked');
  });

  test('asks the author alone when the reply goes only to others', async () => {
    await reply({ to: [{ email: 'bo@customer.example', name: null }] });
    const mails = await sent();
    expect(mails.map(({ event, recipient, links }) => [event, recipient, links.length])).toEqual([
      ['mail.agent_reply', 'bo@customer.example', 0],
      ['mail.satisfaction', 'ada@customer.example', 2],
    ]);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['where the site does not ask', () => configure({ ask_satisfaction: false })],
    ['where mails have no links', () => configure({ customer_links: 'off' })],
    ['of spam', () => set({ is_spam: true })],
    ['of a test', () => at.do((tx) => void query(tx, 'UPDATE tickets SET is_test = 1 WHERE id = ?').run(id) as never)],
    ['whose address bounces', () => at.do((tx) => suppressAddress(tx, 1, 'ada@customer.example', '550', 1) as never)],
    ['who has answered', () => rate('good')],
  ])('asks no one %s', async (_, before) => {
    await before();
    await sent();
    await set({ status: 'resolved' });
    expect((await asks()).filter((one) => one.endsWith('2'))).toEqual([]);
    expect(await askedIn()).not.toHaveProperty('satisfaction_asked');
  });

  test('takes the question back within the time for Undo', async () => {
    await set({ status: 'resolved' });
    await set({ status: 'open' });
    const taken = await at.do((tx) => {
      const text = "SELECT id FROM deliveries WHERE event = 'mail.satisfaction'";
      return query<{ id: number }>(tx, text)
        .all()
        .map(({ id }) => withdrawUntrue(tx, deliveryById(tx, id) as Delivery)) as never;
    });
    expect(taken).toEqual([true] as never);
    expect(await asks()).toEqual([]);
  });

  test('asks no more in a mail that leaves after the answer', async () => {
    await reply();
    await rate('bad');
    expect(await asks()).toEqual(['mail.agent_reply 0']);
  });
});

async function linkOf() {
  await set({ status: 'resolved' });
  const [one] = (await sent()).flatMap(({ links }) => links);
  if (!one) throw new Error('no link');
  return one;
}
const find = ({ link, secret }: { link: string; secret: string }) =>
  at.do((tx, ctx) => findRatable(tx, ctx, link, secret)?.thread.id ?? null);
const rate = (rating: Rating, comment?: string | null) =>
  at.do((tx, ctx) => {
    const author = authorById(tx, at.ticket(id).authorId);
    if (!author) throw new Error('no author');
    return rateTicket(tx, { ...ctx, actor: actorOf(author) }, at.ticket(id), { rating, comment });
  });

describe('the link', () => {
  test('rates its ticket, opens nothing else, and is no other link’s', async () => {
    const own = await linkOf();
    expect(await find(own)).toBe(id);
    expect(await find({ ...own, link: own.link.toLowerCase() })).toBe(id);
    expect(await find({ ...own, secret: `${own.secret.slice(0, -1)}!` })).toBeNull();
    expect(await find({ ...own, link: '' })).toBeNull();
    const opening = at.do((tx, ctx) => findLink(tx, ctx, at.ticket(id).ulid, own.secret) as never);
    expect(opening).rejects.toMatchObject({ code: 'not_found' });
    const first = id;
    id = await opened('Eve <eve@customer.example>');
    const eves = await linkOf();
    expect(await find(eves)).toBe(id);
    expect(await find({ link: own.link, secret: eves.secret })).toBeNull();
    expect(first).not.toBe(id);
  });

  test('ends with the links of the ticket', async () => {
    const own = await linkOf();
    await at.do((tx, ctx) => revokeTicketLinks(tx, ctx, at.ticket(id).ulid) as never);
    expect(await find(own)).toBeNull();
  });

  test('rates what its ticket was merged into, if that is the same person’s', async () => {
    const own = await linkOf();
    const source = id;
    const others = await opened('Eve <eve@customer.example>');
    const same = await opened('Ada <ada@customer.example>');
    await at.do((tx, ctx) => mergeTickets(tx, ctx, source, same) as never);
    expect(await find(own)).toBe(same);
    await at.do((tx, ctx) => mergeTickets(tx, ctx, same, others) as never);
    expect(await find(own)).toBeNull();
  });
});

describe('what a customer says', () => {
  test('is one event and one moment, and can be changed for 14 days', async () => {
    await rate('bad', ' Too slow. ');
    const givenAt = at.clock.now();
    expect(at.ticket(id)).toMatchObject({
      satisfaction: 'bad',
      satisfactionComment: 'Too slow.',
      satisfactionAt: givenAt,
    });
    at.clock.advance(13 * dayMs);
    await rate('good');
    await rate('good');
    expect(at.ticket(id)).toMatchObject({
      satisfaction: 'good',
      satisfactionComment: 'Too slow.',
      satisfactionAt: givenAt,
    });
    const rated = await at.do((tx) => eventsOfTicket(tx, id).filter(({ kind }) => kind === 'ticket.rated') as never);
    expect(rated).toMatchObject([
      { actor: { type: 'author' }, data: { changes: { satisfaction: { from: null, to: 'bad' } }, has_comment: true } },
      { data: { changes: { satisfaction: { from: 'bad', to: 'good' } } } },
    ] as never);
    expect(JSON.stringify(rated)).not.toContain('slow');
    at.clock.advance(dayMs);
    await rate('good');
    expect(rate('bad')).rejects.toMatchObject({ code: 'conflict', reason: 'rating_final' });
  });

  test('changes 20 times at most', async () => {
    for (let n = 0; n < 20; n += 1) await rate('good', `Words ${n}`);
    expect(rate('bad')).rejects.toMatchObject({ reason: 'rating_final' });
  });

  test('goes with the person who said it; the rating stays', async () => {
    await rate('bad', 'Ada says so.');
    await at.do((tx, ctx) => eraseAuthor(tx, ctx, { site_id: 1, email: 'ada@customer.example' } as never) as never);
    expect(at.ticket(id)).toMatchObject({ satisfaction: 'bad', satisfactionComment: null });
  });
});
