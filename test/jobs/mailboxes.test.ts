// Reading a mailbox of Debian's Dovecot: what arrives is filed once, also after a restart, and the mailbox is left as it is asked.

import {
  afterAll,
  afterEach,
  test as anyTest,
  beforeAll,
  beforeEach,
  describe,
  expect,
  setDefaultTimeout,
} from 'bun:test';
import { dayMs } from '../../src/domain/instant.ts';
import { fixedClock } from '../support/clock.ts';
import { type Dovecot, hasDovecot, startDovecot } from '../support/dovecot.ts';
import { letter, quick, type ReadingDesk, readingDesk, until } from './reading-desk.ts';

setDefaultTimeout(30_000);
const test = anyTest.skipIf(!hasDovecot);

let dovecot: Dovecot;
let made: ReadingDesk;
const others: ReadingDesk[] = [];
beforeAll(async () => {
  if (!hasDovecot) return;
  dovecot = await startDovecot();
}, 30_000);
afterAll(() => dovecot?.stop());
let folder = 'INBOX';
let folders = 0;
beforeEach(() => {
  if (!hasDovecot) return;
  folders += 1;
  folder = `Box${folders}`;
  dovecot.doveadm('mailbox', 'create', '-u', dovecot.user, folder);
});
afterEach(async () => {
  await made?.close();
  for (const other of others.splice(0)) await other.close();
});

const incoming = (more: object = {}) => ({
  host: 'localhost',
  port: dovecot.ports.plain,
  tls: 'none',
  user: dovecot.user,
  folder,
  ...more,
});
const patient = { ...quick, silentMs: 5_000, pingMs: 5_000 };
const desk = async (more: object = {}, settings: object = {}) =>
  readingDesk({ incoming: incoming(), ...more }, { times: patient, ...settings });
const deliver = (...mails: string[]) => {
  for (const one of mails) dovecot.deliver(one, folder);
};
const logged = (of = made) => of.log().map(({ outcome }) => outcome);
const untilLogged = (count: number, of = made) =>
  until(
    () => logged(of).filter((outcome) => outcome !== null).length >= count,
    () => [of.log(), of.reading()],
  );
const untilConnected = (of = made) =>
  until(
    () => of.reading().state === 'connected',
    () => of.reading(),
  );

test('a mail becomes a ticket while the desk waits in IDLE, and its answer a reply on it', async () => {
  made = await desk({ first_days: null }, { waits: { pingMs: 60_000, lookMs: 60_000 } });
  made.start();
  await untilConnected();
  deliver(letter('Burning', { id: '<first@customer.example>', from: 'mia@customer.example' }));
  await untilLogged(1);
  deliver(letter('Re: Burning', { from: 'mia@customer.example', headers: ['In-Reply-To: <first@customer.example>'] }));
  await untilLogged(2);
  expect(logged()).toEqual(['ticket_created', 'reply_added']);
  expect(made.subjects()).toEqual(['Burning']);
  expect(dovecot.count(folder)).toEqual({ all: 2, seen: 0 });
});

test('what is read is the message byte for byte', async () => {
  const sent = letter('Umlaute', { body: 'Grüße =E4\r\n.\r\n..\r\nend' });
  deliver(sent);
  made = await desk();
  made.start();
  await untilLogged(1);
  const [{ sha256 } = { sha256: '' }] = made.rows<{ sha256: string }>('SELECT sha256 FROM inbound_mail');
  expect(sha256).toBe(new Bun.CryptoHasher('sha256').update(sent).digest('hex'));
});

