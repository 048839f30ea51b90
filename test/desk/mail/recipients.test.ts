// Whom a reply goes to, and what each of them gets (docs/spec/conversations.md#replies).

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { simpleParser } from 'mailparser';
import { eraseAuthor } from '../../../src/desk/customers/authors.ts';
import { findLink } from '../../../src/desk/customers/links.ts';
import { recordAttempt } from '../../../src/desk/outbox/attempts.ts';
import { noteRecipients } from '../../../src/desk/outbox/reply-mails.ts';
import { addAgent } from '../../../src/desk/people/agents.ts';
import { changeSite } from '../../../src/desk/sites/sites.ts';
import { addParticipant, listParticipants, removeParticipant } from '../../../src/desk/tickets/participants.ts';
import { addNote, answerTicket, replyAsAgent } from '../../../src/desk/tickets/replies.ts';
import { resendReply } from '../../../src/desk/tickets/resend-reply.ts';
import { sendDue } from '../../../src/desk/tickets/scheduled-replies.ts';
import { agentReplyInput } from '../../../src/domain/input/tickets.ts';
import { query } from '../../../src/engine/database.ts';
import { suppressAddress } from '../../../src/store/mail/suppressions.ts';
import { type Leaving, type MailDesk, mail, mailDesk } from './mail-desk.ts';

let bench: MailDesk;
beforeEach(async () => {
  bench = await mailDesk();
});
afterEach(() => bench.close());

type Given = Record<string, unknown>;
const said = (input: Given) => agentReplyInput.parse({ body: 'Try again.', ...input });
const reply = (id: number | null, input: Given = {}) =>
  bench.do((tx, ctx) => replyAsAgent(tx, ctx, id ?? 0, said(input)).message);
const refused = async (id: number | null, input: Given) => {
  try {
    await reply(id, input);
  } catch (error) {
    return (error as { errors?: Record<string, string[]> }).errors ?? String(error);
  }
  throw new Error('it was not refused');
};
const people = (...emails: string[]) => emails.map((email) => ({ email }));
/** With Bo and Cy in Cc, and the acknowledgement gone. */
async function opened() {
  const { ticketId } = await bench.post(
    mail({ id: '<first@customer.example>', headers: ['Cc: Bo Berg <bo@example.org>, cy@example.org'] }),
  );
  await bench.leave();
  return ticketId;
}
const read = ({ raw }: Leaving) => simpleParser(raw);
const list = (value: unknown) =>
  ((value as { value?: { address: string }[] } | undefined)?.value ?? []).map(({ address }) => address);
async function heads(leaving: readonly Leaving[]) {
  const mails = await Promise.all(leaving.map(read));
  return mails.map((one, at) => ({ recipient: leaving[at]?.recipient, to: list(one.to), cc: list(one.cc) }));
}
const recipients = (id: number | null) =>
  (bench.last(id).recipients ?? []).map(({ email, as, status }) => [as, email, status]);

