// Sending through a mailbox: a mail comes in, its answer leaves through the mailbox's own server, and what comes back is matched.

import { afterAll, afterEach, test as anyTest, beforeAll, describe, expect, setDefaultTimeout } from 'bun:test';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { changeDesk } from '../../src/desk/desk-settings.ts';
import { raiseAlarm } from '../../src/desk/mail/mailbox-alarms.ts';
import { addMailbox, mailboxes } from '../../src/desk/mail/mailboxes.ts';
import { loadDelivery } from '../../src/desk/outbox/content.ts';
import { queueMail } from '../../src/desk/outbox/queue-mail.ts';
import { addAgent } from '../../src/desk/people/agents.ts';
import { inviteByEmail } from '../../src/desk/people/invitations.ts';
import { changeSite } from '../../src/desk/sites/sites.ts';
import { changeTicket } from '../../src/desk/tickets/change-ticket.ts';
import { replyAsAgent } from '../../src/desk/tickets/replies.ts';
import { startSideConversation } from '../../src/desk/tickets/side-conversations.ts';
import { mailboxInput } from '../../src/domain/input/mailboxes.ts';
import { agentInput, deskInput } from '../../src/domain/input/people.ts';
import { dayMs } from '../../src/domain/instant.ts';
import { createLocalBlobs } from '../../src/files/blobs.ts';
import { mailedNumbers } from '../../src/http/wire/reports/mailed-report.ts';
import { checkMailboxes } from '../../src/jobs/mailbox-checks.ts';
import { tryMailbox, tryOwnServer } from '../../src/jobs/mailbox-test.ts';
import { parseAllowList } from '../../src/net/allow-list.ts';
import { createMailHosts } from '../../src/net/mail-hosts.ts';
import { createDispatcher, type Dispatcher } from '../../src/outbox/dispatcher.ts';
import { fileTransport } from '../../src/outbox/mail-transport.ts';
import { withMailboxes } from '../../src/outbox/mailbox-servers.ts';
import { selfSigned } from '../support/certificates.ts';
import { fixedClock } from '../support/clock.ts';
import { type Dovecot, hasDovecot, startDovecot } from '../support/dovecot.ts';
import { temporaryFolder } from '../support/folders.ts';
import { inlineReader } from '../support/inline-reader.ts';
import { letter, quick, type ReadingDesk, readingDesk, until } from './reading-desk.ts';

setDefaultTimeout(30_000);
const test = anyTest.skipIf(!hasDovecot);

interface Taken {
  mail: ParsedMail;
  from: string;
  to: string[];
  isEncrypted: boolean;
}

let dovecot: Dovecot;
let server: SMTPServer;
let port = 0;
let made: ReadingDesk;
let dispatcher: Dispatcher | null = null;
/** What the server does with mail to the mailbox itself. */
let arrives: ((raw: string) => void) | null = null;
const taken: Taken[] = [];
const { key, certificate, sha256 } = hasDovecot
  ? selfSigned('smtp.shop.example')
  : { key: '', certificate: '', sha256: '' };

