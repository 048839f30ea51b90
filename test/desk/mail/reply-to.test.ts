// Whom a mail is from, and where its answers go, when Reply-To, a Google group or a contact form names someone else than From.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { eraseAuthor } from '../../../src/desk/customers/authors.ts';
import { addAgent } from '../../../src/desk/people/agents.ts';
import { changeSite } from '../../../src/desk/sites/sites.ts';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import { replyAsAgent } from '../../../src/desk/tickets/replies.ts';
import { settingsInput } from '../../../src/domain/input/sites.ts';
import { authorById } from '../../../src/store/customers/authors.ts';
import { insertInboundMail } from '../../../src/store/mail/inbound.ts';
import { isSuppressed, suppressAddress } from '../../../src/store/mail/suppressions.ts';
import { participantsOf } from '../../../src/store/tickets/participants.ts';
import { hour, type MailDesk, mail, mailDesk, minute } from './mail-desk.ts';

let bench: MailDesk;
beforeEach(async () => {
  bench = await mailDesk();
});
afterEach(() => bench.close());

const settings = (change: object) =>
  bench.do((tx, ctx) => changeSite(tx, ctx, String(bench.site.id), { settings: settingsInput.parse(change) }, null).id);
const authorOf = (ticketId: number | null) => {
  const { authorId } = bench.ticket(ticketId);
  const author = bench.desk.read((tx) => authorById(tx, authorId));
  return author && { email: author.email, name: author.name };
};
const peopleOn = (ticketId: number | null) =>
  bench.desk.read((tx) => participantsOf(tx, ticketId ?? 0)).map(({ person }) => person.email);
const answer = async (ticketId: number | null) => {
  await bench.leave();
  const { message } = await bench.do((tx, ctx) =>
    replyAsAgent(tx, ctx, ticketId ?? 0, { body: 'Have you tried water?' }),
  );
  return { message, sent: await bench.leave() };
};
const plus = (ticketId: number | null) => `ticket+${bench.ticket(ticketId).ulid}@desk.example`;
const proofOf = (domain: string) => `Authentication-Results: mx.desk.example; dmarc=pass header.from=${domain}`;
const trustsProofs = () => settings({ trusted_mail_servers: ['mx.desk.example'] });

const own = 'support@desk.example';
const group = 'help@shop.example';
const ofGroup = (address = group) => [
  'Precedence: list',
  `Mailing-list: list ${address}; contact ${address.replace('@', '+owners@')}`,
  `List-ID: <${address.replace('@', '.')}>`,
  `List-Post: <https://groups.example/post>, <mailto:${address}>`,
];
const throughGroup = (person: string, { by = group, headers = [] as string[], name = 'Mia Kay' } = {}) =>
  mail({
    from: `"'${name}' via Support" <${by}>`,
    to: by,
    headers: [...ofGroup(by), `Reply-To: ${name} <${person}>`, `X-Original-From: ${name} <${person}>`, ...headers],
  });
const throughForm = (person: string, from = 'wordpress@shop.example') =>
  mail({ from: `Web shop form <${from}>`, headers: [`Reply-To: ${person}`] });

const mia = { email: 'mia@home.example', name: 'Mia Kay' };

