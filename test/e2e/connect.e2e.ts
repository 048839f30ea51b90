// docs/connect.md as a developer follows it: its files and commands, against the executable and receivers of its own.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bareEnvironment, executable, newDirectory, type Served, serve, siteAndToken } from './executable.ts';

const guide = readFileSync(join(import.meta.dir, '../../docs/connect.md'), 'utf8');
const files = [...guide.matchAll(/<!-- connect: (\S+) -->\n```\w+\n([\s\S]*?)```/g)];
const commands = [...guide.matchAll(/```sh\n(helpdesk channel [\s\S]*?)```/g)].map(([, block = '']) => block);
const { path, remove } = newDirectory();
const user = { id: "u-17'é", email: 'mia@example.org', name: 'Mia', plan: 'pro' };
const form = { id: 'f-1', subject: 'Cannot save', message: 'Nothing happens.', page: 'https://shop.example.com/cart' };

/** Sends `form` twice, and then without a subject; prints what came of it. */
const openers = {
  TypeScript: [
    'open.ts',
    `import { openTicket } from './desk.ts';
     const { user, form } = JSON.parse(process.env.INPUT ?? '');
     const [first, second] = [await openTicket(user, form), await openTicket(user, form)];
     const refused = await openTicket(user, { ...form, subject: '' }).catch((error) => error.message);
     console.log(JSON.stringify([first.ulid, second.ulid, first.accessToken, refused]));`,
  ],
  PHP: [
    'open.php',
    `<?php require 'desk.php';
     ['user' => $user, 'form' => $form] = json_decode(getenv('INPUT'), true);
     [$first, $second] = [openTicket($user, $form), openTicket($user, $form)];
     try { openTicket($user, ['subject' => ''] + $form); $refused = ''; }
     catch (RuntimeException $error) { $refused = $error->getMessage(); }
     echo json_encode([$first['ulid'], $second['ulid'], $first['access_token'], $refused]);`,
  ],
  Python: [
    'open.py',
    `import json, os
from desk import open_ticket
given = json.loads(os.environ["INPUT"])
user, form = given["user"], given["form"]
first, second = open_ticket(user, form), open_ticket(user, form)
try: open_ticket(user, {**form, "subject": ""}); refused = ""
except RuntimeError as error: refused = str(error)
print(json.dumps([first["ulid"], second["ulid"], first["access_token"], refused]))`,
  ],
} as const;

/** Serves the guide's receiver, and prints its port. */
const receivers = {
  TypeScript: [
    'receiver.ts',
    `import { receive } from './webhook.ts';
     console.log(String(Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: receive }).url));`,
  ],
  PHP: ['webhook.php', '-S', '127.0.0.1:0'],
  Python: [
    'receiver.py',
    `from http.server import BaseHTTPRequestHandler, HTTPServer
from webhook import receive
class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(receive(body, self.headers.get("X-Helpdesk-Signature", "")))
        self.end_headers()
server = HTTPServer(("127.0.0.1", 0), Handler)
print(f"http://127.0.0.1:{server.server_port}/")
server.serve_forever()`,
  ],
} as const;

const thread = `import { newAccessToken, readTicket, reply, ticketsOf } from './thread.ts';
  const { user, stored } = JSON.parse(process.env.INPUT ?? '');
  await reply(stored, 'It works now.', 'r-1');
  await reply(stored, 'It works now.', 'r-1');
  const accessToken = await newAccessToken(user.id, stored.ulid);
  const lost = await readTicket(stored).catch((error) => error.message);
  const { messages } = await readTicket({ ...stored, accessToken });
  console.log(JSON.stringify({ messages, lost, listed: await ticketsOf(user.id) }));`;

const languages = [
  { language: 'TypeScript', program: [process.execPath] },
  { language: 'PHP', program: ['php'] },
  { language: 'Python', program: ['python3', '-u'] },
] as const;

let desk: Served;
let tokens: Awaited<ReturnType<typeof siteAndToken>>;
let environment: Record<string, string>;

beforeAll(async () => {
  for (const [, name = '', text = ''] of files) writeFileSync(join(path, name), text);
  for (const [name, text] of [...Object.values(openers), receivers.TypeScript, receivers.Python])
    writeFileSync(join(path, name), text);
  writeFileSync(join(path, 'answers.ts'), thread);
  symlinkSync(executable, join(path, 'helpdesk'));
  const allow = { HELPDESK_WEBHOOK_ALLOW: '127.0.0.1' };
  desk = await serve(path, allow);
  tokens = await siteAndToken(path);
  environment = {
    ...bareEnvironment,
    ...allow,
    PATH: `${path}:${bareEnvironment.PATH}`,
    DESK_URL: desk.url,
    DESK_SITE_TOKEN: tokens.siteToken,
  };
});
afterAll(async () => {
  desk.signal('SIGTERM');
  await desk.exited;
  remove();
});

