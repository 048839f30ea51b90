// Servers that a benchmark starts, measures and stops.

export interface Running {
  port: number;
  pid: number;
  startedMs: number;
  stop(): Promise<void>;
}

export function freePort(): number {
  const server = Bun.serve({ port: 0, fetch: () => new Response('') });
  const { port } = server;
  server.stop(true);
  return Number(port);
}

/** Starts a server, and waits until it answers. */
export async function running(command: string[], port: number, env: Record<string, string>): Promise<Running> {
  const startedAt = performance.now();
  const child = Bun.spawn(command, { env: { ...process.env, ...env }, stdout: 'ignore', stderr: 'inherit' });
  for (;;) {
    const isUp = await fetch(`http://127.0.0.1:${port}/healthz`).then(
      (response) => response.ok,
      () => false,
    );
    if (isUp) break;
    if (child.exitCode !== null) throw new Error(`${command[0]} ended with ${child.exitCode}`);
    await Bun.sleep(1);
  }
  return {
    port,
    pid: child.pid,
    startedMs: performance.now() - startedAt,
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}

/** Settings without limits of requests. */
export const unlimited = Object.fromEntries(
  ['INGEST_CALLER', 'INGEST_SITE', 'OTHER', 'INBOUND', 'AUTH_FAILURES'].map((name) => [`HELPDESK_RATE_${name}`, '0']),
);
