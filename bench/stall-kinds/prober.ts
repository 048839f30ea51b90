// A process that asks a desk for its health 40 times a second, and a bare server at the same moments.

import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';

export interface Probe {
  /** From when the question was due to its answer, or until now. */
  ms: number;
  /** The longest delay of the bare server or of the prober itself meanwhile. */
  bareMs: number;
  /** How long the desk was ready to run but the machine gave it no processor. */
  starvedMs: number;
  isAnswered: boolean;
}

const everyMs = 25;

interface Outstanding {
  since: number;
  starvedBefore: number;
  bareMs: number;
}

/** One connection with one question at a time. */
function createAsker(port: number, onAnswer: (ms: number) => void) {
  let socket: Socket | null = null;
  let since: number | null = null;
  let isOpen = false;
  function open(): void {
    socket = connect(port, '127.0.0.1', () => {
      isOpen = true;
      if (since !== null) send();
    });
    socket.setNoDelay(true);
    socket.on('data', (bytes) => {
      if (since === null || !bytes.includes('HTTP/1.1 ')) return;
      const ms = performance.now() - since;
      since = null;
      onAnswer(ms);
    });
    socket.on('error', () => undefined);
    // A question lost with a closed connection is asked again, and its wait counts.
    socket.on('close', () => {
      isOpen = false;
      setTimeout(open, 5);
    });
  }
  const send = () => socket?.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  open();
  return {
    ask(dueAt: number): boolean {
      if (since !== null) return false;
      since = dueAt;
      if (isOpen) send();
      return true;
    },
    waitingMs: (now: number) => (since === null ? 0 : now - since),
  };
}

/** How long the kernel has made the main thread of a process wait for a processor; 0 if unknown. */
function createStarvation(pid: number): () => number {
  const path = `/proc/${pid}/task/${pid}/schedstat`;
  return () => {
    try {
      return Number(readFileSync(path, 'utf8').split(' ')[1]) / 1e6;
    } catch {
      return 0;
    }
  };
}

async function probe(deskPort: number, deskPid: number, barePort: number): Promise<void> {
  const starvation = createStarvation(deskPid);
  let probes: Probe[] = [];
  let current: Outstanding | null = null;

  const end = (ms: number, isAnswered: boolean) => {
    if (current === null) return;
    probes.push({ ms, bareMs: current.bareMs, starvedMs: starvation() - current.starvedBefore, isAnswered });
    current = null;
  };
  const bare = createAsker(barePort, (ms) => {
    if (current !== null) current.bareMs = Math.max(current.bareMs, ms);
  });
  const desk = createAsker(deskPort, (ms) => {
    if (current !== null) current.bareMs = Math.max(current.bareMs, bare.waitingMs(performance.now()));
    end(ms, true);
  });

  let dueAt = performance.now();
  setInterval(() => {
    const now = performance.now();
    const lateMs = Math.max(0, now - dueAt - everyMs);
    dueAt = now;
    bare.ask(now);
    if (current === null) {
      current = { since: now, starvedBefore: starvation(), bareMs: 0 };
      desk.ask(now);
    } else current.bareMs = Math.max(current.bareMs, lateMs, bare.waitingMs(now));
  }, everyMs);

  for await (const line of console) {
    if (line !== 'take') continue;
    if (current !== null && desk.waitingMs(performance.now()) > everyMs) end(desk.waitingMs(performance.now()), false);
    console.log(JSON.stringify(probes));
    probes = [];
  }
  process.exit(0);
}

const [mode, ...numbers] = process.argv.slice(2);
if (mode === 'bare') {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('{"status":"ok"}') });
  console.log(server.port);
} else if (mode === 'probe') {
  const [deskPort = 0, deskPid = 0, barePort = 0] = numbers.map(Number);
  await probe(deskPort, deskPid, barePort);
}
