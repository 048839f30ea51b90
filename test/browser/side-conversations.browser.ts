// Several people on one ticket: a forward to a supplier, whose answer is quoted into the reply, and a reply to three, of whom one leaves and comes back;
// and an agent who answers from the mail program.

import { expect, test } from 'bun:test';
import type { ParsedMail } from 'mailparser';
import { answerTo, appleMail, gmail, outlook, type Person } from '../support/mail-programs.ts';
import { visitForEachTest } from '../support/visitors.ts';
import { violations } from './axe.ts';
import type { Visitor } from './browser.ts';
import { owner } from './owner.ts';
import { t } from './texts.ts';
import { startTicketDesk, type TicketDesk } from './ticket-desk.ts';
import { waitUntil } from './wait.ts';

let desk: TicketDesk;
let visitor: Visitor;
visitForEachTest({
  async open() {
    desk = await startTicketDesk();
    return desk;
  },
  come: (each) => {
    visitor = each;
  },
});

const seen = () => visitor.page.evaluate(() => document.body.innerText.replace(/[\u2066-\u2069]/g, ''));
const written = () =>
  visitor.page.$$eval('dialog[open] :is(.recipient bdi, input[name], textarea)', (all) =>
    all.map((field) => (field as HTMLInputElement).value ?? field.textContent),
  );
const chooseInTo = async (address: string) => {
  await visitor.focusOn('aria-label', t.forwardAdd);
  await visitor.page.keyboard.type(address);
  await visitor.find('option', address);
  await visitor.page.keyboard.press('Enter');
  await visitor.find('button', t.leaveOut(`\u2068${address}\u2069`));
};
const replyText = () => visitor.page.$eval('.composer textarea', (text) => (text as HTMLTextAreaElement).value);

async function attach(within: string, name: string, words: string): Promise<void> {
  const add = (field: Element, called: string, content: string) => {
    const files = new DataTransfer();
    files.items.add(new File([content], called));
    (field as HTMLInputElement).files = files.files;
    field.dispatchEvent(new Event('change', { bubbles: true }));
  };
  await visitor.page.$eval(`${within} input[type=file]`, add, name, words);
}
const filesIn = ({ attachments }: ParsedMail) => attachments.map(({ filename, content }) => `${filename}: ${content}`);

const mails: ParsedMail[] = [];
const recipientOf = ({ to }: ParsedMail) => [to].flat()[0]?.value[0]?.address;

/** Waits for it, and keeps what else came. */
async function mailTo(address: string, words: string): Promise<ParsedMail> {
  for (;;) {
    const found = mails.find((mail) => recipientOf(mail) === address && mail.text?.includes(words));
    if (found !== undefined) return found;
    mails.push(await desk.mail());
  }
}

