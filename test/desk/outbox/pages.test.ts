// What a delivery costs the log, and that it is found all the same.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { statSync } from 'node:fs';
import { recordAttempt, takeDue } from '../../../src/desk/outbox/attempts.ts';
import { addChannel } from '../../../src/desk/outbox/channels.ts';
import { createSite } from '../../../src/desk/sites/sites.ts';
import { deliveryStatuses } from '../../../src/domain/outbox/delivery.ts';
import { query, type Tx } from '../../../src/engine/database.ts';
import { sentMail, ticketOfMailId } from '../../../src/store/mail/threads.ts';
import { deliveriesDue, promoteNext, releaseClaims } from '../../../src/store/outbox/lanes.ts';
import { type Delivery, deliveryById, listDeliveries } from '../../../src/store/outbox/outbox.ts';
import { sideConversationOfMail } from '../../../src/store/tickets/side-conversations.ts';
import { frameBytes, statementsOn } from '../../support/store.ts';
import { type Workbench, workbench } from '../workbench.ts';

let bench: Workbench;
beforeEach(() => {
  bench = workbench();
});
afterEach(() => bench.close());

/** How many pages a step writes to the log. */
function pagesOf(step: () => unknown): number {
  const path = `${query<{ file: string }>(bench.tx, 'PRAGMA database_list').get()?.file}-wal`;
  const before = statSync(path).size;
  step();
  return Math.round((statSync(path).size - before) / frameBytes);
}

const sent = { durationMs: 1, responseStatus: 250, responseExcerpt: '', error: null } as const;
const result = { outcome: 'delivered' } as const;
const finish = (deliveryId: number) => bench.do((tx, ctx) => recordAttempt(tx, ctx, { deliveryId, result, ...sent }));

test('a ticket writes few pages, and so do its acknowledgement and what became of that', () => {
  // The first ones also begin the pages of each table.
  for (const first of ['a', 'b']) bench.open({ email: `${first}@example.org` });
  expect(pagesOf(() => bench.open({ email: 'mia@example.org' }))).toBeLessThanOrEqual(34);
  const ids: number[] = [];
  const claim = () => ids.push(...bench.do((tx, ctx) => takeDue(tx, ctx, null, 3, { by: 'this', ms: 1000 })));
  expect(pagesOf(claim)).toBeLessThanOrEqual(9);
  for (const id of ids.slice(1)) finish(id);
  expect(pagesOf(() => finish(ids[0] ?? 0))).toBeLessThanOrEqual(6);
  expect(deliveryById(bench.tx, ids[0] ?? 0)).toMatchObject({ status: 'delivered', claimedUntil: 0 });
});

