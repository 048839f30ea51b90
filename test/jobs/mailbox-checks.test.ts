// What the desk finds out about mailboxes beside reading them, and how the owners hear of it.

import { afterAll, afterEach, test as anyTest, beforeAll, expect, setDefaultTimeout } from 'bun:test';
import { reportReading } from '../../src/desk/mail/mailbox-reading.ts';
import { mailboxView, readingOf } from '../../src/desk/mail/mailboxes.ts';
import { addChannel } from '../../src/desk/outbox/channels.ts';
import { channelInput } from '../../src/domain/input/channels.ts';
import { dayMs, hourMs } from '../../src/domain/instant.ts';
import { checkMailboxes } from '../../src/jobs/mailbox-checks.ts';
import { putMailboxReading } from '../../src/store/mail/mailboxes.ts';
import { fixedClock } from '../support/clock.ts';
import { type Dovecot, hasDovecot, startDovecot } from '../support/dovecot.ts';
import { type ReadingDesk, readingDesk } from './reading-desk.ts';

setDefaultTimeout(30_000);
const test = anyTest.skipIf(!hasDovecot);

let dovecot: Dovecot;
let made: ReadingDesk;
beforeAll(async () => {
  if (hasDovecot) dovecot = await startDovecot();
}, 30_000);
afterAll(() => dovecot?.stop());
afterEach(() => made?.close());

const ctx = () => made.desk.context({ kind: 'desk' }, 'mailbox');
const told = () =>
  made.rows<{ event: string; alarm: string }>(
    "SELECT event, payload ->> '$.alarm' AS alarm FROM deliveries WHERE payload ->> '$.alarm' IS NOT NULL ORDER BY id",
  );
const view = () => {
  const row = made.mailbox();
  return made.desk.read((tx) => mailboxView(tx, ctx(), row));
};
const alarms = () => view().alarms.map(({ kind }) => kind);

const clock = fixedClock(Date.now());
async function watched(more: object = {}, app?: object) {
  clock.set(Date.now());
  const incoming = {
    ...{ host: 'localhost', port: dovecot.ports.tls, tls: 'implicit', user: dovecot.user },
    certificate_sha256: dovecot.sha256,
  };
  made = await readingDesk({ incoming, ...more }, { clock, ...(app ? { app: app as never } : {}) });
  const channel = channelInput.parse({
    name: 'Ops',
    type: 'custom',
    webhook_url: 'https://ops.example/',
    events: ['mailbox.alarm'],
  });
  await made.desk.write((tx) =>
    addChannel(tx, made.desk.context({ kind: 'command_line' }, 'test'), made.site.slug, channel),
  );
}
let asked = 0;
const check = async () =>
  await checkMailboxes({
    desk: made.desk,
    route: {
      certificateTerm(server, protocol) {
        asked += 1;
        return made.route.certificateTerm(server, protocol);
      },
    },
    isStopping: () => false,
    awakeSince: clock.now() - dayMs,
  });

test('a certificate is counted down, and the owners and the channel hear of it at each step once', async () => {
  await watched();
  asked = 0;
  await check();
  await check();
  expect(asked).toBe(1);
  const [expiry] = view().expiries;
  expect(expiry?.of).toBe('incoming_certificate');
  const end = expiry?.at ?? 0;
  // openssl made it for two days.
  expect(Math.round((end - clock.now()) / dayMs)).toBe(2);
  expect(alarms()).toEqual([]);
  clock.set(end - 6 * hourMs);
  await check();
  await check();
  expect(asked).toBe(2);
  expect(alarms()).toEqual(['incoming_certificate']);
  expect(told()).toEqual([
    { event: 'mail.mailbox_alarm', alarm: 'incoming_certificate' },
    { event: 'mailbox.alarm', alarm: 'incoming_certificate' },
  ]);
  clock.set(end + hourMs);
  await check();
  expect(told()).toHaveLength(4);
  expect(view().alarms[0]?.reason).toContain('ended on');
  // The mailbox moves to a server whose certificate is not known yet.
  const elsewhere = { host: 'localhost', port: 1, user: dovecot.user };
  await made.change({ incoming: elsewhere, password: dovecot.password });
  await check();
  expect(alarms()).toEqual([]);
});

test("the secret of the desk's app is counted down from 30 days before, and a new one ends that", async () => {
  const app = { issuer: 'https://login.example.org', client_id: 'desk', client_secret: 's', scope: 'mail' };
  const ends = Date.now() + 31 * dayMs;
  await watched(
    {
      incoming: null,
      outgoing: { host: 'localhost', port: 1, user: 'help' },
      provider: 'other',
      authentication: 'oauth',
      password: null,
    },
    { ...app, secret_expires_at: ends },
  );
  await check();
  expect(alarms()).toEqual([]);
  clock.advance(2 * dayMs);
  await check();
  expect(alarms()).toEqual(['client_secret']);
  clock.advance(dayMs);
  await check();
  expect(view().alarms[0]?.reason).toContain('in 28 days');
  expect(told()).toHaveLength(2);
  clock.advance(22 * dayMs);
  await check();
  expect(told()).toHaveLength(4);
  await made.desk.write((tx) => {
    tx.client.run('UPDATE mail_apps SET secret_expires_at = secret_expires_at + 86400000 * 365');
    return null;
  });
  await check();
  expect(alarms()).toEqual([]);
});

test('a mailbox that fails is told of after two hours, once, and the alarm ends when it is read again', async () => {
  await watched();
  const report = (state: 'failing' | 'connected') =>
    made.desk.write((tx) =>
      reportReading(tx, ctx(), made.mailboxId, { state, reason: state === 'failing' ? 'The server is down.' : null }),
    );
  await report('failing');
  clock.advance(2 * hourMs - 1);
  await report('failing');
  expect(alarms()).toEqual([]);
  clock.advance(1);
  await report('failing');
  clock.advance(hourMs);
  await report('failing');
  expect(alarms()).toEqual(['failing']);
  expect(told().map(({ event }) => event)).toEqual(['mail.mailbox_alarm', 'mailbox.alarm']);
  await report('connected');
  expect(alarms()).toEqual([]);
  await report('failing');
  clock.advance(3 * hourMs);
  await report('failing');
  expect(told()).toHaveLength(4);
});

test('a mailbox to which nothing comes for far longer than usual at this hour is told of, until the next mail', async () => {
  await watched();
  const now = Math.ceil(Date.now() / hourMs) * hourMs + 20 * 60_000;
  clock.set(now);
  // A mail every half hour for five weeks, and none for the last two hours.
  await made.desk.write((tx) => {
    const insert = tx.client.prepare(
      `INSERT INTO mailbox_messages (mailbox_id, folder, uid_validity, uid, content_mark, is_pending, seen_at)
       VALUES (?, 'INBOX', '1', ?, ?, 0, ?)`,
    );
    const first = now - 35 * dayMs;
    for (let at = first; at < now - 2 * hourMs; at += hourMs / 2)
      insert.run(made.mailboxId, at - first, String(at), at);
    return null;
  });
  const row = made.mailbox();
  const seen = async (messageAt: number) =>
    await made.desk.write((tx) => {
      putMailboxReading(tx, { ...readingOf(tx, row), state: 'connected', lookedAt: clock.now(), messageAt });
      return null;
    });
  await seen(now - 40 * 60_000);
  await check();
  expect(alarms()).toEqual([]);
  await seen(now - 2 * hourMs);
  await check();
  await check();
  expect(alarms()).toEqual(['quiet']);
  expect(told().map(({ alarm }) => alarm)).toEqual(['quiet', 'quiet']);
});