test('a supplier is asked beside the ticket, and the answer is quoted with one click', async () => {
  const { ulid } = await desk.openTicket('The hinge broke', 'It came off this morning.');
  await desk.signIn(visitor, `/tickets/${ulid}`);
  await visitor.press('button', t.messageActions('Mia Jansen'));
  await visitor.press('menuitem', t.forward);
  await chooseInTo('depot@supplier.example');
  await chooseInTo('parts@supplier.example');
  await visitor.press('button', t.leaveOut('\u2068depot@supplier.example\u2069'));
  await visitor.fill(t.forwardText, 'Do you have a spare one?');
  // Escape asks nothing and loses nothing, nor does a reload.
  for (const leave of [() => visitor.page.keyboard.press('Escape'), () => visitor.page.reload()]) {
    await leave();
    await visitor.page.waitForSelector('dialog[open]', { hidden: true });
    await visitor.press('button', t.messageActions('Mia Jansen'));
    await visitor.press('menuitem', t.forward);
    await visitor.find('textbox', t.forwardText);
    expect(await written()).toEqual(['parts@supplier.example', 'The hinge broke', 'Do you have a spare one?']);
  }
  await attach('dialog[open]', 'drawing.csv', 'hinge;blue');
  const ticked = () =>
    visitor.page.$$eval('dialog[open] .split-choice input', (all) => all.map(({ checked }) => checked));
  await waitUntil('the new file goes along', async () => (await ticked()).join() === 'true');
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('button', t.forwardSend);
  await waitUntil('the thread is there', async () => (await seen()).includes('Do you have a spare one?'));
  expect(await seen()).toContain(t.asideBadge);
  await visitor.press('button', t.messageActions('Mia Jansen'));
  await visitor.press('menuitem', t.forward);
  await visitor.find('textbox', t.forwardText);
  expect(await written()).toEqual(['The hinge broke', '']);
  await visitor.fill(t.forwardText, 'Never mind');
  await visitor.press('button', t.forwardDiscard);
  expect(await written()).toEqual(['The hinge broke', '']);
  await visitor.press('button', t.cancel);
  const asked = await mailTo('parts@supplier.example', 'spare one');
  expect(asked.text).toContain('It came off this morning.');
  expect(filesIn(asked)).toEqual(['drawing.csv: hinge;blue']);

  const reference = asked.messageId ?? '';
  const lines = ['From: Parts <parts@supplier.example>', `To: ${asked.replyTo?.value[0]?.address}`];
  const head = [
    ...lines,
    'Subject: Re: The hinge broke',
    'Message-ID: <a@supplier.example>',
    `In-Reply-To: ${reference}`,
  ];
  await desk.receive([...head, '', 'Yes, two in blue.'].join('\n')).catch(() => 'it names no ticket');
  await waitUntil('the answer is there', async () => (await seen()).includes('Yes, two in blue.'));
  await visitor.press('button', t.asideWrite);
  await visitor.focusOn('name', 'body');
  expect(await visitor.isThere('menu', t.asideLabel('The hinge broke'))).toBe(false);
  await visitor.fill(t.forwardText, 'Then this one.');
  await attach('.side-message ~ form', 'order.csv', 'two;blue');
  await waitUntil('it is chosen', async () =>
    visitor.page.$$eval('.side-message ~ form .split-choice input', (all) => all.some(({ checked }) => checked)),
  );
  await visitor.press('button', t.asideSend);
  expect(filesIn(await mailTo('parts@supplier.example', 'Then this one.'))).toEqual(['order.csv: two;blue']);
  expect(await violations(visitor)).toEqual([]);
  await visitor.page.evaluate((quote) => {
    const buttons = [...document.querySelectorAll<HTMLElement>('.side-message button')];
    buttons.find(({ textContent }) => textContent === quote)?.click();
  }, t.quoteInReply);
  await waitUntil('it is quoted', async () => (await replyText()).includes('> Yes, two in blue.'));
  await visitor.page.type('.composer textarea', 'Good news!');
  await visitor.press('button', t.send);
  await mailTo('mia@example.org', 'Good news!');
  for (const mail of mails.filter((one) => recipientOf(one) === 'mia@example.org'))
    expect(`${mail.text}${mail.html}${filesIn(mail)}`).not.toMatch(/spare one|supplier\.example|;blue/);
}, 60_000);

/** The mail server of one recipient says that there is no such address. */
async function comesBack({ messageId }: ParsedMail, address: string): Promise<void> {
  const report = 'Content-Type: multipart/report; report-type=delivery-status; boundary=b';
  const head = [report, 'From: <mailer-daemon@mx.example>', 'To: shop@desk.example', 'Subject: Undelivered'];
  const failed = [`Final-Recipient: rfc822; ${address}`, 'Action: failed', 'Status: 5.1.1'];
  const parts = ['--b', '', 'It did not arrive.', '--b', 'Content-Type: message/delivery-status', '', ...failed];
  const returned = ['--b', 'Content-Type: message/rfc822', '', `Message-ID: ${messageId}`, '', 'x', '--b--'];
  await desk.receive([...head, '', ...parts, ...returned].join('\n'));
}

