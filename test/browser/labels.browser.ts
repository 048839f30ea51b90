// Every screen in each language of `languages.ts`, on a desk with demo data: no label is cut or on two lines, and cut content has a title.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Chromium, drawn, startChromium, startedTogether, type Visitor } from './browser.ts';
import { cutLabels } from './cut-labels.ts';
import { type BrowserDesk, startDesk } from './desk.ts';
import { languages } from './languages.ts';
import { signInAs } from './owner.ts';
import { patienceMs } from './wait.ts';

let chromium: Chromium;
let desk: BrowserDesk;
/** Paths that the tests open. */
const places = { ticket: '', late: '', customer: '', link: '', customerTicket: '' };

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
type Json = any;

beforeAll(async () => {
  // The screens are opened faster than a person does.
  [chromium, desk] = await startedTogether(
    startChromium(),
    startDesk('localhost', { HELPDESK_RATE_SESSION: '0' }, ['--demo']),
  );
  const team = /Its team token:\n(\S+)/.exec(desk.output())?.[1] ?? '';
  const call = async (method: string, path: string, headers: Record<string, string>, body?: object): Promise<Json> => {
    const response = await fetch(`${desk.url}/api/v1${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return await response.json();
  };
  const asTeam = { Authorization: `Bearer ${team}` };
  const found = await call('GET', '/tickets?q=%22chart%20stays%20empty%22&status=open', asTeam);
  const [first] = found.data.sort((one: Json, other: Json) => other.message_count - one.message_count);
  places.ticket = `/tickets/${first.ulid}`;
  const isLate = (one: Json) => one.first_response_at === null && Date.parse(one.first_response_due_at) < Date.now();
  places.late = `/tickets/${(await call('GET', '/tickets?status=open', asTeam)).data.find(isLate).ulid}`;
  places.customer = `/customers/${first.author.id}`;
  const [site] = (await call('GET', '/sites', asTeam)).data;
  const { site_token: siteToken } = await desk.command('site', 'rotate-token', site.slug);
  const made = await call(
    'POST',
    '/public/tickets',
    { 'X-Site-Token': siteToken },
    {
      email: 'mia.jansen@example.org',
      name: 'Mia Jansen',
      subject: 'The rear light goes out on cobbles',
      message: 'Can I fix this myself?',
    },
  );
  await call('POST', `/tickets/${made.ticket.ulid}/messages`, asTeam, {
    body: 'Push the plug back.',
    status: 'resolved',
  });
  places.customerTicket = `/t/${made.ticket.ulid}`;
  places.link = `${places.customerTicket}#${made.access_token}`;
  const mail = (id: number) =>
    `From: Eve <eve@example.org>\r\nTo: shop@desk.example\r\nSubject: An offer ${id}\r\nMessage-ID: <offer-${id}@example.org>\r\n\r\nBuy now.`;
  const inbound = new URL(site.inbound_webhook_url).pathname.replace(/webhooks\/\w+\//, 'webhooks/raw/');
  const opened = (await (await fetch(desk.url + inbound, { method: 'POST', body: mail(1) })).json()) as Json;
  await call('PATCH', `/tickets/${opened.ticket}`, asTeam, { is_spam: true });
  await fetch(desk.url + inbound, { method: 'POST', body: mail(2) });
});
afterAll(async () => {
  await chromium.close();
  await desk.close();
});

interface Screen {
  name: string;
  path: () => string;
  /** Is there when the screen is. */
  sign: string;
  /** Keys and clicks that bring the page into its state. A selector is clicked, and so is the control with that message. */
  steps?: readonly (string | { press: string } | { choose: string })[];
}

const list = () => '/inbox/open?sort=updated_at';
const inside: readonly Screen[] = [
  { name: 'list', path: list, sign: '.ticket-row .age' },
  { name: 'mine', path: () => '/inbox/mine', sign: '.ticket-row .age' },
  { name: 'list by age', path: () => '/inbox/all?sort=created_at&tag=bug', sign: '.ticket-row .age' },
  { name: 'list by deadline', path: () => '/inbox/breached?sort=next_due_at', sign: '.ticket-row .due' },
  { name: 'selected', path: list, sign: '.ticket-row .age', steps: [{ press: 'x' }] },
  { name: 'choice of a status', path: list, sign: '.ticket-row .age', steps: [{ press: 'x' }, { press: 's' }] },
  { name: 'display', path: list, sign: '.ticket-row .age', steps: ['[aria-haspopup=dialog].tool'] },
  { name: 'empty list', path: () => '/inbox/all?tag=nothing-has-this', sign: '.list-note' },
  { name: 'search', path: () => '/search?q=chart', sign: '.ticket-row .age' },
  { name: 'wrong search', path: () => '/search?q=status:opne', sign: '.search-problems, .search-help' },
  { name: 'palette', path: list, sign: '.ticket-row .age', steps: [{ press: 'Control+k' }] },
  { name: 'shortcuts', path: list, sign: '.ticket-row .age', steps: [{ press: '?' }] },
  { name: 'ticket', path: () => places.ticket, sign: '.thread .message' },
  { name: 'late ticket', path: () => places.late, sign: '.clock-text.breached' },
  { name: 'notifications', path: () => '/notifications', sign: 'main h2' },
  { name: 'note', path: () => places.ticket, sign: '.thread .message', steps: [{ press: 'n' }] },
  { name: 'reply', path: () => places.ticket, sign: '.thread .message', steps: [{ press: 'r' }] },
  { name: 'ways to send', path: () => places.ticket, sign: '.thread .message', steps: [{ press: 'r' }, '.split-more'] },
  { name: 'snooze', path: () => places.ticket, sign: '.thread .message', steps: [{ press: 'z' }] },
  {
    name: 'actions',
    path: () => places.ticket,
    sign: '.thread .message',
    steps: ['.ticket-header [aria-haspopup=menu]'],
  },
  {
    name: 'merge',
    path: () => places.ticket,
    sign: '.thread .message',
    steps: ['.ticket-header [aria-haspopup=menu]', { choose: 'merge' }, '.merge-row'],
  },
  {
    name: 'split',
    path: () => places.ticket,
    sign: '.thread .message',
    steps: ['.entry:has(.message) ~ .entry .message header .icon-button', { choose: 'split' }, '.split-choice label'],
  },
  {
    name: 'send later',
    path: () => places.ticket,
    sign: '.thread .message',
    steps: [{ press: 'r' }, { press: 'a' }, '.split-more', { choose: 'sendLater' }, '.dialog input'],
  },
  {
    name: 'tags',
    path: list,
    sign: '.ticket-row .age',
    steps: [{ press: 'x' }, { press: 't' }, '.ticket-picker input'],
  },
  {
    name: 'set a password',
    path: () => '/profile',
    sign: 'main h2',
    steps: [{ choose: 'setPassword' }, 'input[type=password]'],
  },
  { name: 'add a passkey', path: () => '/profile', sign: 'main h2', steps: [{ choose: 'addPasskey' }] },
  {
    name: 'opened held mail',
    path: () => '/inbox/held-mail',
    sign: '.held-actions',
    steps: ['.held-actions [aria-expanded]', '.held-message h3, .held-message dl, .held-message p'],
  },
  { name: 'ticket without tags', path: () => `/tickets${places.customerTicket.slice(2)}`, sign: '.add-tag' },
  { name: 'profile', path: () => '/profile', sign: 'main h1, main h2' },
  { name: 'settings', path: () => '/settings', sign: '.settings h1' },
  { name: 'mailboxes', path: () => '/settings/mailboxes', sign: '.settings .empty' },
  { name: 'new mailbox', path: () => '/settings/mailboxes/new', sign: '.cards' },
  { name: 'held mail', path: () => '/inbox/held-mail', sign: 'main .button' },
  { name: 'customers', path: () => '/customers', sign: 'main a' },
  { name: 'customer', path: () => places.customer, sign: 'main a' },
  { name: 'report', path: () => '/reports?compare=1', sign: '.chart-points a' },
  { name: 'report by agent', path: () => '/reports/agents', sign: '.bar-row' },
  { name: 'hours', path: () => '/reports/load', sign: '.heat-cell' },
  { name: 'nothing', path: () => '/nope', sign: 'main h1, main h2' },
];
const outside: readonly Screen[] = [
  { name: 'sign-in', path: () => '/sign-in', sign: 'h1' },
  { name: 'new password', path: () => '/reset', sign: 'h1' },
  { name: 'form', path: () => '/s/halden-bikes', sign: 'form .button' },
  { name: 'my tickets', path: () => '/s/halden-bikes/tickets', sign: '.button' },
  { name: 'customer’s ticket', path: () => places.customerTicket, sign: '#answer' },
];

/** All that the console says in one language. */
async function textsIn(language: string): Promise<Record<string, unknown>> {
  const root = `../../src/web/messages/console/${language.slice(0, 2)}`;
  const parts = ['ticket', 'composer', 'profile'].map((name) => import(`${root}/${name}.ts`));
  return Object.assign({}, ...(await Promise.all(parts)).map(({ messages }) => messages));
}

async function take(visitor: Visitor, steps: Screen['steps'], texts: Record<string, unknown>): Promise<void> {
  for (const step of steps ?? []) {
    if (typeof step === 'object' && 'choose' in step) {
      const text = String(texts[step.choose]);
      const found = await visitor.page.waitForSelector(
        `xpath/.//*[self::button or @role="menuitem"][normalize-space(.)="${text}"]`,
        { visible: true, timeout: patienceMs },
      );
      await found?.click();
    } else if (typeof step === 'string') {
      await (await visitor.page.waitForSelector(step, { visible: true, timeout: patienceMs }))?.click();
    } else {
      const keys = step.press.split('+');
      for (const key of keys.slice(0, -1)) await visitor.page.keyboard.down(key as 'Control');
      await visitor.page.keyboard.press(keys.at(-1) as 'a');
      for (const key of keys.slice(0, -1)) await visitor.page.keyboard.up(key as 'Control');
    }
    await drawn(visitor);
  }
}

/** Each screen is opened once, and then made as wide as each of the widths. */
async function look(
  visitor: Visitor,
  screens: readonly Screen[],
  widths: readonly number[],
  texts: Record<string, unknown>,
): Promise<string[]> {
  const found: string[] = [];
  const widen = (width: number) => visitor.page.setViewport({ width, height: width > 500 ? 900 : 844 });
  for (const { name, path, sign, steps } of screens) {
    await widen(widths[0] ?? 0);
    await visitor.page.goto(desk.url + path(), { waitUntil: 'load' });
    await visitor.page.waitForSelector(sign, { timeout: patienceMs });
    await take(visitor, steps, texts);
    for (const width of widths) {
      await widen(width);
      await drawn(visitor);
      for (const fault of await visitor.page.evaluate(cutLabels)) found.push(`${width} px, ${name}: ${fault}`);
    }
  }
  return found;
}

describe.each(languages)('in %s', (language) => {
  test('no label is cut or on two lines', async () => {
    const stranger = await chromium.visitor({ language });
    await stranger.open(desk.url + places.link);
    await stranger.page.waitForSelector('#answer');
    const texts = await textsIn(language);
    const widths = [1440, 390];
    const found = await look(stranger, outside, widths, texts);
    const opened = inside.filter(({ steps }) => steps !== undefined);
    const visitor = await chromium.visitor({ language });
    visitor.expectStatus(404);
    await signInAs(visitor, desk);
    await visitor.page.waitForSelector(`html[lang=${language.slice(0, 2)}]`);
    await visitor.page.evaluate(() => localStorage.removeItem('helpdesk.suggest-password'));
    // What opens over a screen closes when it becomes narrower.
    for (const [screens, own] of [
      [inside.filter((screen) => !opened.includes(screen)), widths],
      ...widths.map((width) => [opened, [width]] as const),
    ] as const)
      found.push(...(await look(visitor, screens, own, texts)));
    expect(visitor.faults()).toEqual([]);
    await visitor.close();
    expect(found).toEqual([]);
    expect(stranger.faults()).toEqual([]);
    await stranger.close();
  });
});
