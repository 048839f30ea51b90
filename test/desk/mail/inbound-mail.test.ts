// Mail that arrives, in the order of docs/spec/behaviour.md#inbound-mail: each outcome, its effect on tickets, and what
// it never does.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { addAgent } from '../../../src/desk/people/agents.ts';
import { inboundRules } from '../../../src/desk/rules/rules.ts';
import { categories } from '../../../src/desk/sites/catalogue/categories.ts';
import { priorities } from '../../../src/desk/sites/catalogue/priorities.ts';
import { changeSite } from '../../../src/desk/sites/sites.ts';
import { maxAttachmentsPerTicket } from '../../../src/desk/tickets/attachments.ts';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import { mergeTickets } from '../../../src/desk/tickets/merge-tickets.ts';
import { replyAsAgent } from '../../../src/desk/tickets/replies.ts';
import { DeskError } from '../../../src/domain/errors.ts';
import { ruleChangeInput } from '../../../src/domain/input/channels.ts';
import { settingsInput } from '../../../src/domain/input/sites.ts';
import type { TicketStatus } from '../../../src/domain/tickets/ticket.ts';
import { query } from '../../../src/engine/database.ts';
import { authorById } from '../../../src/store/customers/authors.ts';
import { insertInboundMail } from '../../../src/store/mail/inbound.ts';
import { isSuppressed, suppressAddress } from '../../../src/store/mail/suppressions.ts';
import { attachmentsOfTicket, insertAttachment } from '../../../src/store/tickets/messages.ts';
import { hour, type Leaving, type MailDesk, mail, mailDesk, minute } from './mail-desk.ts';

let bench: MailDesk;
beforeAll(async () => {
  bench = await mailDesk();
});
afterAll(() => bench.close());

let people = 0;
/** An address that has not been used before. */
function someone(): string {
  people += 1;
  return `someone${people}@customer.example`;
}

async function opened(from = someone()): Promise<{ from: string; ticketId: number; id: string; plus: string }> {
  const id = `<first-${from}>`;
  const row = await bench.post(mail({ from, id }));
  const ticketId = row.ticketId ?? 0;
  return { from, ticketId, id, plus: `ticket+${bench.ticket(ticketId).ulid.toLowerCase()}@desk.example` };
}

async function answered(ticketId: number): Promise<{ messageId: string; replyId: number }> {
  await bench.leave();
  const said = await bench.do((tx, ctx) => replyAsAgent(tx, ctx, ticketId, { body: 'Have you tried water?' }));
  const [reply] = await bench.leave();
  return { messageId: reply?.messageId ?? '', replyId: said.message.id };
}

const setStatus = (ticketId: number, status: TicketStatus) =>
  bench.do((tx, ctx) => {
    changeTicket(tx, ctx, ticketId, { status }, null);
    return null;
  });

const bounceOf = (recipient: string, messageId: string, action = 'failed') =>
  reportOf(recipient, [`Message-ID: ${messageId}`, 'Subject: x'], { action });

/** A delivery report, with the headers of the mail that came back. */
const reportOf = (
  recipient: string,
  returned: readonly string[],
  { action = 'failed', from = 'MAILER-DAEMON@mx.example', type = 'message/rfc822' } = {},
) =>
  mail({
    from,
    subject: 'Undelivered Mail Returned to Sender',
    headers: ['Content-Type: multipart/report; report-type=delivery-status; boundary=b'],
    body: [
      '--b',
      '',
      'It did not arrive.',
      '--b',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx.example',
      '',
      `Final-Recipient: rfc822; ${recipient}`,
      `Action: ${action}`,
      'Status: 5.1.1',
      'Diagnostic-Code: smtp; 550 no such user',
      '--b',
      `Content-Type: ${type}`,
      '',
      ...returned,
      '',
      'x',
      '--b--',
    ].join('\r\n'),
  });

describe('a duplicate', () => {
  test('has the same Message-ID, recipient and content, and names the first one', async () => {
    const raw = mail({ from: someone() });
    const first = await bench.post(raw);
    const again = await bench.post(`Received: from elsewhere\r\n${raw}`);
    expect(first.outcome).toBe('ticket_created');
    expect(again).toMatchObject({ outcome: 'duplicate', ticketId: first.ticketId });
    expect(again.reason).toContain(`#${first.id}`);
    expect(bench.messages(first.ticketId)).toHaveLength(1);
  });

  test('is the copy for another address of the desk that the mail names, on a ticket and of a new one', async () => {
    const from = someone();
    const first = mail({ from, to: 'support@desk.example', headers: ['Cc: Sales <SALES@desk.example>'] });
    const { ticketId } = await bench.post(first, { to: 'sales@desk.example' });
    expect(await bench.post(first, { to: 'support@desk.example' })).toMatchObject({ outcome: 'duplicate', ticketId });
    const address = `ticket+${bench.ticket(ticketId).ulid}@desk.example`;
    const reply = mail({ from, to: address, headers: ['Cc: support@desk.example'], body: 'Still.' });
    expect((await bench.post(reply, { to: 'support@desk.example' })).outcome).toBe('reply_added');
    expect((await bench.post(reply, { to: address.toLowerCase() })).outcome).toBe('duplicate');
    expect(bench.messages(ticketId)).toHaveLength(2);
  });

  test('is not mail with a used Message-ID but other content, recipient or site', async () => {
    const from = someone();
    const id = '<reused@customer.example>';
    const other = await bench.siteNamed('Duplicates');
    const rows = [
      await bench.post(mail({ from, id, body: 'One' })),
      await bench.post(mail({ from, id, body: 'Two' })),
      await bench.post(mail({ from, id, body: 'One', to: 'sales@desk.example' })),
      await bench.post(mail({ from, id, body: 'One' }), {}, other),
    ];
    expect(rows.map(({ outcome }) => outcome)).toEqual(Array(4).fill('ticket_created'));
  });

  test('is not repeated mail without a Message-ID', async () => {
    const raw = mail({ from: someone(), id: null });
    expect([(await bench.post(raw)).outcome, (await bench.post(raw)).outcome]).not.toContain('duplicate');
  });
});

describe('mail of our own', () => {
  test('is ignored by its header and by its Message-ID', async () => {
    const { ticketId } = await opened();
    await bench.leave();
    await bench.do((tx, ctx) => replyAsAgent(tx, ctx, ticketId, { body: 'Water.' }));
    const [reply] = await bench.leave();
    const before = bench.tickets().length;
    expect((await bench.post(reply?.raw ?? '')).outcome).toBe('ignored_auto_reply');
    expect((await bench.post(mail({ from: someone(), id: reply?.messageId ?? '' }))).outcome).toBe(
      'ignored_auto_reply',
    );
    expect(bench.tickets()).toHaveLength(before);
    expect(bench.messages(ticketId)).toHaveLength(2);
  });
});

