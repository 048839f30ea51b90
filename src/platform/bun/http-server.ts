// The HTTP server.

export type Server = Bun.Server<undefined>;
export type Handler = (request: Request, server: Server) => Response | Promise<Response>;

interface ServerOptions {
  host: string;
  port: number;
  maxBodyBytes: number;
  idleTimeoutSeconds: number;
  fetch: Handler;
}

export function startServer({ host, port, maxBodyBytes, idleTimeoutSeconds, fetch }: ServerOptions): Server {
  return Bun.serve({
    hostname: host,
    port,
    maxRequestBodySize: maxBodyBytes,
    idleTimeout: idleTimeoutSeconds,
    development: false,
    // Two desks on one port would each get some of the requests.
    reusePort: false,
    fetch,
  });
}
