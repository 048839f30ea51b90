// Ctrl or ⌘ Z before a change has its answer takes back that change, not the one before it.

import { expect, test } from 'bun:test';
import { offerUndo, takeBack, undoables, whileChanging } from '../../../src/web/console/undo.ts';

function setUp() {
  undoables.value = [];
  const taken: string[] = [];
  const offer = (name: string) => offerUndo(name, () => void taken.push(name), 60_000);
  return { taken, offer };
}

test('what is asked for during a change waits for its answer', async () => {
  const { taken, offer } = setUp();
  offer('before');
  const answer = Promise.withResolvers<null>();
  const changed = whileChanging(answer.promise.then(() => offer('change')));
  expect(takeBack()).toBe(true);
  expect(taken).toEqual([]);
  answer.resolve(null);
  await changed;
  expect(taken).toEqual(['change']);
  expect(takeBack()).toBe(true);
  expect(taken).toEqual(['change', 'before']);
  expect(takeBack()).toBe(false);
});

test('a refused change takes nothing else with it', async () => {
  const { taken, offer } = setUp();
  offer('before');
  const changed = whileChanging(Promise.reject(new Error('refused')));
  takeBack();
  await expect(changed).rejects.toThrow('refused');
  expect(taken).toEqual([]);
  await whileChanging(Promise.resolve(null));
  expect(taken).toEqual([]);
});

test('a note that is pressed is taken back at once', () => {
  const { taken, offer } = setUp();
  offer('note');
  void whileChanging(new Promise(() => undefined));
  expect(takeBack(undoables.value[0]?.id)).toBe(true);
  expect(taken).toEqual(['note']);
});
