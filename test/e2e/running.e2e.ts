// The executable as people meet it: an empty directory, a restart, signals, the command line beside it.

import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '../browser/wait.ts';
import { textReader } from '../support/text-reader.ts';
import {
  bareEnvironment,
  executable,
  helpdesk,
  isNode,
  newDirectory,
  type Served,
  serve,
  siteAndToken,
  unlimited,
} from './executable.ts';

let directory: ReturnType<typeof newDirectory>;
let running: Served | null = null;
beforeEach(() => {
  directory = newDirectory();
});
afterEach(async () => {
  if (running) {
    running.signal('SIGKILL');
    await running.exited;
  }
  running = null;
  directory.remove();
});

async function stop(signal: 'SIGTERM' | 'SIGHUP' = 'SIGTERM'): Promise<number> {
  const served = running;
  running = null;
  served?.signal(signal);
  return (await served?.exited) ?? -1;
}

describe('in an empty directory with an empty environment', () => {
  test('it starts, leads its first owner to the browser, keeps its key to itself and stops with 0', async () => {
    running = await serve(directory.path);
    expect(running.output()).toContain(`${running.url}/setup#`);
    expect(running.output()).toContain('Without it, in another terminal:');
    expect(running.output()).toContain('site create');
    expect((await fetch(`${running.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${running.url}/readyz`)).status).toBe(200);
    expect(statSync(join(directory.path, 'data/secret.key')).mode & 0o777).toBe(0o600);
    expect(await stop()).toBe(0);
    expect(existsSync(join(directory.path, 'data/helpdesk.db'))).toBe(true);
  });

  test('the reference and all that it loads come from the executable', async () => {
    running = await serve(directory.path, unlimited);
    const page = await (await fetch(`${running.url}/api/docs`)).text();
    const assets = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(assets.length).toBe(3);
    for (const asset of assets) {
      expect(asset.startsWith('/')).toBe(true);
      const answer = await fetch(running.url + asset);
      expect(answer.status).toBe(200);
      expect((await answer.bytes()).length).toBeGreaterThan(100);
    }
    const document = (await (await fetch(`${running.url}/api/v1/openapi.json`)).json()) as { openapi: string };
    expect(document.openapi).toBe('3.1.0');
  });

  test('health is read, with a request id, and nothing else', async () => {
    running = await serve(directory.path, unlimited);
    for (const path of ['/healthz', '/readyz']) {
      const answer = await fetch(`${running.url}${path}`);
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
      expect(answer.headers.get('x-request-id')).toMatch(/^\w+$/);
      const head = await fetch(`${running.url}${path}`, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([200, '']);
      const post = await fetch(`${running.url}${path}`, { method: 'POST' });
      const refusal = (await post.json()) as { code: string; request_id: string };
      expect([post.status, post.headers.get('allow'), refusal.code]).toEqual([405, 'GET, HEAD', 'method_not_allowed']);
      expect(refusal.request_id).toBe(post.headers.get('x-request-id') ?? '');
    }
  });

  test('health is told to a load balancer that speaks HTTP/1.0 and sends no Host', async () => {
    running = await serve(directory.path, unlimited);
    const { port } = new URL(running.url);
    const statusOf = (request: string) =>
      new Promise<string>((resolve, reject) => {
        const socket = connect(Number(port), '127.0.0.1', () => socket.write(`${request}\r\n\r\n`));
        let answer = '';
        socket.on('data', (chunk) => {
          answer += chunk;
          if (!answer.includes('\r\n')) return;
          socket.destroy();
          resolve(answer.split(' ')[1] ?? '');
        });
        socket.on('error', reject);
      });
    expect(await statusOf('GET /healthz HTTP/1.0')).toBe('200');
    expect(await statusOf('GET /readyz HTTP/1.0')).toBe('200');
    expect(await statusOf('GET /api/v1/sites HTTP/1.0')).toBe('400');
    expect(await statusOf('GET /api/v1/sites HTTP/1.1\r\nHost: [x')).toBe('400');
  });

  test('--demo fills it once', async () => {
    running = await serve(directory.path, unlimited, ['--demo']);
    const token = /Its team token:\n(\S+)/.exec(running.output())?.[1];
    const read = async () =>
      (
        (await (
          await fetch(`${running?.url}/api/v1/tickets?q=invoice`, { headers: { Authorization: `Bearer ${token}` } })
        ).json()) as { meta: { total: number } }
      ).meta.total;
    const before = await read();
    expect(before).toBeGreaterThan(3);
    await stop();
    running = await serve(directory.path, unlimited, ['--demo']);
    expect(running.output()).not.toContain('Its team token');
    expect(await read()).toBe(before);
  });
});

describe('signals', () => {
  test.each(['SIGTERM', 'SIGHUP'] as const)('%s lets a request that has begun finish', async (signal) => {
    running = await serve(directory.path, unlimited);
    const { siteToken } = await siteAndToken(directory.path);
    const begun = Promise.withResolvers<void>();
    const stopping = Promise.withResolvers<void>();
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode('{"email":"mia@example.org","subject":"Slow",'));
        begun.resolve();
        await stopping.promise;
        controller.enqueue(new TextEncoder().encode('"message":"Took its time."}'));
        controller.close();
      },
    });
    const answer = fetch(`${running.url}/api/v1/public/tickets`, {
      method: 'POST',
      headers: { 'X-Site-Token': siteToken, 'Content-Type': 'application/json' },
      body,
    });
    await begun.promise;
    const isReady = async () => (await fetch(`${running?.url}/readyz`).catch(() => null))?.ok === true;
    // Connections are taken up in their order.
    expect(await isReady()).toBe(true);
    const stopped = stop(signal);
    await waitUntil('it is stopping', isReady, (ready) => !ready);
    stopping.resolve();
    expect((await answer).status).toBe(201);
    expect(await stopped).toBe(0);
    const tickets = await helpdesk(directory.path, ['ticket', 'list', '--json']);
    expect(tickets.json().data[0].subject).toBe('Slow');
  });
});