/** In the line of recipients. */
const isMarked = (name: string) =>
  visitor.page.$$eval(
    '.recipient',
    (chips, whose) =>
      chips.some((chip) => chip.textContent?.includes(whose) === true && chip.querySelector('[role=img]') !== null),
    name,
  );

test('a reply goes to three, one is removed, and comes back by a mail that names him', async () => {
  const from = (who: string, id: string) => [`From: ${who}`, 'Subject: The lamp flickers', `Message-ID: <${id}>`];
  const cc = 'Cc: Bo Berg <bo@example.org>, Di Dahl <di@example.org>';
  const opening = [
    ...from('Mia Jansen <mia@example.org>', 'lamp@example.org'),
    'To: shop@desk.example',
    'Delivered-To: shop@desk.example',
    cc,
  ];
  const ulid = await desk.receive([...opening, '', 'All three of us see it.'].join('\n'));
  await desk.signIn(visitor, `/tickets/${ulid}`);
  const shown = () =>
    visitor.page.$$eval('.participants li', (lines) =>
      lines.map((line) => `${line.querySelector('.participant-name')?.textContent}${line.className && ' (removed)'}`),
    );
  await waitUntil('both take part', async () => (await shown()).join() === 'Bo Berg,Di Dahl');

  await visitor.page.type('.composer textarea', 'Try another bulb.');
  await visitor.press('button', t.send);
  const reply = await mailTo('mia@example.org', 'another bulb');
  expect([reply.cc].flat()[0]?.value.map(({ address }) => address)).toEqual(['bo@example.org', 'di@example.org']);
  const reached = new RegExp(`${t.deliverySent}: mia@example.org, bo@example.org,? and di@example.org`);
  await waitUntil('it says whom it reached', async () => reached.test(await seen()));

  await comesBack(reply, 'di@example.org');
  await waitUntil('the line of recipients says whose mail comes back', () => isMarked('Di Dahl'));

  await visitor.press('button', t.removeParticipant('Bo Berg'));
  await waitUntil('one is removed', async () => (await shown()).join() === 'Di Dahl,Bo Berg (removed)');
  expect(await violations(visitor)).toEqual([]);
  const address = reply.replyTo?.value[0]?.address;
  const answer = (id: string, words: string, ...more: string[]) => {
    const head = [...from('Bo Berg <bo@example.org>', id), `To: ${address}`, `In-Reply-To: ${reply.messageId}`];
    return desk.receive([...head, ...more, '', words].join('\n'));
  };
  await answer('bo1@example.org', 'I still have a question.');
  const addBack = `${t.addToTicket}: Bo Berg`;
  await visitor.find('button', addBack);
  expect(await shown()).toEqual(['Di Dahl', 'Bo Berg (removed)']);
  expect(await violations(visitor)).toEqual([]);

  await answer('bo2@example.org', 'Please keep me in it.', 'Cc: Bo Berg <bo@example.org>');
  await waitUntil('he takes part again', async () => (await shown()).join() === 'Bo Berg,Di Dahl');
  expect(await visitor.isThere('button', addBack)).toBe(false);

  await visitor.press('button', t.messageActions('Mia Jansen'));
  await visitor.press('menuitem', t.replyOnlyTo('\u2068Mia Jansen\u2069'));
  await visitor.press('combobox', t.addCc);
  await visitor.page.keyboard.type('ed@example.org');
  await visitor.page.keyboard.press('Enter');
  await visitor.find('button', t.leaveOut('\u2068ed@example.org\u2069'));
  expect(await violations(visitor)).toEqual([]);
  await visitor.page.type('.composer textarea', 'Only for two.');
  await visitor.press('button', t.send);
  const last = await mailTo('mia@example.org', 'Only for two');
  expect([last.cc].flat()[0]?.value.map(({ address }) => address)).toEqual(['ed@example.org']);
  expect(await isMarked('Mia Jansen')).toBe(false);
  await comesBack(last, 'mia@example.org');
  await waitUntil('the author is marked too', () => isMarked('Mia Jansen'));
  await visitor.page.waitForSelector('.author [title]::-p-text(mail came back)');
  expect(await violations(visitor)).toEqual([]);
}, 90_000);

