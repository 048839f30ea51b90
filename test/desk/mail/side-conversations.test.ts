// Side conversations: to a supplier and back, and never to the customer.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import { eraseAuthor } from '../../../src/desk/customers/authors.ts';
import { addAgent } from '../../../src/desk/people/agents.ts';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import { mergeTickets } from '../../../src/desk/tickets/merge-tickets.ts';
import { replyAsAgent } from '../../../src/desk/tickets/replies.ts';
import {
  changeSideConversation,
  listSideConversations,
  startSideConversation,
  writeInSideConversation,
} from '../../../src/desk/tickets/side-conversations.ts';
import type { DeskError } from '../../../src/domain/errors.ts';
import { query } from '../../../src/engine/database.ts';
import { isSuppressed } from '../../../src/store/mail/suppressions.ts';
import { hour, type MailDesk, mail, mailDesk, minute } from './mail-desk.ts';

const supplier = { email: 'parts@supplier.example', name: 'Parts' };
let at: MailDesk;
let ticketId: number;

beforeEach(async () => {
  at = await mailDesk();
  ticketId = (await at.post(mail({ id: '<first@customer.example>', body: 'The hinge broke.' }))).ticketId ?? 0;
  await leave();
});
afterEach(() => at.close());

async function leave() {
  at.clock.advance(minute);
  return await Promise.all(
    (await at.leave()).map(async ({ event, recipient, raw }) => {
      const parsed = await simpleParser(raw);
      return {
        event,
        recipient,
        raw,
        parsed,
        replyTo: parsed.replyTo?.value[0]?.address ?? '',
        text: parsed.text ?? '',
      };
    }),
  );
}

const list = (id = ticketId) =>
  at.desk.read((tx) => listSideConversations(tx, at.desk.context({ kind: 'command_line' }, 'test'), id));

async function start(changes: Partial<Parameters<typeof startSideConversation>[3]> = {}) {
  const input = { to: [supplier], subject: 'Broken hinge', body: 'Do you have a spare one?', ...changes };
  const conversation = await at.do((tx, ctx) => startSideConversation(tx, ctx, ticketId, input));
  const sent = await leave();
  return { conversation, sent, address: sent[0]?.replyTo ?? '' };
}

const refusal = (act: Promise<unknown>) => act.then(() => null).catch((error: DeskError) => error.code);