describe('a bounce', () => {
  test('marks the message that bounced and stops mail to the address until the address writes', async () => {
    const { from, ticketId } = await opened();
    const { messageId, replyId } = await answered(ticketId);
    const row = await bench.post(bounceOf(from, messageId), { from: '' });
    expect(row).toMatchObject({ outcome: 'bounce_recorded', ticketId });
    expect(bench.messages(ticketId)).toHaveLength(2);
    expect(bench.messages(ticketId).find(({ id }) => id === replyId)?.delivery).toMatchObject({
      status: 'bounced',
      error: expect.stringContaining('no such user'),
    });
    const isStopped = () => bench.desk.read((tx) => isSuppressed(tx, bench.site.id, from));
    expect(isStopped()).toBe(true);
    await bench.do((tx, ctx) => replyAsAgent(tx, ctx, ticketId, { body: 'Hello?' }));
    expect(await bench.leave()).toEqual([]);
    expect(bench.last(ticketId).delivery).toMatchObject({ status: 'bounced' });
    await bench.post(mail({ from, headers: [`In-Reply-To: ${messageId}`] }));
    expect(isStopped()).toBe(false);
  });

  test('for mail that we did not send, or for another site stops no mail', async () => {
    const { from, ticketId } = await opened();
    const { messageId, replyId } = await answered(ticketId);
    const other = await bench.siteNamed('Bounces');
    await bench.post(bounceOf(from, '<invented@desk.example>'), { from: '' });
    await bench.post(bounceOf(from, messageId), { from: '' }, other);
    for (const site of [bench.site, other])
      expect(bench.desk.read((tx) => isSuppressed(tx, site.id, from))).toBe(false);
    expect(bench.messages(ticketId).find(({ id }) => id === replyId)?.delivery).toMatchObject({ status: 'sent' });
  });

  test('that only reports a delay stops no mail', async () => {
    const { from, ticketId } = await opened();
    const { messageId } = await answered(ticketId);
    expect((await bench.post(bounceOf(from, messageId, 'delayed'), { from: '' })).outcome).toBe('bounce_recorded');
    expect(bench.desk.read((tx) => isSuppressed(tx, bench.site.id, from))).toBe(false);
  });
});

