// A site moves to another desk and is the same there: rows, files, search, totals and clocks.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { eraseAuthor } from '../../../src/desk/customers/authors.ts';
import { erasures } from '../../../src/desk/customers/erasure.ts';
import { explainSla } from '../../../src/desk/sla/sla.ts';
import { listParticipants } from '../../../src/desk/tickets/participants.ts';
import { query } from '../../../src/engine/database.ts';
import { noFilter } from '../../store/lists/many-tickets.ts';
import { caseCount } from '../../support/case-count.ts';
import { countTickets } from '../../support/ticket-lists.ts';
import { emptyDesk, live, type Portable, portable, told } from './portable.ts';

/** What a desk answers about each ticket and each list, under names that both desks have. */
function seen(desk: Portable, slug: string) {
  const { tx } = desk;
  const site = query<{ id: number }>(tx, 'SELECT id FROM sites WHERE slug = ?').get(slug)?.id ?? 0;
  const ulids = query<{ ulid: string }>(tx, 'SELECT ulid FROM tickets WHERE site_id = ? ORDER BY ulid').all(site);
  const ulidOf = (id: number) => query<{ ulid: string }>(tx, 'SELECT ulid FROM tickets WHERE id = ?').get(id)?.ulid;
  const filter = { ...noFilter, sites: [site], includeTest: true };
  const count = (more: Partial<typeof noFilter>) => countTickets(tx, { ...filter, ...more }, desk.clock.now());
  return {
    clocks: ulids.map(({ ulid }) => {
      const { ticket, clocks, ...rest } = desk.do((inner, ctx) => explainSla(inner, ctx, ulid));
      const { id: _, slaNextAt, messageCount, priorityLevel } = ticket;
      return {
        ulid,
        ...rest,
        slaNextAt,
        messageCount,
        priorityLevel,
        clocks: clocks.map(({ entries, ...clock }) => ({
          ...clock,
          entries: entries.map(({ bySeq: _, ...entry }) => entry),
        })),
      };
    }),
    totals: [
      count({}),
      count({ includeTest: false }),
      ...(['open', 'pending', 'resolved', 'closed'] as const).map((status) => count({ statuses: [status] })),
      count({ tags: ['both'] }),
      count({ sla: ['breached'] }),
      count({ sla: ['paused'] }),
    ],
    search: ['invoice', 'größe', '請求', 'person1', 'anonymised'].map((word) =>
      desk
        .search(word)
        .map(ulidOf)
        .filter((ulid) => ulids.some((one) => one.ulid === ulid))
        .sort(),
    ),
    mails: query<{ sha256: string | null }>(
      tx,
      'SELECT sha256 FROM inbound_mail WHERE site_id = ? ORDER BY received_at, id',
    ).all(site),
    outbox: query<{ n: number }>(
      tx,
      "SELECT count(*) AS n FROM deliveries WHERE site_id = ? AND status = 'queued'",
    ).get(site)?.n,
  };
}

describe('export → import → export', () => {
  test('random desks survive it, whatever happened on them', async () => {
    let withFiles = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.integer(),
        fc.integer({ min: 10, max: 80 }),
        fc.boolean(),
        async (seed, steps, hasSecrets) => {
          const from = portable();
          await live(from, seed, steps);
          const text = await from.exported('web-shop', hasSecrets);
          const to = emptyDesk();
          to.clock.set(from.clock.now());
          const { wasHere, missing } = await to.imported(text, null, 1 + (Math.abs(seed) % 5000));
          expect({ wasHere, missing }).toEqual({ wasHere: false, missing: [] });
          const back = await to.exported('web-shop', hasSecrets);
          // No import makes an owner of the desk that reads it.
          const expected = told(text).map((line) => (line.role === 'owner' ? { ...line, role: 'admin' } : line));
          expect(told(back)).toEqual(expected);
          const [before, after] = [seen(from, 'web-shop'), seen(to, 'web-shop')];
          expect({ ...after, outbox: 0 }).toEqual({ ...before, outbox: 0 });
          expect(after.outbox).toBe(0);
          if (told(text).some(({ type }) => type === 'file')) withFiles += 1;
          from.close();
          to.close();
        },
      ),
      { numRuns: caseCount(4, 15), endOnFailure: true },
    );
    expect(withFiles).toBeGreaterThan(0);
  }, 60_000);

  test('numbers that are taken are given again, and every reference follows', async () => {
    const from = portable();
    await live(from, 7, 80);
    const to = portable();
    await live(to, 8, 60);
    to.clock.set(Math.max(from.clock.now(), to.clock.now()));
    from.clock.set(to.clock.now());
    const mine = seen(to, 'web-shop');
    await to.imported(await from.exported(), 'second-shop');
    const [before, after] = [seen(from, 'web-shop'), seen(to, 'second-shop')];
    // Deadlines that passed on the way are marked without notifications: here both clocks show the same time.
    expect(after.totals.slice(0, 7)).toEqual(before.totals.slice(0, 7));
    expect(after.search).toEqual(before.search);
    expect(after.clocks.map(({ ulid }) => ulid)).toEqual(before.clocks.map(({ ulid }) => ulid));
    expect(seen(to, 'web-shop')).toEqual(mine);
    // Nothing on the new site refers to a row of the other one.
    const foreign = query<{ n: number }>(
      to.tx,
      `SELECT count(*) AS n FROM tickets JOIN sites ON sites.id = tickets.site_id
         LEFT JOIN categories ON categories.id = category_id LEFT JOIN priorities ON priorities.id = priority_id
         LEFT JOIN authors ON authors.id = author_id LEFT JOIN sla_policies ON sla_policies.id = tickets.sla_policy_id
       WHERE sites.slug = 'second-shop' AND (coalesce(categories.site_id, sites.id) <> sites.id OR priorities.site_id <> sites.id
         OR authors.site_id <> sites.id OR sla_policies.site_id <> sites.id)`,
    ).get();
    expect(foreign?.n).toBe(0);
    expect(query(to.tx, 'PRAGMA foreign_key_check').all()).toEqual([]);
  });

  test('a copy of a site beside itself gets ulids of its own', async () => {
    const desk = portable();
    await live(desk, 9, 60);
    const text = await desk.exported();
    await expect(desk.imported(text)).rejects.toThrow('This desk already has this site, as web-shop.');
    await expect(desk.imported(text, 'web-shop')).rejects.toThrow('Another site on this desk has the slug web-shop');
    await desk.imported(text, 'copy');
    const copy = told(await desk.exported('copy'));
    // Replies to sent mail belong to the site that sent it, and scheduled replies are notes on a copy.
    const plain = (lines: typeof copy) =>
      lines.map(({ type }) => (type === 'scheduled_reply' ? 'message' : type)).filter((type) => type !== 'delivery');
    expect(plain(copy)).toEqual(plain(told(text)));
    const ulids = (lines: typeof copy) => lines.flatMap(({ ulid }) => (typeof ulid === 'string' ? [ulid] : []));
    const originals = new Set(ulids(told(text)));
    expect(ulids(copy).filter((ulid) => originals.has(ulid))).toEqual([]);
    // A history refers to the copy's own tickets and messages.
    const named = JSON.stringify(copy.filter(({ type }) => type === 'event'));
    expect([...originals].filter((ulid) => named.includes(ulid))).toEqual([]);
  });
});

