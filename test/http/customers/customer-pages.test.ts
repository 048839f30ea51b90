// The customers' pages as the desk writes them: readable without a script, in the reader's language, and safe with hostile text.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { noSubject } from '../../../src/domain/tickets/subject.ts';
import { brandStyle } from '../../../src/http/pages/customer/brand-style.ts';
import { givenValues, inLanguage } from '../../../src/http/pages/customer/reading.ts';
import { readerOf } from '../../../src/http/pages/customer/texts.ts';
import { writtenPage } from '../../../src/http/pages/customer/written.tsx';
import { browserFiles } from '../../../src/server/browser/files.ts';
import type { ShownPortal, ShownSite, ShownThread, TicketsPage } from '../../../src/web/customer/page-content.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { customerBrowser } from '../../support/customer-browser.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ other: 2 });
});
afterAll(() => app.close());

const files = await browserFiles.current();
const english = readerOf('en', undefined);
const none = new URLSearchParams();
const at = '2026-09-11T09:30:00.000Z';
const ulidOf = (number: number) => `01K4VJ8Q4N7RM2ZC6B0T3X${String(number).padStart(4, '0')}`;
const hostile = `<img src=x onerror=alert(1)>"'</script><script>alert(2)</script>\u202e`;

const site: ShownSite = {
  name: 'Web shop',
  slug: 'web-shop',
  brand: { name: null, color: '#0f766e', logo: null },
  locale: null,
  portal: 'form_and_tickets',
};

type Message = ShownThread['messages'][number];

function message(number: number, given: Partial<Message> = {}): Message {
  return {
    id: number,
    ulid: ulidOf(number),
    body: `Text ${number}`,
    body_format: 'text',
    is_automated: false,
    is_agent: false,
    agent_name: null,
    author_name: 'Mia Jansen',
    html: null,
    created_at: at,
    attachments: [],
    ...given,
  };
}

function thread(given: Partial<ShownThread> = {}, subject = 'Cannot save'): ShownThread {
  return {
    ticket: {
      id: 41,
      ulid: ulidOf(0),
      reference: '#41',
      subject,
      status: 'open',
      category: null,
      priority: null,
      custom_fields: {},
      created_at: at,
      updated_at: at,
      resolved_at: null,
      closed_at: null,
    },
    status_words: 'received',
    fields: [],
    messages: [message(1)],
    looseFiles: [],
    hasEarlier: false,
    hasLater: false,
    may: { reply: true, needs_confirmation: true, solve: true, reopen: false, rate: false },
    satisfaction: null,
    address_hint: 'm…@e….org',
    is_shared: false,
    is_confirmed: false,
    participants: [],
    version: 7,
    ...given,
  };
}

function portal(given: Partial<ShownPortal> = {}): ShownPortal {
  const { brand, ...rest } = site;
  return {
    ...rest,
    brand,
    portal: 'form_and_tickets',
    categories: [
      { id: 3, slug: 'billing', name: 'Billing' },
      { id: 4, slug: 'other', name: 'Other' },
    ],
    custom_fields: [],
    attachments: { extensions: ['png', 'pdf'], max_bytes: 10 * 1024 * 1024 },
    ...given,
  };
}

const rules = { extensions: ['png', 'pdf'], max_bytes: 10 * 1024 * 1024 };
const show = (given?: Partial<ShownThread>, subject?: string, reader = english, at = site) =>
  writtenPage(files, reader, { page: 'ticket', site: at, thread: thread(given, subject), files: rules });
const showForm = (of: ShownPortal, query: URLSearchParams) =>
  writtenPage(files, english, { page: 'form', site: of, values: givenValues(of, query) });
const showList = (list: TicketsPage['list'], asked = { words: '', status: '' }) =>
  writtenPage(files, english, { page: 'tickets', site: portal(), list, asked });