describe('a bounce of a mail', () => {
  /** The headers of the newest reply as they come back, with a Message-ID of the server that sent it. */
  async function returned(ticketId: number, without = /^x-helpdesk-mail:/i) {
    await bench.leave();
    const said = await bench.do((tx, ctx) => replyAsAgent(tx, ctx, ticketId, { body: 'And now?' }));
    const [sent] = await bench.leave();
    return {
      messageId: sent?.messageId ?? '',
      replyId: said.message.id,
      head: headOf(sent).filter((line) => !without.test(line)),
    };
  }
  const headOf = (sent: Leaving | undefined) =>
    (sent?.raw ?? '')
      .split('\r\n\r\n', 1)[0]!
      .replace(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
      .map((line) => line.replace(/^message-id:.*/i, 'Message-ID: <0102019a-0000@eu-west-1.mailer.example>'));
  const deliveryOf = (ticketId: number, replyId: number) =>
    bench.messages(ticketId).find(({ id }) => id === replyId)?.delivery;
  const isStopped = (address: string) => bench.desk.read((tx) => isSuppressed(tx, bench.site.id, address));
  const bounced = { status: 'bounced', error: '5.1.1 550 no such user' };

  test.each([
    ['with its headers', 'text/rfc822-headers', /^x-helpdesk-mail:/i],
    ['with all of it', 'message/rfc822', /^x-helpdesk-mail:/i],
    ['without its thread', 'text/rfc822-headers', /^(x-helpdesk-mail|in-reply-to|references):/i],
    ['without its date', 'text/rfc822-headers', /^(x-helpdesk-mail|date):/i],
    ['to a mailbox, which names no ticket', 'text/rfc822-headers', /^(x-helpdesk-mail|reply-to):/i],
    ['without anything but its name', 'text/rfc822-headers', /^(?!x-helpdesk-)/i],
  ])('whose Message-ID a server replaced counts: %s', async (_what, type, without) => {
    const { from, ticketId } = await opened();
    const { replyId, head } = await returned(ticketId, without);
    const row = await bench.post(reportOf(from.toUpperCase(), head, { type }), { from: '' });
    expect(row).toMatchObject({ outcome: 'bounce_recorded', ticketId });
    expect(deliveryOf(ticketId, replyId)).toMatchObject(bounced);
    expect(isStopped(from)).toBe(true);
  });

  test('of a mail that a rule forwarded counts, though a server replaced its Message-ID', async () => {
    await bench.rule({
      conditions: [{ field: 'subject', operator: 'equals', value: 'On' }],
      actions: [{ type: 'forward', value: 'gone@elsewhere.example' }],
    });
    await bench.leave();
    await bench.post(mail({ from: someone(), subject: 'On' }));
    const sent = (await bench.leave()).find(({ event }) => event === 'mail.forward');
    const lines = headOf(sent);
    const forged = lines.map((line) =>
      line.replace(/^x-helpdesk-mail: <.{26}/i, `X-Helpdesk-Mail: <${'0'.repeat(26)}`),
    );
    await bench.post(reportOf('gone@elsewhere.example', forged), { from: '' });
    expect(isStopped('gone@elsewhere.example')).toBe(false);
    await bench.post(reportOf('gone@elsewhere.example', lines), { from: '' });
    expect(isStopped('gone@elsewhere.example')).toBe(true);
  });

  test('whose Message-ID a server replaced is the one of its date, not the newest', async () => {
    const { from, ticketId } = await opened();
    const first = await returned(ticketId);
    bench.clock.advance(minute);
    const second = await returned(ticketId);
    await bench.post(reportOf(from, first.head), { from: '' });
    expect(deliveryOf(ticketId, first.replyId)).toMatchObject(bounced);
    expect(deliveryOf(ticketId, second.replyId)).toMatchObject({ status: 'sent' });
  });

  test('whose Message-ID a server replaced, in the words of a server without reports', async () => {
    const { from, ticketId } = await opened();
    const { replyId, head } = await returned(ticketId);
    const body = `I could not deliver it.\r\n\r\n<${from}>:\r\n550 no such user\r\n\r\n--- Below is a copy.\r\n\r\n${head.join('\r\n')}\r\n\r\nAnd now?`;
    await bench.post(mail({ from: 'MAILER-DAEMON@mx.example', subject: 'failure notice', body }), { from: '' });
    expect(deliveryOf(ticketId, replyId)).toMatchObject({ status: 'bounced' });
  });

  test('to one address is about that one, also when its mailbox forwards to another', async () => {
    for (const hasItsId of [true, false]) {
      const { from, ticketId } = await opened();
      const { messageId, replyId, head } = await returned(ticketId);
      const elsewhere = `gone${people}@elsewhere.example`;
      await bench.post(reportOf(elsewhere, hasItsId ? [`Message-ID: ${messageId}`] : head), { from: '' });
      expect(deliveryOf(ticketId, replyId)).toMatchObject(bounced);
      expect([isStopped(from), isStopped(elsewhere)]).toEqual([true, false]);
    }
  });

  test('counts only if the mail that came back names this desk and one of its threads, and went to that address', async () => {
    const { from, ticketId } = await opened();
    const { from: victim } = await opened();
    const { replyId, head } = await returned(ticketId);
    const changed = (change: (line: string) => string) => head.map(change);
    const forged = [
      head.filter((line) => !/^x-helpdesk-desk:/i.test(line)),
      changed((line) => (/^x-helpdesk-desk:/i.test(line) ? 'X-Helpdesk-Desk: another' : line)),
      // The number of a ticket can be guessed.
      head.filter((line) => !/^(reply-to|in-reply-to|references):/i.test(line)),
      // What the text of a mail quotes is not of its headers.
      ['From: mia@customer.example', '', ...head],
    ];
    for (const one of forged) await bench.post(reportOf(from, one), { from: '' });
    // To whom it did not go, in the report and in the headers.
    const toVictim = changed((line) => (/^to:/i.test(line) ? `To: ${victim}` : line));
    await bench.post(reportOf(victim, toVictim), { from: '' });
    await bench.post(reportOf(from, head), { from: '' }, await bench.siteNamed('Forged bounces'));
    expect(deliveryOf(ticketId, replyId)).toMatchObject({ status: 'sent' });
    expect([isStopped(from), isStopped(victim)]).toEqual([false, false]);
    // The same without a change.
    await bench.post(reportOf(from, head), { from: '' });
    expect(isStopped(from)).toBe(true);
  });

  test('counts also when a server that forwarded it put its own return path in place of the empty one', async () => {
    const { from, ticketId } = await opened();
    const { messageId, replyId } = await answered(ticketId);
    const report = reportOf(from, [`Message-ID: ${messageId}`], { from: 'exchange329e71ec@outlook.example' });
    const path = 'SRS0=abcd=XY=mx.example=postmaster@forwarder.example';
    expect(await bench.post(report, { from: path })).toMatchObject({ outcome: 'bounce_recorded', ticketId });
    expect(deliveryOf(ticketId, replyId)).toMatchObject(bounced);
  });

  test.each(['delivered', 'relayed', 'expanded', 'delayed'])('that was %s stops no mail', async (action) => {
    const { from, ticketId } = await opened();
    const { replyId, head } = await returned(ticketId);
    const row = await bench.post(reportOf(from, head, { action }), { from: 'list@forwarder.example' });
    expect(row.outcome).toBe('bounce_recorded');
    expect(deliveryOf(ticketId, replyId)).toMatchObject({ status: 'sent' });
    expect(isStopped(from)).toBe(false);
  });
});

describe('an automatic answer', () => {
  test.each([
    'Auto-Submitted: auto-replied',
    'X-Autoreply: yes',
    'Precedence: bulk',
    'Precedence: junk',
    'X-Auto-Response-Suppress: All',
  ])('by %s opens nothing', async (header) => {
    const before = bench.tickets().length;
    await bench.leave();
    const row = await bench.post(mail({ from: someone(), headers: [header] }));
    expect(row).toMatchObject({ outcome: 'ignored_auto_reply', ticketId: null });
    expect(bench.tickets()).toHaveLength(before);
    expect(await bench.leave()).toEqual([]);
  });

  test('is no mail whose subject alone sounds like one: it opens a ticket, without an acknowledgement', async () => {
    const from = someone();
    const id = '<car@customer.example>';
    await bench.leave();
    const row = await bench.post(mail({ from, id, subject: 'Auto: Kratzer an der Tür' }));
    expect(row.outcome).toBe('ticket_created');
    expect(await bench.leave()).toEqual([]);
    // More by the same person, who answers their own mail.
    const more = await bench.post(
      mail({ from, subject: 'Re: Auto: Kratzer an der Tür', headers: [`In-Reply-To: ${id}`] }),
    );
    expect(more).toMatchObject({ outcome: 'reply_added', ticketId: row.ticketId });
    const [, answer] = bench.messages(row.ticketId);
    expect(answer).toMatchObject({ isInternal: false });
  });

  test('on a known thread is a note, and reopens nothing', async () => {
    const { from, ticketId, plus } = await opened();
    await setStatus(ticketId, 'resolved');
    await bench.leave();
    const row = await bench.post(
      mail({ from, to: plus, subject: 'Out of office: Re: The printer', body: 'I am away.' }),
    );
    expect(row).toMatchObject({ outcome: 'ignored_auto_reply', ticketId });
    expect(bench.ticket(ticketId).status).toBe('resolved');
    expect(bench.last(ticketId)).toMatchObject({ isInternal: true, isAutomated: true });
    expect(bench.last(ticketId).body).toContain('I am away.');
    expect(await bench.leave()).toEqual([]);
  });
});

test('an answer is folded below the name of its site, whatever words that has', async () => {
  const site = await bench.siteNamed('Service client de la boutique');
  const quoted = 'Le ven. 27 nov. 2026 à 10:05, Service client de la boutique <help@desk.example> a écrit :';
  const body = `Merci, cela marche.\r\n\r\n${quoted}\r\n\r\nBonjour,\r\nKim`;
  const { ticketId } = await bench.post(mail({ from: someone(), body }), {}, site);
  expect(bench.last(ticketId).body).toBe('Merci, cela marche.');
  const elsewhere = await bench.post(mail({ from: someone(), body }));
  expect(bench.last(elsewhere.ticketId).body).toContain(quoted);
});

test('mail from a forged sender is held, also on a known ticket', async () => {
  const { from, ticketId, plus } = await opened();
  const headers = [
    'Authentication-Results: mx.desk.example; dmarc=fail header.from=customer.example; spf=fail; dkim=fail',
  ];
  const row = await bench.post(mail({ from, to: plus, headers }));
  expect(row).toMatchObject({ outcome: 'held', ticketId: null });
  expect(bench.messages(ticketId)).toHaveLength(1);
});

test('raw mail proves its sender only through a server that the site trusts', async () => {
  const own = await mailDesk();
  const verified = async (server: string) => {
    const headers = [`Authentication-Results: ${server}; dmarc=pass header.from=customer.example`];
    const row = await own.post(mail({ from: someone(), headers }));
    return own.last(row.ticketId).senderVerified;
  };
  expect(await verified('mx.mine.example')).toBeNull();
  await own.do((tx, ctx) => {
    const settings = settingsInput.parse({ trusted_mail_servers: ['MX.mine.example'] });
    changeSite(tx, ctx, 'web-shop', { settings }, null);
    return null;
  });
  expect(await verified('mx.mine.example')).toBe(true);
  expect(await verified('mx.other.example')).toBeNull();
  await own.close();
});

test('mail without a sender fails and is stored', async () => {
  const row = await bench.post('Subject: Hello\r\n\r\nWho am I?');
  expect(row).toMatchObject({ outcome: 'failed', status: 'done' });
  expect(await bench.mailBlobs.size(row.ulid)).toBe(row.size);
});

test('mail that cannot be filed is failed, and the inbound log names its sender', async () => {
  const row = await bench.post(mail({ from: 'anonymised-1@anonymised.invalid', subject: 'From no one' }));
  expect(row).toMatchObject({ outcome: 'failed', subject: 'From no one', sender: 'anonymised-1@anonymised.invalid' });
});

describe('a reply finds its ticket', () => {
  test.each([
    ['To', ({ plus }: { plus: string }) => ({ to: `"Desk" <${plus}>` })],
    ['Cc', ({ plus }: { plus: string }) => ({ headers: [`Cc: ${plus}`] })],
    ['Delivered-To', ({ plus }: { plus: string }) => ({ headers: [`Delivered-To: ${plus}`] })],
    ['X-Original-To', ({ plus }: { plus: string }) => ({ headers: [`X-Original-To: ${plus}`] })],
    ['a To in capitals', ({ plus }: { plus: string }) => ({ to: plus.toUpperCase() })],
  ])('by the address in %s', async (_name, headers) => {
    const ticket = await opened();
    const row = await bench.post(mail({ from: ticket.from, subject: 'Something else', ...headers(ticket) }));
    expect(row).toMatchObject({ outcome: 'reply_added', ticketId: ticket.ticketId });
  });

  test('by the address in the envelope', async () => {
    const { from, ticketId, plus } = await opened();
    expect((await bench.post(mail({ from }), { from, to: plus })).ticketId).toBe(ticketId);
  });

  test('by In-Reply-To and References, to our mail and to theirs', async () => {
    const { from, ticketId, id } = await opened();
    const { messageId } = await answered(ticketId);
    for (const known of [messageId, id]) {
      for (const header of [`In-Reply-To: ${known}`, `References: <unknown@x.example> ${known} <other@x.example>`]) {
        const row = await bench.post(mail({ from, headers: [header] }));
        expect(row, header).toMatchObject({ outcome: 'reply_added', ticketId });
      }
    }
  });

  test('by [#41] only from the author or someone who wrote on the ticket', async () => {
    const { from, ticketId, plus } = await opened();
    const colleague = someone();
    const subject = `AW: [#${ticketId}] The printer`;
    expect((await bench.post(mail({ from: colleague, subject }))).ticketId).not.toBe(ticketId);
    expect((await bench.post(mail({ from, subject }))).ticketId).toBe(ticketId);
    await bench.post(mail({ from: colleague, to: plus }));
    expect((await bench.post(mail({ from: colleague, subject }))).ticketId).toBe(ticketId);
  });

  test('never on another site', async () => {
    const { from, ticketId, plus, id } = await opened();
    const other = await bench.siteNamed('Others');
    const subject = `Re: [#${ticketId}] The printer`;
    for (const more of [{ to: plus }, { headers: [`In-Reply-To: ${id}`] }, { subject }]) {
      const row = await bench.post(mail({ from, ...more }), {}, other);
      expect(row.outcome).toBe('ticket_created');
      expect(bench.ticket(row.ticketId).siteId).toBe(other.id);
    }
  });

  test('that its own ticket was merged into', async () => {
    const source = await opened();
    const target = await opened();
    await bench.do((tx, ctx) => {
      mergeTickets(tx, ctx, source.ticketId, target.ticketId);
      return null;
    });
    for (const more of [{ to: source.plus }, { headers: [`In-Reply-To: ${source.id}`] }])
      expect((await bench.post(mail({ from: source.from, ...more }))).ticketId).toBe(target.ticketId);
    expect(bench.ticket(target.ticketId).messageCount).toBe(4);
  });

  test('from a colleague in Cc, by name and unverified', async () => {
    const { ticketId, plus } = await opened();
    const from = someone();
    const row = await bench.post(mail({ from: `Bo Colleague <${from}>`, to: plus }));
    expect(row).toMatchObject({ outcome: 'reply_added', ticketId });
    expect(bench.last(ticketId)).toMatchObject({ authorName: 'Bo Colleague', senderVerified: false, isAgent: false });
    const { authorId } = bench.ticket(ticketId);
    const author = bench.desk.read((tx) => authorById(tx, authorId) ?? null);
    expect(author?.email).not.toBe(from);
  });

  test('from an agent, as a note of the team', async () => {
    const { ticketId, plus } = await opened();
    const email = someone();
    await bench.do((tx, ctx) => addAgent(tx, ctx, { email, name: 'Kim', role: 'member' }));
    const row = await bench.post(mail({ from: email, to: plus, body: 'Call them.' }));
    expect(row).toMatchObject({ outcome: 'reply_added', ticketId });
    expect(bench.last(ticketId)).toMatchObject({ isInternal: true });
    // An address alone does not prove who wrote.
    expect(bench.last(ticketId).body).toBe(`From ${email}, not proven:\n\nCall them.`);
    const rule = await bench.rule({ actions: [{ type: 'add_tags', value: ['from-agent'] }] });
    const file =
      '--b\r\n\r\nSee it.\r\n--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=log.txt\r\n\r\na log\r\n--b--';
    await bench.post(
      mail({ from: email, to: plus, headers: ['Content-Type: multipart/mixed; boundary=b'], body: file }),
    );
    expect(bench.ticket(ticketId).tags).toEqual(['from-agent']);
    const [kept] = bench.desk.read((tx) => attachmentsOfTicket(tx, ticketId));
    expect(kept).toMatchObject({ filename: 'log.txt', isInternal: true });
    await bench.do((tx, ctx) => {
      inboundRules.remove(tx, ctx, 'web-shop', rule, null);
      return null;
    });
  });
});

describe('a reply', () => {
  test.each(['pending', 'resolved', 'closed'] as const)('reopens a ticket that is %s', async (status) => {
    const { from, ticketId, plus } = await opened();
    await setStatus(ticketId, status);
    const row = await bench.post(mail({ from, to: plus }));
    expect(row.isReopening).toBe(status !== 'pending');
    expect(bench.ticket(ticketId)).toMatchObject({ status: 'open', messageCount: 2 });
    const change = bench.events(ticketId).at(-1);
    expect(change).toMatchObject({ kind: 'ticket.status_changed', actor: { type: 'author' } });
  });

  test('shows its new text, and keeps the whole', async () => {
    const { from, ticketId, plus } = await opened();
    const body =
      'Better now.\r\n\r\nOn Fri, 11 Sep 2026 at 09:30, Support <support@desk.example> wrote:\r\n> Water?\r\n';
    await bench.post(mail({ from, to: plus, body }));
    expect(bench.last(ticketId).body).toBe('Better now.');
    expect(bench.last(ticketId).wholeBody).toContain('> Water?');
  });

  test('of over 10000 characters is cut, with the whole text as a file', async () => {
    const { from, ticketId, plus } = await opened();
    const body = 'All of this is what happened today.\r\n'.repeat(1000);
    await bench.post(mail({ from, to: plus, body }));
    expect(bench.last(ticketId).body.length).toBeLessThanOrEqual(10_000);
    const [file] = bench.desk.read((tx) => attachmentsOfTicket(tx, ticketId));
    expect(file).toMatchObject({ filename: 'message.txt', contentType: 'text/plain', isInternal: false });
    expect(file?.messageId).toBe(bench.last(ticketId).id);
    expect(file?.size).toBeGreaterThan(30_000);
    expect(await bench.blobs.size(file?.ulid ?? '')).toBe(file?.size ?? null);
  });
});

test('with too many files names the rest after the text, up to a limit', async () => {
  const names = Array.from({ length: 130 }, (_, at) => `${'n'.repeat(100)}-${at}.txt`);
  const file = (name: string) => ['--b', `Content-Disposition: attachment; filename=${name}`, '', 'a log'];
  const words = 'One more line.\r\n'.repeat(1000);
  const body = ['--b', '', words, ...names.flatMap(file), '--b--'].join('\r\n');
  const row = await bench.post(mail({ from: someone(), headers: ['Content-Type: multipart/mixed; boundary=b'], body }));
  const kept = bench.desk.read((tx) => attachmentsOfTicket(tx, row.ticketId ?? 0)).map(({ filename }) => filename);
  expect(kept).toEqual(['message.txt', ...names.slice(0, 99)]);
  const told = bench.last(row.ticketId).body;
  expect(told).toMatch(/\[Not accepted: (n{80} \(too many files\), ){19}n{80} \(too many files\) and 11 more\]$/);
});

test('to a ticket that is full of files names the files that were dropped', async () => {
  const { from, ticketId, plus } = await opened();
  const file = { ticketId, siteId: bench.site.id, messageId: null, filename: 'a.txt', contentType: 'text/plain' };
  const rest = { size: 1, sha256: '0', isAgent: false, isInternal: false, createdAt: 0 };
  await bench.do((tx) => {
    for (let count = 0; count < maxAttachmentsPerTicket; count += 1)
      insertAttachment(tx, { ulid: `full-${count}`, ...file, ...rest });
    return null;
  });
  const row = await bench.post(mail({ from, to: plus, body: 'One more line.\r\n'.repeat(1000) }));
  expect(row.outcome).toBe('reply_added');
  expect(bench.last(ticketId).body).toContain('[Not accepted: message.txt (the ticket is full)]');
});

test('keeps files of every type but programs, and names those', async () => {
  const file = (name: string, type: string, content: string) => [
    '--b',
    `Content-Type: ${type}; name="${name}"`,
    `Content-Disposition: attachment; filename="${name}"`,
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(content).toString('base64'),
  ];
  const body = [
    '--b',
    'Content-Type: text/plain',
    '',
    'See the files.',
    ...file('log.txt', 'text/plain', 'a log'),
    ...file('run.exe', 'application/octet-stream', 'MZ'),
    ...file('fake.png', 'image/png', '<svg onload="alert(1)"/>'),
    ...file('prices.xlsx', 'application/vnd.ms-excel', 'PK'),
    ...file('bill.pdf', 'application/pdf', '#!/bin/sh'),
    ...file('invoice.pdf.JS', 'application/pdf', '%PDF-1.4'),
    ...file('nothing.zip', 'application/zip', ''),
    ...file('large.zip', 'application/zip', 'x'.repeat(1024 * 1024 + 1)),
    '--b--',
  ].join('\r\n');
  const letter = () => mail({ from: someone(), headers: ['Content-Type: multipart/mixed; boundary=b'], body });
  const filed = async () => {
    const row = await bench.post(letter());
    expect(row.outcome).toBe('ticket_created');
    const files = bench.desk.read((tx) => attachmentsOfTicket(tx, row.ticketId ?? 0));
    return { files: files.map((one) => [one.filename, one.contentType]), body: bench.last(row.ticketId).body };
  };
  await bench.do((tx, ctx) => changeSite(tx, ctx, bench.site.slug, { settings: { mail_attachment_max_mb: 1 } }, null));
  const why = [
    'run.exe (.exe files are refused)',
    'bill.pdf (a program; .sh files are refused)',
    'invoice.pdf.JS (.js files are refused)',
    'nothing.zip (empty)',
  ];
  expect(await filed()).toEqual({
    files: [
      ['log.txt', 'text/plain'],
      ['fake.png', 'application/octet-stream'],
      ['prices.xlsx', 'application/octet-stream'],
    ],
    body: `See the files.\n\n[Not accepted: ${why.join(', ')}, large.zip (larger than 1 MB)]`,
  });
  const full = { refused_attachment_types: ['xlsx'], attachments_total_mb: 1 };
  await bench.do((tx, ctx) => changeSite(tx, ctx, bench.site.slug, { settings: full }, null));
  await bench.do((tx) => {
    query(tx, 'UPDATE site_files SET bytes = 1024 * 1024 - 7').run();
    return null;
  });
  const later = await filed();
  expect(later.files).toEqual([
    ['log.txt', 'text/plain'],
    ['run.exe', 'application/octet-stream'],
  ]);
  expect(later.body).toContain("fake.png (the site's space for files is full)");
  expect(later.body).toContain('prices.xlsx (.xlsx files are refused)');
  const none = { refused_attachment_types: null, attachments_total_mb: null, mail_attachment_max_mb: 25 };
  await bench.do((tx, ctx) => changeSite(tx, ctx, bench.site.slug, { settings: none }, null));
});

describe('a flood', () => {
  test('of new tickets is held from the eleventh within an hour', async () => {
    const from = someone();
    const outcomes: (string | null)[] = [];
    for (let count = 0; count < 11; count += 1) outcomes.push((await bench.post(mail({ from }))).outcome);
    expect(outcomes).toEqual([...Array(10).fill('ticket_created'), 'held']);
    expect((await bench.post(mail({ from: someone() }))).outcome).toBe('ticket_created');
    bench.clock.advance(hour);
    const held = bench.inboundLog().findLast(({ outcome }) => outcome === 'held');
    expect((await bench.mailroom.replay('web-shop', held?.id ?? 0)).row.outcome).toBe('ticket_created');
  });

  test('of reopenings is held from the eleventh, while replies to open tickets are not', async () => {
    const { from, ticketId, plus } = await opened();
    const outcomes: (string | null)[] = [];
    for (let count = 0; count < 11; count += 1) {
      await setStatus(ticketId, 'resolved');
      outcomes.push((await bench.post(mail({ from, to: plus }))).outcome);
    }
    expect(outcomes).toEqual([...Array(10).fill('reply_added'), 'held']);
    expect(bench.ticket(ticketId).status).toBe('resolved');
    await setStatus(ticketId, 'open');
    expect((await bench.post(mail({ from, to: plus }))).outcome).toBe('reply_added');
  });

  test('of acknowledgements is one an hour', async () => {
    await bench.leave();
    const from = someone();
    const acknowledged = async () => {
      await bench.post(mail({ from }));
      return (await bench.leave()).map(({ event, recipient }) => [event, recipient]);
    };
    expect(await acknowledged()).toEqual([['mail.acknowledgement', from]]);
    bench.clock.advance(59 * minute);
    expect(await acknowledged()).toEqual([]);
    bench.clock.advance(minute);
    expect(await acknowledged()).toEqual([['mail.acknowledgement', from]]);
  });

  test.each(['noreply@shop.example', 'mia@list.example'])('never answers %s', async (from) => {
    await bench.leave();
    const headers = from.includes('list') ? ['List-Id: <talk.list.example>'] : [];
    expect((await bench.post(mail({ from, headers }))).outcome).toBe('ticket_created');
    expect(await bench.leave()).toEqual([]);
  });
});

describe('rules', () => {
  const subjectIs = (value: string) => [{ field: 'subject', operator: 'equals', value }];
  const ticketOf = async (subject: string, more: object = {}) => {
    const row = await bench.post(mail({ from: someone(), subject, ...more }));
    return { row, ticket: row.ticketId === null ? null : bench.ticket(row.ticketId) };
  };

  test('act on a new ticket and on a reply, and are the actor', async () => {
    const category = await bench.do(
      (tx, ctx) => categories.add(tx, ctx, 'web-shop', { name: 'Fire', slug: 'fire' }).row.id,
    );
    const id = await bench.rule({
      name: 'Fire',
      conditions: subjectIs('Fire'),
      actions: [
        { type: 'set_category', value: category },
        { type: 'add_tags', value: ['hot'] },
        { type: 'set_metadata', value: { alarm: true } },
        { type: 'note', value: 'Call the brigade.' },
        { type: 'set_status', value: 'pending' },
      ],
    });
    const { row, ticket } = await ticketOf('Fire');
    expect(row.matchedRules).toEqual([{ id, name: 'Fire' }]);
    const effects = { categoryId: category, tags: ['hot'], metadata: { alarm: true }, status: 'pending' };
    expect(ticket).toMatchObject({ ...effects, messageCount: 2 });
    expect(bench.last(row.ticketId)).toMatchObject({ body: 'Call the brigade.', isInternal: true });
    const byRule = bench.events(row.ticketId).filter(({ actor }) => actor.type === 'rule');
    expect(byRule.map(({ actor }) => actor)).toEqual(Array(4).fill({ type: 'rule', id, name: 'Fire' }));
    expect(byRule.map(({ kind }) => kind).join()).toBe(
      'ticket.updated,ticket.updated,ticket.note_added,ticket.status_changed',
    );

    const reply = await opened();
    await bench.post(mail({ from: reply.from, to: reply.plus, subject: 'Fire' }));
    expect(bench.ticket(reply.ticketId)).toMatchObject(effects);
  });

  test('discard mail, and the log names the rule and its reason', async () => {
    const id = await bench.rule({
      conditions: subjectIs('Spam'),
      actions: [{ type: 'discard', value: 'It is spam.' }],
    });
    const { row } = await ticketOf('Spam');
    expect(row).toMatchObject({ outcome: 'discarded', ticketId: null });
    expect(row.reason).toBe(`Rule ${id}: It is spam.`);
    expect(row.mailMessageId).not.toBeNull();
  });

  test('forward the original; with a discard, nothing else happens', async () => {
    await bench.rule({
      conditions: subjectIs('For sales'),
      actions: [
        { type: 'forward', value: 'sales@elsewhere.example' },
        { type: 'discard', value: null },
      ],
    });
    await bench.leave();
    const { row } = await ticketOf('For sales', { body: 'How much is it?' });
    expect(row).toMatchObject({ outcome: 'forwarded', ticketId: null });
    const leaving = await bench.leave();
    expect(leaving.map(({ event, recipient }) => [event, recipient])).toEqual([
      ['mail.forward', 'sales@elsewhere.example'],
    ]);
    expect(leaving[0]?.raw).toContain('message/rfc822');
    expect(leaving[0]?.raw).toContain('How much is it?');
    // Back at the desk it is recognised as its own.
    expect((await bench.post(leaving[0]?.raw ?? '')).outcome).toBe('ignored_auto_reply');
  });

  test('do not forward held mail', async () => {
    const from = someone();
    for (let count = 0; count < 10; count += 1) await bench.post(mail({ from }));
    await bench.leave();
    await bench.rule({
      conditions: subjectIs('Eleventh'),
      actions: [{ type: 'forward', value: 'a@elsewhere.example' }],
    });
    const row = await bench.post(mail({ from, subject: 'Eleventh' }));
    expect(row.outcome).toBe('held');
    expect(await bench.leave()).toEqual([]);
    bench.clock.advance(hour);
    await bench.mailroom.replay('web-shop', row.id);
    expect((await bench.leave()).filter(({ event }) => event === 'mail.forward')).toHaveLength(1);
  });

  test('that forward and discard hold the mail if the address bounces, so that it is not lost', async () => {
    await bench.do((tx, ctx) => {
      suppressAddress(tx, bench.site.id, 'dead@elsewhere.example', 'No such user.', ctx.now);
      return null;
    });
    await bench.rule({
      conditions: subjectIs('Nowhere'),
      actions: [
        { type: 'forward', value: 'Dead@elsewhere.example' },
        { type: 'discard', value: null },
      ],
    });
    const { row } = await ticketOf('Nowhere');
    expect(row).toMatchObject({ outcome: 'held', reason: expect.stringContaining('bounces') });
    expect(row.trace).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({
          outcome: 'matched',
          actions: [expect.objectContaining({ isApplied: false }), expect.objectContaining({ isApplied: false })],
        }),
      ]),
    );
  });

  test('start the clocks of the priority that they set on a new ticket', async () => {
    const urgent = await bench.do(
      (tx, ctx) => priorities.add(tx, ctx, 'web-shop', { name: 'Now', slug: 'now', first_response_minutes: 15 }).row.id,
    );
    await bench.rule({ conditions: subjectIs('Now'), actions: [{ type: 'set_priority', value: urgent }] });
    const { ticket } = await ticketOf('Now');
    expect(ticket).toMatchObject({ priorityId: urgent, firstResponseTargetMinutes: 15 });
    expect(ticket?.firstResponseDueAt).toBe(bench.clock.now() + 15 * minute);
  });

  test('stop after a rule with stop_processing', async () => {
    const conditions = subjectIs('Stop');
    await bench.rule({ conditions, actions: [{ type: 'add_tags', value: ['one'] }], stop_processing: true });
    await bench.rule({ conditions, actions: [{ type: 'add_tags', value: ['two'] }] });
    expect((await ticketOf('Stop')).ticket?.tags).toEqual(['one']);
  });

  test('skip an action that names something removed or inactive, and the history says so', async () => {
    for (const isGone of [true, false]) {
      const subject = isGone ? 'Gone' : 'Off';
      const value = await bench.do(
        (tx, ctx) => categories.add(tx, ctx, 'web-shop', { name: subject, slug: subject.toLowerCase() }).row.id,
      );
      const rule = await bench.rule({ conditions: subjectIs(subject), actions: [{ type: 'set_category', value }] });
      await bench.do((tx, ctx) => {
        if (isGone) categories.remove(tx, ctx, 'web-shop', value, null);
        else categories.change(tx, ctx, 'web-shop', value, { is_active: false }, null);
        return null;
      });
      const { row, ticket } = await ticketOf(subject);
      expect(row.outcome).toBe('ticket_created');
      expect(ticket?.categoryId).toBeNull();
      const skipped = () => bench.events(row.ticketId).filter(({ data }) => data.rule_skipped !== undefined);
      expect(skipped().map(({ actor }) => actor)).toEqual([{ type: 'rule', id: rule, name: 'Rule' }]);
      // Only once: not on every reply, and not on a ticket that the rule is not about.
      const plus = `ticket+${ticket?.ulid}@desk.example`;
      expect((await bench.post(mail({ to: plus, subject }))).outcome).toBe('reply_added');
      expect(skipped()).toHaveLength(1);
      const other = await ticketOf('Neither gone nor off');
      expect(bench.events(other.row.ticketId).filter(({ data }) => data.rule_skipped !== undefined)).toEqual([]);
    }
  });

  test('assign agents in turn', async () => {
    const own = await mailDesk();
    for (const name of ['Ada', 'Bo', 'Cy'])
      await own.do((tx, ctx) => addAgent(tx, ctx, { email: `${name}@agents.example`, name, role: 'member' }));
    await own.rule({ actions: [{ type: 'assign', value: 'round_robin' }] });
    for (let count = 0; count < 5; count += 1) await own.post(mail({ from: someone() }));
    const [first = 0] = own.tickets().map(({ assigneeId }) => assigneeId ?? 0);
    expect(own.tickets().map(({ assigneeId }) => (assigneeId ?? 0) - first)).toEqual([0, 1, 2, 0, 1]);
    // A reply stays with the agent of the ticket, and takes no one's turn.
    const [ticket] = own.tickets();
    await own.post(mail({ from: someone(), to: `ticket+${ticket?.ulid}@desk.example` }));
    expect(own.ticket(ticket?.id ?? 0).assigneeId).toBe(first);
    await own.post(mail({ from: someone() }));
    expect((own.tickets().at(-1)?.assigneeId ?? 0) - first).toBe(2);
    await own.close();
  });
});

