// What the journeys of the rule screens share: putting a rule together, and taking back what was done.

import type { Visitor } from './browser.ts';
import { keys } from './journey.ts';
import { waitUntil } from './wait.ts';

export async function choose(visitor: Visitor, label: string, value: string): Promise<void> {
  await (await visitor.find('combobox', label)).select(value);
}

/** Of several: opened, found by its first letters, and taken, all by keys. */
export async function chooseAlso(visitor: Visitor, label: string, text: string): Promise<void> {
  await (await visitor.find('combobox', label)).focus();
  await keys(visitor, 'ArrowDown');
  await visitor.page.waitForSelector('.combobox-panel:popover-open');
  await visitor.page.keyboard.type(text);
  await keys(visitor, 'Enter', 'Escape');
}

export async function type(visitor: Visitor, label: string, text: string): Promise<void> {
  await (await visitor.find('textbox', label)).focus();
  await visitor.page.keyboard.type(text);
}

/** Of the note that says this. */
export async function takeBack({ page }: Visitor, said: string): Promise<void> {
  const toast = await waitUntil(`“${said}” can be taken back`, async () => {
    for (const one of await page.$$('.toast'))
      if (await one.evaluate((element, text) => element.textContent?.includes(text) ?? false, said)) return one;
    return null;
  });
  await (await toast?.$('button'))?.click();
}

/** Without the marks that keep the direction of text. */
export const plainText = (text: string): string => text.replace(/[⁨⁩]/g, '');
