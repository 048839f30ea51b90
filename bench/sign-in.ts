// Measures what a session costs beside a team token, and whether a rush of sign-ins delays health checks:
// `bun bench/sign-in.ts [session | rush] [--ms=1000] [--rounds=12]`.

import { existsSync, readFileSync } from 'node:fs';
import { helpdesk, newDirectory, serve, siteAndToken, unlimited } from '../test/e2e/executable.ts';
import { drive } from './load.ts';

if (!existsSync(process.env.HELPDESK_EXECUTABLE ?? '')) {
  console.error('Name the executable in HELPDESK_EXECUTABLE.');
  process.exit(1);
}
const option = (name: string, usual: number) =>
  Number(process.argv.find((word) => word.startsWith(`--${name}=`))?.split('=')[1] ?? usual);
const parts = ['session', 'rush'].filter((part) => process.argv.includes(part));
const password = 'plum tree 47 lantern';
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const percentile = (sorted: number[], share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
const rounded = (value: number) => Math.round(value * 100) / 100;

const { path, remove } = newDirectory();
const { teamToken } = await siteAndToken(path);
const limits = { ...unlimited, HELPDESK_RATE_SESSION: '0', HELPDESK_RATE_AUTH_FAILURES: '0' };
const running = await serve(path, limits);

async function post(target: string, body: object): Promise<Response> {
  return await fetch(`${running.url}/api/v1${target}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** The cookie of an agent who was invited and chose the password. */
async function join(email: string): Promise<string> {
  const args = ['agent', 'invite', '--email', email, '--name', 'Bench', '--role', 'owner', '--json'];
  const token = new URL((await helpdesk(path, args)).json().invitation_url).hash.slice(1);
  const answer = await post('/invitations/accept', { token, name: 'Bench', password });
  if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`);
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

/** Processor time, which other work on the machine changes less than the time on the clock (Linux). */
function cpuTimeMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const ticksPerSecond = 100;
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
}

async function compareSession(): Promise<void> {
  const ways = {
    token: { Authorization: `Bearer ${teamToken}` },
    session: { Cookie: await join('session@bench.example') },
  };
  const port = Number(new URL(running.url).port);
  const cpuMicroseconds: Record<keyof typeof ways, number[]> = { token: [], session: [] };
  const rounds = option('rounds', 12);
  for (let round = 0; round <= rounds; round += 1) {
    for (const way of ['token', 'session'] as const) {
      const before = cpuTimeMs(running.pid);
      const { lastNumber } = await drive({
        port,
        connections: 4,
        warmUpMs: 0,
        measureMs: option('ms', 1000),
        method: 'GET',
        path: '/api/v1/sites',
        headers: ways[way],
        body: null,
        choices: [],
        firstNumber: 0,
      });
      // The first round warms up.
      if (round > 0) cpuMicroseconds[way].push(((cpuTimeMs(running.pid) - before) * 1000) / lastNumber);
    }
  }
  const ratio = median(cpuMicroseconds.session.map((value, at) => value / (cpuMicroseconds.token[at] ?? 1)));
  console.table([
    {
      'token, µs': rounded(median(cpuMicroseconds.token)),
      'session, µs': rounded(median(cpuMicroseconds.session)),
      'median ratio': rounded(ratio),
      target: 1.1,
    },
  ]);
}

async function rush(): Promise<void> {
  const agents = Array.from({ length: 25 }, (_, at) => `rush${at}@bench.example`);
  for (const email of agents) await join(email);
  const healthMs: number[] = [];
  const statuses: Record<string, number> = {};
  const tookMs: number[] = [];
  let isOver = false;
  const probe = (async () => {
    while (!isOver) {
      const from = performance.now();
      const answer = await fetch(`${running.url}/healthz`);
      await answer.arrayBuffer();
      healthMs.push(performance.now() - from);
      await Bun.sleep(10);
    }
  })();
  const signIn = async (number: number) => {
    const email = number % 2 === 0 ? (agents[(number / 2) % agents.length] ?? '') : `stranger${number}@bench.example`;
    const from = performance.now();
    const answer = await post('/session', { email, password });
    await answer.arrayBuffer();
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    if (answer.status < 500) tookMs.push(performance.now() - from);
  };
  const [perSecond, seconds] = [50, 10];
  const begun = performance.now();
  const waiting: Promise<void>[] = [];
  for (let number = 0; number < perSecond * seconds; number += 1) {
    const wait = begun + (number * 1000) / perSecond - performance.now();
    if (wait > 0) await Bun.sleep(wait);
    waiting.push(signIn(number));
  }
  await Promise.all(waiting);
  isOver = true;
  await probe;
  for (const list of [healthMs, tookMs]) list.sort((a, b) => a - b);
  console.table([
    {
      'sign-ins': perSecond * seconds,
      answers: JSON.stringify(statuses),
      'sign-in p50 ms': rounded(percentile(tookMs, 0.5)),
      'healthz p50 ms': rounded(percentile(healthMs, 0.5)),
      'healthz p99 ms': rounded(percentile(healthMs, 0.99)),
      'healthz max ms': rounded(percentile(healthMs, 1)),
      'target p99 ms': 50,
    },
  ]);
}

try {
  if (parts.length === 0 || parts.includes('session')) await compareSession();
  if (parts.length === 0 || parts.includes('rush')) await rush();
} finally {
  running.signal('SIGKILL');
  await running.exited;
  remove();
}
