// The rows of a long list: what is loaded, kept, dropped and moved, against a desk that answers as the real one does.

import { describe, expect, test } from 'bun:test';
import { createTicketRows, type ListPage, type Place } from '../../../src/web/console/list/rows/ticket-rows.ts';
import type { Ticket } from '../../../src/web/console/wire.ts';
import type { Answer, Refusal } from '../../../src/web/shared/api.ts';

const rowsPerPage = 50;

const changedAt = '2026-09-11T09:30:00.000Z';
const ticket = (number: number) =>
  ({ id: number, ulid: `T${number}`, subject: `Ticket ${number}`, updated_at: changedAt }) as Ticket;
const refusal = { code: 'unreachable', status: 0, retryAfterSeconds: null } as Refusal;
const tooMany = { code: 'rate_limited', status: 429, retryAfterSeconds: 0.05 } as Refusal;

/** A desk with tickets whose answers come when the test says so. */
function createDesk(count: number) {
  let tickets = Array.from({ length: count }, (_, number) => ticket(number));
  const asked: Place[] = [];
  const waiting: (() => void)[] = [];
  let refused: Refusal | null = null;
  const from = (place: Place) =>
    'page' in place ? (place.page - 1) * rowsPerPage : tickets.findIndex(({ ulid }) => ulid === place.cursor) + 1;
  return {
    asked,
    add(...numbers: number[]) {
      tickets = [...numbers.map(ticket), ...tickets];
    },
    take(...ulids: string[]) {
      tickets = tickets.filter(({ ulid }) => !ulids.includes(ulid));
    },
    down(value: boolean) {
      refused = value ? refusal : null;
    },
    refuse(reason: Refusal | null) {
      refused = reason;
    },
    fetch(place: Place): Promise<Answer<ListPage>> {
      asked.push(place);
      return new Promise((resolve) => {
        waiting.push(() => {
          if (refused !== null) return resolve({ isOk: false, refusal: refused });
          const at = from(place);
          const data = tickets.slice(at, at + rowsPerPage);
          const next = at + data.length < tickets.length ? (data.at(-1)?.ulid ?? null) : null;
          resolve({
            isOk: true,
            status: 200,
            data: { data, meta: { total: tickets.length, is_capped: false, next_cursor: next, newest_seq: 0 } },
          });
        });
      });
    },
    async answer() {
      while (waiting.length > 0) {
        for (const one of waiting.splice(0)) one();
        await Bun.sleep(0);
      }
    },
  };
}

/** After the time that a list waits for the end of jumps. */
async function atRest(desk: ReturnType<typeof createDesk>): Promise<void> {
  await Bun.sleep(180);
  await desk.answer();
}

async function listOf(count: number) {
  const desk = createDesk(count);
  const rows = createTicketRows(desk.fetch, rowsPerPage);
  rows.show(0, 20);
  await desk.answer();
  return { desk, rows };
}

