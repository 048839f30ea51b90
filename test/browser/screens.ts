// Every screen that people see: how it is opened, and by what it is known to be complete.

import { drawn, type Visitor } from './browser.ts';
import { open, type SetDesk, sectionsIn, settled } from './every-setting.ts';
import { keys } from './journey.ts';
import { waitUntil } from './wait.ts';

export interface Screen {
  path: string;
  /** Is there when the screen is. */
  sign: string;
  /**
   * What opens something over it: `press x` presses a key, `choose merge` clicks the control with that message, and all else
   * is a selector that is clicked.
   */
  steps?: readonly string[];
}

/** Tickets and people of the desk that screens are about. */
interface Places {
  ticket: string;
  late: string;
  untagged: string;
  customer: string;
}

export interface Screens {
  /** Of the console, which an agent reads. */
  console: readonly Screen[];
  /** For people without a session, by addresses. */
  doors: readonly Screen[];
  /** Opens a ticket for a customer's browser. */
  link: string;
}

interface Row {
  ulid: string;
  message_count: number;
  first_response_at: string | null;
  first_response_due_at: string;
  author: { id: number };
}

/** Adds what some screens need, and names them all. @param visitor is signed in */
export async function screensOf(desk: SetDesk, visitor: Visitor): Promise<Screens> {
  const tickets = async (query: string) => (await desk.api('GET', `/tickets?${query}`)).data as unknown as Row[];
  const [longest] = (await tickets('q=%22chart%20stays%20empty%22&status=open')).sort(
    (one, other) => other.message_count - one.message_count,
  );
  const late = (await tickets('status=open')).find(
    (one) => one.first_response_at === null && Date.parse(one.first_response_due_at) < Date.now(),
  );
  const opened = await fetch(`${desk.url}/api/v1/public/tickets`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Site-Token': desk.siteToken },
    body: JSON.stringify({
      email: 'mia.jansen@example.org',
      name: 'Mia Jansen',
      subject: 'The rear light goes out on cobbles',
      message: 'Can I fix this myself?',
    }),
  });
  const { ticket, access_token: access } = (await opened.json()) as { ticket: Row; access_token: string };
  await desk.api('POST', `/tickets/${ticket.ulid}/messages`, { body: 'Push the plug back.', status: 'resolved' });
  await holdMail(desk);
  const invited = ['--email', 'kim@demo-shop.example', '--name', 'Kim', '--role', 'viewer'];
  const { invitation_url: invitation } = await desk.command('agent', 'invite', ...invited);
  await visitor.open(`${desk.url}/settings/general`);
  const settings = [...(await sectionsIn(visitor)), ...desk.pages, 'nothing'].map((name) => ({
    path: `/settings/${name}`,
    sign: '.settings-section h1, .page-note h1',
  }));
  const places = {
    ticket: `/tickets/${longest?.ulid}`,
    late: `/tickets/${late?.ulid}`,
    untagged: `/tickets/${ticket.ulid}`,
    customer: `/customers/${longest?.author.id}`,
  };
  const customers = `/t/${ticket.ulid}`;
  return {
    console: [...ofTickets(places), ...others(places), ...settings],
    doors: [
      { path: '/sign-in', sign: 'h1' },
      { path: '/reset#token', sign: 'h1' },
      { path: '/setup#token', sign: 'h1' },
      { path: new URL(invitation).pathname + new URL(invitation).hash, sign: 'h1' },
      { path: '/reset', sign: 'h1' },
      { path: '/invitation', sign: 'h1' },
      { path: '/mailbox-consent?result=connected&mailbox=1&site_id=1', sign: 'h1' },
      { path: '/mailbox-consent?result=refused', sign: 'h1' },
      { path: '/s/halden-bikes', sign: 'form .button' },
      { path: '/s/halden-bikes/tickets', sign: '.button' },
      { path: customers, sign: '#answer' },
    ],
    link: `${desk.url}${customers}#${access}`,
  };
}

