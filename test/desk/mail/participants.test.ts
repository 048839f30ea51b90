// Who takes part in a ticket by mail, and whose mail is whose (docs/spec/conversations.md).

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { eraseAuthor } from '../../../src/desk/customers/authors.ts';
import { addMailbox, mailboxes } from '../../../src/desk/mail/mailboxes.ts';
import { addAgent, changeAgent } from '../../../src/desk/people/agents.ts';
import { changeSite } from '../../../src/desk/sites/sites.ts';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import { mergeTickets } from '../../../src/desk/tickets/merge-tickets.ts';
import { addParticipant, listParticipants, removeParticipant } from '../../../src/desk/tickets/participants.ts';
import { replyAsAgent } from '../../../src/desk/tickets/replies.ts';
import { openTicket } from '../../../src/desk/tickets/tickets.ts';
import { mailboxInput } from '../../../src/domain/input/mailboxes.ts';
import { query } from '../../../src/engine/database.ts';
import { createLookups } from '../../../src/http/wire/lookups.ts';
import { noteArrivalAddress } from '../../../src/store/mail/arrival-addresses.ts';
import { suppressAddress } from '../../../src/store/mail/suppressions.ts';
import { followersOf } from '../../../src/store/notifications/followers.ts';
import { type MailDesk, mail, mailDesk } from './mail-desk.ts';

let bench: MailDesk;
beforeEach(async () => {
  bench = await mailDesk();
});
afterEach(() => bench.close());

const context = () => bench.desk.context({ kind: 'command_line' }, 'test');
const all = (id: number | null) => bench.desk.read((tx) => listParticipants(tx, context(), id ?? 0));
/** Addresses; of who was removed, in brackets. */
const on = (id: number | null) =>
  all(id).map(({ person, removedAt }) => (removedAt === null ? person.email : `(${person.email})`));
const opened = (...headers: string[]) => bench.post(mail({ headers }));
const to = (id: number | null) => `ticket+${bench.ticket(id).ulid}@desk.example`;
const answer = (id: number | null, from: string, ...headers: string[]) =>
  bench.post(mail({ from, to: to(id), subject: 'Re: The printer burns', body: `From ${from}`, headers }));
const remove = (ticketId: number | null, email: string) =>
  bench.do((tx, ctx) => {
    const id = listParticipants(tx, ctx, ticketId ?? 0).find(({ person }) => person.email === email)?.id ?? 0;
    removeParticipant(tx, ctx, ticketId ?? 0, id);
    return null;
  });
const roles = (id: number | null) => {
  const messages = bench.messages(id);
  return bench.desk.read((tx) => {
    const look = createLookups(tx);
    return messages.map((message) => look.role(message));
  });
};
const changes = (id: number | null) =>
  bench.events(id).flatMap(({ kind, data }) => (kind === 'ticket.participants_changed' ? [data] : []));