describe('a new ticket is of', () => {
  test.each<[string, string, string[], { email: string; name: string | null }]>([
    [
      'Reply-To',
      'Kim <kim@old.example>',
      ['Reply-To: Kim Roe <kim@new.example>'],
      { email: 'kim@new.example', name: 'Kim Roe' },
    ],
    [
      'Reply-To, in its stored form',
      'kim@old.example',
      ['Reply-To: KIM@Xn--gre-6ka8i.Example.'],
      { email: 'kim@größe.example', name: null },
    ],
    ['Reply-To, where From takes no answers', 'noreply@shop.example', ['Reply-To: Mia Kay <mia@home.example>'], mia],
    ['the first who is not the desk', group, [`Reply-To: ${own}, Mia Kay <mia@home.example>, bo@home.example`], mia],
    ['Reply-To in a second header', group, [`Reply-To: ${own}`, 'Reply-To: Mia Kay <mia@home.example>'], mia],
    ['a contact form’s Reply-To, with the desk in From', own, ['Reply-To: Mia Kay <mia@home.example>'], mia],
    [
      'X-Original-From of a group',
      `"'Mia Kay' via Support" <${group}>`,
      [...ofGroup(), `Reply-To: ${group}`, 'X-Original-From: Mia Kay <mia@home.example>'],
      mia,
    ],
    [
      'X-Original-From with an encoded name',
      `"'Mia Kay' via Support" <${own}>`,
      [...ofGroup(own), 'X-Original-From: =?utf-8?q?M=C3=ADa?= <mia@home.example>'],
      mia,
    ],
    [
      'X-Original-Sender alone',
      `"'Mia Kay' via Support" <${own}>`,
      [...ofGroup(own), 'X-Original-Sender: mia@home.example'],
      mia,
    ],
    [
      'From, whom Reply-To names too',
      'Mia Kay <mia@home.example>',
      ['Reply-To: boss@home.example, mia@home.example'],
      mia,
    ],
    ['From, where Reply-To is the desk', 'Mia Kay <mia@home.example>', [`Reply-To: ${own}`], mia],
    [
      'From, where Reply-To is an address of a ticket',
      'Mia Kay <mia@home.example>',
      ['Reply-To: ticket+01J00000000000000000000000@desk.example'],
      mia,
    ],
    ['From, where Reply-To takes no answers', 'Mia Kay <mia@home.example>', ['Reply-To: no-reply@home.example'], mia],
    ['From, where Reply-To is no address', 'Mia Kay <mia@home.example>', ['Reply-To: Mia, at home'], mia],
    [
      'From, where Reply-To is of an erased person',
      'Mia Kay <mia@home.example>',
      ['Reply-To: anonymised-1@anonymised.invalid'],
      mia,
    ],
    [
      'From, where a list asks for answers to the list',
      'Mia Kay <mia@home.example>',
      [...ofGroup(), `Reply-To: ${group}`],
      mia,
    ],
    [
      'From, where no group says X-Original-From',
      'Mia Kay <mia@home.example>',
      ['X-Original-From: eve@evil.example', 'X-Original-Sender: eve@evil.example'],
      mia,
    ],
  ])('%s', async (_, from, headers, expected) => {
    const { ticketId } = await bench.post(mail({ from, headers }));
    expect(authorOf(ticketId)).toEqual(expected);
    const { sent } = await answer(ticketId);
    expect(sent.map(({ envelope }) => envelope)).toEqual([[expected.email]]);
    // Also what the form or another address of theirs sent is part of their thread.
    expect(sent[0]?.raw).toMatch(/^(In-Reply-To|References): <m\d+@customer\.example>/m);
  });

  test('From, where Reply-To is an alias that leads to the desk', async () => {
    const raw = mail({ from: 'Mia Kay <mia@home.example>', headers: ['Reply-To: hello@shop.example'] });
    const { ticketId } = await bench.post(raw, { to: 'hello@shop.example' });
    expect(authorOf(ticketId)).toEqual(mia);
    const later = mail({ from: 'Bo <bo@home.example>', headers: ['Reply-To: hello@shop.example'] });
    expect(authorOf((await bench.post(later, { to: own })).ticketId)?.email).toBe('bo@home.example');
  });

  test('From for what answers by itself, also when it is released', async () => {
    const raw = mail({
      from: 'Mia Kay <mia@home.example>',
      headers: ['Auto-Submitted: auto-replied', 'Reply-To: eve@evil.example'],
    });
    const row = await bench.post(raw);
    expect(row).toMatchObject({ outcome: 'ignored_auto_reply', ticketId: null });
    const { row: released } = await bench.mailroom.replay(null, row.id, { isReleased: true, forwardsAgain: false });
    expect(authorOf(released.ticketId)).toEqual(mia);
  });

  test('From with an empty return path', async () => {
    const raw = mail({ from: 'Mia Kay <mia@home.example>', headers: ['Reply-To: eve@evil.example'] });
    expect(authorOf((await bench.post(raw, { from: '' })).ticketId)).toEqual(mia);
  });
});

