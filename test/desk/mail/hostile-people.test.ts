// People on a ticket who do what they should not: forge, loop, flood, and hide commands in what they write.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { simpleParser } from 'mailparser';
import { addAgent } from '../../../src/desk/people/agents.ts';
import { triggers } from '../../../src/desk/rules/triggers.ts';
import { customFields } from '../../../src/desk/sites/catalogue/custom-fields.ts';
import { changeSite } from '../../../src/desk/sites/sites.ts';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import { addParticipant, listParticipants } from '../../../src/desk/tickets/participants.ts';
import { replyAsAgent } from '../../../src/desk/tickets/replies.ts';
import { openTicket } from '../../../src/desk/tickets/tickets.ts';
import { triggerInput } from '../../../src/domain/input/automation.ts';
import { ingestTicketInput } from '../../../src/domain/input/tickets.ts';
import { suppressAddress } from '../../../src/store/mail/suppressions.ts';
import { triggerRows } from '../../../src/store/sites/catalogue.ts';
import { type Leaving, type MailDesk, mail, mailDesk, minute } from './mail-desk.ts';

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

const on = (desk: MailDesk, id: number | null) =>
  desk.desk.read((tx) => listParticipants(tx, desk.desk.context({ kind: 'command_line' }, 't'), id ?? 0));
const addresses = (desk: MailDesk, id: number | null) => on(desk, id).map(({ person }) => person.email);
const addressOf = (desk: MailDesk, id: number | null) =>
  `ticket+${desk.ticket(id).ulid}@${desk === here ? 'here' : 'there'}.example`;
const reply = (desk: MailDesk, id: number | null, body = 'Try again.') =>
  desk.do((tx, ctx) => replyAsAgent(tx, ctx, id ?? 0, { body }).message.id);
const opened = async (...headers: string[]) => {
  const { ticketId } = await here.post(mail({ to: 'support@here.example', headers }));
  await here.leave();
  return ticketId;
};
const resolve = (id: number | null) =>
  here.do((tx, ctx) => {
    changeTicket(tx, ctx, id ?? 0, { status: 'resolved' }, null);
    return null;
  });

test('a sender’s name is no longer than an agent could write it', async () => {
  const { ticketId } = await here.post(
    mail({ from: `${'A'.repeat(300)} <long@customer.example>`, to: 'support@here.example' }),
  );
  expect(here.last(ticketId).authorName).toBe('A'.repeat(255));
});

describe('two desks', () => {
  const deskAt = (address: string) =>
    address.endsWith('@here.example') ? here : address.endsWith('@there.example') ? there : null;
  /** Carries what leaves to everyone in the envelope, until nothing leaves. @returns how many copies came to a desk */
  async function carry(): Promise<number> {
    let carried = 0;
    for (let round = 0; round < 10; round += 1) {
      const leaving = [...(await here.leave()), ...(await there.leave())];
      if (leaving.length === 0) return carried;
      for (const { raw, envelope } of leaving)
        for (const to of envelope) {
          const desk = deskAt(to);
          if (desk === null) continue;
          carried += 1;
          await desk.post(raw, { to });
        }
    }
    throw new Error('They never stop.');
  }

  test('in the Cc of one mail write to each other only what their agents write', async () => {
    const raw = mail({ to: 'support@here.example', headers: ['Cc: support@there.example'] });
    const one = (await here.post(raw, { to: 'support@here.example' })).ticketId;
    const two = (await there.post(raw, { to: 'support@there.example' })).ticketId;
    expect(await carry()).toBe(0);
    expect([addresses(here, one), addresses(there, two)]).toEqual([
      ['support@there.example'],
      ['support@here.example'],
    ]);
    await reply(here, one);
    expect(await carry()).toBe(1);
    expect(there.tickets()).toHaveLength(1);
    await reply(there, two, 'We have tried.');
    expect(await carry()).toBe(1);
    // Mia answers all: the address of the other desk's ticket is then on both tickets.
    const all = mail({
      to: addressOf(there, two),
      headers: ['Cc: support@here.example, support@there.example', `In-Reply-To: ${header(raw, 'Message-ID')}`],
      body: 'It works now.',
    });
    for (const to of [addressOf(there, two), 'support@here.example', 'support@there.example'])
      await deskAt(to)?.post(all, { to });
    expect(await carry()).toBe(0);
    await reply(here, one, 'Good.');
    expect(await carry()).toBeLessThanOrEqual(2);
    await reply(there, two, 'Good, too.');
    expect(await carry()).toBeLessThanOrEqual(2);
    await resolve(one);
    expect(await carry()).toBe(0);
    expect([here.tickets(), there.tickets()].map((tickets) => tickets.length)).toEqual([1, 1]);
    const said = (desk: MailDesk, id: number | null) => desk.messages(id).map(({ body }) => body.split('\n', 1)[0]);
    const everything = [
      'It has been burning since nine.',
      'Try again.',
      'We have tried.',
      'It works now.',
      'Good.',
      'Good, too.',
    ];
    expect([said(here, one), said(there, two)]).toEqual([everything, everything]);
  });

  test('of which one writes to the other as a customer stop after one acknowledgement', async () => {
    await there.post(
      mail({ from: 'support@here.example', to: 'support@there.example', headers: ['Cc: support@here.example'] }),
    );
    expect(await carry()).toBe(1);
    expect(here.tickets()).toEqual([]);
  });
});

