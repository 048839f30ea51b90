// Every screen of the settings: refused, slow, empty and with 500 rows, for owners and others, and by keyboard.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type Chromium, startChromium, startedTogether, type Visitor } from './browser.ts';
import { answering, asked, oddities, open, type SetDesk, sectionsIn, settled, startSetDesk } from './every-setting.ts';
import { giveSession } from './owner.ts';
import { t } from './texts.ts';
import { waitUntil } from './wait.ts';

let chromium: Chromium;
let desk: SetDesk;
let visitor: Visitor;
let screens: string[] = [];
let others: string[] = [];

beforeAll(async () => {
  [chromium, desk] = await startedTogether(startChromium(), startSetDesk());
  visitor = await chromium.visitor();
  await giveSession(visitor, desk);
  await visitor.open(`${desk.url}/settings/general`);
  const sections = await sectionsIn(visitor);
  others = (await desk.api('GET', '/sites')).data.slice(1).flatMap(({ name, slug }) => [name, slug]);
  screens = [...sections, ...desk.pages].map((name) => `/settings/${name}`);
  await answering(visitor, 'as it is');
});
afterAll(async () => {
  await chromium.close();
  await desk.close();
});

/** What is odd on any screen, each opened after the desk began to answer so. */
async function onEach(
  state: Parameters<typeof answering>[1],
  look: (path: string) => Promise<readonly string[]>,
): Promise<string[]> {
  const found: string[] = [];
  for (const path of screens) {
    await answering(visitor, state);
    await open(visitor, path);
    if (state !== 'slow') await settled(visitor, path);
    for (const odd of [...(await look(path)), ...(await oddities(visitor))]) found.push(`${path}: ${odd}`);
    found.push(...visitor.faults().map((fault) => `${path}: ${fault}`));
  }
  return found;
}

const inSection = (selector: string) =>
  visitor.page.$$eval(`.settings-section ${selector}`, (all) => all.map((one) => one.textContent?.trim() ?? ''));

/** What they ask for only adds to what they show: at which providers the desk is registered, and who changed a site last. */
const withoutWords = ['/settings/mailboxes/new', '/settings/sites'];

/** A list of what happened, what only reads, what has not begun, and a form whose list says it. */
const unchanging =
  /\/(?:first-steps|audit|mail-trace|system|environment|settings-file|mail-apps\/\w+|mail-templates\/[\w-]+|[\w-]+\/new)$/;

test('a screen asks who changed it last', async () => {
  // The first screen is open already.
  await open(visitor, '/settings/audit');
  await settled(visitor, 'another screen');
  const found = await onEach('as it is', async (path) => {
    const isAsked = (await asked(visitor)).some((one) => one.startsWith('/api/v1/audit?per_page=1&'));
    return isAsked === unchanging.test(path) ? [isAsked ? 'asks' : 'does not ask'] : [];
  });
  expect(found).toEqual([]);
});

/** Not those that wait for something to say. */
const alerts = async () => (await inSection('[role="alert"]')).filter(Boolean);

for (const [state, words] of [
  ['refused', t.forbidden],
  ['failing', t.failed],
] as const)
  test(`a screen says when the desk is ${state}, and can be tried again`, async () => {
    const found = await onEach(state, async (path) => {
      if ((await asked(visitor)).length === 0 || withoutWords.includes(path)) return [];
      const said = (await alerts()).filter((text) => text.includes(words));
      if (said.length === 0) return [`does not say it: ${await inSection('p')}`];
      await answering(visitor, 'as it is');
      // Each part has its own, and one may show only after the other.
      for (let again = 0; again < 4 && (await inSection('.refused')).length > 0; again += 1) {
        await visitor.page.$$eval('.refused .button', (all) => {
          for (const one of all) (one as HTMLElement).click();
        });
        await settled(visitor, path);
      }
      return (await inSection('.refused')).map((text) => `still says ${text}`);
    });
    expect(found).toEqual([]);
  });

