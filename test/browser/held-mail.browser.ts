// Held mail: read before it is decided about, one by one and several together.

import { expect, test } from 'bun:test';
import { visitForEachTest } from '../support/visitors.ts';
import { violations } from './axe.ts';
import type { Visitor } from './browser.ts';
import type { BrowserDesk } from './desk.ts';
import { keepNotes } from './journey.ts';
import { owner, signInAs, startShop } from './owner.ts';
import { t } from './texts.ts';
import { waitUntil } from './wait.ts';

let desk: BrowserDesk;
let visitor: Visitor;
let inbound = '';
visitForEachTest({
  async open() {
    desk = await startShop({ HELPDESK_RATE_INBOUND: '0', HELPDESK_RATE_INBOUND_SENDER: '0' });
    inbound = (await desk.command('site', 'show', 'demo-shop')).data.inbound_webhook_url;
    return desk;
  },
  async come(each) {
    visitor = each;
    await signInAs(visitor, desk, owner.email);
    await keepNotes(visitor);
  },
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
  await visitor.see(t.whyCalledForged('DMARC'));
  await visitor.see(t.senderForged);
  await visitor.see('mallory@evil.example');
  await visitor.see('7.5');
  await visitor.see('terms.txt');
  await visitor.see(t.fileNotKept);
  // Nothing that decides about the mail is.
  expect(await primaries()).toEqual([t.closeHeld]);
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

test('several are decided about together', async () => {
  for (const subject of ['First', 'Second', 'Third']) await arrive(subject);
  await visitor.open(`${desk.url}/inbox/held-mail`);
  await visitor.press('checkbox', t.selectMail('First'));
  await visitor.press('checkbox', t.selectMail('Second'));
  await visitor.see(t.mailSelected('2'));
  expect(await primaries()).not.toContain(t.discard);
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

test('a sender is blocked while their mail is discarded, and unblocked with Undo', async () => {
  await arrive('From a pest');
  const blocked = async () => (await desk.command('site', 'show', 'demo-shop')).data.settings.blocked_senders;
  await visitor.open(`${desk.url}/inbox/held-mail`);
  await visitor.press('checkbox', t.selectMail('From a pest'));
  await visitor.press('button', t.discardAndBlockSelected);
  await visitor.see(t.senderBlocked);
  expect(await blocked()).toHaveLength(1);
  await visitor.press('button', t.undo);
  await waitUntil('it is back', async () => (await blocked()).length === 0);
});

test('a manager blocks the sender or domain of a ticket that is spam, and hears them again', async () => {
  await fetch(inbound, {
    method: 'POST',
    body: 'From: Pest@Junk.example\r\nTo: shop@desk.example\r\nSubject: Junk\r\nMessage-ID: <j@junk.example>\r\n\r\nBuy\r\n',
  });
  const lists = async () => {
    const { blocked_senders: blocked, allowed_senders: allowed } = (await desk.command('site', 'show', 'demo-shop'))
      .data.settings;
    return JSON.stringify([blocked, allowed]);
  };
  const choose = async (item: string) => {
    await visitor.press('button', t.blockOrAllow);
    await visitor.press('menuitem', item);
  };
  const [ticket] = (await desk.command('ticket', 'list', '--site', 'demo-shop')).data;
  await visitor.open(`${desk.url}/tickets/${ticket.ulid}`);
  await visitor.press('button', t.moreActions);
  await visitor.press('menuitem', t.markSpam);
  await choose(t.blockAuthor('@junk.example'));
  await visitor.see(t.senderIsBlocked('@junk.example'));
  expect(await lists()).toBe('[["@junk.example"],[]]');
  expect(await violations(visitor)).toEqual([]);
  await choose(t.allowAuthor('pest@junk.example'));
  await visitor.see(t.senderIsAllowed('pest@junk.example'));
  expect(await lists()).toBe('[["@junk.example"],["pest@junk.example"]]');
  await waitUntil('it is no spam', async () => !(await visitor.isThere('button', t.blockOrAllow)));
});

test('held mail is filtered by why it waits, and all of it is decided about together', async () => {
  desk.sql("UPDATE inbound_mail SET outcome = 'discarded' WHERE outcome = 'held'");
  for (let at = 1; at <= 52; at += 1) await arrive(`Offer ${at}`);
  const to = `agent+a-b-c-${'0'.repeat(32)}@desk.example`;
  const lost = `From: lou@many.example\r\nTo: ${to}\r\nSubject: Lost\r\nMessage-ID: <lost@many.example>\r\n\r\nHello\r\n`;
  await fetch(inbound, { method: 'POST', body: lost });
  await visitor.open(`${desk.url}/inbox/held-mail`);
  await visitor.press('link', `${t.heldUndeliverable} 1`);
  await visitor.find('heading', 'Lost');
  await visitor.see(t.whyUnknownAnswerAddress);
  await visitor.press('link', `${t.heldForged} 52`);
  await visitor.find('heading', 'Offer 52');
  expect(await visitor.isThere('heading', 'Lost')).toBe(false);
  await visitor.press('checkbox', t.selectAllMail);
  await visitor.see(t.mailSelected('50'));
  await visitor.press('button', t.selectAllHeld('52'));
  await visitor.see(t.mailSelected('52'));
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('button', t.discardSelected);
  await visitor.see(t.mailsDiscarded('52'));
  await visitor.press('button', t.undo);
  await visitor.find('link', `${t.heldForged} 52`);
  await visitor.find('heading', 'Offer 52');
  await visitor.press('checkbox', t.selectAllMail);
  await visitor.press('button', t.selectAllHeld('52'));
  await visitor.press('button', t.releaseSelected);
  await visitor.find('heading', t.releaseAllTitle('52'));
  await visitor.press('button', t.release);
  await visitor.see(t.mailsBeingFiled('52'));
});