describe('mail that opens a ticket', () => {
  test('brings in the people in its To and Cc, with their names', async () => {
    const raw = mail({
      to: '"Berg, Bo" <bo@example.org>, support@desk.example',
      headers: ['Cc: cy@example.org, "di@example.org" <di@example.org>, Mia <MIA@customer.example>'],
    });
    const { ticketId } = await bench.post(raw);
    expect(all(ticketId).map(({ person }) => [person.email, person.name])).toEqual([
      ['bo@example.org', 'Berg, Bo'],
      ['cy@example.org', null],
      ['di@example.org', null],
    ]);
    expect(changes(ticketId)).toEqual([]);
    expect((await bench.leave()).map(({ recipient }) => recipient)).toEqual(['mia@customer.example']);
  });

  test('does not bring in the addresses that it was delivered to', async () => {
    const raw = mail({
      to: 'anything@shop.example, bo@example.org',
      headers: ['Cc: sales@shop.example', 'Delivered-To: sales@shop.example'],
    });
    const { ticketId } = await bench.post(raw, { to: 'anything@shop.example' });
    expect(on(ticketId)).toEqual(['bo@example.org']);
  });

  test.each([
    [
      'Received: from a ([192.0.2.7]) by mx.partner.example with ESMTPS id 4 for <Desk@partner.example>; Fri, 11 Sep 2026',
    ],
    ['X-Forwarded-For: desk@partner.example web-shop@desk.example'],
    ['Delivered-To: desk@partner.example'],
  ])('does not bring in an address that a server of others forwards to the desk, which wrote %s', async (line) => {
    const received = 'Received: from mx.partner.example by mx.desk.example; Fri, 11 Sep 2026 09:30:00 +0000';
    const raw = mail({ to: 'web-shop@desk.example', headers: ['Cc: desk@partner.example, bo@example.org'] });
    expect(on((await bench.post(`${received}\r\n${line}\r\n${raw}`)).ticketId)).toEqual(['bo@example.org']);
  });

  test.each([
    ['by an alias that the desk does not know', 'sales@shop.example', []],
    ['by an alias, beside other people', 'sales@shop.example, bo@example.org', []],
    ['as Bcc', 'bo@example.org', []],
    ['by its own address', 'support@desk.example, bo@example.org', ['bo@example.org']],
  ])('that came %s tells of the people in Cc, and of those in To only if it names the desk', async (_, to, named) => {
    const raw = mail({ to, headers: ['Cc: cy@example.org'] });
    expect(on((await bench.post(raw)).ticketId)).toEqual([...named, 'cy@example.org']);
    expect(
      on((await bench.post(raw.replace('Message-ID: <', 'Message-ID: <b'), { to: 'web-shop@desk.example' })).ticketId),
    ).toEqual([...named, 'cy@example.org']);
  });

  test('does not bring in agents, the desk itself or anyone of a mailing list', async () => {
    const ada = await bench.do((tx, ctx) => addAgent(tx, ctx, { email: 'ada@desk.example', name: 'Ada' }));
    const cc = 'Cc: ada@desk.example, web-shop@desk.example, ticket+01K4VJ8Q4N7RM2ZC6B0T3XWYDE@desk.example';
    const { ticketId } = await opened(cc);
    expect(on(ticketId)).toEqual([]);
    const followers = bench.desk.read((tx) => followersOf(tx, ticketId ?? 0));
    expect(followers).toMatchObject([{ agentId: ada.id, isMuted: false }]);
    const list = await bench.post(
      mail({ to: 'talk@lists.example', headers: ['List-Id: <talk.lists.example>', 'Cc: bo@example.org'] }),
      { to: 'support@desk.example' },
    );
    expect(on(list.ticketId)).toEqual([]);
  });

  test('does not bring in the address of a mailbox, also one that was corrected later', async () => {
    const settings = { host: 'imap.shop.example', user: 'help' };
    const input = { name: 'Help', address: 'help@shop.example', password: 'correct horse', incoming: settings };
    await bench.do((tx, ctx) => {
      const { row } = addMailbox(tx, ctx, 'web-shop', mailboxInput.parse(input));
      mailboxes.change(tx, ctx, 'web-shop', row.id, { address: 'hello@shop.example' }, null);
      return null;
    });
    expect(on((await opened('Cc: bo@example.org, hello@shop.example')).ticketId)).toEqual(['bo@example.org']);
  });

  test('takes as many of five hundred as a ticket can have', async () => {
    const cc = Array.from({ length: 500 }, (_, at) => `p${at}@example.org`).join(',\r\n ');
    const { ticketId } = await opened(`Cc: ${cc}`);
    expect(on(ticketId)).toHaveLength(30);
    expect(bench.events(ticketId).map(({ kind, data }) => [kind, data.left_out])).toEqual([
      ['ticket.created', undefined],
      ['ticket.participants_changed', 470],
    ]);
    expect((await bench.leave()).map(({ recipient }) => recipient)).toEqual(['mia@customer.example']);
  });

  test('does not bring back someone who was erased after it arrived', async () => {
    await opened('Cc: bo@example.org');
    await bench.do((tx, ctx) => {
      eraseAuthor(tx, { ...ctx, now: ctx.now + 1000 }, { site_id: bench.site.id, email: 'bo@example.org' });
      return null;
    });
    const { ticketId } = await opened('Cc: bo@example.org, cy@example.org');
    expect(on(ticketId)).toEqual(['cy@example.org']);
  });
});

