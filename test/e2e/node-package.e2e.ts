// The package for Node as npm packs and installs it.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { version } from '../../package.json';
import { bareEnvironment, executable, helpdesk, newDirectory, program, type Served, serve } from './executable.ts';

const { path, remove } = newDirectory();
const installed = join(path, 'node_modules/.bin/helpdesk');
const compiled = join(path, 'node_modules/helpdesk/.compiled');
let desk: Served | null = null;

async function npm(...args: string[]): Promise<string> {
  const child = Bun.spawn(['npm', ...args, '--offline', '--no-audit', '--no-fund', '--silent'], {
    cwd: path,
    env: { ...bareEnvironment, HOME: path },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [output, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  expect([errors, code]).toEqual(['', 0]);
  return output.trim();
}

beforeAll(async () => {
  const tarball = await npm('pack', dirname(executable), '--pack-destination', path);
  writeFileSync(join(path, 'package.json'), '{"private":true}');
  await npm('install', `./${tarball}`);
});

afterAll(async () => {
  desk?.signal('SIGKILL');
  await desk?.exited;
  remove();
});

async function startAndStop(): Promise<{ errors: string; code: number }> {
  desk = await serve(path, {}, [], installed);
  const answer = await fetch(`${desk.url}/healthz`);
  expect(answer.status).toBe(200);
  desk.signal('SIGTERM');
  const ended = { code: await desk.exited, errors: desk.errors() };
  desk = null;
  return ended;
}

const alarming = (log: string) => log.split('\n').filter((line) => /Error|"level":[56]0/.test(line));

test('npm installs a command, and only what it needs', async () => {
  expect(readdirSync(join(path, 'node_modules/helpdesk')).sort()).toEqual([
    'LICENSE',
    'README.md',
    'assets',
    'desk.mjs',
    'helpdesk.mjs',
    'package.json',
  ]);
  const { output, errors, code } = await helpdesk(path, ['version'], '', installed);
  expect([output, errors, code]).toEqual([`${version}\n`, '', 0]);
  expect(existsSync(compiled)).toBe(false);
});

test('a desk keeps its compiled code beside the program, and starts with it again', async () => {
  for (const _ of [1, 2]) {
    const { errors, code } = await startAndStop();
    expect([alarming(errors), code]).toEqual([[], 0]);
    expect(readdirSync(compiled)).toHaveLength(1);
  }
});

test('a desk starts where it cannot keep compiled code', async () => {
  rmSync(compiled, { recursive: true });
  writeFileSync(compiled, 'a file where the folder would be');
  const { errors, code } = await startAndStop();
  expect([alarming(errors), code]).toEqual([[], 0]);
});

test.each(['SIGTERM', 'SIGINT'])('%s while the program is loaded is not lost in a container', async (signal) => {
  const asFirstProcess = `data:text/javascript,import { registerHooks } from "node:module";
    const { pid } = process;
    Object.defineProperty(process, "pid", { value: 1 });
    registerHooks({
      load(url, context, next) {
        if (url.endsWith("/desk.mjs")) process.kill(pid, "${signal}");
        return next(url, context);
      },
    });`;
  const child = Bun.spawn([program[0] ?? '', '--import', asFirstProcess, executable, 'serve', '--port', '0'], {
    cwd: path,
    stdout: 'ignore',
    stderr: 'ignore',
  });
  await child.exited;
  // The kernel keeps a signal that nothing handles from such a process; from another, it ends it.
  expect(child.signalCode).toBeNull();
  expect([0, 130, 143]).toContain(child.exitCode ?? -1);
});

test.each([
  [{ node: '20.20.2' }, 'Node 20.20.2 without SQLite'],
  [{ node: '22.30.0', sqlite: '3.53.4' }, 'Node 22.30.0 with SQLite 3.53.4'],
  [{ node: '24.15.0', sqlite: '3.51.3' }, 'Node 24.15.0 with SQLite 3.51.3'],
])('%j is refused with a sentence', async (versions, own) => {
  const change = `data:text/javascript,Object.defineProperty(process,"versions",{value:${JSON.stringify(versions)}})`;
  const child = Bun.spawn([program[0] ?? '', '--import', change, executable, 'version'], { stderr: 'pipe' });
  expect(await new Response(child.stderr).text()).toBe(
    `Helpdesk needs Node 24.16 or newer, or 26, with SQLite 3.53. This is ${own}.\n`,
  );
  expect(await child.exited).toBe(1);
});
