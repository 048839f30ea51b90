// The HTTP server that every runtime has.

export interface Server {
  readonly port: number | undefined;
  requestIP(request: Request): { address: string } | null;
  timeout(request: Request, seconds: number): void;
  reload(answers: { fetch: Handler; error: (error: unknown) => Response }): void;
  /** Stops listening. Resolves when no connection is left; `isNow` closes those that are open. */
  stop(isNow: boolean): Promise<void>;
}

export type Handler = (request: Request, server: Server) => Response | Promise<Response>;

export interface ServerOptions {
  host: string;
  port: number;
  maxBodyBytes: number;
  idleTimeoutSeconds: number;
  fetch: Handler;
}