describe('an alias of the desk that only its mail server knows', () => {
  const sales = 'sales@shop.example';
  const received = 'Received: from mail.example.org ([192.0.2.7]) by mx.shop.example; Fri, 11 Sep 2026 09:30:00 +0000';
  const namesSales = () => mail({ headers: [`Cc: ${sales}, bo@example.org`] });

  test.each([
    ['by the envelope', (raw: string) => bench.post(raw, { to: sales })],
    [
      'by what the mail server wrote on top',
      (raw: string) => bench.post(`X-Original-To: ${sales}\r\n${received}\r\n${raw}`),
    ],
  ])('takes part in no ticket once mail has come under it, told %s, also as a second copy', async (_, come) => {
    const raw = namesSales();
    const { ticketId } = await bench.post(raw);
    expect(on(ticketId)).toEqual([sales, 'bo@example.org']);
    expect((await come(raw)).outcome).toBe('duplicate');
    expect(on(ticketId)).toEqual([`(${sales})`, 'bo@example.org']);
    await answer(ticketId, 'mia@customer.example', `Cc: ${sales}, bo@example.org, cy@example.org`);
    expect(on(ticketId)).toEqual([`(${sales})`, 'bo@example.org', 'cy@example.org']);
    expect(on((await bench.post(namesSales())).ticketId)).toEqual(['bo@example.org']);
    await bench.leave();
    await bench.do((tx, ctx) => replyAsAgent(tx, ctx, ticketId ?? 0, { body: 'Try again.' }).message.id);
    expect((await bench.leave())[0]?.envelope).toEqual(['mia@customer.example', 'bo@example.org', 'cy@example.org']);
  });

  test('is known to its site alone, and an agent can add it all the same', async () => {
    const blog = await bench.siteNamed('Blog');
    await bench.post(namesSales(), { to: sales });
    expect(on((await bench.post(namesSales(), {}, blog)).ticketId)).toEqual([sales, 'bo@example.org']);
    const { ticketId } = await bench.post(namesSales());
    await bench.do((tx, ctx) => addParticipant(tx, ctx, ticketId ?? 0, { email: sales }).ticket);
    expect(on(ticketId)).toEqual(['bo@example.org', sales]);
  });

  test('cannot be made of a customer’s address by what a stranger writes', async () => {
    for (const name of ['Delivered-To', 'X-Original-To', 'Envelope-To', 'X-Envelope-To', 'X-Forwarded-To']) {
      const forged = `${received}\r\n${name}: bo@example.org\r\n${received}\r\n`;
      await bench.post(forged + mail({ from: 'eve@evil.example' }), { to: 'support@desk.example' });
    }
    expect(on((await bench.post(namesSales())).ticketId)).toEqual([sales, 'bo@example.org']);
  });

  test('is forgotten when its owner is erased, and the oldest when a domain takes every address', async () => {
    const kept = () =>
      bench.desk.read((tx) => query<{ address: string }>(tx, 'SELECT address FROM arrival_addresses').all());
    await bench.post(mail({ from: sales }), { to: sales });
    await bench.do((tx, ctx) => {
      eraseAuthor(tx, ctx, { site_id: bench.site.id, email: sales });
      return null;
    });
    expect(kept()).toEqual([]);
    await bench.post(mail(), { to: sales });
    await bench.do((tx) => {
      for (let at = 0; at < 1100; at += 1) noteArrivalAddress(tx, bench.site.id, `random${at}@shop.example`);
      return null;
    });
    expect(kept()).toHaveLength(1000);
    expect(kept().at(-1)).toEqual({ address: 'random1099@shop.example' });
  });
});

