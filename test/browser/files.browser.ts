// Files as agents and customers see them: checked for viruses, with names of any length, and pictures as thumbnails.

import { expect, test } from 'bun:test';
import { fakeClamd, virus } from '../support/fake-clamd.ts';
import { visitForEachTest } from '../support/visitors.ts';
import { violations } from './axe.ts';
import type { Chromium, Visitor } from './browser.ts';
import { t as c } from './customer-texts.ts';
import { cutOff } from './cut-off.ts';
import { linkIn } from './mailed-desk.ts';
import { t } from './texts.ts';
import { onePixel, startTicketDesk, type TicketDesk } from './ticket-desk.ts';
import { waitUntil } from './wait.ts';

const scanner = await fakeClamd();
let chromium: Chromium;
let desk: TicketDesk;
let visitor: Visitor;
visitForEachTest({
  async open(started) {
    chromium = started;
    desk = await startTicketDesk({ HELPDESK_CLAMAV: scanner.address });
    return {
      async close() {
        await desk.close();
        await scanner.die();
      },
    };
  },
  come: (each) => {
    visitor = each;
  },
});

const longName = `${'a-rather-long-name-'.repeat(8)}.pdf`;
const part = (name: string, content: string) =>
  `--b\nContent-Type: application/octet-stream\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment; filename="${name}"\n\n${content}\n`;
const base64 = (text: string) => Buffer.from(text).toString('base64');
const head =
  'From: Mia Jansen <mia@example.org>\nTo: shop@desk.example\nSubject: Files\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b';
const mail = `${head}\n\n--b\n\nSee these.\n${part('photo.png', onePixel)}${part('bad.zip', base64(virus))}${part(longName, base64('x'))}--b--\n`;

const filesOf = (by: Visitor) =>
  by.page.$$eval('.file', (all) =>
    all.map((file) => [file.className, (file as HTMLElement).innerText.replace(/[\u2066-\u2069]/g, '').split('\n')[1]]),
  );

test('wait for the scanner, say what it found, and are handed out only when they are clean', async () => {
  await scanner.die();
  const ulid = await desk.receive(mail);
  const link = linkIn(await desk.mail());
  await desk.signIn(visitor, `/tickets/${ulid}`);
  expect(await filesOf(visitor)).toEqual(Array(3).fill(['file is-waiting', t.fileWaiting]));
  const customer = await chromium.visitor({ width: 360 });
  await customer.open(link);
  await customer.page.waitForSelector('.file');
  expect(await filesOf(customer)).toEqual(Array(3).fill(['file', c.fileWaiting]));
  const animationsOf = (all: Element[]) => all.map((told) => getComputedStyle(told).animationName);
  expect(new Set(await customer.page.$$eval('.file-text > *', animationsOf))).toEqual(new Set(['none']));
  await scanner.listen();
  await waitUntil(
    'the infected one says so, without a reload',
    () => filesOf(visitor),
    (files) => Bun.deepEquals(files[1], ['file is-infected', t.fileInfected('Test.Virus')]),
  );
  await waitUntil(
    'the others are handed out',
    () => filesOf(visitor),
    ([photo, , long]) => photo?.[0] === 'file is-clean picture' && long?.[0] === 'file is-clean',
  );
  expect(await violations(visitor)).toEqual([]);
  const told = async (selector: string) =>
    (await visitor.page.$$eval(selector, (all) => all.map(({ textContent }) => textContent ?? ''))).map((text) =>
      text.replace(/[\u2066-\u2069]/g, ''),
    );
  const line = t.didFindVirus('bad.zip', 'Test.Virus');
  expect((await told('.event-line p')).filter((text) => text.startsWith(line))).toHaveLength(1);
  await visitor.press('button', t.detailsHistory);
  const history = await waitUntil(
    'the history',
    () => told('.history li'),
    (lines) => lines.length > 3,
  );
  for (const text of [line, t.didFindNoVirus('photo.png'), t.didFindNoVirus(longName)])
    expect(history.filter((entry) => entry.startsWith(text))).toHaveLength(1);

  await customer.page.reload();
  await customer.page.waitForSelector('.file');
  expect((await filesOf(customer))[1]).toEqual(['file', c.fileInfected]);
  expect(await customer.page.$$eval('.file', (all) => all.map((file) => file.hasAttribute('href')))).toEqual([
    true,
    false,
    true,
  ]);
  expect(await customer.page.$eval('.file img', (image) => (image as HTMLImageElement).src)).toEndWith('&thumbnail=1');
  await waitUntil('the picture', () =>
    customer.page.$eval('.file img', (image) => (image as HTMLImageElement).naturalWidth > 0),
  );
  for (const direction of ['ltr', 'rtl']) {
    await customer.page.$eval('html', (root, dir) => root.setAttribute('dir', dir), direction);
    expect(await customer.page.evaluate(cutOff), direction).toEqual([]);
  }
  expect(await violations(customer)).toEqual([]);
  expect(customer.faults()).toEqual([]);
  await customer.close();
});