test('of many rules the inbound log tells what did something and some of the rest; a dry run of all; a changed rule counts at once', async () => {
  const own = await mailDesk();
  const rule = (value: string) => ({
    conditions: [{ field: 'subject', operator: 'equals', value }],
    actions: [{ type: 'add_tags', value: ['hit'] }],
  });
  for (let count = 0; count < 99; count += 1) await own.rule(rule(`${count}`));
  const last = await own.rule(rule('Last'));
  const raw = mail({ from: someone(), subject: 'Last' });
  expect((await own.mailroom.preview('web-shop', new TextEncoder().encode(raw))).rules).toHaveLength(100);
  const row = await own.post(raw);
  expect(row.trace).toHaveLength(51);
  expect(row.trace.at(-1)).toMatchObject({ ruleId: last, outcome: 'matched' });
  await own.do((tx, ctx) => {
    inboundRules.change(tx, ctx, 'web-shop', last, ruleChangeInput.parse({ conditions: [] }), null);
    return null;
  });
  expect((await own.post(mail({ from: someone(), subject: 'Any' }))).matchedRules).toEqual([
    { id: last, name: 'Rule' },
  ]);
  await own.close();
});

describe('held mail can be released:', () => {
  const released = { isReleased: true, forwardsAgain: false };

  test('from a sender that looks forged, who stays unproven', async () => {
    const headers = ['Authentication-Results: mx.desk.example; dmarc=fail header.from=customer.example'];
    const { id } = await bench.post(mail({ from: someone(), headers }));
    expect((await bench.mailroom.replay('web-shop', id)).row.outcome).toBe('held');
    const { row } = await bench.mailroom.replay('web-shop', id, released);
    expect(row).toMatchObject({ outcome: 'ticket_created', attempts: 3 });
    expect(bench.last(row.ticketId).senderVerified).toBe(false);
  });

  test('from an address that sent too much', async () => {
    const from = someone();
    for (let count = 0; count < 10; count += 1) await bench.post(mail({ from }));
    const { id, outcome } = await bench.post(mail({ from }));
    expect(outcome).toBe('held');
    expect((await bench.mailroom.replay('web-shop', id, released)).row.outcome).toBe('ticket_created');
  });

  test('from a person taken for a machine, with files and without an automatic answer', async () => {
    await bench.leave();
    const body = '--b\r\n\r\nSee it.\r\n--b\r\nContent-Disposition: attachment; filename=log.txt\r\n\r\na log\r\n--b--';
    const headers = ['Precedence: bulk', 'Content-Type: multipart/mixed; boundary=b'];
    const { id } = await bench.post(mail({ from: someone(), headers, body }));
    const { row } = await bench.mailroom.replay('web-shop', id, released);
    expect(row.outcome).toBe('ticket_created');
    expect(bench.desk.read((tx) => attachmentsOfTicket(tx, row.ticketId ?? 0))).toHaveLength(1);
    expect(await bench.leave()).toEqual([]);
  });

  test('but never our own mail, a bounce or a duplicate', async () => {
    const { from } = await opened();
    const [acknowledgement] = (await bench.leave()).filter(({ recipient }) => recipient === from);
    const own = await bench.post(acknowledgement?.raw ?? '');
    const again = await bench.post(mail({ from, id: `<first-${from}>` }));
    const bounce = await bench.post(bounceOf(from, '<unknown@desk.example>'), { from: '' });
    const before = bench.tickets().length;
    for (const { id, outcome } of [own, again, bounce])
      expect((await bench.mailroom.replay('web-shop', id, released)).row.outcome).toBe(outcome);
    expect(bench.tickets()).toHaveLength(before);
  });
});