describe('mail to a ticket', () => {
  test('gives its author a name who had none, and changes no name that they have', async () => {
    const { ticketId } = await bench.post(mail({ from: 'ida@customer.example' }));
    await answer(ticketId, 'Ida Ek <ida@customer.example>');
    expect(bench.last(ticketId)).toMatchObject({ authorName: 'Ida Ek' });
    await answer(ticketId, 'Someone <ida@customer.example>');
    expect(bench.last(ticketId)).toMatchObject({ authorName: 'Ida Ek' });
  });

  test('of the author or a participant brings others in, with one line of history for each mail', async () => {
    const { ticketId } = await opened('Cc: bo@example.org');
    await answer(ticketId, 'mia@customer.example', 'Cc: bo@example.org, cy@example.org, di@example.org');
    await answer(ticketId, 'bo@example.org', 'Cc: mia@customer.example, ed@example.org');
    expect(on(ticketId)).toEqual(['bo@example.org', 'cy@example.org', 'di@example.org', 'ed@example.org']);
    expect(changes(ticketId).map(({ added }) => (added as unknown[]).length)).toEqual([2, 1]);
  });

  test('of a participant is theirs, and counts as the author’s does', async () => {
    const { ticketId } = await opened('Cc: bo@example.org');
    await bench.do((tx, ctx) => {
      tx.client.run("UPDATE tickets SET status = 'resolved', resolved_at = ?, last_customer_message_at = 1", [ctx.now]);
      return null;
    });
    const filed = await answer(ticketId, 'Bo Berg <bo@example.org>');
    expect(filed).toMatchObject({ outcome: 'reply_added', ticketId, isReopening: true });
    expect(bench.ticket(ticketId)).toMatchObject({ status: 'open', lastCustomerMessageAt: bench.clock.now() });
    expect(bench.last(ticketId)).toMatchObject({ authorName: 'Bo Berg', senderVerified: null });
    expect(roles(ticketId)).toEqual(['author', 'participant']);
    expect(all(ticketId)[0]?.person.name).toBe('Bo Berg');
  });

  test('of someone who is not on it is filed as unverified, and brings no one in', async () => {
    const { ticketId } = await opened('Cc: bo@example.org');
    const before = bench.ticket(ticketId).authorId;
    await answer(ticketId, 'eve@example.org', 'Cc: eve@example.org, mallory@example.org');
    expect(bench.last(ticketId)).toMatchObject({ senderVerified: false });
    expect(roles(ticketId)).toEqual(['author', 'other']);
    expect(on(ticketId)).toEqual(['bo@example.org']);
    expect(bench.ticket(ticketId).authorId).toBe(before);
  });

  test('matches by the reference in its subject, when a participant wrote it', async () => {
    const { ticketId } = await opened('Cc: bo@example.org');
    const subject = `Re: [#${ticketId}] The printer burns`;
    expect(await bench.post(mail({ from: 'bo@example.org', subject }))).toMatchObject({ ticketId });
    expect((await bench.post(mail({ from: 'eve@example.org', subject }))).ticketId).not.toBe(ticketId);
  });
});

test('mail that names a ticket by its number alone brings no one in, unless its sender is proven', async () => {
  await bench.do((tx, ctx) => {
    changeSite(tx, ctx, 'web-shop', { settings: { trusted_mail_servers: ['mx.here.example'] } }, null);
    return null;
  });
  const { ticketId } = await opened('Cc: bo@example.org');
  const subject = `Re: [#${ticketId}] The printer burns`;
  const said = (dmarc: string, ...headers: string[]) =>
    bench.post(mail({ subject, headers: [`Authentication-Results: mx.here.example; dmarc=${dmarc}`, ...headers] }));
  const guessed = await said('none', 'Cc: eve@example.org');
  expect([guessed.outcome, guessed.ticketId, on(ticketId)]).toEqual(['reply_added', ticketId, ['bo@example.org']]);
  await said('pass', 'Cc: di@example.org');
  await answer(ticketId, 'mia@customer.example', 'Cc: ed@example.org');
  expect(on(ticketId)).toEqual(['bo@example.org', 'di@example.org', 'ed@example.org']);
});

