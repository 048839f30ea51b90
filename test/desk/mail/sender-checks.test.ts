// The desk's own SPF, DKIM, DMARC and ARC verdicts, and what becomes of mail by them.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { addMailbox } from '../../../src/desk/mail/mailboxes.ts';
import { changeSite } from '../../../src/desk/sites/sites.ts';
import { mailboxInput } from '../../../src/domain/input/mailboxes.ts';
import type { DnsAnswer } from '../../../src/domain/mail/sender-checks.ts';
import { query, type Tx } from '../../../src/engine/database.ts';
import { createDns } from '../../../src/net/dns-records.ts';
import { hour, type MailDesk, mailDesk } from './mail-desk.ts';
import { came, fakeDns, hop, keyRecord, relisted, signed } from './signed-mail.ts';

const customer = {
  'TXT customer.example': ['v=spf1 ip4:192.0.2.1 -all'],
  'TXT s1._domainkey.customer.example': [keyRecord],
};
const reject = { 'TXT _dmarc.customer.example': ['v=DMARC1; p=reject'] };
const evil = { 'TXT evil.example': ['v=spf1 +all'], 'TXT s1._domainkey.evil.example': [keyRecord] };
const dns = fakeDns({});
let desk: MailDesk;

beforeAll(async () => {
  desk = await mailDesk({ askDns: dns.ask });
});
afterAll(() => desk.close());
beforeEach(() => {
  // So that the limit of tickets an hour does not hold the mail.
  desk.clock.advance(2 * hour);
  dns.asked.length = 0;
});

const settings = (change: object) =>
  desk.do((tx, ctx) => changeSite(tx, ctx, String(desk.site.id), { settings: change }, null));

async function checked(
  raw: string,
  records: Record<string, DnsAnswer>,
  envelope: { from?: string } = { from: 'mia@customer.example' },
) {
  dns.records = new Map(Object.entries(records));
  const row = await desk.post(raw, envelope);
  return { row: desk.inboundLog().find(({ id }) => id === row.id) ?? row, ...row };
}
const verdictOf = async (...asked: Parameters<typeof checked>) => (await checked(...asked)).row.senderChecks?.verdict;

