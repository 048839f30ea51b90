// What the journeys share: keys, texts on the page, calls with the session of the page, and an agent beside the owner.

import type { Visitor } from './browser.ts';
import { t } from './texts.ts';
import type { TicketDesk } from './ticket-desk.ts';
import { waitUntil } from './wait.ts';

export const ana = { email: 'ana@demo-shop.example', name: 'Ana Duarte' };

/** Without a modifier `r`, with some `Control+Shift+Enter`. */
export async function keys({ page }: Visitor, ...pressed: string[]): Promise<void> {
  for (const chord of pressed) {
    const parts = chord.split('+');
    const last = parts.pop() ?? '';
    for (const part of parts) await page.keyboard.down(part as 'Control');
    await page.keyboard.press(last as 'Enter');
    for (const part of parts.reverse()) await page.keyboard.up(part as 'Control');
  }
}

/** Runs a command by its title. */
export async function runCommand(visitor: Visitor, title: string): Promise<void> {
  const { page } = visitor;
  await keys(visitor, 'Control+k');
  await page.waitForSelector('.palette input:focus');
  await page.keyboard.type(title);
  const first = '.palette-entry[aria-selected="true"] .palette-name';
  await waitUntil(`“${title}” comes first`, async () => (await textOf(visitor, first)) === title);
  await keys(visitor, 'Enter');
}

/** Tab until the element with the focus fits. */
export async function tabTo(visitor: Visitor, selector: string): Promise<void> {
  for (let presses = 0; presses < 120; presses += 1) {
    const isThere = (wanted: string) => document.activeElement?.matches(wanted) === true;
    if (await visitor.page.evaluate(isThere, selector)) return;
    await keys(visitor, 'Tab');
  }
  throw new Error(`Tab does not reach ${selector}.`);
}

/**
 * What the console shows for ten seconds, such as a note with Undo, stays until it is used, and what can be withdrawn for
 * ten seconds can be for a minute: a test that is slow is not too late. For this page and those that are opened later.
 * @returns ends it, for what is shown or sent from then on
 */
export async function keepNotes({ page }: Visitor): Promise<() => Promise<void>> {
  const { identifier } = await page.evaluateOnNewDocument(withoutHaste);
  await page.evaluate(withoutHaste);
  return async () => {
    await page.removeScriptToEvaluateOnNewDocument(identifier);
    await page.evaluate(() => Object.assign(window, { isHasty: true }));
  };
}

/** Runs in the page. */
function withoutHaste(): void {
  const tenSeconds = 10_000;
  const never = 2 ** 31 - 1;
  const isHasty = () => 'isHasty' in window;
  const later = window.setTimeout;
  window.setTimeout = ((act: () => void, ms = 0, ...rest: unknown[]) =>
    later(act, ms === tenSeconds && !isHasty() ? never : ms, ...rest)) as typeof setTimeout;
  const ask = window.fetch;
  window.fetch = ((to: RequestInfo | URL, request?: RequestInit) => {
    const body = request?.body;
    if (typeof body !== 'string' || isHasty()) return ask(to, request);
    return ask(to, { ...request, body: body.replace('"hold_seconds":10', '"hold_seconds":60') });
  }) as typeof fetch;
}

export const seeWritten = ({ page }: Visitor, text: string): Promise<unknown> =>
  waitUntil(
    `“${text}” is written`,
    () => page.$eval('.composer-text', (field) => (field as HTMLTextAreaElement).value),
    (found) => found === text,
  );

export const textOf = ({ page }: Visitor, selector: string): Promise<string> =>
  page.$eval(selector, (element) => (element as HTMLElement).innerText).catch(() => '');

/** Opens a ticket for who is signed in. A ticket page says every few seconds that it is open, and is never quiet. */
export async function openTicketPage(visitor: Visitor, desk: TicketDesk, ulid: string): Promise<void> {
  await visitor.page.goto(`${desk.url}/tickets/${ulid}`);
  await visitor.find('textbox', t.reply);
}

export async function typeReply(visitor: Visitor, text: string): Promise<void> {
  await keys(visitor, 'r');
  await visitor.focusOn('aria-label', t.reply);
  await visitor.page.keyboard.type(text);
}

/** Pastes a picture, as a screenshot tool leaves it. */
export async function pastePicture({ page }: Visitor, base64: string): Promise<void> {
  await page.$eval(
    '.composer-text',
    (field, text) => {
      const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([bytes], 'image.png', { type: 'image/png' }));
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    },
    base64,
  );
  await page.waitForSelector('.composer-file img');
}

/** Rows of the list, as far as they are on the page. */
export const rows = ({ page }: Visitor): Promise<string[]> =>
  page.$$eval('.ticket-row .row-subject', (all) => all.map((one) => one.textContent ?? ''));

export const seeRow = (visitor: Visitor, subject: string): Promise<unknown> =>
  waitUntil(`there is a row "${subject}"`, async () => (await rows(visitor)).includes(subject));

export const seeNoRow = (visitor: Visitor, subject: string): Promise<unknown> =>
  waitUntil(`there is no row "${subject}"`, async () => !(await rows(visitor)).includes(subject));
