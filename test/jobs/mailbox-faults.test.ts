// What servers do that good servers do not: nothing is lost, nothing is filed twice, and the rest goes on.

import { afterEach, describe, expect, test } from 'bun:test';
import { DeskError } from '../../src/domain/errors.ts';
import { connectMailbox } from '../../src/outbox/mailbox-servers.ts';
import { type ImapServer, type ServedMessage, startImapServer } from '../support/imap-server.ts';
import { letter, quick, type ReadingDesk, readingDesk, until } from './reading-desk.ts';

let server: ImapServer;
let made: ReadingDesk;
afterEach(async () => {
  await made.close();
  await server.stop();
});

const served = (uid: number, subject = `Mail ${uid}`, more: Partial<ServedMessage> = {}): ServedMessage => ({
  uid,
  text: letter(subject),
  ...more,
});

async function reading(
  messages: ServedMessage[],
  incoming: object = {},
  settings: Parameters<typeof readingDesk>[1] = {},
) {
  server = await startImapServer(messages);
  made = await readingDesk(
    { incoming: { host: 'localhost', port: server.port, tls: 'none', user: 'help', ...incoming } },
    settings,
  );
}

const logged = () => made.log().map(({ outcome, subject }) => `${outcome} ${subject}`);
const untilLogged = (count: number) =>
  until(
    () => made.log().filter(({ outcome }) => outcome !== null).length >= count,
    () => [made.log(), made.reading(), server.asked.slice(-10)],
  );
const untilState = (state: string) =>
  until(
    () => made.reading().state === state,
    () => [made.reading(), made.log(), server.asked.slice(-20)],
  );

const isContent = (line: string, uid: number) => new RegExp(`^UID FETCH ${uid} .*BODY\\.PEEK\\[\\]`, 'i').test(line);
const isDescription = (line: string) => /RFC822\.SIZE/i.test(line);

describe('a message that cannot be read', () => {
  test.each([
    [
      'cuts the connection in the middle',
      (tag: string) => [`* 2 FETCH (UID 2 BODY[]<0> {5000}\r\nFrom: mia@`, tag, 'then hang up'],
    ],
    ['announces more than it sends', () => ['* 2 FETCH (UID 2 BODY[]<0> {5000}\r\nFrom: mia@x\r\n)\r\n']],
    ['announces 2 GB', (tag: string) => ['* 2 FETCH (UID 2 BODY[]<0> {2147483648}\r\nFrom', tag]],
    ['has no end', () => [`* 2 FETCH (UID 2 BODY[]<0> "${'x'.repeat(5_000_000)}`]],
  ])('that %s is recorded with its headers, and the rest goes on', async (_name, answer) => {
    await reading([served(1), served(2), served(3)]);
    server.misbehave = (line, tag) => {
      if (!isContent(line, 2)) return undefined;
      const [text = '', , hangsUp] = answer(tag);
      if (hangsUp) setTimeout(() => server.hangUp(), 20);
      return text;
    };
    made.start();
    await untilLogged(3);
    expect(logged()).toEqual(['ticket_created Mail 1', 'failed null', 'ticket_created Mail 3']);
    expect(made.log()[1]?.reason).toContain('3 times');
  });

  test('of more than 25 MB is recorded as failed with its sender and subject', async () => {
    await reading([served(1), served(2, 'Large', { size: 26 * 1024 * 1024 }), served(3)]);
    server.misbehave = (line, tag) =>
      line.startsWith('UID FETCH 2') && line.includes('ENVELOPE')
        ? `* 2 FETCH (UID 2 ENVELOPE (NIL "Large" (("Mia" NIL "mia" "customer.example")) NIL NIL NIL NIL NIL NIL NIL) BODY[HEADER]<0> {13}\r\nSubject: Large)\r\n${tag} OK\r\n`
        : undefined;
    made.start();
    await untilLogged(3);
    expect(logged()).toEqual(['ticket_created Mail 1', 'failed Large', 'ticket_created Mail 3']);
    expect(made.log()[1]).toMatchObject({ sender: 'mia@customer.example' });
    expect(made.log()[1]?.reason).toContain('larger than 25 MB');
    expect(server.asked.some((line) => isContent(line, 2))).toBe(false);
  });

  test('that disappears between list and fetch is passed by', async () => {
    await reading([served(1), served(2), served(3)]);
    server.misbehave = (line, tag) => {
      if (!isContent(line, 2)) return undefined;
      server.messages = server.messages.filter(({ uid }) => uid !== 2);
      return `${tag} OK nothing\r\n`;
    };
    made.start();
    await untilLogged(2);
    await untilState('connected');
    expect(logged()).toEqual(['ticket_created Mail 1', 'ticket_created Mail 3']);
  });

  test('that is listed but never handed out is recorded as failed', async () => {
    await reading([served(1), served(2), served(3)]);
    server.misbehave = (line, tag) => (line.startsWith('UID FETCH 2 ') ? `${tag} OK nothing\r\n` : undefined);
    made.start();
    await untilLogged(3);
    expect(logged()).toEqual(['ticket_created Mail 1', 'failed null', 'ticket_created Mail 3']);
  });
});