test('a slow desk leaves a heading and a place for the rest, and then shows it', async () => {
  const found = await onEach('slow', async (path) => {
    await visitor.page.waitForSelector('.settings-section h1');
    const held = await asked(visitor);
    const busy = (await inSection('[aria-busy="true"]')).length;
    const odd = (await alerts()).map((text) => `says ${text} too early`);
    await answering(visitor, 'as it is');
    await settled(visitor, path);
    return [
      ...odd,
      ...(held.length > 0 && busy === 0 && !withoutWords.includes(path)
        ? [`shows nothing while it waits for ${held}`]
        : []),
    ];
  });
  expect(found).toEqual([]);
});

for (const state of ['empty', 'many'] as const)
  test(`a screen is whole when its lists are ${state}`, async () => {
    const found = await onEach(state, async () => (await alerts()).map((text) => `says ${text}`));
    expect(found).toEqual([]);
  });

/** Signs in as someone, and says what each screen that the owner has shows them. */
async function as(email: string): Promise<{ who: Visitor; sections: string[] }> {
  const who = await chromium.visitor();
  await giveSession(who, desk, email);
  await who.open(`${desk.url}/settings/general`);
  await answering(who, 'as it is');
  return { who, sections: await sectionsIn(who) };
}

const ben = 'ben@demo-shop.example';
const ana = 'ana@demo-shop.example';
const ofSite =
  'general mailboxes inbound mail-dns spam writing mail-templates senders working-hours sla customers-pages webhooks categories priorities custom-fields rules triggers timed-rules recurring-tickets macros';

test.each([
  [ben, `${ofSite} settings-file danger people teams tokens sign-in notifications mail-apps mail-trace audit`],
  [ana, `${ofSite} mail-trace`],
])(
  '%s of one site sees nothing of another, and what they cannot change is read-only',
  async (email, seen) => {
    desk.sql(`INSERT INTO agent_sites SELECT id, ${desk.site.id} FROM agents WHERE email = '${email}'`);
    const { who, sections } = await as(email);
    expect(sections).toEqual(seen.split(' '));
    const found: string[] = [];
    for (const path of screens.slice(0, screens.length - desk.pages.length)) {
      await open(who, path);
      await settled(who, path);
      const text = await who.page.evaluate(() => document.body.innerText);
      const isSeen = sections.includes(path.slice('/settings/'.length));
      if (text.includes(t.notFoundText) === isSeen) found.push(`${path}: is ${isSeen ? '' : 'not '}for them`);
      for (const foreign of others) if (text.includes(foreign)) found.push(`${path}: names ${foreign}`);
      if (!isSeen) continue;
      for (const odd of await oddities(who)) found.push(`${path}: ${odd}`);
      const { locked, open: usable } = await who.page.evaluate(() => {
        const all = (selector: string) => [...document.querySelectorAll(`.settings-section ${selector}`)];
        return {
          locked: all('fieldset:disabled').length,
          open: all('form:not([role="search"], search *) :is(input, textarea, select):enabled').length,
        };
      });
      const isTold = text.includes(t.onlyManagersChange) || text.includes(t.onlyOwnersChange);
      if (locked > 0 && !isTold) found.push(`${path}: does not say why it cannot be changed`);
      // Members try rules and choose what a guide is about, but change nothing.
      if (email === ana && usable > 0 && !['/settings/rules', '/settings/inbound'].includes(path))
        found.push(`${path}: ${usable} fields can be changed`);
    }
    expect([...found, ...who.faults()]).toEqual([]);
    await who.close();
  },
  180_000,
);

