// One data directory under both builds by turns: what one has written, the other reads, changes, backs up and restores.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { builds } from '../../scripts/builds.ts';
import { argon2Hash, argon2Verify } from '../../src/platform/bun/argon2.ts';
import {
  executable,
  helpdesk,
  newDirectory,
  program,
  type Served,
  serve,
  siteAndToken,
  unlimited,
} from './executable.ts';

const { path, remove } = newDirectory();
const other = resolve(builds.bun.executable);
const runtimes = { bun: other, node: executable };
let siteToken = '';
let team: Record<string, string> = {};
const written: { ticket: string; text: string; file: string; by: string }[] = [];

beforeAll(() => {
  if (!existsSync(other))
    throw new Error(`There is no executable at ${other}; build it with \`${builds.bun.command}\`.`);
});
afterAll(remove);

const run = (by: keyof typeof runtimes, args: string[], input = '') => helpdesk(path, args, input, runtimes[by]);

async function during(
  by: keyof typeof runtimes,
  act: (desk: Served) => Promise<void>,
  end: 'SIGTERM' | 'SIGKILL' = 'SIGTERM',
) {
  const desk = await serve(path, unlimited, [], runtimes[by]);
  try {
    await act(desk);
  } finally {
    desk.signal(end);
    await desk.exited;
  }
}

async function write({ url }: Served, by: string): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) {
    const text = `Ünïcode ${by} ${turn} ${'größer '.repeat(turn * 20)}`;
    const headers = { 'X-Site-Token': siteToken };
    const opened = await fetch(`${url}/api/v1/public/tickets`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: `person${turn}@example.org`, subject: `Printer ${by} ${turn}`, message: text }),
    });
    expect(opened.status).toBe(201);
    const { ticket, access_token: accessToken } = (await opened.json()) as {
      ticket: { ulid: string };
      access_token: string;
    };
    const form = new FormData();
    const file = `${by} ${turn} `.repeat(3000);
    form.append('file', new File([file], 'log.txt'));
    const attached = await fetch(
      `${url}/api/v1/public/tickets/${ticket.ulid}/attachments?access_token=${accessToken}`,
      {
        method: 'POST',
        headers,
        body: form,
      },
    );
    expect(attached.status).toBe(201);
    written.push({ ticket: ticket.ulid, text: text.trim(), file, by });
  }
}

async function readAll({ url }: Served): Promise<void> {
  for (const { ticket, text, file } of written) {
    const response = await fetch(`${url}/api/v1/tickets/${ticket}`, { headers: team });
    const shown = JSON.stringify(await response.json());
    expect(response.status).toBe(200);
    expect(shown).toContain(text.slice(0, 100));
    const link = /"url":"([^"]+\/attachments\/[^"]+)"/.exec(shown)?.[1] ?? '';
    expect(await (await fetch(link)).text()).toBe(file);
  }
  for (const by of Object.keys(runtimes)) {
    const found = await fetch(`${url}/api/v1/tickets?q=${encodeURIComponent(`printer ${by}`)}&per_page=100`, {
      headers: team,
    });
    const { data } = (await found.json()) as { data: unknown[] };
    expect(data.length).toBe(written.filter((one) => one.by === by).length);
  }
}

async function isSound(by: keyof typeof runtimes): Promise<void> {
  const { output, errors, code } = await run(by, ['doctor', '--data', 'data']);
  expect({ errors, code, output: code === 0 ? '' : output }).toEqual({ errors: '', code: 0, output: '' });
}

test('a directory goes from one build to the other and back, also after kill -9', async () => {
  await during('bun', async (desk) => {
    ({ siteToken, teamToken: team.Authorization } = (await siteAndToken(path, runtimes.bun)) as never);
    team = { Authorization: `Bearer ${team.Authorization}` };
    await write(desk, 'bun');
  });
  for (const [by, end] of [
    ['node', 'SIGTERM'],
    ['bun', 'SIGKILL'],
    ['node', 'SIGKILL'],
    ['bun', 'SIGTERM'],
  ] as const) {
    await during(
      by,
      async (desk) => {
        await readAll(desk);
        await write(desk, by);
        await readAll(desk);
      },
      end,
    );
    await isSound(by === 'bun' ? 'node' : 'bun');
  }
});

test('each takes a backup that the other restores', async () => {
  for (const [taker, restorer] of [
    ['bun', 'node'],
    ['node', 'bun'],
  ] as const) {
    const copy = join(path, `backup-${taker}`);
    const taken = await run(taker, ['backup', copy]);
    expect([taken.errors, taken.code]).toEqual(['', 0]);
    const kept = join(path, `kept-${taker}`);
    cpSync(join(path, 'data'), kept, { recursive: true });
    rmSync(join(path, 'data'), { recursive: true });
    const restored = await run(restorer, ['restore', copy]);
    expect([restored.errors, restored.code]).toEqual(['', 0]);
    await isSound(taker);
    await during(restorer, readAll);
  }
});

/** What the code for Node makes of a call, in a process of Node. */
async function onNode(call: string, args: unknown[]): Promise<unknown> {
  const place = new URL('../../src/platform/node/argon2.ts', import.meta.url).href;
  const script = `const given = JSON.parse(process.argv[1]); const found = await import(${JSON.stringify(place)});
    console.log(JSON.stringify(await found.${call}(...given)));`;
  const child = Bun.spawn([program[0] ?? '', '--input-type=module', '-e', script, JSON.stringify(args)], {
    stderr: 'inherit',
  });
  return JSON.parse(await new Response(child.stdout).text());
}

test('a password that was set on one is right on the other', async () => {
  const cost = { memoryKib: 19_456, passes: 2 };
  const password = 'Größe, Länge & Ünïcode';
  const hash = await argon2Hash(password, cost);
  expect(await onNode('argon2Verify', [password, hash])).toBe(true);
  expect(await onNode('argon2Verify', ['another one', hash])).toBe(false);
  const other = (await onNode('argon2Hash', [password, cost])) as string;
  expect(await argon2Verify(password, other)).toBe(true);
  expect(await argon2Verify('another one', other)).toBe(false);
});
