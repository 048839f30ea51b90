// The HTTP server.

import type { Server, ServerOptions } from '../http-server.ts';

export async function startServer({
  host,
  port,
  maxBodyBytes,
  idleTimeoutSeconds,
  fetch,
}: ServerOptions): Promise<Server> {
  return Bun.serve({
    hostname: host,
    port,
    maxRequestBodySize: maxBodyBytes,
    idleTimeout: idleTimeoutSeconds,
    development: false,
    // Two desks on one port would each get some of the requests.
    reusePort: false,
    fetch: fetch as (request: Request, server: unknown) => Response | Promise<Response>,
  }) as unknown as Server;
}