describe('the first connection', () => {
  test('reads only what comes from now on', async () => {
    deliver(letter('Before'));
    made = await desk({ first_days: null });
    made.start();
    await untilConnected();
    deliver(letter('After'));
    await untilLogged(1);
    expect(made.subjects()).toEqual(['After']);
  });

  test('reads days before it silently: no one is told, and nothing is due', async () => {
    deliver(letter('Yesterday', { from: 'mia@customer.example' }));
    made = await desk({ first_days: 3 });
    made.start();
    await untilLogged(1);
    await untilConnected();
    expect(made.rows('SELECT event FROM deliveries')).toEqual([]);
    expect(made.rows<object>('SELECT subject, status, sla_next_at FROM tickets')).toEqual([
      { subject: 'Yesterday', status: 'open', sla_next_at: null },
    ]);
    deliver(letter('Today', { from: 'leo@customer.example' }));
    await untilLogged(2);
    expect(made.rows<object>('SELECT event, recipient FROM deliveries')).toEqual([
      { event: 'mail.acknowledgement', recipient: 'leo@customer.example' },
    ]);
  });

  test('files what is older than a day as closed', async () => {
    deliver(letter('Old', { from: 'mia@customer.example', id: '<old@customer.example>' }));
    deliver(letter('Re: Old', { from: 'mia@customer.example', headers: ['In-Reply-To: <old@customer.example>'] }));
    // The server's clock is the desk's of two days ago.
    const ahead = { now: () => Date.now() + 2 * 86_400_000 };
    made = await desk({ first_days: 7 }, { clock: ahead });
    made.start();
    await untilLogged(2);
    expect(logged()).toEqual(['ticket_created', 'reply_added']);
    expect(made.rows<object>('SELECT status FROM tickets')).toEqual([{ status: 'closed' }]);
    expect(made.rows('SELECT 1 FROM deliveries')).toEqual([]);
  });
});

describe('after filing', () => {
  test('a message is marked as read', async () => {
    deliver(letter('One'), letter('Two'));
    made = await readingDesk({ incoming: incoming({ after_filing: 'mark_read' }) }, { times: patient });
    made.start();
    await until(
      () => dovecot.count(folder).seen === 2,
      () => made.reading(),
    );
    expect(logged()).toEqual(['ticket_created', 'ticket_created']);
  });

  test('a message is moved into a folder, which is made', async () => {
    deliver(letter('One'), letter('Two'));
    made = await readingDesk(
      { incoming: incoming({ after_filing: 'move', move_to: `${folder}-done` }) },
      { times: patient },
    );
    made.start();
    await until(
      () => dovecot.count(`${folder}-done`).all === 2 && dovecot.count(folder).all === 0,
      () => made.reading(),
    );
    expect(logged()).toEqual(['ticket_created', 'ticket_created']);
  });
});

test('a new UIDVALIDITY lists the folder again, and files only what is new', async () => {
  deliver(letter('One'), letter('Without an id', { id: null }));
  made = await desk();
  made.start();
  await untilLogged(2);
  await made.stop();
  dovecot.doveadm('mailbox', 'update', '-u', dovecot.user, '--uid-validity', '4242', folder);
  deliver(letter('Three'));
  made.start();
  await untilLogged(3);
  await untilConnected();
  expect(made.subjects()).toEqual(['One', 'Without an id', 'Three']);
  expect(made.rows<object>('SELECT uid_validity, changes FROM mailbox_cursors')).toEqual([
    { uid_validity: '4242', changes: 1 },
  ]);
});

test('after a new UIDVALIDITY, what was there before the first connection stays unread', async () => {
  deliver(letter('Before'));
  made = await desk({ first_days: null });
  made.start();
  await untilConnected();
  await made.stop();
  dovecot.doveadm('mailbox', 'update', '-u', dovecot.user, '--uid-validity', '4343', folder);
  deliver(letter('After'));
  made.start();
  await untilLogged(1);
  await untilConnected();
  expect(made.subjects()).toEqual(['After']);
});

test('two desks read one mailbox, each all of it', async () => {
  deliver(letter('One'));
  made = await desk();
  const other = await desk();
  others.push(other);
  made.start();
  other.start();
  await untilLogged(1);
  await untilLogged(1, other);
  deliver(letter('Two'));
  await untilLogged(2);
  await untilLogged(2, other);
  expect([made.subjects(), other.subjects()]).toEqual([
    ['One', 'Two'],
    ['One', 'Two'],
  ]);
});

test('a message that was moved out and back is not filed again', async () => {
  deliver(letter('One'));
  made = await desk();
  made.start();
  await untilLogged(1);
  dovecot.doveadm('mailbox', 'create', '-u', dovecot.user, `${folder}-aside`);
  dovecot.doveadm('move', '-u', dovecot.user, `${folder}-aside`, 'mailbox', folder, 'all');
  dovecot.doveadm('move', '-u', dovecot.user, folder, 'mailbox', `${folder}-aside`, 'all');
  deliver(letter('Two'));
  await untilLogged(2);
  expect(made.subjects()).toEqual(['One', 'Two']);
});