describe('a reply', () => {
  test('goes to the author, and in Cc to everyone who takes part, as one mail', async () => {
    const id = await opened();
    await reply(id);
    expect(recipients(id)).toEqual([
      ['to', 'mia@customer.example', 'queued'],
      ['cc', 'bo@example.org', 'queued'],
      ['cc', 'cy@example.org', 'queued'],
    ]);
    expect(await heads(await bench.leave())).toEqual([
      { recipient: 'mia@customer.example', to: ['mia@customer.example'], cc: ['bo@example.org', 'cy@example.org'] },
    ]);
    expect(recipients(id).map(([, , status]) => status)).toEqual(['sent', 'sent', 'sent']);
    expect(bench.last(id).delivery).toMatchObject({ status: 'sent', error: null });
  });

  test('goes to whom the agent names, and no one else; those in Cc take part from then on', async () => {
    const id = await opened();
    await reply(id, { to: people('cy@example.org'), cc: people('di@example.org'), bcc: people('ed@example.org') });
    expect(await heads(await bench.leave())).toEqual([
      { recipient: 'cy@example.org', to: ['cy@example.org'], cc: ['di@example.org'] },
      { recipient: 'ed@example.org', to: ['cy@example.org'], cc: ['di@example.org'] },
    ]);
    const on = bench.desk.read((tx) =>
      listParticipants(tx, bench.desk.context({ kind: 'command_line' }, 't'), id ?? 0),
    );
    expect(on.map(({ person }) => person.email)).toEqual(['bo@example.org', 'cy@example.org', 'di@example.org']);
  });

  test('names each address once, in its first place', async () => {
    const id = await opened();
    await reply(id, {
      to: people('BO@example.org', 'bo@example.org'),
      cc: people('bo@example.org', 'cy@example.org'),
      bcc: people('cy@example.org', 'ed@example.org'),
    });
    expect(recipients(id).map(([as, email]) => [as, email])).toEqual([
      ['to', 'bo@example.org'],
      ['cc', 'cy@example.org'],
      ['bcc', 'ed@example.org'],
    ]);
  });

  test.each([
    [{ cc: [] }, [['to', 'mia@customer.example']]],
    [
      { bcc: people('ed@example.org') },
      [
        ['to', 'mia@customer.example'],
        ['cc', 'bo@example.org'],
        ['cc', 'cy@example.org'],
        ['bcc', 'ed@example.org'],
      ],
    ],
    [{ to: people('bo@example.org') }, [['to', 'bo@example.org']]],
  ])('with %j leaves out whom it should', async (input, expected) => {
    const id = await opened();
    await reply(id, input);
    expect(recipients(id).map(([as, email]) => [as, email])).toEqual(expected as never);
  });

  test('is refused without anyone in To, to the desk itself, to too many, and as a note with recipients', async () => {
    const id = await opened();
    expect(await refused(id, { to: [] })).toHaveProperty('to');
    for (const own of [
      'support@desk.example',
      'web-shop@desk.example',
      'ticket+01K4VJ8Q4N7RM2ZC6B0T3XWYDE@desk.example',
    ])
      expect(await refused(id, { cc: people('bo@example.org', own) })).toHaveProperty(['cc.1.email']);
    const many = Array.from({ length: 16 }, (_, at) => at);
    expect(
      await refused(id, {
        cc: people(...many.map((at) => `a${at}@x.org`)),
        bcc: people(...many.map((at) => `b${at}@x.org`)),
      }),
    ).toHaveProperty('cc');
    expect(await refused(id, { is_internal: true, cc: people('bo@example.org') })).toHaveProperty('cc');
    expect(agentReplyInput.safeParse({ body: 'x', to: people('not an address') }).success).toBe(false);
  });

  test('leaves out an address whose mail came back, and says so', async () => {
    const id = await opened();
    await bench.do((tx, ctx) => suppressAddress(tx, bench.site.id, 'bo@example.org', '5.1.1', ctx.now));
    await reply(id);
    expect(await heads(await bench.leave())).toMatchObject([{ cc: ['cy@example.org'] }]);
    expect(recipients(id)[1]).toEqual(['cc', 'bo@example.org', 'bounced']);
    expect(bench.last(id).delivery).toMatchObject({
      status: 'bounced',
      error: 'bo@example.org: Earlier mail to this address bounced.',
    });
  });

  test('cannot be made to say more by the names of its recipients', async () => {
    const id = await opened();
    const names = [
      'Bo\r\nBcc: eve@example.org',
      'Bo" <eve@example.org>, "',
      'Bo\u2028Bcc: eve@example.org',
      '=?utf-8?q?Bo?= <e@e.org>',
      'Bo,;<>()',
    ];
    await reply(id, { to: names.map((name, at) => ({ email: `bo${at}@example.org`, name })) });
    const [leaving] = await bench.leave();
    const parsed = await read(leaving as Leaving);
    expect(list(parsed.to)).toEqual(names.map((_, at) => `bo${at}@example.org`));
    expect(parsed.headers.has('bcc')).toBe(false);
    expect(leaving?.raw).not.toMatch(/^Bcc:/im);
  });

  test('by the names of strangers says nothing at all', async () => {
    const { ticketId } = await bench.post(mail({ headers: ['Cc: "You have won" <bo@example.org>'] }));
    await bench.leave();
    await reply(ticketId);
    expect((await bench.leave())[0]?.raw).not.toContain('You have won');
  });
});

