// One walk over every screen, with every change in English and German, and with HELPDESK_TEST_LONG=1 in all languages, from a phone to a wide screen, in both themes and in both directions of writing: no label is cut or on two lines, nothing is cut off or scrolls sideways, and axe finds nothing.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { violations } from './axe.ts';
import { type Chromium, drawn, startChromium, startedTogether, type Visitor } from './browser.ts';
import { cutLabels } from './cut-labels.ts';
import { cutOff } from './cut-off.ts';
import { answering, type SetDesk, startSetDesk } from './every-setting.ts';
import { languages } from './languages.ts';
import { giveSession } from './owner.ts';
import { type Screen, type Screens, screensOf, show, textsIn } from './screens.ts';

const isLong = process.env.HELPDESK_TEST_LONG === '1';

interface Walk {
  language: string;
  width: number;
  /** In which axe looks too. */
  themes: readonly Theme[];
}
type Theme = 'light' | 'dark';

const walksOf = (language: string, widths: readonly number[], themes: readonly Theme[] = []): Walk[] =>
  widths.map((width) => ({ language, width, themes }));
/** German has the longest words. */
const usual = [...walksOf('en-GB', [1440], ['light']), ...walksOf('de-DE', [1440, 390])];
/** 720 px is what 200 % zoom leaves of a desktop. */
const thorough = [
  ...walksOf('en-GB', [1440, 390, 360], ['light', 'dark']),
  ...walksOf('en-GB', [2560, 1024, 768, 720]),
  ...languages.slice(1).flatMap((language) => walksOf(language, [1440, 720, 390, 360])),
];

let chromium: Chromium;
let desk: SetDesk;
let walker: Visitor;
let screens: Screens;

beforeAll(async () => {
  [chromium, desk] = await startedTogether(startChromium(), startSetDesk());
  walker = await chromium.visitor();
  await giveSession(walker, desk);
  screens = await screensOf(desk, walker);
  await walker.open(screens.link);
  await walker.page.waitForSelector('#answer');
});
afterAll(async () => {
  await chromium.close();
  await desk.close();
});

/** Labels have their place on a desktop and on a usual phone. Between and below, they may take two lines. */
const labelWidths = [1440, 390];

async function misfits(visitor: Visitor): Promise<string[]> {
  const found = await visitor.page.evaluate(cutOff);
  if (labelWidths.includes(visitor.page.viewport()?.width ?? 0))
    found.push(...(await visitor.page.evaluate(cutLabels)));
  if (!isLong) return found;
  await visitor.page.$eval('html', (html) => html.setAttribute('dir', 'rtl'));
  await drawn(visitor);
  found.push(...(await visitor.page.evaluate(cutOff)).map((fault) => `from the right: ${fault}`));
  await visitor.page.$eval('html', (html) => html.removeAttribute('dir'));
  return found;
}

async function wear({ page }: Visitor, theme: Theme): Promise<void> {
  await page.emulateMediaFeatures([
    { name: 'prefers-color-scheme', value: theme },
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ]);
  await page.waitForSelector(`html[data-theme=${theme}]`);
}

test.each(isLong ? thorough : usual)(
  'every screen fits, and axe finds nothing: $language, $width px, $themes',
  async (walk) => {
    const { language, width, themes } = walk;
    const visitor = await walker.tab({ language, width, height: width > 500 ? 900 : 844 });
    const texts = await textsIn(language);
    const found: string[] = [];
    const look = async ({ path, steps = [] }: Screen) => {
      const faults = await misfits(visitor);
      for (const theme of themes) {
        await wear(visitor, theme);
        faults.push(...(await violations(visitor)).map((fault) => `${theme}: ${fault}`));
      }
      faults.push(...visitor.faults());
      found.push(...faults.map((fault) => `${[path, ...steps].join(' ')}: ${fault}`));
    };
    await visitor.open(`${desk.url}/inbox/mine`);
    expect(await visitor.page.$eval('html', ({ lang }) => lang)).toBe(language.slice(0, 2));
    await visitor.page.evaluate(() => localStorage.setItem('helpdesk.suggest-password', 'false'));
    await answering(visitor, 'as it is');
    for (const screen of screens.console) {
      await show(visitor, screen, texts);
      await look(screen);
    }
    for (const screen of screens.doors) {
      // From another page: an address that differs only after the # is not loaded again.
      await visitor.page.goto('about:blank');
      await visitor.page.goto(desk.url + screen.path);
      await visitor.page.waitForSelector(screen.sign);
      await drawn(visitor);
      await look(screen);
    }
    await visitor.page.close();
    expect(found).toEqual([]);
  },
);

test('what is cut off is found', async () => {
  await walker.page.setViewport({ width: 390, height: 844 });
  await walker.open(`${desk.url}/customers`);
  await walker.page.waitForSelector('main a[href^="/customers/"]');
  await walker.page.$eval('main', (main) => {
    const button = document.createElement('button');
    button.textContent = 'narrowDonaudampfschifffahrt';
    button.style.width = '30px';
    button.style.overflow = 'hidden';
    main.append(button);
  });
  const found = (await misfits(walker)).join('\n');
  expect(found).toContain('cut: button. “narrowDonaudampfschifffahrt”');
  expect(found).toContain('narrowDonaudampfschifffahrt: ');
});
