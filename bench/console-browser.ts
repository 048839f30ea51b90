// The console in Chromium, on the desk that bench/console.ts has filled and started: how soon an agent sees what they wait for.

import type { Page } from 'puppeteer-core';
import { type Chromium, startChromium, type Visitor } from '../test/browser/browser.ts';
import { subjectSeenAt, threadDelay, type WatchedWindow, watchPage } from './console-page.ts';
import { scrollEverything } from './console-scroll.ts';
import { timesOf } from './scale-beside.ts';

export interface Figure {
  name: string;
  value: number;
  unit: 'ms' | 'KB' | 'MB' | 'times';
  target: number;
  /** The same for a page without content, or before the work. */
  floor?: number;
}

interface BenchDesk {
  url: string;
  session: string;
  teamToken: string;
}

const coldStarts = 7;
const opensOfEachKind = 100;
const opensFromList = 40;
const changes = 25;
const pauseMs = 350;
/** How long a pointer is over a row at least before the finger presses. */
const hoverMs = 100;
const settledMs = 2500;

const order = 'sort=created_at&direction=desc';
const list = `/inbox/all?${order}`;
const rowLink = '.ticket-row:not(.is-loading) .row-link';

export async function measureBrowser(desk: BenchDesk): Promise<Figure[]> {
  const chromium = await startChromium();
  try {
    const cold = await coldList(chromium, desk);
    const visitor = await signedIn(chromium, desk);
    await openInbox(visitor.page, desk);
    const seen = await eventToScreen(visitor.page, desk);
    const clicked = await openByClick(visitor.page);
    const pressed = await openByKey(visitor.page);
    await openInbox(visitor.page, desk);
    const first = await openFromList(visitor.page);
    await openInbox(visitor.page, desk);
    const scrolled = await scrollEverything(visitor.page);
    const faults = visitor.faults();
    if (faults.length > 0) throw new Error(`The console reported:\n${faults.join('\n')}`);
    return [...cold, ...clicked, ...pressed, ...first, ...seen, ...scrolled];
  } finally {
    await chromium.close();
  }
}

async function signedIn(chromium: Chromium, { url, session }: BenchDesk): Promise<Visitor> {
  const visitor = await chromium.visitor();
  await visitor.context.setCookie({ name: 'helpdesk', value: session, domain: new URL(url).hostname, path: '/' });
  await visitor.page.evaluateOnNewDocument(watchPage);
  return visitor;
}

async function openInbox(page: Page, { url }: BenchDesk): Promise<void> {
  await page.goto(url + list);
  await page.waitForSelector(rowLink);
  await Bun.sleep(settledMs);
}

async function coldList(chromium: Chromium, desk: BenchDesk): Promise<Figure[]> {
  const lists: number[] = [];
  const blanks: number[] = [];
  let scriptBytes = 0;
  for (let at = 0; at < coldStarts; at += 1) {
    const visitor = await signedIn(chromium, desk);
    await visitor.page.goto(`${desk.url}/healthz`);
    blanks.push(await visitor.page.evaluate(loadedMs));
    await visitor.page.goto(desk.url + list, { waitUntil: 'domcontentloaded' });
    const { rowsAt, bytes } = await visitor.page.waitForFunction(rowsAndScripts).then((found) => found.jsonValue());
    lists.push(rowsAt);
    scriptBytes = Math.max(scriptBytes, bytes);
    await visitor.close();
  }
  const { p50, max } = timesOf(lists);
  const floor = timesOf(blanks).p50;
  return [
    { name: 'cold list, median', value: p50, unit: 'ms', target: 800, floor },
    { name: 'cold list, slowest', value: max, unit: 'ms', target: 800, floor },
    { name: 'scripts before the list is usable', value: scriptBytes / 1024, unit: 'KB', target: 60 },
  ];
}

function loadedMs(): number {
  return (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming).domContentLoadedEventEnd;
}

function rowsAndScripts(): { rowsAt: number; bytes: number } {
  const { rowsAt } = (window as unknown as WatchedWindow).watching;
  const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
  const scripts = resources.filter(({ name, responseEnd }) => name.endsWith('.js') && responseEnd < rowsAt);
  const bytes = scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
  // `waitForFunction` waits for anything that is true.
  return rowsAt === 0 ? (undefined as never) : { rowsAt, bytes };
}