describe('a stop', () => {
  // Node forgets what it was started to ignore (docs/deployment.md#node).
  test(`SIGHUP ${isNode ? 'ends a desk on Node even' : 'ends nothing'} if it was started to ignore it`, async () => {
    const child = Bun.spawn(['sh', '-c', 'trap "" HUP; exec "$0" serve --port 0', executable], {
      cwd: directory.path,
      env: bareEnvironment,
      stdout: 'pipe',
      stderr: 'ignore',
    });
    const output = await textReader(child.stdout.getReader()).until('API is described');
    const url = /listens on (http:\S+) and/.exec(output)?.[1] ?? '';
    process.kill(child.pid, 'SIGHUP');
    if (!isNode) {
      // The second was sent after the answer to the first, and so long after the signal.
      for (let turn = 0; turn < 2; turn += 1) expect((await fetch(`${url}/readyz`)).status).toBe(200);
      process.kill(child.pid, 'SIGTERM');
    }
    expect(await child.exited).toBe(0);
  });

  test('does not wait for a mail server that hangs, and the next start sends the mail', async () => {
    const sockets: Socket[] = [];
    const connected = Promise.withResolvers<void>();
    const silent = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
      connected.resolve();
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const settings = { ...unlimited, HELPDESK_SMTP_URL: `smtp://127.0.0.1:${port}` };
    try {
      const { siteToken } = await siteAndToken(directory.path);
      running = await serve(directory.path, settings);
      await fetch(`${running.url}/api/v1/public/tickets`, {
        method: 'POST',
        headers: { 'X-Site-Token': siteToken, 'Content-Type': 'application/json' },
        body: JSON.stringify({ email: 'mia@example.org', subject: 'Hello', message: 'Hello' }),
      });
      await connected.promise;
      expect(await stop()).toBe(0);
      // The try was given up; if it had been waited for, it would have failed.
      const database = new Database(join(directory.path, 'data/helpdesk.db'), { readonly: true });
      expect(database.query('SELECT status, attempts FROM deliveries').all()).toEqual([
        { status: 'queued', attempts: 0 },
      ]);
      database.close();
      running = await serve(directory.path, unlimited);
      const mails = join(directory.path, 'data/mail');
      const sent = () => readdirSync(mails).filter((name) => name.endsWith('.eml'));
      expect(await waitUntil('the mail is sent', sent, ({ length }) => length > 0)).toHaveLength(1);
    } finally {
      for (const socket of sockets) socket.destroy();
      silent.close();
    }
  });
});