describe('TLS', () => {
  test.each(['implicit', 'starttls'])(
    'with a certificate that does not verify (%s) is refused by name, and can be pinned',
    async (tls) => {
      deliver(letter('One'));
      const port = tls === 'implicit' ? dovecot.ports.tls : dovecot.ports.plain;
      made = await readingDesk({ incoming: incoming({ tls, port, host: 'imap.shop.example' }) }, { times: patient });
      made.start();
      await until(
        () => made.reading().state === 'failing',
        () => made.reading(),
      );
      const { reason } = made.reading();
      expect(reason).toContain('It is for localhost.');
      const sha256 = /[0-9a-f]{64}/.exec(reason ?? '')?.[0];
      await made.change({
        password: 'correct horse',
        incoming: incoming({ tls, port, host: 'imap.shop.example', certificate_sha256: sha256 }),
      });
      await untilLogged(1);
      await untilConnected();
      expect(made.reading().reason).toBeNull();
      await made.change({
        password: 'correct horse',
        incoming: incoming({ tls, port, host: 'imap.shop.example', certificate_sha256: '0'.repeat(64) }),
      });
      await until(
        () => made.reading().state === 'failing',
        () => made.reading(),
      );
      expect(made.reading().reason).toContain('is not the one that was pinned');
    },
  );
});

test('what was told to pause is not read, and goes on where it stopped', async () => {
  const { pauseMailbox, syncMailbox } = await import('../../src/desk/mail/mailboxes.ts');
  made = await desk({}, { waits: { pingMs: 60_000, lookMs: 60_000 } });
  const ctx = () => made.desk.context({ kind: 'command_line' }, 'test');
  const pause = (isPaused: boolean) =>
    made.desk.write((tx) => pauseMailbox(tx, ctx(), made.site.slug, made.mailboxId, isPaused));
  made.start();
  await untilConnected();
  await pause(true);
  const sessions = () =>
    dovecot
      .doveadm('who')
      .split('\n')
      .filter((line) => line.startsWith(dovecot.user)).length;
  await until(() => sessions() === 0, sessions);
  deliver(letter('Meanwhile'));
  await pause(false);
  await untilLogged(1);
  expect(made.subjects()).toEqual(['Meanwhile']);
  await made.desk.write((tx) => {
    syncMailbox(tx, ctx(), made.site.slug, made.mailboxId);
    return null;
  });
  await until(
    () => made.reading().syncAskedAt === null,
    () => made.reading(),
  );
});

test('a message that was passed over is found by the daily count, fetched, and told to the owners', async () => {
  const clock = fixedClock(Date.now());
  made = await desk({ first_days: null }, { clock });
  made.start();
  await untilConnected();
  deliver(letter('Seen'));
  clock.advance(1000);
  await untilLogged(1);
  await made.stop();
  deliver(letter('Passed over'));
  await made.desk.write((tx) => {
    tx.client.run('UPDATE mailbox_cursors SET last_uid = last_uid + 1');
    return null;
  });
  const counted = () => made.rows<object>('SELECT counted, missing FROM mailbox_checks');
  const alarms = () => made.rows<object>('SELECT kind FROM mailbox_alarms');
  made.start();
  await until(() => made.reading().lookedAt === clock.now());
  expect(counted()).toEqual([]);
  await made.stop();
  clock.advance(dayMs);
  made.start();
  await until(
    () => counted().length === 1,
    () => made.reading(),
  );
  expect(counted()).toEqual([{ counted: 2, missing: 1 }]);
  await untilLogged(2);
  expect(made.subjects()).toEqual(['Seen', 'Passed over']);
  expect(alarms()).toEqual([{ kind: 'missing_mail' }]);
  expect(made.rows("SELECT 1 FROM deliveries WHERE event = 'mail.mailbox_alarm'")).toHaveLength(1);
  await made.stop();
  clock.advance(dayMs);
  made.start();
  await until(() => alarms().length === 0, counted);
  expect(counted()).toEqual([{ counted: 2, missing: 0 }]);
  expect(logged()).toHaveLength(2);
});
