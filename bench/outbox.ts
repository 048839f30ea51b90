// Measures the outbox: `bun bench/outbox.ts [drain|dead] [--queued=50000] [--per-second=50]`, on the built executable.

import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../src/base/config.ts';
import { openDataDirectory } from '../src/data/directory.ts';
import { addChannel, channels } from '../src/desk/outbox/channels.ts';
import { issueToken } from '../src/desk/people/tokens.ts';
import { createSite } from '../src/desk/sites/sites.ts';
import { replyAsCustomer } from '../src/desk/tickets/replies.ts';
import { openTicket } from '../src/desk/tickets/tickets.ts';
import { ingestTicketInput } from '../src/domain/input/tickets.ts';
import { authorById } from '../src/store/customers/authors.ts';
import type { Site } from '../src/store/sites/sites.ts';
import { type Ticket, ticketById } from '../src/store/tickets/tickets.ts';
import { ticketBody } from './fill.ts';

const root = new URL('..', import.meta.url).pathname;
const executable = process.env.HELPDESK_BENCH ?? join(root, 'dist/helpdesk');
const args = process.argv.slice(2);
const parts = args.filter((arg) => !arg.startsWith('-'));
const flag = (name: string, fallback: number) =>
  Number(args.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1] ?? fallback);
const queued = flag('queued', 50_000);
const perSecond = flag('per-second', 50);
const measureMs = flag('ms', 20_000);
if (!existsSync(executable)) {
  console.error(`${executable} is not there: build it first with "bun run build".`);
  process.exit(1);
}
const work = mkdtempSync(join(tmpdir(), 'helpdesk-bench-outbox-'));
const children: ReturnType<typeof Bun.spawn>[] = [];
process.on('exit', () => {
  for (const child of children) child.kill();
  rmSync(work, { recursive: true, force: true });
});
const results: Record<string, unknown> = { at: new Date().toISOString(), bun: Bun.version, queued, perSecond };

interface Opened {
  ulid: string;
  answeredAt: number;
  tookMs: number;
}

function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
const spread = (values: number[]) => ({
  count: values.length,
  p50Ms: percentile(values, 0.5),
  p99Ms: percentile(values, 0.99),
  maxMs: Math.max(...values),
});

async function startReceiver(): Promise<string> {
  const child = Bun.spawn([process.execPath, new URL('./receiver.ts', import.meta.url).pathname], { stdout: 'pipe' });
  children.push(child);
  const { value } = await child.stdout.getReader().read();
  return `http://127.0.0.1:${new TextDecoder().decode(value).trim()}`;
}