describe('the command line beside a running desk', () => {
  test('is seen at once, also by someone who waits for events', async () => {
    running = await serve(directory.path, unlimited);
    const { teamToken } = await siteAndToken(directory.path);
    const headers = { Authorization: `Bearer ${teamToken}` };
    const newest = (
      (await (await fetch(`${running.url}/api/v1/events?after=0`, { headers })).json()) as {
        meta: { newest_seq: number };
      }
    ).meta.newest_seq;
    const waiting = fetch(`${running.url}/api/v1/events?after=${newest}&wait=20`, { headers });
    const opened = await helpdesk(directory.path, [
      'ticket',
      'open',
      '--site',
      'web-shop',
      '--email',
      'mia@example.org',
      '--subject',
      'From the terminal',
      '--body',
      'Hello',
      '--json',
    ]);
    expect(opened.code).toBe(0);
    const { data } = (await (await waiting).json()) as { data: { event: string }[] };
    expect(data[0]?.event).toBe('ticket.created');
    const list = (await (await fetch(`${running.url}/api/v1/tickets?q=terminal`, { headers })).json()) as {
      meta: { total: number };
    };
    expect(list.meta.total).toBe(1);
  });

  test.each(['runs', 'was killed'])('doctor --fix repairs what it finds, where the desk %s', async (state) => {
    running = await serve(directory.path, unlimited);
    const { siteToken, teamToken } = await siteAndToken(directory.path);
    const open = async (subject: string) => {
      const body = JSON.stringify({ email: 'mia@example.org', subject, message: 'Hello' });
      const headers = { 'X-Site-Token': siteToken, 'Content-Type': 'application/json' };
      return (await fetch(`${running?.url}/api/v1/public/tickets`, { method: 'POST', headers, body })).status;
    };
    expect(await open('Counted')).toBe(201);
    const database = new Database(join(directory.path, 'data/helpdesk.db'));
    database.run('PRAGMA busy_timeout = 10000');
    database.run('UPDATE tickets SET message_count = 77');
    database.close();
    if (state === 'was killed') {
      running.signal('SIGKILL');
      await running.exited;
      running = null;
    }
    const found = async (...args: string[]) => {
      const { code, json } = await helpdesk(directory.path, ['doctor', '--json', ...args]);
      const { findings } = json().data as { findings: { code: string; fixed: number }[] };
      return [code, findings.find((one) => one.code === 'message_count_differs')?.fixed ?? null];
    };
    expect(await found()).toEqual([1, 0]);
    expect(await found('--fix')).toEqual([0, 1]);
    expect(await found()).toEqual([0, null]);
    if (running === null) return;
    const headers = { Authorization: `Bearer ${teamToken}` };
    const { data } = (await (await fetch(`${running.url}/api/v1/tickets`, { headers })).json()) as {
      data: { message_count: number }[];
    };
    expect(data.map((ticket) => ticket.message_count)).toEqual([1]);
    expect(await open('After it')).toBe(201);
  });

  test('prints links to where it listens, also while it is stopped', async () => {
    const show = () => helpdesk(directory.path, ['site', 'show', 'web-shop', '--json']);
    running = await serve(directory.path, unlimited);
    await siteAndToken(directory.path);
    const beside = (await show()).json().data;
    expect(String(beside.inbound_webhook_url)).toStartWith(`${running.url}/api/webhooks/raw/inbound/`);
    expect(await stop()).toBe(0);
    expect((await show()).json().data).toEqual(beside);
    running = await serve(directory.path, unlimited, ['--base-url', 'https://desk.example.org']);
    expect((await show()).json().data).toMatchObject({ inbound_address: 'web-shop@desk.example.org' });
  });

  test('a restart loses nothing', async () => {
    running = await serve(directory.path, unlimited);
    const { siteToken, teamToken } = await siteAndToken(directory.path);
    const opened = await fetch(`${running.url}/api/v1/public/tickets`, {
      method: 'POST',
      headers: { 'X-Site-Token': siteToken, 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'mia@example.org', subject: 'Before', message: 'x' }),
    });
    expect(opened.status).toBe(201);
    expect(await stop()).toBe(0);
    running = await serve(directory.path, unlimited);
    const list = await fetch(`${running.url}/api/v1/tickets`, { headers: { Authorization: `Bearer ${teamToken}` } });
    expect(((await list.json()) as { data: { subject: string }[] }).data.map(({ subject }) => subject)).toEqual([
      'Before',
    ]);
  });
});