/** Mail of a sender whose first mail was marked as spam is held. */
async function holdMail(desk: SetDesk): Promise<void> {
  const inbound = new URL(desk.site.inbound_webhook_url).pathname.replace(/webhooks\/\w+\//, 'webhooks/raw/');
  const receive = async (id: number) => {
    const head = `From: Eve <eve@example.org>\r\nTo: shop@desk.example\r\nSubject: An offer ${id}\r\nMessage-ID: <${id}@example.org>`;
    const response = await fetch(desk.url + inbound, { method: 'POST', body: `${head}\r\n\r\nBuy now.` });
    return (await response.json()) as { ticket: string };
  };
  await desk.api('PATCH', `/tickets/${(await receive(1)).ticket}`, { is_spam: true });
  await receive(2);
}

function ofTickets({ ticket, late, untagged }: Places): Screen[] {
  const row = '.ticket-row .age';
  const list = { path: '/inbox/open?sort=updated_at', sign: row };
  const conversation = { path: ticket, sign: '.thread .message' };
  const menu = '.ticket-header [aria-haspopup=menu]';
  const more = '.entry:has(.message) ~ .entry .message header .icon-button';
  return [
    list,
    { path: '/inbox/mine', sign: row },
    { path: '/inbox/all?sort=created_at&tag=bug', sign: row },
    { path: '/inbox/breached?sort=next_due_at', sign: '.ticket-row .due' },
    { path: '/inbox/all?tag=nothing-has-this', sign: '.list-note' },
    { path: '/search?q=chart', sign: row },
    { path: '/search?q=status:opne', sign: '.search-problems, .search-help' },
    conversation,
    { path: late, sign: '.clock-text.breached' },
    { path: untagged, sign: '.add-tag' },
    { path: '/tickets/new', sign: 'main form' },
    { ...list, steps: ['press x'] },
    { ...list, steps: ['press x', 'press s'] },
    { ...list, steps: ['press x', 'press t', '.ticket-picker input'] },
    { ...list, steps: ['[aria-haspopup=dialog].tool'] },
    { ...list, steps: ['press Control+k'] },
    { ...list, steps: ['press ?'] },
    { ...conversation, steps: ['press n'] },
    { ...conversation, steps: ['press r'] },
    { ...conversation, steps: ['press r', '.split-more'] },
    { ...conversation, steps: ['press r', 'press a', '.split-more', 'choose sendLater', '.dialog input'] },
    { ...conversation, steps: ['press z'] },
    { ...conversation, steps: [menu] },
    { ...conversation, steps: [menu, 'choose merge', '.merge-row'] },
    { ...conversation, steps: [more, 'choose split', '.split-choice label'] },
  ];
}

function others({ customer }: Places): Screen[] {
  const profile = { path: '/profile', sign: 'main h2' };
  const held = { path: '/inbox/held-mail', sign: '.held-actions' };
  const openedMail = '.held-message h3, .held-message dl, .held-message p';
  return [
    held,
    { path: '/notifications', sign: 'main h2' },
    { path: '/customers', sign: 'main a[href^="/customers/"]' },
    { path: customer, sign: 'main a[href^="/tickets/"]' },
    { path: '/reports?compare=1', sign: '.chart-points a' },
    { path: '/reports/resolution', sign: '.chart-points a' },
    { path: '/reports/agents', sign: '.bar-row' },
    { path: '/reports/load', sign: '.heat-cell' },
    { path: '/reports/overview?from=2020-01-01&to=2020-01-07', sign: 'main h1' },
    profile,
    { path: '/nope', sign: 'main h1, main h2' },
    { ...held, steps: ['.held-actions [aria-expanded]', openedMail] },
    { ...profile, steps: ['choose setPassword', '.dialog [type=submit]'] },
    { ...profile, steps: ['choose addPasskey'] },
  ];
}

/** Shows a screen of the console without loading the console again, and what is to be opened over it. */
export async function show(visitor: Visitor, { path, sign, steps = [] }: Screen, texts: Texts): Promise<void> {
  await closeAll(visitor);
  if (steps.length > 0) {
    // From another screen: the same one keeps what was written and chosen.
    await open(visitor, '/nope');
    await settled(visitor, '/nope', '.page-note h1');
  }
  await open(visitor, path);
  await settled(visitor, path, sign);
  for (const step of steps) {
    const [verb, what = ''] = step.split(' ');
    if (verb === 'press') await keys(visitor, what);
    else if (verb === 'choose') await click(visitor, withText(texts[what] ?? what));
    else await click(visitor, step);
    await drawn(visitor);
  }
  if (steps.length > 0) await settled(visitor, path, sign);
}

/** What stands over the screen is closed, as people close it. */
const closeAll = (visitor: Visitor) =>
  waitUntil('nothing is open over the screen', async () => {
    if ((await visitor.page.$('dialog[open], :popover-open')) === null) return true;
    await keys(visitor, 'Escape');
    return false;
  });

const withText = (text: string) => `xpath/.//*[self::button or @role="menuitem"][normalize-space(.)="${text}"]`;

const click = ({ page }: Visitor, selector: string) =>
  waitUntil(`${selector} is clicked`, async () => {
    const found = await page.$(selector);
    await found?.click();
    return found !== null;
  });

type Texts = Readonly<Record<string, string>>;

/** What the console says, for the steps that choose something by its words. */
export async function textsIn(language: string): Promise<Texts> {
  const parts = ['ticket', 'composer', 'profile'].map(
    (name) => import(`../../src/web/messages/console/${language.slice(0, 2)}/${name}.ts`),
  );
  return Object.assign({}, ...(await Promise.all(parts)).map(({ messages }) => messages));
}