test('what two change at the same time is shown with both values, and nothing is lost', async () => {
  const site = `/sites/${desk.site.id}`;
  const page = (section: string) => desk.pages.find((one) => one.startsWith(`${section}/`)) ?? '';
  const own = (section: string, list: string) => [page(section), `${list}/${page(section).split('/')[1]}`] as const;
  const forms: readonly (readonly [path: string, api: string, field: string, label: string])[] = [
    ['general', site, 'name', t.name],
    [...own('mailboxes', `${site}/mailboxes`), 'name', t.name],
    [...own('webhooks', `${site}/webhook-channels`), 'name', t.name],
    [...own('categories', `${site}/categories`), 'name', t.name],
    [...own('priorities', `${site}/priorities`), 'name', t.name],
    [...own('custom-fields', `${site}/custom-fields`), 'label', t.fieldLabel],
    [...own('rules', `${site}/inbound-rules`), 'name', t.name],
    [...own('triggers', `${site}/triggers`), 'name', t.name],
    [...own('timed-rules', `${site}/timed-rules`), 'name', t.name],
    [...own('recurring-tickets', `${site}/recurring-tickets`), 'name', t.name],
    [...own('macros', '/macros'), 'name', t.name],
    [...own('people', '/agents'), 'name', t.name],
    [...own('teams', '/teams'), 'name', t.name],
    [...own('tokens', '/tokens'), 'name', t.name],
    ['sign-in', '/desk', 'name', t.nameOfDesk],
  ];
  visitor.expectStatus(412);
  for (const [path, api, field, label] of forms) {
    await open(visitor, `/settings/${path}`);
    await settled(visitor, path);
    await visitor.page.evaluate(() => {
      const own = window as { both?: string };
      own.both = '';
      new MutationObserver(() => {
        own.both ||= document.querySelector('.both-values')?.textContent ?? '';
      }).observe(document.body, { subtree: true, childList: true });
    });
    await visitor.fill(label, 'Mine');
    const changed = await visitor.page.evaluate(
      async (to, body) =>
        (await fetch(`/api/v1${to}`, { method: 'PATCH', body, headers: { 'Content-Type': 'application/json' } }))
          .status,
      api,
      JSON.stringify({ [field]: 'Theirs' }),
    );
    expect([path, changed]).toEqual([path, 200]);
    await visitor.press('button', t.save);
    // The screen asks again by itself, too: it may know before.
    const both = await waitUntil(`${path} shows both values`, () =>
      visitor.page.evaluate(() => (window as { both?: string }).both ?? ''),
    );
    expect(both).toContain(t.theirValue(label, 'Theirs', 'Mine'));
    const saved = async () => {
      await visitor.page.$$eval('.panel-actions [type="submit"]', ([submit]) => (submit as HTMLElement)?.click());
      return await visitor.page.evaluate(
        async (to, name) => (await (await fetch(`/api/v1${to}`)).json()).data[name],
        api,
        field,
      );
    };
    await waitUntil(`${path} is saved`, saved, (value) => value === 'Mine');
  }
  visitor.expectStatus();
  expect(visitor.faults()).toEqual([]);
});

/** A test of its own for every third screen. */
test.each([0, 1, 2])('Tab alone reaches every control of a screen, in sight (%i)', async (third) => {
  const found: string[] = [];
  // Not each of 500 rows, which an earlier test leaves.
  await answering(visitor, 'as it is');
  const inside = '.settings-section :is(a[href], button, input, select, textarea):enabled, .settings-section a[href]';
  for (const path of screens.filter((_, at) => at % 3 === third)) {
    await open(visitor, path);
    await settled(visitor, path);
    const wanted = await visitor.page.evaluate((selector) => {
      document.querySelector<HTMLElement>('.settings > nav a')?.focus();
      const radios = new Set<string>();
      let at = 0;
      for (const one of document.querySelectorAll<HTMLElement>(selector)) {
        const isOtherOfGroup =
          one instanceof HTMLInputElement && one.type === 'radio' && (radios.has(one.name) || !radios.add(one.name));
        // The order has keys of its own.
        const isArrow = one.matches('.sortable .up, .sortable .down');
        if (isArrow || !one.checkVisibility({ visibilityProperty: true }) || isOtherOfGroup) continue;
        one.dataset.wanted = String(at);
        at += 1;
      }
      document.addEventListener('focusin', ({ target }) => {
        const now = target as HTMLElement;
        const group = now instanceof HTMLInputElement && now.type === 'radio' ? now.name : null;
        const of = group === null ? [now] : [...document.querySelectorAll<HTMLElement>(`input[name="${group}"]`)];
        for (const one of of) delete one.dataset.wanted;
      });
      return at;
    }, inside);
    const left = () => visitor.page.$$eval('[data-wanted]', (all) => all.map((one) => one.outerHTML.slice(0, 160)));
    // The links before them, and then each once; sometimes more, where one opens others.
    for (let rounds = 0; rounds < 4 && (await left()).length > 0; rounds += 1)
      for (let presses = 0; presses < wanted + 15; presses += 1) await visitor.page.keyboard.press('Tab');
    found.push(...(await left()).map((text) => `${path}: ${text}`));
  }
  expect(found).toEqual([]);
});