test('an agent answers from the mail program: a note, or a reply where the site says so, and what is not proven reaches no customer', async () => {
  const { id } = desk.site;
  const settings = (change: object) => desk.api('PATCH', `/sites/${id}`, { settings: change });
  await settings({ trusted_mail_servers: ['mx.desk.example'] });
  const { ulid } = await desk.openTicket('The bell is silent', 'It made no sound today.', 'ana@customer.example');
  await desk.signIn(visitor, `/tickets/${ulid}`);
  const hearAtOnce = () =>
    fetch('/api/v1/me/notification-preferences', {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ mail_mode: 'at_once', mail_after_minutes: 0 }),
    }).then(({ status }) => status);
  expect(await visitor.page.evaluate(hearAtOnce)).toBe(200);
  // What is on a page that the agent sees is read at once, and not mailed.
  await visitor.page.goto(`${desk.url}/customers`);
  await waitUntil('no one sees the ticket', async () => (await visitor.page.$('.thread')) === null);
  await desk.api('PATCH', `/tickets/${ulid}`, { assigned_to: desk.site.owner.id });
  const assigned = await mailTo(owner.email, 'It made no sound today.');
  await visitor.page.goto(`${desk.url}/tickets/${ulid}`);
  await visitor.page.waitForSelector('.thread .message');
  expect(assigned.replyTo?.value[0]?.address).toMatch(/^agent\+/);
  const proof = 'Authentication-Results: mx.desk.example; dmarc=pass header.from=demo-shop.example';
  const answer = (program: Person['program'], words: string, headers: readonly string[] = [proof]) =>
    desk.receive(
      answerTo({ name: owner.name, address: owner.email, program }, assigned, words, false, { headers }).raw,
    );
  const bubble = (words: string) =>
    visitor.page.$$eval(
      '.thread .message',
      (all, text) => {
        const found = all.find((one) => (one as HTMLElement).innerText.includes(text)) as HTMLElement | undefined;
        return found === undefined ? null : { isNote: found.classList.contains('note'), text: found.innerText };
      },
      words,
    );

  await answer(outlook, 'Ask the workshop about the hammer.');
  await waitUntil('the note is there', async () => (await bubble('about the hammer')) !== null);
  expect(await bubble('about the hammer')).toMatchObject({
    isNote: true,
    text: expect.not.stringContaining('no sound'),
  });

  await settings({ agent_mail: 'reply' });
  await answer(appleMail, '/pending\nPlease turn it upside down.');
  await waitUntil('the reply is there', async () => (await bubble('upside down')) !== null);
  expect(await bubble('upside down')).toMatchObject({ isNote: false, text: expect.not.stringContaining('/pending') });
  const replied = await mailTo('ana@customer.example', 'upside down');
  expect(`${replied.text}${replied.html}`).not.toMatch(/agent\+|hammer|\/pending|##-/);
  expect((await desk.api('GET', `/tickets/${ulid}`)).data.status).toBe('pending');

  await answer(gmail, '/reply\nSend me your password.', []);
  await waitUntil('it is noted', async () => (await bubble('your password')) !== null);
  expect(await bubble('your password')).toMatchObject({ isNote: true, text: expect.stringContaining('not proven') });
  await mailTo(owner.email, 'nothing proves');
  expect(await violations(visitor)).toEqual([]);
  for (const mail of mails.filter((one) => recipientOf(one) === 'ana@customer.example'))
    expect(mail.text).not.toContain('your password');
}, 60_000);
