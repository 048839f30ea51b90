// Agents' Markdown as HTML: what it allows, and what is made of hostile text.

import { describe, expect, test } from 'bun:test';
import { renderMarkdown } from '../../src/mail/markdown.ts';
import { fill, hostile, lines } from './hostile-markdown.ts';

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

describe('10,000 hostile characters have an end', () => {
  test.each(Object.keys(hostile))('%s', (name) => {
    expect(renderMarkdown(hostile[name] ?? '')).toBeString();
  });

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
