// Coming in: setup, sign-in, invitation, a new password, one-time links, and everything that can go wrong on the way.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { violations } from './axe.ts';
import { type Chromium, drawn, startChromium, startedTogether, type Visitor } from './browser.ts';
import { type BrowserDesk, startDesk } from './desk.ts';
import { keys, runCommand, tabTo } from './journey.ts';
import { enterPassword, openProfile, owner, setupLink, signOut } from './owner.ts';
import { t } from './texts.ts';
import { waitUntil } from './wait.ts';

let chromium: Chromium;
let desk: BrowserDesk;
let visitor: Visitor;
beforeAll(async () => {
  [chromium, desk] = await startedTogether(startChromium(), startDesk());
});
afterAll(async () => {
  await chromium.close();
  await desk.close();
});
beforeEach(async () => {
  visitor = await chromium.visitor();
});
afterEach(async () => {
  const faults = visitor.faults();
  await visitor.close();
  expect(faults).toEqual([]);
});

async function resetLinkOf(email: string): Promise<string> {
  for (;;) {
    const { to, text = '' } = await desk.mail();
    const link = [to].flat().some((one) => one?.text.includes(email)) && /\S+\/reset#[\w-]+/.exec(text)?.[0];
    if (link) return link;
  }
}

test('the first owner sets the desk up with the printed link, and lands in the console', async () => {
  await visitor.open(setupLink(desk));
  await visitor.press('button', t.createDesk);
  await visitor.see(t.required);
  await visitor.fill('Password', 'short');
  await visitor.press('button', t.createDesk);
  await visitor.see(t.passwordShort(10));
  visitor.expectStatus(422);
  await visitor.fill('E-mail', owner.email);
  await visitor.fill(t.name, owner.name);
  await visitor.fill('Password', 'password123');
  await visitor.press('button', t.createDesk);
  await visitor.see(t.passwordRefused);
  await visitor.fill(t.password, owner.password);
  const pagesBefore = await visitor.page.evaluate(() => history.length);
  await visitor.press('button', t.createDesk);
  await visitor.at('/inbox/mine');
  await visitor.find('navigation', 'Views');
  await visitor.see(owner.name);
  // The page with the link is not one that Back leads to.
  expect(await visitor.page.evaluate(() => history.length)).toBe(pagesBefore);
});

test('the link works once', async () => {
  visitor.expectStatus(410);
  await visitor.open(setupLink(desk));
  await visitor.fill('E-mail', 'second@demo-shop.example');
  await visitor.fill(t.name, 'Second');
  await visitor.fill('Password', owner.password);
  await visitor.press('button', t.createDesk);
  await visitor.see(t.linkExpiredTitle);
  await visitor.press('link', t.toSignIn);
  await visitor.at('/sign-in');
});

test('a desk without a site leads to the first steps, until there is one', async () => {
  await visitor.open(`${desk.url}/sign-in`);
  await enterPassword(visitor);
  await visitor.at('/inbox/mine');
  await visitor.see(t.noSite);
  await visitor.find('link', t.beginFirstSteps);
  expect(await violations(visitor)).toEqual([]);
  await desk.command('site', 'create', '--name', 'First shop');
  await visitor.see(t.emptyAll);
});