describe('exit codes and words', () => {
  test.each([
    [['site', 'create'], 2, "required option '--name <name>'"],
    [['nonsense'], 2, 'unknown command'],
    [['ticket', 'list', '--data', 'nowhere'], 2, 'There is no desk in nowhere'],
    [['serve', '--port', '99999'], 2, '--port must be a port from 0 to 65535.'],
    [['serve', '--base-url', 'desk'], 2, '--base-url must be an http or https address'],
    [['ticket', 'list', '--data', ''], 2, '--data is empty.'],
  ])('%p ends with %d', async (args, code, words) => {
    const result = await helpdesk(directory.path, args as string[]);
    expect(result.code).toBe(code as number);
    expect(result.errors).toContain(words as string);
    expect(result.output).toBe('');
  });

  test('what is not there ends with 3, what is refused with 1', async () => {
    await helpdesk(directory.path, ['site', 'create', '--name', 'Web shop']);
    const missing = await helpdesk(directory.path, ['site', 'show', 'nope']);
    expect([missing.code, missing.errors]).toEqual([3, 'No such site.\n']);
    const invalid = await helpdesk(directory.path, [
      'ticket',
      'open',
      '--site',
      'web-shop',
      '--email',
      'nope',
      '--subject',
      's',
      '--body',
      'b',
    ]);
    expect(invalid.code).toBe(1);
    expect(invalid.errors).toContain('email: The email field must be an e-mail address.');
    const removal = await helpdesk(directory.path, ['site', 'rm', 'web-shop']);
    expect(removal.code).toBe(2);
    expect((await helpdesk(directory.path, ['site', 'list', '--json'])).json().data.length).toBe(1);
  });

  test('a desk whose work cannot start says so, and ends', async () => {
    expect((await helpdesk(directory.path, ['site', 'create', '--name', 'Web shop'])).code).toBe(0);
    const database = new Database(join(directory.path, 'data/helpdesk.db'), { readwrite: true });
    database.run(
      `INSERT INTO deliveries (ulid, event, payload, next_at, claimed_by, claimed_until, created_at)
       VALUES ('01', 'x', '{}', 0, '${hostname()}:99999999', ${Date.now() + 3_600_000}, 0)`,
    );
    database.run("CREATE TRIGGER refuse BEFORE UPDATE ON deliveries BEGIN SELECT raise(ABORT, 'no'); END");
    database.close();
    const started = await helpdesk(directory.path, ['serve', '--port', '0']);
    expect(started.code).toBe(1);
    expect(started.errors).toContain('background work could not be started');
  });

  test('a taken port and a foreign directory are one sentence each', async () => {
    running = await serve(directory.path);
    const taken = await helpdesk(directory.path, ['serve', '--port', new URL(running.url).port, '--data', 'other']);
    expect(taken.code).toBe(1);
    expect(taken.errors.trim().split('\n').length).toBe(1);
    expect(taken.errors).toContain('Cannot listen');
    const foreign = newDirectory();
    writeFileSync(join(foreign.path, 'holiday.jpg'), 'x');
    const refused = await helpdesk(directory.path, ['serve', '--port', '0', '--data', foreign.path]);
    foreign.remove();
    expect(refused.code).toBe(1);
    expect(refused.errors).toContain('holiday.jpg');
  });

  test('a hostile subject cannot drive the terminal', async () => {
    await helpdesk(directory.path, ['site', 'create', '--name', 'Web shop']);
    const hostile = '\u001b[2J\u001b]0;gotcha\u0007 \u202Eevil';
    await helpdesk(directory.path, [
      'ticket',
      'open',
      '--site',
      'web-shop',
      '--email',
      'mia@example.org',
      '--subject',
      hostile,
      '--body',
      `${hostile}\n\u001b[31mred`,
    ]);
    for (const args of [
      ['ticket', 'list'],
      ['ticket', 'show', '1'],
    ]) {
      const { output } = await helpdesk(directory.path, args);
      expect(output).toContain('evil');
      expect(output.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }
  });
});
