// Lists of choices: moving by keys, searching, typing ahead, tabs, and the place of a panel.

import { describe, expect, test } from 'bun:test';
import { matching, movedBy, tabKey, typeAhead, typedAhead } from '../../src/web/shared/list-keys.ts';
import { type Placement, placed } from '../../src/web/shared/popover.ts';

test.each([
  ['ArrowDown', -1, 0],
  ['ArrowDown', 2, 2],
  ['ArrowUp', -1, 2],
  ['ArrowUp', 0, 0],
  ['PageDown', 0, 2],
  ['PageUp', 2, 0],
  ['Home', 2, 0],
  ['End', 0, 2],
  ['a', 0, null],
] as const)('%s leads from %d of three to %p', (key, from, to) => {
  expect(movedBy(key, from, 3)).toBe(to);
});

test('in an empty list no key moves', () => {
  expect(movedBy('ArrowDown', -1, 0)).toBeNull();
});

describe('searching', () => {
  const people = [
    { text: 'Zoë Márquez', hint: 'zoe@demo-shop.example' },
    { text: 'Ana Zoller' },
    { text: 'Noor Visser', hint: 'noor@zoo.example' },
  ];
  const found = (typed: string) => matching(people, typed).map(({ text }) => text);

  test('nothing typed leaves all of them in their order', () => {
    expect(found(' ')).toEqual(['Zoë Márquez', 'Ana Zoller', 'Noor Visser']);
  });
  test('ignores case and accents, and puts beginnings first, then beginnings of words', () => {
    expect(found('ZO')).toEqual(['Zoë Márquez', 'Ana Zoller', 'Noor Visser']);
    expect(found('marquez zoe')).toEqual(['Zoë Márquez']);
    expect(found('zoo')).toEqual(['Noor Visser']);
    expect(found('ana visser')).toEqual([]);
  });
});

describe('typing ahead', () => {
  const options = ['Bug', 'Billing', 'Question', 'Breach'].map((text) => ({ text }));
  test('a repeated letter walks on, round the end', () => {
    expect([-1, 0, 1, 3].map((active) => typedAhead(options, 'b', active))).toEqual([0, 1, 3, 0]);
    expect(typedAhead(options, 'bb', 0)).toBe(1);
  });
  test('more letters narrow it down', () => {
    expect(typedAhead(options, 'bi', 1)).toBe(1);
    expect(typedAhead(options, 'br', 1)).toBe(3);
    expect(typedAhead(options, 'x', 0)).toBeNull();
  });
  test('letters belong together for a moment', () => {
    const collect = typeAhead();
    expect([collect('b', 1000), collect('i', 1500), collect('q', 2300)]).toEqual(['b', 'bi', 'q']);
  });
});

test.each([
  ['ArrowRight', false, 'ArrowDown'],
  ['ArrowRight', true, 'ArrowUp'],
  ['ArrowLeft', true, 'ArrowDown'],
  ['Home', true, 'Home'],
  ['ArrowDown', false, null],
] as const)('in tabs, %s (right to left: %p) is %p', (key, isRightToLeft, moved) => {
  expect(tabKey(key, isRightToLeft)).toBe(moved);
});

describe('a panel without anchors', () => {
  const screen = { width: 400, height: 600 };
  const panel = { width: 200, height: 300 };
  const at = (left: number, top: number, placement: Placement = {}, isRightToLeft = false) =>
    placed({ left, top, width: 100, height: 30 }, panel, screen, placement, isRightToLeft);

  test('lies below the start of its control', () => {
    expect(at(50, 100)).toEqual({ left: 50, top: 134 });
    expect(at(250, 100, { align: 'end' })).toEqual({ left: 150, top: 134 });
  });
  test('begins at the other side from right to left', () => {
    expect(at(250, 100, {}, true)).toEqual({ left: 150, top: 134 });
  });
  test('goes above where there is room only there, and back', () => {
    expect(at(50, 500).top).toBe(196);
    expect(at(50, 100, { side: 'above' }).top).toBe(134);
    expect(at(50, 500, { side: 'above' }).top).toBe(196);
  });
  test('stays on the screen', () => {
    expect(at(380, 100)).toEqual({ left: 192, top: 134 });
    expect(at(0, 290)).toEqual({ left: 8, top: 292 });
  });
});
