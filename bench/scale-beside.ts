// The load beside 100 creates a second on a large desk, and how long a prober waits for its health.

export interface Times {
  p50: number;
  p99: number;
  max: number;
}

export function timesOf(durations: number[]): Times {
  const sorted = durations.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), max: sorted.at(-1) ?? 0 };
}

interface Beside {
  creates: Times;
  health: Times;
  tookMs: number;
}

const proberMs = 50;
const createsPerSecond = Number(process.argv.find((arg) => arg.startsWith('--rate='))?.slice(7) ?? 100);

/** Opens tickets and probes until the time is over and `act` is done. */
export async function beside(
  url: string,
  siteToken: string,
  ms: number,
  act: () => Promise<unknown> = () => Promise.resolve(),
): Promise<Beside> {
  const client = Bun.spawn([process.execPath, new URL('./paced.ts', import.meta.url).pathname], {
    stdin: new Blob([JSON.stringify({ url, siteToken, perSecond: createsPerSecond, ms })]),
    stderr: 'inherit',
  });
  const health: number[] = [];
  let isOver = false;
  async function probe(): Promise<void> {
    const startedAt = performance.now();
    const response = await fetch(`${url}/healthz`);
    await response.text();
    if (!response.ok) throw new Error(`/healthz answered ${response.status}`);
    health.push(performance.now() - startedAt);
  }
  const probing = (async () => {
    const under: Promise<void>[] = [];
    while (!isOver) {
      under.push(probe());
      await Bun.sleep(proberMs);
    }
    await Promise.all(under);
  })();
  const startedAt = performance.now();
  await act();
  const tookMs = performance.now() - startedAt;
  const opened = JSON.parse(await new Response(client.stdout).text()) as { tookMs: number }[];
  if ((await client.exited) !== 0) throw new Error('the client failed');
  isOver = true;
  await probing;
  return { creates: timesOf(opened.map((one) => one.tookMs)), health: timesOf(health), tookMs };
}

export function tell(what: string, { creates, health, tookMs }: Beside): void {
  const of = ({ p50, p99, max }: Times) => [p50, p99, max].map((ms) => ms.toFixed(0).padStart(6)).join('');
  const verdict = health.max < 250 && creates.max < 200 ? '' : '  OVER';
  console.log(
    `${what.padEnd(36)} creates ${of(creates)} ms   health ${of(health)} ms   took ${(tookMs / 1000).toFixed(1)} s${verdict}`,
  );
}

/** Uses its own connection, because `fetch` allows only 256, and reads until it is told to stop. */
export async function follow(url: string, token: string, signal: AbortSignal): Promise<void> {
  const { hostname, port } = new URL(url);
  const isOpen = Promise.withResolvers<void>();
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data(_own, chunk) {
        const text = chunk.toString('latin1');
        if (text.includes(': events follow')) isOpen.resolve();
        else if (text.startsWith('HTTP/1.1 ') && !text.startsWith('HTTP/1.1 200')) isOpen.reject(new Error(text));
      },
    },
  });
  const head = [
    'GET /api/v1/events?after=999999999999 HTTP/1.1',
    `Host: ${hostname}:${port}`,
    'Accept: text/event-stream',
    `Authorization: Bearer ${token}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  signal.addEventListener('abort', () => socket.end());
  await isOpen.promise;
}