const referencesOf = (page: Page) =>
  page.$$eval('.ticket-row .reference', (all) => all.map((one) => one.textContent ?? ''));

async function openByClick(page: Page): Promise<Figure[]> {
  const delays: number[] = [];
  for (let at = 0; at < opensOfEachKind; at += 1) {
    await page.waitForSelector(rowLink);
    const references = await referencesOf(page);
    const wanted = references[at % Math.min(references.length, 20)] ?? '';
    const links = await page.$$(rowLink);
    const link = links[at % Math.min(references.length, 20)];
    await Bun.sleep(pauseMs);
    await link?.hover();
    await Bun.sleep(hoverMs);
    await link?.click();
    delays.push(await threadDelay(page, wanted));
    await page.keyboard.press('u');
  }
  return opened('open a ticket by click', delays);
}

async function openByKey(page: Page): Promise<Figure[]> {
  const delays: number[] = [];
  await page.waitForSelector(rowLink);
  await page.keyboard.press('Home');
  const references = await page.evaluate(firstReferences, order);
  await page.keyboard.press('Enter');
  await threadDelay(page, references[0] ?? '');
  for (const wanted of references.slice(1)) {
    await Bun.sleep(pauseMs);
    await page.keyboard.press('j');
    delays.push(await threadDelay(page, wanted));
  }
  return opened('open the next ticket by key', delays);
}

/** With the time that the page's thread worked until then: unlike the moment on the screen, it does not grow when others use the processor. */
async function openFromList(page: Page): Promise<Figure[]> {
  const devtools = await page.createCDPSession();
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const workedMs = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  };
  const delays: number[] = [];
  const works: number[] = [];
  await page.keyboard.press('Home');
  for (let at = 0; at < opensFromList; at += 1) {
    await page.keyboard.press('j');
    await Bun.sleep(pauseMs);
    const wanted = await page.$eval('.ticket-row.is-active .reference', ({ textContent }) => textContent ?? '');
    const before = await workedMs();
    await page.keyboard.press('o');
    delays.push(await threadDelay(page, wanted));
    works.push((await workedMs()) - before);
    await Bun.sleep(pauseMs);
    await page.keyboard.press('u');
    await page.waitForSelector(`.list-page ${rowLink}`);
  }
  await devtools.detach();
  const work = {
    name: 'work of the page until then, median',
    value: timesOf(works).p50,
    unit: 'ms',
    target: 45,
  } as const;
  return [...opened('open a ticket from the list by key', delays), work];
}

async function firstReferences(asked: string): Promise<string[]> {
  const answer = await fetch(`/api/v1/tickets?per_page=100&${asked}`);
  const first = (await answer.json()) as { data: { reference: string }[] };
  return first.data.map(({ reference }) => reference);
}

function opened(name: string, delays: number[]): Figure[] {
  const sorted = delays.toSorted((a, b) => a - b);
  const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;
  return [
    { name: `${name}, median`, value: timesOf(delays).p50, unit: 'ms', target: 100 },
    { name: `${name}, p95`, value: p95, unit: 'ms', target: 100 },
  ];
}

/** From before another client sends the change until the row shows it, with and without other changes shortly before. */
async function eventToScreen(page: Page, { url, teamToken }: BenchDesk): Promise<Figure[]> {
  const ulids = await page.$$eval('.ticket-row .row-link', (all) =>
    all.map((one) => one.getAttribute('href')?.split('/').at(-1) ?? ''),
  );
  const delays: number[] = [];
  for (let at = 0; at < changes; at += 1) {
    await Bun.sleep((at % 5) * 400);
    const subject = `Changed elsewhere ${at}`;
    const seen = subjectSeenAt(page, subject);
    const begun = performance.timeOrigin + performance.now();
    const response = await fetch(`${url}/api/v1/tickets/${ulids[at % 10]}`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${teamToken}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ subject }),
    });
    if (!response.ok) throw new Error(`a change: ${response.status} ${await response.text()}`);
    delays.push((await seen) - begun);
  }
  const { p50, max } = timesOf(delays);
  return [
    { name: 'change elsewhere until on screen, median', value: p50, unit: 'ms', target: 1000 },
    { name: 'change elsewhere until on screen, slowest', value: max, unit: 'ms', target: 1000 },
  ];
}
