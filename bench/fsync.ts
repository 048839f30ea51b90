// Measures the cost of slow fsyncs: creates per second and the longest wait for /healthz, with each fsync of the log
// delayed: `bun bench/fsync.ts [--ms=5000]` (Linux, a C compiler).

import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { newDirectory, serve, siteAndToken, unlimited } from '../test/e2e/executable.ts';
import { createDisk } from '../test/support/faults.ts';

if (!existsSync(process.env.HELPDESK_EXECUTABLE ?? '')) {
  console.error('Name the executable in HELPDESK_EXECUTABLE.');
  process.exit(1);
}
const measureMs = Number(process.argv.find((word) => word.startsWith('--ms='))?.slice(5) ?? 5000);
const creators = 32;
const at = (sorted: number[], share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;

async function measure(fsyncMs: number, synchronous: string) {
  const { path, remove } = newDirectory();
  const { siteToken } = await siteAndToken(path);
  const disk = createDisk();
  const running = await serve(path, { ...unlimited, HELPDESK_SYNCHRONOUS: synchronous, ...disk.environment });
  if (fsyncMs > 0) disk.fail(`sync helpdesk.db-wal ${fsyncMs}ms`);
  const end = performance.now() + measureMs;
  const tookMs: number[] = [];
  const healthMs: number[] = [];
  const timed = async (into: number[], ask: () => Promise<Response>, status: number) => {
    const from = performance.now();
    const answer = await ask();
    await answer.arrayBuffer();
    if (answer.status !== status) throw new Error(`${answer.status} instead of ${status}`);
    into.push(performance.now() - from);
  };
  const create = async () => {
    while (performance.now() < end)
      await timed(
        tookMs,
        () =>
          fetch(`${running.url}/api/v1/public/tickets`, {
            method: 'POST',
            headers: { 'X-Site-Token': siteToken, 'Content-Type': 'application/json' },
            body: JSON.stringify({ email: 'a@example.org', subject: 'Lamp', message: 'x'.repeat(500) }),
          }),
        201,
      );
  };
  const probe = async () => {
    while (performance.now() < end) {
      await timed(healthMs, () => fetch(`${running.url}/healthz`), 200);
      await Bun.sleep(50);
    }
  };
  await Promise.all([probe(), ...Array.from({ length: creators }, create)]);
  running.signal('SIGKILL');
  await running.exited;
  remove();
  rmSync(join(path), { recursive: true, force: true });
  tookMs.sort((a, b) => a - b);
  healthMs.sort((a, b) => a - b);
  const rounded = (value: number) => Math.round(value * 10) / 10;
  return {
    'fsync ms': fsyncMs,
    synchronous,
    'creates/s': Math.round((tookMs.length / measureMs) * 1000),
    'create p50 ms': rounded(at(tookMs, 0.5)),
    'create p99 ms': rounded(at(tookMs, 0.99)),
    'healthz p50 ms': rounded(at(healthMs, 0.5)),
    'healthz max ms': rounded(at(healthMs, 1)),
  };
}

const rows: Awaited<ReturnType<typeof measure>>[] = [];
for (const fsyncMs of [0, 5, 300])
  for (const synchronous of ['FULL', 'NORMAL']) rows.push(await measure(fsyncMs, synchronous));
console.table(rows);
