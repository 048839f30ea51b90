// Mail in crowds, and mail that costs too much: stored at once, filed in turn, and never lost.

import { expect, test } from 'bun:test';
import { createMailroom } from '../../../src/jobs/mailroom.ts';
import { type Reader, ReaderError } from '../../../src/reader/reader.ts';
import { inlineReader } from '../../support/inline-reader.ts';
import { type MailDesk, mail, mailDesk, minute } from './mail-desk.ts';

type Options = Partial<Parameters<typeof createMailroom>[0]>;

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

async function deskWith(options: Options): Promise<MailDesk> {
  const own = await mailDesk();
  const { desk, blobs, mailBlobs } = own;
  const fetchText = () => Promise.reject(new Error('no network in tests'));
  const base = { desk, blobs, mailBlobs, log: silent, reader: inlineReader, fetchText };
  return Object.assign(own, { mailroom: createMailroom({ ...base, ...options }) });
}

const send = (own: MailDesk, raw: string) =>
  own.mailroom.receive(own.site, 'raw', {}, new Blob([raw]).stream()).then(({ row }) => row);

/** A reader that starts when it is told to. */
function waitingReader() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const reader: Reader = {
    ...inlineReader,
    run: async (kind, input, how) => {
      await promise;
      return await inlineReader.run(kind, input, how);
    },
  };
  return { reader, goOn: resolve };
}

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries += 1) {
    if (tries > 500) throw new Error('in vain');
    await Bun.sleep(5);
  }
}

const statuses = (own: MailDesk) => own.inboundLog().map(({ status }) => status);

test('mail that takes too long is answered as stored, and filed later', async () => {
  const { reader, goOn } = waitingReader();
  const own = await deskWith({ reader, answerWithinMs: 5 });
  expect(await send(own, mail())).toMatchObject({ status: 'received', outcome: null });
  goOn();
  await until(() => statuses(own)[0] === 'done');
  expect(own.inboundLog()[0]).toMatchObject({ outcome: 'ticket_created', attempts: 1 });
  await own.close();
});

test('mail for a full queue is stored, answered at once, and filed when the queue is empty', async () => {
  const { reader, goOn } = waitingReader();
  const own = await deskWith({ reader, answerWithinMs: 5, mostWaiting: 2 });
  const sender = (at: number) => mail({ from: `mia${at}@customer.example` });
  const answers = await Promise.all(Array.from({ length: 14 }, (_, at) => send(own, sender(at))));
  expect(answers.every(({ status }) => status === 'received')).toBe(true);
  // Eight are under way and two wait; the others are due for the next look.
  const due = own.inboundLog().filter(({ retryAt }) => (retryAt ?? 0) <= own.clock.now());
  expect(due.length).toBe(4);
  goOn();
  await until(() => statuses(own).every((status) => status === 'done'));
  expect(own.tickets()).toHaveLength(14);
  await own.close();
});

test('mail of a sender above the pace waits for its turn, and none is lost', async () => {
  const own = await deskWith({ sendersPerMinute: 2 });
  for (let at = 0; at < 4; at += 1) await send(own, mail({ subject: `Mail ${at}` }));
  await send(own, mail({ from: 'tom@customer.example' }));
  const at = own.clock.now();
  expect(own.inboundLog().map(({ status, retryAt }) => [status, retryAt])).toEqual([
    ['done', null],
    ['done', null],
    ['received', at + minute / 2],
    ['received', at + minute],
    ['done', null],
  ]);
  expect(own.inboundLog()[2]).toMatchObject({ sender: 'mia@customer.example', attempts: 0, outcome: null });
  expect(own.inboundLog()[2]?.reason).toContain('waits for its turn');
  own.clock.advance(minute / 2);
  expect(await own.mailroom.recover('due')).toBe(1);
  own.clock.advance(minute / 2);
  expect(await own.mailroom.recover('due')).toBe(1);
  expect(own.tickets()).toHaveLength(5);
  await own.close();
});

test('a message whose turn is more than an hour away is held, and can be released', async () => {
  const own = await deskWith({ sendersPerMinute: 1 });
  for (let at = 0; at < 62; at += 1) await send(own, mail({ subject: `Mail ${at}` }));
  const last = own.inboundLog().at(-1);
  expect(last).toMatchObject({ status: 'done', outcome: 'held', sender: 'mia@customer.example' });
  const replayed = await own.mailroom.replay(null, last?.id ?? 0, { isReleased: true, forwardsAgain: false });
  expect(replayed.row.outcome).toBe('ticket_created');
  await own.close();
});

