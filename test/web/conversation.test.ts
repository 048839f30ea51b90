// What a conversation is made of: text and its links, written HTML, folded history, HTML mail, and the order of it all.

import { describe, expect, test } from 'bun:test';
import { textWithin } from '../../src/domain/tickets/files.ts';
import { type Entry, entriesOf, momentOf } from '../../src/web/console/ticket/conversation/entries.ts';
import { ticketAsText } from '../../src/web/console/ticket/copying.ts';
import {
  hasOwnColours,
  hasRemoteImages,
  isFormatted,
  isReadAsText,
} from '../../src/web/console/ticket/message/mail-html.ts';
import { foldedText } from '../../src/web/console/ticket/message/mail-text.ts';
import type { Message, TicketDetail, WireEvent } from '../../src/web/console/wire.ts';
import { en as english, de as german } from '../../src/web/messages/refused-files.ts';
import { isolated, withoutBidi } from '../../src/web/shared/bidi.ts';
import { type HtmlNode, htmlNodes } from '../../src/web/shared/html-nodes.ts';
import { textParts } from '../../src/web/shared/linked-text.tsx';
import { mailText, refusedText, withoutRefused } from '../../src/web/shared/refused-files.ts';

const linksIn = (text: string) => textParts(text).flatMap(({ href }) => (href === null ? [] : [href]));

