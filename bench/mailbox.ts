// Mailboxes of the built executable against imitated servers: how fast waiting mail is taken in, what a poll costs, how soon mail
// is a ticket, and what idle mailboxes cost. `bun bench/mailbox.ts [drain|poll|latency|idle] [--messages=10000]`

import { Database } from 'bun:sqlite';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandOf } from '../scripts/builds.ts';
import { freePort, running, unlimited } from './running.ts';
import { type Stall, watchDesk } from './stall-kinds/watch.ts';

const args = process.argv.slice(2);
const number = (name: string, otherwise: number) =>
  Number(args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3) ?? otherwise);
const asked = args.find((arg) => !arg.startsWith('-'));
const command = commandOf(process.env.HELPDESK_BENCH ?? new URL('../dist/helpdesk', import.meta.url).pathname);
const idleMailboxes = 50;

interface Imitated {
  port: number;
  deliver(count: number): void;
  stop(): Promise<void>;
}

async function imitatedServer(waiting: number, old = 0): Promise<Imitated> {
  const script = new URL('./imap.ts', import.meta.url).pathname;
  const child = Bun.spawn([process.execPath, script, `${waiting}`, `${old}`], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const { value } = await child.stdout.getReader().read();
  return {
    port: Number(new TextDecoder().decode(value)),
    deliver(count) {
      child.stdin.write(`${count}\n`);
      child.stdin.flush();
    },
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}

/** Of the desk and its readers: megabytes, and seconds of the processor so far. */
function usageOf(pid: number): { megabytes: number; seconds: number } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
    // In ticks of 10 ms: its own, and of children that have ended.
    const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(stat[at]), 0);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ').filter(Boolean);
    const all = [
      { megabytes: (Number(stat[21]) * 4096) / 1e6, seconds: ticks / 100 },
      ...children.map(Number).map(usageOf),
    ];
    return {
      megabytes: all.reduce((sum, one) => sum + one.megabytes, 0),
      seconds: all.reduce((sum, one) => sum + one.seconds, 0),
    };
  } catch {
    return { megabytes: 0, seconds: 0 };
  }
}

