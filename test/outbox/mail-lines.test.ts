// Each mail server has a line of its own in the outbox: one that hangs holds up no mail that another one takes.

import { afterEach, expect, test } from 'bun:test';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { silentLog } from '../../src/base/log.ts';
import { addMailbox, mailboxes } from '../../src/desk/mail/mailboxes.ts';
import { changeTicket } from '../../src/desk/tickets/change-ticket.ts';
import { replyAsAgent } from '../../src/desk/tickets/replies.ts';
import { mailboxInput } from '../../src/domain/input/mailboxes.ts';
import { parseAllowList } from '../../src/net/allow-list.ts';
import { createMailHosts } from '../../src/net/mail-hosts.ts';
import { smtpTransport } from '../../src/outbox/mail-transport.ts';
import { withMailboxes } from '../../src/outbox/mailbox-servers.ts';
import { senderRows } from '../../src/store/sites/catalogue.ts';
import { type SendingDesk, sendingDesk, until } from './sending.ts';

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** Takes connections, and says nothing. */
async function silentServer(): Promise<{ port: number; sockets: Set<Socket> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  open.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return { port: (server.address() as AddressInfo).port, sockets };
}

async function takingServer(): Promise<{ port: number; taken: string[] }> {
  const taken: string[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) => done(null, { user: 'help' }),
    onRcptTo({ address }, _session, done) {
      taken.push(address);
      done();
    },
    onData(stream, _session, done) {
      stream.on('end', () => done()).resume();
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(() => new Promise((resolve) => server.close(() => resolve(null))));
  return { port: (server.server.address() as AddressInfo).port, taken };
}

/** A desk with mailboxes by name, each with the server at this port; the first is the default sender. */
async function deskWith(ownPort: number, ports: Record<string, number>) {
  const made = await sendingDesk({ transport: smtpTransport(`smtp://127.0.0.1:${ownPort}`) });
  open.push(made.close);
  const ctx = made.desk.context({ kind: 'command_line' }, 'test');
  const allow = parseAllowList('127.0.0.1');
  const route = {
    ...createMailHosts(allow, async () => [{ address: '127.0.0.1', family: 4 }]),
    accessToken: () => Promise.reject(new Error('no OAuth here')),
  };
  const { transport } = made.options;
  made.options.transport = withMailboxes(transport, { desk: made.desk, route, log: silentLog });
  for (const [name, port] of Object.entries(ports)) {
    const outgoing = { host: 'localhost', port, tls: 'none', user: 'help' };
    const input = mailboxInput.parse({ name, address: `${name}@shop.example`, password: 'x', outgoing });
    await made.desk.write((tx) => addMailbox(tx, ctx, 'web-shop', input));
  }
  const senderOf = (name: string) =>
    made.desk.read((tx) => senderRows.list(tx, made.site.id).find((row) => row.address === `${name}@shop.example`)?.id);
  return { made, ctx, senderOf };
}

const linesOf = (made: SendingDesk) =>
  made.sent("status = 'queued'").map((row) => (row as unknown as { mailbox_id: number | null }).mailbox_id);

test('a mailbox whose server hangs holds up no other mailbox', async () => {
  const [hanging, taking, own] = [await silentServer(), await takingServer(), await takingServer()];
  const { made, ctx, senderOf } = await deskWith(own.port, { hung: hanging.port, good: taking.port });
  for (let at = 0; at < 12; at += 1) await made.open(`Ticket ${at}`, `stuck${at}@example.org`);
  expect(new Set(linesOf(made))).toEqual(new Set([1]));
  const dispatcher = made.dispatcher();
  made.desk.writer.onCommit(dispatcher.wake);
  dispatcher.wake();
  await until(() => hanging.sockets.size > 0);
  const ticket = await made.open('For the other', 'stuck12@example.org');
  await made.desk.write((tx) => {
    changeTicket(tx, ctx, ticket.id, { sender_id: senderOf('good') ?? 0 }, null);
    return replyAsAgent(tx, ctx, ticket.id, { body: 'Take this.', to: [{ email: 'mia@example.org', name: null }] });
  });
  await until(() => taking.taken.includes('mia@example.org'));
  await until(() => made.sent("status = 'delivered'").length === 1);
  // Only what a new line may try at once.
  expect(hanging.sockets.size).toBe(1);
});

test('mail waits in the line of the server that takes it by now', async () => {
  const [hanging, own] = [await silentServer(), await takingServer()];
  const { made, ctx } = await deskWith(own.port, { hung: hanging.port });
  await made.open('First', 'mia@example.org');
  expect(linesOf(made)).toEqual([1]);
  await made.desk.write((tx) => mailboxes.remove(tx, ctx, 'web-shop', 1, null));
  await made.dispatcher().runDue();
  expect(own.taken).toEqual(['mia@example.org']);
});

test('a desk whose own server hangs still sends through mailboxes', async () => {
  const [hanging, taking] = [await silentServer(), await takingServer()];
  const { made, ctx } = await deskWith(hanging.port, {});
  for (let at = 0; at < 6; at += 1) await made.open(`Ticket ${at}`, `stuck${at}@example.org`);
  const dispatcher = made.dispatcher();
  made.desk.writer.onCommit(dispatcher.wake);
  dispatcher.wake();
  await until(() => hanging.sockets.size === 4);
  const outgoing = { host: 'localhost', port: taking.port, tls: 'none', user: 'help' };
  const input = mailboxInput.parse({ name: 'Good', address: 'good@shop.example', password: 'x', outgoing });
  await made.desk.write((tx) => addMailbox(tx, ctx, 'web-shop', input));
  await made.open('Second', 'mia@example.org');
  await until(() => taking.taken.includes('mia@example.org'));
});
