// kill -9 at every step between the list and the flag of a mailbox: nothing is lost, and nothing is filed twice.

import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { mail } from '../desk/mail/mail-desk.ts';
import { type Dovecot, startDovecot } from '../support/dovecot.ts';
import { newDirectory, type Served, serve, siteAndToken, unlimited } from './executable.ts';
import { answered, atWrite, end, killsOf, untilNone } from './kills.ts';

const { path, remove } = newDirectory();
let dovecot: Dovecot | null = null;
let stopProxy: () => void = () => undefined;
let stopWatching: () => void = () => undefined;
afterAll(async () => {
  stopProxy();
  await dovecot?.stop();
  remove();
});

type Step = 'said' | 'heard' | 'answered';

/**
 * When the desk is killed: at a command, before the server hears it, once the server has it, or once the desk has the
 * answer; or at so many writes to the log of the database after that.
 */
const moments: [command: RegExp, step: Step, writes: number][] = [
  [/UID SEARCH/i, 'said', 0],
  [/RFC822\.SIZE/i, 'heard', 0],
  [/BODY\.PEEK\[\]/i, 'said', 0],
  [/BODY\.PEEK\[\]/i, 'heard', 0],
  [/BODY\.PEEK\[\]/i, 'answered', 0],
  [/BODY\.PEEK\[\]/i, 'answered', 1],
  [/BODY\.PEEK\[\]/i, 'answered', 2],
  [/UID MOVE/i, 'said', 0],
  [/UID MOVE/i, 'heard', 0],
  [/UID MOVE/i, 'answered', 0],
  [/UID MOVE/i, 'answered', 1],
];

const kills = killsOf(moments.length);

let strike: ((line: string, step: Step) => void) | null = null;

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
    let asked = '';
    upstream.on('data', (chunk) => {
      client.write(chunk);
      const line = asked;
      asked = '';
      strike?.(line, 'answered');
    });
    client.on('data', (chunk) => {
      asked = chunk.toString('latin1');
      strike?.(asked, 'said');
      upstream.write(chunk);
      strike?.(asked, 'heard');
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
  await answered(`${running.url}/api/v1/sites/web-shop/mailboxes`, {
    status: 201,
    headers: { Authorization: `Bearer ${teamToken}` },
    body: {
      name: 'Support',
      address: 'help@shop.example',
      password: dovecot.password,
      first_days: 30,
      incoming: {
        ...{ host: '127.0.0.1', port, tls: 'none', user: dovecot.user },
        ...{ after_filing: 'move', move_to: 'Done' },
      },
    },
  });
  await end(running);
  for (let round = 0; round < kills; round += 1) {
    const [command, step, writes] = moments[round % moments.length] as (typeof moments)[number];
    // Each time round at another of the three messages.
    let passes = command.source.startsWith('BODY') ? Math.floor(round / moments.length) % 3 : 0;
    more();
    const struck = Promise.withResolvers<void>();
    running = await serve(path, environment);
    const { signal } = running;
    const kill = () => {
      signal('SIGKILL');
      struck.resolve();
    };
    strike = (line, now) => {
      if (now !== step || !command.test(line) || passes-- > 0) return;
      strike = null;
      if (writes === 0) kill();
      else stopWatching = atWrite(path, writes, kill);
    };
    await struck.promise;
    stopWatching();
    await running.exited;
  }
  strike = null;
  running = await serve(path, environment);
  await untilNone('every mail was fetched and moved', () => count('INBOX').all + sent.length - count('Done').all);
  const rows = <Row>(text: string) => {
    const opened = new Database(join(path, 'data/helpdesk.db'), { readonly: true });
    opened.run('PRAGMA busy_timeout = 5000');
    const found = opened.query<Row, []>(text).all();
    opened.close();
    return found;
  };
  await untilNone('every mail is filed', () => rows("SELECT 1 FROM inbound_mail WHERE status = 'received'").length);
  await end(running);
  const filed = rows<{ subject: string }>('SELECT subject FROM tickets').map(({ subject }) => subject);
  expect(filed.toSorted()).toEqual(sent.toSorted());
  expect(rows<{ outcome: string }>("SELECT outcome FROM inbound_mail WHERE outcome <> 'ticket_created'")).toEqual([]);
  expect(rows<object>('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
});
