// Held mail: read before it is decided about, one by one and several at once.

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test';
import { violations } from './axe.ts';
import { type Chromium, startChromium, type Visitor } from './browser.ts';
import { type BrowserDesk, startDesk } from './desk.ts';
import { owner, setUp } from './owner.ts';
import { t } from './texts.ts';
import { waitUntil } from './wait.ts';

let chromium: Chromium;
let desk: BrowserDesk;
let visitor: Visitor;
let inbound = '';
beforeAll(async () => {
  [chromium, desk] = await Promise.all([startChromium(), startDesk()]);
  const first = await chromium.visitor();
  await setUp(first, desk);
  await first.close();
  await desk.command('site', 'create', '--name', 'Demo shop');
  inbound = (await desk.command('site', 'show', 'demo-shop')).data.inbound_webhook_url;
});
beforeEach(async () => {
  visitor = await chromium.visitor();
  const { sign_in_url: link } = await desk.command('agent', 'link', owner.email);
  await visitor.open(link);
  await visitor.find('link', t.viewMine);
});
afterEach(async () => {
  const faults = visitor.faults();
  await visitor.close();
  expect(faults).toEqual([]);
});
afterAll(async () => {
  await chromium.close();
  await desk.close();
});

const html = `<p style="color:#b00">Pay <b>now</b></p><script>parent.stolen = true</script>
<img src="https://evil.example/pixel.png" onerror="parent.stolen = true"><form action="https://evil.example"><input></form>`;

const attached = (type: string, name: string, body: string) =>
  `--b\r\nContent-Type: ${type}; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\n${body}\r\n`;

let sent = 0;
async function arrive(subject: string): Promise<void> {
  sent += 1;
  const body = [
    `From: Eve <eve@forged.example>\r\nReply-To: mallory@evil.example\r\nTo: shop@desk.example\r\nSubject: ${subject}\r\n`,
    `Message-ID: <offer-${sent}@forged.example>\r\nX-Spam-Score: 7.5\r\n`,
    'Authentication-Results: mx; dmarc=fail header.from=forged.example\r\nMIME-Version: 1.0\r\n',
    'Content-Type: multipart/mixed; boundary=b\r\n\r\n',
    `--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${html}\r\n`,
    attached('text/plain', 'terms.txt', 'Some terms'),
    attached('application/x-msdownload', 'setup.exe', 'MZ'),
    '--b--\r\n',
  ].join('');
  const answer = await fetch(inbound, { method: 'POST', body });
  expect(((await answer.json()) as { outcome: string }).outcome).toBe('held');
}

const primaries = () =>
  visitor.page.$$eval('main .button.primary', (buttons) => buttons.map((button) => button.textContent));

test('held mail is read before it is discarded, taken back and released', async () => {
  await arrive('A strange offer');
  await visitor.press('link', t.viewHeldMail);
  await visitor.find('heading', 'A strange offer');
  expect(await primaries()).toEqual([t.readHeld]);
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('button', t.readMail('A strange offer'));
  await visitor.see(t.senderForged);
  await visitor.see('mallory@evil.example');
  await visitor.see('7.5');
  await visitor.see('terms.txt');
  await visitor.see(t.fileNotKept);
  // What can be taken back is the primary action, and not the release.
  expect(await primaries()).toEqual([t.discard]);
  const frame = await waitUntil('the frame is there', async () => {
    const element = await visitor.page.$('iframe.mail-frame');
    const page = await element?.contentFrame();
    return (await page?.evaluate(() => document.body.innerText))?.includes('Pay now') ? element : null;
  });
  expect(await frame?.evaluate((element) => element.getAttribute('sandbox'))).toBe(
    'allow-same-origin allow-popups allow-popups-to-escape-sandbox',
  );
  expect(await visitor.page.evaluate(() => 'stolen' in window)).toBe(false);
  await visitor.see(t.imagesBlocked);
  expect(await visitor.isThere('button', t.imagesAlways)).toBe(false);
  expect(await violations(visitor)).toEqual([]);

  await visitor.press('button', t.mailAsText);
  await visitor.see('Pay now');
  await visitor.press('DisclosureTriangle', t.allHeaders);
  await visitor.see('authentication-results: mx; dmarc=fail header.from=forged.example');
  const link = await visitor.find('link', t.downloadMailFile('terms.txt'));
  const file = await visitor.page.evaluate(async (anchor) => {
    const response = await fetch((anchor as HTMLAnchorElement).href);
    return { text: await response.text(), how: response.headers.get('content-disposition') };
  }, link);
  expect(file.text).toBe('Some terms');
  expect(file.how).toStartWith('attachment; filename="terms.txt"');
  expect(await visitor.isThere('link', t.downloadMailFile('setup.exe'))).toBe(false);

  // The address of the page opens the same mail.
  await visitor.open(visitor.page.url());
  await visitor.see(t.senderForged);
  await visitor.press('button', t.discardMail('A strange offer'));
  await visitor.see(t.noHeldMail);
  await visitor.press('button', t.undo);
  await visitor.press('button', t.releaseMail('A strange offer'));
  await visitor.press('link', t.openFiledTicket);
  await visitor.find('heading', 'A strange offer');
});

test('several are decided about at once', async () => {
  for (const subject of ['First', 'Second', 'Third']) await arrive(subject);
  await visitor.open(`${desk.url}/inbox/held-mail`);
  await visitor.press('checkbox', t.selectMail('First'));
  await visitor.press('checkbox', t.selectMail('Second'));
  await visitor.see(t.mailSelected('2'));
  expect((await primaries())[0]).toBe(t.discard);
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('button', t.discardSelected);
  await visitor.see(t.mailsDiscarded('2'));
  await waitUntil('one is left', () => visitor.page.$$eval('.held > li', (rows) => rows.length === 1));
  await visitor.press('button', t.undo);
  await waitUntil('all are back', () => visitor.page.$$eval('.held > li', (rows) => rows.length === 3));
  await visitor.press('checkbox', t.selectAllMail);
  await visitor.see(t.mailSelected('3'));
  await visitor.press('button', t.releaseSelected);
  await visitor.see(t.mailsReleased('3'));
  const links = () => visitor.page.$$eval('.held a', (anchors) => anchors.length);
  await waitUntil('each leads to its ticket', links, (number) => number === 3);
});
