// Whether the desk can be reached: told within a second, and taken back as soon as anything is answered.

import { expect, test } from 'bun:test';
import { createReach, type ReachState } from '../../src/web/console/live/reach.ts';
import { fakeTimer } from './fake-timer.ts';

function setUp() {
  const timer = fakeTimer();
  const states: ReachState[] = [];
  const desk = { isThere: false, asked: 0 };
  const reach = createReach({
    timer,
    chance: () => 0.5,
    async probe() {
      desk.asked += 1;
      return desk.isThere;
    },
    onState: (state) => states.push(state),
  });
  return { timer, states, desk, reach };
}

test('a desk that does not answer is away within a second, and back within two seconds of being there', async () => {
  const { timer, states, desk, reach } = setUp();
  reach.lost();
  await timer.pass(999);
  expect(states).toEqual(['doubted', 'away']);
  await timer.pass(60_000);
  desk.isThere = true;
  await timer.pass(2000);
  expect(states).toEqual(['doubted', 'away', 'here']);
  const { asked } = desk;
  await timer.pass(60_000);
  expect(desk.asked).toBe(asked);
});

test('one lost request of a desk that answers is not worth a word', async () => {
  const { timer, states, desk, reach } = setUp();
  desk.isThere = true;
  reach.lost();
  await timer.pass(60_000);
  expect(states).toEqual(['doubted', 'here']);
  expect(desk.asked).toBe(1);
});

test('any answer ends it, and a look that was on its way says nothing any more', async () => {
  const { timer, states, reach } = setUp();
  reach.lost();
  reach.lost();
  await timer.pass(600);
  reach.reached();
  reach.reached();
  await timer.pass(60_000);
  expect(states).toEqual(['doubted', 'away', 'here']);
});

test('where there is hope, it is tried at once', async () => {
  const { timer, states, desk, reach } = setUp();
  reach.nudge();
  expect(desk.asked).toBe(0);
  reach.lost();
  await timer.pass(600);
  desk.isThere = true;
  reach.nudge();
  await timer.pass(0);
  expect(states.at(-1)).toBe('here');
});
