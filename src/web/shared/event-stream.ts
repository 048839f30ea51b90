// Reconnects a stream of the desk: at once, then with growing pauses.

import type { Timer } from './clock.ts';

export type StreamState = 'connecting' | 'live' | 'offline' | 'signed-out';

interface EventStreamOptions {
  open(signal: AbortSignal): Promise<Response>;
  timer: Timer;
  chance(): number;
  onFrame(frame: Frame): void;
  onState(state: StreamState): void;
}

interface EventStream {
  start(): void;
  stop(): void;
  /** Reconnects now if disconnected, for example when the page becomes visible. */
  nudge(): void;
  reconnect(): void;
}

// The desk says something every 15 or 20 seconds.
const silentMs = 40_000;
const lookEveryMs = 5000;
const firstWaitMs = 1000;
const longestWaitMs = 30_000;

export function askForStream(path: string, signal: AbortSignal): Promise<Response> {
  const headers = { Accept: 'text/event-stream' };
  return fetch(`/api/v1${path}`, { headers, credentials: 'same-origin', cache: 'no-store', signal });
}

export function createEventStream({ open, timer, chance, onFrame, onState }: EventStreamOptions): EventStream {
  let current: AbortController | null = null;
  let failures = 0;
  let cancelWait: () => void = () => undefined;
  let isWaiting = false;

  async function attempt(): Promise<void> {
    isWaiting = false;
    const own = new AbortController();
    current = own;
    const watch = watchSilence(timer, own);
    let result: 'ended' | 'signed-out' | number;
    try {
      result = await follow(own.signal, watch.heard);
    } catch {
      // No network, a desk that restarts, or a stream that broke off: all of them are tried again.
      result = 'ended';
    } finally {
      watch.end();
    }
    if (current !== own) return;
    current = null;
    if (result === 'signed-out') onState('signed-out');
    else again(result === 'ended' ? 0 : result);
  }

  /** Until the stream ends. A number is how many milliseconds the desk asks to wait. */
  async function follow(signal: AbortSignal, heard: () => void): Promise<'ended' | 'signed-out' | number> {
    const answer = await open(signal);
    if (!answer.ok || answer.body === null) {
      await answer.text();
      return answer.status === 401 ? 'signed-out' : Number(answer.headers.get('Retry-After') ?? 0) * 1000;
    }
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    const framesOf = createFrameReader();
    let isFirst = true;
    for (;;) {
      const { value, done } = await reader.read();
      if (done || signal.aborted) return 'ended';
      heard();
      for (const frame of framesOf(value)) {
        if (isFirst) {
          isFirst = false;
          failures = 0;
          onState('live');
        }
        onFrame(frame);
      }
    }
  }

  function again(leastMs: number): void {
    // The first try comes soon, since most streams end because the desk restarts.
    onState(failures === 0 ? 'connecting' : 'offline');
    const spread = chance() * Math.min(longestWaitMs, firstWaitMs * 2 ** failures);
    failures += 1;
    isWaiting = true;
    cancelWait = timer.later(Math.min(longestWaitMs, leastMs) + spread, () => void attempt());
  }

  function stop(): void {
    cancelWait();
    isWaiting = false;
    const own = current;
    current = null;
    own?.abort();
  }

  return {
    start() {
      if (current !== null || isWaiting) return;
      failures = 0;
      onState('connecting');
      void attempt();
    },
    stop,
    nudge() {
      if (current !== null) return;
      cancelWait();
      void attempt();
    },
    reconnect() {
      stop();
      failures = 0;
      void attempt();
    },
  };
}

/** A computer that slept, or a network that vanished, ends no connection. */
function watchSilence(timer: Timer, own: AbortController): { heard(): void; end(): void } {
  let heardAt = timer.now();
  let cancel = timer.later(lookEveryMs, look);
  function look(): void {
    if (timer.now() - heardAt > silentMs) own.abort();
    else cancel = timer.later(lookEveryMs, look);
  }
  return {
    heard() {
      heardAt = timer.now();
    },
    end: () => cancel(),
  };
}

export interface Frame {
  event: string;
  /** Null for what is not numbered. */
  seq: number | null;
  data: unknown;
}

/** Takes the text as it arrives, and gives back the frames that it completed. */
export function createFrameReader(): (text: string) => Frame[] {
  let rest = '';
  return (text) => {
    const parts = (rest + text).split('\n\n');
    rest = parts.pop() ?? '';
    return parts.flatMap((part) => frameOf(part) ?? []);
  };
}

function frameOf(part: string): Frame | null {
  const fields = new Map<string, string>();
  for (const line of part.split('\n')) {
    const at = line.indexOf(':');
    // Lines that begin with a colon only keep the stream open.
    if (at > 0) fields.set(line.slice(0, at), line.slice(at + 1).trimStart());
  }
  const event = fields.get('event');
  const data = fields.get('data');
  if (event === undefined || data === undefined) return null;
  const seq = fields.get('id');
  return { event, seq: seq === undefined ? null : Number(seq), data: JSON.parse(data) };
}
