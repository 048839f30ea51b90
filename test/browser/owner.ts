// The first owner of a desk, who most tests begin with.

import type { Chromium, Visitor } from './browser.ts';
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

/** A desk with its owner and the site `demo-shop`. @param environment of the desk */
export async function startShop(chromium: Chromium, environment: Record<string, string> = {}): Promise<BrowserDesk> {
  const desk = await startDesk('localhost', environment);
  const first = await chromium.visitor();
  await setUp(first, desk);
  await first.close();
  await desk.command('site', 'create', '--name', 'Demo shop');
  return desk;
}

/** By a link of the command line. */
export async function signInAs(visitor: Visitor, desk: BrowserDesk, email: string): Promise<void> {
  const { sign_in_url: link } = await desk.command('agent', 'link', email);
  await visitor.open(link);
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