describe('the link in it', () => {
  const linkKinds = () =>
    bench.desk.read((tx) =>
      query<{ kind: string; address: string }>(tx, 'SELECT kind, address FROM customer_links ORDER BY id').all(),
    );

  test('is the author’s own only where no one else reads it', async () => {
    const id = await opened();
    await reply(id, { cc: [] });
    await reply(id);
    await reply(id, { to: people('bo@example.org'), bcc: people('ed@example.org') });
    expect(linkKinds().slice(1)).toEqual([
      { kind: 'mail', address: 'mia@customer.example' },
      { kind: 'shared', address: '' },
      { kind: 'shared', address: '' },
    ]);
    const sent = await bench.leave();
    const copy = sent.find(({ recipient }) => recipient === 'ed@example.org');
    expect((await read(copy as Leaving)).text).not.toContain('/t/');
  });

  test('says that a code is needed, also where links are open', async () => {
    const id = await opened();
    await bench.do((tx, ctx) => {
      changeSite(tx, ctx, String(bench.site.id), { settings: { customer_links: 'open' } }, null);
      return null;
    });
    await reply(id);
    const [leaving] = await bench.leave();
    expect((await read(leaving as Leaving)).text).toContain('enter the code that we mail to your own address');
  });
});

describe('the thread', () => {
  test('is one for everyone, also when a reply goes to a few', async () => {
    const id = await opened();
    await reply(id);
    const [first] = await bench.leave();
    await bench.post(
      mail({
        from: 'bo@example.org',
        to: `ticket+${bench.ticket(id).ulid}@desk.example`,
        id: '<bo@example.org>',
        body: 'Still burning.',
      }),
    );
    await reply(id, { to: people('cy@example.org'), bcc: people('ed@example.org') });
    const [second, copy] = await bench.leave();
    for (const one of [second, copy]) {
      const parsed = await read(one as Leaving);
      const references = [parsed.references ?? []].flat();
      expect(references).toContain('<first@customer.example>');
      expect(references).toContain(first?.messageId ?? '');
      expect(references).toContain('<bo@example.org>');
      expect(new Set(references).size).toBe(references.length);
    }
    expect(new Set([first?.messageId, second?.messageId, copy?.messageId]).size).toBe(3);
  });
});