test('the desk does not write to itself', async () => {
  const { ticketId } = await bench.post(mail({ from: own }));
  expect(await bench.leave()).toEqual([]);
  const { message, sent } = await answer(ticketId);
  expect(sent).toEqual([]);
  expect(message.recipients).toMatchObject([{ email: own, status: 'failed' }]);
});

describe('a proof', () => {
  test('is of From, never of who Reply-To names', async () => {
    await trustsProofs();
    const eve = { from: 'eve@evil.example', headers: [proofOf('evil.example')] };
    const { ticketId } = await bench.post(mail(eve));
    expect(bench.last(ticketId).senderVerified).toBe(true);
    const claimed = await bench.post(mail({ ...eve, headers: [...eve.headers, 'Reply-To: mia@home.example'] }));
    expect(authorOf(claimed.ticketId)?.email).toBe('mia@home.example');
    expect(bench.last(claimed.ticketId).senderVerified).toBe(false);
  });

  test('that From is forged holds the mail, with any Reply-To', async () => {
    await trustsProofs();
    const headers = ['Authentication-Results: mx.desk.example; dmarc=fail header.from=home.example'];
    const raw = mail({ from: 'mia@home.example', headers: [...headers, 'Reply-To: eve@evil.example'] });
    expect(await bench.post(raw)).toMatchObject({ outcome: 'held', heldFor: 'forged' });
  });
});

describe('many people', () => {
  const outcomes = async (raws: string[]) => {
    const rows = [];
    for (const raw of raws) rows.push(await bench.post(raw));
    return rows.map(({ outcome }) => outcome);
  };
  const twelve = Array.from({ length: 12 }, (_, at) => `p${at}@home.example`);
  const filed = (opened: number, held = 0) => [...Array(opened).fill('ticket_created'), ...Array(held).fill('held')];

  test.each([group, own])('through the group %s are as many customers, none of them held', async (by) => {
    expect(await outcomes(twelve.map((person) => throughGroup(person, { by })))).toEqual(filed(12));
    expect(bench.tickets().map(({ id }) => authorOf(id)?.email)).toEqual(twelve);
    expect(bench.inboundLog().map(({ sender }) => sender)).toEqual(twelve);
    expect(await bench.leave()).toEqual([]);
    // Each of them is limited.
    expect(await outcomes(Array.from({ length: 12 }, () => throughGroup('one@home.example', { by })))).toEqual(
      filed(10, 2),
    );
  });

  test('through a form that the site allows and proves are as many customers', async () => {
    await trustsProofs();
    await settings({ allowed_senders: ['wordpress@shop.example'] });
    const proven = (person: string) => `${proofOf('shop.example')}\r\n${throughForm(person)}`;
    expect(await outcomes(twelve.map(proven))).toEqual(filed(12));
    expect(await outcomes(twelve.map((person) => throughForm(`x${person}`)))).toEqual(filed(10, 2));
  });

  test('whom one stranger names get no more mail than one stranger causes', async () => {
    expect(await outcomes(twelve.map((person) => throughForm(person, 'eve@evil.example')))).toEqual(filed(10, 2));
    expect((await bench.leave()).map(({ recipient }) => recipient)).toEqual(twelve.slice(0, 10));
  });

  test('who name one person cause no more than that person may', async () => {
    const raws = twelve.map((person) => throughForm('victim@home.example', person));
    expect(await outcomes(raws)).toEqual(filed(10, 2));
    expect((await bench.leave()).map(({ recipient }) => recipient)).toEqual(['victim@home.example']);
    bench.clock.advance(hour + 1);
    expect(await outcomes(raws.slice(0, 1).map(() => throughForm('victim@home.example', 'late@evil.example')))).toEqual(
      filed(1),
    );
  });
});

