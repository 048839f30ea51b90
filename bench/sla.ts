// Prints how long one scan takes over 1,000,000 open tickets: with nothing due, and with 10,000 due while others wait their turn.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrations } from '../migrations/index.ts';
import { createSeal } from '../src/base/crypto.ts';
import { createDesk } from '../src/desk/desk.ts';
import { addAgent } from '../src/desk/people/agents.ts';
import { createSite } from '../src/desk/sites/sites.ts';
import { openTicket } from '../src/desk/tickets/tickets.ts';
import type { SiteInput } from '../src/domain/input/sites.ts';
import { openStore } from '../src/engine/database.ts';
import { migrate } from '../src/engine/migrate.ts';
import { scan } from '../src/jobs/ticket-scans.ts';
import { fixedClock } from '../test/support/clock.ts';

const total = Number(process.argv[2] ?? 1_000_000);
const due = 10_000;
const sites = 100;
const start = Date.UTC(2026, 8, 7, 7);
const office: [string, string][] = [
  ['09:00', '12:30'],
  ['13:00', '17:00'],
];
const folder = mkdtempSync(join(tmpdir(), 'helpdesk-bench-'));
const store = openStore(join(folder, 'helpdesk.db'), 'FULL');
const { client } = store.writing;
const clock = fixedClock(start);
const desk = createDesk(store, createSeal(Buffer.alloc(32, 1)), clock);
const milliseconds = (ms: number) => `${ms.toFixed(1)} ms`;

async function fill(): Promise<void> {
  client.run('PRAGMA synchronous = OFF');
  migrate(store.writing, migrations, start);
  for (let at = 0; at < sites; at += 1) {
    await desk.write((tx) => {
      const ctx = desk.context({ kind: 'command_line' }, 'bench');
      const input: SiteInput = {
        name: `Site ${at}`,
        settings: { acknowledge: false },
        sla_policy: {
          business_hours: {
            timezone: 'Europe/Amsterdam',
            weekly: { mon: office, tue: office, wed: office, thu: office, fri: office },
          },
          // Gives each site its own calendar.
          holidays: [
            `2026-12-${String((at % 28) + 1).padStart(2, '0')}`,
            `2027-${String((at % 12) + 1).padStart(2, '0')}-01`,
          ],
        },
      };
      const { site } = createSite(tx, ctx, input);
      return openTicket(tx, ctx, site, { email: 'mia@example.org', subject: 'Bench', message: 'It does not work.' });
    });
  }
  await desk.write((tx) =>
    // Receives the mail about warnings of unassigned tickets.
    addAgent(tx, desk.context({ kind: 'command_line' }, 'bench'), {
      email: 'kim@example.org',
      name: 'Kim',
      role: 'owner',
    }),
  );
  // The others are copies of each site's first ticket: the scan reads no messages.
  const columns = client
    .query<{ name: string }, []>("SELECT name FROM pragma_table_info('tickets') WHERE name NOT IN ('id', 'ulid')")
    .all()
    .map(({ name }) => name)
    .join(', ');
  client.run(
    `WITH RECURSIVE n (at) AS (SELECT ${sites + 1} UNION ALL SELECT at + 1 FROM n WHERE at < ${total})
     INSERT INTO tickets (id, ulid, ${columns}) SELECT at, 'bench' || at, ${columns} FROM n, tickets WHERE tickets.id = 1 + at % ${sites}`,
  );
  client.run(
    `UPDATE tickets SET first_response_due_at = first_response_due_at + id * 1000, sla_next_at = sla_next_at + id * 1000 WHERE id > ${due}`,
  );
  client.run('PRAGMA wal_checkpoint(TRUNCATE)');
  client.run('PRAGMA synchronous = FULL');
}

/** Scans while a timer measures how long the event loop was blocked. */
async function scanWatched() {
  let longestBlockMs = 0;
  let lastTurn = performance.now();
  let isOver = false;
  const turn = () => {
    const now = performance.now();
    longestBlockMs = Math.max(longestBlockMs, now - lastTurn);
    lastTurn = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const startedAt = performance.now();
  const signalled = await scan(desk);
  const tookMs = performance.now() - startedAt;
  isOver = true;
  return { signalled, tookMs, longestBlockMs };
}

try {
  await fill();
  const idle: number[] = [];
  for (let round = 0; round < 100; round += 1) {
    const startedAt = performance.now();
    await scan(desk);
    idle.push(performance.now() - startedAt);
  }
  idle.sort((one, other) => one - other);
  console.log(
    `nothing due of ${total}: median ${milliseconds(idle[50] ?? 0)}, worst ${milliseconds(idle[99] ?? 0)} (target 5 ms)`,
  );
  // Of the default 480 minutes, 80 percent have passed on the first of these working days, and all on the second.
  const moments = [
    ['warnings', Date.UTC(2026, 8, 7, 14, 30)],
    ['breaches', Date.UTC(2026, 8, 8, 8)],
  ] as const;
  for (const [what, moment] of moments) {
    // Only the due ones: the rest are moved beyond.
    client.run(`UPDATE tickets SET sla_next_at = ${moment + 3_600_000} WHERE id > ${due}`);
    client.run('PRAGMA wal_checkpoint(TRUNCATE)');
    clock.set(moment);
    const { signalled, tookMs, longestBlockMs } = await scanWatched();
    console.log(
      `${signalled} ${what} of ${total}: ${milliseconds(tookMs)} (target 2000 ms), longest block ${milliseconds(longestBlockMs)} (target 50 ms)`,
    );
  }
  await desk.writer.close();
} finally {
  store.close();
  rmSync(folder, { recursive: true, force: true });
}