async function startDesk() {
  const folder = mkdtempSync(join(tmpdir(), 'helpdesk-bench-mailbox-'));
  const data = join(folder, 'data');
  const environment = {
    ...unlimited,
    HELPDESK_DATA: data,
    HELPDESK_MAIL_ALLOW: '127.0.0.1',
    HELPDESK_LOG_LEVEL: 'error',
  };
  const run = async (...words: string[]) => {
    const child = Bun.spawn([...command, ...words, '--json'], {
      env: { ...process.env, ...environment },
      stdout: 'pipe',
    });
    return JSON.parse(await new Response(child.stdout).text());
  };
  await run('site', 'create', '--name', 'Web shop');
  const { token } = await run('token', 'issue', '--name', 'bench', '--abilities', 'read,write,manage');
  const port = freePort();
  const desk = await running([...command, 'serve'], port, { ...environment, HELPDESK_PORT: `${port}` });
  const database = new Database(join(data, 'helpdesk.db'), { readonly: true });
  const count = (text: string) =>
    database.query<{ total: number }, []>(`SELECT count(*) AS total FROM ${text}`).get()?.total ?? 0;
  const url = `http://127.0.0.1:${port}`;
  const ask = async (method: string, path: string, body: object) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const answer = await fetch(`${url}/api/v1${path}`, { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(await answer.text());
  };
  await ask('PATCH', '/sites/web-shop', { settings: { trusted_mail_servers: ['mx.provider.example'] } });
  let mailboxes = 0;
  return {
    ...desk,
    url,
    count,
    usage: () => usageOf(desk.pid),
    /** Resolves once it is connected. */
    async connect(imapPort: number, first_days: number | null) {
      mailboxes += 1;
      await ask('POST', '/sites/web-shop/mailboxes', {
        ...{ name: `Box ${mailboxes}`, address: `help${mailboxes}@shop.example`, password: 'x', first_days },
        incoming: { host: '127.0.0.1', port: imapPort, tls: 'none', user: 'help' },
      });
    },
    connected: () => count("mailbox_states WHERE state = 'connected'"),
    async end() {
      database.close();
      await desk.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Desk = Awaited<ReturnType<typeof startDesk>>;

async function until(holds: () => boolean, everyMs = 20): Promise<void> {
  while (!holds()) await Bun.sleep(everyMs);
}

async function watched(desk: Desk, kind: string, work: () => Promise<void>): Promise<Stall> {
  const watch = await watchDesk(desk.url, desk.pid);
  try {
    return await watch.during(kind, work);
  } finally {
    await watch.stop();
  }
}

const health = ({ p99Ms, p99RawMs, worstMs, bareMs }: Stall) => ({ p99Ms, p99RawMs, worstMs, bareMs });

async function drain(desk: Desk) {
  const messages = number('messages', 10_000);
  const server = await imitatedServer(messages);
  const before = desk.usage();
  let most = before.megabytes;
  let seconds = 0;
  const stall = await watched(desk, 'drain', async () => {
    const began = performance.now();
    await desk.connect(server.port, 30);
    await until(() => {
      most = Math.max(most, desk.usage().megabytes);
      return desk.count("inbound_mail WHERE status = 'done'") >= messages;
    }, 100);
    seconds = (performance.now() - began) / 1000;
  });
  await server.stop();
  return {
    messages,
    tickets: desk.count('tickets'),
    perSecond: Math.round(messages / seconds),
    cpuMsEach: Math.round(((desk.usage().seconds - before.seconds) * 10_000) / messages) / 10,
    megabytesBefore: Math.round(before.megabytes),
    megabytesAtMost: Math.round(most),
    health: health(stall),
  };
}

/** What a look at a folder costs the desk: in an empty one, and in one with a million old messages. */
async function poll(desk: Desk) {
  const rows = [];
  for (const old of [0, 1_000_000]) {
    const server = await imitatedServer(0, old);
    const already = desk.connected();
    const began = performance.now();
    await desk.connect(server.port, null);
    await until(() => desk.connected() > already);
    const connectedMs = Math.round(performance.now() - began);
    const times: number[] = [];
    const before = desk.usage();
    for (let each = 0; each < number('deliveries', 20); each += 1) {
      const startedAt = performance.now();
      const had = desk.count('tickets');
      server.deliver(1);
      await until(() => desk.count('tickets') > had, 2);
      times.push(performance.now() - startedAt);
    }
    const cpuMs = Math.round((desk.usage().seconds - before.seconds) * 1000) / times.length;
    rows.push({ old, connectedMs, lookAndFileMs: median(times), cpuMs });
    await server.stop();
  }
  return rows;
}

async function latency(desk: Desk) {
  const server = await imitatedServer(0);
  await desk.connect(server.port, null);
  await until(() => desk.connected() === 1);
  const times: number[] = [];
  for (let each = 0; each < number('deliveries', 100); each += 1) {
    const startedAt = performance.now();
    server.deliver(1);
    await until(() => desk.count('tickets') > each, 2);
    times.push(performance.now() - startedAt);
    await Bun.sleep(50);
  }
  await server.stop();
  return { deliveries: times.length, medianMs: median(times), worstMs: Math.round(Math.max(...times)) };
}

async function idle(desk: Desk) {
  const ms = number('ms', 60_000);
  const servers = await Promise.all(Array.from({ length: idleMailboxes }, () => imitatedServer(0)));
  const rest = async () => {
    await Bun.sleep(20_000);
    const before = desk.usage();
    const stall = await watched(desk, 'idle', () => Bun.sleep(ms));
    const after = desk.usage();
    const cpuPercent = Math.round(((after.seconds - before.seconds) * 1e6) / ms) / 10;
    return { megabytes: Math.round(after.megabytes), cpuPercent, health: health(stall) };
  };
  const without = await rest();
  for (const { port } of servers) await desk.connect(port, null);
  await until(() => desk.connected() === idleMailboxes);
  const withThem = await rest();
  await Promise.all(servers.map((server) => server.stop()));
  return { mailboxes: idleMailboxes, without, withThem };
}

function median(times: readonly number[]): number {
  return Math.round(times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN);
}

const parts: Record<string, (desk: Desk) => Promise<object>> = { drain, poll, latency, idle };
if (asked !== undefined && parts[asked] === undefined) {
  console.error(`There is no part ${asked}; the parts are ${Object.keys(parts).join(', ')}.`);
  process.exit(2);
}
for (const [name, measure] of Object.entries(parts)) {
  if (asked !== undefined && asked !== name) continue;
  const desk = await startDesk();
  const load = loadavg()[0]?.toFixed(1);
  try {
    console.log(JSON.stringify({ part: name, load, result: await measure(desk) }, null, 1));
  } finally {
    await desk.end();
  }
}