describe('a person who is blocked', () => {
  test.each([
    ['in From, under another Reply-To', 'eve@evil.example', 'mia@home.example', 'eve@evil.example is blocked.'],
    ['in Reply-To, under another From', 'mia@home.example', 'eve@evil.example', 'eve@evil.example is blocked.'],
  ])('%s', async (_, from, replyTo, reason) => {
    await settings({ blocked_senders: ['evil.example'], allowed_senders: ['mia@home.example'] });
    expect(await bench.post(mail({ from, headers: [`Reply-To: ${replyTo}`] }))).toMatchObject({
      outcome: 'discarded',
      reason,
    });
    const through = await bench.post(throughGroup('eve@evil.example', { name: 'Eve' }));
    expect(through).toMatchObject({ outcome: 'discarded', sender: 'eve@evil.example' });
  });

  test('as the author of spam is held in either header', async () => {
    const { ticketId } = await bench.post(mail({ from: 'eve@evil.example' }));
    await bench.do((tx, ctx) => changeTicket(tx, ctx, String(ticketId), { is_spam: true }, null));
    for (const raw of [
      mail({ from: 'eve@evil.example', headers: ['Reply-To: mia@home.example'] }),
      mail({ from: 'mia@home.example', headers: ['Reply-To: eve@evil.example'] }),
    ])
      expect(await bench.post(raw)).toMatchObject({ outcome: 'held', heldFor: 'spam' });
  });

  test('spam through a group does not hold the others', async () => {
    const { ticketId } = await bench.post(throughGroup('eve@evil.example'));
    await bench.do((tx, ctx) => changeTicket(tx, ctx, String(ticketId), { is_spam: true }, null));
    expect((await bench.post(throughGroup('mia@home.example'))).outcome).toBe('ticket_created');
    expect((await bench.post(throughGroup('eve@evil.example'))).outcome).toBe('held');
  });

  test('allowing someone allows nothing to who names them in Reply-To', async () => {
    await settings({ allowed_senders: ['mia@home.example'] });
    const { ticketId } = await bench.post(mail({ from: 'eve@evil.example' }));
    await bench.do((tx, ctx) => changeTicket(tx, ctx, String(ticketId), { is_spam: true }, null));
    const raw = mail({ from: 'eve@evil.example', headers: ['Reply-To: mia@home.example'] });
    expect((await bench.post(raw)).outcome).toBe('held');
  });
});

describe("on someone's ticket a hostile Reply-To", () => {
  let ticketId: number | null;
  beforeEach(async () => {
    ({ ticketId } = await bench.post(mail({ from: 'Mia Kay <mia@home.example>', headers: ['Cc: bo@home.example'] })));
  });
  const unchanged = () => {
    expect(authorOf(ticketId)).toEqual(mia);
    expect(peopleOn(ticketId)).toEqual(['bo@home.example']);
  };

  test.each([
    ['under the name of its author', 'Mia Kay <mia@home.example>'],
    ['under the name of someone on it', 'bo@home.example'],
    ['of a stranger', 'eve@evil.example'],
  ])('%s brings no one in', async (_, from) => {
    const headers = ['Reply-To: eve@evil.example', 'X-Original-From: eve@evil.example'];
    for (const [subject, to] of [
      [`[#${ticketId}] x`, own],
      ['x', plus(ticketId)],
    ])
      await bench.post(mail({ from, to: to ?? own, subject: subject ?? '', headers }));
    unchanged();
    const { sent } = await answer(ticketId);
    expect(sent.flatMap(({ envelope }) => envelope).toSorted()).toEqual(['bo@home.example', 'mia@home.example']);
  });

  test('does not find the ticket by its number in the name of its author', async () => {
    const raw = mail({
      from: 'eve@evil.example',
      subject: `[#${ticketId}] x`,
      headers: ['Reply-To: mia@home.example'],
    });
    const row = await bench.post(raw);
    expect(row.outcome).toBe('ticket_created');
    expect(row.ticketId).not.toBe(ticketId);
    unchanged();
  });

  test('lets no stranger speak as its author, nor bring others in', async () => {
    const headers = ['Reply-To: mia@home.example', 'Cc: eve2@evil.example'];
    await bench.post(mail({ from: 'eve@evil.example', to: plus(ticketId), headers }));
    await bench.post(
      mail({ from: 'eve@evil.example', to: plus(ticketId), headers: [...ofGroup('eve@evil.example'), ...headers] }),
    );
    expect(bench.messages(ticketId).map(({ authorName }) => authorName)).toEqual([
      'Mia Kay',
      'eve@evil.example',
      'eve@evil.example',
    ]);
    expect(bench.last(ticketId).senderVerified).toBe(false);
    unchanged();
  });

  test('through the group of the desk is its author’s answer, unproven, and brings no one in', async () => {
    const raw = throughGroup('mia@home.example', { by: own, headers: ['Cc: eve@evil.example'] });
    expect((await bench.post(raw, { to: plus(ticketId) })).ticketId).toBe(ticketId);
    expect(bench.last(ticketId)).toMatchObject({ authorId: bench.ticket(ticketId).authorId, senderVerified: false });
    unchanged();
  });

  test('does not become a note of the agent whom it names', async () => {
    await bench.do((tx, ctx) => addAgent(tx, ctx, { name: 'Grace', email: 'grace@desk.example' }));
    const headers = ['Reply-To: grace@desk.example'];
    await bench.post(mail({ from: 'eve@evil.example', to: plus(ticketId), headers }));
    expect(bench.last(ticketId)).toMatchObject({
      isInternal: false,
      authorName: 'eve@evil.example',
      senderVerified: false,
    });
  });
});

