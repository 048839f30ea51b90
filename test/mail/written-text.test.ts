// A reply that was written in Markdown, as the text part of a mail.

import { describe, expect, test } from 'bun:test';
import { renderMarkdown } from '../../src/mail/markdown.ts';
import { writtenAsText } from '../../src/mail/outgoing/written-text.ts';
import { fill, hostile } from './hostile-markdown.ts';

const asText = (source: string) => writtenAsText(source, renderMarkdown(source));

describe('a reply in Markdown, as text', () => {
  test.each([
    ['**bold**, _italic_ and `a < b`', 'bold, italic and a < b'],
    ['not ~~ten~~ five', 'not ~~ten~~ five'],
    ['Hello,\nKind regards\n--\nAna', 'Hello,\nKind regards\n--\nAna'],
    ['one\n\n\n\ntwo', 'one\n\ntwo'],
    ['2 \\* 3 \\[sic\\] &copy; &amp; \\_a\\_ <b>', '2 * 3 [sic] © & _a_ <b>'],
    ['# Steps\nfirst', 'Steps\n\nfirst'],
    ['- one\n- two\n  - inside\n- [x] done', '- one\n- two\n  - inside\n- ☑ done'],
    ['3. three\n4. four', ' 3. three\n 4. four'],
    ['> quoted\n> > deeper', '> quoted\n>\n> > deeper'],
    ['```js\nif (x) {\n    y();\n}\n```', 'if (x) {\n    y();\n}'],
    ['[the page](https://a.example/?b=1&c=2)', 'the page (https://a.example/?b=1&c=2)'],
    ['see https://a.example or ana@a.example', 'see https://a.example or ana@a.example'],
    ['![chart](https://a.example/c.png)', 'chart (https://a.example/c.png)'],
    ['[x](javascript:alert(1))', 'x'],
    [
      '| item | price |\n| --- | --: |\n| a long one | 1 |\n| b | 200 |',
      'item        price\na long one  1\nb           200',
    ],
  ])('%j', (source, text) => {
    expect(asText(source)).toBe(text);
  });

  test('that takes too long to read is sent as it was written', () => {
    for (const source of [fill('*_*_a'), fill('b\n')]) expect(asText(source)).toBe(source.trim());
  });
});

test.each(Object.keys(hostile))('10,000 hostile characters have an end: %s', (name) => {
  expect(asText(hostile[name] ?? '')).toBeString();
});