test('a replay does not forward again, unless asked to', async () => {
  const conditions = [{ field: 'subject', operator: 'equals', value: 'Once' }];
  const forward = (value: string) => ({ type: 'forward', value });
  const discard = { type: 'discard', value: null };
  const rule = await bench.rule({ conditions, actions: [forward('first@elsewhere.example'), discard] });
  const { id } = await bench.post(mail({ from: someone(), subject: 'Once' }));
  const sent = async () =>
    (await bench.leave()).filter(({ event }) => event === 'mail.forward').map((each) => each.recipient);
  expect(await sent()).toEqual(['first@elsewhere.example']);
  expect((await bench.mailroom.replay('web-shop', id)).row).toMatchObject({ outcome: 'forwarded', attempts: 2 });
  expect(await sent()).toEqual([]);
  await bench.do((tx, ctx) => {
    const actions = [forward('First@elsewhere.example'), forward('second@elsewhere.example'), discard];
    inboundRules.change(tx, ctx, 'web-shop', rule, ruleChangeInput.parse({ actions }), null);
    return null;
  });
  await bench.mailroom.replay('web-shop', id);
  expect(await sent()).toEqual(['second@elsewhere.example']);
  await bench.mailroom.replay('web-shop', id, { isReleased: false, forwardsAgain: true });
  expect(await sent()).toEqual(['first@elsewhere.example', 'second@elsewhere.example']);
  expect(bench.inboundLog().find((row) => row.id === id)?.forwardedTo).toEqual([
    'first@elsewhere.example',
    'second@elsewhere.example',
  ]);
});