test('who opened a ticket under another address goes on with it, unproven', async () => {
  await trustsProofs();
  const kim = { from: 'Kim <kim@old.example>', headers: [proofOf('old.example'), 'Reply-To: Kim <kim@new.example>'] };
  const { ticketId } = await bench.post(mail(kim));
  await bench.post(mail({ ...kim, to: plus(ticketId) }));
  expect(bench.messages(ticketId).map(({ authorId }) => authorId)).toEqual(
    Array(2).fill(bench.ticket(ticketId).authorId),
  );
  expect(bench.last(ticketId).senderVerified).toBe(false);
});

describe('a person whom a stranger names', () => {
  test('is not renamed', async () => {
    const first = await bench.post(mail({ from: 'Mia Kay <mia@home.example>' }));
    await bench.post(throughForm('Click here <mia@home.example>'));
    expect(authorOf(first.ticketId)).toEqual(mia);
  });

  test('gets no mail as long as mail to them comes back', async () => {
    const isStopped = () => bench.desk.read((tx) => isSuppressed(tx, bench.site.id, 'mia@home.example'));
    await bench.do((tx, ctx) => {
      suppressAddress(tx, bench.site.id, 'mia@home.example', '550', ctx.now);
      return null;
    });
    await bench.post(throughForm('mia@home.example'));
    expect(isStopped()).toBe(true);
    expect(await bench.leave()).toEqual([]);
    await bench.post(mail({ from: 'mia@home.example' }));
    expect(isStopped()).toBe(false);
  });

  test('is erased with the mail that names them, and not brought back by mail that waited', async () => {
    const { id, ticketId } = await bench.post(throughForm('Mia Kay <mia@home.example>'));
    const raw = throughForm('Mia Kay <mia@home.example>');
    const ulid = '01K4Z0000000000000000000B1';
    await (await bench.mailBlobs.stage(new Blob([raw]).stream(), 10_000)).keep(ulid);
    const waiting = await bench.do((tx, ctx) =>
      insertInboundMail(tx, {
        ulid,
        siteId: bench.site.id,
        provider: 'raw',
        headers: {},
        size: raw.length,
        sha256: null,
        receivedAt: ctx.now,
        retryAt: ctx.now,
      }),
    );
    bench.clock.advance(minute);
    await bench.do((tx, ctx) => eraseAuthor(tx, ctx, { site_id: bench.site.id, email: 'mia@home.example' }).author);
    expect(authorOf(ticketId)?.name).toBe('Anonymised');
    await bench.mailroom.recover('all');
    const rows = bench.inboundLog().filter((row) => [id, waiting].includes(row.id));
    expect(rows.map(({ erasedAt }) => erasedAt)).not.toContain(null);
    expect(bench.tickets()).toHaveLength(1);
  });
});
