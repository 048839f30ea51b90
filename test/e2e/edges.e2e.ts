// The executable in unusual situations: a second signal, a closed pipe, an empty environment, directories it must not
// touch.

import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from '../browser/wait.ts';
import { executable, helpdesk, newDirectory, program, serve, siteAndToken, unlimited } from './executable.ts';

let directory: ReturnType<typeof newDirectory>;
beforeEach(() => {
  directory = newDirectory();
});
afterEach(() => directory.remove());

async function begin(url: string, siteToken: string) {
  const begun = Promise.withResolvers<void>();
  const never = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"email":'));
      begun.resolve();
    },
  });
  const answer = fetch(`${url}/api/v1/public/tickets`, {
    method: 'POST',
    headers: { 'X-Site-Token': siteToken, 'Content-Type': 'application/json' },
    body: never,
  }).catch(() => null);
  await begun.promise;
  return answer;
}

test('a second signal ends it at once, although a request is still arriving', async () => {
  const running = await serve(directory.path, unlimited);
  const { siteToken } = await siteAndToken(directory.path);
  void begin(running.url, siteToken);
  // The server has it once it answers what came after.
  await fetch(`${running.url}/healthz`);
  running.signal('SIGTERM');
  await waitUntil(
    'it is stopping',
    () => fetch(`${running.url}/readyz`).catch(() => null),
    (answer) => !answer?.ok,
  );
  running.signal('SIGINT');
  // After one signal it would wait for the request, and end with 0.
  expect(await running.exited).toBe(1);
  const list = await helpdesk(directory.path, ['ticket', 'list', '--json']);
  expect(list.json().data).toEqual([]);
});

test('the environment may be quite empty', async () => {
  const child = Bun.spawn([...program, 'site', 'create', '--name', 'Web shop', '--json'], {
    cwd: directory.path,
    env: {},
    stdout: 'pipe',
    stderr: 'pipe',
  });
  expect(await new Response(child.stderr).text()).toBe('');
  expect(JSON.parse(await new Response(child.stdout).text()).data.slug).toBe('web-shop');
  expect(await child.exited).toBe(0);
  expect(statSync(join(directory.path, 'data')).mode & 0o077).toBe(0);
  for (const name of readdirSync(join(directory.path, 'data')).filter((one) => one.startsWith('helpdesk.db')))
    expect(statSync(join(directory.path, 'data', name)).mode & 0o077).toBe(0);
});

test('a reader that has seen enough is no fault', async () => {
  await helpdesk(directory.path, ['demo']);
  const shell = Bun.spawn(['sh', '-c', `"${executable}" ticket list --per-page 100 | head -n 1`], {
    cwd: directory.path,
    stdout: 'pipe',
    stderr: 'pipe',
  });
  expect(await new Response(shell.stderr).text()).toBe('');
  expect((await new Response(shell.stdout).text()).split('\n').length).toBe(2);
});

test('the commands that serve prints can be typed as they are', async () => {
  const running = await serve(directory.path, {}, ['--data', "it's here"]);
  try {
    const typed = running
      .output()
      .split('\n')
      .filter((line) => line.startsWith('  '));
    expect(typed.length).toBe(2);
    for (const line of typed) {
      const shell = Bun.spawnSync(['sh', '-c', line], { cwd: directory.path });
      expect(shell.stderr.toString()).toBe('');
      expect(shell.exitCode).toBe(0);
    }
    const sites = await helpdesk(directory.path, ['site', 'list', '--json', '--data', "it's here"]);
    expect(sites.json().data[0].name).toBe('My site');
  } finally {
    running.signal('SIGTERM');
    await running.exited;
  }
});

test.each([
  ['a schema of a newer desk', 'newer helpdesk'],
  ['a changed migration', 'Nothing was changed'],
  ['a missing key', 'secret.key is missing'],
  ['a file in place of the directory', 'cannot be created'],
  ['a file that is no database', 'helpdesk.db is not a database'],
])('%s is one sentence and exit code 1', async (why, sentence) => {
  const data = join(directory.path, 'data');
  const file = join(data, 'helpdesk.db');
  if (why.startsWith('a file in')) writeFileSync(data, '');
  else if (why.startsWith('a file that')) {
    mkdirSync(data);
    writeFileSync(join(data, 'secret.key'), Buffer.alloc(32, 1).toString('base64'));
    writeFileSync(file, 'This is a letter to my aunt.'.repeat(400));
  } else {
    await helpdesk(directory.path, ['site', 'create', '--name', 'Web shop']);
    const database = new Database(file);
    if (why.includes('newer')) database.run("INSERT INTO schema_migrations VALUES (9000, 'later', 'x', 0)");
    if (why.includes('changed')) database.run("UPDATE schema_migrations SET checksum = 'x' WHERE version = 1");
    database.close();
    if (why.includes('key')) rmSync(join(data, 'secret.key'));
  }
  const refused = await helpdesk(directory.path, ['serve', '--port', '0']);
  expect(refused.errors).toContain(sentence);
  expect(refused.errors.trim().split('\n').length).toBe(1);
  expect(refused.output).toBe('');
  expect(refused.code).toBe(1);
});
