// Costly mail in crowds: no one else waits for it, memory stays bounded, and nothing acknowledged is lost.

import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { helpdesk, newDirectory, type Served, serve, unlimited } from './executable.ts';

const { path, remove } = newDirectory();
afterAll(remove);

const environment = { ...unlimited, HELPDESK_RATE_INBOUND: '0', HELPDESK_RATE_INBOUND_SENDER: '0' };
const longestStallMs = 250;
const mostMegabytes = 600;
const megabyte = 1024 * 1024;
let secret = '';
beforeAll(async () => {
  const { output } = await helpdesk(path, ['site', 'create', '--name', 'Web shop']);
  secret = /inbound\/(hdi_\S+)/.exec(output)?.[1] ?? '';
});

const head = (at: number, type: string) =>
  `From: mia${at}@customer.example\r\nMessage-ID: <${at}@customer.example>\r\nSubject: Mail ${at}\r\nContent-Type: ${type}\r\n`;

/** A process and those below it. */
function family(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) => {
    try {
      return readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
    } catch {
      return [];
    }
  });
  return [pid, ...children.flatMap((child) => (isThere(child) ? family(child) : []))];
}

function isThere(pid: number): boolean {
  try {
    readFileSync(`/proc/${pid}/statm`);
    return true;
  } catch {
    return false;
  }
}

function megabytesOf(pid: number): number {
  try {
    // Shared memory, such as the executable itself, counts once.
    return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** How long a process has waited for a processor, which is the machine's fault. */
function waitedMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
}

/** On a socket of this thread: delays of other threads would look like delays of the desk. */
async function askHealth(running: Served): Promise<void> {
  const { hostname, port } = new URL(running.url);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = '';
  await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open: (socket) => void socket.write(`GET /healthz HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`),
      data: (socket, chunk) => {
        text += chunk.toString();
        if (!text.includes('"status":"ok"')) return;
        resolve(text);
        socket.end();
      },
      close: () => reject(new Error(`no answer from /healthz: ${text}`)),
      error: (_socket, error) => reject(error),
    },
  });
  await promise;
}

/** Asks for the desk's health all the time, and measures the memory of all its processes, until `act` is over. */
async function watched<T>(running: Served, act: () => Promise<T>) {
  let isOver = false;
  const seen = { stallMs: 0, megabytes: 0, each: [] as number[], answers: 0 };
  const asking = (async () => {
    while (!isOver) {
      const waited = () => waitedMs(running.pid) + waitedMs(process.pid);
      const [began, before] = [performance.now(), waited()];
      await askHealth(running);
      seen.stallMs = Math.max(seen.stallMs, performance.now() - began - (waited() - before));
      seen.answers += 1;
      await Bun.sleep(5);
    }
  })();
  const looking = (async () => {
    while (!isOver) {
      const each = family(running.pid).map(megabytesOf);
      const all = each.reduce((sum, megabytes) => sum + megabytes, 0);
      if (all > seen.megabytes) Object.assign(seen, { megabytes: all, each });
      await Bun.sleep(20);
    }
  })();
  try {
    return { ...seen, result: await act(), seen };
  } finally {
    isOver = true;
    await Promise.all([asking, looking]);
  }
}

/** Posts from another process, because building the bodies here would delay the probes. */
function post(running: Served, many: number, body: string, provider = 'raw'): Promise<Record<string, number>> {
  const first = posted;
  posted += many;
  const script = `
    const [url, many] = process.argv.slice(-2);
    const answers = await Promise.all(Array.from({ length: Number(many) }, async (_, at) => {
      const body = await (${body})(at + ${first});
      const answer = await fetch(url, { method: 'POST', body, headers: { 'Content-Type': 'application/json' } });
      await answer.text();
      return answer.status;
    }));
    console.log(JSON.stringify(Object.groupBy(answers, (status) => status), (key, value) => Array.isArray(value) ? value.length : value));
  `;
  const child = Bun.spawn(
    [process.execPath, '-e', script, `${running.url}/api/webhooks/${provider}/inbound/${secret}`, String(many)],
    { stdout: 'pipe', stderr: 'inherit' },
  );
  return new Response(child.stdout).json();
}
let posted = 0;

function rows(where: string): number {
  const opened = new Database(join(path, 'data/helpdesk.db'), { readonly: true });
  const found = opened.query<{ n: number }, []>(`SELECT count(*) AS n FROM inbound_mail WHERE ${where}`).get();
  opened.close();
  return found?.n ?? -1;
}

async function untilFiled(): Promise<void> {
  for (let tries = 0; rows("status = 'received'") > 0; tries += 1) {
    if (tries > 2000) throw new Error('mail is never filed');
    await Bun.sleep(100);
  }
}

