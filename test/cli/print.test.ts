// Tables, fields and untrusted text.

import { expect, test } from 'bun:test';
import { fields, plain, plainLines, shorten, table } from '../../cli/output/text.ts';
import { isColourWanted } from '../../src/base/environment.ts';

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

test('on a narrow terminal sentences are cut, and nothing that someone would copy', () => {
  const rows = [
    ['01K4VJ8Q4N7RM2ZC6B0T3XWYDE', 'The invoice of last month is missing', 'open', 'Sent twice, said the bank'],
    ['01K4VJ8Q4N7RM2ZC6B0T3XWYDF', '東京の請求書 が 見つかりません、もう一度送ってください', 'open', '–'],
  ];
  const told = (room: number) => table(['ulid', 'subject', 'status', 'reason'], rows, room).split('\n');
  expect(told(200)).toEqual(table(['ulid', 'subject', 'status', 'reason'], rows, Number.POSITIVE_INFINITY).split('\n'));
  const narrow = told(90);
  expect(narrow.map((line) => Bun.stringWidth(line) <= 90)).toEqual([true, true, true]);
  expect(narrow[1]).toBe('01K4VJ8Q4N7RM2ZC6B0T3XWYDE  The invoice of last month…   open    Sent twice, said the bank');
  expect(new Set(narrow.map((line) => Bun.stringWidth(line.slice(0, line.search(/status|open/)))))).toEqual(
    new Set([57]),
  );
  // Too narrow for everything: the rest is shown in full.
  expect(told(20)[1]).toBe('01K4VJ8Q4N7RM2ZC6B0T3XWYDE  The invoice of…   open    Sent twice, said the bank');
  expect(shorten('👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 4)).toBe('👩‍👩‍👧‍👦…');
  expect(shorten('short', 5)).toBe('short');
});

test('what is absent, yes, no and lists have their own words', () => {
  expect(fields({ a: null, bb: true, c: false, d: [], e: ['x', 'y'] })).toBe(
    ['a   –', 'bb  yes', 'c   no', 'd   –', 'e   x, y'].join('\n'),
  );
  expect(table(['id'], [])).toBe('None.');
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