describe('sign-in', () => {
  test('says what is wrong, keeps what was typed, and then works', async () => {
    visitor.expectStatus(401);
    await visitor.open(`${desk.url}/sign-in`);
    await visitor.focusOn('name', 'email');
    await visitor.press('button', 'Sign in');
    await visitor.see(t.required);
    await enterPassword(visitor, { email: owner.email, password: 'not the password' });
    await visitor.see(t.wrongCredentials);
    await visitor.fill('Password', owner.password);
    await visitor.press('button', 'Sign in');
    await visitor.at('/inbox/mine');
    await visitor.see(owner.name);
  });

  test('does not tell whether an address is known', async () => {
    visitor.expectStatus(401);
    await visitor.open(`${desk.url}/sign-in`);
    await enterPassword(visitor, { email: 'stranger@demo-shop.example', password: 'not the password' });
    await visitor.see(t.wrongCredentials);
  });

  test('leads back to where the agent was', async () => {
    visitor.expectStatus(401);
    await visitor.open(`${desk.url}/profile?tab=1`);
    await visitor.at('/sign-in');
    await enterPassword(visitor);
    await visitor.at('/profile');
    expect(new URL(visitor.page.url()).search).toBe('?tab=1');
  });

  test.each(['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])(
    'never leads to %s',
    async (target) => {
      await visitor.open(`${desk.url}/sign-in?return_to=${encodeURIComponent(target)}`);
      await enterPassword(visitor);
      await visitor.at('/inbox/mine');
      expect(new URL(visitor.page.url()).origin).toBe(desk.url);
    },
  );

  test('works by keyboard alone: a password that was forgotten, typed wrong, typed right, and changed', async () => {
    const { keyboard } = visitor.page;
    const email = 'bo@demo-shop.example';
    await desk.command('agent', 'add', '--email', email, '--name', 'Bo Lind');
    visitor.expectStatus(401);
    await visitor.open(`${desk.url}/sign-in`);
    await visitor.focusOn('name', 'email');
    await tabTo(visitor, '[href="/reset"]');
    await keys(visitor, 'Enter');
    await visitor.at('/reset');
    await visitor.focusOn('name', 'email');
    await keyboard.type(email);
    await keys(visitor, 'Enter');
    await visitor.see(t.resetSentTitle);
    await visitor.open(await resetLinkOf(email));
    await visitor.focusOn('name', 'password');
    await keyboard.type('short');
    await keys(visitor, 'Enter');
    await visitor.see(t.passwordShort(10));
    await visitor.focusOn('name', 'password');
    await keyboard.type(' harbour lemon');
    await keys(visitor, 'Enter');
    await visitor.at('/inbox/mine');
    await visitor.find('link', t.viewMine);
    await runCommand(visitor, t.signOut);
    await visitor.at('/sign-in');
    await visitor.focusOn('name', 'email');
    await keyboard.type(email);
    await keys(visitor, 'Tab');
    await keyboard.type('not harbour lemon');
    await keys(visitor, 'Enter');
    await visitor.see(t.wrongCredentials);
    // What was wrong is selected: typing takes its place.
    await visitor.page.waitForFunction(() => {
      const { name, selectionStart, selectionEnd } = document.activeElement as HTMLInputElement;
      return name === 'password' && selectionStart === 0 && selectionEnd === 'not harbour lemon'.length;
    });
    await keyboard.type('short harbour lemon');
    await keys(visitor, 'Enter');
    await visitor.at('/inbox/mine');
    await visitor.find('link', t.viewMine);
    await runCommand(visitor, t.goTo(t.profile));
    await visitor.see(t.passwordLead);
    await visitor.focusOn('id', 'content');
    const change = `[aria-label="${t.changePassword}"]`;
    await tabTo(visitor, change);
    await keys(visitor, 'Enter');
    await visitor.focusOn('name', 'current-password');
    await keys(visitor, 'Escape');
    await visitor.focusOn('aria-label', t.changePassword);
    // The focus is back a moment before the dialog is gone.
    await waitUntil('the dialog is gone', async () => (await visitor.page.$('dialog')) === null);
    await keys(visitor, 'Enter');
    await visitor.focusOn('name', 'current-password');
    await keyboard.type('short harbour lemon');
    await tabTo(visitor, '[name="new-password"]');
    await keyboard.type('copper thirteen meadow');
    await keys(visitor, 'Enter');
    await visitor.see(t.passwordChanged);
    await visitor.focusOn('aria-label', t.changePassword);
  });

  test('sends what password managers look for', async () => {
    await visitor.open(`${desk.url}/sign-in`);
    await visitor.find('button', 'Sign in');
    const fields = await visitor.page.$$eval('form input', (inputs) =>
      inputs.map(({ name, type, autocomplete }) => [name, type, autocomplete]),
    );
    expect(fields).toEqual([
      ['email', 'email', 'username'],
      ['password', 'password', 'current-password'],
    ]);
  });

  test('ends with sign-out', async () => {
    visitor.expectStatus(401);
    await visitor.open(`${desk.url}/sign-in`);
    await enterPassword(visitor);
    await visitor.at('/inbox/mine');
    await signOut(visitor);
    await visitor.open(`${desk.url}/profile`);
    await visitor.at('/sign-in');
  });
});

describe('an invitation', () => {
  test('makes an agent of whom it reaches, once', async () => {
    const invited = await desk.command(
      'agent',
      'invite',
      '--email',
      'kim@demo-shop.example',
      '--name',
      'Kim',
      '--role',
      'member',
    );
    visitor.expectStatus(410);
    await visitor.open(invited.invitation_url);
    await visitor.see('kim@demo-shop.example');
    await visitor.fill(t.name, 'Kim Sato');
    await visitor.fill('Password', 'velvet harbour nine');
    await visitor.press('button', t.join);
    await openProfile(visitor, desk, 'kim@demo-shop.example');
    await visitor.see(t.roleMember);
    await visitor.open(`${invited.invitation_url.replace('#', '?again#')}`);
    await visitor.see(t.linkExpiredTitle);
  });

  test('that is not whole says so', async () => {
    await visitor.open(`${desk.url}/invitation`);
    await visitor.see(t.linkMissing);
  });
});

test('a one-time link signs in, and says what to do when it is used up', async () => {
  const { sign_in_url: link } = await desk.command('agent', 'link', owner.email);
  visitor.expectStatus(410);
  await visitor.open(link);
  await openProfile(visitor, desk);
  const other = await chromium.visitor();
  other.expectStatus(410);
  await other.open(link);
  await other.see(t.linkExpiredTitle);
  expect(other.faults()).toEqual([]);
  await other.close();
});

/** Parts of the console, and what a page says or can be pressed on it, that lie below a bar or stand out of the window. */
const coveredBy = ({ page }: Visitor, bar: string) =>
  page.evaluate((selector) => {
    const own = document.querySelector(selector)?.getBoundingClientRect();
    if (own === undefined) return ['there is no bar'];
    const parts = [
      ...document.querySelectorAll('.top-bar, .search, .rail a, .rail button, .shell-page :is(h1, h2, p, a, button)'),
    ].filter((part) => part.checkVisibility());
    return parts.flatMap((part) => {
      const { top, bottom, left, right } = part.getBoundingClientRect();
      const isBeside = bottom <= own.top || top >= own.bottom || right <= own.left || left >= own.right;
      return isBeside && bottom <= innerHeight ? [] : [`${part.tagName} ${part.className} ${part.textContent}`];
    });
  }, bar);

test.each([390, 1440])('a bar that comes does not move the page, %d pixels wide', async (width) => {
  const email = `link-${width}@demo-shop.example`;
  await desk.command('agent', 'add', '--email', email, '--name', 'Ben Smit');
  const { page } = visitor;
  await page.setViewport({ width, height: 844 });
  await page.evaluateOnNewDocument(() => {
    const moved: string[] = [];
    Object.assign(window, { moved });
    const note = (list: PerformanceObserverEntryList) => {
      for (const shift of list.getEntries() as (PerformanceEntry & {
        value: number;
        sources: { node: Node | null }[];
      })[])
        moved.push(
          `${shift.value}: ${shift.sources.map(({ node }) => (node instanceof Element ? node : node?.parentElement)?.outerHTML.slice(0, 80))}`,
        );
    };
    new PerformanceObserver(note).observe({ type: 'layout-shift', buffered: true });
  });
  await visitor.open((await desk.command('agent', 'link', email)).sign_in_url);
  await visitor.at('/inbox/mine');
  await visitor.see(t.suggestPassword);
  await drawn(visitor);
  expect(await page.evaluate(() => (window as unknown as { moved: string[] }).moved)).toEqual([]);
  expect(await page.$$eval('.toasts > [role=status]', (regions) => regions.map((one) => one.className))).toEqual([
    '',
    'live-bars',
  ]);
});

test('the first one-time link suggests a password, once, and covers nothing', async () => {
  const email = 'ana@demo-shop.example';
  await desk.command('agent', 'add', '--email', email, '--name', 'Ana Duarte');
  const open = async () => {
    await visitor.open((await desk.command('agent', 'link', email)).sign_in_url);
    await visitor.at('/inbox/mine');
  };
  await open();
  await visitor.see(t.suggestPassword);
  for (const value of ['light', 'dark']) {
    await visitor.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }]);
    expect(await violations(visitor, ['.live-bars'])).toEqual([]);
  }
  for (const width of [390, 1024, 1440]) {
    await visitor.page.setViewport({ width, height: 844 });
    await drawn(visitor);
    expect(await coveredBy(visitor, '.live-bar'), `at ${width} px`).toEqual([]);
  }
  await visitor.press('button', t.notNow);
  await visitor.page.waitForSelector('.live-bar', { hidden: true });
  await visitor.page.reload();
  await visitor.find('navigation', 'Views');
  expect(await visitor.page.$('.live-bar')).toBeNull();
  await open();
  await visitor.press('button', t.toSetPassword);
  await visitor.at('/profile');
  await visitor.press('button', t.setPassword);
  await visitor.fill(t.newPassword, 'meadow thirteen copper');
  await visitor.press('button', t.savePassword);
  await visitor.see(t.passwordChanged);
  await open();
  expect(await visitor.page.$('.live-bar')).toBeNull();
});

