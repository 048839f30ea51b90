// Folding: additions of mail programs are hidden, the customer's words stay, in sixteen languages and in linear time.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { bodyOf, foldReply, longestBody } from '../../src/mail/reply/body.ts';
import { answersAnnounced, forwardMarkers, keptWhole, mobileSignatures, quotedTails } from './replies.ts';

const sentence = 'The second tray is empty.\nWhat now?';
const html = (markup: string, subject = 'Re: Printer') =>
  bodyOf({ text: null, html: markup, order: 'alternatives', embedded: [], subject }).body;

describe('the history below a reply is folded away', () => {
  test.each(quotedTails)('%s', (_program, tail) => {
    expect(foldReply(`${sentence}\n\n${tail}`, 'Re: Printer')).toEqual({
      body: sentence,
      whole: `${sentence}\n\n${tail}`.trim(),
      foldedAway: true,
      isCut: false,
    });
    expect(foldReply(`${sentence}\n\n${tail}`.replaceAll('\n', '\r\n')).body).toBe(sentence);
  });

  test('all sixteen languages are there', () => {
    expect([...new Set(quotedTails.map(([name]) => name.split(' ')[0]))].sort()).toEqual(
      'cs da de en es fi fr it ja nb nl pl pt ru sv zh'.split(' '),
    );
  });

  test('nothing else is: a reply that is nothing but history stays whole', () => {
    for (const [, tail] of quotedTails)
      expect(foldReply(tail)).toMatchObject({ body: expect.stringMatching(/\S/), foldedAway: expect.any(Boolean) });
  });

  test('an answer below one block of history, as Thunderbird begins it', () => {
    expect(foldReply('On 04/02/2026 06:26 PM, Megan One wrote:\n> Hi\n> there\n\nHello, it works.').body).toBe(
      'Hello, it works.',
    );
  });
});

describe('an answer that Outlook wrote as text, with no blank line below its header block', () => {
  const blocks = quotedTails.filter(([name]) => /^\w\w Outlook(?: for Mac)?$/.test(name));
  const close = (tail: string) => tail.replace('\n\n', '\n');

  test.each(blocks)('%s', (_program, tail) => {
    const text = `${sentence}\n\n${close(tail)}`;
    expect(foldReply(text, 'Re: Printer', { isAnswer: true })).toMatchObject({ body: sentence, whole: text.trim() });
    const copied = close(tail).split('\n').toSpliced(3, 0, 'Cc: Kim <kim@example.com>; Bo <bo@example.com>');
    expect(foldReply([sentence, '', ...copied].join('\n'), '', { isAnswer: true }).body).toBe(sentence);
    // The same words in a mail that answers none can be a form.
    expect(foldReply(text, 'Printer')).toMatchObject({ body: text.trim(), foldedAway: false });
  });

  test('all sixteen languages are there', () => {
    expect(new Set(blocks.map(([name]) => name.slice(0, 2))).size).toBe(16);
  });

  test.each([
    ['no address', /<[^<>]+>/g, ''],
    ['no moment', / 3:14 PM/, ''],
    ['another order', /(From.*\n)(Sent.*\n)/, '$2$1'],
    ['no subject', /Subject.*\n/, ''],
  ])('with %s it stays', (_what, part, instead) => {
    const text = `${sentence}\n\n${close(blocks.find(([name]) => name === 'en Outlook')![1])}`
      .trim()
      .replace(part, instead);
    expect(foldReply(text, 'Re: Printer', { isAnswer: true })).toMatchObject({ body: text, foldedAway: false });
  });

  test('a forward within a thread stays whole', () => {
    const text = `Can you help him?\n\n${close(blocks[0]![1])}`.trim();
    expect(foldReply(text, 'FW: Printer', { isAnswer: true })).toMatchObject({ body: text, foldedAway: false });
  });
});

