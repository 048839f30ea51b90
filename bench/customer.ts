// What a customer waits for, in Chromium with an empty cache: bytes and first view of each page, with their targets.
// bun bench/customer.ts [--rounds=15]; HELPDESK_BENCH=<path> measures another executable.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startChromium } from '../test/browser/browser.ts';

const root = new URL('..', import.meta.url).pathname;
process.env.HELPDESK_EXECUTABLE = resolve(process.env.HELPDESK_BENCH ?? join(root, 'dist/helpdesk'));
// The module reads the variable when it is loaded.
const { startCustomerDesk } = await import('../test/browser/customer-desk.ts');

const given = process.argv.find((arg) => arg.startsWith('--rounds='))?.slice('--rounds='.length);
const rounds = Number(given ?? 15);
const targets = { kilobytes: 60, firstViewMs: 300 };

interface Seen {
  bytes: number;
  firstViewMs: number;
  usableMs: number;
}

const desk = await startCustomerDesk('--locale', 'de');
const chromium = await startChromium();
const ticket = await desk.openTicket('Where is my bike?', 'It should have come on Monday. '.repeat(20));
const reply = { body: 'We have asked the carrier, and tell you as soon as we know. '.repeat(10), agent_name: 'Noor' };
for (let messages = 1; messages < 30; messages += 1) await desk.api('POST', `/tickets/${ticket.ulid}/messages`, reply);

/** @param usable what is there as soon as the script has begun */
async function look(url: string, usable: string, cookies: readonly string[]): Promise<Seen> {
  const visitor = await chromium.visitor({ language: 'de-DE' });
  const session = await visitor.page.createCDPSession();
  await session.send('Network.enable');
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  for (const cookie of cookies) {
    const [name = '', value = ''] = cookie.split('=');
    await visitor.context.setCookie({ name, value, domain: 'localhost', path: '/', httpOnly: true });
  }
  await visitor.page.goto(url, { waitUntil: 'load' });
  await visitor.page.waitForSelector(usable);
  const usableMs = await visitor.page.evaluate(() => performance.now());
  const firstViewMs = await visitor.page.evaluate(async () => {
    for (;;) {
      const [paint] = performance.getEntriesByName('first-contentful-paint');
      if (paint !== undefined) return paint.startTime;
      await new Promise((done) => requestAnimationFrame(done));
    }
  });
  await Bun.sleep(100);
  await visitor.close();
  return { bytes, firstViewMs, usableMs };
}

const [path = '', token = ''] = ticket.link.slice(desk.url.length).split('#');
const traded = await fetch(`${desk.url}/api/v1/customer/links`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ ticket: ticket.ulid, token }),
});
const visit = traded.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');

const median = (values: number[]) =>
  values.sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
const results: Record<string, Seen> = {};
const pages: [name: string, path: string, usable: string, cookies: string[]][] = [
  ['a ticket with 30 messages', path, '#answer', visit],
  ['a link that does not open', `${path}#hdl_x`, '.note .button', []],
  ['the form', `/s/${desk.site.slug}`, '#send button', []],
  ['"My tickets"', `/s/${desk.site.slug}/tickets`, '#prove input', []],
];
console.log(
  `${''.padEnd(28)}     bytes  first view      usable   (median of ${rounds}; targets ${targets.kilobytes} KB, ${targets.firstViewMs} ms)`,
);
for (const [name, at, usable, cookies] of pages) {
  const seen: Seen[] = [];
  for (let round = 0; round < rounds; round += 1) seen.push(await look(desk.url + at, usable, cookies));
  const figures = {
    bytes: Math.max(...seen.map(({ bytes }) => bytes)),
    firstViewMs: median(seen.map(({ firstViewMs }) => firstViewMs)),
    usableMs: median(seen.map(({ usableMs }) => usableMs)),
  };
  results[name] = figures;
  const isOver = figures.bytes > targets.kilobytes * 1000 || figures.firstViewMs > targets.firstViewMs;
  const ms = (value: number) => `${value.toFixed(0)} ms`.padStart(12);
  const kilobytes = `${(figures.bytes / 1000).toFixed(1)} KB`.padStart(10);
  console.log(
    `${name.padEnd(28)}${kilobytes}${ms(figures.firstViewMs)}${ms(figures.usableMs)}${isOver ? '   OVER' : ''}`,
  );
}
mkdirSync(join(root, 'bench/results'), { recursive: true });
writeFileSync(
  join(root, 'bench/results/customer.json'),
  `${JSON.stringify({ rounds, targets, ...results }, null, 2)}\n`,
);
await chromium.close();
await desk.close();
process.exit(0);
