// Two executables, each in the Cc of the other's ticket and both with acknowledgements on: they stop by themselves.

import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { waitUntil } from '../browser/wait.ts';
import { mail } from '../desk/mail/mail-desk.ts';
import { newDirectory, type Served, serve, siteAndToken, unlimited } from './executable.ts';
import { openPostOffice } from './post-office.ts';

interface Desk {
  domain: string;
  served: Served;
  siteToken: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
  ask: (method: string, target: string, body?: object) => Promise<any>;
  path: string;
  take: (to: string, raw: string | Buffer, from: string) => Promise<string>;
}

const desks: Desk[] = [];
const carried: string[] = [];
const office = await openPostOffice(async (to, raw, from) => {
  const desk = desks.find(({ domain }) => to.endsWith(`@${domain}`));
  if (desk === undefined) return false;
  carried.push(`${to} ${await desk.take(to, raw, from)}`);
  return true;
});
const folders: (() => void)[] = [];
afterAll(async () => {
  for (const { served } of desks) {
    served.signal('SIGTERM');
    await served.exited;
  }
  await office.close();
  for (const remove of folders) remove();
});

async function start(domain: string): Promise<Desk> {
  const { path, remove } = newDirectory();
  folders.push(remove);
  const served = await serve(path, {
    ...unlimited,
    HELPDESK_SMTP_URL: office.url,
    HELPDESK_INBOUND_DOMAIN: domain,
    HELPDESK_MAIL_FROM: `support@${domain}`,
    HELPDESK_RATE_INBOUND: '0',
  });
  const { siteToken, teamToken } = await siteAndToken(path);
  const ask: Desk['ask'] = async (method, target, body) => {
    const answer = await fetch(`${served.url}/api/v1${target}`, {
      method,
      headers: { Authorization: `Bearer ${teamToken}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(answer.status).toBeLessThan(300);
    return await answer.json();
  };
  const [site] = (await ask('GET', '/sites')).data;
  const inbound = new URL(site.inbound_webhook_url).pathname.replace(/webhooks\/\w+\//, 'webhooks/raw/');
  const desk: Desk = {
    path,
    domain,
    served,
    siteToken,
    ask,
    async take(to, raw, from) {
      const answer = await fetch(served.url + inbound, {
        method: 'POST',
        headers: { 'Content-Type': 'message/rfc822', 'X-Envelope-From': from, 'X-Envelope-To': to },
        body: typeof raw === 'string' ? raw : new Uint8Array(raw),
      });
      return ((await answer.json()) as { outcome: string }).outcome;
    },
  };
  desks.push(desk);
  return desk;
}

/** What each has to send and to file, and how much it has had to. */
const work = () =>
  desks.map(({ path }) => {
    const database = new Database(join(path, 'data/helpdesk.db'), { readonly: true });
    database.run('PRAGMA busy_timeout = 5000');
    const found = database
      .query<{ left: number; all: number }, []>(
        `SELECT (SELECT count(*) FROM deliveries WHERE status = 'queued') + (SELECT count(*) FROM inbound_mail WHERE status = 'received') AS left,
           (SELECT count(*) FROM deliveries) + (SELECT count(*) FROM inbound_mail) AS "all"`,
      )
      .get();
    database.close();
    return found ?? { left: -1, all: -1 };
  });

/** What came to the desks since the last time, once neither has anything left to do. */
async function exchanged(): Promise<string[]> {
  // Two looks that find the same: between them, neither gave the other anything.
  await waitUntil(
    'both desks have done their work',
    () => [work(), work()],
    ([one, other]) => JSON.stringify(one) === JSON.stringify(other) && (one ?? []).every(({ left }) => left === 0),
  );
  return carried.splice(0).toSorted();
}

test('mail to both of them, and what their agents write', async () => {
  const here = await start('here.example');
  const there = await start('there.example');
  const first = mail({
    to: 'support@here.example',
    headers: ['Cc: support@there.example'],
    id: '<first@customer.example>',
  });
  for (const desk of [here, there])
    expect(await desk.take(`support@${desk.domain}`, first, 'mia@customer.example')).toBe('ticket_created');
  expect(await exchanged()).toEqual([]);
  expect(office.mailbox('mia@customer.example')).toHaveLength(2);
  const ulidOn = async ({ ask }: Desk) => (await ask('GET', '/tickets?q=printer')).data[0].ulid as string;
  const [one, two] = [await ulidOn(here), await ulidOn(there)];
  await here.ask('POST', `/tickets/${one}/messages`, { body: 'From here.' });
  expect(await exchanged()).toEqual(['support@there.example reply_added']);
  await there.ask('POST', `/tickets/${two}/messages`, { body: 'From there.' });
  expect(await exchanged()).toEqual(['support@here.example reply_added']);
  for (const [desk, ulid] of [
    [here, one],
    [there, two],
  ] as const) {
    const { messages } = (await desk.ask('GET', `/tickets/${ulid}`)).data;
    expect(messages).toHaveLength(3);
    await desk.ask('PATCH', `/tickets/${ulid}`, { status: 'resolved' });
  }
  expect(await exchanged()).toEqual([]);
});

test('a ticket that one opens for the other is acknowledged once, and the acknowledgement is not answered', async () => {
  const [here] = desks as [Desk, Desk];
  const [site] = (await here.ask('GET', '/sites')).data;
  const asked = {
    site_id: site.id,
    email: 'support@there.example',
    subject: 'Spare parts',
    message: 'Do you have one?',
  };
  const { ulid } = (
    await here.ask('POST', '/tickets', { ...asked, notify_author: true, cc: [{ email: 'support@here.example' }] })
  ).data;
  expect(await exchanged()).toEqual([
    'support@there.example ticket_created',
    // To where the mail wants its answers.
    `ticket+${ulid.toLowerCase()}@here.example ignored_auto_reply`,
  ]);
  const { messages } = (await here.ask('GET', `/tickets/${ulid}`)).data;
  expect(messages.map(({ is_internal }: { is_internal: boolean }) => is_internal)).toEqual([false, true]);
});
