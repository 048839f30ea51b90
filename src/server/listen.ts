// The listening socket: one address, no second desk on it, and a sentence when it is taken.

import { type Config, localUrl } from '../base/config.ts';
import { type Handler, type Server, startServer } from '../platform/bun/http-server.ts';

export type { Server };

// So that a body that is a little too large is counted, and refused with a sentence, before the server cuts it off.
const slackBytes = 1024 * 1024;

/** The address to listen on is taken or not allowed. */
class ListenError extends Error {
  override name = 'ListenError';
}

/** @param maxBodyBytes what the largest legal request has */
export function listen(config: Config, maxBodyBytes: number, fetch: Handler): Server {
  try {
    return startServer({
      host: config.HELPDESK_HOST,
      port: config.HELPDESK_PORT,
      // Each door has its own bound below this, and refuses in the one shape. The server's own refusal has no body.
      maxBodyBytes: maxBodyBytes + slackBytes,
      idleTimeoutSeconds: 60,
      fetch,
    });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new ListenError(
      `Cannot listen on ${config.HELPDESK_HOST}:${config.HELPDESK_PORT} (${code}); choose another with --port or HELPDESK_PORT.`,
    );
  }
}

/** Where a browser on this machine finds it. */
export function addressOf(config: Config, server: Server): string {
  return localUrl(config.HELPDESK_HOST, server.port ?? config.HELPDESK_PORT);
}

/** The path that is asked for; null where there is none to be told, as with a Host header that is none. */
export function pathOf(request: Request): string | null {
  // HTTP/1.0 has no Host header, and load balancers ask after a machine's health in it: the path is all there is then.
  const address = request.url.startsWith('/') ? `http://localhost${request.url}` : request.url;
  return URL.canParse(address) ? new URL(address).pathname : null;
}