const header = (raw: string, name: string) => new RegExp(`^${name}: *(.*)$`, 'im').exec(raw)?.[1]?.trim() ?? '';

describe('a participant', () => {
  test.each([
    ['marked', ['Auto-Submitted: auto-replied'], 'Re: The printer burns'],
    ['by its subject', [], 'Automatic reply: The printer burns'],
    ['of old servers', ['Precedence: bulk', 'X-Autoreply: yes'], 'AW: The printer burns'],
  ])('who is away: an answer %s is a note that moves nothing', async (_, headers, subject) => {
    const id = await opened('Cc: bo@example.org');
    await reply(here, id);
    await here.leave();
    await resolve(id);
    await here.do((tx, ctx) => suppressAddress(tx, here.site.id, 'bo@example.org', '5.1.1', ctx.now));
    const row = await here.post(
      mail({
        from: 'bo@example.org',
        to: addressOf(here, id),
        subject,
        headers: [...headers, 'Cc: eve@example.org'],
        body: 'I am away.',
      }),
    );
    expect(row.outcome).toBe('ignored_auto_reply');
    expect(here.last(id)).toMatchObject({ isInternal: true });
    expect(here.ticket(id).status).toBe('resolved');
    expect(on(here, id).map(({ person, pausedAt }) => [person.email, pausedAt !== null])).toEqual([
      ['bo@example.org', true],
    ]);
    expect(await here.leave()).toEqual([]);
  });

  test('who is an agent of another site is a customer on this one', async () => {
    const blog = await here.siteNamed('Blog');
    await here.do((tx, ctx) =>
      addAgent(tx, ctx, { name: 'Ada', email: 'ada@here.example', role: 'member', sites: [blog.id] }),
    );
    const id = await opened('Cc: ada@here.example');
    expect(addresses(here, id)).toEqual(['ada@here.example']);
    const row = await here.post(
      mail({ from: 'Ada <ada@here.example>', to: addressOf(here, id), body: '/reply\n/resolve\nLet me.' }),
    );
    expect(row.outcome).toBe('reply_added');
    expect(here.last(id)).toMatchObject({ isAgent: false, isInternal: false, body: '/reply\n/resolve\nLet me.' });
    expect(here.ticket(id).status).toBe('open');
    await reply(here, id);
    const [sent] = await here.leave();
    expect(sent?.envelope).toEqual(['mia@customer.example', 'ada@here.example']);
    expect(sent?.raw).not.toMatch(/agent\+|\/tickets\//);
  });

  test('in whose name a forged mail was released brings no one in', async () => {
    await here.do((tx, ctx) => {
      changeSite(tx, ctx, 'web-shop', { settings: { trusted_mail_servers: ['mx.here.example'] } }, null);
      return null;
    });
    const id = await opened('Cc: bo@example.org');
    const forged = (from: string) =>
      mail({
        from,
        to: addressOf(here, id),
        headers: ['Authentication-Results: mx.here.example; dmarc=fail (p=reject)', 'Cc: eve@example.org'],
      });
    for (const from of ['mia@customer.example', 'bo@example.org']) {
      const row = await here.post(forged(from));
      expect(row.outcome).toBe('held');
      await here.mailroom.replay('web-shop', row.id, { isReleased: true, forwardsAgain: false });
      expect(here.last(id)).toMatchObject({ senderVerified: false });
    }
    expect(here.messages(id)).toHaveLength(3);
    expect(addresses(here, id)).toEqual(['bo@example.org']);
  });
});

describe('a mailing list in Cc', () => {
  test('gets replies once, sends them back to no effect, and its members are no participants', async () => {
    const id = await opened('Cc: Talk <talk@lists.example>');
    expect(addresses(here, id)).toEqual(['talk@lists.example']);
    await reply(here, id);
    const [sent] = await here.leave();
    expect(sent?.envelope).toEqual(['mia@customer.example', 'talk@lists.example']);
    const list = 'List-Id: <talk.lists.example>\r\nList-Post: <mailto:talk@lists.example>\r\nPrecedence: list\r\n';
    const back = await here.post(list + sent?.raw, { from: 'talk-bounces@lists.example', to: 'support@here.example' });
    expect(back.outcome).toBe('ignored_auto_reply');
    for (const member of ['ann', 'ben']) {
      const answer = mail({
        from: `${member}@lists.example`,
        to: 'talk@lists.example',
        headers: [`In-Reply-To: ${sent?.messageId}`, `Cc: ${member}2@lists.example`],
        body: `From ${member}.`,
      });
      const row = await here.post(list + answer, { from: 'talk-bounces@lists.example', to: 'support@here.example' });
      expect(row).toMatchObject({ outcome: 'reply_added', ticketId: id });
    }
    expect(addresses(here, id)).toEqual(['talk@lists.example']);
    expect(await here.leave()).toEqual([]);
  });
});

test('a mail that comes again by a mailing list, with its footer, opens no second ticket', async () => {
  const raw = mail({ to: 'support@here.example', headers: ['Cc: talk@lists.example'] });
  const { ticketId } = await here.post(raw);
  const copy = `List-Id: <talk.lists.example>\r\n${raw}\r\n_____\r\nTalk, our list`;
  expect(await here.post(copy)).toMatchObject({ outcome: 'reply_added', ticketId });
  const reused = mail({ id: header(raw, 'Message-ID'), body: 'Something else.' });
  expect((await here.post(reused)).outcome).toBe('ticket_created');
});

describe('names and addresses', () => {
  const names = [
    '=?utf-8?Q?Bo=0D=0ABcc:_eve=40evil.example?=',
    '"Bo\\" <eve@evil.example>, \\"Bo"',
    `"${'x'.repeat(10_000)}"`,
    '=?utf-8?Q?=E2=80=AEtxt.exe=E2=81=A6?=',
    '=?utf-8?Q?=E2=80=A8Subject:_You_have_won?=',
    '=?utf-8?B?PD91dGYtOD9RP0V2ZT89PGV2ZUBldmlsLmV4YW1wbGU+?=',
  ];

  test.each(names)('%j brings no header into any mail, and writes to no one else', async (name) => {
    const agent = await here.do((tx, ctx) =>
      addAgent(tx, ctx, { name: 'Grace', email: 'grace@here.example', role: 'member', sites: [here.site.id] }),
    );
    const { ticketId: id } = await here.post(
      mail({
        from: `${name} <mia@customer.example>`,
        to: 'support@here.example',
        headers: [`Cc: ${name} <bo@example.org>`],
      }),
    );
    await here.do((tx, ctx) => changeTicket(tx, ctx, id ?? 0, { assigned_to: agent.id }, null));
    here.clock.advance(10 * minute);
    await here.post(
      mail({ from: `${name} <bo@example.org>`, to: addressOf(here, id), headers: [`Cc: ${name} <di@example.org>`] }),
    );
    await reply(here, id);
    const sent: Leaving[] = await here.leave();
    expect(sent.map(({ event }) => event).sort()).toEqual([
      'mail.acknowledgement',
      'mail.agent_reply',
      'mail.assigned',
      'mail.customer_replied',
    ]);
    for (const { raw, envelope } of sent) {
      const parsed = await simpleParser(raw);
      const named = [parsed.to ?? [], parsed.cc ?? []]
        .flat()
        .flatMap(({ value }) => value.map(({ address }) => address));
      expect(named.toSorted()).toEqual(envelope.toSorted());
      expect(parsed.headers.has('bcc')).toBe(false);
      expect(named.join()).not.toContain('evil');
      expect(parsed.subject).not.toMatch(/You have won|[\u202a-\u202e\u2066-\u2069]/);
      const [head = ''] = raw.split('\r\n\r\n', 1);
      for (const line of head.split('\r\n')) expect(line.length).toBeLessThan(998);
    }
  });

  test('by the hundred in Cc take a moment and change one line of history', async () => {
    const many = (count: number, domain: string) =>
      Array.from({ length: count }, (_, at) => `p${at}@${domain}`).join(',\r\n ');
    const id = await opened('Cc: bo@example.org');
    const raw = mail({ to: addressOf(here, id), headers: [`Cc: ${many(500, 'crowd.example')}`] });
    const before = here.desk.writer.batches.commits;
    const row = await here.post(raw);
    expect(row.outcome).toBe('reply_added');
    expect(here.desk.writer.batches.commits - before).toBeLessThan(5);
    expect(on(here, id)).toHaveLength(30);
    expect(here.events(id).filter(({ kind }) => kind === 'ticket.participants_changed')).toHaveLength(1);
    await reply(here, id);
    expect((await here.leave())[0]?.envelope).toHaveLength(31);
  });
});

describe('people whom a stranger names, where a rule answers every message', () => {
  const spam = 'Buy at evil.example';
  const crowd = (count: number) => Array.from({ length: count }, (_, at) => `p${at}@crowd.example`);
  beforeEach(async () => {
    const rule = { name: 'Answers', on: ['created', 'customer_message'], conditions: [] };
    const actions = [{ type: 'reply', value: { body: 'We read it on Monday.', as: 'desk', is_repeated: true } }];
    await here.do((tx, ctx) => triggers.add(tx, ctx, here.site.slug, triggerInput.parse({ ...rule, actions })).row.id);
  });
  const answers = async () => (await here.leave()).filter(({ event }) => event === 'mail.agent_reply');

  test('get no mail until an agent answers, and no word of the stranger by a rule at all', async () => {
    const byMail = mail({
      to: 'support@here.example',
      subject: spam,
      body: spam,
      headers: [`Cc: ${crowd(500).join()}`],
    });
    const { ticketId: id } = await here.post(byMail);
    expect(on(here, id)).toHaveLength(30);
    const cc = crowd(10).map((email) => ({ email }));
    const wanted = ingestTicketInput.parse({ email: 'victim@else.example', subject: spam, message: spam, cc });
    await here.desk.write((tx) => {
      openTicket(tx, here.desk.context({ kind: 'application', siteId: here.site.id }, 'test'), here.site, wanted);
      return null;
    });
    const sent = await answers();
    expect(sent.map(({ envelope }) => envelope)).toEqual([['mia@customer.example'], ['victim@else.example']]);
    for (const { raw } of sent) {
      const { subject, text } = await simpleParser(raw);
      expect(text).toContain('We read it on Monday.');
      expect(`${subject} ${text}`).not.toContain('evil');
    }
  });

  describe('and the rule repeats what customers wrote', () => {
    const passed = 'Authentication-Results: mx.here.example; dmarc=pass header.from=customer.example';
    const failed = 'Authentication-Results: mx.here.example; dmarc=none header.from=customer.example';
    beforeEach(async () => {
      const body =
        'Dear {{author.name}}, {{ticket.reference}} “{{ticket.subject}}” ({{field.order}}): {{message.body}} OK';
      const actions = [{ type: 'reply', value: { body, as: 'desk', is_repeated: true } }];
      await here.do((tx, ctx) => {
        const { site } = here;
        customFields.add(tx, ctx, site.slug, { key: 'order', label: 'Order', type: 'text', is_author_visible: true });
        changeSite(tx, ctx, String(site.id), { settings: { trusted_mail_servers: ['mx.here.example'] } }, null);
        for (const { id } of triggerRows.list(tx, site.id)) triggers.remove(tx, ctx, site.slug, id, null);
        const on = ['created', 'customer_message', 'tagged'];
        return triggers.add(tx, ctx, site.slug, triggerInput.parse({ name: 'Repeats', on, conditions: [], actions }))
          .row.id;
      });
    });
    const words = `${spam} now`;
    /** What the rule has mailed: to whom, and whether the words of the customer are in it. */
    const told = async () =>
      await Promise.all(
        (await answers()).map(async ({ envelope, raw }) => {
          const { text = '' } = await simpleParser(raw);
          expect(text).toMatch(/Dear .*#\d+ “.*OK/s);
          return [...envelope, text.includes('evil') ? 'repeats' : 'keeps still'];
        }),
      );
    const from = (name: string) => `${name} <mia@customer.example>`;

    test('the words of who is not proven go to no one', async () => {
      const forged = { from: from(spam), to: 'support@here.example', subject: spam, body: words };
      for (const headers of [[], [failed]]) await here.post(mail({ ...forged, headers }));
      const claimed = [passed, 'Reply-To: victim@else.example'];
      await here.post(mail({ ...forged, headers: claimed }));
      const wanted = {
        email: 'app@else.example',
        name: spam,
        subject: spam,
        message: words,
        custom_fields: { order: spam },
      };
      await here.desk.write((tx) => {
        const ctx = here.desk.context({ kind: 'application', siteId: here.site.id }, 'test');
        openTicket(tx, ctx, here.site, ingestTicketInput.parse(wanted));
        return null;
      });
      expect(await told()).toEqual([
        ['mia@customer.example', 'keeps still'],
        ['mia@customer.example', 'keeps still'],
        ['victim@else.example', 'keeps still'],
        ['app@else.example', 'keeps still'],
      ]);
    });

    test('nor does a forged answer to what an agent wrote, or one of someone else', async () => {
      const { ticketId: id } = await here.post(mail({ to: 'support@here.example', headers: [passed] }));
      here.clock.advance(minute);
      await reply(here, id);
      await here.leave();
      for (const headers of [[], [passed]]) {
        const sender = headers.length === 0 ? from(spam) : 'eve@customer.example';
        await here.post(mail({ from: sender, to: addressOf(here, id), body: words, headers }));
      }
      expect(await told()).toEqual([
        ['mia@customer.example', 'keeps still'],
        ['mia@customer.example', 'keeps still'],
      ]);
    });

    test('proven words go back to who wrote them, and to no one else', async () => {
      const own = { to: 'support@here.example', subject: spam, body: words, headers: [passed] };
      const { ticketId: id } = await here.post(mail(own));
      expect(await told()).toEqual([['mia@customer.example', 'repeats']]);
      await here.do((tx, ctx) => addParticipant(tx, ctx, id ?? 0, { email: 'bo@office.example' }).participant.id);
      await here.post(mail({ ...own, to: addressOf(here, id) }));
      expect(await told()).toEqual([['mia@customer.example', 'bo@office.example', 'keeps still']]);
    });

    test('what an agent sets off repeats what the agent has before them', async () => {
      const { ticketId: id } = await here.post(mail({ to: 'support@here.example', subject: spam }));
      await here.leave();
      await here.do((tx, ctx) => changeTicket(tx, ctx, id ?? 0, { tags: ['go'] }, null).ulid);
      expect(await told()).toEqual([['mia@customer.example', 'repeats']]);
    });
  });

  test('hear of the ticket from an agent first, and then from rules too', async () => {
    const { ticketId: id } = await here.post(mail({ to: 'support@here.example', headers: ['Cc: bo@office.example'] }));
    await here.do((tx, ctx) => addParticipant(tx, ctx, id ?? 0, { email: 'cy@phone.example' }).participant.id);
    await here.leave();
    const written = (cc: string) => here.post(mail({ to: addressOf(here, id), headers: [`Cc: ${cc}`] }));
    here.clock.advance(minute);
    await written('di@post.example');
    expect((await answers()).map(({ envelope }) => envelope)).toEqual([['mia@customer.example', 'cy@phone.example']]);
    here.clock.advance(minute);
    await reply(here, id);
    await here.leave();
    here.clock.advance(minute);
    await written('ed@web.example');
    const [last] = await answers();
    expect(last?.envelope.toSorted()).toEqual(
      ['bo@office.example', 'cy@phone.example', 'di@post.example', 'mia@customer.example'].toSorted(),
    );
    expect((await simpleParser(last?.raw ?? '')).subject).toContain('The printer burns');
  });
});

test('who answers the mail of a rule does not come to the ticket', async () => {
  const mailed = { to: ['boss@else.example'], subject: 'Seen', body: 'He is angry.' };
  const rule = { name: 'Boss', on: ['created'], conditions: [], actions: [{ type: 'mail', value: mailed }] };
  await here.do((tx, ctx) => triggers.add(tx, ctx, here.site.slug, triggerInput.parse(rule)).row.id);
  const { ticketId: id } = await here.post(mail({ to: 'support@here.example' }));
  const [sent] = (await here.leave()).filter(({ event }) => event === 'mail.rule');
  const headers = [`In-Reply-To: ${sent?.messageId}`];
  const row = await here.post(mail({ from: 'boss@else.example', to: 'support@here.example', headers }));
  expect(row).toMatchObject({ outcome: 'ticket_created' });
  expect(here.messages(id)).toHaveLength(1);
});
