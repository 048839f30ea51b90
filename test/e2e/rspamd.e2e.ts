// Debian's rspamd scores mail of the executable, with one rule of our own; and mail goes on while it is killed.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../support/dovecot.ts';
import { parseExposition, sampleOf } from '../support/exposition.ts';
import { until } from '../support/litefs.ts';
import { newDirectory, type Served, serve, siteAndToken, unlimited } from './executable.ts';

const rspamd = Bun.which('rspamd');
if (rspamd === null) console.warn('rspamd is not installed (apt-get install rspamd), so it is not tested.');

const { path, remove } = newDirectory();
const filter = newDirectory();
let running: Bun.Subprocess | null = null;
let url = '';
let config = '';

async function startRspamd(): Promise<void> {
  // It gives up root, and then reads its folder as who it is.
  const user = process.getuid?.() === 0 ? ['-u', '_rspamd', '-g', '_rspamd'] : [];
  running = Bun.spawn([rspamd ?? '', '-c', config, '-f', ...user], { stdout: 'ignore', stderr: 'ignore' });
  await until(async () => {
    const answer = await fetch(`${url}/ping`).catch(() => null);
    return answer !== null && (await answer.text()).trim() === 'pong';
  }, 'rspamd');
}

async function stopRspamd(): Promise<void> {
  running?.kill('SIGTERM');
  await running?.exited;
}

let desk: Served;
let tokens: { teamToken: string };
beforeAll(async () => {
  if (rspamd === null) return;
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  config = join(filter.path, 'rspamd.conf');
  const inside = (name: string) => JSON.stringify(join(filter.path, name));
  // Its own list of endings takes half a minute to compile.
  writeFileSync(join(filter.path, 'endings'), 'example\n');
  writeFileSync(
    config,
    `options {
  pidfile = ${inside('pid')}; tempdir = ${JSON.stringify(filter.path)}; cache_file = ${inside('cache')}; history_file = ${inside('history')};
  hs_cache_dir = ${JSON.stringify(filter.path)}; control_socket = "${join(filter.path, 'control')} mode=0600"; url_tld = ${inside('endings')};
  filters = "regexp";
  dns { nameserver = ["127.0.0.1:9"]; timeout = 0.1s; retransmits = 1; }
}
logging { type = "console"; level = "error"; }
worker "normal" { bind_socket = "127.0.0.1:${port}"; count = 1; }
actions { reject = 15; }
regexp { CHEAP_WATCHES { re = "/cheap watches/{body}"; score = 7.5; } }
`,
  );
  if (process.getuid?.() === 0) execFileSync('chown', ['-R', '_rspamd:_rspamd', filter.path]);
  await startRspamd();
  desk = await serve(path, { ...unlimited, HELPDESK_RSPAMD_URL: url });
  tokens = await siteAndToken(path);
});
afterAll(async () => {
  if (rspamd !== null) {
    desk.signal('SIGKILL');
    await desk.exited;
    await stopRspamd();
  }
  remove();
  filter.remove();
});

const json = async (target: string) => {
  const answer = await fetch(`${desk.url}${target}`, { headers: { Authorization: `Bearer ${tokens.teamToken}` } });
  return (await answer.json()) as { data: unknown };
};

async function send(subject: string, body: string): Promise<Record<string, unknown>> {
  const { data: site } = (await json('/api/v1/sites/web-shop')) as { data: { inbound_webhook_url: string } };
  const written = `From: Lou <${subject}@example.org>\r\nTo: shop@desk.example\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@example.org>\r\n\r\n${body}\r\n`;
  await fetch(`${desk.url}${new URL(site.inbound_webhook_url).pathname}`, { method: 'POST', body: written });
  const row = async () => {
    const { data } = (await json('/api/v1/sites/web-shop/inbound-mail')) as { data: Record<string, unknown>[] };
    return data.find((each) => each.subject === subject && each.status === 'done');
  };
  await until(async () => (await row()) !== undefined, subject);
  return (await row()) ?? {};
}

test.skipIf(rspamd === null)('rspamd scores mail, and what it scores highly is held', async () => {
  expect(await send('good', 'Where is my parcel?')).toMatchObject({
    outcome: 'ticket_created',
    spam_check: { score: 0, why: null },
  });
  expect(await send('bad', 'Buy cheap watches')).toMatchObject({
    outcome: 'held',
    held_for: 'spam',
    spam_check: { score: 7.5, symbols: [{ name: 'CHEAP_WATCHES', score: 7.5 }] },
  });
  // In two parts: filters look into sources too.
  const test = ['XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD', '-ANTI-UBE-TEST-EMAIL*C.34X'].join('');
  expect(await send('worst', test)).toMatchObject({ outcome: 'held', spam_check: { score: 15 } });
  const metrics = parseExposition(await (await fetch(`${desk.url}/metrics`)).text());
  expect(sampleOf(metrics, 'helpdesk_spam_filter_up')).toBe(1);
});

test.skipIf(rspamd === null)('mail is filed while rspamd is gone, and scored again once it is back', async () => {
  await stopRspamd();
  expect(await send('meanwhile', 'Buy cheap watches')).toMatchObject({
    outcome: 'ticket_created',
    spam_check: { score: null },
  });
  await startRspamd();
  let at = 0;
  await until(async () => {
    at += 1;
    return (await send(`later-${at}`, 'Buy cheap watches')).held_for === 'spam';
  }, 'a score');
});
