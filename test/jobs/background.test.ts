// Background work: started and stopped as the role says, one change at a time.

import { describe, expect, test } from 'bun:test';
import { silentLog } from '../../src/base/log.ts';
import { createBackground } from '../../src/jobs/background.ts';
import { until } from '../support/litefs.ts';

function setUp(retryMs = 5) {
  const state = { mayRun: false, running: 0, most: 0, starts: 0, wakes: 0, failures: 0, isSlow: false };
  const pause = () => (state.isSlow ? Bun.sleep(20) : Promise.resolve());
  const background = createBackground({
    mayRun: () => state.mayRun,
    log: silentLog,
    retryMs,
    async start() {
      await pause();
      if (state.failures > 0) {
        state.failures -= 1;
        throw new Error('not now');
      }
      state.starts += 1;
      state.running += 1;
      state.most = Math.max(state.most, state.running);
      return {
        wake: () => {
          state.wakes += 1;
        },
        async stop() {
          await pause();
          state.running -= 1;
        },
      };
    },
  });
  return { state, background };
}

describe('background work', () => {
  test('begins, ends and begins again with the role', async () => {
    const { state, background } = setUp();
    background.wake();
    await background.follow();
    expect(state).toMatchObject({ running: 0, wakes: 0 });
    state.mayRun = true;
    await background.follow();
    await background.follow();
    background.wake();
    expect(state).toMatchObject({ running: 1, starts: 1, wakes: 1 });
    state.mayRun = false;
    await background.follow();
    background.wake();
    expect(state).toMatchObject({ running: 0, wakes: 1 });
    state.mayRun = true;
    await background.follow();
    expect(state).toMatchObject({ running: 1, starts: 2 });
    await background.stop();
    expect(state.running).toBe(0);
  });

  test('never runs twice side by side, however fast the role changes', async () => {
    const { state, background } = setUp();
    state.isSlow = true;
    const changes: Promise<void>[] = [];
    for (let at = 0; at < 9; at += 1) {
      state.mayRun = at % 2 === 0;
      changes.push(background.follow());
      await Bun.sleep(at % 3);
    }
    await Promise.all(changes);
    expect(state.running).toBe(1);
    expect(state.most).toBe(1);
    await background.stop();
    state.mayRun = true;
    await background.follow();
    expect(state.running).toBe(0);
  });

  test('that cannot begin is tried again, and its callers are told', async () => {
    const { state, background } = setUp();
    state.mayRun = true;
    state.failures = 2;
    expect(await background.follow().catch((error: Error) => error.message)).toBe('not now');
    await until(() => state.running === 1, 'it runs after all');
    expect(state.failures).toBe(0);
    await background.stop();
  });
});
