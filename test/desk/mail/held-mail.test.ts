// Mail that waits for a decision: why it does, and what is decided about much of it together.

import { afterEach, beforeEach, expect, test } from 'bun:test';
import { migrations } from '../../../migrations/index.ts';
import { countHeld, decideHeld, holdMails, listInboundLog, mostDecided } from '../../../src/desk/mail/log.ts';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import type { HeldFor } from '../../../src/domain/mail/inbound.ts';
import { query } from '../../../src/engine/database.ts';
import { suppressAddress } from '../../../src/store/mail/suppressions.ts';
import { type MailDesk, mail, mailDesk } from './mail-desk.ts';

let desk: MailDesk;
beforeEach(async () => {
  desk = await mailDesk();
});
afterEach(() => desk.close());

const forged = ['Authentication-Results: mx; dmarc=fail header.from=customer.example'];
const noOnes = `agent+a-b-c-${'0'.repeat(32)}@desk.example`;
const site = () => desk.site.slug;
const counts = () => desk.do((tx, ctx) => countHeld(tx, ctx, site()));
const outcomes = () => desk.inboundLog().map(({ outcome }) => outcome);
const decide = (decision: 'release' | 'discard', count: number, heldFor: HeldFor[] = [], upTo = 1e9) =>
  desk.do((tx, ctx) => decideHeld(tx, ctx, site(), { heldFor, upTo, count }, decision));

async function holdForEachReason(): Promise<Record<string, number>> {
  const spam = await desk.post(mail({ from: 'eve@spam.example' }));
  await desk.do((tx, ctx) => changeTicket(tx, ctx, String(spam.ticketId), { is_spam: true }, null));
  await desk.rule({
    conditions: [{ field: 'subject', operator: 'equals', value: 'Forward' }],
    actions: [
      { type: 'forward', value: 'sales@elsewhere.example' },
      { type: 'discard', value: 'sent on' },
    ],
  });
  await desk.do((tx, ctx) => suppressAddress(tx, desk.site.id, 'sales@elsewhere.example', 'gone', ctx.now));
  const written: [HeldFor, string, string?][] = [
    ['spam', mail({ from: 'eve@spam.example' })],
    ['forged', mail({ headers: forged })],
    ['undeliverable', mail({ to: noOnes }), noOnes],
    ['forward_bounces', mail({ subject: 'Forward' })],
  ];
  const ids: Record<string, number> = {};
  for (const [reason, raw, to] of written) ids[reason] = (await desk.post(raw, to === undefined ? {} : { to })).id;
  for (let sent = 0; sent <= 10; sent += 1) ids.too_much = (await desk.post(mail({ from: 'lou@much.example' }))).id;
  return ids;
}

test('each has its reason as a word to filter by, which an upgrade finds in what it says', async () => {
  const ids = await holdForEachReason();
  const reasons = (): unknown[] =>
    desk.inboundLog().flatMap((row) => (row.outcome === 'held' ? [[row.heldFor, row.id]] : []));
  const expected: unknown[] = Object.entries(ids).toSorted(([, one], [, other]) => one - other);
  expect(reasons()).toEqual(expected);
  const listed = (...heldFor: HeldFor[]) =>
    desk.desk.read((tx) =>
      listInboundLog(tx, desk.desk.context({ kind: 'desk' }, 'test'), site(), { outcomes: [], heldFor }, 50, 0),
    );
  expect(listed('forged', 'spam').rows.map(({ id }) => id)).toEqual([ids.forged ?? 0, ids.spam ?? 0]);
  expect(listed('form').total).toBe(0);
  const fill = migrations.find(({ name }) => name === 'held_for')?.sql.match(/UPDATE[^;]*;/)?.[0] ?? '';
  await desk.do((tx) => {
    // What was said before it named the checks.
    query(
      tx,
      `UPDATE inbound_mail SET reason = 'Its sender is forged: SPF, DKIM and DMARC say so.' WHERE held_for = 'forged'`,
    ).run();
    query(tx, 'UPDATE inbound_mail SET held_for = NULL').run();
    query(tx, fill).run();
    return null;
  });
  expect(reasons()).toEqual(expected);
});

test('what a filter matches is discarded together, and taken back with its reasons', async () => {
  await holdForEachReason();
  const before = await counts();
  const { ids, left } = await decide('discard', 2, ['forged', 'spam']);
  expect([ids.length, left]).toEqual([2, 0]);
  expect((await counts()).map(({ heldFor }) => heldFor)).toEqual(['forward_bounces', 'too_much', 'undeliverable']);
  const rows = await desk.do((tx, ctx) => holdMails(tx, ctx, site(), [...ids, 1, 999]));
  expect(rows).toEqual(ids);
  expect(await counts()).toEqual(before);
});

test('nothing happens if there is other mail than someone was told, and what came later is not meant', async () => {
  const first = await desk.post(mail({ headers: forged }));
  const later = await desk.post(mail({ headers: forged }));
  expect(decide('discard', 1, ['forged'])).rejects.toThrow('The held mail has changed: 2 match now, not 1.');
  expect(outcomes()).toEqual(['held', 'held']);
  expect((await decide('discard', 1, ['forged'], first.id)).ids).toEqual([first.id]);
  expect(outcomes()).toEqual(['discarded', 'held']);
  expect(later.outcome).toBe('held');
});

test('released mail is filed, also after a crash that came before', async () => {
  const one = await desk.post(mail({ headers: forged, id: '<one@customer.example>' }));
  await desk.post(mail({ headers: [...forged, 'In-Reply-To: <one@customer.example>'], subject: 'Re: fire' }));
  await decide('release', 2);
  expect(outcomes()).toEqual([null, null]);
  // As the desk does at its start.
  expect(await desk.mailroom.recover('all')).toBe(2);
  expect(outcomes()).toEqual(['ticket_created', 'reply_added']);
  expect(desk.inboundLog()[0]).toMatchObject({ id: one.id, heldFor: null, isReleased: true });
});

test('much of it is decided in parts, each whole', async () => {
  const { id } = await desk.post(mail({ headers: forged }));
  const copies = mostDecided + 1;
  await desk.do((tx) => {
    const row = query<Record<string, string | number | null>>(tx, 'SELECT * FROM inbound_mail WHERE id = ?').get(id);
    const { id: _, ulid: __, ...rest } = row ?? {};
    const names = Object.keys(rest).join(', ');
    query(
      tx,
      `INSERT INTO inbound_mail (ulid, ${names}) WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
       SELECT 'copy' || n, ${names} FROM numbers CROSS JOIN inbound_mail WHERE id = ?`,
    ).run(copies - 1, id);
    return null;
  });
  const part = await decide('discard', copies);
  expect([part.ids.length, part.ids[0], part.left]).toEqual([mostDecided, id, 1]);
  expect((await decide('discard', 1)).left).toBe(0);
});
