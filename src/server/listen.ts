// The listening socket, and the addresses of requests.

import { startServer } from '#platform/http-server.ts';
import type { Config } from '../base/config.ts';
import { localUrl } from '../base/local-url.ts';
import type { Handler, Server } from '../platform/http-server.ts';

export type { Server };

// Bodies that are a little too large get a proper error instead of a closed connection.
const slackBytes = 1024 * 1024;

class ListenError extends Error {
  override name = 'ListenError';
}

/** @param maxBodyBytes the size of the largest valid request */
export async function listen(config: Config, maxBodyBytes: number, fetch: Handler): Promise<Server> {
  try {
    return await startServer({
      host: config.HELPDESK_HOST,
      port: config.HELPDESK_PORT,
      // Each operation has its own, lower limit. The server's own refusal would have no body.
      maxBodyBytes: maxBodyBytes + slackBytes,
      idleTimeoutSeconds: 60,
      fetch,
    });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new ListenError(
      `Cannot listen on ${config.HELPDESK_HOST}:${config.HELPDESK_PORT} (${code}). Choose another port with --port or HELPDESK_PORT.`,
    );
  }
}

export function addressOf(config: Config, server: Server): string {
  return localUrl(config.HELPDESK_HOST, server.port ?? config.HELPDESK_PORT);
}

/** Null if the address of the request is malformed, for example because of its Host header. */
export function pathOf(request: Request): string | null {
  // Load balancers check health with HTTP/1.0, which has no Host header.
  const address = request.url.startsWith('/') ? `http://localhost${request.url}` : request.url;
  return URL.parse(address)?.pathname ?? null;
}