describe('what becomes of the mail', () => {
  const attempt = (answers: { address: string; code: number | null; response: string }[], outcome: object) =>
    bench.do((tx, ctx) => {
      const id = query<{ id: number }>(tx, "SELECT id FROM deliveries WHERE status = 'queued'").get()?.id ?? 0;
      const tried = { durationMs: 1, responseStatus: null, responseExcerpt: '', error: 'some refused' };
      recordAttempt(tx, ctx, { deliveryId: id, result: outcome as never, ...tried, answers });
      return null;
    });

  test('is noted for each, and only those who wait get it again', async () => {
    const id = await opened();
    await reply(id);
    await attempt(
      [
        { address: 'mia@customer.example', code: null, response: '' },
        { address: 'bo@example.org', code: 451, response: '451 later' },
        { address: 'cy@example.org', code: 550, response: '550 no such user' },
      ],
      { outcome: 'retry', at: bench.clock.now() },
    );
    expect(recipients(id).map(([, , status]) => status)).toEqual(['sent', 'queued', 'failed']);
    expect(bench.last(id).delivery).toMatchObject({ status: 'failed', error: 'cy@example.org: 550 no such user' });
    const [again] = await bench.leave();
    expect(again?.envelope).toEqual(['bo@example.org']);
    expect(await heads([again as Leaving])).toMatchObject([{ to: ['mia@customer.example'], cc: ['bo@example.org'] }]);
    expect(recipients(id).map(([, , status]) => status)).toEqual(['sent', 'sent', 'failed']);
  });

  test('a bounce pauses the one whose mail came back, and a resend goes to them alone', async () => {
    const id = await opened();
    await reply(id);
    const [sent] = await bench.leave();
    await bench.post(bounceOf(sent?.messageId ?? '', 'bo@example.org'), { from: '' });
    expect(recipients(id).map(([, , status]) => status)).toEqual(['sent', 'bounced', 'sent']);
    const paused = () =>
      bench.desk
        .read((tx) => listParticipants(tx, bench.desk.context({ kind: 'command_line' }, 't'), id ?? 0))
        .flatMap(({ person, pausedAt }) => (pausedAt === null ? [] : [person.email]));
    expect(paused()).toEqual(['bo@example.org']);
    await bench.post(bounceOf(sent?.messageId ?? '', 'bo@example.org'), { from: '' });
    const told = bench.events(id).filter(({ kind }) => kind === 'ticket.participants_changed');
    expect(told).toMatchObject([{ actor: { type: 'mail' }, data: { paused: [{ email: 'bo@example.org' }] } }]);
    await bench.do((tx, ctx) => resendReply(tx, ctx, id ?? 0, bench.last(id).ulid).message);
    expect((await bench.leave()).map(({ envelope }) => envelope)).toEqual([['bo@example.org']]);
    expect(paused()).toEqual([]);
    await bench.post(bounceOf(sent?.messageId ?? '', 'stranger@example.org'), { from: '' });
    expect(paused()).toEqual([]);
  });

  test('a bounce whose Message-ID a server replaced pauses the one whom it names, and no one if it names a stranger', async () => {
    const id = await opened();
    await reply(id);
    const [sent] = await bench.leave();
    const returned = (sent?.raw.split('\r\n\r\n', 1)[0] ?? '').replace(
      /^Message-ID:.*$/im,
      'Message-ID: <0102@mailer.example>',
    );
    await bench.post(bounceOf('<0102@mailer.example>', 'stranger@example.org', [returned]), { from: '' });
    expect(recipients(id).map(([, , status]) => status)).toEqual(['sent', 'sent', 'sent']);
    await bench.post(bounceOf('<0102@mailer.example>', 'cy@example.org', [returned]), { from: '' });
    expect(recipients(id).map(([, , status]) => status)).toEqual(['sent', 'sent', 'bounced']);
  });

  test('a report that it reached one and not another pauses only the other', async () => {
    const id = await opened();
    await reply(id);
    const [sent] = await bench.leave();
    const report = bounceOf(sent?.messageId ?? '', 'bo@example.org').replace(
      '\r\n--b\r\nContent-Type: message/rfc822',
      '\r\n\r\nFinal-Recipient: rfc822; cy@example.org\r\nAction: relayed\r\nStatus: 2.0.0$&',
    );
    await bench.post(report, { from: '' });
    expect(recipients(id).map(([, , status]) => status)).toEqual(['sent', 'bounced', 'sent']);
  });

  test('of several whom it did not reach, one can be chosen', async () => {
    const id = await opened();
    await reply(id);
    await attempt(
      ['mia@customer.example', 'bo@example.org', 'cy@example.org'].map((address, at) => ({
        address,
        code: at === 0 ? null : 550,
        response: '550 no such user',
      })),
      { outcome: 'failed', isGone: false },
    );
    const again = (only: string[]) =>
      bench.do((tx, ctx) => resendReply(tx, ctx, id ?? 0, bench.last(id).ulid, only).message.id);
    await expect(again(['mia@customer.example'])).rejects.toMatchObject({ errors: { to: expect.anything() } });
    await again(['cy@example.org']);
    expect(recipients(id).map(([, , status]) => status)).toEqual(['sent', 'failed', 'queued']);
    expect((await bench.leave()).map(({ envelope }) => envelope)).toEqual([['cy@example.org']]);
  });

  test('someone who is paused gets mail again once an agent adds them again', async () => {
    const id = await opened();
    await bench.do((tx, ctx) => suppressAddress(tx, bench.site.id, 'bo@example.org', '5.1.1', ctx.now));
    await bench.do((tx, ctx) => addParticipant(tx, ctx, id ?? 0, { email: 'bo@example.org' }).participant.id);
    await reply(id);
    expect(recipients(id).map(([, , status]) => status)).toEqual(['queued', 'queued', 'queued']);
  });
});

