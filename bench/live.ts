// Creates beside 200 agents with an open console, compared with none: `bun bench/live.ts [--rounds=5] [--ms=3000] [--agents=200]`,
// on the built executable.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../src/base/config.ts';
import { openDataDirectory } from '../src/data/directory.ts';
import { addAgent } from '../src/desk/people/agents.ts';
import { startSession } from '../src/desk/people/sessions.ts';
import { agentById } from '../src/store/people/agents.ts';
import { fill, ticketBody } from './fill.ts';
import { drive, type Measured } from './load.ts';

process.env.HELPDESK_EXECUTABLE ??= join(import.meta.dir, '../dist/helpdesk');
if (!existsSync(process.env.HELPDESK_EXECUTABLE)) {
  console.error('Build the executable first, or name it in HELPDESK_EXECUTABLE.');
  process.exit(1);
}
const { newDirectory, serve, unlimited } = await import('../test/e2e/executable.ts');
const option = (name: string, usual: number) =>
  Number(process.argv.find((word) => word.startsWith(`--${name}=`))?.split('=')[1] ?? usual);
const agents = option('agents', 200);
const measureMs = option('ms', 3000);
const most = { lost: 0.1 };

/** Agents with a session each, as if they had signed in. */
async function signedIn(path: string): Promise<string[]> {
  const data = openDataDirectory(readConfig({ HELPDESK_DATA: path, HELPDESK_SYNCHRONOUS: 'OFF' }, {}));
  const { desk } = data;
  const ctx = desk.context({ kind: 'command_line' }, 'bench');
  const cookies: string[] = [];
  for (let at = 0; at < agents; at += 1)
    cookies.push(
      await desk.write((tx) => {
        const { id } = addAgent(tx, ctx, { email: `agent${at}@bench.example`, name: `Agent ${at}`, role: 'member' });
        const agent = agentById(tx, id);
        if (!agent) throw new Error('a new agent is not there');
        const how = { method: 'password', hasSecondFactor: false, formerSession: null, browser: null, system: null };
        return `helpdesk=${startSession(tx, ctx, agent, how as Parameters<typeof startSession>[3]).secret}`;
      }),
    );
  await data.close();
  return cookies;
}

function cpuTimeMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const ticksPerSecond = 100;
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const { path, remove } = newDirectory();
const data = join(path, 'data');
const { siteToken } = await fill(data, 10_000);
const cookies = await signedIn(data);
const desk = await serve(path, { ...unlimited, HELPDESK_DATA: data, HELPDESK_LOG_LEVEL: 'warn' });
const port = Number(new URL(desk.url).port);
let firstNumber = 1_000_000;

interface Round extends Measured {
  cpuMicroseconds: number;
}

async function creates(): Promise<Round> {
  const before = cpuTimeMs(desk.pid);
  const measured = await drive({
    port,
    connections: 16,
    warmUpMs: 500,
    measureMs,
    method: 'POST',
    path: '/api/v1/public/tickets',
    headers: { 'X-Site-Token': siteToken },
    body: ticketBody('{n}', 'livex'),
    choices: [],
    firstNumber,
  });
  const spentMs = cpuTimeMs(desk.pid) - before;
  const made = measured.lastNumber - firstNumber;
  firstNumber = measured.lastNumber;
  return { ...measured, cpuMicroseconds: (spentMs * 1000) / made };
}

async function beside(): Promise<Round & { megabytes: number }> {
  const readers = Bun.spawn([process.execPath, join(import.meta.dir, 'live-readers.ts')], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  readers.stdin.write(`${JSON.stringify({ port, cookies })}\n`);
  readers.stdin.flush();
  const output = readers.stdout.getReader();
  const said = async () => new TextDecoder().decode((await output.read()).value).trim();
  if ((await said()) !== 'open') throw new Error('the streams did not open');
  const round = await creates();
  readers.stdin.write('bytes\n');
  readers.stdin.flush();
  const megabytes = Number(await said()) / 1e6;
  readers.kill();
  await readers.exited;
  return { ...round, megabytes };
}

try {
  await creates();
  const alone: Round[] = [];
  const withReaders: Awaited<ReturnType<typeof beside>>[] = [];
  for (let round = 0; round < option('rounds', 5); round += 1) {
    alone.push(await creates());
    withReaders.push(await beside());
  }
  const rates = withReaders.map(({ perSecond }, at) => perSecond / (alone[at]?.perSecond ?? 1));
  const ratio = median(rates);
  const row = (rounds: Round[]) => ({
    'creates a second': median(rounds.map(({ perSecond }) => perSecond)),
    'p50 ms': median(rounds.map(({ p50Ms }) => p50Ms)).toFixed(1),
    'p99 ms': median(rounds.map(({ p99Ms }) => p99Ms)).toFixed(1),
    'desk µs a create': Math.round(median(rounds.map(({ cpuMicroseconds }) => cpuMicroseconds))),
  });
  console.table({
    'no console': row(alone),
    [`${agents} consoles`]: {
      ...row(withReaders),
      MB: Math.round(median(withReaders.map(({ megabytes }) => megabytes))),
    },
  });
  const isMet = ratio >= 1 - most.lost;
  console.log(`ratio ${ratio.toFixed(3)} of ${rates.map((rate) => rate.toFixed(2))}: ${isMet ? 'met' : 'MISSED'}`);
} finally {
  desk.signal('SIGKILL');
  await desk.exited;
  remove();
}
