// kill -9 while mail arrives: what was acknowledged is filed once, and what was stored is filed at the next start.

import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { mail } from '../desk/mail/mail-desk.ts';
import { helpdesk, newDirectory, serve, unlimited } from './executable.ts';
import { end, killAtWork, killsOf, untilNone } from './kills.ts';

const { path, remove } = newDirectory();
afterAll(remove);

const environment = { ...unlimited, HELPDESK_RATE_INBOUND: '0' };
let posted = 0;

/** Posts a mail from another sender; remembers its subject once it was answered. */
async function post(url: string, secret: string, answered: string[]): Promise<void> {
  posted += 1;
  const subject = `Mail ${posted}`;
  // Files and a long text make filing take longer.
  const body = mail({ from: `mia${posted}@customer.example`, subject, body: `${subject}\r\n`.repeat(500) });
  const answer = await fetch(`${url}/api/webhooks/raw/inbound/${secret}`, {
    ...{ method: 'POST', headers: { 'Content-Type': 'message/rfc822' }, body },
  });
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
  answered.push(subject);
}

const kills = killsOf(3);

test(`no mail is lost and none is filed twice, ${kills} kills over`, async () => {
  const answered: string[] = [];
  const { output } = await helpdesk(path, ['site', 'create', '--name', 'Web shop']);
  const secret = /inbound\/(hdi_\S+)/.exec(output)?.[1] ?? '';
  for (let round = 0; round < kills; round += 1) {
    const running = await serve(path, environment);
    const before = answered.length;
    await killAtWork(running, {
      workers: 8,
      turn: () => post(running.url, secret, answered),
      isEnough: () => answered.length >= before + 10 + 3 * (round % 4),
      ...(round % 2 === 1 ? { atWriteIn: path } : {}),
    });
  }
  const database = () => {
    const opened = new Database(join(path, 'data/helpdesk.db'), { readonly: true });
    opened.run('PRAGMA busy_timeout = 5000');
    return opened;
  };
  const count = (text: string) => {
    const opened = database();
    const { n } = opened.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${text}`).get() ?? { n: -1 };
    opened.close();
    return n;
  };
  const running = await serve(path, environment);
  await untilNone('all mail is filed', () => count("inbound_mail WHERE status = 'received'"));
  await end(running);
  expect(count("inbound_mail WHERE outcome <> 'ticket_created'")).toBe(0);
  expect(count('tickets')).toBe(count('inbound_mail'));
  expect(count('tickets')).toBeGreaterThanOrEqual(answered.length);
  const opened = database();
  const subjects = opened
    .query<{ subject: string }, []>('SELECT subject FROM tickets')
    .all()
    .map(({ subject }) => subject);
  const sound = opened.query('PRAGMA integrity_check').get();
  opened.close();
  expect(sound).toEqual({ integrity_check: 'ok' });
  expect(new Set(subjects).size).toBe(subjects.length);
  expect(answered.filter((subject) => !subjects.includes(subject))).toEqual([]);
});
