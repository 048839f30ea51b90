// The first owner of a desk, who most tests begin with.

import type { Visitor } from './browser.ts';
import { type BrowserDesk, startDesk } from './desk.ts';
import { t } from './texts.ts';

export const owner = { email: 'noor@demo-shop.example', name: 'Noor Visser', password: 'gravel orbit lantern' };

export function setupLink(desk: BrowserDesk): string {
  const link = /\S+\/setup#\S+/.exec(desk.output())?.[0];
  if (link === undefined) throw new Error(`The desk printed no setup link:\n${desk.output()}`);
  return link;
}

/** Waits until the visitor is in the console, and goes to the profile. */
export async function openProfile(visitor: Visitor, desk: BrowserDesk, email = owner.email): Promise<void> {
  await visitor.at('/inbox/mine');
  await visitor.open(`${desk.url}/profile`);
  await visitor.see(email);
}

export async function signOut(visitor: Visitor): Promise<void> {
  await (await visitor.page.waitForSelector('.agent-menu'))?.click();
  await visitor.press('menuitem', t.signOut);
  await visitor.at('/sign-in');
}

/** Leaves the visitor signed in, on the profile. */
export async function setUp(visitor: Visitor, desk: BrowserDesk): Promise<void> {
  await visitor.open(setupLink(desk));
  await visitor.fill('E-mail', owner.email);
  await visitor.fill(t.name, owner.name);
  await visitor.fill('Password', owner.password);
  await visitor.press('button', t.createDesk);
  await openProfile(visitor, desk);
}

/** The same without a page. */
export async function makeOwner(desk: BrowserDesk): Promise<void> {
  const token = new URL(setupLink(desk)).hash.slice(1);
  const response = await fetch(`${desk.url}/api/v1/setup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token, ...owner }),
  });
  if (response.status !== 201) throw new Error(await response.text());
}

/** A desk with its owner and the site `demo-shop`. @param environment of the desk */
export async function startShop(environment: Record<string, string> = {}): Promise<BrowserDesk> {
  const desk = await startDesk('localhost', environment);
  await makeOwner(desk);
  await desk.command('site', 'create', '--name', 'Demo shop');
  return desk;
}

/** From now on the visitor has a session; no page is opened. */
export async function giveSession(visitor: Visitor, desk: BrowserDesk, email = owner.email): Promise<void> {
  const { hostname: domain } = new URL(desk.url);
  const cookie = { name: 'helpdesk', value: desk.session(email), domain, path: '/', httpOnly: true };
  await visitor.context.setCookie({ ...cookie, sameSite: 'Lax' });
}

/** Leaves the visitor at their own tickets. */
export async function signInAs(visitor: Visitor, desk: BrowserDesk, email = owner.email): Promise<void> {
  await giveSession(visitor, desk, email);
  await visitor.open(`${desk.url}/inbox/mine`);
  await visitor.find('link', t.viewMine);
}

/** The first step alone: with a second factor, the page then asks for it. */
export async function enterPassword(
  visitor: Visitor,
  { email, password }: { email: string; password: string } = owner,
): Promise<void> {
  await visitor.fill('E-mail', email);
  await visitor.fill('Password', password);
  await visitor.press('button', 'Sign in');
}
