// Requests written byte by byte to a socket: what no honest client would send.

import { connect, type Socket } from 'node:net';

interface Conversation {
  socket: Socket;
  said: () => string;
  /** Bytes given to the socket. */
  sent: () => number;
  send(bytes: string | Uint8Array): void;
  /** Sends `bytes` repeatedly until the connection ends or `most` bytes are sent. */
  flood(bytes: Uint8Array, most: number): Promise<void>;
  /** Waits until the server's answer matches. */
  until(pattern: RegExp): Promise<string>;
  /** Waits until the server has ended the connection. */
  closed: Promise<void>;
}

export function converse(url: string, head: string): Conversation {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const over = Promise.withResolvers<void>();
  let said = '';
  let sent = 0;
  let tell: () => void = () => undefined;
  socket.on('data', (bytes) => {
    said += bytes.toString('latin1');
    tell();
  });
  // The server is expected to close the connection.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    over.resolve();
    tell();
  });
  const send = (bytes: string | Uint8Array) => {
    sent += bytes.length;
    return socket.write(bytes);
  };
  send(head);
  return {
    socket,
    said: () => said,
    sent: () => sent,
    send,
    async flood(bytes, most) {
      while (!socket.destroyed && sent < most) {
        if (send(bytes)) await new Promise((resolve) => setImmediate(resolve));
        else await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), over.promise]);
      }
    },
    async until(pattern) {
      while (!pattern.test(said)) {
        if (socket.destroyed) throw new Error(`The connection ended after: ${said}`);
        await new Promise<void>((resolve) => {
          tell = resolve;
        });
      }
      return said;
    },
    closed: over.promise,
  };
}

export function requestHead(method: string, path: string, headers: Record<string, string>): string {
  const lines = Object.entries({ Host: 'desk.example', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** A piece of a chunked body. */
export function chunk(content: string | Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`${content.length.toString(16)}\r\n`), Buffer.from(content), Buffer.from('\r\n')]);
}