describe('of mail that no provider vouches for, the desk says', () => {
  test.each<[string, string, () => Promise<string> | string, Record<string, DnsAnswer>]>([
    ['pass', 'for the signature of the sender', () => signed(came(), 'customer.example'), { ...customer, ...reject }],
    ['pass', 'for a signature and no policy', () => signed(came(), 'customer.example'), customer],
    ['pass', 'for the servers of the sender', () => came({ client: '192.0.2.1' }), { ...customer, ...reject }],
    [
      'pass',
      'for an aligned subdomain',
      () => signed(came(), 'mail.customer.example'),
      { ...reject, 'TXT s1._domainkey.mail.customer.example': [keyRecord] },
    ],
    [
      'fail',
      'for a subdomain where alignment is strict',
      () => signed(came(), 'mail.customer.example'),
      {
        ...customer,
        'TXT _dmarc.customer.example': ['v=DMARC1; p=reject; adkim=s'],
        'TXT s1._domainkey.mail.customer.example': [keyRecord],
      },
    ],
    ['fail', 'for the signature of another', () => signed(came(), 'evil.example'), { ...customer, ...reject, ...evil }],
    [
      'fail',
      'for a policy of quarantine',
      () => came(),
      { ...customer, 'TXT _dmarc.customer.example': ['v=DMARC1; p=quarantine'] },
    ],
    [
      'none',
      'where the policy minds nothing',
      () => came(),
      { ...customer, 'TXT _dmarc.customer.example': ['v=DMARC1; p=none'] },
    ],
    ['none', 'where there is no policy', () => came(), {}],
    ['none', 'for the signature of another without a policy', () => signed(came(), 'evil.example'), evil],
    [
      'fail',
      'for an expired signature',
      () => signed(came(), 'customer.example', { expires: Date.now() - 60_000 }),
      { ...customer, ...reject },
    ],
    [
      'fail',
      'for a text that was changed',
      async () => (await signed(came(), 'customer.example')).replace('burning', 'cold'),
      { ...customer, ...reject },
    ],
    [
      'fail',
      'for a key that is gone',
      () => signed(came(), 'customer.example'),
      { 'TXT customer.example': ['v=spf1 -all'], ...reject },
    ],
    [
      'fail',
      'for an SPF record that includes itself',
      () => came(),
      { ...reject, 'TXT customer.example': ['v=spf1 include:customer.example ~all'] },
    ],
    [
      'fail',
      'for a DMARC record of the domain above',
      () => came({ from: 'mia@shop.customer.example' }),
      { ...customer, ...reject },
    ],
    [
      'none',
      'of two senders',
      () => signed(came({ from: 'a@customer.example, b@evil.example' }), 'customer.example'),
      { ...customer, ...reject },
    ],
    [
      'unknown',
      'when the policy is not answered',
      () => came(),
      { ...customer, 'TXT _dmarc.customer.example': 'silent' },
    ],
    [
      'unknown',
      'when the key is not answered',
      () => signed(came(), 'customer.example'),
      { ...reject, 'TXT s1._domainkey.customer.example': 'silent' },
    ],
    ['unknown', 'when SPF is not answered', () => came(), { ...reject, 'TXT customer.example': 'silent' }],
    [
      'fail',
      'though the server of the forger is silent',
      () => signed(came(), 'evil.example'),
      { ...customer, ...reject, 'TXT s1._domainkey.evil.example': 'silent' },
    ],
    ['unknown', 'when no header names the client', () => came({ received: [] }), { ...customer, ...reject }],
    [
      'pass',
      'behind a filter on the same machine',
      () =>
        came({
          received: [
            hop('127.0.0.1'),
            'Received: by mx.desk.example with LMTP; Fri, 11 Sep 2026 09:30:00 +0000',
            hop('192.0.2.1'),
          ],
        }),
      { ...customer, ...reject },
    ],
    [
      'fail',
      'for a hop that the forger wrote',
      () => came({ received: [hop('198.51.100.7'), hop('192.0.2.1')] }),
      { ...customer, ...reject },
    ],
    [
      'fail',
      'behind a private hop, which anyone could come from',
      () => came({ received: [hop('10.0.0.3'), hop('192.0.2.1')] }),
      { ...customer, ...reject },
    ],
  ])('%s %s', async (expected, _why, raw, records) => {
    expect(await verdictOf(await raw(), records)).toBe(expected as never);
  });

  test('fail for the servers of another', async () => {
    expect(await verdictOf(came(), { ...reject, ...evil }, { from: 'x@evil.example' })).toBe('fail');
  });

  test('lines that end in LF only, as a pipe has them, do not break a signature', async () => {
    const raw = (await signed(came({ body: 'One\r\n\r\nTwo\r\n' }), 'customer.example')).replaceAll('\r\n', '\n');
    expect(await verdictOf(raw, { ...customer, ...reject })).toBe('pass');
  });

  test('a server that the site trusts marks the border, and speaks for itself', async () => {
    await settings({ trusted_mail_servers: ['mx.desk.example'] });
    const inside = came({ received: [hop('192.0.2.77', 'store.desk.example'), hop('192.0.2.1')] });
    expect(await verdictOf(inside, { ...customer, ...reject })).toBe('pass');
    const results = 'Authentication-Results: mx.desk.example; dmarc=pass header.from=customer.example';
    const { row } = await checked(came({ headers: [results] }), { ...customer, ...reject });
    expect([row.outcome, row.senderChecks]).toEqual(['ticket_created', null]);
    expect(desk.last(row.ticketId).senderVerified).toBe(true);
    await settings({ trusted_mail_servers: [] });
  });
});

