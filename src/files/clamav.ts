// A virus scanner that is asked over a socket: clamd's INSTREAM, one connection for each file.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { truncate } from '../domain/text.ts';

/**
 * `found`: what clamd calls it. `unclear`: the scanner works, but not for this file. `down`: it cannot be asked about any;
 * `hadFile`: perhaps because of this one.
 */
export type Verdict =
  | { kind: 'clean' }
  | { kind: 'infected'; found: string }
  | { kind: 'unclear'; why: string }
  | { kind: 'down'; why: string; hadFile: boolean };

export interface Scanner {
  scan(bytes: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<Verdict>;
  isUp(): Promise<boolean>;
  /** When a file was scanned last; null before the first. */
  wasUp(): boolean | null;
}

const chunkBytes = 64 * 1024;
const longestAnswer = 4096;
const pingMs = 5_000;

interface Asked {
  answer: string;
  /** The scanner had the whole file when it answered. */
  isSent: boolean;
  isConnected: boolean;
  why: string;
}

export const scannerAt = (address: string | null): Scanner | null => (address === null ? null : createScanner(address));

/** @param address a path, or host:port */
export function createScanner(address: string, silentMs = 60_000): Scanner {
  const target = targetOf(address);
  let wasUp: boolean | null = null;

  async function ask(command: string, body: AsyncIterable<Uint8Array> | null, waitMs: number, signal?: AbortSignal) {
    const asked: Asked = { answer: '', isSent: false, isConnected: false, why: 'it closed the connection' };
    const socket = connect(target);
    const closed = Promise.withResolvers<void>();
    const fail = (why: string) => {
      asked.why = why;
      socket.destroy();
    };
    const abort = () => fail('the desk stops');
    socket.setTimeout(waitMs, () => fail(`it said nothing for ${waitMs / 1000} seconds`));
    socket.on('connect', () => {
      asked.isConnected = true;
    });
    socket.on('data', (chunk: Buffer) => {
      asked.answer += chunk.toString('latin1');
      if (asked.answer.includes('\0')) socket.destroy();
      else if (asked.answer.length > longestAnswer) fail('its answer does not end');
    });
    socket.on('error', (error) => {
      asked.why = error.message;
    });
    socket.on('close', () => closed.resolve());
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
    try {
      await write(socket, Buffer.from(`z${command}\0`), closed.promise);
      if (body !== null) await stream(socket, body, closed.promise);
      asked.isSent = !socket.destroyed;
      await closed.promise;
      return asked;
    } finally {
      socket.destroy();
      signal?.removeEventListener('abort', abort);
    }
  }

  async function isUp(): Promise<boolean> {
    return (await ask('PING', null, Math.min(pingMs, silentMs))).answer === 'PONG\0';
  }

  async function judge(asked: Asked): Promise<Verdict> {
    const verdict = verdictIn(asked);
    if (verdict !== null) return verdict;
    const why = asked.answer === '' ? asked.why : `it answered ${JSON.stringify(plain(asked.answer))}`;
    if (!asked.isConnected) return { kind: 'down', why, hadFile: false };
    return (await isUp()) ? { kind: 'unclear', why } : { kind: 'down', why, hadFile: true };
  }

  return {
    isUp,
    wasUp: () => wasUp,
    async scan(bytes, signal) {
      const verdict = await judge(await ask('INSTREAM', bytes, silentMs, signal));
      if (!signal?.aborted) wasUp = verdict.kind !== 'down';
      return verdict;
    },
  };
}

function verdictIn({ answer, isSent }: Asked): Verdict | null {
  // An answer without its end may be cut.
  const [, words] = /^stream: ([^\0]*)\0$/.exec(answer) ?? [];
  if (words === undefined) return null;
  const [, found] = /^(.*) FOUND$/s.exec(words) ?? [];
  if (found !== undefined) return { kind: 'infected', found: plain(found) || 'unknown' };
  return words === 'OK' && isSent ? { kind: 'clean' } : null;
}

/** Its words are shown to people. */
const plain = (text: string) => truncate(text.replace(/[^\x21-\x7e]+/g, ' ').trim(), 100);

function targetOf(address: string): { path: string } | { host: string; port: number } {
  if (address.startsWith('/')) return { path: address };
  const at = address.lastIndexOf(':');
  return { host: address.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(address.slice(at + 1)) };
}

export async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function stream(socket: Socket, body: AsyncIterable<Uint8Array>, closed: Promise<void>): Promise<void> {
  for await (const part of body) {
    for (let at = 0; at < part.length; at += chunkBytes) {
      if (socket.destroyed) return;
      const chunk = part.subarray(at, at + chunkBytes);
      const length = Buffer.alloc(4);
      length.writeUInt32BE(chunk.length);
      socket.write(length);
      await write(socket, chunk, closed);
    }
  }
  await write(socket, Buffer.alloc(4), closed);
}

async function write(socket: Socket, bytes: Uint8Array, closed: Promise<void>): Promise<void> {
  if (socket.destroyed || socket.write(bytes)) return;
  const drained = new AbortController();
  await Promise.race([once(socket, 'drain', drained).catch(() => undefined), closed]);
  drained.abort();
}
