// The parts of the live console that need no browser: frames, the connection, what was missed, and presence.

import { describe, expect, test } from 'bun:test';
import { createPresenceSender } from '../../src/web/console/live/presence-sender.ts';
import { createProgress } from '../../src/web/console/live/progress.ts';
import {
  createEventStream,
  createFrameReader,
  type Frame,
  type StreamState,
} from '../../src/web/shared/event-stream.ts';
import { fakeTimer } from './fake-timer.ts';

describe('frames', () => {
  test('are read however their text is cut', () => {
    const text =
      ': here\n\nid: 7\nevent: ticket.created\ndata: {"a":"x: y"}\n\nevent: hello\ndata: {"newest_seq":7}\n\n';
    const whole: Frame[] = [
      { event: 'ticket.created', seq: 7, data: { a: 'x: y' } },
      { event: 'hello', seq: null, data: { newest_seq: 7 } },
    ];
    for (const size of [1, 2, 5, 13, 1000]) {
      const read = createFrameReader();
      const frames: Frame[] = [];
      for (let at = 0; at < text.length; at += size) frames.push(...read(text.slice(at, at + size)));
      expect(frames).toEqual(whole);
    }
  });
});

/** A desk that a test opens and closes. */
function desk() {
  const timer = fakeTimer();
  const states: StreamState[] = [];
  const frames: Frame[] = [];
  let opened = 0;
  let answer: () => Promise<Response> = () => Promise.reject(new TypeError('no network'));
  let say: ReadableStreamDefaultController<Uint8Array> | null = null;
  const signals: AbortSignal[] = [];
  const connection = createEventStream({
    open(signal) {
      opened += 1;
      signals.push(signal);
      return answer();
    },
    timer,
    chance: () => 0.5,
    onFrame: (frame) => frames.push(frame),
    onState: (state) => states.push(state),
  });
  return {
    ...timer,
    connection,
    states,
    frames,
    signals,
    opened: () => opened,
    isUp() {
      answer = () =>
        Promise.resolve(
          new Response(
            new ReadableStream({
              start(controller) {
                say = controller;
                const end = () => controller.error(new Error('aborted'));
                signals.at(-1)?.addEventListener('abort', end);
                controller.enqueue(new TextEncoder().encode('event: hello\ndata: {}\n\n'));
              },
            }),
          ),
        );
    },
    isDown() {
      answer = () => Promise.reject(new TypeError('no network'));
    },
    answers(status: number, headers: Record<string, string> = {}) {
      answer = () => Promise.resolve(new Response('{}', { status, headers }));
    },
    say: (text: string) => say?.enqueue(new TextEncoder().encode(text)),
    hangUp: () => say?.close(),
  };
}

describe('the connection', () => {
  test('is live after hello', async () => {
    const own = desk();
    own.isUp();
    own.connection.start();
    await own.pass(10);
    expect(own.states).toEqual(['connecting', 'live']);
    expect(own.frames).toEqual([{ event: 'hello', seq: null, data: {} }]);
  });

  test('comes back within a second when the desk restarts, without a word about being offline', async () => {
    const own = desk();
    own.isUp();
    own.connection.start();
    await own.pass(10);
    own.hangUp();
    await own.pass(1000);
    expect(own.states).toEqual(['connecting', 'live', 'connecting', 'live']);
    expect(own.opened()).toBe(2);
  });

  test('is tried later and later while the desk is away, at least every half minute', async () => {
    const own = desk();
    own.connection.start();
    await own.pass(60_000);
    expect(own.states.slice(0, 3)).toEqual(['connecting', 'connecting', 'offline']);
    const early = own.opened();
    expect(early).toBeLessThan(9);
    await own.pass(120_000);
    expect(own.opened() - early).toBeGreaterThanOrEqual(4);
    own.isUp();
    await own.pass(30_000);
    expect(own.states.at(-1)).toBe('live');
  });

  test('waits as long as a busy desk asks', async () => {
    const own = desk();
    own.answers(503, { 'Retry-After': '10' });
    own.connection.start();
    await own.pass(9000);
    expect(own.opened()).toBe(1);
    await own.pass(2000);
    expect(own.opened()).toBe(2);
  });

  test('rests when the session has ended, until the agent has signed in', async () => {
    const own = desk();
    own.answers(401);
    own.connection.start();
    await own.pass(100_000);
    expect([own.opened(), own.states]).toEqual([1, ['connecting', 'signed-out']]);
    own.isUp();
    own.connection.reconnect();
    await own.pass(10);
    expect(own.states.at(-1)).toBe('live');
  });

  test('is given up when nothing comes for forty seconds, as after sleep', async () => {
    const own = desk();
    own.isUp();
    own.connection.start();
    for (let at = 0; at < 10; at += 1) {
      await own.pass(15_000);
      own.say(': still here\n\n');
    }
    await own.pass(10);
    expect(own.opened()).toBe(1);
    await own.pass(47_000);
    expect(own.opened()).toBe(2);
    expect(own.states.at(-1)).toBe('live');
  });

  test('does not wait when there is hope, and does nothing after it was stopped', async () => {
    const own = desk();
    own.connection.start();
    await own.pass(60_000);
    own.isUp();
    const before = own.opened();
    own.connection.nudge();
    await own.pass(10);
    expect([own.opened(), own.states.at(-1)]).toEqual([before + 1, 'live']);
    own.connection.nudge();
    await own.pass(10);
    expect(own.opened()).toBe(before + 1);
    own.connection.stop();
    expect(own.signals.at(-1)?.aborted).toBe(true);
    await own.pass(100_000);
    expect(own.opened()).toBe(before + 1);
  });
});