describe('a reply that waits', () => {
  const commandLine = () => bench.desk.context({ kind: 'command_line' }, 'test');
  const remove = (id: number | null, email: string) =>
    bench.do((tx, ctx) => {
      const found = listParticipants(tx, ctx, id ?? 0).find(({ person }) => person.email === email);
      removeParticipant(tx, ctx, id ?? 0, found?.id ?? 0);
      return null;
    });
  const schedule = (id: number | null, input: Given = {}) =>
    bench.do((tx, ctx) => answerTicket(tx, ctx, id ?? 0, said({ hold_seconds: 10, ...input })).ticket.id);
  const send = () => {
    bench.clock.advance(11_000);
    return bench.do((tx, ctx) => sendDue(tx, ctx).done.length);
  };

  test('goes to whom it named, without those who were removed meanwhile', async () => {
    const id = await opened();
    await schedule(id, { to: people('mia@customer.example'), cc: people('bo@example.org', 'cy@example.org') });
    bench.clock.advance(1000);
    await remove(id, 'bo@example.org');
    await send();
    expect(recipients(id).map(([, email]) => email)).toEqual(['mia@customer.example', 'cy@example.org']);
  });

  test('no longer, leaves out who is removed before its mail leaves, and says why', async () => {
    const id = await opened();
    await reply(id, { bcc: people('ed@example.org') });
    await bench.do((tx, ctx) => addParticipant(tx, ctx, id ?? 0, { email: 'ed@example.org' }).participant.id);
    await remove(id, 'bo@example.org');
    await remove(id, 'ed@example.org');
    const [sent, ...more] = await bench.leave();
    expect(more).toEqual([]);
    expect(await heads([sent as Leaving])).toMatchObject([{ to: ['mia@customer.example'], cc: ['cy@example.org'] }]);
    expect(sent?.envelope).toEqual(['mia@customer.example', 'cy@example.org']);
    const why = 'They were removed from the ticket before this mail left.';
    expect(bench.last(id).recipients?.map(({ email, status, error }) => [email, status, error])).toEqual([
      ['mia@customer.example', 'sent', null],
      ['bo@example.org', 'failed', why],
      ['cy@example.org', 'sent', null],
      ['ed@example.org', 'failed', why],
    ]);
    // Those who got it can open its link: who was removed never had it.
    const [, link] = /\/t\/\w+#(hdl_\S+)/.exec((await read(sent as Leaving)).text ?? '') ?? [];
    const [ctx, { ulid }] = [commandLine(), bench.ticket(id)];
    expect(bench.desk.read((tx) => findLink(tx, ctx, ulid, link ?? '').link)).toMatchObject({ kind: 'shared' });
  });

  test('and a person who comes back in time gets it', async () => {
    const id = await opened();
    await reply(id);
    await remove(id, 'bo@example.org');
    await bench.do((tx, ctx) => addParticipant(tx, ctx, id ?? 0, { email: 'bo@example.org' }).participant.id);
    expect((await bench.leave()).map(({ envelope }) => envelope)).toEqual([
      ['mia@customer.example', 'bo@example.org', 'cy@example.org'],
    ]);
  });

  test('a mail to no one else does not leave, and what waits behind it does', async () => {
    const id = await opened();
    await reply(id, { to: people('bo@example.org') });
    await remove(id, 'bo@example.org');
    await reply(id, { to: people('bo@example.org'), body: 'They take part again.' });
    await remove(id, 'bo@example.org');
    bench.clock.advance(1);
    // An agent chose them after they were removed.
    await reply(id, { bcc: people('bo@example.org') });
    const leaving = await bench.leave();
    expect(leaving.map(({ event, envelope }) => [event, envelope])).toEqual([
      ['mail.agent_reply', ['mia@customer.example', 'cy@example.org']],
      ['mail.reply_copy', ['bo@example.org']],
    ]);
    expect(bench.messages(id).map(({ delivery }) => delivery?.status)).toEqual([undefined, 'failed', 'failed', 'sent']);
  });

  test('who became an agent of the site is left out too; the author never is', async () => {
    const id = await opened();
    await reply(id);
    for (const email of ['bo@example.org', 'mia@customer.example'])
      await bench.do((tx, ctx) => {
        addAgent(tx, ctx, { email, name: email, sites: [bench.site.id] });
        return null;
      });
    expect((await bench.leave()).map(({ envelope }) => envelope)).toEqual([['mia@customer.example', 'cy@example.org']]);
    expect(bench.last(id).recipients?.[1]).toMatchObject({
      status: 'failed',
      error: 'They became an agent of the site before this mail left.',
    });
  });

  test('is sent again to whom it did not reach, and to who was removed only by name', async () => {
    const id = await opened();
    await reply(id);
    await remove(id, 'bo@example.org');
    await bench.leave();
    const again = (only: string[] | null = null) =>
      bench.do((tx, ctx) => resendReply(tx, ctx, id ?? 0, bench.last(id).ulid, only).message.id);
    await expect(again()).rejects.toMatchObject({ reason: 'recipients_removed' });
    await bench.do((tx) => {
      const { id: messageId, recipients: all } = bench.last(id);
      noteRecipients(
        tx,
        messageId,
        (all ?? []).map((one) => (one.email === 'cy@example.org' ? { ...one, status: 'failed' } : one)),
      );
      return null;
    });
    await again();
    expect((await bench.leave()).map(({ envelope }) => envelope)).toEqual([['cy@example.org']]);
    bench.clock.advance(1);
    await again(['bo@example.org']);
    expect((await bench.leave()).map(({ envelope }) => envelope)).toEqual([['bo@example.org']]);
  });

  test('without recipients goes to the people on the ticket at that time', async () => {
    const id = await opened();
    await schedule(id);
    await bench.do((tx, ctx) => addParticipant(tx, ctx, id ?? 0, { email: 'di@example.org' }).participant.id);
    await send();
    expect(recipients(id)).toHaveLength(4);
  });
});