describe('inbound rules', () => {
  const add = (email: string, name: string | null = null) => ({ type: 'add_participant', value: { email, name } });

  test('add someone in their own name, whom they do not bring back or count as reachable again', async () => {
    const rule = await bench.rule({ name: 'Boss', actions: [add('boss@example.org', 'The boss')] });
    const { ticketId, matchedRules } = await opened('Cc: bo@example.org');
    expect(matchedRules).toEqual([{ id: rule, name: 'Boss' }]);
    expect(on(ticketId)).toEqual(['bo@example.org', 'boss@example.org']);
    expect(all(ticketId)[1]).toMatchObject({ addedBy: { type: 'rule', id: rule, name: 'Boss' } });
    expect(changes(ticketId)).toMatchObject([{ added: [{ email: 'boss@example.org', name: 'The boss' }] }]);
    expect((await bench.leave()).map(({ recipient }) => recipient)).toEqual(['mia@customer.example']);
    await bench.do((tx, ctx) => suppressAddress(tx, bench.site.id, 'boss@example.org', 'No such user', ctx.now));
    await remove(ticketId, 'boss@example.org');
    const row = await answer(ticketId, 'mia@customer.example');
    expect(JSON.stringify(row.trace)).toContain('not done, an agent removed them');
    expect(on(ticketId)).toEqual(['bo@example.org', '(boss@example.org)']);
    await answer(ticketId, 'mia@customer.example', 'Cc: boss@example.org');
    expect(all(ticketId)[1]).toMatchObject({ removedAt: null, pausedAt: expect.any(Number) });
  });

  test('meet those who take part once the mail is filed, also with the text of a stranger', async () => {
    await bench.rule({
      conditions: [{ field: 'participant', operator: 'ends_with', value: '@example.org' }],
      actions: [{ type: 'add_tags', value: ['partner'] }],
    });
    const { ticketId } = await opened('Cc: ada@elsewhere.example');
    expect(bench.ticket(ticketId).tags).toEqual([]);
    await answer(ticketId, 'eve@elsewhere.example', 'Cc: bo@example.org');
    expect(bench.ticket(ticketId).tags).toEqual([]);
    await answer(ticketId, 'mia@customer.example', 'Cc: bo@example.org');
    expect(bench.ticket(ticketId).tags).toEqual(['partner']);
    expect(bench.ticket((await opened('Cc: bo@example.org')).ticketId).tags).toEqual(['partner']);
  });

  test('never add the author, nor more than a ticket can have', async () => {
    await bench.rule({ actions: [add('mia@customer.example'), add('last@example.org')] });
    const cc = Array.from({ length: 30 }, (_, at) => `p${at}@example.org`).join(', ');
    const { ticketId, trace } = await opened(`Cc: ${cc}`);
    expect(on(ticketId)).toHaveLength(30);
    expect(JSON.stringify(trace)).toContain('not done, it is the address of the author');
    expect(JSON.stringify(trace)).toContain('not done, a ticket can have at most 30 participants');
  });
});

test('on a merged ticket, people are its author and participants by their address, not by their record', async () => {
  const vouched = (email: string) =>
    bench.do((tx, ctx) => {
      const context = { ...ctx, actor: { kind: 'application', siteId: bench.site.id } } as const;
      const opened = { email, subject: 'Too', message: 'It burns.', context: { user: { external_id: `u-${email}` } } };
      return openTicket(tx, context, bench.site, opened).ticket;
    });
  const { ticketId } = await opened();
  for (const email of ['mia@customer.example', 'bo@example.org', 'eve@example.org']) {
    const source = await vouched(email);
    await bench.do((tx, ctx) => mergeTickets(tx, ctx, source.id, ticketId ?? 0).target);
  }
  expect(roles(ticketId)).toEqual(['author', 'author', 'other', 'other']);
  await bench.do((tx, ctx) => addParticipant(tx, ctx, ticketId ?? 0, { email: 'bo@example.org' }).ticket);
  expect(roles(ticketId)).toEqual(['author', 'author', 'participant', 'other']);
  await remove(ticketId, 'bo@example.org');
  expect(roles(ticketId)).toEqual(['author', 'author', 'other', 'other']);
});

