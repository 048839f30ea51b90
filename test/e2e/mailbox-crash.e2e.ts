// kill -9 at every step between the list and the flag of a mailbox: nothing is lost, and nothing is filed twice.

import { Database } from 'bun:sqlite';
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { mail } from '../desk/mail/mail-desk.ts';
import { type Dovecot, startDovecot } from '../support/dovecot.ts';
import { newDirectory, type Served, serve, siteAndToken, unlimited } from './executable.ts';

setDefaultTimeout(600_000);

const { path, remove } = newDirectory();
let dovecot: Dovecot | null = null;
let stopProxy: () => void = () => undefined;
afterAll(async () => {
  stopProxy();
  await dovecot?.stop();
  remove();
});

/** When the desk is killed: at a command, before the server hears it or after, and so many milliseconds later. */
const moments: [command: RegExp, isHeard: boolean, laterMs: number][] = [
  [/UID SEARCH/i, false, 0],
  [/RFC822\.SIZE/i, true, 0],
  [/BODY\.PEEK\[\]/i, false, 0],
  [/BODY\.PEEK\[\]/i, true, 0],
  [/BODY\.PEEK\[\]/i, true, 3],
  [/BODY\.PEEK\[\]/i, true, 10],
  [/BODY\.PEEK\[\]/i, true, 30],
  [/BODY\.PEEK\[\]/i, true, 90],
  [/UID MOVE/i, false, 0],
  [/UID MOVE/i, true, 0],
  [/UID MOVE/i, true, 2],
  [/UID MOVE/i, true, 20],
];

const kills = Number(process.env.HELPDESK_KILLS ?? moments.length);

let strike: ((line: string, isHeard: boolean) => void) | null = null;

/** Between the desk and Dovecot, to know which step comes. */
async function startProxy(to: number): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(to, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    upstream.on('data', (chunk) => client.write(chunk));
    client.on('data', (chunk) => {
      const line = chunk.toString('latin1');
      strike?.(line, false);
      upstream.write(chunk);
      strike?.(line, true);
    });
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', () => resolve());
  await promise;
  stopProxy = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return (server.address() as { port: number }).port;
}

async function until(holds: () => boolean | Promise<boolean>, what: () => unknown): Promise<void> {
  for (const end = Date.now() + 60_000; !(await holds()); await Bun.sleep(20))
    if (Date.now() > end) throw new Error(`it did not come to that: ${JSON.stringify(what())}`);
}

test(`no mail is lost and none is filed twice, ${kills} kills over`, async () => {
  dovecot = await startDovecot();
  const { count, deliver } = dovecot;
  const port = await startProxy(dovecot.ports.plain);
  const { teamToken } = await siteAndToken(path);
  const environment = { ...unlimited, HELPDESK_MAIL_ALLOW: '127.0.0.1' };
  const sent: string[] = [];
  const more = () => {
    for (let each = 0; each < 3; each += 1) {
      const subject = `Mail ${sent.length + 1}`;
      sent.push(subject);
      deliver(mail({ from: `mia${sent.length}@customer.example`, subject }));
    }
  };
  let running: Served = await serve(path, environment);
  const answer = await fetch(`${running.url}/api/v1/sites/web-shop/mailboxes`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${teamToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      name: 'Support',
      address: 'help@shop.example',
      password: dovecot.password,
      first_days: 30,
      incoming: {
        ...{ host: '127.0.0.1', port, tls: 'none', user: dovecot.user },
        ...{ after_filing: 'move', move_to: 'Done' },
      },
    }),
  });
  expect(answer.status, await answer.text()).toBe(201);
  running.signal('SIGTERM');
  await running.exited;
  for (let round = 0; round < kills; round += 1) {
    const [command, isHeard, firstMs] = moments[round % moments.length] as (typeof moments)[number];
    const lap = Math.floor(round / moments.length);
    // Each time round a little later, or at another of the three messages.
    let passes = command.source.startsWith('BODY') ? lap % 3 : 0;
    const laterMs = firstMs === 0 ? 0 : firstMs + 3 * lap;
    more();
    const struck = Promise.withResolvers<void>();
    running = await serve(path, environment);
    const { signal } = running;
    strike = (line, heard) => {
      if (heard !== isHeard || !command.test(line) || passes-- > 0) return;
      strike = null;
      const kill = () => {
        signal('SIGKILL');
        struck.resolve();
      };
      if (laterMs === 0) kill();
      else setTimeout(kill, laterMs);
    };
    await struck.promise;
    await running.exited;
  }
  strike = null;
  running = await serve(path, environment);
  await until(
    () => count('INBOX').all === 0 && count('Done').all === sent.length,
    () => [count('INBOX'), count('Done'), running.errors().slice(-500)],
  );
  const rows = <Row>(text: string) => {
    const opened = new Database(join(path, 'data/helpdesk.db'), { readonly: true });
    opened.run('PRAGMA busy_timeout = 5000');
    const found = opened.query<Row, []>(text).all();
    opened.close();
    return found;
  };
  await until(
    () => rows("SELECT 1 FROM inbound_mail WHERE status = 'received'").length === 0,
    () => rows("SELECT * FROM inbound_mail WHERE status = 'received'"),
  );
  running.signal('SIGTERM');
  await running.exited;
  const filed = rows<{ subject: string }>('SELECT subject FROM tickets').map(({ subject }) => subject);
  expect(filed.toSorted()).toEqual(sent.toSorted());
  expect(rows<{ outcome: string }>("SELECT outcome FROM inbound_mail WHERE outcome <> 'ticket_created'")).toEqual([]);
  expect(rows<object>('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
});