test('a forward goes to the supplier alone, with what the agent chose to quote, and changes nothing else', async () => {
  const before = at.ticket(ticketId);
  const { conversation, sent } = await start({ quote: 'conversation' });
  expect(sent.map(({ event, recipient }) => [event, recipient])).toEqual([['mail.side_message', supplier.email]]);
  expect(sent[0]?.replyTo).toMatch(/^side\+[0-9a-z]+-[0-9a-f]{32}@desk\.example$/);
  expect(sent[0]?.text).toContain('Do you have a spare one?');
  expect(sent[0]?.text).toContain('The hinge broke.');
  expect(sent[0]?.parsed.subject).toBe('Broken hinge');
  // The customer did not choose this reader.
  expect(sent[0]?.raw).not.toMatch(/mia@customer|ticket\+|\/tickets\/|\/t\/|\[#/);
  expect(sent[0]?.parsed.headers.get('auto-submitted')).toBeUndefined();
  expect(conversation.messages[0]).toMatchObject({ body: 'Do you have a spare one?', agentName: 'Web shop' });
  const { version: _, ...after } = at.ticket(ticketId);
  const { version: __, ...same } = before;
  expect(after).toEqual(same);
  expect(at.messages(ticketId)).toHaveLength(1);
});

test('a quotation calls customers who gave no name by no address of theirs', async () => {
  const { ticketId: id } = await at.post(mail({ from: 'mia@nameless.example', body: 'It broke.' }));
  ticketId = id ?? 0;
  await at.post(
    mail({ from: 'eve@nameless.example', to: `ticket+${at.ticket(id).ulid}@desk.example`, body: 'Mine too.' }),
  );
  await leave();
  const { sent } = await start({ quote: 'conversation' });
  expect(sent[0]?.text).toMatch(/-- Customer, .*\n+It broke\.[\s\S]*-- Customer, .*\n+Mine too\./);
  expect(sent[0]?.raw).not.toContain('@nameless.example');
});

test('a quotation of an answer that quotes the desk’s mail has no way to the ticket', async () => {
  const { ulid } = at.ticket(ticketId);
  const quoted = `> Open your ticket: https://desk.example/t/${ulid}\n> or write to TICKET+${ulid.toLowerCase()}@desk.example`;
  await at.post(mail({ to: `ticket+${ulid}@desk.example`, body: `${quoted}\n\nI did that.\n\n> and more` }));
  const { sent } = await start({ quote: 'conversation' });
  const text = sent.find(({ event }) => event === 'mail.side_message')?.text;
  expect(text).toContain('I did that.');
  expect(text).toContain('https://desk.example/t/…');
  expect(text?.toUpperCase()).not.toContain(ulid);
});

describe('a bounce whose Message-ID a server replaced', () => {
  const isStopped = (email: string) => at.desk.read((tx) => isSuppressed(tx, at.site.id, email));
  const report = (to: string, head: readonly string[]) =>
    mail({
      from: 'MAILER-DAEMON@mx.example',
      headers: ['Content-Type: multipart/report; report-type=delivery-status; boundary=b'],
      body: [
        '--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n',
        `Final-Recipient: rfc822; ${to}\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 no such user\r\n`,
        `--b\r\nContent-Type: text/rfc822-headers\r\n\r\n${head.join('\r\n')}\r\n--b--`,
      ].join('\r\n'),
    });

  test('stops mail to whom it went, by the address at which answers come', async () => {
    const { sent } = await start();
    const { sent: other } = await start({ to: [{ email: 'paint@supplier.example', name: null }] });
    const headOf = (raw = '') =>
      (raw.split('\r\n\r\n', 1)[0] ?? '')
        .replace(/\r\n[ \t]+/g, ' ')
        .split('\r\n')
        .filter((line) => !/^x-helpdesk-mail:/i.test(line))
        .map((line) => line.replace(/^message-id:.*/i, 'Message-ID: <0102019a-0000@eu-west-1.mailer.example>'));
    const head = headOf(sent[0]?.raw);
    for (const forged of [
      head.map((line) => line.replace(/side\+[^@]+/g, 'side+1-00000000000000000000000000000000')),
      head.filter((line) => !/^x-helpdesk-desk:/i.test(line)),
      // Of another conversation.
      headOf(other[0]?.raw).map((line) => line.replace(/^to:.*/i, `To: ${supplier.email}`)),
    ])
      await at.post(report(supplier.email, forged), { from: '' });
    expect(isStopped(supplier.email)).toBe(false);
    expect(await at.post(report(supplier.email, head), { from: '' })).toMatchObject({ outcome: 'bounce_recorded' });
    expect([isStopped(supplier.email), isStopped('paint@supplier.example')]).toEqual([true, false]);
    await start();
    expect(list().at(-1)?.messages).toHaveLength(1);
    expect(await leave()).toEqual([]);
  });
});

describe('an answer', () => {
  const from = 'Parts <parts@supplier.example>';

  test.each([
    ['to its address', (address: string) => ({ to: address, headers: [] })],
    [
      'in its thread, by a program that ignores Reply-To',
      (_: string, id: string) => ({ to: 'support@desk.example', headers: [`In-Reply-To: ${id}`] }),
    ],
  ])('%s lands in it, tells the assignee, and moves no clock', async (_, how) => {
    const ann = await at.do((tx, ctx) => addAgent(tx, ctx, { email: 'ann@desk.example', name: 'Ann' }));
    await at.do((tx, ctx) => changeTicket(tx, ctx, ticketId, { assigned_to: ann.id, status: 'resolved' }, null));
    await leave();
    const { sent, address, conversation } = await start();
    await at.do((tx, ctx) => changeSideConversation(tx, ctx, ticketId, conversation.ulid, { is_closed: true }));
    const before = at.ticket(ticketId);
    const row = await at.post(mail({ from, body: 'Yes, two.', ...how(address, sent[0]?.parsed.messageId ?? '') }));
    expect(row).toMatchObject({ outcome: 'reply_added', ticketId: null });
    const [side] = list();
    expect(side?.closedAt).toBeNull();
    expect(side?.messages.at(-1)).toMatchObject({
      body: 'Yes, two.',
      senderEmail: supplier.email,
      senderVerified: null,
    });
    const { version: __, ...after } = at.ticket(ticketId);
    const { version: ___, ...same } = before;
    expect(after).toEqual(same);
    expect(at.messages(ticketId)).toHaveLength(1);
    const told = await leave();
    expect(told.map(({ event, recipient }) => [event, recipient])).toEqual([
      ['mail.side_answered', 'ann@desk.example'],
    ]);
    expect(told[0]?.text).toContain('> Yes, two.');
    // Even where answers by mail are replies, this one is not for the customer.
    expect(told[0]?.replyTo).not.toStartWith('agent+');
  });

  test.each([
    ['below the answer', 'Yes, two.\n\n> Do you have a spare one?', 'Yes, two.'],
    ['in several lines', 'They ask:\n\n> Do you have\n> a spare one?\n>\n> Web shop, Web shop', 'They ask:'],
    ['with what it forwarded', 'Yes:\n\n> The hinge\n> broke.\n> -- \n> Web shop', 'Yes:'],
    ['above the answer', '> Do you have a spare one?\n\nYes, two.', 'Yes, two.'],
    ['and nothing else', '> Do you have a spare one?', '> Do you have a spare one?'],
    ['between answers', 'Yes.\n\n> Do you have a spare one?\n\nTwo.', 'Yes.\n\n> Do you have a spare one?\n\nTwo.'],
    ['with other words', 'It says:\n\n> Do you have a spare two?', 'It says:\n\n> Do you have a spare two?'],
    ['in a single word', 'How many? I have\n\n> one', 'How many? I have\n\n> one'],
  ])('that quotes the desk without saying so, %s', async (_, body, filed) => {
    const { address } = await start({ quote: 'conversation' });
    await at.post(mail({ from, to: address, body: body.replaceAll('\n', '\r\n') }));
    expect(list()[0]?.messages.at(-1)?.body).toBe(filed);
  });

  test('to the supplier’s own answer stays with it too, and the thread holds together', async () => {
    const { conversation, sent, address } = await start();
    await at.post(mail({ from, to: address, id: '<s1@supplier.example>', body: 'Which colour?' }));
    await at.post(
      mail({
        from: 'Boss <boss@supplier.example>',
        to: 'support@desk.example',
        body: 'Blue.',
        headers: ['In-Reply-To: <s1@supplier.example>'],
      }),
    );
    expect(list()[0]?.messages.map(({ body, senderVerified }) => [body, senderVerified])).toEqual([
      ['Do you have a spare one?', null],
      ['Which colour?', null],
      ['Blue.', false],
    ]);
    await at.do((tx, ctx) => writeInSideConversation(tx, ctx, ticketId, conversation.ulid, { body: 'Blue, please.' }));
    const [again] = await leave();
    expect(again?.parsed.inReplyTo).toBe('<s1@supplier.example>');
    expect([again?.parsed.references].flat()).toEqual([sent[0]?.parsed.messageId, '<s1@supplier.example>']);
    expect(at.tickets()).toHaveLength(1);
  });

  test('keeps of a long name what a name can have', async () => {
    const { address } = await start();
    await at.post(mail({ from: `${'A'.repeat(300)} <${supplier.email}>`, to: address, body: 'Yes.' }));
    expect(list()[0]?.messages.at(-1)?.senderName).toBe('A'.repeat(255));
  });

  test('of the agent who is told of it is a note, from whatever address', async () => {
    const ann = await at.do((tx, ctx) => addAgent(tx, ctx, { email: 'ann@desk.example', name: 'Ann' }));
    await at.do((tx, ctx) => changeTicket(tx, ctx, ticketId, { assigned_to: ann.id }, null));
    await leave();
    const { address } = await start();
    await at.post(mail({ from, to: address, body: 'The part costs us two cents.' }));
    const [told] = (await leave()).filter(({ event }) => event === 'mail.side_answered');
    await at.post(
      mail({
        from: 'ann@home.example',
        to: told?.replyTo ?? '',
        body: 'Two cents!\n\nThe part costs us two cents.',
        headers: [`In-Reply-To: ${told?.parsed.messageId}`],
      }),
    );
    expect(at.last(ticketId)).toMatchObject({ isInternal: true });
    expect(at.last(ticketId).body).toStartWith('From ann@home.example, not proven:');
  });

  test('that is automatic, repeated, forged, or to a changed address is not in it', async () => {
    const { address } = await start();
    const post = async (written: Parameters<typeof mail>[0]) =>
      (await at.post(mail({ from, to: address, body: 'Hello', ...written }))).outcome;
    expect(await post({ headers: ['Auto-Submitted: auto-replied'] })).toBe('ignored_auto_reply');
    expect(await post({ id: '<same@supplier.example>' })).toBe('reply_added');
    expect(await post({ id: '<same@supplier.example>', subject: 'again' })).toBe('duplicate');
    const forged = 'Authentication-Results: mx.example; dmarc=fail header.from=supplier.example';
    expect(await post({ headers: [forged] })).toBe('held');
    expect(await post({ to: address.replace(/-./, address.includes('-0') ? '-1' : '-0') })).toBe('held');
    const blog = await at.siteNamed('Blog');
    expect((await at.post(mail({ from, to: address }), {}, blog)).outcome).toBe('held');
    expect(list()[0]?.messages).toHaveLength(2);
    expect(at.tickets()).toHaveLength(1);
  });

  test('of many strangers is held after ten an hour', async () => {
    const { address } = await start();
    const outcomes = [];
    for (let n = 0; n < 11; n += 1)
      outcomes.push((await at.post(mail({ from: `s${n}@stranger.example`, to: address, body: `${n}` }))).outcome);
    expect(outcomes.at(-2)).toBe('reply_added');
    expect(outcomes.at(-1)).toBe('held');
  });
});

describe('a customer’s mail that also refers to it', () => {
  interface Known {
    /** The mail to the supplier, and the newest one to the customer. */
    aside: string;
    reply: string;
    address: string;
    /** Of the ticket, and of another one. */
    own: string;
    other: string;
  }

  const support = 'support@desk.example';
  const refer = (answered: string, ...references: string[]) => [
    `In-Reply-To: ${answered}`,
    `References: ${references.join(' ')}`,
  ];

  async function post(how: (known: Known) => Parameters<typeof mail>[0]) {
    const { sent, address } = await start();
    await at.do((tx, ctx) => replyAsAgent(tx, ctx, ticketId, { body: 'We ask for one.' }));
    const [reply] = await leave();
    const other = await at.post(mail({ from: 'Nia <nia@customer.example>' }));
    const plus = (id: number | null) => `ticket+${at.ticket(id).ulid}@desk.example`;
    const known = {
      aside: sent[0]?.parsed.messageId ?? '',
      reply: reply?.parsed.messageId ?? '',
      address,
      own: plus(ticketId),
      other: plus(other.ticketId),
    };
    const row = await at.post(mail({ body: 'Any news?', ...how(known) }));
    expect(row.outcome).toBe('reply_added');
    const isAside = list()[0]?.messages.at(-1)?.body === 'Any news?';
    return isAside
      ? 'aside'
      : at.last(row.ticketId).body === 'Any news?' && row.ticketId === ticketId
        ? 'own'
        : 'other';
  }

  test.each<[string, string, (known: Known) => Parameters<typeof mail>[0]]>([
    ['to the ticket’s address', 'own', ({ aside, own }) => ({ to: own, headers: refer(aside, aside) })],
    [
      'to the ticket’s address in Cc',
      'own',
      ({ aside, own }) => ({ to: 'boss@customer.example', headers: [`Cc: ${own}`, ...refer(aside, aside)] }),
    ],
    [
      'to the address of another ticket',
      'other',
      ({ aside, other }) => ({ from: 'nia@customer.example', to: other, headers: refer(aside, aside) }),
    ],
    ['and answers the desk', 'own', ({ aside, reply }) => ({ to: support, headers: refer(reply, reply, aside) })],
    [
      'and names the desk’s mail last',
      'own',
      ({ aside, reply }) => ({ to: support, headers: [`References: ${aside} ${reply}`] }),
    ],
    ['and names it last', 'aside', ({ aside, reply }) => ({ to: support, headers: [`References: ${reply} ${aside}`] })],
    [
      'and nothing else',
      'aside',
      ({ aside }) => ({ to: support, subject: `[#${ticketId}]`, headers: refer(aside, aside) }),
    ],
    [
      'to its own address too',
      'aside',
      ({ aside, address, own }) => ({ to: `${own}, ${address}`, headers: refer(aside, aside) }),
    ],
  ])('%s: %s', async (_, where, how) => {
    expect(await post(how)).toBe(where);
  });
});

test('it is never started with the customer, someone on the ticket, or the desk itself', async () => {
  for (const email of [
    'mia@customer.example',
    'support@desk.example',
    `ticket+${at.ticket(ticketId).ulid}@desk.example`,
  ])
    expect(await refusal(start({ to: [{ email, name: null }] }))).toBe('invalid');
  expect(await refusal(start({ quote: '01J8ZQ4T5M7N8P9Q0R1S2T3V4W' }))).toBe('invalid');
  expect(await refusal(start({ attachment_ids: [99] }))).toBe('invalid');
  expect(list()).toEqual([]);
});

test('it goes with a merge, and an erased person is gone from it', async () => {
  const { address } = await start({ body: 'Ask parts@supplier.example.' });
  await at.post(mail({ from: 'Parts <parts@supplier.example>', to: address, body: 'Yes.' }));
  await at.post(
    mail({ from: 'Parts <parts@supplier.example>', to: 'support@desk.example', body: 'A question of mine.' }),
  );
  const target = (await at.post(mail({ from: 'Zed <zed@customer.example>' }))).ticketId ?? 0;
  await at.do((tx, ctx) => mergeTickets(tx, ctx, ticketId, target));
  expect(list(target)[0]?.messages).toHaveLength(2);
  await at.do((tx, ctx) => eraseAuthor(tx, ctx, { site_id: at.site.id, email: supplier.email }));
  const kept = JSON.stringify(
    at.desk.read((tx) => [
      query(tx, 'SELECT * FROM side_conversations').all(),
      query(tx, 'SELECT * FROM side_messages').all(),
      query(tx, "SELECT * FROM deliveries WHERE event = 'mail.side_message'").all(),
    ]),
  );
  expect(kept).not.toContain('supplier.example');
});

test('nothing of it is in any mail or webhook that leaves for someone else', async () => {
  const secret = 'XYZZY';
  const step = fc.constantFrom('start', 'answer', 'write', 'reply', 'customer', 'resolve', 'close');
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (steps) => {
      // Ten tickets an hour are as many as one person can open.
      at.clock.advance(hour);
      const opened = (await at.post(mail({ body: 'Hello' }))).ticketId ?? 0;
      let address = '';
      for (const [n, what] of steps.entries()) {
        const words = `${secret} ${n}`;
        const [side] = list(opened);
        const to = `ticket+${at.ticket(opened).ulid}@desk.example`;
        if (what === 'start')
          await at.do((tx, ctx) =>
            startSideConversation(tx, ctx, opened, {
              to: [supplier],
              subject: words,
              body: words,
              quote: 'conversation',
            }),
          );
        else if (what === 'answer' && address !== '')
          await at.post(mail({ from: supplier.email, to: address, body: words }));
        else if (what === 'write' && side?.closedAt === null)
          await at.do((tx, ctx) => writeInSideConversation(tx, ctx, opened, side.ulid, { body: words }));
        else if (what === 'close' && side)
          await at.do((tx, ctx) => changeSideConversation(tx, ctx, opened, side.ulid, { is_closed: true }));
        else if (what === 'reply') await at.do((tx, ctx) => replyAsAgent(tx, ctx, opened, { body: 'We are on it.' }));
        else if (what === 'customer') await at.post(mail({ to, body: `More ${n}` }));
        else if (what === 'resolve')
          await at.do((tx, ctx) =>
            changeTicket(tx, ctx, opened, { status: at.ticket(opened).status === 'open' ? 'resolved' : 'open' }, null),
          );
        for (const { event, recipient, raw, parsed, replyTo } of await leave()) {
          if (event === 'mail.side_message') {
            expect(recipient).toBe(supplier.email);
            address = replyTo;
          } else expect(raw + parsed.text + parsed.html).not.toContain(secret);
        }
      }
      expect(JSON.stringify([at.messages(opened), at.events(opened)])).not.toContain(secret);
    }),
    { numRuns: 12 },
  );
}, 30_000);