async function startDesk(data: string) {
  const probe = Bun.serve({ port: 0, fetch: () => new Response('') });
  const { port } = probe;
  probe.stop(true);
  const command = executable.endsWith('.ts') ? [process.execPath, executable] : [executable];
  const child = Bun.spawn([...command, 'serve'], {
    env: {
      ...process.env,
      HELPDESK_DATA: data,
      HELPDESK_PORT: String(port),
      HELPDESK_LOG_LEVEL: 'error',
      HELPDESK_WEBHOOK_ALLOW: '127.0.0.1',
      HELPDESK_RATE_INGEST_CALLER: '0',
      HELPDESK_RATE_INGEST_SITE: '0',
      HELPDESK_RATE_OTHER: '0',
    },
    stdout: 'ignore',
    stderr: 'inherit',
  });
  children.push(child);
  const url = `http://127.0.0.1:${port}`;
  while (
    !(await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await Bun.sleep(5);
  return {
    url,
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}

async function openPaced(url: string, siteToken: string, ms: number): Promise<Opened[]> {
  const child = Bun.spawn([process.execPath, new URL('./paced.ts', import.meta.url).pathname], {
    stdin: new Blob([JSON.stringify({ url, siteToken, perSecond, ms })]),
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error('the client failed');
  return JSON.parse(text) as Opened[];
}

/** Fills a desk with its own verbs before it serves. */
async function prepare(
  data: string,
  make: (desk: {
    write: <T>(step: (tx: Parameters<typeof createSite>[0], ctx: Parameters<typeof createSite>[1]) => T) => Promise<T>;
  }) => Promise<void>,
): Promise<void> {
  const opened = openDataDirectory(readConfig({ HELPDESK_DATA: data, HELPDESK_SYNCHRONOUS: 'OFF' }, {}));
  const { desk } = opened;
  await make({
    write: async (step) => {
      let value: unknown;
      await desk.write((tx) => {
        value = step(tx, desk.context({ kind: 'command_line' }, 'bench'));
        return null;
      });
      return value as never;
    },
  });
  desk.store.writing.client.run('PRAGMA wal_checkpoint(TRUNCATE)');
  await opened.close();
}

type Write = Parameters<Parameters<typeof prepare>[1]>[0]['write'];
const quietly = { acknowledge: false };

async function openMany(write: Write, site: Site, from: number, count: number): Promise<Ticket[]> {
  const tickets: Ticket[] = [];
  for (let at = from; at < from + count; at += 1000) {
    await write((tx, ctx) => {
      for (let number = at; number < Math.min(from + count, at + 1000); number += 1)
        tickets.push(
          openTicket(tx, ctx, site, ingestTicketInput.parse(JSON.parse(ticketBody(`${number}`, `word${number}`))))
            .ticket,
        );
    });
  }
  return tickets;
}

async function drain(): Promise<void> {
  const receiver = await startReceiver();
  const data = join(work, 'drain');
  let siteToken = '';
  let token = '';
  let channelId = 0;
  await prepare(data, async ({ write }) => {
    const made = await write((tx, ctx) => createSite(tx, ctx, { name: 'Bench', settings: quietly }));
    siteToken = made.siteToken;
    token = await write((tx, ctx) => issueToken(tx, ctx, { name: 'bench', abilities: ['manage'] }).secret);
    channelId = await write((tx, ctx) => {
      const input = {
        name: 'Hook',
        type: 'custom' as const,
        webhook_url: `${receiver}/ok`,
        events: ['ticket.created' as const],
      };
      const { id } = addChannel(tx, ctx, 'bench', input).channel;
      channels.change(tx, ctx, 'bench', id, { is_active: false }, null);
      return id;
    });
    await openMany(write, made.site, 0, queued);
  });
  const desk = await startDesk(data);
  await openPaced(desk.url, siteToken, 3_000);
  const idle = spread((await openPaced(desk.url, siteToken, measureMs)).map(({ tookMs }) => tookMs));
  const count = async () => (await (await fetch(`${receiver}/count`)).json()) as { distinct: number; repeats: number };
  const begun = performance.now();
  const enabled = await fetch(`${desk.url}/api/v1/sites/bench/webhook-channels/${channelId}`, {
    method: 'PATCH',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ is_active: true }),
  });
  if (!enabled.ok) throw new Error(await enabled.text());
  const enablingMs = performance.now() - begun;
  let drainMs = 0;
  const watching = (async () => {
    while ((await count()).distinct < queued) await Bun.sleep(50);
    drainMs = performance.now() - begun;
  })();
  // As long as the target allows; tickets that are opened later do not count.
  const opened = await openPaced(desk.url, siteToken, (queued / 1000) * 1000);
  await watching;
  const endsAt = performance.timeOrigin + begun + drainMs;
  const busy = spread(opened.filter(({ answeredAt }) => answeredAt < endsAt).map(({ tookMs }) => tookMs));
  const { distinct, repeats } = await count();
  await desk.stop();
  const rate = queued / (drainMs / 1000);
  const ratio = busy.p99Ms / idle.p99Ms;
  console.log(
    `${queued} queued deliveries: ${Math.round(rate)}/s (target 1000${rate >= 1000 ? '' : ': MISSED'}), ${repeats} repeats, enabling took ${enablingMs.toFixed(0)} ms`,
  );
  console.log(`  create at ${perSecond}/s, idle:     p50 ${idle.p50Ms.toFixed(2)} ms  p99 ${idle.p99Ms.toFixed(2)} ms`);
  console.log(
    `  create at ${perSecond}/s, draining: p50 ${busy.p50Ms.toFixed(2)} ms  p99 ${busy.p99Ms.toFixed(2)} ms: ${ratio.toFixed(2)} times (target 1.5${ratio <= 1.5 ? '' : ': MISSED'})`,
  );
  results.drain = { rate, idle, busy, ratio, distinct, repeats, enablingMs };
}

/** The wait of a healthy channel beside `dead` channels with `events` each, from the answer to the receiver. */
async function beside(name: string, path: string, dead: number, events: number, isOneTicket: boolean) {
  const receiver = await startReceiver();
  const data = join(work, name);
  let siteToken = '';
  await prepare(data, async ({ write }) => {
    const sick = await write((tx, ctx) => createSite(tx, ctx, { name: 'Sick', settings: quietly }));
    const well = await write((tx, ctx) => createSite(tx, ctx, { name: 'Well', settings: quietly }));
    siteToken = well.siteToken;
    const add = (site: string, url: string) =>
      write((tx, ctx) =>
        addChannel(tx, ctx, site, {
          name: 'Hook',
          type: 'custom',
          webhook_url: url,
          events: ['ticket.created', 'ticket.replied'],
        }),
      );
    for (let at = 0; at < dead; at += 1) await add('sick', `${receiver}${path}`);
    await add('well', `${receiver}/ok`);
    if (dead > 0 && isOneTicket) {
      const [ticket] = await openMany(write, sick.site, 0, 1);
      for (let at = 1; at < events; at += 100)
        await write((tx, ctx) => {
          for (let more = at; more < Math.min(events, at + 100); more += 1) {
            const now = ticketById(tx, ticket!.id);
            const author = now && authorById(tx, now.authorId);
            if (now && author) replyAsCustomer(tx, ctx, now, author, { body: `More ${more}` });
          }
        });
    } else if (dead > 0) await openMany(write, sick.site, 0, events);
  });
  const desk = await startDesk(data);
  await openPaced(desk.url, siteToken, 3_000);
  const opened = await openPaced(desk.url, siteToken, measureMs);
  await Bun.sleep(1000);
  const seen = (await (await fetch(`${receiver}/take`)).json()) as { ulid: string; at: number }[];
  await desk.stop();
  const at = new Map(seen.map((one) => [one.ulid, one.at]));
  const missing = opened.filter(({ ulid }) => !at.has(ulid)).length;
  if (missing > 0) throw new Error(`${missing} were never delivered`);
  const delivery = spread(opened.map(({ ulid, answeredAt }) => Math.max(0, (at.get(ulid) ?? 0) - answeredAt)));
  const create = spread(opened.map(({ tookMs }) => tookMs));
  const isMet = delivery.p99Ms < 250;
  console.log(
    `${name.padEnd(44)} commit to delivery p50 ${delivery.p50Ms.toFixed(1)} ms  p99 ${delivery.p99Ms.toFixed(1)} ms (target 250${isMet ? '' : ': MISSED'}); create p99 ${create.p99Ms.toFixed(2)} ms`,
  );
  return { delivery, create };
}

async function deadOnes(): Promise<void> {
  const cases: [string, string, number, boolean][] = [
    ['a healthy channel alone', '/ok', 0, false],
    ['beside 100 that never answer', '/nothing', 100, false],
    ['beside 100 that answer 500', '/500', 100, false],
    ['beside 100 that never answer, one ticket', '/nothing', 100, true],
  ];
  const rows: Record<string, unknown> = {};
  for (const [name, path, dead, isOneTicket] of cases) rows[name] = await beside(name, path, dead, 1000, isOneTicket);
  results.dead = rows;
}

if (parts.length === 0 || parts.includes('drain')) await drain();
if (parts.length === 0 || parts.includes('dead')) await deadOnes();
mkdirSync(join(root, 'bench/results'), { recursive: true });
const file = join(root, 'bench/results', `outbox-${String(results.at).replaceAll(':', '-')}.json`);
writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
console.log(`\nwritten to ${file.slice(root.length)}`);
process.exit(0);
