// What an erasure removes from the inbound log, what it leaves, and what can no longer be replayed.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { eraseAuthor } from '../../../src/desk/customers/authors.ts';
import { openTicket } from '../../../src/desk/tickets/tickets.ts';
import { ingestTicketInput } from '../../../src/domain/input/tickets.ts';
import { query } from '../../../src/engine/database.ts';
import { storedFiles } from '../../../src/store/integrity.ts';
import { insertInboundMail } from '../../../src/store/mail/inbound.ts';
import { isSuppressed, suppressAddress } from '../../../src/store/mail/suppressions.ts';
import { type MailDesk, mail, mailDesk, minute } from './mail-desk.ts';

let bench: MailDesk;
beforeAll(async () => {
  bench = await mailDesk();
});
afterAll(() => bench.close());

const erase = (person: { email?: string; external_id?: string }) =>
  bench.do((tx, ctx) => eraseAuthor(tx, ctx, { site_id: bench.site.id, ...person }).ticketsScrubbed);
const rowOf = (id: number) => bench.inboundLog().find((row) => row.id === id);
const inboundLogText = () =>
  JSON.stringify([
    bench.desk.read((tx) => query(tx, 'SELECT * FROM inbound_mail').all()),
    bench.desk.read((tx) => query(tx, 'SELECT * FROM mail_suppressions').all()),
    bench.desk.read((tx) => query(tx, "SELECT * FROM deliveries WHERE event = 'mail.forward'").all()),
  ]);

test('sender, subject, headers, trace and bounced address are removed; the outcome stays', async () => {
  const rule = await bench.rule({
    conditions: [
      { field: 'from_domain', operator: 'equals', value: 'nowhere.example', negate: true },
      { field: 'subject', operator: 'contains', value: 'is my name' },
    ],
    actions: [{ type: 'forward', value: 'archive@desk.example' }],
  });
  const from = 'quirin@zwetschge.example';
  const opened = await bench.post(mail({ from: `Quirin Zwetschge <${from}>`, subject: 'Zwetschge is my name' }), {
    from,
    to: 'support@desk.example',
  });
  expect(opened).toMatchObject({ outcome: 'ticket_created', sender: from, erasedAt: null });
  expect(opened.matchedRules.map(({ id }) => id)).toEqual([rule]);
  const other = await bench.post(mail({ from: 'other@customer.example', subject: 'Not of this' }));
  await bench.do((tx, ctx) => {
    suppressAddress(tx, bench.site.id, from, `550 ${from} unknown`, ctx.now);
    return null;
  });
  expect(inboundLogText()).toMatch(/quirin/i);
  bench.desk.takeErased();
  await erase({ email: from });

  const row = rowOf(opened.id);
  expect(row).toMatchObject({
    outcome: 'ticket_created',
    ticketId: opened.ticketId,
    sender: null,
    subject: null,
    headers: {},
    trace: [],
    recipient: 'support@desk.example',
    contentHash: opened.contentHash,
    erasedAt: bench.clock.now(),
    reason: 'Erased, together with the person it was from or about.',
  });
  expect(/quirin|zwetschge/i.exec(inboundLogText())?.[0]).toBeUndefined();
  expect(rowOf(other.id)).toEqual(other);
  expect(bench.desk.read((tx) => isSuppressed(tx, bench.site.id, from))).toBe(false);
  // The stored request is removed with it, without an error.
  expect(bench.desk.takeErased()).toEqual([opened.ulid]);
  expect(bench.desk.read((tx) => storedFiles(tx, 'inbound_mail', 0, 10)).map(({ ulid }) => ulid)).toEqual([other.ulid]);
  // The forward had not left, and no longer will.
  expect((await bench.leave()).filter(({ event }) => event === 'mail.forward')).toEqual([]);
});

test('the note about their automatic answer no longer names them', async () => {
  const from = 'Holiday@Maker.example';
  const opened = await bench.post(mail({ from }));
  const plus = `ticket+${bench.ticket(opened.ticketId).ulid.toLowerCase()}@desk.example`;
  const headers = ['Auto-Submitted: auto-replied'];
  expect((await bench.post(mail({ from, to: plus, headers, body: 'I am at the beach.' }))).outcome).toBe(
    'ignored_auto_reply',
  );
  expect(bench.last(opened.ticketId).body).toBe('Automatic answer from Holiday@Maker.example:\n\nI am at the beach.');
  await erase({ email: from });
  expect(bench.last(opened.ticketId).body).toBe('Automatic answer from Anonymised:\n\nI am at the beach.');
  expect(JSON.stringify(bench.messages(opened.ticketId))).not.toMatch(/maker/i);
});