describe('deliveries', () => {
  test('are listed by site, channel and status', () => {
    const { site: other } = bench.do((tx, ctx) => createSite(tx, ctx, { name: 'Other' }));
    const channels = [bench.site, other].map(({ slug }) =>
      bench.do((tx, ctx) =>
        addChannel(tx, ctx, slug, {
          name: 'Hook',
          type: 'custom',
          webhook_url: 'https://hooks.example.org/in',
          events: ['ticket.created'],
        }),
      ),
    );
    for (let at = 0; at < 6; at += 1) {
      bench.open({ email: `m${at}@example.org` });
      bench.open({ email: `o${at}@example.org` }, other);
    }
    const all = query<{ id: number }>(bench.tx, 'SELECT id FROM deliveries ORDER BY id DESC')
      .all()
      .flatMap(({ id }) => deliveryById(bench.tx, id) ?? []);
    expect(all).toHaveLength(24);
    const states = new Map<number, Delivery['status']>();
    for (const [at, { id }] of all.entries()) {
      const status = deliveryStatuses[Math.floor(at / 4) % 3] ?? 'queued';
      states.set(id, status);
      query(bench.tx, 'UPDATE deliveries SET status = ? WHERE id = ?').run(status, id);
    }
    const lanes = [undefined, null, ...channels.map(({ channel }) => channel.id)];
    for (const siteId of [null, bench.site.id, other.id])
      for (const channelId of lanes)
        for (const status of [null, ...deliveryStatuses]) {
          const wanted = all.filter(
            (row) =>
              (siteId === null || row.siteId === siteId) &&
              (channelId === undefined || row.channelId === channelId) &&
              (status === null || states.get(row.id) === status),
          );
          const lane = channelId === undefined ? {} : { channelId };
          const listed = listDeliveries(bench.tx, { siteId, status, ...lane }, 3, 1);
          const ids = wanted.map(({ id }) => id).slice(1, 4);
          expect([siteId, channelId, status, listed.total, ...listed.rows.map(({ id }) => id)]).toEqual([
            siteId,
            channelId,
            status,
            wanted.length,
            ...ids,
          ]);
        }
  });

  test('are found by the Message-ID of their mail, also of one that was imported under its own', () => {
    const { ticket } = bench.open();
    const row = query<{ id: number; mailId: string }>(
      bench.tx,
      'SELECT id, mail_message_id AS mailId FROM deliveries WHERE ticket_id = ?',
    ).get(ticket.id);
    const found = (mailId: string) => [
      sentMail(bench.tx, mailId)?.id,
      ticketOfMailId(bench.tx, bench.site.id, ['<other@example.org>', mailId]),
    ];
    expect(found(row?.mailId ?? '')).toEqual([row?.id, ticket.id]);
    // Another domain, or the ulid in lower case, is another id.
    expect(found(row?.mailId.replace('@', '@x') ?? '')).toEqual([undefined, null]);
    expect(found(row?.mailId.toLowerCase() ?? '')).toEqual([undefined, null]);
    query(bench.tx, 'UPDATE deliveries SET mail_message_id = ? WHERE id = ?').run('<old-1@example.org>', row?.id ?? 0);
    expect(found('<old-1@example.org>')).toEqual([row?.id, ticket.id]);
    expect(found(row?.mailId ?? '')).toEqual([undefined, null]);
  });
});

const behind = { channelId: null, ticketId: 1, recipient: 'mia@example.org' } as Delivery;
describe('no delivery is looked for in the whole table', () => {
  test.each<[string, (tx: Tx) => unknown, string]>([
    [
      'what is due',
      (tx) => deliveriesDue(tx, null, 1, 3),
      'deliveries_by_ticket (ticket_id=? AND status=? AND channel_id=? AND recipient=? AND id<?)',
    ],
    [
      'what is due of a disabled channel',
      (tx) => deliveriesDue(tx, 7, 1, 3),
      'deliveries_by_ticket (ticket_id=? AND status=? AND channel_id=?)',
    ],
    [
      'what comes after another',
      (tx) => promoteNext(tx, behind),
      'deliveries_by_ticket (ticket_id=? AND status=? AND channel_id=? AND recipient=?)',
    ],
    ['claims', (tx) => releaseClaims(tx, () => true), 'COVERING INDEX deliveries_due'],
    [
      'a Message-ID',
      (tx) => ticketOfMailId(tx, 1, ['<a@example.org>']),
      'deliveries_by_other_mail_id (mail_message_id=?)',
    ],
    [
      'the side conversation of a Message-ID',
      (tx) => sideConversationOfMail(tx, 1, '<a@example.org>'),
      'side_messages_by_mail_id (mail_message_id=?)',
    ],
    [
      'a list',
      (tx) => listDeliveries(tx, { siteId: 1, status: 'delivered' }, 1, 1),
      'COVERING INDEX deliveries_by_site (site_id=?)',
    ],
    [
      'a list of failures',
      (tx) => listDeliveries(tx, { siteId: 1, channelId: 3, status: 'failed' }, 1, 1),
      'COVERING INDEX deliveries_failed (site_id=?)',
    ],
  ])('%s', (_, run, index) => {
    const plan = statementsOn(bench.tx, run)
      .flatMap((text) => query<{ detail: string }>(bench.tx, `EXPLAIN QUERY PLAN ${text}`).all())
      .map(({ detail }) => detail);
    expect(plan.filter((detail) => /^SCAN \w+$/.test(detail) && !/ (json_each|found)$/.test(detail))).toEqual([]);
    // Nothing of a mail is looked for among all tickets of a site.
    expect(plan.filter((detail) => detail.includes('tickets_by_site'))).toEqual([]);
    expect(plan.some((detail) => detail.endsWith(index))).toBe(true);
  });
});