describe('the rows of a list', () => {
  test('are there for what is in view and the page behind it', async () => {
    const { desk, rows } = await listOf(1000);
    expect(rows.total.value).toBe(1000);
    expect([rows.at(0)?.ulid, rows.at(69)?.ulid, rows.at(200)]).toEqual(['T0', 'T69', null]);
    expect(desk.asked).toEqual([{ page: 1 }, { cursor: 'T49' }]);
  });

  test('are asked for once, and first where the reader is', async () => {
    const { desk, rows } = await listOf(100_000);
    desk.asked.length = 0;
    rows.show(70_010, 70_040);
    rows.show(70_011, 70_041);
    expect(desk.asked).toEqual([{ page: 1401 }]);
    await desk.answer();
    expect(rows.at(70_020)?.ulid).toBe('T70020');
    expect(desk.asked).toEqual([{ page: 1401 }, { cursor: 'T70049' }, { page: 1400 }]);
  });

  test('are loaded far ahead of fast scrolling, and behind it when it turns', async () => {
    const { desk, rows } = await listOf(100_000);
    for (let first = 5000; first < 5400; first += 20) rows.show(first, first + 20);
    await desk.answer();
    expect(rows.at(5380 + 20 + 280)).not.toBeNull();
    for (let first = 5380; first > 5000; first -= 20) rows.show(first, first + 20);
    await desk.answer();
    expect(rows.at(5020 - 280)).not.toBeNull();
  });

  test('ahead are asked for while those in view are on their way, or fast scrolling would never catch up', async () => {
    const { desk, rows } = await listOf(100_000);
    desk.asked.length = 0;
    for (const first of [100, 110, 120]) rows.show(first, first + 20);
    expect(desk.asked).toEqual([{ cursor: 'T99' }, { page: 4 }, { page: 5 }, { page: 6 }]);
  });

  test('leave memory when they are far away, however long the list is scrolled', async () => {
    const { desk, rows } = await listOf(100_000);
    for (let first = 0; first < 20_000; first += 130) {
      rows.show(first, first + 40);
      await desk.answer();
      for (let row = first; row < first + 40; row += 1) expect(rows.at(row)?.ulid).toBe(`T${row}`);
      expect(rows.count()).toBeLessThan(1600);
    }
    rows.show(0, 20);
    await atRest(desk);
    expect(rows.at(0)?.ulid).toBe('T0');
  });

  test('do not shift when new tickets arrive at the desk, also not those of pages that are loaded by number later', async () => {
    const { desk, rows } = await listOf(1000);
    desk.add(9001, 9002, 9003);
    rows.hide(3);
    rows.show(300, 320);
    await desk.answer();
    expect([rows.at(0)?.ulid, rows.at(300)?.ulid, rows.at(319)?.ulid]).toEqual(['T0', 'T300', 'T319']);
    expect(rows.total.value).toBe(1000);
    await Promise.all([rows.reload(0), desk.answer()]);
    expect([rows.at(0)?.ulid, rows.at(3)?.ulid]).toEqual(['T9001', 'T0']);
  });

  test('close the gap when one leaves, and what is then missing is loaded', async () => {
    const { desk, rows } = await listOf(200);
    desk.take('T3', 'T5');
    rows.remove(['T3', 'T5', 'unknown']);
    await desk.answer();
    expect(rows.total.value).toBe(198);
    expect([rows.at(2)?.ulid, rows.at(3)?.ulid, rows.at(4)?.ulid, rows.rowOf('T10')]).toEqual(['T2', 'T4', 'T6', 8]);
    for (let row = 0; row < 100; row += 1) rows.show(row, row + 20);
    await desk.answer();
    const shown = Array.from({ length: 118 }, (_, row) => rows.at(row)?.ulid);
    expect(new Set(shown).size).toBe(118);
    expect(shown).not.toContain(undefined);
  });

  test('take one back where it was', async () => {
    const { rows } = await listOf(200);
    const before = Array.from({ length: 60 }, (_, row) => rows.at(row)?.ulid);
    rows.remove(['T7']);
    rows.insert(7, ticket(7));
    expect(Array.from({ length: 60 }, (_, row) => rows.at(row)?.ulid)).toEqual(before);
    expect(rows.total.value).toBe(200);
  });

  test('change in place', async () => {
    const { rows } = await listOf(10);
    const before = rows.version.value;
    rows.put({ ...ticket(4), subject: 'Changed' });
    rows.put(ticket(999));
    expect(rows.at(4)?.subject).toBe('Changed');
    expect(rows.version.value).toBe(before + 1);
  });

  test('stay while the list is loaded again, and answers to older questions are not shown', async () => {
    const { desk, rows } = await listOf(100);
    rows.show(60, 80);
    const reloaded = rows.reload(0);
    desk.add(9001);
    expect(rows.at(0)?.ulid).toBe('T0');
    await Promise.all([reloaded, desk.answer()]);
    expect(rows.at(0)?.ulid).toBe('T9001');
    await desk.answer();
    expect(rows.at(60)?.ulid).toBe('T59');
  });

  test('are not asked for again and again while the desk refuses, and come when it is asked again', async () => {
    const { desk, rows } = await listOf(1000);
    desk.down(true);
    rows.show(300, 320);
    await desk.answer();
    const { length } = desk.asked;
    rows.show(301, 321);
    await desk.answer();
    expect(desk.asked.length).toBe(length);
    expect(rows.refusal.value?.code).toBe('unreachable');
    expect(rows.at(0)).not.toBeNull();
    desk.down(false);
    await Promise.all([rows.reload(), desk.answer()]);
    expect(rows.refusal.value).toBeNull();
    expect(rows.at(310)?.ulid).toBe('T310');
  });

  test('come by themselves when the desk has said when to ask again', async () => {
    const { desk, rows } = await listOf(1000);
    desk.refuse(tooMany);
    rows.show(300, 320);
    await desk.answer();
    expect(rows.refusal.value?.code).toBe('rate_limited');
    desk.refuse(null);
    await Bun.sleep(80);
    await desk.answer();
    expect(rows.refusal.value).toBeNull();
    expect(rows.at(310)?.ulid).toBe('T310');
  });

  test('after jumps are only those in view, until the list rests', async () => {
    const { desk, rows } = await listOf(100_000);
    const before = desk.asked.length;
    for (let jump = 1; jump <= 20; jump += 1) {
      rows.show(jump * 4000 + 10, jump * 4000 + 30);
      await desk.answer();
    }
    expect(desk.asked.length - before).toBe(20);
    await atRest(desk);
    expect(desk.asked.length - before).toBeGreaterThan(21);
  });

  test('are asked for sparingly when few requests are left, so that the agent can still do other things', async () => {
    const desk = createDesk(100_000);
    let left = 600;
    const rows = createTicketRows(
      (place) => desk.fetch(place),
      rowsPerPage,
      () => left,
    );
    rows.show(0, 20);
    await desk.answer();
    left = 149;
    const { length } = desk.asked;
    for (let row = 0; row < 40_000; row += 20) {
      rows.show(row, row + 20);
      await desk.answer();
    }
    expect(desk.asked.length).toBe(length);
    await atRest(desk);
    expect(desk.asked.length - length).toBeLessThanOrEqual(2);
    expect(rows.at(39_990)?.ulid).toBe('T39990');
  });

  test('end where the desk has no more, whatever it counted before', async () => {
    const { desk, rows } = await listOf(1000);
    desk.take(...Array.from({ length: 400 }, (_, at) => `T${600 + at}`));
    rows.show(980, 1000);
    await desk.answer();
    rows.show(580, 600);
    await desk.answer();
    expect(rows.total.value).toBe(600);
    expect(rows.at(599)?.ulid).toBe('T599');
  });

  test('keep what is newer than an answer that comes late', async () => {
    const { desk, rows } = await listOf(60);
    const changed = (number: number, seconds: number) => ({
      ...ticket(number),
      subject: `Changed ${seconds}`,
      updated_at: new Date(Date.parse(changedAt) + seconds * 1000).toISOString(),
    });
    const reloaded = rows.reload();
    rows.put(changed(1, 2));
    rows.put(changed(1, 1));
    rows.put(changed(2, 0));
    await desk.answer();
    await reloaded;
    expect([1, 2].map((row) => rows.at(row)?.subject)).toEqual(['Changed 2', 'Ticket 2']);
  });

  test('of an empty list are none', async () => {
    const { rows } = await listOf(0);
    expect(rows.total.value).toBe(0);
    expect(rows.at(0)).toBeNull();
  });
});