test('a note has no recipients, and a ticket for tests mails no one', async () => {
  const id = await opened();
  await bench.do((tx, ctx) => addNote(tx, ctx, id ?? 0, { body: 'Seen.' }).message.id);
  expect(bench.last(id).recipients).toBeNull();
  expect(await bench.leave()).toEqual([]);
});

describe('erasing', () => {
  const erase = (email: string) =>
    bench.do((tx, ctx) => {
      eraseAuthor(tx, ctx, { site_id: bench.site.id, email });
      return null;
    });
  const traces = () =>
    bench.desk.read((tx) =>
      ['messages', 'deliveries', 'customer_links', 'participants', 'authors', 'events', 'scheduled_replies']
        .map((table) => JSON.stringify(query(tx, `SELECT * FROM ${table}`).all()))
        .join(),
    );

  test('a participant takes them from what was sent and from what waits; the others still get it', async () => {
    const id = await opened();
    await reply(id, { to: people('bo@example.org'), cc: people('cy@example.org') });
    await erase('bo@example.org');
    expect(traces()).not.toMatch(/bo@example|Berg/);
    expect((await bench.leave()).map(({ envelope }) => envelope)).toEqual([['cy@example.org']]);
  });

  test('someone who only ever got a copy is found by their address', async () => {
    const id = await opened();
    await reply(id, { bcc: people('ed@example.org') });
    await erase('ed@example.org');
    expect(traces()).not.toContain('ed@example.org');
    expect((await bench.leave()).map(({ envelope }) => envelope)).toEqual([
      ['mia@customer.example', 'bo@example.org', 'cy@example.org'],
    ]);
  });
});

function bounceOf(messageId: string, address: string, returned = [`Message-ID: ${messageId}`, 'Subject: Re']): string {
  return [
    'From: MAILER-DAEMON@mx.example',
    'To: support@desk.example',
    'Subject: Undelivered Mail Returned to Sender',
    `Message-ID: <bounce-${address}-${Math.random()}@mx.example>`,
    'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'It could not be delivered.',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example',
    '',
    `Final-Recipient: rfc822; ${address}`,
    'Action: failed',
    'Status: 5.1.1',
    'Diagnostic-Code: smtp; 550 no such user',
    '--b',
    'Content-Type: message/rfc822',
    '',
    ...returned,
    '',
    'x',
    '--b--',
  ].join('\r\n');
}
