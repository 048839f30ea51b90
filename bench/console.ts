// What the console waits for, on a desk with many tickets: bun bench/console.ts [--tickets=100000] [--keep=<folder>]
// [--rounds=200] [--only=api|browser]. HELPDESK_BENCH=cli/main.ts measures the sources.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { readConfig } from '../src/base/config.ts';
import { openDataDirectory } from '../src/data/directory.ts';
import { startSession } from '../src/desk/people/sessions.ts';
import { agentById, updateAgent } from '../src/store/people/agents.ts';
import { type Figure, measureBrowser } from './console-browser.ts';
import { timesOf } from './scale-beside.ts';
import { fillScale, type ScaleDesk } from './scale-fill.ts';

const root = new URL('..', import.meta.url).pathname;
const executable = process.env.HELPDESK_BENCH ?? join(root, 'dist/helpdesk');
const command = executable.endsWith('.ts') ? [process.execPath, executable] : [executable];
const option = (name: string) =>
  process.argv.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + '--='.length);
const tickets = Number(option('tickets') ?? 100_000);
const rounds = Number(option('rounds') ?? 200);

const work = mkdtempSync(join(tmpdir(), 'helpdesk-console-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));
const folder = option('keep') ?? work;
mkdirSync(folder, { recursive: true });
const data = join(folder, `d${tickets}`);
if (!existsSync(`${data}.json`)) writeFileSync(`${data}.json`, JSON.stringify(await fillScale(data, tickets)));
const filled = JSON.parse(readFileSync(`${data}.json`, 'utf8')) as ScaleDesk;

/** A session of an owner, as its cookie has it. */
async function signIn(): Promise<string> {
  const opened = openDataDirectory(readConfig({ HELPDESK_DATA: data }, {}));
  const { desk } = opened;
  const { secret } = await desk.write((tx) => {
    updateAgent(tx, filled.agentId, { role: 'owner' });
    const agent = agentById(tx, filled.agentId);
    if (agent === undefined) throw new Error('the filled desk has no agent');
    const start = {
      method: 'password',
      hasSecondFactor: false,
      formerSession: null,
      browser: null,
      system: null,
    } as const;
    return startSession(tx, desk.context({ kind: 'command_line' }, 'bench'), agent, start);
  });
  await opened.close();
  return secret;
}

const session = await signIn();
const probe = Bun.serve({ port: 0, fetch: () => new Response('') });
const port = Number(probe.port);
await probe.stop(true);
const url = `http://127.0.0.1:${port}`;
const unlimited = { HELPDESK_RATE_SESSION: '0', HELPDESK_RATE_INGEST_CALLER: '0', HELPDESK_RATE_INGEST_SITE: '0' };
const child = Bun.spawn([...command, 'serve'], {
  env: { ...process.env, ...unlimited, HELPDESK_DATA: data, HELPDESK_PORT: String(port), HELPDESK_LOG_LEVEL: 'warn' },
  stdout: 'ignore',
  stderr: 'inherit',
});
process.on('exit', () => child.kill());
const isUp = () =>
  fetch(`${url}/readyz`).then(
    (response) => response.ok,
    () => false,
  );
while (!(await isUp())) {
  if (child.exitCode !== null) throw new Error(`the desk ended with ${child.exitCode}`);
  await Bun.sleep(5);
}

const headers = { Cookie: `helpdesk=${session}`, Origin: url, 'Accept-Encoding': 'br' };

interface Asked {
  ms: number;
  bytes: number;
  text: string;
}

async function ask(path: string, method = 'GET', body?: object): Promise<Asked> {
  const startedAt = performance.now();
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: body === undefined ? headers : { ...headers, 'Content-Type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
    // As many bytes as went over the wire.
    decompress: false,
  });
  const whole = Buffer.from(await response.arrayBuffer());
  const ms = performance.now() - startedAt;
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${whole.toString().slice(0, 200)}`);
  const isPacked = response.headers.get('content-encoding') === 'br';
  return { ms, bytes: whole.length, text: (isPacked ? brotliDecompressSync(whole) : whole).toString() };
}

let opened = 0;
/** Any write empties what the desk remembers of counts. */
async function openTicket(): Promise<void> {
  opened += 1;
  const response = await fetch(`${url}/api/v1/public/tickets`, {
    method: 'POST',
    headers: { 'X-Site-Token': filled.siteToken, 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: `bench${opened}@example.org`, subject: 'Bench', message: 'Bench' }),
  });
  if (response.status !== 201) throw new Error(`a ticket: ${response.status} ${await response.text()}`);
}

const results: Record<string, unknown> = {};
const measured = (name: string, all: readonly Asked[]) => {
  const { p50, p99, max } = timesOf(all.map(({ ms }) => ms));
  const bytes = Math.max(...all.map((one) => one.bytes));
  results[name] = { p50, p99, max, bytes };
  const shown = [p50, p99, max].map((ms) => ms.toFixed(1).padStart(8)).join('');
  console.log(`${name.padEnd(44)}${shown} ms${String(bytes).padStart(8)} bytes`);
};

async function measure(name: string, make: (at: number) => Promise<Asked>): Promise<void> {
  const all: Asked[] = [];
  for (let at = 0; at < rounds; at += 1) all.push(await make(at));
  measured(name, all);
}

async function measureApi(): Promise<void> {
  console.log(`${''.padEnd(44)}     p50     p99     max`);
  measured('first list of 50 after the start', [await ask('/tickets?per_page=50&assigned_to=me&snoozed=0')]);
  await measure('views', () => ask('/views'));
  await measure('counts of all views', () => ask('/views/counts'));
  await measure('counts of all views, after a write each', async () => {
    await openTicket();
    return await ask('/views/counts');
  });
  const lists = ['assigned_to=me&snoozed=0', 'unassigned=1&status=open,pending', 'status=open', 'sla=due_soon', ''];
  for (const filter of lists)
    await measure(`list of 50: ${filter || 'all'}`, () => ask(`/tickets?per_page=50&sort=updated_at&${filter}`));
  await measure('list of 50 by next_due_at', () =>
    ask('/tickets?per_page=50&sort=next_due_at&direction=asc&status=open'),
  );
  const rows = (JSON.parse((await ask('/tickets?per_page=100')).text) as { data: { ulid: string }[] }).data;
  await measure('a ticket', (at) => ask(`/tickets/${rows[at % rows.length]?.ulid}`));
  await measure('mark as read, or unread', (at) =>
    ask(`/tickets/${rows[at % rows.length]?.ulid}/read`, Math.floor(at / rows.length) % 2 === 0 ? 'PUT' : 'DELETE'),
  );
  await measure('change the status of a ticket', (at) =>
    ask(`/tickets/${rows[at % rows.length]?.ulid}`, 'PATCH', {
      status: Math.floor(at / rows.length) % 2 === 0 ? 'pending' : 'open',
    }),
  );
  await measure('customers', () => ask('/customers?per_page=50'));
  await measure('customers by part of an address', (at) => ask(`/customers?q=erson${at}@`));
}

function show({ name, value, unit, target, floor }: Figure): void {
  const shown = (one: number) => `${one.toFixed(1)} ${unit}`.padStart(11);
  const ratio = floor === undefined ? '' : `  ${(value / floor).toFixed(2)} of ${shown(floor).trim()}`;
  console.log(`${name.padEnd(54)}${shown(value)}  target${shown(target)}${value > target ? '  OVER' : ''}${ratio}`);
}

const only = option('only');
if (only !== 'browser') await measureApi();
if (only !== 'api') {
  const figures = await measureBrowser({ url, session, teamToken: filled.teamToken });
  figures.forEach(show);
  results.browser = figures;
}
mkdirSync(join(root, 'bench/results'), { recursive: true });
writeFileSync(join(root, 'bench/results/console.json'), `${JSON.stringify({ tickets, ...results }, null, 2)}\n`);
child.kill('SIGTERM');
await child.exited;
process.exit(0);
