// The HTTP server: Node's own, with Hono's adapter between it and requests of the web.

import { createServer, type IncomingMessage, type Server as NodeServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Handler, Server, ServerOptions } from '../http-server.ts';
import { addressAsked, isPlain } from './request-address.ts';
import { onBodyFault, watchResponses } from './response-bodies.ts';

const headersWithinMs = 30_000;

interface Exchange {
  incoming: IncomingMessage;
  outgoing: { destroy(): void };
}

const crash = () => new Response(null, { status: 500 });

export async function startServer(options: ServerOptions): Promise<Server> {
  const { host, port, maxBodyBytes, idleTimeoutSeconds } = options;
  let answers: { fetch: Handler; error: (error: unknown) => Response } = { fetch: options.fetch, error: crash };
  const messages = new WeakMap<Request, IncomingMessage>();
  const asked = new WeakMap<IncomingMessage, string>();

  async function answer(request: Request, { incoming, outgoing }: Exchange): Promise<Response> {
    messages.set(request, incoming);
    const address = asked.get(incoming);
    if (address !== undefined) Object.defineProperty(request, 'url', { value: address });
    let response: Response;
    try {
      response = await answers.fetch(request, server);
    } catch (error) {
      response = answers.error(error);
    }
    onBodyFault(response, () => outgoing.destroy());
    return response;
  }

  const respond = getRequestListener((request, exchange) => answer(request, exchange as unknown as Exchange));
  watchResponses();
  const listening = createServer(
    {
      requireHostHeader: false,
      keepAliveTimeout: idleTimeoutSeconds * 1000,
      headersTimeout: headersWithinMs,
      requestTimeout: 0,
      noDelay: true,
    },
    (incoming, outgoing) => {
      if (Number(incoming.headers['content-length'] ?? 0) > maxBodyBytes) {
        outgoing.writeHead(413, { Connection: 'close' }).end();
        return;
      }
      if (!isPlain(incoming)) {
        asked.set(incoming, addressAsked(incoming));
        incoming.url = '/';
        incoming.headers.host = 'localhost';
      }
      void respond(incoming, outgoing);
    },
  );
  listening.timeout = idleTimeoutSeconds * 1000;

  const server: Server = {
    get port() {
      return (listening.address() as AddressInfo | null)?.port;
    },
    requestIP(request) {
      const address = messages.get(request)?.socket.remoteAddress;
      return address === undefined ? null : { address };
    },
    timeout(request, seconds) {
      messages.get(request)?.socket.setTimeout(seconds * 1000);
    },
    reload(next) {
      answers = next;
    },
    stop(isNow) {
      return stopped(listening, isNow);
    },
  };
  await started(listening, host, port);
  return server;
}

function started(listening: NodeServer, host: string, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  listening.once('error', reject);
  listening.listen({ host, port, exclusive: true }, () => {
    listening.off('error', reject);
    resolve();
  });
  return promise;
}

const closings = new WeakMap<NodeServer, Promise<void>>();

function stopped(listening: NodeServer, isNow: boolean): Promise<void> {
  let closing = closings.get(listening);
  if (closing === undefined) {
    closing = new Promise((resolve) => listening.close(() => resolve()));
    closings.set(listening, closing);
  }
  if (isNow) listening.closeAllConnections();
  return closing;
}
