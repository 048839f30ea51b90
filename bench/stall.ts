// How long hostile work of each kind delays health checks.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mostMemoryWhile } from './family-memory.ts';
import { kinds } from './stall-kinds/kinds.ts';
import type { Target } from './stall-kinds/target.ts';
import { type Stall, watchDesk } from './stall-kinds/watch.ts';

const targetMs = 50;
const targetMegabytes = 600;

/**
 * Prints and returns the worst stall of each kind, and the memory that the desk took meanwhile.
 * @param command the start of the desk's command line, without its arguments
 * @param environment of the desk, without limits
 */
export async function measureStalls(
  command: string[],
  environment: Record<string, string>,
): Promise<(Stall & { megabytes: number })[]> {
  const directory = mkdtempSync(join(tmpdir(), 'helpdesk-stall-'));
  const spawn = (args: string[], input = '') =>
    Bun.spawn([...command, ...args], {
      cwd: directory,
      env: { PATH: process.env.PATH ?? '', HELPDESK_LOG_LEVEL: 'warn', ...environment },
      stdin: new Blob([input]),
      stdout: 'pipe',
      stderr: 'pipe',
    });
  const run: Target['command'] = async (args, input) => {
    const child = spawn(args, input);
    const [output, errors, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return { output, errors, code };
  };
  const desk = spawn(['serve', '--port', '0']);
  void new Response(desk.stderr).arrayBuffer();
  const url = await addressOf(desk.stdout);
  const site = JSON.parse((await run(['site', 'create', '--name', 'Web shop', '--json'])).output);
  const abilities = ['--abilities', 'read,write,manage'];
  const token = JSON.parse((await run(['token', 'issue', '--name', 'bench', ...abilities, '--json'])).output);
  const target: Target = {
    url,
    pid: desk.pid,
    slug: site.data.slug,
    siteToken: site.site_token,
    teamToken: token.token,
    inboundSecret: /inbound\/([^/"]+)/.exec(site.data.inbound_webhook_url)?.[1] ?? '',
    command: run,
  };
  const watch = await watchDesk(url, desk.pid);
  const stalls: (Stall & { megabytes: number })[] = [];
  try {
    console.log('kind             worst   as measured   bare server   took  memory');
    for (const kind of kinds) {
      let megabytes = 0;
      const stall = await watch.during(kind.name, async () => {
        megabytes = await mostMemoryWhile(desk.pid, async () => void (await kind.work(target)));
      });
      stalls.push({ ...stall, megabytes });
      const { worstMs, rawMs, bareMs, tookMs } = stall;
      const verdict = worstMs <= targetMs && megabytes <= targetMegabytes ? 'met' : 'MISSED';
      console.log(
        `${kind.name.padEnd(15)}${pad(worstMs, 4)} ms${pad(rawMs, 11)} ms${pad(bareMs, 11)} ms${pad((tookMs / 1000).toFixed(1), 6)} s${pad(megabytes, 5)} MB  (target ${targetMs} ms, ${targetMegabytes} MB: ${verdict})`,
      );
    }
  } finally {
    await watch.stop();
    desk.kill();
    await desk.exited;
    rmSync(directory, { recursive: true, force: true });
  }
  return stalls;
}

const pad = (value: number | string, width: number) => String(value).padStart(width);

async function addressOf(stdout: ReadableStream<Uint8Array>): Promise<string> {
  const found = Promise.withResolvers<string>();
  const read = async () => {
    let text = '';
    for await (const bytes of stdout as unknown as AsyncIterable<Uint8Array>) {
      text += new TextDecoder().decode(bytes);
      const match = /listens on (http:\/\/\S+) and/.exec(text);
      if (match?.[1]) found.resolve(match[1]);
    }
    found.reject(new Error(`The desk ended: ${text}`));
  };
  void read();
  return await found.promise;
}