describe('someone who was removed', () => {
  test('comes back when a later mail of someone on the ticket names them', async () => {
    const { ticketId } = await opened('Cc: bo@example.org, cy@example.org');
    await remove(ticketId, 'bo@example.org');
    await answer(ticketId, 'mia@customer.example');
    await answer(ticketId, 'eve@example.org', 'Cc: bo@example.org');
    expect(on(ticketId)).toEqual(['(bo@example.org)', 'cy@example.org']);
    await answer(ticketId, 'cy@example.org', 'Cc: bo@example.org');
    expect(on(ticketId)).toEqual(['bo@example.org', 'cy@example.org']);
    expect(changes(ticketId).at(-1)).toMatchObject({ back: [{ email: 'bo@example.org', name: null }] });
  });

  test('does not come back by being its sender, or named in any other header', async () => {
    const { ticketId } = await opened('Cc: bo@example.org');
    await remove(ticketId, 'bo@example.org');
    await answer(
      ticketId,
      'bo@example.org',
      'Reply-To: bo@example.org',
      'Sender: bo@example.org',
      'Bcc: bo@example.org',
    );
    await answer(ticketId, 'mia@customer.example', 'Reply-To: bo@example.org', 'Resent-To: bo@example.org');
    expect(on(ticketId)).toEqual(['(bo@example.org)']);
    expect(changes(ticketId).filter(({ back }) => back !== undefined)).toEqual([]);
  });

  test('comes back with their own mail only if it names them, and brings no one else', async () => {
    const { ticketId } = await opened('Cc: bo@example.org');
    await remove(ticketId, 'bo@example.org');
    await answer(ticketId, 'bo@example.org', 'Cc: eve@example.org');
    expect(roles(ticketId)).toEqual(['author', 'other']);
    expect(on(ticketId)).toEqual(['(bo@example.org)']);
    await answer(ticketId, 'bo@example.org', 'Cc: bo@example.org, eve@example.org');
    expect(on(ticketId)).toEqual(['bo@example.org']);
    expect(roles(ticketId)).toEqual(['author', 'participant', 'participant']);
  });

  test('is proven by the mail with which they come back, if anything proves it', async () => {
    await bench.do((tx, ctx) =>
      changeSite(tx, ctx, String(bench.site.id), { settings: { trusted_mail_servers: ['mx.desk.example'] } }, null),
    );
    const proof = 'Authentication-Results: mx.desk.example; dmarc=pass header.from=example.org';
    const { ticketId } = await opened('Cc: bo@example.org');
    const written = async (...headers: string[]) => {
      await remove(ticketId, 'bo@example.org');
      await answer(ticketId, 'bo@example.org', ...headers);
      return bench.last(ticketId).senderVerified;
    };
    expect(await written('Cc: bo@example.org', proof)).toBe(true);
    expect(await written('Cc: bo@example.org')).toBeNull();
    expect(await written(proof)).toBe(false);
  });
});