describe('a server', () => {
  test('that answers other UIDs than asked is not believed', async () => {
    await reading([served(1), served(2)]);
    server.misbehave = (line, tag) =>
      isContent(line, 1)
        ? `* 2 FETCH (UID 99 BODY[]<0> {${Buffer.byteLength(server.messages[1]?.text ?? '')}}\r\n${server.messages[1]?.text})\r\n${tag} OK\r\n`
        : undefined;
    made.start();
    await untilLogged(2);
    expect(logged()).toEqual(['failed null', 'ticket_created Mail 2']);
  });

  test('that answers for ever loses the connection', async () => {
    await reading([served(1)], {}, { times: { ...quick, silentMs: 5_000, commandMs: 60_000 } });
    const flood = Buffer.from('* OK still here\r\n'.repeat(800_000));
    server.misbehave = (line) =>
      line.startsWith('UID SEARCH') && made.reading().state !== 'failing' ? flood : undefined;
    made.start();
    await untilState('failing');
    expect(made.reading().reason).toBe('The server sent more than was asked for.');
    await untilState('connected');
    expect(logged()).toEqual(['ticket_created Mail 1']);
  }, 20_000);

  test.each([
    ['in IDLE', (line: string) => line === 'DONE'],
    ['in a list', (line: string) => line.startsWith('UID SEARCH')],
    ['in the middle of a message', (line: string) => isContent(line, 1)],
  ])('that falls silent %s is noticed, and the desk connects again', async (_name, isThen) => {
    await reading([served(1)]);
    let isOver = false;
    server.misbehave = (line) => {
      if (isOver || !isThen(line)) return undefined;
      isOver = true;
      return 'silence';
    };
    made.start();
    await until(
      () => server.connections >= 2,
      () => [made.reading(), server.asked],
    );
    server.messages.push(served(2));
    await untilLogged(2);
    expect(logged()).toEqual(['ticket_created Mail 1', 'ticket_created Mail 2']);
  });

  test('whose UIDs go backwards is listed again, and nothing is lost or filed twice', async () => {
    await reading([served(10), served(11)]);
    made.start();
    await untilLogged(2);
    server.messages = [served(3, 'After the restore'), ...server.messages.map((one, at) => ({ ...one, uid: at + 4 }))];
    server.hangUp();
    await untilLogged(3);
    await untilState('connected');
    expect(logged()).toEqual(['ticket_created Mail 10', 'ticket_created Mail 11', 'ticket_created After the restore']);
  });

  test('that numbers its messages again and again is read by what the messages are', async () => {
    await reading([served(1), served(2)]);
    made.start();
    await untilLogged(2);
    for (const validity of [8, 9, 10, 11, 12]) {
      server.uidValidity = validity;
      server.messages = [served(1, `New ${validity}`), ...server.messages.map((one, at) => ({ ...one, uid: at + 2 }))];
      server.hangUp();
      await untilLogged(validity - 5);
    }
    await untilState('connected');
    expect(logged().slice(2)).toEqual([8, 9, 10, 11, 12].map((one) => `ticket_created New ${one}`));
    expect(made.rows<{ changes: number }>('SELECT changes FROM mailbox_cursors')).toEqual([{ changes: 5 }]);
  });

  test('that throttles is not a wrong password, and is asked until it answers', async () => {
    await reading([served(1)]);
    let refusals = 5;
    server.misbehave = (line, tag) => {
      if (!/^(AUTHENTICATE|LOGIN)/i.test(line) || refusals === 0) return undefined;
      refusals -= 1;
      return `${tag} NO [UNAVAILABLE] Too many connections\r\n`;
    };
    made.start();
    await untilState('connected');
    expect(refusals).toBe(0);
    expect(made.reading()).toMatchObject({ wrongSignIns: 0 });
  });

  test('that refuses the password is asked three times, and the owners are told', async () => {
    await reading([served(1)]);
    let tries = 0;
    server.misbehave = (line, tag) => {
      if (!/^(AUTHENTICATE|LOGIN)/i.test(line)) return undefined;
      tries += 1;
      return `${tag} NO [AUTHENTICATIONFAILED] Invalid credentials\r\n`;
    };
    made.start();
    await untilState('refused');
    await made.stop();
    made.start();
    await until(() => made.rows("SELECT 1 FROM deliveries WHERE event = 'mail.mailbox_alarm'").length === 1);
    expect(tries).toBe(3);
    expect(made.reading().reason).toContain('Invalid credentials');
    server.misbehave = () => undefined;
    await made.change({ password: 'another' });
    await untilState('connected');
    expect(made.reading()).toMatchObject({ wrongSignIns: 0, reason: null });
    expect(logged()).toEqual(['ticket_created Mail 1']);
  });

  test('that lets no folder be opened, or names it with control characters, is told in words without them', async () => {
    await reading([served(1)]);
    server.misbehave = (line, tag) =>
      /^(SELECT|EXAMINE)/i.test(line) ? `${tag} NO [NONEXISTENT] Folder \u001b[2J\u0007gone\r\n` : undefined;
    made.start();
    await untilState('failing');
    expect(made.reading().reason).not.toMatch(/[\p{Cc}]/u);
    expect(made.reading().reason).toContain('gone');
  });

  test('without IDLE is asked again and again', async () => {
    await reading([served(1)]);
    server.capabilities = 'IMAP4rev1 AUTH=PLAIN SASL-IR';
    made.start();
    await untilLogged(1);
    server.messages.push(served(2));
    await untilLogged(2);
    expect(server.asked).not.toContain('IDLE');
  });

  test('that offers no STARTTLS gets no password', async () => {
    await reading([served(1)], { tls: 'starttls' });
    made.start();
    await untilState('failing');
    expect(server.asked.some((line) => /^(AUTHENTICATE|LOGIN)/i.test(line))).toBe(false);
  });
});