describe('a forged sender', () => {
  test('is held, with what the checks found, and released as unverified', async () => {
    const { row } = await checked(came(), { ...customer, ...reject });
    expect(row).toMatchObject({
      outcome: 'held',
      senderChecks: {
        verdict: 'fail',
        client: '198.51.100.7',
        spf: { result: 'fail', domain: 'customer.example' },
        dmarc: { result: 'fail', domain: 'customer.example', policy: 'reject' },
      },
    });
    expect(row.reason).toBe('Its sender is forged: DMARC failed.');
    const { row: filed } = await desk.mailroom.replay(null, row.id, { isReleased: true, forwardsAgain: false });
    expect(filed.outcome).toBe('ticket_created');
    expect(desk.last(filed.ticketId).senderVerified).toBe(false);
  });

  test('is not cleared by headers that the forger wrote', async () => {
    const results = 'mx.desk.example; dmarc=pass header.from=customer.example; dkim=pass header.d=customer.example';
    const raw = came({
      headers: [
        `Authentication-Results: ${results}`,
        `ARC-Authentication-Results: i=1; ${results}`,
        'ARC-Message-Signature: i=1; a=rsa-sha256; d=lists.example; s=s1; h=from; bh=x; b=x',
        'ARC-Seal: i=1; a=rsa-sha256; d=lists.example; s=s1; cv=none; b=x',
      ],
    });
    await settings({ trusted_arc_sealers: ['lists.example'] });
    expect(await verdictOf(raw, { ...customer, ...reject, 'TXT s1._domainkey.lists.example': [keyRecord] })).toBe(
      'fail',
    );
    await settings({ trusted_arc_sealers: [] });
  });

  test('of a stranger is not shown for one that a header accuses', async () => {
    const raw = await signed(came(), 'customer.example');
    const accused = `Authentication-Results: mx.anyone.example; dmarc=fail header.from=customer.example\r\n${raw}`;
    const { row } = await checked(accused, { ...customer, ...reject });
    expect(row.outcome).toBe('ticket_created');
    expect(desk.last(row.ticketId).senderVerified).toBe(true);
    const silent = await checked(accused.replace('id 1;', 'id 2;').replace('burning', 'hot'), {
      ...customer,
      'TXT _dmarc.customer.example': 'silent',
    });
    expect(silent.row).toMatchObject({
      outcome: 'held',
      reason: 'Its header says that its sender is forged (DMARC failed), and the desk could not check that.',
    });
  });
});

describe('a mailing list that breaks a signature', () => {
  const broken = (raw: string) => raw.replace('The printer burns', '[list] The printer burns');
  const listed = { ...customer, ...reject, 'TXT s1._domainkey.lists.example': [keyRecord] };

  test('is excused by its seal if the site trusts it, and by no other', async () => {
    dns.records = new Map(Object.entries(listed));
    const raw = await relisted(await signed(came(), 'customer.example'), 'lists.example', dns, broken);
    const { row } = await checked(raw, listed);
    expect(row.senderChecks).toMatchObject({
      verdict: 'fail',
      arc: { result: 'pass', sealer: 'lists.example', isTrusted: false },
    });
    desk.clock.advance(2 * hour);
    await settings({ trusted_arc_sealers: ['lists.example'] });
    const again = await checked(raw.replace('id 1;', 'id 3;'), listed);
    expect(again.row.senderChecks).toMatchObject({ verdict: 'none', arc: { result: 'pass', isTrusted: true } });
    expect(again.row.outcome).toBe('ticket_created');
  });

  test('does not excuse what it got from a forger', async () => {
    await settings({ trusted_arc_sealers: ['lists.example'] });
    dns.records = new Map(Object.entries(listed));
    const raw = await relisted(came(), 'lists.example', dns, broken);
    expect(await verdictOf(raw, listed)).toBe('fail');
  });
});