describe('who becomes an agent of the site', () => {
  const becomesAgent = (email: string, sites: number[]) =>
    bench.do((tx, ctx) => addAgent(tx, ctx, { email, name: 'Bo Berg', sites }).id);
  const replied = async (id: number | null) => {
    await bench.do((tx, ctx) => replyAsAgent(tx, ctx, id ?? 0, { body: 'Try again.' }).message.id);
    return (await bench.leave()).filter(({ event }) => event === 'mail.agent_reply').map(({ envelope }) => envelope);
  };

  test('takes no part any more, and what they wrote before stays a participant’s', async () => {
    const { ticketId } = await opened('Cc: Bo <bo@example.org>, cy@example.org');
    await answer(ticketId, 'bo@example.org');
    const agentId = await becomesAgent('Bo@example.org', [bench.site.id]);
    expect(on(ticketId)).toEqual(['(bo@example.org)', 'cy@example.org']);
    expect(all(ticketId).map(({ absence }) => absence)).toEqual(['agent', null]);
    expect(roles(ticketId)).toEqual(['author', 'participant']);
    expect(await replied(ticketId)).toEqual([['mia@customer.example', 'cy@example.org']]);
    // Named again, they follow.
    await answer(ticketId, 'mia@customer.example', 'Cc: bo@example.org');
    expect(on(ticketId)).toEqual(['(bo@example.org)', 'cy@example.org']);
    expect(bench.desk.read((tx) => followersOf(tx, ticketId ?? 0)).map((one) => one.agentId)).toEqual([agentId]);
    await answer(ticketId, 'bo@example.org');
    expect(bench.last(ticketId)).toMatchObject({ isInternal: true });
    await bench.do((tx, ctx) => changeAgent(tx, ctx, agentId, { is_active: false }).id);
    expect(on(ticketId)).toEqual(['bo@example.org', 'cy@example.org']);
    expect(await replied(ticketId)).toEqual([['mia@customer.example', 'bo@example.org', 'cy@example.org']]);
  });

  test('as a viewer too, whose mail is a note', async () => {
    const { ticketId } = await opened('Cc: bo@example.org');
    await bench.do((tx, ctx) => addAgent(tx, ctx, { email: 'bo@example.org', name: 'Bo', role: 'viewer' }).id);
    expect(on(ticketId)).toEqual(['(bo@example.org)']);
    await answer(ticketId, 'bo@example.org');
    expect(bench.last(ticketId)).toMatchObject({ isInternal: true });
  });

  test('stays the author of their own tickets: gets the answers, and writes as a customer there', async () => {
    const { ticketId } = await opened('Cc: bo@example.org');
    const agentId = await becomesAgent('MIA@customer.example', [bench.site.id]);
    await bench.do((tx, ctx) => changeTicket(tx, ctx, ticketId ?? 0, { assigned_to: agentId }, null).id);
    expect(await replied(ticketId)).toEqual([['mia@customer.example', 'bo@example.org']]);
    await answer(ticketId, 'mia@customer.example', 'Cc: di@example.org');
    expect(bench.last(ticketId)).toMatchObject({ isInternal: false, agentName: null });
    expect(roles(ticketId)).toEqual(['author', null, 'author']);
    expect(on(ticketId)).toEqual(['bo@example.org', 'di@example.org']);
    // Their own words are no news to them, and those of others are.
    const news = () =>
      bench.desk.read((tx) =>
        query(tx, 'SELECT agent_id AS agentId FROM notifications WHERE kind = ?').all('customer_replied'),
      );
    expect(news()).toEqual([]);
    await answer(ticketId, 'bo@example.org');
    expect(news()).toEqual([{ agentId }]);
    // To the address of their notifications they answer as an agent.
    const { ticketId: other } = await bench.post(mail({ from: 'Mia <mia@customer.example>', subject: 'Another one' }));
    expect(bench.ticket(other)).toMatchObject({ status: 'open' });
    expect(roles(other)).toEqual(['author']);
  });

  test('stays one on tickets of sites that they do not see', async () => {
    const other = await bench.siteNamed('Other shop');
    const { ticketId } = await opened('Cc: bo@example.org');
    await becomesAgent('bo@example.org', [other.id]);
    expect(on(ticketId)).toEqual(['bo@example.org']);
    expect(await replied(ticketId)).toEqual([['mia@customer.example', 'bo@example.org']]);
  });
});
