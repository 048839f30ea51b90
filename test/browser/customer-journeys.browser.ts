// Customers without an account: from the link in a mail, or the form of a site, to an answer. Their mail comes over SMTP.

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { violations } from './axe.ts';
import { type Chromium, startChromium, type Visitor } from './browser.ts';
import { t as c } from './customer-texts.ts';
import { codeIn, linkIn, type MailedDesk, prove, startMailedDesk, writeAnswer } from './mailed-desk.ts';
import { t } from './texts.ts';
import { waitUntil } from './wait.ts';

let chromium: Chromium;
let desk: MailedDesk;
let visitor: Visitor;
const others: Visitor[] = [];
const folder = mkdtempSync(join(tmpdir(), 'helpdesk-customer-'));
const receipt = join(folder, 'receipt.txt');

beforeAll(async () => {
  writeFileSync(receipt, 'Paid on Monday.');
  chromium = await startChromium();
  desk = await startMailedDesk();
});
beforeEach(async () => {
  visitor = await chromium.visitor();
});
afterEach(async () => {
  // Console errors, policy violations, and requests to other hosts.
  const faults = [visitor, ...others].flatMap((one) => one.faults());
  for (const one of [visitor, ...others.splice(0)]) await one.close();
  expect(faults).toEqual([]);
});
afterAll(async () => {
  await chromium.close();
  await desk.close();
  rmSync(folder, { recursive: true });
});

async function someoneElse(options: Parameters<Chromium['visitor']>[0] = {}): Promise<Visitor> {
  const other = await chromium.visitor(options);
  others.push(other);
  return other;
}

async function addFile({ page }: Visitor, path: string): Promise<void> {
  const input = await page.waitForSelector('input[type=file]');
  await (input as unknown as { uploadFile: (path: string) => Promise<void> }).uploadFile(path);
}

const statusIs = (ulid: string, status: string) =>
  waitUntil(
    `the ticket is ${status}`,
    () => desk.read(ulid),
    (ticket) => ticket.status === status,
  );
const lastOf = async (ulid: string) => (await desk.read(ulid)).messages.at(-1);

test('a customer opens the link of a mail, confirms the address, answers with a file, and sees what the agent does', async () => {
  const mia = 'mia@example.org';
  const { ulid, link } = await desk.write(mia, 'The lamp hums', 'It hums since Sunday.');
  await visitor.open(link);
  await visitor.at(`/t/${ulid}`);
  await visitor.see('It hums since Sunday.');
  expect(visitor.page.url()).toBe(`${desk.url}/t/${ulid}`);
  expect(await violations(visitor)).toEqual([]);

  await addFile(visitor, receipt);
  await writeAnswer(visitor, 'It hums louder now.');
  await visitor.see(c.confirmAddress);
  expect(await violations(visitor)).toEqual([]);
  await prove(visitor, desk, mia);
  await waitUntil(
    'the answer is there with its file',
    () => lastOf(ulid),
    (last) => last?.attachments.length === 1,
  );
  expect(await lastOf(ulid)).toMatchObject({
    body: 'It hums louder now.',
    attachments: [{ filename: 'receipt.txt' }],
    via_link: { kind: 'mail', address: mia, is_confirmed: true },
  });
  await visitor.see('receipt.txt');

  await desk.answer(ulid, 'Please turn the bulb.');
  await visitor.see('Please turn the bulb.');
  const next = linkIn(await desk.mailTo(mia));
  expect(next).not.toBe(link);

  await visitor.press('button', c.isSolved);
  await statusIs(ulid, 'resolved');
  await visitor.see(c.stateSolved);
  await visitor.press('button', c.isNotSolved);
  await statusIs(ulid, 'open');
  await visitor.find('button', c.isSolved);
  await desk.api('PATCH', `/tickets/${ulid}`, { status: 'resolved' });
  await visitor.see(c.stateSolved);
  await writeAnswer(visitor, 'It hums again.');
  await statusIs(ulid, 'open');
  expect(await visitor.page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain(
    'hdl_',
  );
});

test('a forwarded link reads in another browser, and cannot write there', async () => {
  const tom = 'tom@example.org';
  const { ulid, link } = await desk.write(tom, 'The door sticks', 'It sticks when it rains.');
  await visitor.open(link);
  await visitor.see('It sticks when it rains.');

  const stranger = await someoneElse();
  await stranger.open(link);
  await stranger.see('It sticks when it rains.');
  expect(await stranger.page.content()).not.toContain(tom);
  await writeAnswer(stranger, 'I am Tom, send the money elsewhere.');
  await stranger.press('button', c.mailCode);
  const code = codeIn(await desk.mailTo(tom));
  stranger.expectStatus(422, 403);
  await stranger.fill(c.codeFromMail, code === '123456' ? '654321' : '123456');
  await stranger.see(c.codeRefused);
  const refused = await stranger.page.evaluate(async (id) => {
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ body: 'By hand.' });
    const path = `/api/v1/customer/ticket/messages?ticket=${id}`;
    const response = await fetch(path, { method: 'POST', headers, body });
    return [response.status, ((await response.json()) as { code: string }).code];
  }, ulid);
  expect(refused).toEqual([403, 'confirm_address']);
  expect((await desk.read(ulid)).messages).toHaveLength(1);

  // The code of one browser proves nothing in another.
  await visitor.open(link);
  await desk.answer(ulid, 'Oil the hinge.');
  for (const one of [visitor, stranger]) await one.see('Oil the hinge.');
});