/** A reader for which a full reading costs too much; with `isHopeless`, so does the cheap way. */
function costlyReader(isHopeless: boolean): Reader {
  return {
    ...inlineReader,
    run: (kind, input, how) =>
      isHopeless || !('isPlain' in input && input.isPlain)
        ? Promise.reject(
            new ReaderError('memory', 'The message needed more memory to read than one message is allowed.'),
          )
        : inlineReader.run(kind, input, how),
  };
}

test('a message that is too costly to read in full is kept as text, and the log of mail says so', async () => {
  const own = await deskWith({ reader: costlyReader(false) });
  const row = await send(own, mail({ headers: ['Content-Type: text/html'], body: '<p>It <b>burns</b>.</p>' }));
  expect(row).toMatchObject({ outcome: 'ticket_created' });
  expect(row.reason).toContain('too costly to read in full');
  expect(own.last(row.ticketId)).toMatchObject({ body: 'It burns .', html: null });
  await own.close();
});

test('a message with longer headers than the desk reads is filed, and the log of mail says so', async () => {
  const own = await deskWith({});
  const others = Array.from({ length: 4000 }, (_, at) => `person-${at}@else.example`).join(', ');
  const row = await send(own, mail({ headers: [`Cc: ${others}`, 'X-End: yes'], body: 'It burns.' }));
  expect(row).toMatchObject({ outcome: 'ticket_created', sender: 'mia@customer.example' });
  expect(row.reason).toContain('Its headers are too long, so some are cut or left out; the original has them.');
  expect(own.last(row.ticketId)).toMatchObject({ body: 'It burns.' });
  await own.close();
});

test('a message that cannot be read even as text is failed with a reason, and can be replayed', async () => {
  let isHopeless = true;
  const reader: Reader = {
    ...inlineReader,
    run: (kind, input, how) => (isHopeless ? costlyReader(true) : inlineReader).run(kind, input, how),
  };
  const own = await deskWith({ reader });
  const row = await send(own, mail());
  expect(row).toMatchObject({ status: 'done', outcome: 'failed', ticketId: null });
  expect(row.reason).toBe('The message needed more memory to read than one message is allowed.');
  isHopeless = false;
  expect((await own.mailroom.replay(null, row.id)).row.outcome).toBe('ticket_created');
  await own.close();
});

test('a message is tried again when the reader process dies', async () => {
  let isBroken = true;
  const reader: Reader = {
    ...inlineReader,
    run: (kind, input, how) =>
      isBroken
        ? Promise.reject(new ReaderError('crash', 'The process that read the message crashed.'))
        : inlineReader.run(kind, input, how),
  };
  const own = await deskWith({ reader });
  expect(await send(own, mail())).toMatchObject({ status: 'received', attempts: 1 });
  isBroken = false;
  own.clock.advance(minute);
  expect(await own.mailroom.recover('due')).toBe(1);
  await own.close();
});

test('a dry run that costs too much is refused', async () => {
  const own = await deskWith({ reader: costlyReader(true) });
  const refused = await own.mailroom.preview('web-shop', new TextEncoder().encode(mail())).catch((error) => error);
  expect(refused).toMatchObject({ name: 'DeskError', code: 'too_large' });
  await own.close();
});

test('a header condition named like an object property finds nothing', async () => {
  const own = await deskWith({});
  await own.rule({
    conditions: [{ field: 'header:constructor', operator: 'matches', value: '.*' }],
    actions: [{ type: 'discard', value: 'no' }],
  });
  expect((await send(own, mail({ headers: ['__proto__: x'] }))).outcome).toBe('ticket_created');
  await own.close();
});

test('a ticket keeps the text of every reply, and of large ones the HTML only as long as there is room', async () => {
  const own = await deskWith({});
  const first = await send(own, mail({ subject: 'Large' }));
  const { ulid } = own.ticket(first.ticketId);
  const large = `<p>${'word '.repeat(90_000)}</p>`;
  for (let at = 0; at < 24; at += 1)
    await send(
      own,
      mail({
        to: `ticket+${ulid}@desk.example`,
        headers: ['Content-Type: text/html'],
        body: `<p>Reply ${at}.</p>${large}`,
      }),
    );
  const messages = own.messages(first.ticketId);
  const bytes = messages.reduce((sum, { html, wholeBody }) => sum + (html?.length ?? 0) + (wholeBody?.length ?? 0), 0);
  expect(messages).toHaveLength(25);
  expect(messages.at(1)?.html).toContain('Reply 0.');
  expect(messages.at(-1)).toMatchObject({ html: null, wholeBody: null });
  expect(messages.at(-1)?.body).toStartWith('Reply 23.');
  expect(bytes).toBeLessThan(9.5 * 1024 * 1024);
  await own.close();
});
