// Many hostile rules on a large mail: they end with their time, in a process of their own. `bun run bench stall` measures how long they hold others up.

import { expect, test } from 'bun:test';
import { silentLog } from '../../src/base/log.ts';
import { query } from '../../src/engine/database.ts';
import { createReader } from '../../src/reader/reader.ts';
import { mail, mailDesk } from '../desk/mail/mail-desk.ts';

test('100 rules of 50 hostile expressions on a mail of 1 MB skip what has no time left', async () => {
  const reader = createReader({ log: silentLog, most: 1 });
  const bench = await mailDesk({ reader });
  const conditions = Array.from({ length: 50 }, (_, at) => ({
    field: 'body',
    operator: 'matches',
    value: `(a|b)*a(a|b){${200 + at}}[^ab\\s]`,
    negate: false,
  }));
  await bench.do((tx) => {
    const insert = query(
      tx,
      `INSERT INTO inbound_rules (site_id, name, position, is_active, match, conditions, actions, stop_processing, created_at)
       VALUES (?, 'Costly', ?, 1, 'any', ?, '[{"type":"add_tags","value":["costly"]}]', 0, 0)`,
    );
    for (let at = 1; at <= 100; at += 1) insert.run(bench.site.id, at, JSON.stringify(conditions));
    return null;
  });
  let bit = 1;
  const letters = Array.from({ length: 990 }, () => {
    bit = (bit * 1_103_515_245 + 12_345) & 0x7fffffff;
    return bit & 65_536 ? 'a' : 'b';
  }).join('');
  const body = `${letters}\r\n`.repeat(1024);
  // The second time, the process already knows the rules.
  for (let nth = 0; nth < 2; nth += 1) {
    const row = await bench.post(mail({ body }), { to: 'web-shop@desk.example' });
    expect(row.outcome).toBe('ticket_created');
    const trace = row.trace as { isTooSlow?: boolean }[];
    expect(trace.some(({ isTooSlow }) => isTooSlow)).toBe(true);
  }
  await bench.close();
  await reader.stop();
}, 60_000);