const paragraphs = `(at) => ${JSON.stringify(head(0, 'text/html'))}.replaceAll('0@', at + '@').replace('Mail 0', 'Mail ' + at) + '\\r\\n' + '<p>'.repeat(512 * 1024 / 3)`;
const wrapped = `const lines = '${'JVBERi0xLjQK'.repeat(6)}\\r\\n';`;
const large = `(at) => { ${wrapped} return ${JSON.stringify(head(0, 'multipart/mixed; boundary=b'))}.replaceAll('0@', at + '@') + '\\r\\n--b\\r\\nContent-Type: text/plain\\r\\n\\r\\nSee the file.\\r\\n--b\\r\\nContent-Type: application/pdf; name=a.pdf\\r\\nContent-Disposition: attachment; filename=a.pdf\\r\\nContent-Transfer-Encoding: base64\\r\\n\\r\\n' + lines.repeat(24 * 1024 * 1024 / lines.length) + '\\r\\n--b--\\r\\n'; }`;
const fields = `(at) => JSON.stringify({ From: 'mia' + at + '@customer.example', Subject: 'Mail ' + at, TextBody: 'See the files.', Headers: [{ Name: 'Message-ID', Value: '<' + at + '@customer.example>' }], Attachments: [1, 2, 3].map((n) => ({ Name: n + '.pdf', ContentType: 'application/pdf', Content: 'JVBERi0xLjQK'.repeat(${(12 * megabyte) / 12}) })) })`;

const crowds: [what: string, many: number, body: string, provider: string][] = [
  ['twenty-four mails of 512 KB of <p>', 24, paragraphs, 'raw'],
  ['forty mails of 24 MB', 40, large, 'raw'],
  ['twenty requests of 36 MB of JSON', 20, fields, 'postmark'],
];
for (const [what, many, body, provider] of crowds) {
  test(`${what} at once hold up no one and take bounded memory`, async () => {
    const running = await serve(path, environment);
    const before = rows('1');
    const { seen, result } = await watched(running, async () => {
      const answers = await post(running, many, body, provider);
      await untilFiled();
      return answers;
    });
    console.log(what, result, seen);
    running.signal('SIGTERM');
    await running.exited;
    expect(seen.stallMs).toBeLessThan(longestStallMs);
    expect(seen.megabytes).toBeLessThan(mostMegabytes);
    const stored = result['200'] ?? 0;
    expect(stored + (result['503'] ?? 0)).toBe(many);
    expect(rows('1') - before).toBe(stored);
    expect(rows("outcome <> 'ticket_created'")).toBe(0);
  }, 300_000);
}

const readersOf = (running: Served) => family(running.pid).slice(1);

async function until(condition: () => boolean, what: string): Promise<void> {
  for (let tries = 0; !condition(); tries += 1) {
    if (tries > 3000) throw new Error(`in vain: ${what}`);
    await Bun.sleep(20);
  }
}

const ofOutcome = (outcome: string) => rows(`outcome = '${outcome}'`);

test('a reader that is killed under a message is replaced, and the message is filed all the same', async () => {
  const running = await serve(path, environment);
  const before = ofOutcome('ticket_created');
  const posting = post(running, 4, paragraphs);
  await until(() => readersOf(running).length > 0, 'a reader starts');
  for (const pid of readersOf(running)) process.kill(pid, 'SIGKILL');
  expect(await posting).toEqual({ '200': 4 });
  await untilFiled();
  running.signal('SIGTERM');
  await running.exited;
  expect(ofOutcome('ticket_created')).toBe(before + 4);
}, 300_000);

test('what was answered and not filed when the desk was killed is filed at the next start, and no reader stays behind', async () => {
  const running = await serve(path, environment);
  const before = ofOutcome('ticket_created');
  const posting = post(running, 16, paragraphs).catch(() => ({}));
  await until(() => rows("status = 'received'") >= 8, 'mail waits to be filed');
  const readers = readersOf(running);
  expect(readers.length).toBeGreaterThan(0);
  const stored = rows("status = 'received'") + ofOutcome('ticket_created') - before;
  running.signal('SIGKILL');
  await running.exited;
  await posting;
  await until(() => !readers.some(isThere), 'the readers end with the desk');
  const again = await serve(path, environment);
  await untilFiled();
  again.signal('SIGTERM');
  await again.exited;
  expect(ofOutcome('ticket_created') - before).toBeGreaterThanOrEqual(stored);
  expect(rows("outcome <> 'ticket_created'")).toBe(0);
}, 300_000);

test('a desk that is told to stop leaves what waits for the next start, at once and with no reader behind', async () => {
  const running = await serve(path, environment);
  const posting = post(running, 16, paragraphs);
  await until(() => rows("status = 'received'") >= 10, 'mail waits to be filed');
  const readers = readersOf(running);
  running.signal('SIGTERM');
  expect(await running.exited).toBe(0);
  expect(Object.keys(await posting)).toEqual(['200']);
  expect(readers.some(isThere)).toBe(false);
  expect(rows("status = 'received'")).toBeGreaterThan(0);
  expect(running.errors()).not.toContain('"level":50');
  const again = await serve(path, environment);
  await untilFiled();
  again.signal('SIGTERM');
  await again.exited;
}, 300_000);
