// The figures of each day, and which versions ran.

import { expect, test } from 'bun:test';
import { version } from '../../src/base/version.ts';
import { dayOf } from '../../src/domain/growth.ts';
import { dayMs } from '../../src/domain/instant.ts';
import { query } from '../../src/engine/database.ts';
import { noteStorage, noteVersionRun } from '../../src/jobs/storage.ts';
import {
  fileBytesAfter,
  insertStorageDay,
  noteVersion,
  storageDays,
  versionsRun,
} from '../../src/store/storage-days.ts';
import { workbench } from '../desk/workbench.ts';
import { temporaryFolder } from '../support/folders.ts';

test('a day is noted once, with the files of all tickets, and goes after 400 days', async () => {
  const bench = workbench();
  const { ticket } = bench.open();
  const file = `INSERT INTO attachments (ulid, site_id, ticket_id, filename, content_type, size, sha256, is_agent, is_internal, created_at, scan_status)
    WITH RECURSIVE one (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM one WHERE value < 5001)
    SELECT printf('%026d', value), ?, ?, 'a', 'text/plain', 3, 'x', 0, 0, 0, 'clean' FROM one`;
  bench.do((tx) => query(tx, file).run(ticket.siteId, ticket.id));
  const [first, second] = [0, 5000].map((after) => bench.do((tx) => fileBytesAfter(tx, after)));
  expect([first?.bytes, second]).toEqual([15_000, { bytes: 3, after: null }]);
  const today = dayOf(bench.desk.now());
  bench.do((tx) => insertStorageDay(tx, { day: today - 400, databaseBytes: 1, fileBytes: 1, freeBytes: 1 }));
  await noteStorage(bench.desk, temporaryFolder());
  const days = () => bench.do((tx) => storageDays(tx, 0));
  expect(days()).toHaveLength(2);
  expect(days()[1]).toMatchObject({ day: today, fileBytes: 15_003 });
  expect(days()[1]?.freeBytes).toBeGreaterThan(0);
  bench.do((tx) => query(tx, 'DELETE FROM attachments').run());
  await noteStorage(bench.desk, temporaryFolder());
  expect(days()[1]?.fileBytes).toBe(15_003);
  bench.clock.advance(dayMs);
  await noteStorage(bench.desk, temporaryFolder());
  expect(days().map(({ day, fileBytes }) => [day, fileBytes])).toEqual([
    [today, 15_003],
    [today + 1, 0],
  ]);
  bench.close();
});

test('a version is noted when it first runs, and again after another ran', async () => {
  const bench = workbench();
  const versions = () => bench.do((tx) => versionsRun(tx)).map((run) => run.version);
  await noteVersionRun(bench.desk);
  await noteVersionRun(bench.desk);
  expect(versions()).toEqual([version]);
  bench.do((tx) => noteVersion(tx, '9.0.0', 2));
  await noteVersionRun(bench.desk);
  expect(versions()).toEqual([version, '9.0.0']);
  bench.close();
});