test('a repeat of erased mail is still recognised as a duplicate', async () => {
  const raw = mail({ from: 'twice@customer.example' });
  const first = await bench.post(raw);
  await erase({ email: 'twice@customer.example' });
  const again = await bench.post(raw);
  expect(again).toMatchObject({ outcome: 'duplicate', ticketId: first.ticketId });
});

test('a bounce on their ticket goes too; a colleague who wrote there stays', async () => {
  const from = 'owner@customer.example';
  const opened = await bench.post(mail({ from }));
  const plus = `ticket+${bench.ticket(opened.ticketId).ulid.toLowerCase()}@desk.example`;
  const colleague = await bench.post(mail({ from: 'colleague@customer.example', to: plus }));
  expect(colleague.outcome).toBe('reply_added');
  await bench.leave();
  const sent = bench.desk.read((tx) =>
    query<{ mail_message_id: string }>(tx, 'SELECT mail_message_id FROM deliveries WHERE recipient = ?').get(from),
  );
  const bounce = await bench.post(
    mail({
      from: 'MAILER-DAEMON@mx.example',
      headers: ['Content-Type: multipart/report; report-type=delivery-status; boundary=b'],
      body: `--b\r\nContent-Type: message/delivery-status\r\n\r\nFinal-Recipient: rfc822; ${from}\r\nAction: failed\r\nDiagnostic-Code: smtp; 550 <${from}> is no one\r\n--b\r\nContent-Type: message/rfc822\r\n\r\nMessage-ID: ${sent?.mail_message_id}\r\n\r\nx\r\n--b--`,
    }),
  );
  expect(bounce).toMatchObject({ outcome: 'bounce_recorded', ticketId: opened.ticketId });
  expect(bounce.reason).toContain(from);
  await erase({ email: from });
  expect(inboundLogText()).not.toContain(from);
  expect(rowOf(bounce.id)?.erasedAt).not.toBeNull();
  expect(rowOf(colleague.id)).toEqual(colleague);
});

test('of two people with one address, only the mail on tickets of the erased one is removed', async () => {
  const email = 'shared@customer.example';
  const byMail = await bench.post(mail({ from: email }));
  await bench.do((tx, ctx) => {
    const input = { email, subject: 'x', message: 'x', context: { user: { external_id: 'shared-1' } } };
    openTicket(tx, ctx, bench.site, ingestTicketInput.parse(input));
    return null;
  });
  await erase({ external_id: 'shared-1' });
  expect(rowOf(byMail.id)).toEqual(byMail);
  await erase({ email });
  expect(rowOf(byMail.id)?.sender).toBeNull();
});

test('erased mail cannot be replayed, even if a replay had already begun', async () => {
  const rule = await bench.rule({
    conditions: [{ field: 'subject', operator: 'equals', value: 'Thrown away' }],
    actions: [{ type: 'discard', value: null }],
  });
  const row = await bench.post(mail({ from: 'gone@customer.example', subject: 'Thrown away' }));
  expect(row).toMatchObject({ outcome: 'discarded', matchedRules: [{ id: rule, name: 'Rule' }] });
  await bench.post(mail({ from: 'gone@customer.example' }));
  await erase({ email: 'gone@customer.example' });
  const refused = bench.mailroom.replay('web-shop', row.id);
  await expect(refused).rejects.toThrow(
    'This mail cannot be filed again: its sender and the stored message were erased.',
  );
  expect(rowOf(row.id)).toMatchObject({ status: 'done', outcome: 'discarded', sender: null });
});

test('mail that waited while its sender was erased does not bring the person back', async () => {
  const from = 'waiting@customer.example';
  await bench.post(mail({ from }));
  const raw = mail({ from, subject: 'I waited' });
  const ulid = '01K4Z0000000000000000000B1';
  await (await bench.mailBlobs.stage(new Blob([raw]).stream(), 10_000)).keep(ulid);
  const id = await bench.do((tx, ctx) =>
    insertInboundMail(tx, {
      ulid,
      siteId: bench.site.id,
      provider: 'raw',
      headers: { 'x-envelope-from': from },
      size: raw.length,
      sha256: null,
      receivedAt: ctx.now,
      retryAt: ctx.now,
    }),
  );
  bench.clock.advance(minute);
  await erase({ email: from });
  const tickets = bench.tickets().length;
  bench.desk.takeErased();
  expect(await bench.mailroom.recover('all')).toBe(1);
  expect(rowOf(id)).toMatchObject({ status: 'done', outcome: 'discarded', sender: null, subject: null, headers: {} });
  expect(bench.desk.takeErased()).toEqual([ulid]);
  expect(bench.tickets().length).toBe(tickets);
  expect(inboundLogText()).not.toContain(from);
  // The sender of later mail is a new person.
  bench.clock.advance(minute);
  expect((await bench.post(mail({ from, subject: 'Here again' }))).outcome).toBe('ticket_created');
});
