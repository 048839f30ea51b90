// kill -9 while mail arrives: what was acknowledged is filed once, and what was stored is filed at the next start.

import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { mail } from '../desk/mail/mail-desk.ts';
import { helpdesk, newDirectory, serve, unlimited } from './executable.ts';

const { path, remove } = newDirectory();
afterAll(remove);

const environment = { ...unlimited, HELPDESK_RATE_INBOUND: '0' };
let posted = 0;

/** Posts one mail after the other, each from another sender; remembers the subjects of those that were answered. */
async function post(url: string, secret: string, answered: string[], isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    posted += 1;
    const subject = `Mail ${posted}`;
    // Files and a long text make filing take longer.
    const body = mail({ from: `mia${posted}@customer.example`, subject, body: `${subject}\r\n`.repeat(2000) });
    try {
      const answer = await fetch(`${url}/api/webhooks/raw/inbound/${secret}`, {
        method: 'POST',
        headers: { 'Content-Type': 'message/rfc822' },
        body,
      });
      if (answer.status === 200) answered.push(subject);
    } catch (error) {
      // The server was killed during this request: it may be in the inbound log or not.
      if (!(error instanceof Error)) throw error;
      await Bun.sleep(1);
    }
  }
}

test('no mail is lost and none is filed twice, four kills over', async () => {
  const answered: string[] = [];
  const { output } = await helpdesk(path, ['site', 'create', '--name', 'Web shop']);
  const secret = /inbound\/(hdi_\S+)/.exec(output)?.[1] ?? '';
  for (let round = 0; round < 4; round += 1) {
    const running = await serve(path, environment);
    let isOver = false;
    const senders = Array.from({ length: 8 }, () => post(running.url, secret, answered, () => isOver));
    // However slow the machine is, each kill comes while mail is being answered and filed.
    const before = answered.length;
    while (answered.length < before + 10) await Bun.sleep(10);
    await Bun.sleep(round * 170);
    running.signal('SIGKILL');
    isOver = true;
    await running.exited;
    await Promise.all(senders);
  }
  expect(answered.length).toBeGreaterThan(30);
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
  const unfiled = () => count("inbound_mail WHERE status = 'received'");
  for (let [left, since] = [unfiled(), performance.now()]; left > 0; await Bun.sleep(50)) {
    const now = unfiled();
    if (now < left) [left, since] = [now, performance.now()];
    if (performance.now() - since > 30_000) throw new Error('mail is never filed');
  }
  running.signal('SIGTERM');
  await running.exited;
  expect(count("inbound_mail WHERE status = 'received'")).toBe(0);
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