describe('the inbound log', () => {
  test('replays what a rule discarded, and nothing that was filed', async () => {
    const id = await bench.rule({
      conditions: [{ field: 'subject', operator: 'equals', value: 'Fixed' }],
      actions: [{ type: 'discard', value: null }],
    });
    const row = await bench.post(mail({ from: someone(), subject: 'Fixed' }));
    expect(row.outcome).toBe('discarded');
    await bench.do((tx, ctx) => {
      inboundRules.remove(tx, ctx, 'web-shop', id, null);
      return null;
    });
    const again = await bench.mailroom.replay('web-shop', row.id);
    expect(again.row).toMatchObject({ outcome: 'ticket_created', attempts: 2 });
    expect(again.row.ticketId).not.toBeNull();
    const refused = await bench.mailroom.replay('web-shop', row.id).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(DeskError);
    expect(refused).toMatchObject({ code: 'conflict', reason: 'already_filed' });
  });

  test('files mail that a crash left without an outcome', async () => {
    const raw = mail({ from: someone(), subject: 'Left behind' });
    const ulids = ['01K4Z0000000000000000000A1', '01K4Z0000000000000000000A2'];
    const staged = await bench.mailBlobs.stage(new Blob([raw]).stream(), 10_000);
    await staged.keep(ulids[0] ?? '');
    const ids = await bench.do((tx, ctx) =>
      ulids.map((ulid) => {
        const arrived = {
          ulid,
          siteId: bench.site.id,
          provider: 'raw',
          headers: {},
          size: raw.length,
          sha256: null,
        } as const;
        return insertInboundMail(tx, { ...arrived, receivedAt: ctx.now, retryAt: ctx.now });
      }),
    );
    expect(await bench.mailroom.recover('all')).toBe(2);
    const rows = bench.inboundLog().filter(({ id }) => ids.includes(id));
    expect(rows.map(({ status, outcome }) => [status, outcome])).toEqual([
      ['done', 'ticket_created'],
      // Its file is gone, which is reported and stops nothing.
      ['done', 'failed'],
    ]);
    // These rows came without a hash; the file that was read has one now.
    expect(rows.map(({ sha256 }) => sha256)).toEqual([staged.sha256, null]);
    expect(await bench.mailroom.recover('all')).toBe(0);
  });

  test('stores mail while files cannot be written, and files it afterwards', async () => {
    const own = await mailDesk();
    const ordinary = own.blobs.adopt;
    const away = () => Promise.reject(new DeskError('unavailable', 'The disk is away.'));
    own.blobs.adopt = (...file) => ({ ...ordinary(...file), keep: away });
    const long = 'All of this is what happened today.\r\n'.repeat(1000);
    const waiting = await own.post(mail({ from: someone(), body: long }));
    expect(waiting).toMatchObject({
      ...{ status: 'received', outcome: null, attempts: 1, reason: 'The disk is away.' },
      retryAt: own.clock.now() + minute,
    });
    await own.post(mail({ from: someone() }));
    const due = () => own.mailroom.recover('due');
    const gaps: number[] = [];
    for (let tries = 0; tries < 8; tries += 1) {
      const { retryAt } = own.inboundLog()[0] ?? waiting;
      gaps.push(((retryAt ?? 0) - own.clock.now()) / minute);
      own.clock.set((retryAt ?? 0) - 1);
      expect(await due()).toBe(0);
      expect(own.inboundLog()[0]?.retryAt).toBe(retryAt);
      own.clock.set(retryAt ?? 0);
      expect(await due()).toBe(0);
    }
    expect(gaps).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    own.blobs.adopt = ordinary;
    expect(await due()).toBe(0);
    own.clock.advance(hour);
    expect(await Promise.all([due(), due()])).toEqual([1, 0]);
    expect(own.inboundLog().map(({ outcome }) => outcome)).toEqual(['ticket_created', 'ticket_created']);
    expect(own.tickets()).toHaveLength(2);
    expect(own.inboundLog()[0]).toMatchObject({ attempts: 10, retryAt: null });
    // Nothing is in the inbound log that is not on disk.
    own.mailBlobs.stage = away;
    const refused = await own.post(mail()).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'unavailable' });
    expect(own.inboundLog()).toHaveLength(2);
    await own.close();
  });

  test('gives up after a day, and failed mail can be replayed', async () => {
    const own = await mailDesk();
    const ordinary = own.blobs.adopt;
    const away = () => Promise.reject(new DeskError('unavailable', 'The disk is away.'));
    own.blobs.adopt = (...file) => ({ ...ordinary(...file), keep: away });
    const { id } = await own.post(
      mail({ from: someone(), body: 'All of this is what happened today.\r\n'.repeat(1000) }),
    );
    for (let tries = 0; tries < 40; tries += 1) {
      own.clock.advance(hour);
      await own.mailroom.recover('due');
    }
    expect(own.inboundLog()[0]).toMatchObject({ status: 'done', outcome: 'failed', attempts: 30 });
    expect(own.inboundLog()[0]?.reason).toContain('The disk is away.');
    own.blobs.adopt = ordinary;
    expect((await own.mailroom.replay('web-shop', id)).row.outcome).toBe('ticket_created');
    await own.close();
  });

  test('leaves mail alone that is being filed', async () => {
    const own = await mailDesk();
    const ordinary = own.blobs.stage;
    let release: () => void = () => undefined;
    const away = new Promise<void>((resolve) => {
      release = resolve;
    });
    own.blobs.stage = async (source, most) => {
      await away;
      return ordinary(source, most);
    };
    const posted = own.post(mail({ from: someone(), body: 'All of this is what happened today.\r\n'.repeat(1000) }));
    while (own.inboundLog().length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(await own.mailroom.recover('due')).toBe(0);
    expect(await own.mailroom.recover('all')).toBe(0);
    release();
    expect(await posted).toMatchObject({ outcome: 'ticket_created', attempts: 1 });
    await own.close();
  });

  test('has an outcome and a reason in every row', () => {
    for (const row of bench.inboundLog()) {
      expect(row.status).toBe('done');
      expect(row.outcome).not.toBeNull();
      expect(row.reason).toBeTruthy();
    }
  });
});