test('two mails with one Message-ID, date and size are both read, if they are not the same', async () => {
  await reading([]);
  made.start();
  await untilState('connected');
  const date = new Date();
  const [one, other] = ['one', 'two'].map((body) =>
    letter('Twins', { id: '<twin@customer.example>', from: 'mia@customer.example', body }),
  );
  server.messages.push(
    { uid: 1, text: one ?? '', date },
    { uid: 2, text: other ?? '', date },
    { uid: 3, text: one ?? '', date },
  );
  server.announce();
  await untilLogged(2);
  await until(() => made.rows('SELECT 1 FROM mailbox_messages').length === 3);
  expect(logged()).toEqual(['ticket_created Twins', 'ticket_created Twins']);
});

test('old messages are described in blocks of fifty, and polls ask only for newer UIDs', async () => {
  await reading(
    Array.from({ length: 120 }, (_, at) => served(at + 1)),
    {},
    { times: { ...quick, silentMs: 5_000 } },
  );
  made.start();
  await untilLogged(120);
  await untilState('connected');
  const blocks = server.asked.filter(isDescription).map((line) => line.split(' ')[2]?.split(',').length);
  expect(blocks).toEqual([50, 50, 20]);
  server.asked.length = 0;
  await until(() => server.asked.some((line) => line.startsWith('UID SEARCH')));
  expect(server.asked.filter((line) => line.startsWith('UID SEARCH')).every((line) => line.includes('121:*'))).toBe(
    true,
  );
});

test('a machine that loses the primary role, before or after any of its commits, leaves nothing lost or twice to the next', async () => {
  await reading([], { after_filing: 'mark_read' });
  const { writer } = made.desk;
  let uid = 0;
  // Two messages are taken in with about ten checks of the role.
  for (let lostAt = 0; lostAt < 12; lostAt += 1) {
    const lost = Promise.withResolvers<void>();
    let checks = 0;
    server.messages.push(served(uid + 1), served(uid + 2));
    uid += 2;
    writer.guard(() => {
      checks += 1;
      if (checks <= lostAt) return;
      lost.resolve();
      throw new DeskError('unavailable', 'Another machine is the primary now.');
    });
    made.start();
    await lost.promise;
    await made.stop();
    writer.guard(() => undefined);
    await made.recover();
    made.start();
    await untilLogged(uid);
    await until(() => made.rows('SELECT 1 FROM mailbox_messages WHERE is_pending = 1').length === 0);
    await made.stop();
  }
  const outcomes = made.log().map(({ outcome, subject }) => `${outcome} ${subject}`);
  expect(outcomes.toSorted()).toEqual(
    Array.from({ length: uid }, (_, at) => `ticket_created Mail ${at + 1}`).toSorted(),
  );
});

test('a folder that is named with a command in it is never named in one', async () => {
  server = await startImapServer();
  made = await readingDesk({ incoming: { host: 'localhost', port: server.port, tls: 'none', user: 'help' } });
  const name = 'Sent\r\nA9 DELETE INBOX\r\n';
  server.misbehave = (line, tag) =>
    /^LIST/i.test(line) ? `* LIST (\\Sent) "/" {${name.length}}\r\n${name}\r\n${tag} OK done\r\n` : undefined;
  const connection = await connectMailbox({ desk: made.desk, route: made.route }, made.mailbox(), quick);
  const isAdded = await connection.addSent(Buffer.from('Subject: x\r\n\r\n')).catch(() => false);
  connection.close();
  expect(isAdded).toBe(false);
  expect(server.asked.some((line) => /DELETE|APPEND/.test(line))).toBe(false);
});