describe('addresses', () => {
  test('a ticket that exists and one that does not are the same page, without a limit', async () => {
    const { ulid } = await app.open();
    const there = await app.ask('GET', `/t/${ulid}`);
    for (const path of [`/t/${ulidOf(9)}`, '/t/x', '/t/%00', `/t/${ulid}?before=x`]) {
      const { status, text } = await app.ask('GET', path);
      expect([path, status, text]).toEqual([path, 200, there.text]);
    }
    expect(there.text).toContain('Opening your ticket…');
    expect(there.text).toContain('<noscript>');
    expect(there.text).not.toContain('Web shop');
  });

  test.each(['/s/nothing', '/s/nothing/tickets', '/s/..%2fadmin', '/s/web-shop'])(
    '%s without a form is a page that says so',
    async (path) => {
      const { status, text, headers } = await app.ask('GET', path);
      expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      expect(text).toContain('There is nothing here');
    },
  );

  test('are only read', async () => {
    for (const path of ['/t/x', '/s/x', '/s/x/tickets']) {
      const { status, headers } = await app.ask('POST', path, { peer: '198.51.100.9' });
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }
  });

  test('have the policy of every page, are kept by no cache, and come compressed', async () => {
    const { headers } = await app.ask('GET', '/t/x', { headers: { 'Accept-Encoding': 'br' } });
    expect(headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(headers.get('content-security-policy')).toContain("trusted-types 'none'");
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('content-encoding')).toBe('br');
  });

  test('speak the language of the browser, or of the site', () => {
    expect(readerOf(null, 'de-AT,de;q=0.9')).toMatchObject({ language: 'de', locale: 'de-AT' });
    expect(readerOf('fr', 'de-AT,de;q=0.9')).toMatchObject({ language: 'fr', locale: 'fr' });
    expect(readerOf(null, undefined)).toMatchObject({ language: 'en', locale: 'en' });
    expect(readerOf(null, 'de-ZZ-x"<b>')).toMatchObject({ language: 'de', locale: 'de' });
    expect(show({}, undefined, readerOf('de', undefined))).toContain('<html lang="de">');
  });
});