describe('DNS', () => {
  test('is asked a bounded number of questions, and the policy of the sender is among the first', async () => {
    const chain = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [
        `TXT i${at}.evil.example`,
        [`v=spf1 include:i${at + 1}.evil.example ~all`],
      ]),
    );
    const raw = await signed(await signed(came(), 'evil.example', { times: 20 }), 'customer.example');
    const records = {
      ...customer,
      ...reject,
      ...evil,
      ...chain,
      'TXT evil.example': ['v=spf1 include:i0.evil.example ~all'],
    };
    expect(await verdictOf(raw, records, { from: 'x@evil.example' })).toBe('pass');
    expect(dns.asked.length).toBeLessThan(40);
    const row = desk.inboundLog().at(-1);
    expect(row?.senderChecks?.dkim.length).toBe(8);
    expect(row?.senderChecks?.spf.result).toBe('permerror');
  });

  test('that sends ten megabytes, or nothing, does no harm', async () => {
    const huge = createDns((name) =>
      name.startsWith('_dmarc')
        ? Promise.resolve([[`v=DMARC1; p=reject; ${'x'.repeat(10_000_000)}`]])
        : new Promise(() => undefined),
    );
    expect(await huge('TXT _dmarc.customer.example', 1000)).toEqual([
      expect.stringMatching(/^v=DMARC1; p=reject; x{1980}$/),
    ]);
    expect(await huge('TXT customer.example', 20)).toBe('silent');
    expect(await huge('TXT not a name', 20)).toBe('none');
    const many = createDns(() => Promise.resolve(Array.from({ length: 100_000 }, () => '192.0.2.1')));
    expect((await many('A customer.example', 1000)).length).toBe(50);
  });

  test('that is silent holds up a mail until it is given up, and no other', async () => {
    const isGivenUp = Promise.withResolvers<'silent'>();
    const silent = await mailDesk({
      askDns: (question, withinMs) => (question.includes('evil') ? isGivenUp.promise : dns.ask(question, withinMs)),
    });
    dns.records = new Map(Object.entries({ ...customer, ...reject }));
    let ended = 0;
    const slow = Array.from({ length: 12 }, async () => {
      const row = await silent.post(came({ from: 'x@evil.example' }), { from: 'x@evil.example' });
      ended += 1;
      return row;
    });
    const row = await silent.post(came({ client: '192.0.2.1' }), { from: 'mia@customer.example' });
    expect([row.outcome, ended]).toEqual(['ticket_created', 0]);
    isGivenUp.resolve('silent');
    const rows = await Promise.all(slow);
    expect(rows.map(({ status }) => status)).not.toContain('received');
    expect(silent.inboundLog()[0]?.senderChecks?.verdict).toBe('unknown');
    await silent.close();
  });

  test('is asked about several mails of a mailbox together, which are filed in their order', async () => {
    const names = ['one.example', 'two.example', 'three.example'];
    const asked = new Set<string>();
    const allAsked = Promise.withResolvers<void>();
    const answered: string[] = [];
    const reading = await mailDesk({
      askDns: async (question, withinMs) => {
        const name = names.find((one) => question.endsWith(one)) ?? '';
        if (name !== '') asked.add(name);
        if (asked.size === names.length) allAsked.resolve();
        const silence = Promise.withResolvers<void>();
        const timer = setTimeout(silence.resolve, withinMs);
        await Promise.race([allAsked.promise, silence.promise]);
        clearTimeout(timer);
        answered.push(asked.size === names.length ? 'together' : 'alone');
        return [];
      },
    });
    const incoming = { host: 'imap.shop.example', user: 'help' };
    const input = { name: 'Help', address: 'help@shop.example', password: 'correct horse', incoming };
    const id = await reading.do((tx, ctx) => addMailbox(tx, ctx, 'web-shop', mailboxInput.parse(input)).row.id);
    for (const name of names) {
      const raw = came({ from: `mia@${name}` }).replace('burning', name);
      const mailbox = { id, silentDate: null, keep: (_: Tx, _sha256: string, store: () => number) => store() };
      await reading.mailroom.receiveFrom(mailbox, reading.site, {}, new Blob([raw]).stream());
    }
    await reading.mailroom.filedFrom(id);
    expect(new Set(answered)).toEqual(new Set(['together']));
    const tickets = reading.desk.read((tx) =>
      query<{ email: string }>(
        tx,
        'SELECT email FROM tickets JOIN authors ON authors.id = author_id ORDER BY tickets.id',
      ).all(),
    );
    expect(tickets.map(({ email }) => email)).toEqual(names.map((name) => `mia@${name}`));
    await reading.close();
  }, 15_000);

  test('that answers later is asked again when an agent files the mail again', async () => {
    const { row } = await checked(came({ headers: ['Authentication-Results: mx.any.example; dmarc=fail'] }), {
      ...customer,
      'TXT _dmarc.customer.example': 'silent',
    });
    expect([row.outcome, row.senderChecks?.verdict]).toEqual(['held', 'unknown']);
    dns.records = new Map(Object.entries({ 'TXT customer.example': ['v=spf1 +all'] }));
    const { row: filed } = await desk.mailroom.replay(null, row.id);
    expect(filed.outcome).toBe('ticket_created');
  });
});
