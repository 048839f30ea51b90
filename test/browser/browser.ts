// Chromium for the browser tests: one process, a fresh profile for each visitor, and a record of everything that must not happen.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type ElementHandle,
  type HTTPRequest,
  InterceptResolutionAction,
  launch,
  type Page,
} from 'puppeteer-core';
import { patienceMs } from './wait.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** The browser of this machine; null when there is none. */
export function chromiumPath(): string | null {
  return process.env.CHROMIUM ?? names.map((name) => Bun.which(name)).find((path) => path !== null) ?? null;
}

export interface Chromium {
  visitor(options?: VisitorOptions): Promise<Visitor>;
  close(): Promise<void>;
}

interface VisitorOptions {
  width?: number;
  height?: number;
  theme?: 'light' | 'dark';
  language?: string;
  /** Of the virtual screen: 2 is what 200 % zoom does to a page of half the width. */
  scale?: number;
}

/** @param hosts names that lead to other addresses, only for this browser */
export async function startChromium(hosts: Record<string, string> = {}): Promise<Chromium> {
  const executablePath = chromiumPath();
  if (executablePath === null) throw new Error('There is no Chromium on this machine.');
  const profile = mkdtempSync(join(tmpdir(), 'helpdesk-chromium-'));
  const rules = Object.entries(hosts)
    .map(([name, address]) => `MAP ${name} ${address}`)
    .join(', ');
  const browser = await launch({
    executablePath,
    userDataDir: profile,
    headless: true,
    // Tests run as root in containers, where Chromium's own sandbox cannot start.
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--disable-gpu',
      '--lang=en-US',
      `--host-resolver-rules=${rules}`,
    ],
  });
  return {
    visitor: async (options = {}) => await openTab(browser, await browser.createBrowserContext(), options),
    async close() {
      await browser.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

interface Closable {
  close(): Promise<void>;
}

/** Waits for both. If one does not start, the other is closed, and the error is that of the first. */
export async function startedTogether<One extends Closable, Other extends Closable>(
  one: Promise<One>,
  other: Promise<Other>,
): Promise<[One, Other]> {
  const both = await Promise.allSettled([one, other]);
  const [first, second] = both;
  if (first.status === 'fulfilled' && second.status === 'fulfilled') return [first.value, second.value];
  for (const each of both) if (each.status === 'fulfilled') await each.value.close();
  return await Promise.all([one, other]);
}

/** A person in front of a browser of their own, who finds things by role and name as screen readers do. */
export interface Visitor {
  page: Page;
  context: BrowserContext;
  /** Console errors, policy violations, crashes and requests to other hosts, since the visitor came or this was last asked. */
  faults(): string[];
  /** Answers of the desk that the console shows as errors, such as a refused sign-in, are expected to be these. */
  expectStatus(...statuses: number[]): void;
  open(url: string): Promise<void>;
  find(role: string, name: string): Promise<ElementHandle<Element>>;
  isThere(role: string, name: string): Promise<boolean>;
  fill(name: string, text: string): Promise<void>;
  press(role: string, name: string): Promise<void>;
  /** Waits until the text is on the page. */
  see(text: string): Promise<void>;
  /** The control with this attribute has the focus, or gets it shortly. */
  focusOn(attribute: string, value: string): Promise<void>;
  at(path: string): Promise<void>;
  /** Another tab of the same browser. */
  tab(options?: VisitorOptions): Promise<Visitor>;
  close(): Promise<void>;
}

/** Scrolls as keys do, which know of the bars at the edges, and says whether a pointer would then reach the control. */
function scrolledInSight(control: Element): boolean {
  control.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  const [box] = control.getClientRects();
  if (box === undefined) return false;
  const over = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return (
    over !== null && (control.contains(over) || over.contains(control) || over.closest('label')?.control === control)
  );
}

// Of the ways to write it, the one that asks for both.
const selectorOf = (role: string, name: string) => `aria/${name}[role="${role}"]`;

async function until<Found>(what: string, look: () => Promise<Found | null>, page: Page): Promise<Found> {
  const end = performance.now() + patienceMs;
  for (;;) {
    // The page may be on its way to another one.
    const found = await look().catch(() => null);
    if (found !== null) return found;
    if (performance.now() > end) {
      const text = await page.evaluate(() => document.body.innerText).catch(() => '');
      throw new Error(`There is no ${what} at ${page.url()}. The page says:\n${text}`);
    }
    await Bun.sleep(20);
  }
}

const quietMs = 250;

/** Waits until nothing is under way. The stream of changes always is. */
function quietOf(page: Page): () => Promise<void> {
  const underWay = new Set<HTTPRequest>();
  let changedAt = performance.now();
  page.on('request', (request) => {
    if (!/\/(?:live|changes)$/.test(new URL(request.url()).pathname)) underWay.add(request);
    changedAt = performance.now();
  });
  // What the page before asked for is never finished.
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) underWay.clear();
  });
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end, (request) => {
      underWay.delete(request);
      changedAt = performance.now();
    });
  return async () => {
    const last = performance.now() + patienceMs;
    while (underWay.size > 0 || performance.now() - changedAt < quietMs) {
      const asked = [...underWay].map((request) => request.url()).join(', ');
      if (performance.now() > last) throw new Error(`${page.url()} still asks: ${asked}`);
      await Bun.sleep(20);
    }
  };
}

