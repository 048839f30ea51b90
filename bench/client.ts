// Drives one server over its own keep-alive connections, and reports how fast it answered. Runs as a separate process.

import type { Load, Measured } from './load.ts';

const load = (await Bun.stdin.json()) as Load;

interface Connection {
  startedAt: number;
  /** Bytes of the current answer still to come; -1 until its head is complete. */
  missing: number;
  head: Buffer;
}

const latencies: number[] = [];
const statuses: Record<string, number> = {};
let bytes = 0;
let next = load.firstNumber;
let measuredFrom = Number.POSITIVE_INFINITY;
let endsAt = Number.POSITIVE_INFINITY;

function requestText(): string {
  const number = next;
  next += 1;
  const fill = (text: string) =>
    text
      .replaceAll('{n}', String(number))
      .replaceAll('{choice}', load.choices[number % Math.max(1, load.choices.length)] ?? '');
  const body = load.body === null ? '' : fill(load.body);
  const head = [`${load.method} ${fill(load.path)} HTTP/1.1`, `Host: 127.0.0.1:${load.port}`];
  for (const [name, value] of Object.entries(load.headers)) head.push(`${name}: ${fill(value)}`);
  if (load.body !== null) head.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`);
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

const sockets: { end(): unknown }[] = [];
const done = Promise.withResolvers<void>();

function finish() {
  for (const socket of sockets) socket.end();
  done.resolve();
}

for (let at = 0; at < load.connections; at += 1) {
  const socket = await Bun.connect<Connection>({
    hostname: '127.0.0.1',
    port: load.port,
    socket: {
      open(own) {
        own.data = { startedAt: 0, missing: -1, head: Buffer.alloc(0) };
      },
      data(own, chunk) {
        const state = own.data;
        let body = chunk.length;
        if (state.missing < 0) {
          state.head = state.head.length === 0 ? chunk : Buffer.concat([state.head, chunk]);
          const end = state.head.indexOf('\r\n\r\n');
          if (end < 0) return;
          const text = state.head.toString('latin1', 0, end);
          const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
          if (length === undefined) throw new Error(`an answer without a length:\n${text}`);
          const status = text.slice(9, 12);
          statuses[status] = (statuses[status] ?? 0) + 1;
          bytes += Number(length);
          state.missing = Number(length);
          body = state.head.length - end - 4;
        }
        state.missing -= body;
        if (state.missing > 0) return;
        const now = performance.now();
        if (now >= endsAt) return finish();
        if (state.startedAt >= measuredFrom) latencies.push(now - state.startedAt);
        state.missing = -1;
        state.head = Buffer.alloc(0);
        state.startedAt = now;
        own.write(requestText());
      },
      close() {
        if (performance.now() < endsAt) throw new Error('the server closed a connection');
      },
    },
  });
  sockets.push(socket);
}

const start = performance.now();
measuredFrom = start + load.warmUpMs;
endsAt = measuredFrom + load.measureMs;
for (const socket of sockets as ReturnType<typeof Bun.connect<Connection>> extends Promise<infer S> ? S[] : never) {
  socket.data.startedAt = performance.now();
  socket.write(requestText());
}
await done.promise;

latencies.sort((a, b) => a - b);
const percentile = (share: number) =>
  latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
const measured: Measured = {
  requests: latencies.length,
  perSecond: Math.round(latencies.length / (load.measureMs / 1000)),
  p50Ms: percentile(0.5),
  p99Ms: percentile(0.99),
  maxMs: latencies.at(-1) ?? 0,
  meanBytes: Math.round(
    bytes /
      Math.max(
        1,
        Object.values(statuses).reduce((sum, one) => sum + one, 0),
      ),
  ),
  statuses,
  lastNumber: next,
};
console.log(JSON.stringify(measured));
process.exit(0);
