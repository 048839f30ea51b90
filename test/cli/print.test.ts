// Tables, fields and text from outside.

import { expect, test } from 'bun:test';
import { fields, plain, plainLines, table } from '../../cli/print.ts';
import { isColourWanted } from '../../src/base/config.ts';

test('text from outside keeps its letters and loses what drives a terminal', () => {
  expect(plain('\u001b[2Jgone\u0007')).toBe(' [2Jgone ');
  expect(plain('a\nb\tc')).toBe('a b c');
  expect(plain('user\u202Etxt.exe')).toBe('user txt.exe');
  expect(plain('\u009b31mred')).toBe(' 31mred');
  expect(plain('Émile 東京 🎉')).toBe('Émile 東京 🎉');
  expect(plainLines('one\r\ntwo\u001b\nthree')).toBe('one\ntwo \nthree');
});

test('columns line up, also under wide characters', () => {
  const lines = table(
    ['id', 'name'],
    [
      ['東京', 'a'],
      [1, 'b'],
    ],
  ).split('\n');
  expect(lines).toEqual(['id    name', '東京  a', '1     b']);
});

test('what is absent, yes, no and lists have their own words', () => {
  expect(fields({ a: null, bb: true, c: false, d: [], e: ['x', 'y'] })).toBe(
    ['a   –', 'bb  yes', 'c   no', 'd   –', 'e   x, y'].join('\n'),
  );
  expect(table(['id'], [])).toBe('Nothing yet.');
});

test('a newline in a cell starts no row', () => {
  expect(table(['a', 'b'], [['x\ny', 1]]).split('\n').length).toBe(2);
});

test('colour is for terminals, and not against NO_COLOR', () => {
  const before = process.env.NO_COLOR;
  try {
    delete process.env.NO_COLOR;
    expect([isColourWanted(true), isColourWanted(false), isColourWanted(undefined)]).toEqual([true, false, false]);
    process.env.NO_COLOR = '1';
    expect(isColourWanted(true)).toBe(false);
  } finally {
    if (before === undefined) delete process.env.NO_COLOR;
    else process.env.NO_COLOR = before;
  }
});
