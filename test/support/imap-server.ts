// An IMAP server of a few messages that does, on command, what a good server never does.

import { createServer, type Socket } from 'node:net';

export interface ServedMessage {
  uid: number;
  text: string;
  date?: Date;
  size?: number;
}

/** What to answer instead: a text, which may lack its end; nothing at all; or the end of the connection. */
type Misdeed = string | Buffer | 'silence' | 'hang up' | undefined;

export interface ImapServer {
  port: number;
  messages: ServedMessage[];
  uidValidity: number;
  uidNext: number | null;
  capabilities: string;
  /** Commands that were asked, without their tags. */
  asked: string[];
  connections: number;
  /** @param line the command without its tag */
  misbehave: (line: string, tag: string) => Misdeed;
  /** Tells idle clients of news. */
  announce(): void;
  hangUp(): void;
  stop(): Promise<void>;
}

const monthNames = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const two = (number: number) => String(number).padStart(2, '0');
const internalDate = (at: Date) =>
  `${two(at.getUTCDate())}-${monthNames[at.getUTCMonth()]}-${at.getUTCFullYear()} ${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())} +0000`;

export async function startImapServer(messages: ServedMessage[] = []): Promise<ImapServer> {
  const sockets = new Set<Socket>();
  const idle = new Set<Socket>();
  /** How many messages each client knows of; of what came while it was busy, it hears in IDLE. */
  const told = new Map<Socket, number>();

  function tell(socket: Socket): void {
    told.set(socket, served.messages.length);
    socket.write(`* ${served.messages.length} EXISTS\r\n`);
  }

  const server = createServer((socket) => {
    served.connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      idle.delete(socket);
      told.delete(socket);
    });
    const greeting = served.misbehave('GREETING', '*');
    if (greeting === 'hang up') return void socket.destroy();
    if (greeting !== 'silence') socket.write(greeting ?? `* OK [CAPABILITY ${served.capabilities}] ready\r\n`);
    let heard = '';
    let idleTag = '';
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1');
      for (let end = heard.indexOf('\r\n'); end >= 0; end = heard.indexOf('\r\n')) {
        const line = heard.slice(0, end);
        heard = heard.slice(end + 2);
        if (line === 'DONE') {
          idle.delete(socket);
          socket.write(served.misbehave('DONE', idleTag) === 'silence' ? '' : `${idleTag} OK done\r\n`);
          continue;
        }
        const [, tag = '', command = ''] = /^(\S+) (.*)$/s.exec(line) ?? [];
        served.asked.push(command);
        if (/^IDLE/i.test(command)) idleTag = tag;
        const answer = served.misbehave(command, tag) ?? answerTo(command, tag);
        if (answer === 'silence') continue;
        if (answer === 'hang up') return void socket.destroy();
        socket.write(answer);
        if (/^(SELECT|EXAMINE)/i.test(command)) told.set(socket, served.messages.length);
        if (/^IDLE/i.test(command)) {
          idle.add(socket);
          if (told.get(socket) !== served.messages.length) tell(socket);
        }
        if (/^LOGOUT/i.test(command)) socket.end();
      }
    });
  });

  function answerTo(line: string, tag: string): string {
    const ok = `${tag} OK done\r\n`;
    const command = line.toUpperCase();
    if (command === 'CAPABILITY') return `* CAPABILITY ${served.capabilities}\r\n${ok}`;
    if (/^(SELECT|EXAMINE)/.test(command)) {
      const next = served.uidNext ?? Math.max(0, ...served.messages.map(({ uid }) => uid)) + 1;
      return [
        `* ${served.messages.length} EXISTS`,
        '* 0 RECENT',
        '* FLAGS (\\Seen)',
        `* OK [UIDVALIDITY ${served.uidValidity}] valid`,
        `* OK [UIDNEXT ${next}] next`,
        `${tag} OK [READ-WRITE] done\r\n`,
      ].join('\r\n');
    }
    if (command.startsWith('UID SEARCH')) {
      const [, from = '1', to = '*'] = /UID (\d+):(\d+|\*)/.exec(command.slice(4)) ?? [];
      const found = served.messages.filter(({ uid }) => uid >= Number(from) && (to === '*' || uid <= Number(to)));
      return `* SEARCH ${found.map(({ uid }) => uid).join(' ')}\r\n${ok}`;
    }
    if (command.startsWith('UID FETCH')) return fetched(line) + ok;
    if (command.startsWith('LIST')) return `* LIST () "/" INBOX\r\n${ok}`;
    if (command.startsWith('NAMESPACE')) return `* NAMESPACE (("" "/")) NIL NIL\r\n${ok}`;
    if (command.startsWith('IDLE')) return '+ idling\r\n';
    if (command.startsWith('LOGOUT')) return `* BYE bye\r\n${ok}`;
    return ok;
  }

  function fetched(line: string): string {
    const [, set = '', items = ''] = /^UID FETCH (\S+) (.*)$/i.exec(line) ?? [];
    const wanted = new Set(set.split(',').map(Number));
    const rows = served.messages.map((message, at) => ({ message, seq: at + 1 }));
    return rows
      .filter(({ message }) => wanted.has(message.uid))
      .map(({ message, seq }) => `* ${seq} FETCH (${partsOf(message, items).join(' ')})\r\n`)
      .join('');
  }

  function partsOf({ uid, text, date = new Date(), size }: ServedMessage, items: string): string[] {
    const parts = [`UID ${uid}`];
    const head = `${text.split('\r\n\r\n')[0]}\r\n\r\n`;
    const literal = (name: string, value: string) => parts.push(`${name} {${Buffer.byteLength(value)}}\r\n${value}`);
    if (/RFC822\.SIZE/i.test(items)) parts.push(`RFC822.SIZE ${size ?? Buffer.byteLength(text)}`);
    if (/INTERNALDATE/i.test(items)) parts.push(`INTERNALDATE "${internalDate(date)}"`);
    if (/HEADER\.FIELDS/i.test(items)) {
      const id = /^message-id:.*$/im.exec(head)?.[0] ?? '';
      literal('BODY[HEADER.FIELDS (MESSAGE-ID)]', `${id}\r\n\r\n`);
    } else if (/BODY\.PEEK\[HEADER\]/i.test(items)) literal('BODY[HEADER]<0>', head);
    const [, start = '0', length = '0'] = /BODY\.PEEK\[\]<(\d+)\.(\d+)>/i.exec(items) ?? [];
    if (Number(length) > 0)
      literal(
        `BODY[]<${start}>`,
        Buffer.from(text)
          .subarray(Number(start), Number(start) + Number(length))
          .toString(),
      );
    return parts;
  }

  const served: ImapServer = {
    port: 0,
    messages,
    uidValidity: 7,
    uidNext: null,
    capabilities: 'IMAP4rev1 IDLE AUTH=PLAIN SASL-IR',
    asked: [],
    connections: 0,
    misbehave: () => undefined,
    announce() {
      for (const socket of idle) tell(socket);
    },
    hangUp() {
      for (const socket of sockets) socket.destroy();
    },
    async stop() {
      served.hangUp();
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      await promise;
    },
  };
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', () => resolve());
  await promise;
  served.port = (server.address() as { port: number }).port;
  return served;
}