beforeAll(async () => {
  if (!hasDovecot) return;
  dovecot = await startDovecot();
  server = new SMTPServer({
    key,
    cert: certificate,
    onAuth({ username, password }, _session, done) {
      if (username === 'help' && password === 'for sending') done(null, { user: username });
      else done(Object.assign(new Error('Invalid login'), { responseCode: 535 }));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      simpleParser(stream).then((mail) => {
        arrives?.(Buffer.concat(chunks).toString('latin1'));
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? '' : mailFrom.address;
        taken.push({ mail, from, to: rcptTo.map(({ address }) => address), isEncrypted: session.secure });
        done();
      }, done);
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.server.address() as AddressInfo).port;
});
afterAll(async () => {
  if (!hasDovecot) return;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  await dovecot.stop();
});
afterEach(async () => {
  await dispatcher?.stop();
  dispatcher = null;
  await made?.close();
  taken.length = 0;
  arrives = null;
});

const input = (outgoing: object = {}) => ({
  password: dovecot.password,
  outgoing_password: 'for sending',
  first_days: null,
  incoming: { host: 'localhost', port: dovecot.ports.plain, tls: 'none', user: dovecot.user },
  outgoing: { host: 'smtp.shop.example', port, user: 'help', certificate_sha256: sha256, ...outgoing },
});

async function connected(more: object = {}, hasServer = true, clock: Clock = systemClock) {
  made = await readingDesk({ ...input(), ...more }, { clock, times: { ...quick, silentMs: 5_000, pingMs: 5_000 } });
  const folder = temporaryFolder();
  const own = fileTransport(join(folder, 'mail'));
  dispatcher = createDispatcher({
    desk: made.desk,
    blobs: createLocalBlobs(join(folder, 'attachments')),
    mailBlobs: createLocalBlobs(join(folder, 'inbound')),
    log: silentLog,
    reader: inlineReader,
    scanner: null,
    guard: { allow: parseAllowList(''), timeoutMs: 500 },
    transport: withMailboxes(own, { desk: made.desk, route: made.route, log: silentLog }),
    mail: {
      baseUrl: 'https://desk.example',
      inboundDomain: 'in.desk.example',
      from: 'helpdesk@desk.example',
      deskId: 'desk-1',
      hasServer,
    },
    readReport: (report) => mailedNumbers(made.desk, report),
    retryDelaysMs: [20],
  });
  made.start();
  await until(
    () => made.reading().state === 'connected',
    () => made.reading(),
  );
  return dispatcher;
}

const logged = () => made.log().map(({ outcome }) => outcome);
const untilLogged = (count: number) => until(() => logged().filter((one) => one !== null).length >= count, made.log);
const ctx = () => made.desk.context({ kind: 'command_line' }, 'test');
const reply = (body: string) =>
  made.desk.write((tx) => replyAsAgent(tx, ctx(), '1', { body, agent_name: 'Kim' } as never) as never);

test('an answer leaves through the server of the mailbox, and what the customer answers comes back to the ticket', async () => {
  const outbox = await connected({ save_sent: true });
  dovecot.deliver(letter('Burning', { from: 'Mia <mia@customer.example>', id: '<q@customer.example>' }));
  await untilLogged(1);
  await outbox.runDue();
  await reply('Take this bucket.');
  await outbox.runDue();
  const answers = taken.filter(({ mail }) => mail.text?.includes('bucket'));
  expect(answers).toHaveLength(1);
  const [{ mail, from, to, isEncrypted } = {} as Taken] = answers;
  expect({ from, to, isEncrypted }).toEqual({
    from: 'help@shop.example',
    to: ['mia@customer.example'],
    isEncrypted: true,
  });
  expect(mail.from?.value[0]?.address).toBe('help@shop.example');
  expect(mail.replyTo?.value[0]?.address).toBe('help@shop.example');
  expect(mail.references).toContain('<q@customer.example>');
  dovecot.deliver(
    letter('Re: Burning', {
      from: 'mia@customer.example',
      headers: [`In-Reply-To: ${mail.messageId}`],
      body: 'Thanks!',
    }),
  );
  await untilLogged(2);
  expect(logged()).toEqual(['ticket_created', 'reply_added']);
  // The acknowledgement and the answer.
  await until(
    () => dovecot.count('Sent').all === 2,
    () => dovecot.count('Sent'),
  );
});

const proof = 'Authentication-Results: mx.shop.example; dmarc=pass header.from=desk.example';
const referencesOf = ({ references, messageId }: ParsedMail) => [references ?? [], messageId ?? ''].flat().join(' ');
const lastTo = (address: string) => taken.findLast(({ to }) => to.includes(address))?.mail as ParsedMail;

async function leaveNow(outbox: Dispatcher) {
  await made.desk.write((tx) => {
    tx.client.run("UPDATE deliveries SET next_at = 0 WHERE status = 'queued'");
    return null;
  });
  await outbox.runDue();
}

test('an agent answers a mail of the desk through the mailbox, and only they', async () => {
  const outbox = await connected();
  const agent = await made.desk.write((tx) => {
    changeSite(tx, ctx(), made.site.slug, { settings: { trusted_mail_servers: ['mx.shop.example'] } }, null);
    const { id } = addAgent(tx, ctx(), { email: 'grace@desk.example', name: 'Grace', role: 'member', sites: [1] });
    return id;
  });
  dovecot.deliver(letter('Burning', { from: 'Mia <mia@customer.example>' }));
  await untilLogged(1);
  await made.desk.write((tx) => {
    changeTicket(tx, ctx(), 1, { assigned_to: agent }, null);
    return null;
  });
  await leaveNow(outbox);
  const asked = lastTo('grace@desk.example');
  expect(asked.replyTo?.value[0]?.address).toBe('help@shop.example');
  expect(asked.text).toContain('Write your answer above this line');
  const answer = async (from: string, body: string, headers: string[]) => {
    const before = made.log().length;
    dovecot.deliver(letter('Re: Burning', { from, body, headers: [`References: ${referencesOf(asked)}`, ...headers] }));
    await untilLogged(before + 1);
    await leaveNow(outbox);
    const [added] = made.rows<object>(
      'SELECT is_internal AS isInternal, agent_id AS agentId, body FROM messages ORDER BY id DESC LIMIT 1',
    );
    return { ...added, reason: made.log().at(-1)?.reason };
  };
  expect(await answer('Grace <grace@desk.example>', '/reply\n\nPull the plug.', [proof])).toEqual({
    ...{ isInternal: 0, agentId: agent, body: 'Pull the plug.' },
    reason: 'From agent Grace, a reply.',
  });
  const told = lastTo('mia@customer.example');
  expect(told.text).toContain('Pull the plug.');
  expect(referencesOf(told)).not.toContain('agent+');
  for (const [from, headers] of [
    ['grace@desk.example', []],
    ['mallory@elsewhere.example', [proof]],
  ] as const)
    expect(await answer(from, '/reply\n\nAnother word.', [...headers])).toEqual({
      ...{ isInternal: 1, agentId: null, body: `From ${from}, not proven:\n\n/reply\n\nAnother word.` },
      reason: expect.stringContaining('Not proven'),
    });
  expect(taken.filter(({ mail }) => mail.text?.includes('Another word'))).toEqual([]);
});

test('a supplier answers a side conversation through the mailbox', async () => {
  const outbox = await connected();
  dovecot.deliver(letter('Burning', { from: 'Mia <mia@customer.example>' }));
  await untilLogged(1);
  const asking = {
    to: [{ email: 'parts@supplier.example', name: null }],
    subject: 'Hinge',
    body: 'Do you have a spare one?',
  };
  await made.desk.write((tx) => {
    startSideConversation(tx, ctx(), 1, asking);
    return null;
  });
  await outbox.runDue();
  const asked = lastTo('parts@supplier.example');
  expect(asked.replyTo?.value[0]?.address).toBe('help@shop.example');
  // Of a server that gives mail another Message-ID, only the reference is left.
  const [reference] = [asked.references ?? []].flat();
  expect(reference).toMatch(/^<side\+[0-9a-z]+-[0-9a-f]{32}@shop\.example>$/);
  const references = [`References: ${reference} <rewritten@mx.example>`, 'In-Reply-To: <rewritten@mx.example>'];
  dovecot.deliver(letter('Re: Hinge', { from: 'parts@supplier.example', body: 'Yes, two.', headers: references }));
  await untilLogged(2);
  expect(made.rows<object>('SELECT body FROM side_messages ORDER BY id')).toEqual([
    { body: 'Do you have a spare one?' },
    { body: 'Yes, two.' },
  ]);
  expect(made.rows<object>('SELECT 1 FROM messages')).toHaveLength(1);
});

test('a bounce that comes back into the mailbox is recorded on the reply', async () => {
  const outbox = await connected();
  dovecot.deliver(letter('Burning', { from: 'gone@customer.example' }));
  await untilLogged(1);
  await reply('Take this bucket.');
  await outbox.runDue();
  const messageId = taken.find(({ mail }) => mail.text?.includes('bucket'))?.mail.messageId;
  dovecot.deliver(
    [
      'From: MAILER-DAEMON@smtp.shop.example',
      'To: help@shop.example',
      'Subject: Undelivered Mail Returned to Sender',
      'Message-ID: <dsn@smtp.shop.example>',
      'Auto-Submitted: auto-replied',
      'MIME-Version: 1.0',
      'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
      '',
      '--b',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; smtp.shop.example',
      '',
      'Final-Recipient: rfc822; gone@customer.example',
      'Action: failed',
      'Status: 5.1.1',
      'Diagnostic-Code: smtp; 550 no such user',
      '',
      '--b',
      'Content-Type: text/rfc822-headers',
      '',
      `Message-ID: ${messageId}`,
      'To: gone@customer.example',
      '',
      '--b--',
      '',
    ].join('\r\n'),
  );
  await untilLogged(2);
  expect(logged()).toEqual(['ticket_created', 'bounce_recorded']);
  const [{ recipients } = { recipients: '' }] = made.rows<{ recipients: string }>(
    'SELECT recipients FROM messages WHERE is_agent = 1',
  );
  expect(recipients).toContain('"status":"bounced"');
});

test('a refused password keeps the mail, and the next one sends it', async () => {
  const outbox = await connected({ outgoing_password: 'wrong' });
  dovecot.deliver(letter('Burning'));
  await untilLogged(1);
  await outbox.runDue();
  expect(taken).toEqual([]);
  expect(made.rows<object>('SELECT status FROM deliveries')).toEqual([{ status: 'queued' }]);
  expect(made.rows<{ last_error: string }>('SELECT last_error FROM deliveries')[0]?.last_error).toContain('535');
  await made.change({ outgoing_password: 'for sending' });
  await made.desk.write((tx) => {
    tx.client.run('UPDATE deliveries SET next_at = 0');
    return null;
  });
  await outbox.runDue();
  expect(taken.map(({ to }) => to)).toEqual([[expect.stringContaining('@customer.example')]]);
});

test('an alarm leaves through another mailbox when the desk has no mail server of its own', async () => {
  const outbox = await connected({}, false);
  const other = mailboxInput.parse({ ...input(), name: 'Sales', address: 'sales@shop.example', incoming: null });
  await made.desk.write((tx) => addMailbox(tx, ctx(), made.site.slug, other));
  const alarm = { kind: 'refused', reason: 'Invalid credentials' } as const;
  await made.desk.write((tx) => {
    // In the language of its reader.
    tx.client.run("UPDATE agents SET locale = 'de' WHERE email = 'owner@desk.example'");
    raiseAlarm(tx, made.desk.context({ kind: 'desk' }, 'mailbox'), made.mailbox(), alarm);
    return null;
  });
  await outbox.runDue();
  expect(taken.map(({ from, to, mail: { subject } }) => ({ from, to, subject }))).toEqual([
    {
      from: 'sales@shop.example',
      to: ['owner@desk.example'],
      subject: 'Postfach nicht gelesen: help@shop.example (Web shop)',
    },
  ]);
  expect(taken[0]?.mail.text).toContain(`helpdesk mailbox password ${made.mailboxId} --site web-shop`);
});

describe('mail of no site', () => {
  const kim = agentInput.parse({ email: 'kim@desk.example', name: 'Kim', role: 'member' });
  const invite = () => made.desk.write((tx) => inviteByEmail(tx, ctx(), kim, true) as never);

  test('leaves through a mailbox too, but no link that lets an agent in', async () => {
    const outbox = await connected({}, false);
    await invite();
    await made.desk.write((tx) => {
      const agent = { email: 'kim@desk.example', name: 'Kim' };
      queueMail(tx, ctx(), null, null, null, 'mail.digest', agent, {});
      return null;
    });
    const ways = made
      .rows<{ id: number; event: string }>('SELECT id, event FROM deliveries ORDER BY id')
      .map(({ id, event }) => [event, made.desk.read((tx) => loadDelivery(tx, ctx(), id))?.otherMailbox?.address]);
    expect(ways).toEqual([
      ['mail.invitation', undefined],
      ['mail.digest', 'help@shop.example'],
    ]);
    await outbox.runDue();
    expect(taken.filter(({ mail }) => mail.text?.includes('/invitation#'))).toEqual([]);
  });

  test('leaves through the server that an owner has set, from its address', async () => {
    const outbox = await connected({}, false);
    const server = { host: 'smtp.shop.example', port, user: 'help', certificate_sha256: sha256 };
    const asked = deskInput.parse({
      mail_server: { address: 'desk@shop.example', password: 'for sending', ...server },
    });
    await made.desk.write((tx) => changeDesk(tx, ctx(), asked, null) as never);
    await invite();
    await outbox.runDue();
    expect(taken.map(({ from, to, mail }) => [from, ...to, mail.from?.value[0]?.address])).toEqual([
      ['desk@shop.example', 'kim@desk.example', 'desk@shop.example'],
    ]);
    expect(taken[0]?.mail.text).toContain('https://desk.example/invitation#');
    // Mail of the site still leaves through its mailbox.
    dovecot.deliver(letter('Burning', { from: 'Mia <mia@customer.example>', id: '<own@customer.example>' }));
    await untilLogged(1);
    await outbox.runDue();
    expect(taken.at(-1)?.from).toBe('help@shop.example');
  });
});

test('a certificate for another name gets no password', async () => {
  const outbox = await connected({ outgoing: { ...input().outgoing, certificate_sha256: null } });
  dovecot.deliver(letter('Burning'));
  await untilLogged(1);
  await outbox.runDue();
  expect(taken).toEqual([]);
  expect(made.rows<{ last_error: string }>('SELECT last_error FROM deliveries')[0]?.last_error).toMatch(/self.signed/i);
});

describe('a canary', () => {
  const clock = fixedClock(Date.now());
  const flying = async () => {
    clock.set(Date.now());
    return await connected({ has_canary: true }, true, clock);
  };
  const check = () =>
    checkMailboxes({ desk: made.desk, route: made.route, isStopping: () => false, awakeSince: clock.now() - dayMs });
  const canaries = () =>
    made.rows<{ sent_at: number; seen_at: number | null }>('SELECT sent_at, seen_at FROM mailbox_canaries ORDER BY id');
  const alarms = () => made.rows<{ kind: string }>('SELECT kind FROM mailbox_alarms').map(({ kind }) => kind);

  test('goes out and comes back, is deleted, and becomes neither ticket nor log', async () => {
    const outbox = await flying();
    arrives = (raw) => dovecot.deliver(raw);
    const before = dovecot.count().all;
    await check();
    await check();
    await outbox.runDue();
    expect(taken.map(({ from, to }) => [from, ...to])).toEqual([['help@shop.example', 'help@shop.example']]);
    await until(() => canaries()[0]?.seen_at !== null && dovecot.count().all === before, canaries);
    expect(canaries()).toHaveLength(1);
    expect(made.log()).toEqual([]);
    clock.advance(10 * 60_000);
    await check();
    expect(canaries()).toHaveLength(2);
    // The outbox keeps none that came back.
    expect(made.rows("SELECT 1 FROM deliveries WHERE event = 'mail.canary'")).toHaveLength(1);
    expect(alarms()).toEqual([]);
  });

  test('that does not come back is told after 15 minutes, and the next one that does ends the alarm', async () => {
    const outbox = await flying();
    await check();
    await outbox.runDue();
    clock.advance(15 * 60_000 - 1);
    await check();
    expect(alarms()).toEqual([]);
    clock.advance(1);
    await check();
    await check();
    expect(alarms()).toEqual(['canary']);
    expect(made.rows("SELECT 1 FROM deliveries WHERE event = 'mail.mailbox_alarm'")).toHaveLength(1);
    arrives = (raw) => {
      if (/^x-helpdesk-canary:/im.test(raw)) dovecot.deliver(raw);
    };
    clock.advance(10 * 60_000);
    await check();
    await outbox.runDue();
    await until(() => alarms().length === 0, canaries);
  });

  test('of someone else is mail like any other', async () => {
    await flying();
    const forged = 'X-Helpdesk-Canary: 01J8ZQ4T5M7N8P9Q0R1S2T3V4W.AAAA';
    dovecot.deliver(letter('Forged', { headers: [forged] }));
    await untilLogged(1);
    expect(made.subjects()).toEqual(['Forged']);
  });

  test('needs a server for reading and one for sending', async () => {
    made = await readingDesk(input());
    const refused = await made.change({ has_canary: true, outgoing: null }).catch((error) => Object.keys(error.errors));
    expect(refused).toEqual(['has_canary']);
  });
});

describe('a test of a mailbox', () => {
  const trial = async (change: object = {}) => {
    made = await readingDesk({ ...input(), ...change });
    return await tryMailbox({ desk: made.desk, route: made.route }, made.mailbox());
  };

  test('signs in, opens the folder, and sends a mail that becomes no ticket', async () => {
    expect(await trial()).toEqual({
      reading: { is_ok: true, reason: null, message: 'Signed in as help and opened INBOX.' },
      sending: { is_ok: true, reason: null, message: 'Sent a test mail to help@shop.example.' },
    });
    expect(taken.map(({ to }) => to)).toEqual([['help@shop.example']]);
    expect(taken[0]?.mail.headers.has('x-helpdesk-desk')).toBe(true);
  });

  test.each([
    [{ outgoing_password: 'wrong' }, 'sending', 'password', 'The server refuses the user or password: 535'],
    [{ password: 'wrong' }, 'reading', 'password', 'The server refuses the user or password'],
    [
      { outgoing: { host: 'smtp.shop.example', user: 'help', port: 1 } },
      'sending',
      'other',
      'The server cannot be reached',
    ],
  ] as const)('says in words what is wrong (%#)', async (change, side, reason, words) => {
    const found = await trial(change);
    expect(found[side]).toMatchObject({ is_ok: false, reason });
    expect(found[side]?.message).toContain(words);
  });

  test('the desk’s own server takes a mail to who asks, also where the environment names it', async () => {
    made = await readingDesk(input());
    const tryOwn = (url: string | null) =>
      tryOwnServer({ desk: made.desk, route: made.route }, { url, from: 'helpdesk@desk.example' }, 'olga@desk.example');
    const named = (password: string) => `smtp://help:${password}@127.0.0.1:${port}?tls.rejectUnauthorized=false`;
    expect(await tryOwn(null)).toEqual({ reading: null, sending: null });
    expect((await tryOwn(named('for%20sending'))).sending).toMatchObject({ is_ok: true });
    expect(taken.map(({ from, to }) => [from, to])).toEqual([['helpdesk@desk.example', ['olga@desk.example']]]);
    expect((await tryOwn(named('wrong'))).sending).toMatchObject({ is_ok: false, reason: 'password' });
    const settings = {
      host: 'smtp.shop.example',
      port,
      user: 'help',
      certificate_sha256: sha256,
      password: 'for sending',
    };
    const asked = deskInput.parse({ mail_server: { address: 'desk@shop.example', ...settings } });
    await made.desk.write((tx) => changeDesk(tx, ctx(), asked, null) as never);
    expect((await tryOwn(null)).sending).toMatchObject({ is_ok: true });
    expect(taken.at(-1)?.from).toBe('desk@shop.example');
  });

  test('names the names of a certificate that does not verify', async () => {
    const { sending } = await trial({ outgoing: { host: 'mail.other.example', port, user: 'help' } });
    expect(sending?.reason).toBe('certificate');
    expect(sending?.message).toContain('It is for smtp.shop.example.');
    expect(sending?.message).toContain(sha256);
  });
});

describe('a stored password', () => {
  const changed = async (change: object) => {
    made = await readingDesk(input());
    return await made.change(change).then(
      () => null,
      (error) => Object.keys(error.errors),
    );
  };

  test.each([
    [{ incoming: { host: 'imap.attacker.example', user: 'help' } }, ['password']],
    [{ outgoing: { host: 'smtp.attacker.example', user: 'help' } }, ['outgoing_password']],
    [{ outgoing: { host: 'smtp.attacker.example', user: 'help' }, password: 'new' }, ['outgoing_password']],
    [{ outgoing: { host: 'smtp.attacker.example', user: 'help' }, outgoing_password: null }, ['password']],
    [{ outgoing: { host: 'smtp.other.example', user: 'help' }, outgoing_password: 'new' }, null],
    [{ name: 'Other' }, null],
  ])('goes to no other server than the one it was entered for (%#)', async (change, refused) => {
    expect(await changed(change)).toEqual(refused as never);
  });
});

describe('a host', () => {
  const hosts = (address: string, allow = '') =>
    createMailHosts(parseAllowList(allow), async () => [{ address, family: 4 }]);
  const asked = (host: string, tls: 'implicit' | 'none' = 'implicit') => ({ host, port: 993, tls });

  test.each([
    ['10.0.0.5', '', 'mail.lan is or resolves to an address that is not public (see HELPDESK_MAIL_ALLOW)'],
    ['10.0.0.5', 'mail.lan:25', 'mail.lan is or resolves to an address that is not public (see HELPDESK_MAIL_ALLOW)'],
    ['10.0.0.5', 'mail.lan:993', null],
    [
      '169.254.169.254',
      '10.0.0.0/8',
      'mail.lan is or resolves to an address that is not public (see HELPDESK_MAIL_ALLOW)',
    ],
    ['8.8.8.8', '', null],
  ])('at %s with %p is refused unless it is public or allowed', async (address, allow, refusal) => {
    const found = await hosts(address, allow).refusal(asked('mail.lan'));
    if (refusal === null) expect(found).toBeNull();
    else expect(found).toBe(refusal);
  });

  test('with a name on this machine and an address elsewhere needs TLS', async () => {
    expect(await hosts('8.8.8.8').refusal(asked('localhost', 'none'))).toContain('it needs TLS');
  });

  test('elsewhere cannot be asked for without TLS', () => {
    const parsed = mailboxInput.safeParse({
      name: 'x',
      address: 'help@shop.example',
      password: 'x',
      incoming: { host: 'imap.shop.example', user: 'help', tls: 'none' },
    });
    expect(parsed.error?.issues.map(({ path }) => path.join('.'))).toEqual(['incoming.tls']);
  });
});

test('the address of a mailbox becomes a sender of its site, and its row shows no password', async () => {
  made = await readingDesk(input());
  expect(made.rows<object>("SELECT settings ->> '$.mail_from_address' AS address FROM sites")).toEqual([
    { address: 'help@shop.example' },
  ]);
  const { rows } = made.desk.read((tx) => mailboxes.list(tx, ctx(), made.site.slug) as never) as { rows: object[] };
  expect(JSON.stringify(rows)).not.toContain('correct horse');
  expect(JSON.stringify(made.rows('SELECT * FROM audit_log'))).not.toContain('secret');
});
