// Jumps of the machine's clock that the desk noticed while it ran.

import type { ClockJump, Instant } from '../base/clock.ts';
import { query, type Tx } from '../engine/database.ts';

const kept = 100;

export function insertClockJump(tx: Tx, { before, after, isSuspension }: ClockJump): void {
  query(tx, 'INSERT INTO clock_jumps (before, after, is_suspension) VALUES (?, ?, ?)').run(
    before,
    after,
    isSuspension ? 1 : 0,
  );
  query(tx, 'DELETE FROM clock_jumps WHERE id <= (SELECT max(id) FROM clock_jumps) - ?').run(kept);
}

export function clockJumps(tx: Tx, since: Instant): ClockJump[] {
  return query<{ before: Instant; after: Instant; isSuspension: 0 | 1 }>(
    tx,
    'SELECT before, after, is_suspension AS isSuspension FROM clock_jumps WHERE after >= ? ORDER BY id',
  )
    .all(since)
    .map((row) => ({ ...row, isSuspension: row.isSuspension === 1 }));
}

export function newestUlid(tx: Tx): string | null {
  const newest = ['sites', 'tickets', 'messages', 'attachments', 'inbound_mail', 'deliveries']
    .map((table) => query<{ ulid: string | null }>(tx, `SELECT max(ulid) AS ulid FROM ${table}`).get()?.ulid ?? '')
    .sort()
    .at(-1);
  return newest === '' || newest === undefined ? null : newest;
}