describe('text', () => {
  test.each([
    ['See https://a.example/x?y=1&z=2.', ['https://a.example/x?y=1&z=2']],
    ['(https://a.example/x_(y))', ['https://a.example/x_(y)']],
    ['<https://a.example>, "http://b.example/"', ['https://a.example', 'http://b.example/']],
    ['javascript:steal() data:text/html,x file:///etc/passwd', []],
    ['https://', []],
    ['HTTPS://A.example/!?', ['HTTPS://A.example/']],
    ['https://a.example/\u202egpj.exe', ['https://a.example/']],
  ])('%j has the links %j', (text, links) => {
    expect(linksIn(text)).toEqual(links);
    expect(
      textParts(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
  });

  test('of a million characters is read to its end', () => {
    const brackets = `http://a.example/${')'.repeat(200_000)}`;
    for (const text of ['https://a.example/'.repeat(60_000), '('.repeat(1_000_000), brackets]) {
      const whole = textParts(text)
        .map((part) => part.text)
        .join('');
      expect(whole === text).toBe(true);
    }
  });

  test('says in the words of its reader that a mail had none, or had them in a file', () => {
    expect(mailText('(no text)', german)).toBe('(kein Text)');
    expect(mailText(textWithin('smime.p7m'), german)).toBe(
      '(kein Text: Was geschrieben wurde, steht in \u2068smime.p7m\u2069, und das kann der Desk nicht lesen)',
    );
    expect(mailText(textWithin('x'.repeat(200)), english)).toContain('x'.repeat(200));
    for (const words of ['Hello', `${textWithin('a')}\nBye`, `Hello\n${textWithin('a')}`])
      expect(mailText(words, german)).toBe(words);
  });

  test('names the files that the desk refused in the words of its reader, whatever they are called', () => {
    const note = '[Not accepted: a (1), b.exe (.exe files are refused), Größe.zip (larger than 25 MB) and 11 more]';
    const told = withoutRefused(`Hello\n\n${note}`);
    expect(told.body).toBe('Hello');
    const plain = (words: typeof german) => refusedText(told, words).replace(/[\u2068\u2069]/g, '');
    expect(plain(german)).toBe(
      'Nicht angenommen: a (1), b.exe (.exe-Dateien werden abgelehnt), Größe.zip (größer als 25 MB) und 11 weitere',
    );
    expect(plain(english)).toBe(note.slice(1, -1));
    expect(withoutRefused('[Not accepted: a.txt (empty)]').body).toBe('');
  });

  test('takes no words for the desk’s that only look like it', () => {
    for (const body of [
      'Hello\n\n[Not accepted: a.exe]',
      'Hello\n\n[Not accepted: a (empty)]\nBye',
      `x\n\n[Not accepted: ${'a ('.repeat(1300)}]`,
    ])
      expect(withoutRefused(body)).toEqual({ body, refused: [], more: 0 });
  });

  test('folds the rest of the whole, or the whole where the text is not its beginning', () => {
    expect(foldedText('Thanks!', 'Thanks!\n\nOn Monday Ana wrote:\n> Hello')).toEqual({
      text: 'On Monday Ana wrote:\n> Hello',
      isRest: true,
    });
    expect(foldedText('Below', '> Hello\nBelow')).toEqual({ text: '> Hello\nBelow', isRest: false });
  });

  test('of other people does not turn ours around', () => {
    expect(isolated('Eve\u202e')).toBe('\u2068Eve\u2069');
    expect(withoutBidi('photo\u202egpj.exe')).toBe('photogpj.exe');
  });
});

describe('written HTML', () => {
  const shown = (nodes: readonly HtmlNode[]): string =>
    nodes
      .map((node) =>
        typeof node === 'string'
          ? node
          : `[${node.tag}${node.href === null ? '' : ` ${node.href}`}${node.start === 1 ? '' : ` ${node.start}`}:${shown(node.children)}]`,
      )
      .join('');

  test.each([
    ['<p>Hello <strong>you</strong> &amp; &lt;b&gt; &#8364; &#x20AC;</p>', '[p:Hello [strong:you] & <b> € €]'],
    ['<ol start="3"><li>a<li>b</ol>', '[ol 3:[li:a[li:b]]]'],
    ['<a href="https://a.example/?x=1&amp;y=2">x</a>', '[a https://a.example/?x=1&y=2:x]'],
    ['<a href="javascript:steal()">x</a><a href="java&#115;cript:steal()">y</a>', '[a:x][a:y]'],
    ['<a href=" https://a.example " onclick="steal()">x</a>', '[a https://a.example:x]'],
    ['<p>a<script>steal()</script>b<style>p{}</style></p>', '[p:ab]'],
    ['<p>a<img src=x onerror=steal()>b<form><input></form></p>', '[p:ab]'],
    ['<p title="a>b">x</p><br/><hr>', '[p:x][br:][hr:]'],
    ['a < b <3 <!-- gone --> c', 'a < b <3  c'],
    ['</p></div>a<p>b', 'a[p:b]'],
    ['&nosuch; &#0; &#xD800; &#99999999;', '&nosuch; \ufffd \ufffd &#99999999;'],
  ])('%j reads as %j', (html, text) => {
    expect(shown(htmlNodes(html))).toBe(text);
  });

  test('nested very deep, cut off or huge is read to its end', () => {
    for (const html of [
      '<blockquote>'.repeat(50_000),
      `<a href="${'"'.repeat(50_000)}`,
      '<'.repeat(200_000),
      `<p ${'a="b" '.repeat(50_000)}>`,
      '<a '.repeat(2000),
    ])
      expect(htmlNodes(html)).toBeArray();
  });
});

describe('HTML mail', () => {
  const mail = (html: string | null, whole: string | null = null, body = 'Yes') => ({ html, whole_body: whole, body });

  test.each<[string, ReturnType<typeof mail>, boolean, boolean]>([
    ['lines without format are text', mail('<div>Hello<br><p>you</p></div>'), false, true],
    ['no HTML is text', mail(null), false, true],
    ['format is shown', mail('<p>Hello <b>you</b></p>'), true, false],
    ['colours are shown', mail('<p style="color:red">Hello</p>'), true, false],
    [
      'format only in the history is folded text',
      mail('<p>Yes</p><blockquote><b>x</b></blockquote>', 'whole'),
      false,
      true,
    ],
    ['a quotation can be folded in the frame', mail('<b>Yes</b><blockquote>x</blockquote>', 'whole'), true, false],
    ['a text that was only cut is no history', mail('<b>Yes</b>', 'whole', 'x'.repeat(10_000)), true, false],
    ['other history is read as text first', mail('<b>Yes</b><hr><p>From: Ana', 'whole'), true, true],
  ])('%s', (_, message, formatted, text) => {
    expect(isFormatted(message)).toBe(formatted);
    expect(isReadAsText(message)).toBe(text);
  });

  test('with images of other hosts or colours of its own is known by its attributes, not its words', () => {
    expect(hasRemoteImages('<p><img alt="" data-remote-src="https://a.example/x.png"></p>')).toBe(true);
    expect(hasRemoteImages('<p>&lt;img data-remote-src=&quot;x&quot;&gt; data-remote-src="x"</p>')).toBe(false);
    expect(hasOwnColours('<td bgcolor="#fff">x</td>')).toBe(true);
    expect(hasOwnColours('<p style="background-color:#fff">x</p>')).toBe(true);
    expect(hasOwnColours('<p>color: red</p>')).toBe(false);
  });
});

describe('a conversation', () => {
  const at = (minutes: number) => new Date(Date.UTC(2030, 0, 1, 10, minutes)).toISOString();
  const message = (ulid: string, minutes: number, change: Partial<Message> = {}) =>
    ({
      ulid,
      created_at: at(minutes),
      send_at: null,
      author_name: 'Mia',
      body: ulid,
      attachments: [],
      ...change,
    }) as Message;
  const event = (seq: number, kind: string, minutes: number, data: object = {}, actor = 'author') =>
    ({
      seq,
      event: kind,
      created_at: at(minutes),
      data,
      actor: { type: actor, id: 1, name: 'Mia' },
    }) as unknown as WireEvent;
  const ticket = (change: object) =>
    ({
      reference: '#7',
      subject: 'Hello',
      messages: [],
      events: [],
      attachments: [],
      ...change,
    }) as unknown as TicketDetail;
  const keys = (entries: Entry[]) => entries.filter(({ kind }) => kind !== 'day').map(({ key }) => key);
  const dayOf = (iso: string) => iso.slice(0, 10);

  test('has events between the messages, and what waits to be sent at the end', () => {
    const entries = entriesOf(
      ticket({
        messages: [
          message('m1', 0),
          message('later', 1, { send_at: at(90) }),
          message('m2', 10),
          message('soon', 2, { send_at: at(80) }),
        ],
        events: [
          event(1, 'ticket.created', 0),
          event(2, 'ticket.assigned', 5),
          event(3, 'ticket.replied', 10),
          event(4, 'ticket.status_changed', 10),
        ],
      }),
      dayOf,
    );
    expect(keys(entries)).toEqual(['m1', 'e2', 'm2', 'e4', 'soon', 'later']);
  });

  test('says where a day begins', () => {
    const entries = entriesOf(
      ticket({ messages: [message('m1', 0), message('m2', 1), message('m3', 60 * 24)] }),
      dayOf,
    );
    expect(entries.map(({ kind }) => kind)).toEqual(['day', 'message', 'message', 'day', 'message']);
    expect(entries.map(momentOf)).toEqual([at(0), at(0), at(1), at(1440), at(1440)]);
  });

  test('shows a loose file of a customer, and none that an agent has not sent yet', () => {
    const loose = { ulid: 'F1', message_id: null };
    const added = (actor: string) =>
      keys(
        entriesOf(
          ticket({
            attachments: [loose, { ulid: 'F2', message_id: 3 }],
            events: [
              event(1, 'ticket.attachment_added', 1, { attachment_ulid: 'F1' }, actor),
              event(2, 'ticket.attachment_added', 2, { attachment_ulid: 'F2' }, actor),
            ],
          }),
          dayOf,
        ),
      );
    expect(added('author')).toEqual(['e1']);
    expect(added('agent')).toEqual([]);
  });

  test('as text has everything that was said', () => {
    const text = ticketAsText(
      ticket({
        messages: [
          message('Hello', 0, { attachments: [{ filename: 'a.txt' }] as Message['attachments'] }),
          message('Seen', 1, { is_internal: true, author_name: 'Ana' }),
          message('Unsent', 2, { send_at: at(90) }),
        ],
      }),
      'https://desk.example/tickets/T1',
      { note: 'note', files: (names) => `Files: ${names}`, when: (iso) => iso.slice(11, 16) },
    );
    expect(text).toBe(
      '#7 Hello\nhttps://desk.example/tickets/T1\n\nMia, 10:00\nHello\nFiles: a.txt\n\n---\n\nAna (note), 10:01\nSeen\n',
    );
  });
});