describe('a ticket', () => {
  test('shows its subject, state, messages and files without a script', () => {
    const file = {
      id: 5,
      ulid: ulidOf(5),
      filename: 'photo.png',
      content_type: 'image/png',
      size: 184_000,
      sha256: '',
      message_id: 1,
      url: 'http://desk.localhost/api/v1/attachments/x?expires=1&signature=y',
      url_expires_at: at,
      scan: null,
      created_at: at,
    };
    const text = show({
      messages: [
        message(1, { body: 'See https://example.org/a?b=1&c. Thanks', attachments: [file] }),
        message(2, {
          is_agent: true,
          agent_name: 'Noor',
          author_name: 'Noor',
          html: '<p>Hello <strong>you</strong></p>',
        }),
      ],
    });
    for (const part of [
      '<h1 dir="auto">Cannot save</h1>',
      'We have your message',
      '<a href="https://example.org/a?b=1&amp;c" dir="ltr" target="_blank" rel="noopener noreferrer nofollow">',
      '<p>Hello <strong>you</strong></p>',
      '<bdi class="file-name">photo.png</bdi>',
      '184 kB',
      'expires=1&amp;signature=y',
      '11 Sept 2026',
      'To answer, turn on JavaScript',
      '/assets/brand-0f766e.css',
    ])
      expect(show({}, undefined, readerOf(null, 'en-GB')) + text).toContain(part);
  });

  test('names the files of a mail that were not kept in its own language, and leaves what agents wrote', () => {
    const body = 'See the files.\n\n[Not accepted: run.exe (.exe files are refused), big.zip (larger than 25 MB)]';
    const given = [message(1, { body }), message(2, { body: '(no text)' }), message(3, { body, is_agent: true })];
    const shown = inLanguage(
      { page: 'ticket', site, thread: thread({ messages: given }), files: { extensions: [], max_bytes: 0 } },
      'fr',
    );
    const bodies =
      shown.page === 'ticket' ? shown.thread.messages.map((one) => one.body.replace(/[\u2068\u2069]/g, '')) : [];
    expect(bodies).toEqual([
      'See the files.\n\n[Non accepté : run.exe (les fichiers .exe sont refusés), big.zip (plus de 25 Mo)]',
      '(sans texte)',
      body,
    ]);
  });

  test('whose mail had no subject says so in its own language', () => {
    const open = thread({});
    const ticket = { ...open.ticket, subject: noSubject };
    const shown = inLanguage(
      { page: 'ticket', site, thread: { ...open, ticket }, files: { extensions: [], max_bytes: 0 } },
      'de',
    );
    expect(shown.page === 'ticket' && shown.thread.ticket.subject).toBe('(kein Betreff)');
  });

  test('shows its custom fields as their types are read', () => {
    const fields: ShownThread['fields'] = [
      { key: 'order', label: 'Order number', type: 'text', value: 'A-17' },
      { key: 'amount', label: 'Amount', type: 'number', value: 1234.5 },
      { key: 'bought', label: 'Bought on', type: 'date', value: '2026-10-01' },
      { key: 'page', label: 'Page', type: 'url', value: 'https://example.org/x' },
      { key: 'parts', label: 'Parts', type: 'multiselect', value: ['Brakes', 'Lights'] },
      { key: 'urgent', label: 'I cannot ride it', type: 'boolean', value: false },
    ];
    const german = show({ fields }, undefined, readerOf('de', undefined));
    for (const [label, value] of [
      ['Order number', 'A-17'],
      ['Amount', '1.234,5'],
      ['Bought on', '01.10.2026'],
      ['Parts', 'Brakes, Lights'],
      ['I cannot ride it', 'Nein'],
    ])
      expect(german).toContain(`<dt><bdi>${label}</bdi></dt><dd class="words" dir="auto">${value}</dd>`);
    expect(german).toContain('<a href="https://example.org/x"');
    expect(german).toContain('<details class="facts"><summary>Angaben');
    expect(show({ fields: fields.slice(0, 3) })).toContain('<details class="facts" open>');
    expect(show()).not.toContain('class="facts"');
  });

  test('shows hostile text as text, in every place', () => {
    const text = show(
      {
        fields: [{ key: 'x', label: hostile, type: 'textarea', value: hostile }],
        messages: [
          message(1, {
            body: hostile,
            author_name: hostile,
            attachments: [
              {
                id: 1,
                ulid: ulidOf(1),
                filename: hostile,
                content_type: 'image/png',
                size: 1,
                sha256: '',
                message_id: 1,
                url: 'http://desk.localhost/x',
                url_expires_at: at,
                scan: null,
                created_at: at,
              },
            ],
          }),
        ],
        address_hint: hostile,
      },
      hostile,
      english,
      { ...site, name: hostile },
    );
    expect(text).not.toMatch(/<img src=x|<script>|onerror=alert\(1\)>"/);
    expect(text).not.toMatch(/<style|\sstyle=/);
    expect(text.split('&lt;img src=x').length).toBeGreaterThan(8);
  });
});

/** What the script of a page is given. */
function dataOf(page: string): unknown {
  const [, json = ''] = /<script type="application\/json" id="data">(.*?)<\/script><\/body><\/html>$/s.exec(page) ?? [];
  return JSON.parse(json);
}

describe('what the script is given', () => {
  test('is what the page shows, and cannot end before its end', () => {
    const page = show({ messages: [message(1, { body: `${hostile}<!--<script>` })] }, hostile);
    expect(dataOf(page)).toMatchObject({
      page: 'ticket',
      thread: { ticket: { subject: hostile }, messages: [{ body: `${hostile}<!--<script>` }] },
    });
    expect(page.split('</script>').length).toBe(show().split('</script>').length);
  });

  test('comes from the same address as JSON, with nothing for those who have not opened the ticket', async () => {
    const { ulid, accessToken } = await app.open({ message: 'Only for me' });
    const Accept = 'application/json';
    const stranger = await app.ask('GET', `/t/${ulid}`, { headers: { Accept } });
    expect([stranger.json, stranger.headers.get('cache-control')]).toEqual([
      { page: 'entrance', site: null },
      'no-store',
    ]);
    const browser = customerBrowser(app);
    await browser.open(ulid, accessToken);
    const own = await app.ask('GET', `/t/${ulid}`, { headers: { ...browser.headers(), Accept } });
    expect(own.json).toMatchObject({
      page: 'ticket',
      thread: { ticket: { ulid }, messages: [{ body: 'Only for me' }] },
    });
    const page = await app.ask('GET', `/t/${ulid}`, { headers: browser.headers() });
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(dataOf(page.text)).toMatchObject({ thread: { version: own.json.thread.version } });
  });

  test('of a page of one reader does not reach the next', () => {
    const [mine, theirs] = ['Mine', 'Theirs'].map((subject) => show({}, subject));
    expect(mine).not.toContain('Theirs');
    expect(theirs).not.toContain('Mine');
    const german = writtenPage(files, readerOf('de', undefined), { page: 'missing', site: null });
    const again = writtenPage(files, english, { page: 'missing', site: null });
    expect([german.includes('Hier gibt es nichts'), again.includes('There is nothing here')]).toEqual([true, true]);
  });
});

describe('a brand', () => {
  test.each(['red', '#fff', '#12345', '#0f766e;}body{', 'url(x)', `#${'1'.repeat(7)}`, '#GGGGGG'])(
    'with the colour %s gets no stylesheet',
    (color) => {
      const text = show({}, undefined, english, { ...site, brand: { ...site.brand, color } });
      expect(text).not.toContain('/assets/brand-');
    },
  );

  test('can have its colour in capital letters', () => {
    const text = show({}, undefined, english, { ...site, brand: { ...site.brand, color: '#0F766E' } });
    expect(text).toContain('/assets/brand-0f766e.css');
  });

  test('has its colours at an address of its own', async () => {
    const { status, text, headers } = await app.ask('GET', '/assets/brand-ffee00.css');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
    expect(text).toMatch(
      /^:root\{--accent:#[0-9a-f]{6};[^<>]*\}:root\[data-theme="dark"\]\{--accent:#[0-9a-f]{6};[^<>]*\}$/,
    );
    for (const name of ['brand-fff.css', 'brand-ffee00.css.css', 'brand-gggggg.css', 'brand-FFEE00.css'])
      expect(brandStyle(name)).toBeUndefined();
  });
});

describe('the form', () => {
  const field = (key: string, type: ShownPortal['custom_fields'][number]['type'], given = {}) => ({
    key,
    label: `Label of ${key}`,
    description: '',
    type,
    options: [],
    is_required: false,
    ...given,
  });
  const custom_fields = [
    field('order', 'text', { is_required: true, description: 'On the invoice.' }),
    field('notes', 'textarea'),
    field('amount', 'number'),
    field('bought', 'date'),
    field('page', 'url'),
    field('copy', 'email'),
    field('urgent', 'boolean'),
    field('plan', 'select', { options: ['Free', hostile] }),
    field('parts', 'multiselect', { options: ['Brakes', 'Lights'] }),
  ];

  test('has a labelled field for each kind of custom field', () => {
    const text = showForm(portal({ custom_fields }), none);
    const ids = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    for (const [, target] of text.matchAll(/<label(?: class="\w+")? for="([^"]+)"/g))
      expect(ids.has(target!), target).toBe(true);
    for (const { label } of custom_fields) expect(text).toContain(label);
    for (const type of ['number', 'date', 'url', 'email', 'checkbox']) expect(text).toContain(`type="${type}"`);
    expect(text).toContain('aria-describedby="custom_fields.order-hint"');
    expect(text).toContain('png, pdf, each up to 10 MB');
    expect(text).not.toContain('<img src=x');
  });

  test('is filled in by its address, and by nothing that it does not know', () => {
    const query = new URLSearchParams({
      subject: hostile,
      category: 'billing',
      'field.order': '"><b>20413',
      'field.plan': 'Free',
      'field.parts': 'Lights, Nothing',
      'field.urgent': 'true',
      'field.unknown': 'marker-of-nothing',
      email: 'marker-of-nothing',
    });
    const text = showForm(portal({ custom_fields }), query);
    expect(text).toContain('<option selected value="3">Billing</option>');
    expect(text).toContain(`value="&quot;>&lt;b>20413"`);
    expect(text).toContain('<option selected value="Free">');
    expect(text).toMatch(/type="checkbox" value="Lights" checked/);
    expect(text).not.toMatch(/type="checkbox" value="Brakes" checked/);
    expect(text).toMatch(/type="checkbox" value="true" checked\/><label for="custom_fields.urgent">/);
    expect(text).not.toContain('marker-of-nothing');
    expect(text).not.toMatch(/<img src=x|<script>/);
  });

  test('cuts what its address fills in', () => {
    const text = showForm(portal(), new URLSearchParams({ subject: 'x'.repeat(50_000) }));
    expect(text.length).toBeLessThan(30_000);
  });

  test('hides its trap from people and from what reads to them', () => {
    const text = showForm(portal(), none);
    expect(text).toMatch(
      /<div class="trap" aria-hidden="true">.*name="website" type="text" tabindex="-1" autocomplete="off"/,
    );
  });
});

describe('"My tickets"', () => {
  const list = {
    tickets: [
      {
        ulid: ulidOf(1),
        reference: '#41',
        subject: hostile,
        status: 'pending' as const,
        status_words: 'waiting_for_you' as const,
        created_at: at,
        last_message_at: at,
      },
    ],
    next_cursor: 'a&b',
    address_hint: 'm…@e….org',
  };

  test('shows the list with a search that needs no script', () => {
    const text = showList(list, { words: hostile, status: 'pending' });
    expect(text).toContain(`href="/t/${ulidOf(1)}?site=web-shop"`);
    expect(text).toContain('Waiting for you');
    expect(text).toContain('<option value="pending" selected>');
    expect(text).toContain('cursor=a%26b');
    expect(text).toMatch(/<form class="find" method="get" action="\/s\/web-shop\/tickets">/);
    expect(text).not.toMatch(/<img src=x|<script>/);
  });

  test('says whether nothing is there or nothing matches', () => {
    const empty = { ...list, tickets: [], next_cursor: null };
    expect(showList(empty)).toContain('There are no tickets yet');
    expect(showList(empty, { words: 'x', status: '' })).toContain('No ticket matches');
    expect(showList(null)).toContain('id="prove"');
  });
});
