// A server of this build on a free port.

import { startServer } from '#platform/http-server.ts';
import type { Handler, Server } from '../../src/platform/http-server.ts';

export function serve(fetch: Handler, maxBodyBytes = 2 ** 30): Promise<Server> {
  return startServer({ host: '127.0.0.1', port: 0, maxBodyBytes, idleTimeoutSeconds: 30, fetch });
}
