// A desk of a million tickets: every filter and sort, the start, and what runs beside 100 creates a second while a prober looks.
//   bun bench/scale.ts [lists|start|beside|streams|delete …] [--tickets=1000000] [--keep=<folder>] [--rounds=5]

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ticketListQuery } from '../src/http/wire/ticket-reading.ts';
import { ticketSorts } from '../src/store/ticket-list/page.ts';
import { fillScale, type ScaleDesk } from './scale-fill.ts';

const root = new URL('..', import.meta.url).pathname;
const executable = process.env.HELPDESK_BENCH ?? join(root, 'dist/helpdesk');
const args = process.argv.slice(2);
const option = (name: string) => args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
const tickets = Number(option('tickets') ?? 1_000_000);
const rounds = Number(option('rounds') ?? 5);
const kept = option('keep');
const only = option('only');
const parts = args.filter((arg) => !arg.startsWith('-'));
const wants = (part: string) => parts.length === 0 || parts.includes(part);

const work = mkdtempSync(join(tmpdir(), 'helpdesk-scale-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));

function freePort(): number {
  const server = Bun.serve({ port: 0, fetch: () => new Response('') });
  const { port } = server;
  server.stop(true);
  return Number(port);
}

const unlimited = Object.fromEntries(
  ['INGEST_CALLER', 'INGEST_SITE', 'OTHER', 'INBOUND', 'AUTH_FAILURES'].map((name) => [`HELPDESK_RATE_${name}`, '0']),
);

interface Running {
  url: string;
  startedMs: number;
  stop(): Promise<void>;
}

async function startDesk(data: string): Promise<Running> {
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  const startedAt = performance.now();
  const child = Bun.spawn([executable, 'serve'], {
    env: {
      ...process.env,
      ...unlimited,
      HELPDESK_DATA: data,
      HELPDESK_PORT: String(port),
      HELPDESK_LOG_LEVEL: 'warn',
    },
    stdout: 'ignore',
    stderr: 'inherit',
  });
  for (;;) {
    const isUp = await fetch(`${url}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
    if (isUp) break;
    if (child.exitCode !== null) throw new Error(`the desk ended with ${child.exitCode}`);
    await Bun.sleep(1);
  }
  return {
    url,
    startedMs: performance.now() - startedAt,
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}

interface Times {
  p50: number;
  max: number;
}

function timesOf(durations: number[]): Times {
  const sorted = durations.toSorted((a, b) => a - b);
  return { p50: sorted[Math.floor(sorted.length / 2)] ?? 0, max: sorted.at(-1) ?? 0 };
}

/** Asks again and again; the first time is one of them, since nobody warms a desk up for a question. */
async function ask(desk: Running, token: string, query: string): Promise<Times & { total: number; isCapped: boolean }> {
  const durations: number[] = [];
  let meta = { total: 0, is_capped: false };
  for (let at = 0; at < rounds; at += 1) {
    const startedAt = performance.now();
    const response = await fetch(`${desk.url}/api/v1/tickets?${query}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    const text = await response.text();
    durations.push(performance.now() - startedAt);
    if (!response.ok) throw new Error(`${query}: ${response.status} ${text.slice(0, 200)}`);
    meta = (JSON.parse(text) as { meta: typeof meta }).meta;
  }
  return { ...timesOf(durations), total: meta.total, isCapped: meta.is_capped };
}

const dayMs = 86_400_000;
const at = (time: number) => new Date(time).toISOString();

type Asked = keyof typeof ticketListQuery.shape;
/** What each part of the query is asked for. A part that is new must get its rows here: a type says so. */
const asked: Record<Exclude<Asked, 'sort' | 'direction' | 'per_page'>, (desk: ScaleDesk) => string[]> = {
  site_id: ({ site, otherSite }) => [`site_id=${site}`, `site_id=${otherSite}`],
  status: () => ['status=open', 'status=pending,resolved', 'status=closed'],
  category_id: ({ categoryId, rareCategoryId }) => [`category_id=${categoryId}`, `category_id=${rareCategoryId}`],
  priority_id: ({ priorityId }) => [`priority_id=${priorityId}`, `priority_id=${priorityId}&status=open`],
  assigned_to: ({ agentId, idleAgentId }) => [`assigned_to=${agentId}`, `assigned_to=${idleAgentId}`],
  unassigned: () => ['unassigned=1', 'unassigned=1&status=open'],
  external_id: ({ externalId }) => [`external_id=${externalId}`],
  email: ({ busyEmail }) => [`email=${busyEmail}`, 'email=nobody@example.org'],
  tag: () => ['tag=web', 'tag=eu', 'tag=vip', 'tag=launch', 'tag=rare-tag', 'tag[]=web&tag[]=billing', 'tag=never'],
  q: ({ ulid }) => [
    'q=settings',
    'q=settings&tag=rare-tag',
    'q=settings&tag=launch',
    'q=settings&status=open',
    'q=word777x',
    'q=person0',
    'q=erson1',
    'q=shop1.example',
    'q=settings+button+tried',
    'q=%2341',
    'q=41',
    `q=${ulid}`,
    'q=nothingatall',
  ],
  created_from: ({ until }) => [`created_from=${at(until - 90 * dayMs)}`, `created_from=${at(until - dayMs)}`],
  created_to: ({ from }) => [`created_to=${at(from + 30 * dayMs)}`, `created_to=${at(from + dayMs / 2)}`],
  updated_from: ({ until }) => [`updated_from=${at(until - 60 * dayMs)}`, `updated_from=${at(until - dayMs)}`],
  updated_to: ({ from }) => [`updated_to=${at(from + 60 * dayMs)}`, `updated_to=${at(from + dayMs / 2)}`],
  sla: () => ['sla=warned', 'sla=breached', 'sla=paused', 'sla=due_soon', 'sla=breached,warned&status=open'],
  include_test: () => ['include_test=1'],
  page: () => ['page=2', 'page=1000', `page=${Math.floor(tickets / 30)}`, `page=${Math.floor(tickets / 16)}`],
  cursor: () => [],
};

interface Row extends Times {
  query: string;
  sort: string;
}

async function partLists(filled: ScaleDesk, desk: Running): Promise<Row[]> {
  const rows: Row[] = [];
  const queries = ['', ...Object.values(asked).flatMap((make) => make(filled))].filter(
    (one) => !only || one.includes(only),
  );
  for (const query of queries) {
    for (const sort of ticketSorts) {
      for (const direction of ['desc', 'asc']) {
        const whole = `${query}&sort=${sort}&direction=${direction}`;
        const found = await ask(desk, filled.teamToken, whole);
        rows.push({ query, sort: `${sort} ${direction}`, ...found });
        const verdict = found.max < 200 ? '' : 'OVER 200 ms';
        console.log(
          `${query.padEnd(48)} ${`${sort} ${direction}`.padEnd(28)} ${found.p50.toFixed(1).padStart(8)} ${found.max.toFixed(1).padStart(8)} ms ${String(found.total).padStart(8)}${found.isCapped ? '+' : ' '} ${verdict}`,
        );
      }
    }
  }
  return rows;
}

async function filledDesk(): Promise<{ data: string; filled: ScaleDesk }> {
  const data = join(kept ?? work, 'million');
  if (existsSync(`${data}.json`))
    return { data, filled: JSON.parse(readFileSync(`${data}.json`, 'utf8')) as ScaleDesk };
  if (kept !== undefined) mkdirSync(kept, { recursive: true });
  return { data, filled: await fillScale(data, tickets) };
}

const { data, filled } = await filledDesk();
if (wants('lists')) {
  const desk = await startDesk(data);
  console.log(`started in ${desk.startedMs.toFixed(0)} ms`);
  const rows = await partLists(filled, desk);
  console.log(`${rows.filter(({ max }) => max >= 200).length} of ${rows.length} over 200 ms`);
  await desk.stop();
  writeFileSync(join(tmpdir(), 'scale-lists.json'), JSON.stringify(rows));
}
process.exit(0);
