// Measures the memory of the built executable under mixed requests: `bun bench/soak.ts [--requests=200000]
// [--connections=16]`.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../src/base/config.ts';
import { openDataDirectory } from '../src/data/directory.ts';
import { addChannel } from '../src/desk/outbox/channels.ts';
import { issueToken } from '../src/desk/people/tokens.ts';
import { createSite } from '../src/desk/sites/sites.ts';
import { ticketBody } from './fill.ts';

const root = new URL('..', import.meta.url).pathname;
const executable = process.env.HELPDESK_BENCH ?? join(root, 'dist/helpdesk');
const flag = (name: string, fallback: number) =>
  Number(process.argv.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1] ?? fallback);
const total = flag('requests', 200_000);
const connections = flag('connections', 16);
const warmUp = Math.min(20_000, Math.floor(total / 10));
const targetRatio = 1.2;
// The number of client addresses, through a proxy header.
const addresses = 5000;
// Requests go to the newest tickets.
const keptTickets = 2000;
if (!existsSync(executable)) {
  console.error(`${executable} is not there: build it first with "bun run build".`);
  process.exit(1);
}

const work = mkdtempSync(join(tmpdir(), 'helpdesk-bench-soak-'));
const receiver = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response(null, { status: 204 }) });

async function prepare(path: string) {
  const data = openDataDirectory(readConfig({ HELPDESK_DATA: path }, {}));
  const { desk } = data;
  const commandLine = desk.context({ kind: 'command_line' }, 'bench');
  const { site, siteToken, inboundSecret } = await desk.write((tx) => createSite(tx, commandLine, { name: 'Soak' }));
  const { secret } = await desk.write((tx) =>
    issueToken(tx, commandLine, { name: 'bench', abilities: ['read', 'write', 'manage'] }),
  );
  await desk.write((tx) =>
    addChannel(tx, commandLine, site.slug, {
      name: 'Hook',
      type: 'custom',
      webhook_url: `http://127.0.0.1:${receiver.port}/hook`,
      events: ['ticket.created', 'ticket.replied'],
    }),
  );
  await data.close();
  return { siteToken, inboundSecret, teamToken: secret };
}

const data = join(work, 'data');
const secrets = await prepare(data);
const probe = Bun.serve({ port: 0, fetch: () => new Response('') });
const { port } = probe;
await probe.stop(true);
const command = executable.endsWith('.ts') ? [process.execPath, executable] : [executable];
const desk = Bun.spawn([...command, 'serve'], {
  env: {
    ...process.env,
    HELPDESK_DATA: data,
    HELPDESK_PORT: String(port),
    HELPDESK_LOG_FORMAT: 'json',
    HELPDESK_WEBHOOK_ALLOW: '127.0.0.1',
    HELPDESK_TRUSTED_PROXIES: '127.0.0.1',
    // Enabled, so that their tables fill, but too high to refuse anything.
    HELPDESK_RATE_INGEST_CALLER: '1000000',
    HELPDESK_RATE_INGEST_SITE: '0',
    HELPDESK_RATE_OTHER: '0',
    HELPDESK_RATE_INBOUND: '0',
  },
  stdout: 'ignore',
  stderr: 'ignore',
});
process.on('exit', () => {
  desk.kill();
  rmSync(work, { recursive: true, force: true });
});
const url = `http://127.0.0.1:${port}`;
while (
  !(await fetch(`${url}/readyz`).then(
    (answer) => answer.ok,
    () => false,
  ))
) {
  if (desk.exitCode !== null) throw new Error(`the desk ended with ${desk.exitCode}`);
  await Bun.sleep(5);
}

// The same numbers in every run.
let state = 20260911;
function below(limit: number): number {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
}

const tickets: { ulid: string; accessToken: string }[] = [];
let opened = 0;
let newestSeq = 0;
const someTicket = () => tickets[below(tickets.length)] ?? { ulid: '', accessToken: '' };
const json = (value: unknown) => ({ body: JSON.stringify(value), headers: { 'Content-Type': 'application/json' } });
const asTeam = { Authorization: `Bearer ${secrets.teamToken}` };
const asSite = { 'X-Site-Token': secrets.siteToken };

interface Asked {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | FormData;
  statuses: number[];
  read?: (answer: Response) => Promise<void>;
}

async function keepTicket(answer: Response): Promise<void> {
  const body = (await answer.json()) as { ticket: { ulid: string }; access_token: string };
  const kept = { ulid: body.ticket.ulid, accessToken: body.access_token };
  if (tickets.length < keptTickets) tickets.push(kept);
  else tickets[below(keptTickets)] = kept;
}

