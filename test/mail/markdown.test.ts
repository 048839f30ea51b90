// Agents' Markdown as HTML: what it allows, and how long hostile text can take.

import { describe, expect, test } from 'bun:test';
import { renderMarkdown } from '../../src/mail/markdown.ts';

describe('Markdown', () => {
  test.each([
    ['**bold** and _italic_ and ~~struck~~', '<p><strong>bold</strong> and <em>italic</em> and <del>struck</del></p>'],
    ['one\ntwo', '<p>one<br />two</p>'],
    ['`a < b`', '<p><code>a &lt; b</code></p>'],
    ['- [x] done\n- [ ] open', '<ul>\n<li>☑ done</li>\n<li>☐ open</li>\n</ul>'],
    ['Kind regards\n--\nAna', '<p>Kind regards<br />--<br />Ana</p>'],
    ['> quoted', '<blockquote>\n<p>quoted</p>\n</blockquote>'],
    ['{{not a variable}} &copy;', '<p>{{not a variable}} ©</p>'],
  ])('%p', (source, html) => {
    expect(renderMarkdown(source)).toBe(html);
  });

  test('links open elsewhere without a referrer', () => {
    const safe = 'rel="noopener noreferrer nofollow" target="_blank"';
    expect(renderMarkdown('[docs](https://docs.example/a?b=1&c=2)')).toBe(
      `<p><a href="https://docs.example/a?b=1&amp;c=2" ${safe}>docs</a></p>`,
    );
    expect(renderMarkdown('see https://docs.example')).toContain(`<a href="https://docs.example" ${safe}>`);
  });

  test.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](data:text/html,<script>)',
    '[x](vbscript:x "onmouseover=1")',
    '![x](javascript:alert(1))',
    '![x](https://tracker.example/p.png)',
    '<a href="javascript:x">y</a>',
    '<https://a.example/"onmouseover="x>',
    '[x]: javascript:alert(1)\n\n[x]',
    '```"><script>\nx\n```',
    '<!-- --><iframe src="https://a.example">',
    '&lt;script&gt;',
  ])('%p does nothing', (source) => {
    const html = renderMarkdown(source);
    expect(html).not.toMatch(/<(script|img|iframe|!--)/i);
    expect(html).not.toMatch(/<[^>]*(javascript:|vbscript:|data:|\son\w+=)/i);
  });

  test('an image becomes a link, because loading it tells its server who reads', () => {
    expect(renderMarkdown('![the chart](https://a.example/c.png)')).toContain('>the chart</a>');
  });
});

const fill = (text: string) => text.repeat(Math.ceil(10_000 / text.length)).slice(0, 10_000);
const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at))
    .join('\n')
    .slice(0, 10_000);

const hostile: Record<string, string> = {
  'one long line': fill('hello world '),
  'one long word': fill('a'),
  'open brackets': fill('['),
  'nested brackets': '['.repeat(5000) + ']'.repeat(5000),
  'nested images': fill('![[]()'),
  'nested links': fill('[[]()'),
  'unfinished links': fill('[a](b '),
  'open parentheses': `[a](${fill('(')}`.slice(0, 10_000),
  'an unfinished title': `[a](b "${fill('\\"')}`.slice(0, 10_000),
  'deep quotes': fill('>'),
  'deep spaced quotes': fill('> '),
  'quotes of lists': fill('> - '),
  'lists of quotes': fill('1. > - '),
  'deep lists': lines(140, (at) => `${' '.repeat(at)}- a`),
  'emphasis runs': fill('*_*_a'),
  'unclosed emphasis': fill('*a **b '),
  'one run': `${'*'.repeat(3333)}a${'*'.repeat(3333)}`,
  underscores: fill('_a'),
  'struck text': fill('~~a'),
  backticks: lines(140, (at) => '`'.repeat(at)),
  'a wide table': `${'|a'.repeat(1600)}|\n${'|-'.repeat(1600)}|\n${fill('|b')}`.slice(0, 10_000),
  'a wide table of empty lines': `${'a|'.repeat(1700)}\n${'-|'.repeat(1700)}\n${'|\n'.repeat(1490)}`.slice(0, 10_000),
  'a wide table in a quote': `>${'a|'.repeat(1200)}\n>${'-|'.repeat(1200)}\n${'>|\n'.repeat(1000)}`.slice(0, 10_000),
  'a table of 100 columns': `${'a|'.repeat(100)}\n${'-|'.repeat(100)}\n${'|\n'.repeat(1400)}`,
  'a long table': `|a|\n|-|\n${fill('|b\n')}`.slice(0, 10_000),
  'many tables': fill('a|b\n-|-\n'),
  'many links': fill('[a](https://b.example)\n'),
  'many references': `[a]: /u\n\n${fill('[a]')}`.slice(0, 10_000),
  'many definitions': lines(800, (at) => `[a${at}]: /u`),
  'bare addresses': fill('http://a.b '),
  'an address of marks': `http://a.b${fill('?!')}`.slice(0, 10_000),
  'mail addresses': fill('a@b.c '),
  'open tags': fill('<a b="'),
  'angle brackets': fill('<'),
  entities: fill('&#'),
  'many lines': fill('b\n'),
  'a lazy quote': `> a\n${fill('b\n')}`.slice(0, 10_000),
  underlines: fill('a\n='),
  headings: fill('# a\n'),
  rules: fill('* * *\n'),
  fences: fill('```\n'),
  'spaces inside': `a${' '.repeat(9998)}b`,
  'astral letters': fill('**😀'),
};

describe('10,000 hostile characters take less than 50 ms', () => {
  renderMarkdown('warm *up*');
  for (const [name, source] of Object.entries(hostile)) {
    test(name, () => {
      // Other programs share the machine, and other threads of this one count into its processor time.
      const times = Array.from({ length: 5 }, () => {
        const [startedAt, used] = [performance.now(), process.cpuUsage()];
        renderMarkdown(source);
        const { user, system } = process.cpuUsage(used);
        return Math.min(performance.now() - startedAt, (user + system) / 1000);
      });
      expect(Math.min(...times)).toBeLessThan(50);
    });
  }

  test('and what takes longer is shown as it was written', () => {
    expect(renderMarkdown(fill('*_*_a'))).toBe(`<p>${fill('*_*_a')}</p>`);
    expect(renderMarkdown(`one <b>\n\n${fill('*_*_a')}`)).toStartWith('<p>one &#60;b&#62;</p>\n<p>*_*_a');
  });

  test('but not a table of ordinary size', () => {
    const source = `| order | sent | price |\n| --- | :-: | --: |\n${lines(150, (at) => `| ${at} | yes | ${at} |`)}`;
    expect(renderMarkdown(source).match(/<td/g)?.length).toBe(450);
  });

  test('but not an ordinary long reply', () => {
    const source = fill('Dear **Mia**, please _open_ [the page](https://a.example/x) and `try` again.\n\n- a\n- b\n\n');
    expect(renderMarkdown(source).match(/<strong>/g)?.length).toBeGreaterThan(100);
    const onePart = fill('Please **open** the _page_ and tell me what `it` shows there. ');
    expect(renderMarkdown(onePart).match(/<strong>/g)?.length).toBeGreaterThan(150);
  });
});
