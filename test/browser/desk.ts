// The executable with a mail server, at an address where browsers allow passkeys.

import { Database } from 'bun:sqlite';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import { randomSecret } from '../../src/base/crypto.ts';
import { readOrCreateKey } from '../../src/data/secret-key.ts';
import { helpdesk, newDirectory, serve } from '../e2e/executable.ts';
import { patienceMs } from './wait.ts';

export interface BrowserDesk {
  url: string;
  /** What it printed at its start. */
  output: () => string;
  /** Runs a command on its data, and reads its JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
  command: (...args: string[]) => Promise<any>;
  /** Changes its database behind its back: what otherwise takes minutes. */
  sql: (statement: string) => void;
  /** A session of an agent, as if they had signed in. @returns what the cookie holds */
  session: (email: string) => string;
  /** Waits for the next mail, and throws when none comes. */
  mail: () => Promise<ParsedMail>;
  /** From now on the mail server answers nothing. @returns lets it answer again */
  holdMail: () => () => void;
  /** Ends the process and starts it again at the same address. */
  stop: () => Promise<void>;
  start: () => Promise<void>;
  close: () => Promise<void>;
}

interface ReservedPort {
  port: number;
  release: () => Promise<void>;
}

const firstPort = 20_000;
const ports = 5_000;

/**
 * A port that is the desk's also while it is stopped: its address is known before it starts, and is the same afterwards. It
 * lies below those that systems give out by themselves. As long as its second port is held, no other test takes it.
 */
async function reservePort(): Promise<ReservedPort> {
  const start = Math.floor(Math.random() * ports);
  for (let at = 0; at < ports; at += 1) {
    const port = firstPort + ((start + at) % ports);
    const release = await hold(port + ports);
    const free = release === null ? null : await hold(port);
    await free?.();
    if (release !== null && free !== null) return { port, release };
    await release?.();
  }
  throw new Error(`No port from ${firstPort} to ${firstPort + ports - 1} is free.`);
}

/** @returns frees it again; null if someone else has it */
async function hold(port: number): Promise<(() => Promise<void>) | null> {
  const server = createServer();
  const isHeld = await new Promise<boolean>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(true));
  });
  return isHeld ? () => new Promise((resolve) => server.close(() => resolve())) : null;
}

/** Written beside the desk: a link for each would need a process of the executable and another page. */
function newSession(data: string, email: string): string {
  const secret = randomSecret('hdp');
  const hash = readOrCreateKey(data, null).fingerprint('session', secret);
  const database = new Database(join(data, 'helpdesk.db'));
  database.run('PRAGMA busy_timeout = 5000');
  const now = Date.now();
  const { changes } = database.run(
    `INSERT INTO sessions (agent_id, token_hash, method, has_second_factor, address, confirmed_at, last_used_at, created_at)
      SELECT id, ?, 'link', 0, '127.0.0.1', ?, ?, ? FROM agents WHERE email = ?`,
    [hash, now, now, now, email],
  );
  database.close();
  if (changes !== 1) throw new Error(`There is no agent ${email}.`);
  return secret;
}

/**
 * @param host the name in the address of the desk
 * @param flags of `serve`, such as `--demo`
 */
export async function startDesk(
  host = 'localhost',
  environment: Record<string, string> = {},
  flags: readonly string[] = [],
): Promise<BrowserDesk> {
  const { path, remove } = newDirectory();
  const arrived: Buffer[] = [];
  let held: Promise<void> | null = null;
  const mailServer = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        await held;
        arrived.push(Buffer.concat(chunks));
        done();
      });
    },
  });
  mailServer.on('error', () => undefined);
  await new Promise<void>((resolve) => mailServer.listen(0, '127.0.0.1', resolve));
  const { port: mailPort } = mailServer.server.address() as AddressInfo;
  const { port, release } = await reservePort();
  const url = `http://${host}:${port}`;
  const settings = {
    HELPDESK_BASE_URL: url,
    HELPDESK_SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
    HELPDESK_RATE_OTHER: '0',
    HELPDESK_RATE_AUTH_FAILURES: '0',
    ...environment,
  };
  const start = () => serve(path, settings, ['--port', String(port), ...flags]);
  let running = await start();
  const stop = async () => {
    running.signal('SIGTERM');
    await running.exited;
  };
  return {
    url,
    output: () => running.output(),
    async command(...args) {
      const { code, errors, json } = await helpdesk(path, [...args, '--json']);
      if (code !== 0) throw new Error(errors);
      return json();
    },
    sql(statement) {
      const database = new Database(join(path, 'data/helpdesk.db'));
      database.run('PRAGMA busy_timeout = 5000');
      database.run(statement);
      database.close();
    },
    session: (email) => newSession(join(path, 'data'), email),
    async mail() {
      const end = performance.now() + patienceMs;
      while (arrived.length === 0) {
        if (performance.now() > end) throw new Error(`No mail came. The desk printed:\n${running.output()}`);
        await Bun.sleep(20);
      }
      return await simpleParser(arrived.shift() ?? '');
    },
    holdMail() {
      const gate = Promise.withResolvers<void>();
      held = gate.promise;
      return () => {
        held = null;
        gate.resolve();
      };
    },
    stop,
    async start() {
      running = await start();
    },
    async close() {
      await stop();
      await release();
      await new Promise((resolve) => mailServer.close(() => resolve(null)));
      remove();
    },
  };
}