test('a forgotten password is set again by mail', async () => {
  const forgetful = { email: 'kim@demo-shop.example', password: 'meadow thirteen copper' };
  await visitor.open(`${desk.url}/sign-in`);
  await visitor.press('link', t.forgotPassword);
  await visitor.at('/reset');
  await visitor.fill('E-mail', forgetful.email);
  await visitor.press('button', t.sendLink);
  await visitor.see(t.resetSentTitle);
  const link = await resetLinkOf(forgetful.email);
  visitor.expectStatus(410);
  await visitor.open(link);
  await visitor.fill(t.newPassword, forgetful.password);
  await visitor.press('button', t.savePassword);
  await visitor.at('/inbox/mine');
  await signOut(visitor);
  await enterPassword(visitor, forgetful);
  await visitor.at('/inbox/mine');
  await visitor.open(link);
  await visitor.fill(t.newPassword, 'another good one');
  await visitor.press('button', t.savePassword);
  await visitor.see(t.linkExpiredTitle);
  expect(await visitor.isThere('link', t.sendLink)).toBe(true);
});

describe('when the desk cannot be reached', () => {
  test('an agent who is offline is told so, and can go on afterwards', async () => {
    await visitor.open(`${desk.url}/sign-in`);
    await visitor.fill('E-mail', owner.email);
    await visitor.fill('Password', owner.password);
    await visitor.page.setOfflineMode(true);
    await visitor.press('button', 'Sign in');
    await visitor.see(t.offline);
    expect(visitor.faults().join()).toContain('ERR_INTERNET_DISCONNECTED');
    await visitor.page.setOfflineMode(false);
    await visitor.press('button', 'Sign in');
    await visitor.at('/inbox/mine');
  });

  test('a desk that is down is not mistaken for a wrong password', async () => {
    await visitor.open(`${desk.url}/sign-in`);
    await visitor.find('button', 'Sign in');
    await desk.stop();
    await enterPassword(visitor);
    await visitor.see(t.unreachable);
    expect(visitor.faults().join()).toContain('ERR_CONNECTION_REFUSED');
    await desk.start();
    await visitor.press('button', 'Sign in');
    await visitor.at('/inbox/mine');
  });
});

test('too many tries are answered with a time that runs down', async () => {
  visitor.expectStatus(401, 429);
  await visitor.open(`${desk.url}/sign-in`);
  const wait = t.rateLimited('').slice(0, 20);
  const isTold = () => visitor.page.evaluate((text) => document.body.innerText.includes(text), wait);
  for (let tries = 0; tries < 12 && !(await isTold()); tries += 1) {
    await enterPassword(visitor, { email: 'impatient@demo-shop.example', password: `wrong password ${tries}` });
    await visitor.page.waitForSelector('button[type=submit]:not([aria-busy])');
  }
  await visitor.see(wait);
  while (await isTold()) await Bun.sleep(100);
  expect(await visitor.page.$eval('button[type=submit]', (button) => button.ariaDisabled)).toBeNull();
});