describe('progress', () => {
  function tab() {
    let missed = 0;
    const progress = createProgress({
      onMissed: () => {
        missed += 1;
      },
    });
    return { ...progress, missed: () => missed };
  }

  test('begins at what was loaded before the stream opened', () => {
    const own = tab();
    own.noteLoaded(12);
    own.noteLoaded(10);
    expect(own.after()).toBe(10);
    own.begin(10, 15, false);
    expect([11, 12, 12, 15].map(own.take)).toEqual([true, true, false, true]);
    expect([own.after(), own.missed()]).toEqual([15, 0]);
  });

  test('begins at the newest event when nothing was loaded, and what is loaded later is complete', () => {
    const own = tab();
    own.begin(null, 15, false);
    own.noteLoaded(15);
    own.noteLoaded(16);
    expect([own.after(), own.missed()]).toEqual([15, 0]);
    own.noteLoaded(14);
    expect(own.missed()).toBe(1);
  });

  test('goes on where it was after the stream broke off', () => {
    const own = tab();
    own.begin(null, 15, false);
    own.take(16);
    own.begin(16, 20, false);
    expect([own.take(16), own.take(17), own.missed()]).toEqual([false, true, 0]);
  });

  test('says that too much was missed, also when the desk was restored to an earlier time', () => {
    for (const newest of [9000, 3]) {
      const own = tab();
      own.begin(null, 15, false);
      own.begin(15, newest, true);
      expect([own.missed(), own.after()]).toEqual([1, newest]);
      expect(own.take(newest + 1)).toBe(true);
    }
  });

  test('under other rights than those of what was loaded misses everything', () => {
    const own = tab();
    own.noteRights('member all');
    own.begin(null, 15, false);
    own.noteRights('member all');
    expect(own.missed()).toBe(0);
    own.noteRights('member 3');
    own.noteRights('member 3');
    expect(own.missed()).toBe(1);
    own.noteRights('viewer 3');
    expect(own.missed()).toBe(2);
  });

  test('goes on after events that were not sent', () => {
    const own = tab();
    own.begin(null, 15, false);
    own.skip(900);
    expect([own.missed(), own.take(900), own.take(901), own.after()]).toEqual([1, false, true, 901]);
  });

  test('of a tab that joins others begins where they are', () => {
    const own = tab();
    own.noteLoaded(18);
    own.expect(20);
    expect([own.seen(), own.missed()]).toEqual([20, 1]);
    own.expect(20);
    own.take(21);
    own.expect(21);
    expect(own.missed()).toBe(1);
    own.expect(24);
    expect([own.seen(), own.missed()]).toEqual([24, 2]);
    own.expect(22);
    expect([own.seen(), own.missed()]).toEqual([24, 2]);
  });
});

describe('presence', () => {
  function tab() {
    const timer = fakeTimer();
    const said: string[] = [];
    let isVisible = true;
    const sender = createPresenceSender({
      timer,
      isVisible: () => isVisible,
      send: (ticket, state, left) => said.push(`${ticket} ${state}${left === null ? '' : `, not ${left}`}`),
      onLeft: (ticket) => said.push(`left ${ticket}`),
    });
    return {
      ...sender,
      ...timer,
      show(value: boolean) {
        isVisible = value;
        sender.visibilityChanged();
      },
      /** What was said since the last call. */
      said: () => said.splice(0),
    };
  }

  test('is told at once, and then every seven seconds until the ticket is closed', async () => {
    const { tell, said, pass } = tab();
    tell('a', 'viewing');
    expect(said()).toEqual(['a viewing']);
    await pass(21_000);
    expect(said()).toEqual(['a viewing', 'a viewing', 'a viewing']);
    tell('a', 'gone');
    await pass(500);
    expect(said()).toEqual(['a gone', 'left a']);
    await pass(20_000);
    expect(said()).toEqual([]);
    tell('b', 'viewing');
    await pass(7000);
    expect(said()).toEqual(['b viewing', 'b viewing']);
  });

  test('of someone who goes to the next ticket is told with one word', async () => {
    const { tell, said, pass, show } = tab();
    tell('a', 'viewing');
    for (const [from, to] of ['ab', 'bc']) {
      tell(from ?? '', 'gone');
      await pass(100);
      tell(to ?? '', 'viewing');
    }
    expect(said()).toEqual(['a viewing', 'b viewing, not a', 'left a', 'c viewing, not b', 'left b']);
    await pass(7000);
    expect(said()).toEqual(['c viewing']);
    tell('c', 'gone');
    show(false);
    expect(said()).toEqual(['c gone', 'left c']);
    await pass(20_000);
    expect(said()).toEqual([]);
  });

  test('of someone who writes is told at the first letter, and ends some seconds after the last', async () => {
    const { tell, said, pass } = tab();
    tell('a', 'viewing');
    said();
    for (let at = 0; at < 5; at += 1) {
      tell('a', 'writing');
      await pass(500);
    }
    expect(said()).toEqual(['a writing']);
    await pass(14_000);
    expect(said()).toEqual(['a viewing', 'a viewing']);
  });

  test('is not told from a tab that no one sees', async () => {
    const { tell, said, pass, show } = tab();
    tell('a', 'viewing');
    said();
    show(false);
    expect(said()).toEqual(['a gone', 'left a']);
    tell('a', 'writing');
    await pass(20_000);
    expect(said()).toEqual([]);
    show(true);
    expect(said()).toEqual(['a viewing']);
    await pass(7000);
    expect(said()).toEqual(['a viewing']);
  });

  test('is repeated when another tab of the browser leaves the same ticket', () => {
    const { tell, said, repeat } = tab();
    tell('a', 'viewing');
    said();
    repeat('b');
    repeat('a');
    expect(said()).toEqual(['a viewing']);
  });
});