function create(): Asked {
  opened += 1;
  const { body, headers } = json(JSON.parse(ticketBody(`${opened}`, `soak${opened % 5000}`)));
  const key = { 'Idempotency-Key': `soak-${opened}` };
  return {
    method: 'POST',
    path: '/api/v1/public/tickets',
    headers: { ...headers, ...asSite, ...key },
    body,
    statuses: [201],
    read: keepTicket,
  };
}

function attach(): Asked {
  const { ulid, accessToken } = someTicket();
  const body = new FormData();
  body.append('file', new File([`A line of the log ${below(1e9)}\n`.repeat(500)], `log-${below(1e6)}.txt`));
  return {
    method: 'POST',
    path: `/api/v1/public/tickets/${ulid}/attachments?access_token=${accessToken}`,
    headers: asSite,
    body,
    // A ticket is full after a while.
    statuses: [201, 409, 422],
  };
}

function mail(): Asked {
  const number = below(1e9);
  const body = `From: Person <person${below(50_000)}@example.org>\r\nTo: soak@desk.example\r\nSubject: Order ${number}\r\nMessage-ID: <${number}.${below(1e9)}@example.org>\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nWhere is my order ${number}?\r\n`;
  return {
    method: 'POST',
    path: `/api/webhooks/raw/inbound/${secrets.inboundSecret}`,
    headers: { 'Content-Type': 'message/rfc822' },
    body,
    statuses: [200],
  };
}

function wrong(): Asked {
  const ways: Asked[] = [
    {
      method: 'GET',
      path: '/api/v1/tickets',
      headers: { Authorization: `Bearer hdt_${below(1e9)}` },
      statuses: [401, 429],
    },
    {
      method: 'POST',
      path: '/api/v1/public/tickets',
      ...json({}),
      headers: { 'X-Site-Token': `hds_${below(1e9)}` },
      statuses: [401, 429],
    },
    {
      method: 'GET',
      path: `/api/v1/public/tickets/${someTicket().ulid}?access_token=${below(1e9)}`,
      headers: asSite,
      statuses: [404, 429],
    },
    { method: 'GET', path: `/nothing/${below(1e9)}`, statuses: [404] },
    {
      method: 'PATCH',
      path: `/api/v1/tickets/${someTicket().ulid}`,
      ...json({ status: 'sideways' }),
      headers: { ...asTeam, 'Content-Type': 'application/json' },
      statuses: [422],
    },
  ];
  return ways[below(ways.length)] ?? create();
}

async function noteSeq(answer: Response): Promise<void> {
  const { data: events } = (await answer.json()) as { data: { seq: number }[] };
  newestSeq = Math.max(newestSeq, events.at(-1)?.seq ?? 0);
}

/** Requests with their share of a hundred. */
const mix: [share: number, name: string, ask: () => Asked][] = [
  [15, 'create', create],
  [
    9,
    'reply as customer',
    () => {
      const { ulid, accessToken } = someTicket();
      const path = `/api/v1/public/tickets/${ulid}/messages?access_token=${accessToken}`;
      const { body, headers } = json({ body: `It still fails, for the ${below(1e6)}th time.` });
      return { method: 'POST', path, headers: { ...headers, ...asSite }, body, statuses: [201, 409] };
    },
  ],
  [
    9,
    'reply as agent',
    () => {
      const { body, headers } = json({ body: `Try again, please (${below(1e6)}).`, status: 'pending' });
      return {
        method: 'POST',
        path: `/api/v1/tickets/${someTicket().ulid}/messages`,
        headers: { ...headers, ...asTeam },
        body,
        statuses: [201],
      };
    },
  ],
  [
    24,
    'read',
    () => ({ method: 'GET', path: `/api/v1/tickets/${someTicket().ulid}`, headers: asTeam, statuses: [200] }),
  ],
  [
    6,
    'read as customer',
    () => {
      const { ulid, accessToken } = someTicket();
      return {
        method: 'GET',
        path: `/api/v1/public/tickets/${ulid}?access_token=${accessToken}`,
        headers: asSite,
        statuses: [200],
      };
    },
  ],
  [
    10,
    'list',
    () => ({
      method: 'GET',
      path: `/api/v1/tickets?page=${1 + below(20)}&status=open`,
      headers: asTeam,
      statuses: [200],
    }),
  ],
  [
    8,
    'search',
    () => ({ method: 'GET', path: `/api/v1/tickets?q=soak${below(5000)}`, headers: asTeam, statuses: [200] }),
  ],
  [3, 'attach', attach],
  [
    8,
    'events',
    () => ({
      method: 'GET',
      path: `/api/v1/events?after=${newestSeq}&limit=100`,
      headers: asTeam,
      statuses: [200],
      read: noteSeq,
    }),
  ],
  [5, 'mail', mail],
  [3, 'wrong', wrong],
];

