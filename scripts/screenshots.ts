// Makes the pictures of README and docs: the demo data in the built executable, seen by Chromium.

import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromiumPath, startChromium, type Visitor } from '../test/browser/browser.ts';

const pictures = resolve('docs/images');
const executable = resolve(process.env.HELPDESK_EXECUTABLE ?? 'dist/helpdesk');
if (!existsSync(executable)) fail(`There is no executable at ${executable}; build it with \`bun run build\`.`);
if (chromiumPath() === null) fail('There is no Chromium on this machine. Install it (`apt-get install chromium`).');
process.env.HELPDESK_EXECUTABLE = executable;
// The module reads the variable when it is loaded.
const { serve } = await import('../test/e2e/executable.ts');

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

interface Picture {
  name: string;
  /** Both, unless one is enough. */
  themes?: readonly string[];
  path: string;
  /** Brings the page into the state that the picture shows. */
  prepare?: (visitor: Visitor) => Promise<void>;
}

const directory = mkdtempSync(join(tmpdir(), 'helpdesk-pictures-'));
const desk = await serve(directory, {}, ['--demo']);
const chromium = await startChromium();
try {
  mkdirSync(pictures, { recursive: true });
  const link = /\S+\/sign-in#\S+/.exec(desk.output())?.[0];
  const token = /Its team token:\n(\S+)/.exec(desk.output())?.[1];
  if (link === undefined || token === undefined) fail(`The desk printed no link:\n${desk.output()}`);
  const shown = await ticketOf(token, 'chart stays empty');
  const all: Picture[] = [
    { name: 'inbox', path: '/inbox/open' },
    { name: 'ticket', path: `/tickets/${shown}` },
    {
      name: 'palette',
      themes: ['light'],
      path: '/inbox/open',
      async prepare({ page }) {
        await page.keyboard.down('Control');
        await page.keyboard.press('k');
        await page.keyboard.up('Control');
      },
    },
    { name: 'search', themes: ['light'], path: `/search?q=${encodeURIComponent('status:open tag:bug')}` },
  ];
  const visitor = await chromium.visitor({ width: 1440, height: 900 });
  await visitor.page.goto(link);
  await visitor.at('/inbox/mine');
  for (const theme of ['light', 'dark'] as const) {
    await visitor.page.emulateMediaFeatures([
      { name: 'prefers-color-scheme', value: theme },
      { name: 'prefers-reduced-motion', value: 'reduce' },
    ]);
    for (const picture of all) if (picture.themes?.includes(theme) ?? true) await take(visitor, picture, theme);
  }
  await visitor.page.setViewport({ width: 390, height: 844, deviceScaleFactor: 2 });
  await take(visitor, { name: 'phone', path: `/tickets/${shown}` }, 'dark');
} finally {
  await chromium.close();
  desk.signal('SIGTERM');
  await desk.exited;
  rmSync(directory, { recursive: true, force: true });
}
process.exit(0);

async function take(visitor: Visitor, { name, path, prepare }: Picture, theme: string): Promise<void> {
  await visitor.page.goto(desk.url + path, { waitUntil: 'load' });
  // Every page here shows tickets, and each ticket its number.
  await visitor.see('#');
  await prepare?.(visitor);
  await Bun.sleep(500);
  const file = join(pictures, `${name}-${theme}.png`) as `${string}.png`;
  await visitor.page.screenshot({ path: file, optimizeForSpeed: false });
  console.log(file);
}

async function ticketOf(token: string, words: string): Promise<string> {
  const url = `${desk.url}/api/v1/tickets?q=${encodeURIComponent(`"${words}"`)}&status=open`;
  const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
  const { data } = (await response.json()) as { data: { ulid: string; message_count: number }[] };
  // The one with the longest conversation shows most.
  const [first] = data.sort((one, other) => other.message_count - one.message_count);
  if (first === undefined) fail(`No ticket of the demo data is about “${words}”.`);
  return first.ulid;
}
