// A desk with a million tickets: every filter and sort, the start, and other work beside 100 creates a second while a
// prober measures. bun bench/scale.ts [lists|start|beside|backup|streams|delete …] [--tickets=1000000] [--keep=<folder>]
// [--rounds=5] [--busy=<writers>], which keep the disk busy meanwhile [--rate=100] creates a second

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ticketSorts } from '../src/domain/tickets/ticket.ts';
import type { ticketListQuery } from '../src/http/wire/lists/ticket-query.ts';
import { beside, follow, type Times, tell, timesOf } from './scale-beside.ts';
import { fillScale, type ScaleDesk } from './scale-fill.ts';

const root = new URL('..', import.meta.url).pathname;
const executable = process.env.HELPDESK_BENCH ?? join(root, 'dist/helpdesk');
const args = process.argv.slice(2);
const option = (name: string) => args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
const tickets = Number(option('tickets') ?? 1_000_000);
const rounds = Number(option('rounds') ?? 5);
const kept = option('keep');
const busyWriters = Number(option('busy') ?? 0);
const only = option('only');
const parts = args.filter((arg) => !arg.startsWith('-'));
const wants = (part: string) => parts.length === 0 || parts.includes(part);
for (const part of parts) {
  if (['lists', 'start', 'beside', 'backup', 'streams', 'delete'].includes(part)) continue;
  console.error(`There is no part ${part}; the parts are lists, start, beside, backup, streams and delete.`);
  process.exit(2);
}

const work = mkdtempSync(join(tmpdir(), 'helpdesk-scale-'));
const started = new Set<{ kill(signal: 'SIGKILL'): void }>();
process.on('exit', () => {
  // A part that throws must not leave its desk running.
  for (const child of started) child.kill('SIGKILL');
  rmSync(work, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130));

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
  pid: number;
  url: string;
  startedMs: number;
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
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
  started.add(child);
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
    pid: child.pid,
    url,
    startedMs: performance.now() - startedAt,
    async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM') {
      child.kill(signal);
      await child.exited;
      started.delete(child);
    },
  };
}

/** Repeats the request. The first time counts too, because real desks are not warmed up. */
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
/** Values for each part of the query. The type requires an entry for every new part. */
const asked: Record<Exclude<Asked, 'sort' | 'direction' | 'per_page'>, (desk: ScaleDesk) => string[]> = {
  site_id: ({ site, otherSite }) => [`site_id=${site}`, `site_id=${otherSite}`],
  status: () => ['status=open', 'status=pending,resolved', 'status=closed'],
  category_id: ({ categoryId, rareCategoryId }) => [`category_id=${categoryId}`, `category_id=${rareCategoryId}`],
  priority_id: ({ priorityId }) => [`priority_id=${priorityId}`, `priority_id=${priorityId}&status=open`],
  assigned_to: ({ agentId, idleAgentId }) => [`assigned_to=${agentId}`, `assigned_to=${idleAgentId}`],
  team_id: ({ teamId }) => [`team_id=${teamId}`, `team_id=${teamId}&status=open`],
  mentions: ({ agentId }) => [`mentions=${agentId}`, `mentions=${agentId}&status=open`],
  has_draft: () => [],
  unread: () => [],
  unassigned: () => ['unassigned=1', 'unassigned=1&status=open'],
  external_id: ({ externalId }) => [`external_id=${externalId}`],
  email: ({ busyEmail }) => [
    `email=${busyEmail}`,
    'email=nobody@example.org',
    'email=@shop0.example.org',
    'email=@nowhere.example',
  ],
  participant: () => ['participant=nobody@example.org', 'participant=@shop0.example.org'],
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
    'q=settings+-button',
  ],
  created_from: ({ until }) => [`created_from=${at(until - 90 * dayMs)}`, `created_from=${at(until - dayMs)}`],
  created_to: ({ from }) => [`created_to=${at(from + 30 * dayMs)}`, `created_to=${at(from + dayMs / 2)}`],
  updated_from: ({ until }) => [`updated_from=${at(until - 60 * dayMs)}`, `updated_from=${at(until - dayMs)}`],
  updated_to: ({ from }) => [`updated_to=${at(from + 60 * dayMs)}`, `updated_to=${at(from + dayMs / 2)}`],
  sla: () => ['sla=warned', 'sla=breached', 'sla=paused', 'sla=due_soon', 'sla=breached,warned&status=open'],
  snoozed: () => ['snoozed=1', 'snoozed=0', 'snoozed=0&status=pending'],
  satisfaction: () => ['satisfaction=good', 'satisfaction=bad&status=resolved'],
  has_attachment: () => ['has_attachment=1', 'has_attachment=0'],
  include_test: () => ['include_test=1'],
  is_spam: () => ['is_spam=1', 'is_spam=1&status=open'],
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

async function run(...command: string[]): Promise<string> {
  const child = Bun.spawn([executable, ...command, '--data', data], { stdout: 'pipe', stderr: 'inherit' });
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')} failed`);
  return text;
}

const besideMs = Number(option('ms') ?? 10_000);

