// kill -9 while mails go that someone waits for: codes, links and notifications still come, once.

import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { waitUntil } from '../browser/wait.ts';
import { helpdesk, newDirectory, serve, siteAndToken, unlimited } from './executable.ts';
import { end, untilNone } from './kills.ts';
import { openPostOffice } from './post-office.ts';

const { path, remove } = newDirectory();
const office = await openPostOffice();
afterAll(async () => {
  await office.close();
  remove();
});

test('a code, a link and a new password that were acknowledged survive it', async () => {
  const environment = { ...unlimited, HELPDESK_SMTP_URL: office.url };
  let running = await serve(path, environment);
  const { siteToken, teamToken } = await siteAndToken(path);
  await helpdesk(path, ['agent', 'add', '--name', 'Kim', '--email', 'kim@agents.example', '--role', 'member']);
  const post = async (target: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${running.url}/api/v1${target}`, {
      method: target.startsWith('/sites') ? 'PATCH' : 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return { status: answer.status, json: (await answer.json()) as { ticket?: { ulid: string } } };
  };
  await post('/sites/web-shop', { settings: { portal: 'form_and_tickets' } }, { Authorization: `Bearer ${teamToken}` });
  const words = { subject: 'Help', message: 'It fails.' };
  const opened = await post('/public/tickets', { email: 'mia@example.org', ...words }, { 'X-Site-Token': siteToken });
  await office.waitFor('mia@example.org', () => true);

  const asked = await Promise.all([
    post('/customer/codes', { site: 'web-shop', email: 'mia@example.org' }),
    post('/customer/codes', { site: 'web-shop', email: 'no-one@example.org' }),
    post('/customer/links/request', { ticket: opened.json.ticket?.ulid }),
    post('/password-resets', { email: 'kim@agents.example' }),
  ]);
  running.signal('SIGKILL');
  await running.exited;
  expect(asked.map(({ status }) => status)).toEqual([202, 202, 202, 202]);

  running = await serve(path, environment);
  await office.waitFor('mia@example.org', ({ subject }) => /\d{6}/.test(subject ?? ''));
  await office.waitFor(
    'mia@example.org',
    ({ messageId, text }) => messageId !== office.mailbox('mia@example.org')[0]?.messageId && !!text?.includes('/t/'),
  );
  await office.waitFor('kim@agents.example', ({ text }) => !!text?.includes('/reset#'));
  running.signal('SIGTERM');
  expect(await running.exited).toBe(0);
  // A mail that was being handed over when the kill came may come again, under its own Message-ID.
  const different = (address: string) => new Set(office.mailbox(address).map(({ messageId }) => messageId)).size;
  expect(different('mia@example.org')).toBe(3);
  expect(different('kim@agents.example')).toBe(1);
  expect(office.addresses().sort()).toEqual(['kim@agents.example', 'mia@example.org']);
});

const email = 'kim@agents.example';

test('notifications: each event is once in the inbox, and each mail comes, once but for those in flight', async () => {
  const own = newDirectory();
  // A mail server that takes three and keeps the others waiting, until the desk has been killed.
  const killed = Promise.withResolvers<void>();
  let taken = 0;
  const post = await openPostOffice(async (to) => {
    if (to === email && taken++ >= 3) await killed.promise;
    return false;
  });
  const environment = { ...unlimited, HELPDESK_SMTP_URL: post.url };
  const { siteToken, teamToken } = await siteAndToken(own.path);
  await helpdesk(own.path, ['agent', 'add', '--name', 'Kim', '--email', email, '--role', 'member']);
  const database = new Database(join(own.path, 'data/helpdesk.db'), { readwrite: true });
  const preferences = { mail_after_minutes: 0, mail_mode: 'at_once', switches: { 'mail.assigned': false } };
  database.run('UPDATE agents SET notification_preferences = ? WHERE email = ?', [JSON.stringify(preferences), email]);
  const kim = database.query<{ id: number }, [string]>('SELECT id FROM agents WHERE email = ?').get(email)?.id;
  database.close();

  let running = await serve(own.path, environment);
  const call = async (method: string, target: string, headers: Record<string, string>, body: object) => {
    const answer = await fetch(`${running.url}/api/v1${target}`, {
      ...{ method, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) },
    });
    expect(answer.status).toBeLessThan(300);
    return (await answer.json()) as { ticket: { ulid: string }; access_token: string };
  };
  const count = 30;
  const tickets = [];
  for (let n = 0; n < count; n += 1) {
    const words = { email: `mia${n}@example.org`, subject: `Ticket ${n}`, message: 'It fails.' };
    const opened = await call('POST', '/public/tickets', { 'X-Site-Token': siteToken }, words);
    const to = { assigned_to: kim };
    await call('PATCH', `/tickets/${opened.ticket.ulid}`, { Authorization: `Bearer ${teamToken}` }, to);
    tickets.push(opened);
  }
  const answers = tickets.map(({ ticket, access_token }) =>
    call(
      'POST',
      `/public/tickets/${ticket.ulid}/messages?access_token=${access_token}`,
      { 'X-Site-Token': siteToken },
      {
        body: 'Still not.',
      },
    ),
  );
  await Promise.all(answers);
  // In the middle of it: some have been handed over, and others wait.
  await waitUntil('three have come', () => post.mailbox(email).length === 3);
  await end(running, 'SIGKILL');
  killed.resolve();

  running = await serve(own.path, environment);
  const different = () => new Set(post.mailbox(email).map(({ messageId }) => messageId)).size;
  await untilNone('all have come', () => count - different());
  expect(await end(running)).toBe(0);
  expect(different()).toBe(count);
  // What was being handed over when the kill came may come again, under its own Message-ID.
  expect(post.mailbox(email).length - count).toBeLessThanOrEqual(inFlight);
  const kept = new Database(join(own.path, 'data/helpdesk.db'), { readonly: true });
  const rows = kept.query<{ kind: string; n: number; events: number }, []>(
    'SELECT kind, count(*) AS n, count(DISTINCT event_seq) AS events FROM notifications GROUP BY kind ORDER BY kind',
  );
  expect(rows.all()).toEqual([
    { kind: 'assigned', n: count, events: count },
    { kind: 'customer_replied', n: count, events: count },
  ]);
  kept.close();
  await post.close();
  own.remove();
});

/** Claimed ahead, and outcomes of 50 ms that share a commit. */
const inFlight = 16;
