// A webhook receiver on loopback that answers by path, well or badly, and remembers what it got.

import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net';

interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver {
  port: number;
  url(path: string): string;
  received: Received[];
  close(): Promise<void>;
}

const behaviours: Record<string, (response: ServerResponse, port: number, body: string) => void> = {
  '/ok': (response) => response.end('thank you'),
  '/echo': (response, _port, body) => response.end(body.slice(0, 2000)),
  '/500': (response) => response.writeHead(500).end('broken'),
  '/429': (response) => response.writeHead(429, { 'retry-after': '120' }).end(),
  '/410': (response) => response.writeHead(410).end(),
  '/redirect': (response, port) => response.writeHead(307, { location: `http://127.0.0.1:${port}/ok` }).end(),
  '/nothing': () => undefined,
  '/hang-up': (response) => response.socket?.destroy(),
  '/euro-signs': (response) => response.end('€'.repeat(5000)),
};

/** Answers by path: see `behaviours`. Give a key and certificate for https. */
export async function startReceiver(tls?: { key: string; cert: string }): Promise<Receiver> {
  const received: Received[] = [];
  let port = 0;
  const listener: Parameters<typeof createServer>[1] = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      const body = Buffer.concat(chunks).toString();
      received.push({ method: request.method ?? '', path, headers: request.headers, body });
      behaviours[path.split('?')[0]!]?.(response, port, body);
    });
  };
  const server = tls ? createSecureServer(tls, listener) : createServer(listener);
  port = await listen(server);
  return {
    port,
    url: (path) => `${tls ? 'https' : 'http'}://127.0.0.1:${port}${path}`,
    received,
    close: () => {
      server.closeAllConnections();
      return close(server);
    },
  };
}

/** A server below HTTP, for answers that no HTTP server would write: `write` is called with each new connection. */
export async function startRawReceiver(write: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createSocketServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.once('data', () => write(socket));
  });
  const port = await listen(server);
  return {
    port,
    url: `http://127.0.0.1:${port}/`,
    openSockets: () => sockets.size,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return close(server);
    },
  };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