test('what scanners do with a link changes nothing: only a page that trades it counts', async () => {
  const { ulid, link } = await desk.write('ida@example.org', 'The tap drips', 'Drop by drop.');
  const pages = await Promise.all(
    ['GET', 'HEAD', 'GET'].map((method) => fetch(link, { method, redirect: 'manual' }).then((got) => got.text())),
  );
  const { hash } = new URL(link);
  for (const page of pages) expect(page).not.toContain(hash.slice(1));
  const used = async () => (await desk.command('ticket', 'links', ulid)).data.map(({ uses }: { uses: number }) => uses);
  expect(await used()).toEqual([0]);
  await visitor.open(link);
  await visitor.see('Drop by drop.');
  expect(await used()).toEqual([1]);
});

test('a reply by mail that quotes the link keeps its secret from everyone who reads the thread', async () => {
  const eva = 'eva@example.org';
  const { ulid, link } = await desk.write(eva, 'The roof leaks', 'In the kitchen.');
  await visitor.open(link);
  await visitor.see('In the kitchen.');
  const head = [
    `From: ${eva}`,
    `To: ticket+${ulid}@desk.example`,
    'Subject: Re: The roof leaks',
    'Message-ID: <quote@x>',
  ];
  await desk.receive(`${head.join('\n')}\n\nWho can come? My link: ${link}\n\nOn 2026-09-11, Desk wrote:\n> ${link}\n`);
  await visitor.see('Who can come?');
  const secret = link.split('#')[1]!;
  expect(await visitor.page.content()).not.toContain(secret);
  expect(JSON.stringify(await desk.read(ulid))).not.toContain(secret);
  expect((await lastOf(ulid))?.via_link).toBeNull();
});

test('an agent sees by which link an answer came and revokes the links; the customer asks for a new one', async () => {
  const kai = 'kai@example.org';
  const { ulid, link } = await desk.write(kai, 'The clock stops', 'At noon.');
  await visitor.open(link);
  await visitor.see('At noon.');
  await writeAnswer(visitor, 'And at midnight.');
  await prove(visitor, desk, kai);
  await waitUntil(
    'the answer is there',
    () => lastOf(ulid),
    (last) => last?.body === 'And at midnight.',
  );

  const agent = await someoneElse();
  await desk.signIn(agent, `/tickets/${ulid}`);
  await agent.see('And at midnight.');
  await agent.see(t.linkBadge);
  await agent.press('button', t.detailsLinks);
  await agent.see(kai);
  await agent.see(t.linkConfirmed);
  expect(await violations(agent)).toEqual([]);
  await agent.press('button', t.linksRevokeOpen);
  // The customer's page is still open, and its stream is refused as soon as the links are revoked.
  visitor.expectStatus(401, 404);
  await agent.press('button', t.linksRevoke);
  await agent.see('Revoked ');
  await agent.see(t.didRevokeLinks('').trim());

  await visitor.page.goto('about:blank');
  await visitor.open(link);
  await visitor.see(c.refusedTitle);
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('button', c.mailNewLink);
  await visitor.see(c.newLinkSentTitle);
  const fresh = linkIn(await desk.mailTo(kai));
  expect(fresh).not.toBe(link);
  await visitor.open(fresh);
  await visitor.see('And at midnight.');
});

