// Request bodies on arrival: how long they can take, and how many large ones arrive at the same time.

import { describe, expect, test } from 'bun:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGate } from '../../src/base/gate.ts';
import { DeskError } from '../../src/domain/errors.ts';
import { chunksOf, isReadToEnd, readBody } from '../../src/http/body.ts';
import { busy, createGates } from '../../src/http/body-gates.ts';
import { streamed } from '../support/streamed.ts';

const tooLarge = () => new DeskError('too_large', 'Too large.');

function requestOf(body: BodyInit, headers: Record<string, string> = {}): Request {
  return new Request('http://desk.example/', streamed({ method: 'POST', body, headers }));
}

/** A body that sends a piece at intervals, without end. */
function dripping(everyMs: number, piece = 'x'): { body: ReadableStream<Uint8Array>; isCancelled: () => boolean } {
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await sleep(everyMs);
      if (!isCancelled) controller.enqueue(new TextEncoder().encode(piece));
    },
    cancel() {
      isCancelled = true;
    },
  });
  return { body, isCancelled: () => isCancelled };
}

async function take(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0;
  for await (const chunk of chunks) size += chunk.length;
  return size;
}

describe('a body', () => {
  test('is known to be complete once it is read to its end', async () => {
    const request = requestOf('twelve bytes');
    expect(isReadToEnd(request)).toBe(false);
    expect(await take(chunksOf(request, 12, tooLarge))).toBe(12);
    expect(isReadToEnd(request)).toBe(true);
  });

  test('is measured by its bytes, whatever Content-Length says', async () => {
    for (const headers of [{}, { 'Content-Length': '4, 4' }, { 'Content-Length': 'many' }] as Record<
      string,
      string
    >[]) {
      const request = requestOf('twelve bytes', headers);
      await expect(readBody(request, 11)).rejects.toThrow('at most');
    }
  });

  test('that stops arriving is refused, and nothing more of it is read', async () => {
    const { body, isCancelled } = dripping(60_000);
    const request = requestOf(body);
    const taken = take(chunksOf(request, 100, tooLarge, { silenceMs: 20, graceMs: 60_000 }));
    expect(await taken.catch((error) => error.reason)).toBe('body_stopped');
    await sleep(0);
    expect([isCancelled(), isReadToEnd(request)]).toEqual([true, false]);
  });

  test('that arrives in drips is refused, however regular they are', async () => {
    const slow = requestOf(dripping(5).body);
    const taken = take(chunksOf(slow, 1_000_000, tooLarge, { silenceMs: 60_000, graceMs: 40 }));
    expect(await taken.catch((error) => error.reason)).toBe('body_too_slow');
  });

  test('that is fast enough but takes too long is refused', async () => {
    for (const body of [dripping(5).body, dripping(60_000).body]) {
      const patience = { silenceMs: 60_000, graceMs: 60_000, longestMs: 40 };
      const taken = take(chunksOf(requestOf(body), 1_000_000, tooLarge, patience));
      expect(await taken.catch((error) => error.reason)).toBe('body_too_slow');
    }
  });

  test('that is slow but fast enough is accepted', async () => {
    let left = 12;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await sleep(5);
        left -= 1;
        if (left < 0) controller.close();
        else controller.enqueue(new Uint8Array(8_192));
      },
    });
    const patience = { silenceMs: 60_000, graceMs: 20 };
    expect(await take(chunksOf(requestOf(body), 1_000_000, tooLarge, patience))).toBe(12 * 8_192);
  });

  test('must come faster where others would have its place', async () => {
    // Some hundred bytes a second, where one is asked for without others and thousands with them.
    const patience = { silenceMs: 60_000, graceMs: 20, bytesPerSecond: 1 };
    const { body } = dripping(5, 'x'.repeat(2));
    const slow = take(chunksOf(requestOf(body), 1_000_000, tooLarge, { ...patience, crowding: () => 1_000 }));
    expect(await slow.catch((error) => error.reason)).toBe('body_too_slow');
    const pausing = take(
      chunksOf(requestOf(dripping(60_000).body), 100, tooLarge, { silenceMs: 30_000, crowding: () => 1_000 }),
    );
    expect(await pausing.catch((error) => error.reason)).toBe('body_stopped');
    let left = 40;
    const steady = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await sleep(5);
        left -= 1;
        if (left < 0) controller.close();
        else controller.enqueue(new Uint8Array(2));
      },
    });
    expect(await take(chunksOf(requestOf(steady), 1_000_000, tooLarge, patience))).toBe(80);
  });
});

