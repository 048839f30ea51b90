// Tabs of one browser choose the one that follows the desk: exactly one, soon, and another one when it goes away.

import { describe, expect, test } from 'bun:test';
import { createElection, type Word } from '../../src/web/console/live/election.ts';
import { createLockElection } from '../../src/web/console/live/lock-election.ts';
import { fakeTimer } from './fake-timer.ts';

interface Tab {
  id: string;
  leads: boolean;
  isVisible: boolean;
  /** Hears nothing and runs no timers, as a tab that the browser put to sleep. */
  isFrozen: boolean;
  /** Still hears. */
  areTimersStopped: boolean;
  election: ReturnType<typeof createElection>;
}

function browser() {
  const timer = fakeTimer();
  const tabs: Tab[] = [];
  let count = 0;
  function open({ isVisible = true } = {}): Tab {
    count += 1;
    const id = `tab${count}`;
    const say = (word: Word) => {
      for (const tab of tabs) if (tab.id !== id && !tab.isFrozen) tab.election.hear(word);
    };
    const tab: Tab = {
      id,
      leads: false,
      isVisible,
      isFrozen: false,
      areTimersStopped: false,
      election: createElection({
        id,
        say,
        timer: {
          now: timer.now,
          later: (ms, act) =>
            timer.later(ms, () => {
              if (!tab.isFrozen && !tab.areTimersStopped) act();
            }),
        },
        chance: () => ((count * 7919) % 97) / 97,
        isVisible: () => tab.isVisible,
        onRole: (leads) => {
          tab.leads = leads;
        },
      }),
    };
    tabs.push(tab);
    tab.election.start();
    return tab;
  }
  const leaders = () => tabs.filter(({ leads, isFrozen }) => leads && !isFrozen).map(({ id }) => id);
  return { ...timer, open, leaders, tabs };
}

test('the only tab leads, within half a second', async () => {
  const { open, pass, leaders } = browser();
  open();
  await pass(500);
  expect(leaders()).toEqual(['tab1']);
});

test('later tabs follow the first one', async () => {
  const { open, pass, leaders } = browser();
  open();
  await pass(600);
  open();
  open({ isVisible: false });
  await pass(60_000);
  expect(leaders()).toEqual(['tab1']);
});

test('of tabs that open at the same time, one leads', async () => {
  const { open, pass, leaders } = browser();
  for (let at = 0; at < 10; at += 1) open();
  await pass(2000);
  expect(leaders()).toHaveLength(1);
});

test('a tab in front leads rather than one behind it', async () => {
  const { open, pass, leaders } = browser();
  open({ isVisible: false });
  open({ isVisible: true });
  await pass(2000);
  expect(leaders()).toEqual(['tab2']);
});

test('when the leader closes, another takes over at once', async () => {
  const { open, pass, leaders, tabs } = browser();
  const first = open();
  await pass(600);
  open();
  open();
  await pass(2000);
  first.election.leave();
  tabs.shift();
  await pass(250);
  expect(leaders()).toHaveLength(1);
});

test('when the leader falls silent, a tab in front takes over within five seconds', async () => {
  const { open, pass, leaders } = browser();
  const first = open();
  await pass(600);
  open();
  await pass(2000);
  first.isFrozen = true;
  await pass(5000);
  expect(leaders()).toEqual(['tab2']);
});

test('a leader that was asleep yields when it wakes up', async () => {
  const { open, pass, leaders } = browser();
  const first = open();
  await pass(600);
  open();
  await pass(2000);
  first.isFrozen = true;
  await pass(10_000);
  first.isFrozen = false;
  expect(leaders()).toHaveLength(2);
  first.election.announce();
  expect(leaders()).toEqual(['tab2']);
  expect(first.leads).toBe(false);
  await pass(20_000);
  expect(leaders()).toEqual(['tab2']);
});

test('a leader whose beats are late, but who answers when asked, stays', async () => {
  const { open, pass, leaders } = browser();
  const first = open();
  await pass(600);
  open();
  first.areTimersStopped = true;
  await pass(60_000);
  expect(leaders()).toEqual(['tab1']);
});

test('two that lead become one as soon as they hear of each other', async () => {
  const { open, pass, leaders, tabs } = browser();
  const first = open();
  first.isFrozen = true;
  const second = open();
  await pass(1000);
  first.isFrozen = false;
  await pass(1000);
  first.election.leave();
  first.election.start();
  expect(second.leads).toBe(true);
  await pass(3000);
  expect(leaders()).toHaveLength(1);
  expect(tabs).toHaveLength(2);
});

test('a tab that came back asks again', async () => {
  const { open, pass, leaders } = browser();
  const only = open();
  await pass(1000);
  only.election.leave();
  expect(leaders()).toEqual([]);
  await pass(10_000);
  expect(leaders()).toEqual([]);
  only.election.start();
  await pass(1000);
  expect(leaders()).toEqual(['tab1']);
});

describe('where the browser gives locks', () => {
  /** One lock, as navigator.locks has it: granted in the order of the requests, until what it was granted for has ended. */
  function lockManager() {
    const waiting: (() => void)[] = [];
    let isHeld = false;
    const next = () => {
      isHeld = false;
      waiting.shift()?.();
    };
    return {
      async request(_name: string, { signal }: { signal: AbortSignal }, act: () => Promise<void>): Promise<void> {
        await new Promise<void>((resolve, reject) => {
          const grant = () => {
            if (signal.aborted) return next();
            isHeld = true;
            resolve();
          };
          signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
          if (isHeld) waiting.push(grant);
          else grant();
        });
        await act();
        next();
      },
    };
  }

  function tabs() {
    const locks = lockManager();
    const all: { id: string; roles: boolean[]; said: string[]; election: ReturnType<typeof createLockElection> }[] = [];
    return (id: string) => {
      const roles: boolean[] = [];
      const said: string[] = [];
      const say = (word: Word) => {
        said.push(word.kind);
        for (const other of all) if (other.id !== id) other.election.hear(word);
      };
      const election = createLockElection({
        id,
        say,
        locks: locks as never,
        onRole: (leads) => {
          roles.push(leads);
        },
      });
      const tab = { id, roles, said, election };
      all.push(tab);
      election.start();
      return tab;
    };
  }

  const settled = () => new Promise((resolve) => setImmediate(resolve));

  test('one tab leads, the next one follows it at once, and a tab that went before its turn is passed over', async () => {
    const open = tabs();
    const [one, two, three] = [open('one'), open('two'), open('three')];
    await settled();
    expect([one.roles, two.roles, three.roles]).toEqual([[true], [], []]);
    two.election.leave();
    one.election.leave();
    await settled();
    expect([one.roles, two.roles, three.roles]).toEqual([[true, false], [], [true]]);
  });

  test('the leader answers who asks, no one else does, and a tab that comes back waits its turn', async () => {
    const open = tabs();
    const leader = open('leader');
    await settled();
    const other = open('other');
    expect([leader.said, other.said]).toEqual([['who', 'here', 'here'], ['who']]);
    leader.election.leave();
    leader.election.start();
    await settled();
    expect([leader.roles, other.roles]).toEqual([[true, false], [true]]);
    other.election.leave();
    await settled();
    expect(leader.roles).toEqual([true, false, true]);
  });
});
