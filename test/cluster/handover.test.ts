// A planned change of the primary: deliveries end first, writes last, and both resume if LiteFS does not move the lease.

import { expect, test } from 'bun:test';
import { createHandover } from '../../src/cluster/handover.ts';
import type { Role } from '../../src/cluster/role.ts';
import { until } from '../support/litefs.ts';

function setUp(resumeMs = 60_000) {
  const state = { isPrimary: true };
  let changed: (role: Role) => void = () => undefined;
  const handover = createHandover(
    {
      isPrimary: () => state.isPrimary,
      onChange(listener) {
        changed = listener;
        return () => undefined;
      },
    },
    resumeMs,
  );
  return { state, handover, change: (role: Role) => changed(role) };
}

test('writes go on until the last delivery has ended', async () => {
  const { handover } = setUp();
  const delivered = Promise.withResolvers<void>();
  handover.follow(() => delivered.promise);
  const begun = handover.begin();
  expect(handover.mayWork()).toBe(false);
  expect(handover.requireWrites).not.toThrow();
  delivered.resolve();
  await begun;
  expect(handover.requireWrites).toThrow('The primary is handing over to another machine. Nothing was stored.');
});

test('work and writes resume when the lease has not moved', async () => {
  const { handover } = setUp(20);
  const followed: boolean[] = [];
  handover.follow(() => {
    followed.push(handover.mayWork());
    return Promise.resolve();
  });
  await handover.begin();
  await until(handover.mayWork, 'it resumes');
  expect(followed).toEqual([false, true]);
  expect(handover.requireWrites).not.toThrow();
});

test('a handover ends with the role', async () => {
  const { handover, change } = setUp();
  await handover.begin();
  change('replica');
  expect(handover.mayWork()).toBe(true);
  expect(handover.requireWrites).not.toThrow();
});

test('a failure to end the work leaves the primary as it was', async () => {
  const { handover } = setUp();
  handover.follow(() => Promise.reject(new Error('a delivery hangs')));
  await expect(handover.begin()).rejects.toThrow('a delivery hangs');
  expect(handover.mayWork()).toBe(true);
});

test('only a primary hands over, and once at a time', async () => {
  const { handover, state } = setUp();
  await handover.begin();
  await expect(handover.begin()).rejects.toThrow('handing over already');
  const replica = setUp();
  replica.state.isPrimary = false;
  await expect(replica.handover.begin()).rejects.toThrow('not the primary');
  expect(state.isPrimary).toBe(true);
});