describe('the gate', () => {
  function visits(gate: ReturnType<typeof createGate>) {
    const open: (() => void)[] = [];
    return {
      open,
      visit: (who: string | readonly string[]) =>
        gate.pass(who, () => new Promise<void>((resolve) => open.push(resolve))),
    };
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve));

  test('admits a limited number at the same time, and the next one when one leaves', async () => {
    const { open, visit } = visits(createGate({ atOnce: 2, each: 2, waiting: 5, waitMs: 60_000, refusal: busy }));
    const all = ['a', 'b', 'c'].map(visit);
    expect(open.length).toBe(2);
    open[0]?.();
    await settle();
    expect(open.length).toBe(3);
    for (const leave of open) leave();
    await Promise.all(all);
  });

  test('keeps room for others when one sender is busy', async () => {
    const { open, visit } = visits(createGate({ atOnce: 3, each: 2, waiting: 5, waitMs: 60_000, refusal: busy }));
    const all = ['a', 'a', 'a'].map(visit);
    expect(open.length).toBe(2);
    all.push(visit('b'));
    expect(open.length).toBe(3);
    while (open.length < 4) {
      open[0]?.();
      await settle();
    }
    for (const leave of open) leave();
    await Promise.all(all);
  });

  test('refuses with Retry-After: at once when many wait, otherwise after a while', async () => {
    const { open, visit } = visits(createGate({ atOnce: 1, each: 1, waiting: 1, waitMs: 20, refusal: busy }));
    const first = visit('a');
    const refusals = await Promise.allSettled([visit('a'), visit('b')]);
    for (const refusal of refusals) {
      const error = refusal.status === 'rejected' ? refusal.reason : null;
      expect([error?.code, error?.reason, error?.retryAfterSeconds]).toEqual(['unavailable', 'too_many_uploads', 5]);
    }
    open[0]?.();
    await first;
    const again = visit('c');
    expect(open.length).toBe(2);
    open[1]?.();
    await again;
  });

  test('lets in first who holds least, however many requests of others wait longer', async () => {
    const gate = createGate({ atOnce: 4, each: 2, waiting: 9, eachWaiting: 2, waitMs: 60_000, refusal: busy });
    const entered: string[] = [];
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const leaving: (() => void)[] = [];
    const visit = (who: string) =>
      gate.pass(who, () => {
        entered.push(who);
        return Promise.race([over, new Promise<void>((resolve) => leaving.push(resolve))]);
      });
    const flood = ['a', 'a', 'b', 'b', 'a', 'b', 'a', 'b'].map(visit);
    expect([entered.join(''), gate.takenShare()]).toEqual(['aabb', 1]);
    // Their places in the line are limited, too.
    await expect(visit('a')).rejects.toThrow('Too many');
    const stranger = visit('c');
    leaving[0]?.();
    await settle();
    expect(entered.join('')).toBe('aabbc');
    leaving[1]?.();
    await settle();
    expect(entered.join('')).toBe('aabbca');
    end();
    await Promise.all([...flood, stranger]);
    expect(gate.takenShare()).toBe(0);
  });

  test('lets in who has had a place for a short time before a crowd that comes again, also where its line is full', async () => {
    let now = 0;
    const few = { atOnce: 2, each: 1, waiting: 3, eachWaiting: 1, clock: () => now };
    const gate = createGate({ ...few, waitMs: 60_000, refusal: busy });
    const entered: string[] = [];
    const leaving = new Map<string, () => void>();
    const visit = (who: string) =>
      gate.pass(who, () => {
        entered.push(who);
        return new Promise<void>((resolve) => leaving.set(who, resolve));
      });
    const leave = async (who: string) => {
      leaving.get(who)?.();
      await settle();
    };
    const all = ['me', 'a', 'b'].map(visit);
    now = 1;
    await leave('me');
    now = 40;
    await leave('a');
    all.push(...['c', 'd'].map(visit));
    const last = visit('a').catch((error) => error.reason);
    all.push(visit('e'), visit('me'));
    expect(await last).toBe('too_many_uploads');
    await expect(visit('a')).rejects.toThrow('Too many');
    for (const who of ['b', 'c', 'd', 'e', 'me']) await leave(who);
    expect(entered).toEqual(['me', 'a', 'b', 'c', 'd', 'e', 'me']);
    await Promise.all(all);
  });

  test('counts each of the names of who enters', async () => {
    const { open, visit } = visits(createGate({ atOnce: 9, each: 2, waiting: 9, waitMs: 60_000, refusal: busy }));
    const all = [
      ['address 1', 'ticket 1'],
      ['address 2', 'ticket 1'],
      ['address 3', 'ticket 1'],
      ['address 4', 'ticket 2'],
      ['address 4', 'ticket 3'],
      ['address 4', 'ticket 4'],
    ].map(visit);
    expect(open.length).toBe(4);
    open[0]?.();
    await settle();
    expect(open.length).toBe(5);
    while (open.length < all.length) {
      open.at(-1)?.();
      open[3]?.();
      await settle();
    }
    for (const leave of open) leave();
    await Promise.all(all);
  });

  test('of a site is its own, and that of links another than that of forms', async () => {
    const { uploadsAt } = createGates();
    const [here, there] = [uploadsAt.links(1), uploadsAt.links(2)];
    const held = Promise.withResolvers<void>();
    const flood = Array.from({ length: 24 }, (_, at) => here.pass(`address ${at % 8}`, () => held.promise));
    // Once half of the places are taken, an address has one.
    expect([here.takenShare(), there.takenShare(), uploadsAt.forms(1).takenShare()]).toEqual([0.5, 0, 0]);
    expect(await here.pass('address 8', () => Promise.resolve('in'))).toBe('in');
    expect(await there.pass('address 0', () => Promise.resolve('in'))).toBe('in');
    held.resolve();
    await Promise.all(flood);
  });

  test('has room again after work that failed', async () => {
    const gate = createGate({ atOnce: 1, each: 1, waiting: 0, waitMs: 20, refusal: busy });
    const failing = gate.pass('a', () => Promise.reject(new Error('the disk is full')));
    expect(await failing.catch((error) => error.message)).toBe('the disk is full');
    expect(await gate.pass('a', () => Promise.resolve('in'))).toBe('in');
  });
});
