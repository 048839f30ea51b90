// Watches a desk from another process while it is made to work, and reports how long health checks had to wait.

import type { Probe } from './prober.ts';

const script = new URL('./prober.ts', import.meta.url).pathname;

export interface Stall {
  kind: string;
  probes: number;
  /** The desk's own share: without what the machine withheld from it, and from a bare server at the same moment. */
  worstMs: number;
  /** Of all probes in a hundred, 99 waited no longer: the desk's own share, and as measured. */
  p99Ms: number;
  p99RawMs: number;
  rawMs: number;
  /** The worst of the bare server. */
  bareMs: number;
  tookMs: number;
}

/**
 * The desk's own part of a delay; the machine's part is the wait for a processor, and what a bare server took as well.
 */
function ownMs({ ms, bareMs, starvedMs }: Probe): number {
  return Math.max(0, ms - starvedMs - bareMs);
}

function linesOf(stream: ReadableStream<Uint8Array>): AsyncIterator<string> {
  return (async function* () {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const bytes of stream as unknown as AsyncIterable<Uint8Array>) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  })();
}

interface Watch {
  /** Does `work` and returns how the desk did meanwhile. */
  during(kind: string, work: () => Promise<void>): Promise<Stall>;
  stop(): Promise<void>;
}

/** @param pid of the desk that answers at `url` */
export async function watchDesk(url: string, pid: number): Promise<Watch> {
  const run = (...args: string[]) =>
    Bun.spawn([process.execPath, script, ...args], { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' });
  const bare = run('bare');
  const barePort = (await linesOf(bare.stdout).next()).value;
  const prober = run('probe', new URL(url).port, String(pid), String(barePort));
  const answers = linesOf(prober.stdout);

  async function take(): Promise<Probe[]> {
    prober.stdin.write('take\n');
    await prober.stdin.flush();
    const { value, done } = await answers.next();
    if (done) throw new Error('The prober has ended.');
    return JSON.parse(value);
  }

  return {
    async during(kind, work) {
      await Bun.sleep(100);
      await take();
      const startedAt = performance.now();
      await work();
      // Work that was started and not awaited shows a little later.
      await Bun.sleep(300);
      const probes = await take();
      const worst = (of: (probe: Probe) => number) => Math.round(Math.max(0, ...probes.map(of)));
      const p99 = (of: (probe: Probe) => number) =>
        Math.round(probes.map(of).sort((one, other) => one - other)[Math.floor(probes.length * 0.99)] ?? 0);
      return {
        kind,
        p99Ms: p99(ownMs),
        p99RawMs: p99(({ ms }) => ms),
        probes: probes.length,
        worstMs: worst(ownMs),
        rawMs: worst(({ ms }) => ms),
        bareMs: worst(({ bareMs }) => bareMs),
        tookMs: Math.round(performance.now() - startedAt),
      };
    },
    async stop() {
      for (const child of [prober, bare]) {
        child.kill();
        await child.exited;
      }
    },
  };
}