test('from the form of a site to the first answer', async () => {
  const zoe = 'zoe@example.org';
  await desk.api('PATCH', `/sites/${desk.site.id}`, {
    settings: { portal: 'form_and_tickets', brand: { name: 'Lamp House', color: '#7a1f5c' } },
  });
  await visitor.open(`${desk.url}/s/web-shop?subject=Lamp+broke`);
  await visitor.see(c.formTitle);
  expect(await violations(visitor)).toEqual([]);
  await visitor.fill(c.yourEmail, zoe);
  await visitor.fill(c.message, 'It fell from the table.');
  await addFile(visitor, receipt);
  await visitor.press('button', c.sendForm);
  await visitor.see(c.receiptTitle);
  const mailed = await desk.mailTo(zoe);
  expect(mailed.from?.value[0]?.name).toBe('Lamp House');
  const ulid = new URL(linkIn(mailed)).pathname.split('/').at(-1)!;
  await waitUntil(
    'the ticket has its file',
    () => desk.read(ulid),
    ({ messages }) => messages[0]?.attachments.length === 1,
  );
  await desk.answer(ulid, 'We send you a new one.');
  await visitor.open(linkIn(await desk.mailTo(zoe)));
  await visitor.at(`/t/${ulid}`);
  await visitor.see('We send you a new one.');
  await visitor.see('Lamp House');
});

test('“My tickets” shows the tickets of an address after a code, which also lets this browser answer', async () => {
  const liv = 'liv@example.org';
  await desk.api('PATCH', `/sites/${desk.site.id}`, { settings: { portal: 'form_and_tickets' } });
  const { ulid } = await desk.write(liv, 'The chair creaks', 'When I lean back.');
  await desk.answer(ulid, 'We send you a new leg.');
  linkIn(await desk.mailTo(liv));
  await visitor.open(`${desk.url}/s/web-shop/tickets`);
  await visitor.fill(c.yourEmail, liv);
  await visitor.press('button', c.goOn);
  await visitor.find('textbox', c.codeFromMail);
  expect(await visitor.page.$eval('main', (main) => main.innerText)).not.toContain(c.ticketsLead);
  await visitor.fill(c.codeFromMail, codeIn(await desk.mailTo(liv)));
  await visitor.see('The chair creaks');
  expect(await violations(visitor)).toEqual([]);
  await visitor.page.click('.ticket-row');
  await visitor.at(`/t/${ulid}`);
  await visitor.see('We send you a new leg.');
  await writeAnswer(visitor, 'Thank you!');
  await waitUntil(
    'the answer is there',
    () => lastOf(ulid),
    (last) => last?.body === 'Thank you!',
  );
  expect((await lastOf(ulid))?.via_link).toMatchObject({ kind: 'list', address: liv, is_confirmed: true });
});

