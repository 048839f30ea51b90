// The stream of the desk, opened again and again: at once when there is hope, later and later when there is none.

import type { Timer } from '../../shared/clock.ts';
import { createFrameReader, type Frame } from './frames.ts';

export type ConnectionState = 'connecting' | 'live' | 'offline' | 'signed-out';

interface ConnectionOptions {
  open(signal: AbortSignal): Promise<Response>;
  timer: Timer;
  chance(): number;
  onFrame(frame: Frame): void;
  onState(state: ConnectionState): void;
}

interface Connection {
  start(): void;
  stop(): void;
  /** Tries now if there is no connection, such as when the page becomes visible. */
  nudge(): void;
  reconnect(): void;
}

// The desk says something every 15 seconds.
const silentMs = 40_000;
const lookEveryMs = 5000;
const firstWaitMs = 1000;
const longestWaitMs = 30_000;

export function createConnection({ open, timer, chance, onFrame, onState }: ConnectionOptions): Connection {
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
    for (;;) {
      const { value, done } = await reader.read();
      if (done || signal.aborted) return 'ended';
      heard();
      for (const frame of framesOf(value)) {
        if (frame.event === 'hello') {
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
