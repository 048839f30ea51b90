// Measures the built executable against the floor on this machine: `bun run bench [start|load|scale|stall] [--large] [--keep=<folder>] [--ms=3000]`, or two builds against one another: `bun run bench compare <commit>`.

import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builds, chosenBuild, commandOf } from '../scripts/builds.ts';
import { compare } from './compare.ts';
import { type Filled, fill, ticketBody } from './fill.ts';
import { drive, type Load, type Measured } from './load.ts';
import { freePort, type Running, running, unlimited } from './running.ts';
import { measureStalls } from './stall.ts';

const root = new URL('..', import.meta.url).pathname;
const args = process.argv.slice(2);
if (args[0] === 'compare') {
  await compare(root, args.slice(1));
  process.exit(0);
}
const build = builds[chosenBuild()];
const executable = process.env.HELPDESK_BENCH ?? join(root, build.executable);
const parts = args.filter((arg) => !arg.startsWith('-'));
const isLarge = args.includes('--large');
const measureMs = Number(args.find((arg) => arg.startsWith('--ms='))?.slice(5) ?? 3000);
const kept = args.find((arg) => arg.startsWith('--keep='))?.slice('--keep='.length);
const wants = (part: string) => parts.length === 0 || parts.includes(part);
const unknown = parts.filter((part) => !['start', 'load', 'scale', 'stall'].includes(part));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}; the parts are start, load, scale and stall.`);
  process.exit(2);
}
if (!existsSync(executable)) {
  console.error(`${executable} is not there: build it first with "${build.command}".`);
  process.exit(1);
}

const command = commandOf(executable);

const work = mkdtempSync(join(tmpdir(), 'helpdesk-bench-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));
const results: Record<string, unknown> = { at: new Date().toISOString(), bun: Bun.version, measureMs };

function startDesk(data: string): Promise<Running> {
  const port = freePort();
  return running([...command, 'serve'], port, {
    ...unlimited,
    HELPDESK_DATA: data,
    HELPDESK_PORT: String(port),
    HELPDESK_LOG_LEVEL: 'warn',
  });
}

function startFloor(database: string, sizes: Record<string, number>): Promise<Running> {
  const port = freePort();
  const floor = new URL('./floor.ts', import.meta.url).pathname;
  return running([process.execPath, floor, database, String(port), JSON.stringify(sizes)], port, {});
}

function rssMb(pid: number): number {
  const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Math.round(Number(match?.[1] ?? 0) / 1024);
}

const operations = ['read', 'list', 'search', 'create'] as const;
type Operation = (typeof operations)[number];
let firstNumber = 10_000_000;

function loadOf(
  server: 'desk' | 'floor',
  operation: Operation,
  filled: Filled,
  port: number,
  connections: number,
  ms: number,
): Load {
  const isDesk = server === 'desk';
  const bearer: Record<string, string> = isDesk ? { Authorization: `Bearer ${filled.teamToken}` } : {};
  const paths: Record<Operation, string> = isDesk
    ? {
        read: '/api/v1/tickets/{choice}',
        list: '/api/v1/tickets',
        search: '/api/v1/tickets?q={choice}',
        create: '/api/v1/public/tickets',
      }
    : { read: '/read/{choice}', list: '/list', search: '/find/{choice}', create: '/new' };
  return {
    port,
    connections,
    warmUpMs: Math.min(1000, ms / 3),
    measureMs: ms,
    method: operation === 'create' ? 'POST' : 'GET',
    path: paths[operation],
    headers:
      operation === 'create'
        ? { 'Idempotency-Key': 'key-{n}', ...(isDesk ? { 'X-Site-Token': filled.siteToken } : {}) }
        : bearer,
    body: operation === 'create' ? ticketBody('{n}', 'fresh{n}') : null,
    choices: operation === 'read' ? filled.ulids : filled.words,
    firstNumber,
  };
}

async function measure(
  server: 'desk' | 'floor',
  operation: Operation,
  filled: Filled,
  port: number,
  connections: number,
  ms = measureMs,
) {
  const measured = await drive(loadOf(server, operation, filled, port, connections, ms));
  firstNumber = measured.lastNumber;
  return measured;
}

function show(label: string, measured: Measured, more = '') {
  const { perSecond, p50Ms, p99Ms } = measured;
  console.log(
    `${label.padEnd(34)}${String(perSecond).padStart(8)}/s  p50 ${p50Ms.toFixed(2).padStart(6)} ms  p99 ${p99Ms.toFixed(2).padStart(6)} ms  ${more}`,
  );
}

function prepared(tickets: number, how: string): void {
  console.log(`\n${tickets.toLocaleString('en')} tickets (${how})`);
}

/** With `--keep=<folder>`, reuses the directory from the last time. */
async function fillInto(name: string, tickets: number): Promise<{ data: string; filled: Filled }> {
  const data = join(kept ?? work, name);
  const notes = `${data}.json`;
  if (kept !== undefined && existsSync(notes)) {
    prepared(tickets, 'filled before');
    return { data, filled: JSON.parse(readFileSync(notes, 'utf8')) as Filled };
  }
  const startedAt = performance.now();
  const filled = await fill(data, tickets);
  writeFileSync(notes, JSON.stringify(filled));
  prepared(tickets, `filled in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  return { data, filled };
}

