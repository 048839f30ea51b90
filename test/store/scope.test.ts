// What sets of sites show of events, mail and sites: exactly what a check of every row would give, but from an index.

import { afterAll, describe, expect, test } from 'bun:test';
import { newUlid } from '../../src/base/ids.ts';
import type { Scope } from '../../src/domain/actor.ts';
import { query } from '../../src/engine/database.ts';
import { eventsAfter, insertEvent, newestEventSeq } from '../../src/store/events.ts';
import { insertInboundMail, listInboundMail } from '../../src/store/mail/inbound.ts';
import { listSites } from '../../src/store/sites/sites.ts';
import { manyTickets, now } from './lists/many-tickets.ts';

const desk = manyTickets(5);
const writing = desk.store.writing;
const actor = { type: 'scan', id: null, name: null } as const;
const mail: { id: number; siteId: number; outcome: string | null }[] = [];
const siteOf = (at: number) => desk.siteIds[(at * at + 3 * at) % 5] ?? 0;
writing.client.run('BEGIN');
for (let at = 0; at < 200; at += 1) {
  insertEvent(writing, { kind: 'site.updated', siteId: siteOf(at), ticketId: null, actor, data: {}, createdAt: now });
  const siteId = siteOf(at + 1);
  const id = insertMail(at, siteId);
  const outcome = at % 3 === 0 ? 'created' : at % 3 === 1 ? 'dropped' : null;
  if (outcome !== null)
    writing.client.run("UPDATE inbound_mail SET status = 'filed', outcome = ? WHERE id = ?", [outcome, id]);
  mail.push({ id, siteId, outcome });
}
writing.client.run('COMMIT');
const { tx } = desk;
const events = query<{ seq: number; siteId: number }>(
  tx,
  'SELECT seq, site_id AS siteId FROM events ORDER BY seq',
).all();
afterAll(() => desk.store.close());

function insertMail(at: number, siteId: number): number {
  return insertInboundMail(writing, {
    ulid: newUlid(now + at),
    siteId,
    provider: 'raw',
    headers: {},
    size: 1,
    sha256: null,
    receivedAt: now + at,
    retryAt: null,
  });
}

const [first = 0, second = 0] = desk.siteIds;
const scopes: Record<string, Scope> = {
  'all sites': 'all',
  'no site': [],
  'one site': [first],
  'two sites': [second, first],
  'five sites': desk.siteIds,
  'a site twice and one that is not there': [first, 4711, first],
  'forty sites': [...desk.siteIds.slice(1), ...Array.from({ length: 36 }, (_, at) => 1000 + at)],
};

describe.each(Object.entries(scopes))('%s', (_name, scope) => {
  const isSeen = ({ siteId }: { siteId: number }) => scope === 'all' || scope.includes(siteId);
  const seen = events.filter(isSeen).map(({ seq }) => seq);

  test('see their events, in order and page by page', () => {
    for (const limit of [1, 7, 500]) {
      const read: number[] = [];
      for (;;) {
        const page = eventsAfter(tx, scope, read.at(-1) ?? 0, limit).map(({ seq }) => seq);
        expect(page.length).toBeLessThanOrEqual(limit);
        read.push(...page);
        if (page.length < limit) break;
      }
      expect(read).toEqual(seen);
    }
    expect(newestEventSeq(tx, scope)).toBe(seen.at(-1) ?? 0);
  });

  test('see their mail, newest first', () => {
    for (const outcomes of [[], ['created'], ['received', 'dropped']]) {
      const expected = mail
        .filter(isSeen)
        .filter(({ outcome }) => outcomes.length === 0 || outcomes.includes(outcome ?? 'received'))
        .map(({ id }) => id)
        .reverse();
      const whole = listInboundMail(tx, { sites: scope, outcomes }, 500, 0);
      expect(whole.rows.map(({ id }) => id)).toEqual(expected);
      expect(whole.total).toBe(expected.length);
      const page = listInboundMail(tx, { sites: scope, outcomes }, 7, 5);
      expect(page.rows.map(({ id }) => id)).toEqual(expected.slice(5, 12));
      expect(page.total).toBe(expected.length);
    }
  });

  test('see their sites', () => {
    const expected = desk.siteIds.filter((siteId) => isSeen({ siteId }));
    const { rows, total } = listSites(tx, scope, 100, 0);
    expect(rows.map(({ id }) => id)).toEqual(expected);
    expect(total).toBe(expected.length);
  });
});