async function run(command: readonly string[], more: Record<string, string> = {}): Promise<string> {
  const env = { ...environment, ...more };
  const child = Bun.spawn([...command], { cwd: path, env, stdout: 'pipe', stderr: 'pipe' });
  const [output, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  expect([code, errors], command.join(' ')).toEqual([0, '']);
  return output;
}

const shell = (script: string) => run(['sh', '-eu', '-c', script]);

async function opened(at: (typeof languages)[number], given: object): Promise<[string, string, string, string]> {
  const input = JSON.stringify({ user, form: { ...form, ...given } });
  return JSON.parse(await run([...at.program, openers[at.language][0]], { INPUT: input }));
}

async function asAgent(method: string, target: string, body?: object) {
  const answer = await fetch(`${desk.url}/api/v1${target}`, {
    method,
    headers: { Authorization: `Bearer ${tokens.teamToken}`, 'Content-Type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  expect(answer.status, `${method} ${target}`).toBeLessThan(300);
  return (await answer.json()) as { data: { context: object } };
}

/** Runs until `use` has ended. */
async function withReceiver(
  { program, language }: (typeof languages)[number],
  signingSecret: string,
  use: (url: string, heard: (words: string) => Promise<void>, output: () => string) => Promise<void>,
) {
  const [file, ...options] = language === 'PHP' ? receivers.PHP : receivers[language].slice(0, 1);
  const child = Bun.spawn([...program, ...options, file ?? ''], {
    cwd: path,
    env: { ...environment, DESK_WEBHOOK_SECRET: signingSecret },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  let output = '';
  let tell = (): unknown => undefined;
  const collect = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      output += decoder.decode(chunk, { stream: true });
      tell();
    }
  };
  const ended = [collect(child.stdout), collect(child.stderr)];
  const heard = (words: string | RegExp) =>
    new Promise<void>((resolve, reject) => {
      tell = () => output.match(words) && resolve();
      tell();
      void child.exited.then(() => reject(new Error(`the receiver ended: ${output}`)));
    });
  try {
    await heard(/http:\/\/127\.0\.0\.1:\d+/);
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? [];
    await use(url, heard, () => output);
  } finally {
    child.kill();
    await Promise.all([...ended, child.exited]);
  }
}

test('the guide has its files and commands', () => {
  expect(files.map(([, name]) => name)).toEqual([
    'desk.ts',
    'desk.php',
    'desk.py',
    'thread.ts',
    'webhook.ts',
    'webhook.php',
    'webhook.py',
  ]);
  expect(commands.length).toBe(3);
});

// .ci/run installs PHP, and counts a skipped test as failed.
describe.each(languages.map((at) => ({ ...at, isMissing: Bun.which(at.program[0]) === null })))('$language', (at) => {
  test.skipIf(at.isMissing)('opens one ticket for one form, and says what the desk refuses', async () => {
    const [first, second, token, refused] = await opened(at, { id: at.language });
    expect(second).toBe(first);
    expect(token).toStartWith('hda_');
    expect(refused).toMatch(/^422 The subject field is required\. \([\w-]+\)$/);
    const { data } = await asAgent('GET', `/tickets/${first}`);
    const author = { external_id: user.id, name: user.name, is_verified: true };
    expect(data).toMatchObject({ subject: form.subject, is_test: false, author });
    expect(data.context).toMatchObject({ source: 'web', page: { url: form.page }, user: { plan: user.plan } });
  });

  test.skipIf(at.isMissing)('hears of an answer to a test ticket, and of nothing without a signature', async () => {
    const [add = '', use = '', prefix = ''] = commands;
    const shown = await shell(add.replace('https://shop.example.com', 'http://127.0.0.1:9'));
    const [, id = '', signingSecret = ''] = /^Channel (\d+) .*\n(whsec_\S+)/.exec(shown) ?? [];
    const own = (block: string) => block.replace(/(channel \w+) 1 /g, `$1 ${id} `);
    await withReceiver(at, signingSecret, async (url, heard, output) => {
      await shell(`helpdesk channel update ${id} --site web-shop --url ${url}/desk-webhook`);
      expect(await shell(own(use))).toContain('channel.test');
      const [ulid] = await opened(at, { id: `${at.language} test`, isTest: true, is_test: true });
      const forged = { event: 'ticket.replied', metadata: { is_admin_reply: true, author_external_id: 'forged' } };
      for (const signature of ['', 'sha256=', `sha256=${'0'.repeat(64)}`, `sha256=${'é'.repeat(64)}`]) {
        const headers: Record<string, string> = signature === '' ? {} : { 'X-Helpdesk-Signature': signature };
        const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(forged) });
        expect(answer.status, signature).toBe(401);
      }
      await asAgent('POST', `/tickets/${ulid}/messages`, { body: 'Solved.', status: 'resolved' });
      await heard(`${user.id} has an answer on ${ulid}`);
      expect(output()).not.toContain('forged has');
      expect(await shell(own(prefix))).toContain('X-ChaosDesk');
    });
  });
});

test('a user reads and answers, and a lost token is replaced', async () => {
  const [ulid, , accessToken] = await opened(languages[0], { id: 'thread' });
  await asAgent('POST', `/tickets/${ulid}/messages`, { body: 'Please *reload*.', body_format: 'markdown' });
  const stored = { ulid, accessToken };
  const said = JSON.parse(await run([process.execPath, 'answers.ts'], { INPUT: JSON.stringify({ user, stored }) }));
  expect(said.messages).toMatchObject([
    { body: form.message, html: null, is_agent: false, author_name: user.name },
    { is_agent: true, author_name: 'Web shop', html: expect.stringContaining('<em>reload</em>') },
    { body: 'It works now.', is_agent: false },
  ]);
  expect(said.lost).toStartWith('404 ');
  expect(said.listed[0]).toMatchObject({ ulid, status: 'open', subject: form.subject });
});

test('the link of the guide opens the ticket', async () => {
  expect(guide).toContain('`{DESK_URL}/t/{ulid}#{access_token}`');
  const [ulid, , token] = await opened(languages[0], { id: 'link' });
  expect((await fetch(`${desk.url}/t/${ulid}`)).status).toBe(200);
  const answer = await fetch(`${desk.url}/api/v1/customer/links`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' },
    body: JSON.stringify({ ticket: ulid, token }),
  });
  expect(await answer.json()).toMatchObject({ data: { ticket: ulid } });
});