async function partStart() {
  const fresh = await startDesk(join(work, 'fresh'));
  await Bun.sleep(1500);
  const idleRssMb = rssMb(fresh.pid);
  await fresh.stop();
  const again: number[] = [];
  for (let at = 0; at < 5; at += 1) {
    const one = await startDesk(join(work, 'fresh'));
    again.push(one.startedMs);
    await one.stop();
  }
  const startMs = again.sort((a, b) => a - b)[2] ?? 0;
  console.log(
    `start to first answer: ${startMs.toFixed(0)} ms (target 100), the very first, with migrations: ${fresh.startedMs.toFixed(0)} ms`,
  );
  console.log(`RSS idle: ${idleRssMb} MB (target 110)`);
  results.start = { startMs, firstStartMs: fresh.startedMs, idleRssMb };
}

const targets: Record<Operation, number> = { create: 1, read: 0.25, list: 0.15, search: 0.25 };

async function partLoad() {
  const { data, filled } = await fillInto('load', 10_000);
  const database = join(work, 'floor.db');
  cpSync(join(data, 'helpdesk.db'), database);
  const sizes: Record<string, number> = {};
  const desk = await startDesk(data);
  // The floor's answers are as long as the desk's.
  for (const operation of operations)
    sizes[operation] = (await measure('desk', operation, filled, desk.port, 1, 200)).meanBytes;
  const floor = await startFloor(database, sizes);
  const rows: Record<string, unknown> = {};
  for (const connections of [1, 16]) {
    for (const operation of operations) {
      // Reads first, because both sides must read the same rows.
      const floors = await measure('floor', operation, filled, floor.port, connections);
      const desks = await measure('desk', operation, filled, desk.port, connections);
      const ratio = desks.perSecond / floors.perSecond;
      const isMet = ratio >= targets[operation] && desks.p99Ms < 20;
      const verdict =
        connections === 16 ? `(target ${targets[operation].toFixed(2)}, p99 < 20 ms: ${isMet ? 'met' : 'MISSED'})` : '';
      show(`${operation}, ${connections} connections: floor`, floors);
      show(`${operation}, ${connections} connections: desk`, desks, `ratio ${ratio.toFixed(2)} ${verdict}`);
      rows[`${operation} at ${connections}`] = { floor: floors, desk: desks, ratio, target: targets[operation] };
    }
  }
  const rss = { desk: rssMb(desk.pid), floor: rssMb(floor.pid) };
  console.log(`RSS under load: desk ${rss.desk} MB, floor ${rss.floor} MB`);
  results.load = { sizes, rows, rss };
  await desk.stop();
  await floor.stop();
}

async function partScale() {
  const rows: Record<string, Record<string, Measured>> = {};
  const counts = isLarge ? [10_000, 100_000, 1_000_000] : [10_000, 100_000];
  for (const tickets of counts) {
    const { data, filled } = await fillInto(`scale-${tickets}`, tickets);
    const desk = await startDesk(data);
    const row: Record<string, Measured> = {};
    for (const operation of operations) {
      row[operation] = await measure('desk', operation, filled, desk.port, 16);
      const smallest = rows[String(counts[0])]?.[operation];
      const factor = smallest ? smallest.perSecond / row[operation].perSecond : 1;
      show(
        `${operation}, 16 connections`,
        row[operation],
        smallest
          ? `${factor.toFixed(2)} times slower than with ${counts[0]} (target 1.5${factor <= 1.5 ? '' : ': MISSED'})`
          : '',
      );
    }
    rows[String(tickets)] = row;
    await desk.stop();
    if (kept === undefined) rmSync(data, { recursive: true, force: true });
  }
  results.scale = rows;
}

if (wants('start')) await partStart();
if (wants('load')) await partLoad();
if (wants('scale')) await partScale();
if (wants('stall')) results.stall = await measureStalls(command, unlimited);
mkdirSync(join(root, 'bench/results'), { recursive: true });
const file = join(root, 'bench/results', `${String(results.at).replaceAll(':', '-')}.json`);
writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
console.log(`\nwritten to ${file.slice(root.length)}`);
process.exit(0);