function next(): [string, Asked] {
  if (tickets.length < 100) return ['create', create()];
  let at = below(100);
  for (const [share, name, ask] of mix) {
    if (at < share) return [name, ask()];
    at -= share;
  }
  return ['create', create()];
}

const counts: Record<string, Record<number, number>> = {};
let asked = 0;

async function ask(): Promise<void> {
  const [name, { method, path, headers = {}, body, statuses, read }] = next();
  const client = below(addresses);
  const from = { 'X-Forwarded-For': `203.${client >> 8}.${client & 255}.7` };
  const answer = await fetch(url + path, { method, headers: { ...headers, ...from }, body });
  if (!statuses.includes(answer.status))
    throw new Error(`${name} was answered ${answer.status}: ${await answer.text()}`);
  if (read) await read(answer);
  else await answer.arrayBuffer();
  const seen = counts[name] ?? {};
  counts[name] = seen;
  seen[answer.status] = (seen[answer.status] ?? 0) + 1;
}

async function askUntil(count: number): Promise<void> {
  const worker = async () => {
    while (asked < count) {
      asked += 1;
      await ask();
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
}

/** Follows the events from beginning to end. */
const watching = new AbortController();
let streamed = 0;
const stream = fetch(`${url}/api/v1/events?after=0`, {
  headers: { ...asTeam, Accept: 'text/event-stream' },
  signal: watching.signal,
}).then(async (answer) => {
  if (!answer.headers.get('content-type')?.includes('event-stream') || !answer.body)
    throw new Error('no stream of events');
  for await (const chunk of answer.body) streamed += chunk.length;
});
stream.catch((error) => {
  if (!watching.signal.aborted) throw error;
});

interface Sample {
  requests: number;
  rssMb: number;
  heapMb: number;
  queued: number;
  perSecond: number;
}

const samples: Sample[] = [];
const toMb = (bytes: number) => Math.round(bytes / 2 ** 20);

/** Memory once the outbox is empty and no request has come for three seconds. */
async function sample(perSecond: number): Promise<Sample> {
  let text = '';
  let queued = 1;
  for (let isQuiet = false; queued > 0 || !isQuiet; ) {
    isQuiet = queued === 0;
    await Bun.sleep(3000);
    text = await (await fetch(`${url}/metrics`)).text();
    queued = [...text.matchAll(/^helpdesk_outbox_queued\{.*\} (\d+)$/gm)].reduce(
      (sum, match) => sum + Number(match[1]),
      0,
    );
  }
  const rssKb = Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${desk.pid}/status`, 'utf8'))?.[1] ?? Number.NaN);
  const heap = Number(/^process_heap_bytes (\S+)$/m.exec(text)?.[1] ?? Number.NaN);
  const taken = { requests: asked, rssMb: toMb(rssKb * 1024), heapMb: toMb(heap), queued, perSecond };
  samples.push(taken);
  console.log(
    `${String(asked).padStart(7)} requests  ${String(perSecond).padStart(5)}/s  RSS ${String(taken.rssMb).padStart(4)} MB  heap ${String(taken.heapMb).padStart(4)} MB`,
  );
  return taken;
}

for (let count = warmUp; count <= total; count += warmUp) {
  const startedAt = performance.now();
  const before = asked;
  await askUntil(count);
  await sample(Math.round((asked - before) / ((performance.now() - startedAt) / 1000)));
}
watching.abort();
const first = samples[0]?.rssMb ?? Number.NaN;
const last = samples.at(-1)?.rssMb ?? Number.NaN;
const ratio = last / first;
const isMet = ratio <= targetRatio;
console.log(
  `RSS grew ${ratio.toFixed(2)} times (target ${targetRatio}: ${isMet ? 'met' : 'MISSED'}); ${toMb(streamed)} MB of events streamed`,
);
mkdirSync(join(root, 'bench/results'), { recursive: true });
const at = new Date().toISOString();
const file = join(root, 'bench/results', `soak-${at.replaceAll(':', '-')}.json`);
writeFileSync(
  file,
  `${JSON.stringify({ at, bun: Bun.version, requests: asked, connections, counts, samples, ratio, targetRatio, isMet }, null, 2)}\n`,
);
console.log(`written to ${file.slice(root.length)}`);
process.exit(isMet ? 0 : 1);