async function partStart(): Promise<Record<string, number>> {
  const first = await startDesk(data);
  // Waits for the backlog of due clocks.
  const siteToken = await tokenOf('school');
  tell('after a start with due clocks', await beside(first.url, siteToken, besideMs));
  await first.stop();
  const clean: number[] = [];
  for (let at = 0; at < 3; at += 1) {
    const again = await startDesk(data);
    clean.push(again.startedMs);
    await again.stop();
  }
  const killed = await startDesk(data);
  await beside(killed.url, siteToken, besideMs);
  await killed.stop('SIGKILL');
  const after = await startDesk(data);
  await after.stop();
  const cleanMs = timesOf(clean).p50;
  console.log(
    `start: ${cleanMs.toFixed(0)} ms, after a kill under load: ${after.startedMs.toFixed(0)} ms (target 200)`,
  );
  return { cleanMs, killedMs: after.startedMs };
}

/** Replaces the token of a site. */
async function tokenOf(site: string): Promise<string> {
  return (JSON.parse(await run('site', 'rotate-token', site, '--json')) as { site_token: string }).site_token;
}

async function partBeside(desk: Running): Promise<void> {
  const siteToken = await tokenOf('school');
  tell('nothing else', await beside(desk.url, siteToken, besideMs));
  const copy = ['cp "$0" "$1"', 'sync "$1"', 'rm "$1"'].join(' && ');
  tell(
    'floor: cp, sync, rm of the database',
    await beside(desk.url, siteToken, besideMs, async () => {
      await Bun.sleep(1000);
      await Bun.spawn(['sh', '-c', copy, join(data, 'helpdesk.db'), join(work, 'copy.db')]).exited;
    }),
  );
  const queries = Object.values(asked).flatMap((make) => make(filled));
  const lists = async () => {
    const until = performance.now() + besideMs;
    for (let at = 0; performance.now() < until; at += 1) {
      const sort = ticketSorts[at % ticketSorts.length];
      await fetch(`${desk.url}/api/v1/tickets?${queries[at % queries.length]}&sort=${sort}`, {
        headers: { Authorization: `Bearer ${filled.teamToken}` },
      }).then((response) => response.text());
    }
  };
  tell('lists of every filter in turn', await beside(desk.url, siteToken, besideMs, lists));
  const out = join(work, 'school.jsonl');
  tell(
    'export of 70,000 tickets',
    await beside(desk.url, siteToken, besideMs, () => run('export', '--site', 'school', '--output', out)),
  );
  tell('doctor', await beside(desk.url, siteToken, 2 * besideMs, () => run('doctor')));
  await partBackup(desk, siteToken);
}

async function partBackup(desk: Running, siteToken: string): Promise<void> {
  tell('backup', await beside(desk.url, siteToken, 2 * besideMs, () => run('backup', join(work, 'backup'))));
}

async function partStreams(desk: Running): Promise<void> {
  const siteToken = await tokenOf('school');
  const gone = new AbortController();
  for (let at = 0; at < 8; at += 1) {
    const issued = await run('token', 'issue', '--name', `streams ${at}`, '--abilities', 'read', '--json');
    const { token } = JSON.parse(issued) as { token: string };
    await Promise.all(Array.from({ length: 100 }, () => follow(desk.url, token, gone.signal)));
  }
  tell('800 streams of events', await beside(desk.url, siteToken, besideMs));
  gone.abort();
}

async function partDelete(desk: Running): Promise<void> {
  const siteToken = await tokenOf('school');
  const remove = async () => {
    const startedAt = performance.now();
    const response = await fetch(`${desk.url}/api/v1/sites/${filled.site}?confirm=${filled.site}`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${filled.teamToken}` },
    });
    if (response.status !== 204) throw new Error(`removing answered ${response.status}`);
    console.log(
      `DELETE of a site with ${filled.tickets * 0.9} tickets answered in ${(performance.now() - startedAt).toFixed(0)} ms`,
    );
  };
  tell('while its rows go', await beside(desk.url, siteToken, 2 * besideMs, remove));
}

const { data, filled } = await filledDesk();
if (wants('start')) await partStart();
const desk = await startDesk(data);
for (let at = 0; at < busyWriters; at += 1) {
  const folder = join(kept ?? work, `busy-${at}`);
  mkdirSync(folder, { recursive: true });
  const writer = Bun.spawn([process.execPath, join(root, 'bench/busy-disk.ts'), folder]);
  started.add(writer);
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
}
if (wants('lists')) {
  const rows = await partLists(filled, desk);
  const slow = rows.filter(({ max }) => max >= 200);
  console.log(
    `${rows.length} lists, ${slow.length} of them over 200 ms, all: ${JSON.stringify(timesOf(rows.map(({ max }) => max)))}`,
  );
  mkdirSync(join(root, 'bench/results'), { recursive: true });
  writeFileSync(join(root, 'bench/results/scale-lists.json'), `${JSON.stringify(rows, null, 2)}\n`);
}
if (wants('beside')) await partBeside(desk);
// Part of `beside` too.
if (parts.includes('backup')) await partBackup(desk, await tokenOf('school'));
if (wants('streams')) await partStreams(desk);
// Last, because it changes the desk.
if (parts.includes('delete')) await partDelete(desk);
await desk.stop();
process.exit(0);
