// The sweep of the audit log, and what the schema itself refuses.

import { afterEach, beforeEach, expect, test } from 'bun:test';
import { createSeal } from '../../src/base/crypto.ts';
import { audit } from '../../src/desk/audit.ts';
import { createDesk, type Desk } from '../../src/desk/desk.ts';
import { dayMs } from '../../src/domain/instant.ts';
import { query, type Store } from '../../src/engine/database.ts';
import { sweepAudit } from '../../src/jobs/upkeep.ts';
import { type AuditFilter, createAuditPage, sweepAuditLog } from '../../src/store/audit.ts';
import { fixedClock } from '../support/clock.ts';
import { migratedStore, statementsOn } from '../support/store.ts';

const start = Date.UTC(2026, 8, 11);
const clock = fixedClock(start);
let store: Store;
let desk: Desk;
beforeEach(() => {
  clock.set(start);
  store = migratedStore().store;
  desk = createDesk(store, createSeal(Buffer.alloc(32, 7)), clock);
});
afterEach(async () => {
  await desk.writer.close();
  store.close();
});

const add = (rows: number) =>
  desk.write((tx) => {
    const ctx = desk.context({ kind: 'command_line' }, 'test');
    for (let at = 0; at < rows; at += 1)
      audit(tx, ctx, { action: 'desk.backed_up', target: { type: 'desk', id: null } });
    return null;
  });
const ids = () =>
  desk.read((tx) =>
    query<{ id: number }>(tx, 'SELECT id FROM audit_log ORDER BY id')
      .all()
      .map(({ id }) => id),
  );

test('the sweep removes what is older than it is kept, in slices, and nothing else', async () => {
  await add(2500);
  clock.advance(dayMs);
  await add(3);
  clock.advance(399 * dayMs);
  await sweepAudit(desk, 400 * dayMs);
  expect(ids().length).toBe(2503);
  clock.advance(1);
  expect(await desk.write((tx) => sweepAuditLog(tx, clock.now() - 400 * dayMs, 1000))).toBe(1000);
  await sweepAudit(desk, 400 * dayMs);
  expect(ids()).toEqual([2501, 2502, 2503]);
});

test('rows added after a sweep are as safe as before', async () => {
  await add(2);
  clock.advance(dayMs);
  await sweepAudit(desk, 1);
  expect(ids()).toEqual([]);
  await add(1);
  await expect(desk.write((tx) => query(tx, 'DELETE FROM audit_log').run().changes)).rejects.toThrow('are kept');
  await expect(desk.write((tx) => query(tx, 'UPDATE audit_log SET at = 0').run().changes)).rejects.toThrow(
    'never change',
  );
  expect(ids()).toEqual([3]);
});

test('a clock that was set back removes nothing more', async () => {
  await add(1);
  clock.advance(10 * dayMs);
  await sweepAudit(desk, 5 * dayMs);
  clock.set(start + dayMs);
  await add(1);
  await sweepAudit(desk, 5 * dayMs);
  expect(ids()).toEqual([2]);
});

test.each([
  ['everything', {}],
  ['one agent', { actor: { type: 'agent' as const, id: 1 } }],
  ['one action', { actions: ['desk.backed_up' as const] }],
  ['some actions', { actions: ['desk.backed_up' as const, 'desk.updated' as const] }],
  ['one target', { target: { type: 'site' as const, id: 1 } }],
  ['one site', { sites: [1] }],
  ['a stretch of time', { from: start - dayMs, to: start + dayMs }],
])('a page after a row seeks it in an index, also among rows of the same instant: %s', async (_what, part) => {
  await add(5);
  const filter: AuditFilter = {
    sites: 'all',
    isOfDesk: true,
    actor: null,
    target: null,
    actions: [],
    fields: [],
    from: null,
    to: null,
    ...part,
  };
  const plans = statementsOn(store.reading, (tx) => {
    const page = createAuditPage(filter, 2, [start, 4]);
    while (!page.step(tx));
  }).map((text) => {
    const statement = store.reading.client.prepare<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${text}`);
    const lines = statement.all().map(({ detail }) => detail);
    // An explained statement keeps its view of the database until it is finalized.
    statement.finalize();
    return lines.join('\n');
  });
  expect(plans.length).toBeGreaterThan(0);
  for (const plan of plans) {
    expect(plan).not.toContain('SCAN audit_log');
    for (const line of plan.match(/SEARCH audit_log.*/g) ?? [])
      expect(line).toMatch(/COVERING INDEX.*at(?:=\? AND id[<>]\?|[<>]\?)/);
  }
  expect(plans.join('\n')).toMatch(/at=\? AND id<\?/);
});