/** Has a test decide about every request of the page from now on. */
export async function intercept(page: Page, decide: (request: HTTPRequest) => void): Promise<void> {
  let isHeld = false;
  page.on('request', (request) => {
    if (request.interceptResolutionState().action === InterceptResolutionAction.Disabled) return;
    if (request.headers()['is-held'] === undefined) return decide(request);
    isHeld = true;
    void request.respond({ status: 200 });
  });
  await page.setRequestInterception(true);
  // A page that is open learns of it only after the browser has said that it is so, and until then its requests go on.
  while (page.url().startsWith('http') && !isHeld)
    await page.evaluate(() => fetch('/healthz', { method: 'HEAD', headers: { 'is-held': 'yes' } }));
}

/** After what was done to the page, such as another width, has been drawn and heard by everything on it. */
export async function drawn({ page }: Pick<Visitor, 'page'>): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

async function openTab(browser: Browser, context: BrowserContext, options: VisitorOptions): Promise<Visitor> {
  const { width = 1440, height = 900, theme = 'light', language = 'en-GB', scale = 1 } = options;
  const page = await context.newPage();
  await page.setViewport({ width, height, deviceScaleFactor: scale });
  await page.emulateMediaFeatures([
    { name: 'prefers-color-scheme', value: theme },
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ]);
  const session = await page.createCDPSession();
  await session.send('Emulation.setUserAgentOverride', {
    userAgent: await browser.userAgent(),
    acceptLanguage: `${language},${language.split('-')[0]};q=0.9`,
  });
  let faults: string[] = [];
  let expected: number[] = [];
  let host = '';
  const quiet = quietOf(page);
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() !== 'error' && message.type() !== 'warn') return;
    if (expected.some((status) => text.includes(`status of ${status}`))) return;
    faults.push(`console: ${text} ${message.location().url ?? ''}`);
  });
  page.on('pageerror', (error) => faults.push(`uncaught: ${error instanceof Error ? error.message : String(error)}`));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (host !== '' && url.protocol.startsWith('http') && url.host !== host) faults.push(`asked ${request.url()}`);
  });
  await page.exposeFunction('reportViolation', (text: string) => faults.push(`policy: ${text}`));
  await page.evaluateOnNewDocument(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
      const report = (window as unknown as { reportViolation: (text: string) => void }).reportViolation;
      report(`${violatedDirective} ${blockedURI} ${sample}`);
    });
  });
  const find = (role: string, name: string) => until(`${role} "${name}"`, () => page.$(selectorOf(role, name)), page);
  return {
    page,
    context,
    faults() {
      const found = faults;
      faults = [];
      return found;
    },
    expectStatus(...statuses) {
      expected = statuses;
    },
    async open(url) {
      host = new URL(url).host;
      await page.goto(url);
      await quiet();
    },
    find,
    isThere: async (role, name) => (await page.$(selectorOf(role, name))) !== null,
    async fill(name, text) {
      const field = await find('textbox', name);
      await field.evaluate((input) => {
        (input as HTMLInputElement).focus();
        (input as HTMLInputElement).select();
      });
      await page.keyboard.type(text);
    },
    async press(role, name) {
      const control = await find(role, name);
      const inSight = () => control.evaluate(scrolledInSight);
      await until(`${role} "${name}" in sight`, async () => ((await inSight()) ? true : null), page);
      await control.click();
    },
    async focusOn(attribute, value) {
      const has = (name: string, wanted: string) => document.activeElement?.getAttribute(name) === wanted;
      const look = async () => ((await page.evaluate(has, attribute, value)) ? true : null);
      await until(`focus on ${attribute}="${value}"`, look, page);
    },
    async see(text) {
      const isSeen = (wanted: string) => document.body.innerText.includes(wanted);
      await until(`text "${text}"`, async () => ((await page.evaluate(isSeen, text)) ? true : null), page);
    },
    async at(path) {
      await until(`page ${path}`, async () => (new URL(page.url()).pathname === path ? true : null), page);
    },
    tab: (own) => openTab(browser, context, { ...options, ...own }),
    close: () => context.close(),
  };
}