test('on a phone and by keyboard alone, nothing is out of reach or beside the screen', async () => {
  const ben = 'ben@example.org';
  const { ulid, link } = await desk.write(ben, 'The window is stuck', 'Since the paint dried.');
  const phone = await someoneElse({ width: 390, height: 844, theme: 'dark' });
  await phone.open(link);
  await phone.see('Since the paint dried.');
  const isWide = () =>
    phone.page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
  const reach = async (name: string) => {
    const isReached = () =>
      phone.page.evaluate((wanted) => {
        const { activeElement: element } = document;
        return [element?.getAttribute('aria-label'), element?.textContent?.trim()].includes(wanted);
      }, name);
    for (let steps = 0; steps < 40; steps += 1) {
      if (await isReached()) return;
      await phone.page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not lead to “${name}”`);
  };
  await reach(c.yourAnswer);
  await phone.page.keyboard.type('I need a knife.');
  await reach(c.send);
  await phone.page.keyboard.press('Enter');
  await phone.see(c.confirmAddress);
  await reach(c.mailCode);
  await phone.page.keyboard.press('Enter');
  await phone.find('textbox', c.codeFromMail);
  await phone.focusOn('name', 'code');
  expect(await isWide()).toBe(false);
  expect(await violations(phone)).toEqual([]);
  await phone.page.keyboard.type(codeIn(await desk.mailTo(ben)));
  await waitUntil(
    'the answer is there',
    () => lastOf(ulid),
    (last) => last?.body === 'I need a knife.',
  );
  expect(await isWide()).toBe(false);
  expect(await violations(phone)).toEqual([]);
});

test('a customer says how the help was, without a script by the mail and with one on the page, and the console shows it', async () => {
  await desk.api('PATCH', `/sites/${desk.site.id}`, { settings: { ask_satisfaction: true } });
  const zoe = 'zoe@example.org';
  const { ulid, link } = await desk.write(zoe, 'The bell rings', 'All night.');
  await desk.api('POST', `/tickets/${ulid}/messages`, {
    body: 'Take out the clapper.',
    agent_id: desk.site.owner.id,
    status: 'resolved',
  });
  const { text = '' } = await desk.mailTo(zoe);
  const good = /https?:\S+\/rate\/\S+\?as=good/.exec(text)?.[0] ?? '';
  const ratingOf = async () => (await desk.read(ulid)).satisfaction;

  // Without a script, on a phone in the dark.
  const phone = await someoneElse({ width: 390, height: 844, theme: 'dark' });
  await phone.page.setJavaScriptEnabled(false);
  await phone.page.goto(good);
  const seen = () => phone.page.$eval('main', (main) => main.innerText);
  expect(await seen()).toContain(c.confirmRating);
  expect(await ratingOf()).toBeNull();
  const press = (value: string) =>
    Promise.all([phone.page.waitForNavigation(), phone.page.click(`#rating button[value="${value}"]`)]);
  await press('good');
  expect(await seen()).toContain(c.thanksForRating);
  expect(await ratingOf()).toMatchObject({ rating: 'good', comment: null });
  await phone.page.type('#rating-comment', 'Quiet\nat last.');
  await press('good');
  expect(await seen()).toContain(c.commentSaved);
  expect(await ratingOf()).toMatchObject({ rating: 'good', comment: 'Quiet\nat last.' });
  await phone.page.setJavaScriptEnabled(true);
  await phone.open(good);
  await phone.find('button', c.changeRating(c.helpWasBad));
  expect(await violations(phone)).toEqual([]);

  // On the page of the ticket, after a code: the first answer is there, and gives way to another one.
  await visitor.open(link);
  await visitor.see('Take out the clapper.');
  expect(await visitor.isThere('button', c.helpWasGood)).toBe(false);
  await writeAnswer(visitor, 'Thank you.');
  await prove(visitor, desk, zoe);
  await visitor.find('button', c.changeRating(c.helpWasBad));
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('button', c.changeRating(c.helpWasBad));
  await waitUntil('the rating is another one', ratingOf, (said) => said?.rating === 'bad');
  await visitor.find('button', c.changeRating(c.helpWasGood));

  const agent = await someoneElse();
  await desk.signIn(agent, `/tickets/${ulid}`);
  await agent.find('button', t.detailsSatisfaction);
  await agent.see(t.didRateBad(t.actorCustomer));
  expect(await agent.page.$eval('.satisfaction', (part) => (part as HTMLElement).innerText)).toContain(t.helpWasBad);
  expect(await violations(agent)).toEqual([]);
});
