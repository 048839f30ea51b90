// Comma-separated values, read back by a parser of RFC 4180, and safe in a spreadsheet.

import { describe, expect, test } from 'bun:test';
import { csvLine } from '../../src/domain/csv.ts';

/** The cells of each record. */
function parse(text: string): string[][] {
  const records: string[][] = [];
  let cells: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  while (cell.lastIndex < text.length) {
    const match = cell.exec(text);
    if (match === null) throw new Error(`not CSV at ${cell.lastIndex}`);
    cells.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === ',') continue;
    records.push(cells);
    cells = [];
  }
  return records;
}

describe('a line', () => {
  test('has numbers as they are, and nothing for null', () => {
    expect(csvLine([1, null, -5, 'x'])).toBe('1,,-5,x\r\n');
  });

  test('keeps commas, quotes and line breaks inside their cell', () => {
    const cells = ['a,b', 'say "hi"', 'one\ntwo\r\nthree', '{"a":"b"}', ' ', 'é😀'];
    expect(parse(csvLine(cells) + csvLine(cells))).toEqual([cells, cells]);
  });

  test.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    '＝1',
    '＋1',
    '－1',
    '＠x',
    '=HYPERLINK("http://x","y")',
  ])('has no formula: %j', (text) => {
    expect(parse(csvLine([text, 'next']))).toEqual([[`'${text}`, 'next']]);
  });

  test('leaves other text alone', () => {
    for (const text of ['a=b', '1-2', 'mia@example.org', "'quoted", '::1', '192.0.2.1'])
      expect(parse(csvLine([text]))).toEqual([[text]]);
  });
});