describe('what the customer wrote stays', () => {
  test.each(keptWhole)('%s', (_name, text) => {
    for (const isAnswer of [false, true])
      expect(foldReply(text, '', { isAnswer })).toMatchObject({ body: text, foldedAway: false });
  });

  test('answers that are announced to stand within the quotation', () => {
    const tail =
      'From: Desk <help@desk.example>\nSent: Tuesday, September 8, 2026 3:14 PM\nTo: Jo\nSubject: Re: x\n\nWhich version?\nJo: four\n';
    for (const words of answersAnnounced) {
      expect(foldReply(`${words}\n\n${tail}`).foldedAway).toBe(false);
    }
    expect(foldReply(`It still fails.\n\n${tail}`).body).toBe('It still fails.');
  });

  test('a sentence between dashes above a header block', () => {
    const tail = 'From: Desk <help@desk.example>\nSent: 8 Sep 2026 15:14\nTo: Jo\nSubject: Re: x\n\nHello';
    expect(foldReply(`It fails.\n\n--- this is what you said ---\n${tail}`).body).toEndWith('you said ---');
    expect(foldReply(`It fails.\n\n--- Your mail ---\n${tail}`).body).toBe('It fails.');
  });

  test('his own earlier mail, told in his own voice', () => {
    const text = 'On 3 May 2026 at 15:00 I wrote:\nmy printer is broken.\nNo one answered.';
    expect(foldReply(text).body).toBe(text);
  });

  test('a property: whatever stands above a quotation is kept', () => {
    const word = fc.constantFrom(
      'the',
      'printer',
      'On',
      'Am',
      'From:',
      'fails',
      '2026',
      'wrote',
      '>',
      'Sent',
      '15:14',
      'a@b.example',
      'um',
      '\n',
      '\n\n',
      'confidential',
      '--',
      ':',
    );
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 30 }),
        fc.constantFrom(...quotedTails),
        (words, [, tail]) => {
          const text = `I say this. ${words.join(' ')}\nAnd this is the end of it.`;
          const { body } = foldReply(`${text}\n\n${tail}`);
          expect(body).toStartWith('I say this.');
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('forwards are kept', () => {
  test.each(forwardMarkers)('below %s', (marker) => {
    const text = `Can you help him?\n\n${marker}\nFrom: Kim <kim@example.com>\nDate: Tue, Sep 8, 2026 at 3:14 PM\nSubject: Printer\nTo: Jo <jo@example.com>\n\nMy printer is on fire.`;
    expect(foldReply(text, 'Printer')).toMatchObject({ body: text, foldedAway: false });
  });

  test.each([
    ['FW: Printer', 'en'],
    ['Fwd: Printer', 'en'],
    ['[#41] Fwd: Printer', 'en'],
  ])('by the subject %s', (subject) => {
    const text =
      'FYI\n\nFrom: Kim <kim@example.com>\nSent: Tuesday, September 8, 2026 3:14 PM\nTo: Jo\nSubject: Printer\n\nIt burns.';
    expect(foldReply(text, subject).body).toBe(text);
    expect(foldReply(text, `Re: ${subject}`).body).toBe(subject.startsWith('[') ? 'FYI' : 'FYI');
  });

  test('VS is a reply in Finnish and a forward in Norwegian', () => {
    const finnish = 'Hei\n\nLähettäjä: Kim\nLähetetty: 8. syyskuuta 2026 15.14\nVastaanottaja: Jo\nAihe: x\n\nvanha';
    const norwegian = 'Hei\n\nFra: Kim\nSendt: 8. september 2026 15:14\nTil: Jo\nEmne: x\n\ngammel';
    expect(foldReply(finnish, 'VS: x').body).toBe('Hei');
    expect(foldReply(norwegian, 'VS: x').body).toBe(norwegian);
  });

  test('a message forwarded as a file is read below the text', () => {
    const embedded = [
      {
        from: { name: 'Kim', address: 'kim@example.com' },
        to: [],
        subject: 'Fire',
        date: null,
        text: 'It burns.',
        html: null,
      },
    ];
    expect(bodyOf({ text: 'See file.', html: null, order: 'alternatives', embedded, subject: 'x' }).body).toBe(
      'See file.\n\n---------- Forwarded message ----------\nFrom: Kim <kim@example.com>\nSubject: Fire\n\nIt burns.',
    );
  });
});

describe('signatures and disclaimers', () => {
  test.each([
    ['a signature below two dashes', '-- \nJo Doe\nExample Inc.\n+1 555 0100'],
    ...mobileSignatures.map((line) => [line, line]),
    [
      'a disclaimer in English',
      'This e-mail and any attachments are confidential and intended solely for the addressee. If you are not the intended recipient please delete this message.',
    ],
    [
      'a disclaimer in German',
      'Diese E-Mail enthält vertrauliche und rechtlich geschützte Informationen. Wenn Sie nicht der richtige Adressat sind, vernichten Sie diese Mail.',
    ],
    [
      'a disclaimer in French',
      'Ce message est confidentiel et destiné exclusivement à son destinataire. Toute diffusion est interdite. Si vous avez reçu ce message par erreur, merci.',
    ],
    [
      'a signature, a telephone and a disclaimer',
      'Sent from my Galaxy\n\n-- \nJo\n\nCONFIDENTIAL: for the intended recipient only, unauthorized use is prohibited by law.',
    ],
  ])('%s', (_name, closing) =>
    expect(foldReply(`${sentence}\n\n${closing}`)).toMatchObject({ body: sentence, foldedAway: true }),
  );

  test('a closing formula and a name stay', () => {
    const text = `${sentence}\n\nBest regards,\nJo`;
    expect(foldReply(text).body).toBe(text);
  });

  test('a request for confidence is no disclaimer', () => {
    const text = `${sentence}\n\nPlease keep this confidential, since my employer must not hear of the matter at all.`;
    expect(foldReply(text).body).toBe(text);
  });
});

describe('HTML without a text part', () => {
  test.each([
    [
      'Gmail',
      '<div>It works now.</div><br><div class="gmail_quote"><div class="gmail_attr">On Tue, Sep 8, 2026 at 3:14 PM Desk &lt;<a href="mailto:h@d.example">h@d.example</a>&gt; wrote:<br></div><blockquote class="gmail_quote">Hello<br>again</blockquote></div>',
    ],
    [
      'Outlook',
      '<div class=WordSection1><p class=MsoNormal>It works now.<o:p></o:p></p><div style="border:none;border-top:solid #E1E1E1 1.0pt"><p class=MsoNormal><b>From:</b> Desk &lt;h@d.example&gt;<br><b>Sent:</b> Tuesday, September 8, 2026 3:14 PM<br><b>To:</b> Jo<br><b>Subject:</b> Re: x</p></div><p>Hello</p></div>',
    ],
    [
      'Outlook on the web',
      '<div>It works now.</div><hr><div id="divRplyFwdMsg"><b>From:</b> Desk &lt;h@d.example&gt;<br><b>Sent:</b> Tuesday, September 8, 2026 3:14 PM<br><b>To:</b> Jo<br><b>Subject:</b> Re: x</div><div>Hello</div>',
    ],
    [
      'Apple Mail',
      'It works now.<br><br><div>Sent from my iPhone</div><blockquote type="cite">On Sep 8, 2026, at 3:14 PM, Desk &lt;h@d.example&gt; wrote:<br><br></blockquote><blockquote type="cite"><div>Hello</div></blockquote>',
    ],
    [
      'Yahoo',
      '<div>It works now.</div><div class="yahoo_quoted"><div>On Tuesday, September 8, 2026 at 03:14:00 PM GMT+2, Desk &lt;h@d.example&gt; wrote: </div><div>Hello</div></div>',
    ],
    [
      'GMX',
      '<div><div>It works now.</div><div>&nbsp;<div name="quote" style="margin:10px"><div style="margin:0"><b>Gesendet:</b>&nbsp;Dienstag, 08. September 2026 um 15:14 Uhr<br/><b>Von:</b>&nbsp;&quot;Desk&quot; &lt;h@d.example&gt;<br/><b>An:</b>&nbsp;jo@example.com<br/><b>Betreff:</b>&nbsp;x</div><div name="quoted-content"><div>Hallo</div></div></div></div></div>',
    ],
    [
      'Thunderbird',
      '<p>It works now.</p><div class="moz-cite-prefix">Am 08.09.26 um 15:14 schrieb Desk:<br></div><blockquote type="cite"><p>Hallo</p></blockquote><div class="moz-signature">-- <br>Jo</div>',
    ],
  ])('%s', (_program, markup) => expect(html(markup)).toBe('It works now.'));

  test('that quotes a whole page keeps what stands above it', () => {
    const page = '<!doctype html><html><head><title>x</title></head><body><p>What did you try?</p></body></html>';
    for (const quote of [
      `<blockquote>${page}</blockquote>`,
      `<blockquote type="cite">${page}</blockquote></body></html>`,
    ])
      expect(html(`<div>I pulled the plug.</div><div>On 24 Nov 2026, at 09:31, Ada wrote:</div>${quote}`)).toBe(
        'I pulled the plug.',
      );
  });

  test('has an empty line where an editor wrote one', () => {
    expect(html('<div>One</div><div><br></div><div>Two<br>Three</div><p>&nbsp;</p><p>Four</p>')).toBe(
      'One\n\nTwo\nThree\n\nFour',
    );
  });

  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' &#1;javascript:alert(1)',
    'java&#10;scr&#9;ipt:alert(1)',
    'mailto:javascript:alert(1)',
    'data:text/html,<b>x</b>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://x.example/1',
  ])('no link to %s', (href) => {
    expect(html(`<p>See <a href="${href}">this</a> and <a href="${href}"></a>that.</p>`)).toBe('See this and that.');
  });

  test.each([
    ['https://x.example/a?b=c:d', 'https://x.example/a?b=c:d'],
    ['HTTP://x.example', 'HTTP://x.example'],
    ['mailto:jo@example.com', 'jo@example.com'],
    ['tel:+49123', 'tel:+49123'],
    ['/help?at=10:30', '/help?at=10:30'],
  ])('a link to %s stays', (href, shown) => {
    expect(html(`<p>See <a href="${href}">this</a>.</p>`)).toBe(`See this <${shown}>.`);
  });

  test('links, lists and cells stay readable, an unclosed head swallows nothing', () => {
    expect(
      html(
        '<html><head><title>x</title><style>p{}</style><p>See <a href="https://x.example/a">this</a></p><ul><li>one<li>two</ul><table><tr><td>a</td><td>b</td></tr></table>',
      ),
    ).toBe('See this <https://x.example/a>\n\n * one\n * two\n\na b');
  });
});

describe('limits', () => {
  test('a body of more than 10000 characters is cut between characters and says so', () => {
    const folded = foldReply('😀'.repeat(longestBody + 5));
    expect([...folded.body].length).toBe(longestBody);
    expect(folded).toMatchObject({ isCut: true, whole: '😀'.repeat(longestBody + 5) });
    expect(foldReply('😀'.repeat(longestBody))).toMatchObject({ isCut: false });
  });

  const megabyte = (piece: string) => piece.repeat(Math.ceil(1024 ** 2 / piece.length));
  test.each([
    ' ',
    '>',
    '> ',
    '>\n',
    '\n',
    'On ',
    'On 1\n',
    'On 2026 15:15 <a@',
    '1:\n',
    ':\n',
    'From: 1\n',
    'From: 1\nSent: x\nx@y\n',
    'x\nFoo: a@b\nSent: 2026-01-01 10:00\nTo: x\nSubject: y\n',
    '--\n',
    '-- \nx\n',
    'On 2026-01-01 10:00 a <b@c.de> wrote:\n',
    'text\n> a\n\n',
    '在2026年写道：',
    'confidential ',
    'Sent from my iPhone\n',
    '\u00a0',
    'see my ',
    'a <a@b.c> wrote:\n\n',
    '2026-01-01 10:00 GMT+01:00 Jo Doe\n\n',
    '2026/1/1 a <a@b.c>\n| x\n\n',
    '2026-01-01 <mailto:<mailto:<mailto:a\nb\nc:\n',
  ])('a hostile megabyte of %p is read to its end', (piece) => {
    const text = megabyte(piece);
    for (const each of [text, `${text}x`])
      expect(foldReply(each, '', { isAnswer: true }).body.length).toBeLessThanOrEqual(each.length);
  });

  test.each([
    '<div>',
    '<',
    '&',
    '<a href="x">',
    '<blockquote>x',
    '<table><tr><td>',
    '<td>x</td>',
    '<ul><li>x',
    '<font style="color:red">',
  ])('half a megabyte of %p as HTML is read to its end', (piece) => {
    const markup = piece.repeat(Math.ceil((512 * 1024) / piece.length));
    expect(html(markup)).toBeString();
  });
});