describe('secrets', () => {
  test('stay at home unless they are asked for', async () => {
    const from = portable();
    await live(from, 3, 30);
    const bare = await from.exported();
    for (const secret of ['a-secret', 'whsec_', 'token_hash":"']) expect(bare).not.toContain(secret);
    const to = emptyDesk();
    await to.imported(bare);
    const channel = query<{ webhook_url_sealed: string; is_active: number; disabled_at: number | null }>(
      to.tx,
      'SELECT webhook_url_sealed, is_active, disabled_at FROM channels',
    ).get();
    expect(channel).toMatchObject({ is_active: 0, disabled_at: null });
    expect(to.desk.seal.open(channel?.webhook_url_sealed ?? '')).toBe('https://address-not-exported.invalid/');
  });

  test('travel with --secrets, sealed again under the other desk’s key', async () => {
    const from = portable();
    await live(from, 3, 30);
    const to = emptyDesk();
    await to.imported(await from.exported('web-shop', true));
    const hashes = (desk: Portable) =>
      query(desk.tx, 'SELECT token_hash, inbound_secret_hash FROM sites WHERE slug = ?').all('web-shop');
    expect(hashes(to)).toEqual(hashes(from));
    const opened = (desk: Portable) =>
      query<{ sealed: string }>(desk.tx, 'SELECT signing_secret_sealed AS sealed FROM channels')
        .all()
        .map(({ sealed }) => desk.desk.seal.open(sealed));
    expect(opened(to)).toEqual(opened(from));
    const tokens = (desk: Portable) => query(desk.tx, 'SELECT access_token_hash FROM tickets ORDER BY ulid').all();
    expect(tokens(to)).toEqual(tokens(from));
  });
});

test('nothing of the past is told: deadlines that passed on the way are marked and no event, webhook or mail is made', async () => {
  const from = portable();
  await live(from, 5, 10);
  const { ticket } = from.open({ subject: 'Late' });
  const to = emptyDesk();
  to.clock.set(from.clock.now() + 60 * 24 * 3_600_000);
  const text = await from.exported();
  await to.imported(text);
  const late = query<{ breached: number | null; next: number | null }>(
    to.tx,
    'SELECT resolution_breached_at AS breached, sla_next_at AS next FROM tickets WHERE ulid = ?',
  ).get(ticket.ulid);
  expect(late).toEqual({ breached: to.clock.now(), next: null });
  const events = told(text).filter(({ type }) => type === 'event').length;
  const own = query<{ n: number }>(to.tx, "SELECT count(*) AS n FROM events WHERE kind NOT LIKE 'site.%'").get()?.n;
  const ofSite = told(text).filter(({ type, kind }) => type === 'event' && String(kind).startsWith('site.')).length;
  expect(own).toBe(events - ofSite);
  expect(query(to.tx, "SELECT * FROM deliveries WHERE status = 'queued'").all()).toEqual([]);
});

test('participants come along, and of those who were erased since nothing does', async () => {
  const desk = portable();
  const cc = [
    { email: 'bo@example.org', name: 'Bo Berg' },
    { email: 'cy@example.org', name: null },
  ];
  const { ticket } = desk.open({ cc });
  const text = await desk.exported();
  const to = emptyDesk();
  await to.imported(text);
  const on = (one: typeof to) => one.do((tx, ctx) => listParticipants(tx, ctx, ticket.ulid));
  expect(on(to).map(({ person, addedBy }) => [person.email, addedBy.type])).toEqual([
    ['bo@example.org', 'application'],
    ['cy@example.org', 'application'],
  ]);
  desk.do((tx, ctx) => eraseAuthor(tx, ctx, { site_id: desk.site.id, email: 'bo@example.org' }));
  const later = emptyDesk();
  later.tombstones.push(...desk.desk.read((tx) => erasures(tx)));
  await later.imported(text);
  expect(on(later).map(({ person }) => person.email)).toEqual(['cy@example.org']);
  expect(JSON.stringify(later.everything())).not.toMatch(/bo@example|Berg/);
});
