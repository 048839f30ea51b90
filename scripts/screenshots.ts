// Makes the pictures of README and docs: the demo data in the built executable, seen by Chromium.

import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromiumPath, startChromium, type Visitor } from '../test/browser/browser.ts';

const pictures = resolve('docs/images');
const executable = resolve(process.env.HELPDESK_EXECUTABLE ?? 'dist/helpdesk');
if (!existsSync(executable)) fail(`There is no executable at ${executable}; build it with \`bun run build\`.`);
if (chromiumPath() === null) fail('There is no Chromium on this machine. Install it (`apt-get install chromium`).');
process.env.HELPDESK_EXECUTABLE = executable;
// The module reads the variable when it is loaded.
const { helpdesk, serve } = await import('../test/e2e/executable.ts');

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

const directory = mkdtempSync(join(tmpdir(), 'helpdesk-pictures-'));
const desk = await serve(directory, {}, ['--demo']);
const chromium = await startChromium();
try {
  mkdirSync(pictures, { recursive: true });
  const link = /\S+\/sign-in#\S+/.exec(desk.output())?.[0];
  const token = /Its team token:\n(\S+)/.exec(desk.output())?.[1];
  if (link === undefined || token === undefined) fail(`The desk printed no link:\n${desk.output()}`);
  const shown = await ticketOf(token, 'chart stays empty');
  const visitor = await chromium.visitor({ width: 1440, height: 900 });
  await visitor.page.goto(link);
  await visitor.at('/inbox/mine');
  // What the link suggests lies over the rail.
  await visitor.press('button', 'Not now');
  for (const theme of ['light', 'dark'] as const) {
    await visitor.page.emulateMediaFeatures([
      { name: 'prefers-color-scheme', value: theme },
      { name: 'prefers-reduced-motion', value: 'reduce' },
    ]);
    await take(visitor, 'inbox', '/inbox/open', theme);
    await take(visitor, 'ticket', `/tickets/${shown}`, theme);
  }
  await takeForCustomers(await ticketOfCustomer(token));
} finally {
  await chromium.close();
  desk.signal('SIGTERM');
  await desk.exited;
  rmSync(directory, { recursive: true, force: true });
}
process.exit(0);

async function take(visitor: Visitor, name: string, path: string, theme: string): Promise<void> {
  await visitor.page.goto(desk.url + path, { waitUntil: 'load' });
  // Every page here shows tickets, and each ticket its number.
  await visitor.see('#');
  await shoot(visitor, name, theme);
}

interface CustomerTicket {
  path: string;
  link: string;
}

/** With an answer, as its customer opens it. */
async function ticketOfCustomer(teamToken: string): Promise<CustomerTicket> {
  const { json } = await helpdesk(directory, ['site', 'rotate-token', 'halden-bikes', '--json']);
  const { site_token: siteToken } = json() as { site_token: string };
  const post = async (path: string, headers: Record<string, string>, body: object) => {
    const response = await fetch(`${desk.url}/api/v1${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    if (!response.ok) fail(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { ticket: { ulid: string }; access_token: string };
  };
  const { ticket, access_token: access } = await post(
    '/public/tickets',
    { 'X-Site-Token': siteToken },
    {
      email: 'mia.jansen@example.org',
      name: 'Mia Jansen',
      subject: 'The rear light goes out on cobbles',
      message:
        'Hello,\n\nthe rear light of my new bike goes out as soon as the road gets rough, and comes back when I press on the cable.\n\nCan I fix this myself, or shall I bring it in?\n\nMia',
    },
  );
  const body =
    'Hi Mia,\n\nthat sounds like the plug behind the seat post. Two things to try:\n\n- Pull the plug, and push it back until it **clicks**.\n- Tie the cable to the frame with the strap from the box.\n\nIf it still goes out, bring it in: we will fix it while you wait.';
  const team = { Authorization: `Bearer ${teamToken}` };
  await post(`/tickets/${ticket.ulid}/messages`, team, { body, body_format: 'markdown', agent_name: 'Noor Visser' });
  return { path: `/t/${ticket.ulid}`, link: `${desk.url}/t/${ticket.ulid}#${access}` };
}

async function takeForCustomers({ path, link }: CustomerTicket): Promise<void> {
  const customer = await chromium.visitor({ width: 1024, height: 900 });
  await customer.open(link);
  await customer.page.waitForSelector('#answer');
  await customer.page.emulateMediaFeatures([
    { name: 'prefers-color-scheme', value: 'light' },
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ]);
  await customer.open(desk.url + path);
  await customer.page.waitForSelector('footer .button:not([hidden])');
  await shoot(customer, 'customer-ticket', 'light');
  await customer.close();
}

async function shoot(visitor: Visitor, name: string, theme: string): Promise<void> {
  await Bun.sleep(500);
  const file = join(pictures, `${name}-${theme}.png`) as `${string}.png`;
  await visitor.page.screenshot({ path: file, optimizeForSpeed: false });
  console.log(file);
}

async function ticketOf(token: string, words: string): Promise<string> {
  const url = `${desk.url}/api/v1/tickets?q=${encodeURIComponent(`"${words}"`)}&status=open`;
  const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
  const { data } = (await response.json()) as { data: { ulid: string; message_count: number }[] };
  // The one with the longest conversation shows most.
  const [first] = data.sort((one, other) => other.message_count - one.message_count);
  if (first === undefined) fail(`No ticket of the demo data is about “${words}”.`);
  return first.ulid;
}
