// The compiled executable in its own directory: started, used, and stopped by its process id.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const executable = process.env.HELPDESK_EXECUTABLE ?? '';

/** Whether `executable` is the package for Node. */
export const isNode = process.env.HELPDESK_BUILD === 'node';

/** What starts the program where no PATH leads to a runtime. */
export const program: readonly string[] = isNode ? [Bun.which('node') ?? 'node', executable] : [executable];

/** Nothing from this machine's environment but the path of programs. */
export const bareEnvironment: Record<string, string> = { PATH: process.env.PATH ?? '' };
export const unlimited: Record<string, string> = {
  HELPDESK_RATE_INGEST_CALLER: '0',
  HELPDESK_RATE_INGEST_SITE: '0',
  HELPDESK_RATE_OTHER: '0',
};

export function newDirectory(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'helpdesk-e2e-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export interface Served {
  url: string;
  pid: number;
  /** What it printed on standard output so far. */
  output: () => string;
  errors: () => string;
  exited: Promise<number>;
  signal: (name: 'SIGTERM' | 'SIGKILL' | 'SIGINT' | 'SIGHUP') => void;
}

/** Starts `helpdesk serve` on a free port of the loopback and waits until it is ready. */
export async function serve(
  directory: string,
  environment: Record<string, string> = {},
  args: string[] = [],
  command = executable,
): Promise<Served> {
  const child = Bun.spawn([command, 'serve', '--port', '0', ...args], {
    cwd: directory,
    env: { ...bareEnvironment, ...environment },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  let output = '';
  let errors = '';
  const collect = async (stream: ReadableStream<Uint8Array>, add: (text: string) => void) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) add(decoder.decode(chunk, { stream: true }));
  };
  const address = Promise.withResolvers<string>();
  void collect(child.stdout, (text) => {
    output += text;
    const match = /listens on (http:\/\/[^\s]+) and/.exec(output);
    if (match?.[1]) address.resolve(match[1]);
  });
  void collect(child.stderr, (text) => {
    errors += text;
  });
  void child.exited.then(() => address.reject(new Error(`helpdesk ended: ${errors}`)));
  const url = await address.promise;
  return {
    url,
    pid: child.pid,
    output: () => output,
    errors: () => errors,
    exited: child.exited,
    signal: (name) => process.kill(child.pid, name),
  };
}

/** Runs one command of the executable to its end. */
export async function helpdesk(directory: string, args: string[], input = '', command = executable) {
  const child = Bun.spawn([command, ...args], {
    cwd: directory,
    env: bareEnvironment,
    stdin: new Blob([input]),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [output, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { output, errors, code, json: () => JSON.parse(output) };
}

/** A site and a token that can do everything. */
export async function siteAndToken(
  directory: string,
  command = executable,
): Promise<{ siteToken: string; teamToken: string }> {
  const site = await helpdesk(directory, ['site', 'create', '--name', 'Web shop', '--json'], '', command);
  const token = await helpdesk(
    directory,
    ['token', 'issue', '--name', 'test', '--abilities', 'read,write,manage', '--json'],
    '',
    command,
  );
  return { siteToken: site.json().site_token, teamToken: token.json().token };
}
