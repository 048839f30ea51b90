// The first owner of a fresh desk, an agent they invite, and a session that outlives a restart but not another key.

import { afterEach, beforeEach, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { helpdesk, newDirectory, type Served, serve } from './executable.ts';

let directory: ReturnType<typeof newDirectory>;
let running: Served | null = null;
beforeEach(() => {
  directory = newDirectory();
});
afterEach(async () => {
  await stop();
  directory.remove();
});

async function start(environment: Record<string, string> = {}, args: string[] = []): Promise<Served> {
  running = await serve(directory.path, environment, args);
  return running;
}

async function stop(): Promise<void> {
  running?.signal('SIGTERM');
  await running?.exited;
  running = null;
}

/** The secret of a link that was printed. */
function secretIn(printed: string, page: string): string {
  return new RegExp(`^http://\\S+/${page}#(hdl_[\\w-]{43})$`, 'm').exec(printed)?.[1] ?? '';
}

async function post(url: string, path: string, body: object) {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return { status: answer.status, cookie };
}

const session = async (url: string, Cookie: string) =>
  (await fetch(`${url}/api/v1/session`, { headers: { Cookie } })).status;

test('a fresh desk prints a link for its first owner at each start, until there is one', async () => {
  const first = secretIn((await start()).output(), 'setup');
  expect(first).not.toBe('');
  await stop();
  const { url, output } = await start();
  const second = secretIn(output(), 'setup');
  expect(second).not.toBe(first);
  const owner = { email: 'kim@example.org', name: 'Kim', password: 'plum tree 47 lantern' };
  expect((await post(url, '/setup', { ...owner, token: first })).status).toBe(410);
  const { status, cookie } = await post(url, '/setup', { ...owner, token: second });
  expect(status).toBe(201);

  const invited = await helpdesk(directory.path, ['agent', 'invite', '--email', 'ann@example.org', '--name', 'Ann']);
  const joined = await post(url, '/invitations/accept', {
    token: secretIn(invited.output, 'invitation'),
    name: 'Ann',
    password: 'quiet river 81 basket',
  });
  expect(joined.status).toBe(201);
  const link = await helpdesk(directory.path, ['agent', 'link', 'kim@example.org']);
  expect((await post(url, '/session/link', { token: secretIn(link.output, 'sign-in') })).status).toBe(200);
  await stop();

  const again = await start();
  expect(again.output()).not.toContain('/setup#');
  expect(await session(again.url, cookie)).toBe(200);
  expect((await post(again.url, '/session', { email: owner.email, password: owner.password })).status).toBe(200);
});

test('from its first answer on, a desk refuses the link of the start before', async () => {
  /** Null when another program took the port between the two starts. */
  const statusAfterRestart = async (): Promise<number | null> => {
    const former = await start();
    const token = secretIn(former.output(), 'setup');
    await stop();
    // Too short a password: a link that still works is 422, and stays unused.
    const attempt = { token, email: 'kim@example.org', name: 'Kim', password: 'short' };
    const started = start({}, ['--port', new URL(former.url).port]).then(
      () => true,
      (error: Error) => {
        if (!error.message.includes('Cannot listen')) throw error;
        return false;
      },
    );
    let isTaken = false;
    void started.then((isStarted) => {
      isTaken = !isStarted;
    });
    // Asked for from the first moment on: the address cannot be one that the desk prints later.
    let status = 503;
    while (status === 503 && !isTaken)
      status = await post(former.url, '/setup', attempt).then(
        (answer) => answer.status,
        () => 503,
      );
    return (await started) ? status : null;
  };
  let status: number | null = null;
  while (status === null) status = await statusAfterRestart();
  expect(status).toBe(410);
});

test('the owner of the demo data gets a link at each start, also without --demo, and no one else a way to become one', async () => {
  const first = await start({}, ['--demo']);
  expect((await post(first.url, '/session/link', { token: secretIn(first.output(), 'sign-in') })).status).toBe(200);
  await stop();
  for (const flags of [['--demo'], []]) {
    const { url, output } = await start({}, flags);
    expect(output()).not.toContain('/setup#');
    expect((await post(url, '/session/link', { token: secretIn(output(), 'sign-in') })).status).toBe(200);
    await stop();
  }
});

test('plain http that is not this machine’s own is warned about', async () => {
  const exposed = await start({}, ['--base-url', 'http://desk.lan:8080']);
  expect(exposed.output()).toContain('Warning: passwords and sessions cross the network unencrypted');
  await stop();
  for (const args of [[], ['--base-url', 'https://desk.example.org']]) {
    expect((await start({}, args)).output()).not.toContain('Warning');
    await stop();
  }
});

test('no secret of a link or session is in what the desk logs', async () => {
  const { url, output, errors } = await start({ HELPDESK_SECRET_KEY: randomBytes(32).toString('base64') });
  const token = secretIn(output(), 'setup');
  const body = { token, email: 'kim@example.org', name: 'Kim', password: 'plum tree 47 lantern' };
  const { cookie } = await post(url, '/setup', body);
  await post(url, '/invitations/read', { token });
  await stop();
  expect(errors() + output().replace(token, '')).not.toContain(token);
  for (const secret of [cookie.slice('helpdesk='.length), body.password]) {
    expect(secret.length).toBeGreaterThan(10);
    expect(errors() + output()).not.toContain(secret);
  }
});
