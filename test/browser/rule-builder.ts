// What the journeys of the rule screens share: putting a rule together, and taking back what was done.

import type { Visitor } from './browser.ts';
import type { BrowserDesk } from './desk.ts';
import { keys } from './journey.ts';
import { t } from './texts.ts';
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

/** What the form says of a conflict. */
export async function bothValues({ page }: Visitor): Promise<string> {
  const both = (await waitUntil('both values are shown', () =>
    page.$eval('.both-values', (list) => list.textContent ?? '').catch(() => null),
  )) as string;
  return plainText(both);
}

/** A screen is found by another word in the palette, and by a third in the search of the settings. */
export async function findScreen(
  visitor: Visitor,
  { name, lead, path }: { name: string; lead: string; path: string },
  [inPalette, inSettings]: readonly [inPalette: string, inSettings: string],
): Promise<void> {
  await keys(visitor, 'Control+k');
  await visitor.focusOn('aria-label', t.paletteField);
  await visitor.page.keyboard.type(inPalette);
  await visitor.find('option', `${t.settings}: ${name} ${inPalette}`);
  await keys(visitor, 'Enter');
  await visitor.at(path);
  await visitor.see(lead);
  await keys(visitor, '/');
  await visitor.focusOn('aria-label', t.findSetting);
  await visitor.page.keyboard.type(inSettings);
  await visitor.find('option', `${name} ${inSettings}`);
}

/** As if the desk had acted on its first ticket: the jobs that do look once a minute. */
export function hasActed(desk: BrowserDesk, kind: 'timed_rule' | 'recurring_ticket', ruleId: number): void {
  const now = Date.now();
  const day = Math.floor(now / 86_400_000);
  desk.sql(`INSERT INTO automation_days VALUES ('${kind}', ${ruleId}, ${day}, 1, 1, 1, 0)`);
  desk.sql(`INSERT INTO automation_runs SELECT max(seq), max(seq), NULL, '${kind}', ${ruleId}, ticket_id, ${now}
    FROM events WHERE ticket_id = (SELECT min(id) FROM tickets)`);
}
