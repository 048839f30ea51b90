// Writing on a ticket and its details: replies with undo, macros, notes, files, drafts, stale threads, and what is changed in place.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HTTPRequest } from 'puppeteer-core';
import { messages as t } from '../../src/web/messages/console/en/composer.ts';
import { messages as d } from '../../src/web/messages/console/en/details.ts';
import { messages as list } from '../../src/web/messages/console/en/list.ts';
import { messages as view } from '../../src/web/messages/console/en/ticket.ts';
import { isolated } from '../../src/web/shared/bidi.ts';
import { violations } from './axe.ts';
import { type Chromium, drawn, intercept, startChromium, startedTogether, type Visitor } from './browser.ts';
import { type BrowserDesk, startDesk } from './desk.ts';
import { keepNotes } from './journey.ts';
import { giveSession, makeOwner, signInAs } from './owner.ts';
import { waitUntil } from './wait.ts';

let chromium: Chromium;
let desk: BrowserDesk;
let site: { id: number; token: string };
let visitor: Visitor;
let ticket: string;
let billing = 0;
let count = 0;
const parts = ['.composer', '.details'];

beforeAll(async () => {
  [chromium, desk] = await startedTogether(startChromium(), startDesk());
  const first = await chromium.visitor();
  await makeOwner(desk);
  await signInAs(first, desk);
  const made = await desk.command('site', 'create', '--name', 'Demo shop');
  const [listed] = (await asOwner(first, 'GET', '/sites')).data;
  site = { id: listed.id, token: made.site_token };
  await desk.command('agent', 'add', '--name', 'Ana Duarte', '--email', 'ana@demo-shop.example');
  await asOwner(first, 'POST', `/sites/${site.id}/custom-fields`, { key: 'seats', label: 'Seats', type: 'number' });
  await asOwner(first, 'POST', `/sites/${site.id}/categories`, { name: 'Billing', slug: 'billing' });
  const sender = { address: 'billing@shop.example', name: 'Billing' };
  billing = (await asOwner(first, 'POST', `/sites/${site.id}/senders`, sender)).data.id;
  await asOwner(first, 'POST', '/macros', {
    name: 'Refund',
    body: 'Hello {{author.name}}, the refund is on its way.',
    is_shared: true,
    changes: { status: 'pending', add_tags: ['refund', 'money'] },
  });
  await first.close();
});
beforeEach(async () => {
  count += 1;
  ticket = await openTicket();
  visitor = await chromium.visitor();
  visitor.expectStatus(409, 422);
  await signInAs(visitor, desk);
  // The page says every few seconds that it is open: it is never quiet.
  await visitor.page.goto(`${desk.url}/tickets/${ticket}`);
  await visitor.find('textbox', t.reply);
});
afterEach(async () => {
  const faults = visitor.faults().filter((fault) => !/ERR_INTERNET_DISCONNECTED/.test(fault));
  await visitor.close();
  expect(faults).toEqual([]);
});
afterAll(async () => {
  await chromium.close();
  await desk.close();
});

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
async function asOwner({ page }: Visitor, method: string, path: string, body?: unknown): Promise<any> {
  const call = async (verb: string, address: string, sent: string | null) => {
    const headers: Record<string, string> = sent === null ? {} : { 'Content-Type': 'application/json' };
    const answer = await fetch(`/api/v1${address}`, { method: verb, headers, body: sent });
    return { status: answer.status, json: answer.status === 204 ? null : await answer.json() };
  };
  const answer = await page.evaluate(call, method, path, body === undefined ? null : JSON.stringify(body));
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.json)}`);
  return answer.json;
}

async function asCustomer(path: string, body: object) {
  const headers = { 'X-Site-Token': site.token, 'Content-Type': 'application/json' };
  const answer = await fetch(`${desk.url}/api/v1/public${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(201);
  return await answer.json();
}

let accessToken = '';
async function openTicket(): Promise<string> {
  const opened = await asCustomer('/tickets', {
    email: 'mia@example.org',
    name: 'Mia Lund',
    subject: `Chart ${count}`,
    message: 'It stays empty.',
    context: { app: { name: 'Charts' }, console: [{ level: 'error', message: 'TypeError: x is undefined', at: null }] },
  });
  accessToken = opened.access_token;
  return opened.ticket.ulid;
}

const thread = async () => (await asOwner(visitor, 'GET', `/tickets/${ticket}`)).data;
const draft = async () => (await asOwner(visitor, 'GET', `/tickets/${ticket}/draft`)).data;
async function textIn({ page }: Pick<Visitor, 'page'>): Promise<string> {
  const found = await page.$eval('.composer-text', (field) => (field as HTMLTextAreaElement).value);
  return found;
}
const written = async () => await textIn(visitor);
const seeWritten = (text: string) => waitUntil(`“${text}” is written`, written, (found) => found === text);

async function type(text: string, name: string = t.reply): Promise<void> {
  await (await visitor.find('textbox', name)).focus();
  await visitor.page.keyboard.type(text);
}

async function chord(...keys: string[]): Promise<void> {
  const last = keys.pop() ?? '';
  for (const key of keys) await visitor.page.keyboard.down(key as 'Control');
  await visitor.page.keyboard.press(last as 'Enter');
  for (const key of keys.reverse()) await visitor.page.keyboard.up(key as 'Control');
}

describe('a reply', () => {
  test('is written by keyboard, sent, undone with everything that belongs to it, and sent again', async () => {
    const hurry = await keepNotes(visitor);
    await visitor.page.keyboard.press('r');
    await visitor.focusOn('aria-label', t.reply);
    await visitor.page.keyboard.type('See ');
    await chord('Control', 'KeyB');
    await visitor.page.keyboard.type('this');
    await seeWritten('See **this**');
    await chord('Control', 'Enter');
    await visitor.see(t.replyHeld);
    await seeWritten('');
    await visitor.focusOn('aria-label', view.conversation);
    const held = (await thread()).messages.at(-1);
    expect(held).toMatchObject({ body: 'See **this**', body_format: 'markdown' });
    expect(held.send_at).not.toBeNull();
    await visitor.press('button', 'Undo');
    await visitor.see(t.replyUndone);
    await seeWritten('See **this**');
    expect((await thread()).messages).toHaveLength(1);
    await hurry();
    await visitor.press('button', t.send);
    await waitUntil('it is sent after ten seconds', thread, ({ messages }) => messages[1]?.send_at === null);
    expect(await draft()).toBeNull();
    // What is typed next is no second reply: its first letter is a command.
    await visitor.focusOn('aria-label', view.conversation);
    await visitor.page.keyboard.press('n');
    await visitor.focusOn('aria-label', t.note);
    await visitor.page.keyboard.type('- one');
    await visitor.page.keyboard.press('Enter');
    await visitor.page.keyboard.type('- two');
    await visitor.page.keyboard.press('Enter');
    await seeWritten('- one\n- two\n- ');
    await chord('Control', 'Enter');
    await visitor.focusOn('aria-label', view.conversation);
    expect((await thread()).messages.at(-1)).toMatchObject({ body: '- one\n- two', is_internal: true });
  });

  test('with a macro has its words, and makes its changes when it is sent, except what was left out', async () => {
    await keepNotes(visitor);
    await type('/ref');
    await visitor.page.waitForSelector('.completion-list [role="option"]');
    await visitor.page.keyboard.press('Enter');
    await visitor.see(t.stagedAddTag('money'));
    await seeWritten('Hello Mia Lund, the refund is on its way.');
    expect((await thread()).tags).toEqual([]);
    await visitor.press('button', t.leaveOut(t.stagedAddTag('money')));
    const chips = () => visitor.page.$$eval('.staged-chip', (all) => all.map(({ textContent }) => textContent));
    const before = await chips();
    await visitor.page.reload();
    await visitor.see(t.stagedAddTag('refund'));
    expect(await chips()).toEqual(before);
    await seeWritten('Hello Mia Lund, the refund is on its way.');
    await visitor.press('button', t.send);
    await waitUntil('the tag is there', thread, ({ tags }) => tags.join() === 'refund');
    await visitor.press('button', 'Undo');
    await waitUntil('the tag is gone', thread, ({ tags }) => tags.length === 0);
    await visitor.see(t.stagedAddTag('refund'));
  });

  test('can be sent later, and be looked at before', async () => {
    await type('- one');
    await visitor.page.keyboard.press('Enter');
    await visitor.page.keyboard.type('two');
    await visitor.press('button', t.preview);
    await visitor.page.waitForSelector('.markdown li + li');
    await visitor.press('button', t.moreWaysToSend);
    await visitor.press('menuitem', t.sendLater);
    await visitor.press('button', t.schedule);
    await visitor.see(t.replyScheduled);
    const { messages } = await thread();
    expect(Date.parse(messages.at(-1).send_at)).toBeGreaterThan(Date.now() + 3_600_000);
  });

  test('asks once when the customer wrote meanwhile', async () => {
    await type('An answer');
    await asCustomer(`/tickets/${ticket}/messages?access_token=${accessToken}`, { body: 'It works again.' });
    await visitor.see(t.wroteMeanwhile);
    await chord('Control', 'Enter');
    await visitor.see(t.wroteBeforeSending);
    expect((await thread()).messages).toHaveLength(2);
    expect(await violations(visitor, parts)).toEqual([]);
    await visitor.press('button', t.sendAnyway);
    await visitor.see(t.replyHeld);
    expect((await thread()).messages).toHaveLength(3);
  });
});

test('a reply that speaks of an attachment and has none asks once, and a note does not', async () => {
  await type('The invoice is attached.');
  await chord('Control', 'Enter');
  await visitor.see(t.fileMissed);
  expect((await thread()).messages).toHaveLength(1);
  await chord('Control', 'Enter');
  await visitor.see(t.replyHeld);
  await visitor.page.keyboard.press('n');
  await visitor.focusOn('aria-label', t.note);
  await visitor.page.keyboard.type('The invoice is attached.');
  await chord('Control', 'Enter');
  await waitUntil('both are there', thread, ({ messages }) => messages.length === 3);
});

test('a note that is begun before the desk has told of a draft stays a note', async () => {
  const { page } = visitor;
  const asked = Promise.withResolvers<HTTPRequest>();
  await intercept(page, (request) => {
    const isDraft = request.method() === 'GET' && request.url().endsWith(`/tickets/${ticket}/draft`);
    if (isDraft) asked.resolve(request);
    else void request.continue();
  });
  await page.reload();
  await visitor.find('textbox', t.reply);
  await page.keyboard.press('n');
  await visitor.focusOn('aria-label', t.note);
  const answered = page.waitForResponse((response) => response.url().endsWith('/draft'));
  await (await asked.promise).continue();
  await answered;
  await drawn(visitor);
  await page.keyboard.type('@ana');
  await page.waitForSelector('.completion-list [role="option"]');
  await visitor.find('textbox', t.note);
});

test('a note mentions a colleague and stays internal', async () => {
  await visitor.page.keyboard.press('n');
  await visitor.focusOn('aria-label', t.note);
  await visitor.see(t.onlyAgents);
  await visitor.page.keyboard.type('Please look, @ana');
  await visitor.page.waitForSelector('.completion-list [role="option"]');
  // As when the agent looks into another window and comes back.
  await visitor.page.evaluate(() => {
    const text = document.activeElement;
    if (!(text instanceof HTMLElement)) throw new Error('nothing has the focus');
    text.blur();
    text.focus();
  });
  await visitor.page.waitForSelector('.completion-list [role="option"]');
  await visitor.page.keyboard.press('Enter');
  await seeWritten('Please look, @Ana Duarte ');
  await visitor.page.keyboard.type('and not `@Ana Duarte`\n\n- once');
  // Enter begins a second item, which stays empty.
  await visitor.page.keyboard.press('Enter');
  await seeWritten('Please look, @Ana Duarte and not `@Ana Duarte`\n\n- once\n- ');
  const colors = await visitor.page.evaluate(() => {
    const probe = document.createElement('i');
    probe.style.color = 'var(--note)';
    document.body.append(probe);
    const note = getComputedStyle(probe).color;
    probe.remove();
    return [...document.querySelectorAll('.split-button .button')].map((one) => [
      getComputedStyle(one).backgroundColor,
      note,
    ]);
  });
  expect(colors).toHaveLength(2);
  for (const [button, note] of colors) expect(button).toBe(note!);
  expect(await visitor.isThere('button', t.send)).toBe(false);
  expect(await violations(visitor, ['.composer'])).toEqual([]);
  await visitor.press('button', t.addNote);
  await visitor.see(t.noteHeld);
  const added = await waitUntil(
    'it is added after ten seconds',
    thread,
    ({ messages }) => messages[1]?.send_at === null,
  );
  const note = added.messages.at(-1);
  expect(note.body.trimEnd()).toEndWith('- once');
  expect(note).toMatchObject({ is_internal: true, send_at: null });
  expect(note.mentions.map(({ name }: { name: string }) => name)).toEqual(['Ana Duarte']);
  const marked = () => visitor.page.$$eval('.message .mention', (names) => names.map((name) => name.textContent));
  await waitUntil('her name stands out', marked, (names) => names.join() === '@Ana Duarte');
  expect(await violations(visitor, ['.thread'])).toEqual([]);
});

test('a note that resolves the ticket is undone whole, seen as held by others, and added again', async () => {
  await keepNotes(visitor);
  await visitor.page.keyboard.press('n');
  await visitor.focusOn('aria-label', t.note);
  await visitor.page.keyboard.type('Solved by phone');
  const other = await chromium.visitor();
  await giveSession(other, desk, 'ana@demo-shop.example');
  await other.page.goto(`${desk.url}/tickets/${ticket}`);
  await chord('Control', 'Shift', 'Enter');
  await visitor.see(t.noteHeld);
  await seeWritten('');
  expect((await thread()).messages.at(-1)).toMatchObject({ body: 'Solved by phone', is_internal: true, id: null });
  await waitUntil('the ticket is resolved', thread, ({ status }) => status === 'resolved');
  await other.see(view.addedSoon);
  expect(await other.isThere('button', view.withdraw)).toBe(false);
  expect(await visitor.isThere('button', view.withdraw)).toBe(true);
  expect(await violations(visitor, ['.thread'])).toEqual([]);
  await (await visitor.find('log', view.conversation)).focus();
  await chord('Control', 'z');
  await visitor.see(t.noteUndone);
  await visitor.find('textbox', t.note);
  await seeWritten('Solved by phone');
  await waitUntil('the ticket is open', thread, ({ status }) => status === 'open');
  expect((await thread()).messages).toHaveLength(1);
  await other.close();
  await visitor.press('button', t.addNote);
  await visitor.see(t.noteHeld);
  await visitor.press('button', view.withdraw);
  await visitor.see(view.noteWithdrawn);
  expect((await thread()).messages).toHaveLength(1);
});

describe('files', () => {
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  async function paste(name: string, type: string, base64: string): Promise<void> {
    await visitor.page.$eval(
      '.composer-text',
      (field, [called, kind, text]) => {
        const bytes = Uint8Array.from(atob(text ?? ''), (letter) => letter.charCodeAt(0));
        const clipboardData = new DataTransfer();
        clipboardData.items.add(new File([bytes], called ?? '', { type: kind ?? '' }));
        field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      },
      [name, type, base64],
    );
  }

  test('are pasted with a name that says something, and sent', async () => {
    await keepNotes(visitor);
    await type('See the picture');
    await paste('image.png', 'image/png', pixel);
    await visitor.page.waitForSelector('.composer-file img');
    await visitor.press('button', t.send);
    await visitor.see(t.replyHeld);
    expect((await thread()).messages.at(-1).attachments[0].filename).toMatch(/^screenshot \d{4}-\d\d-\d\d /);
    await visitor.press('button', 'Undo');
    await visitor.page.waitForSelector('.composer-file img');
  });

  /** Really drags files of this machine, as a browser hears it from its window. */
  async function drag(paths: string[], onto = '.composer-box') {
    const session = await visitor.page.createCDPSession();
    const box = await visitor.page.$eval(onto, (element) => element.getBoundingClientRect().toJSON());
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const data = { items: [], files: paths, dragOperationsMask: 1 };
    const send = (type: 'dragEnter' | 'dragOver' | 'drop') =>
      session.send('Input.dispatchDragEvent', { type, x, y, data });
    return {
      async over() {
        await send('dragEnter');
        await send('dragOver');
      },
      async drop() {
        await send('drop');
        await session.detach();
      },
    };
  }

  test('are dropped on the composer, and cancelled one by one on their way', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'helpdesk-dropped-'));
    const paths = ['long.txt', 'longer.txt'].map((name) => join(folder, name));
    for (const path of paths) writeFileSync(path, 'So many words. '.repeat(200_000));
    await type('See the files');
    const { over, drop } = await drag(paths);
    await over();
    await visitor.see(t.dropHere);
    // So slow that the files are still on their way when one is cancelled, however busy the machine is.
    await visitor.page.emulateNetworkConditions({ upload: 2000, download: -1, latency: 0 });
    await drop();
    for (const name of ['long.txt', 'longer.txt'])
      await visitor.page.waitForSelector(`.composer-file progress[aria-label="${t.uploading(name)}"]`);
    await visitor.press('button', t.cancelFile('long.txt'));
    const listed = () =>
      visitor.page.$$eval('.composer-file .file-name', (names) => names.map((one) => one.textContent));
    await waitUntil('one is left', listed, (names) => names.join() === 'longer.txt');
    await visitor.page.emulateNetworkConditions({ upload: 1_000_000_000, download: -1, latency: 0 });
    await visitor.find('button', t.removeFile('longer.txt'));
    await visitor.press('button', t.send);
    await visitor.see(t.replyHeld);
    const sent = (await thread()).messages.at(-1).attachments;
    expect(sent.map(({ filename }: { filename: string }) => filename)).toEqual(['longer.txt']);
    expect(visitor.page.url()).toEndWith(`/tickets/${ticket}`);
    rmSync(folder, { recursive: true });
  });

  test('that are dropped beside the composer do not take the place of the page', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'helpdesk-dropped-'));
    const path = join(folder, 'stray.txt');
    writeFileSync(path, 'Words.');
    await type('Not lost');
    for (const place of ['.conversation', '.ticket-header']) {
      const { over, drop } = await drag([path], place);
      await over();
      await drop();
    }
    await seeWritten('Not lost');
    expect(visitor.page.url()).toEndWith(`/tickets/${ticket}`);
    expect(await visitor.page.$('.composer-file')).toBeNull();
    rmSync(folder, { recursive: true });
  });

  test('that the desk refuses say why, and are removed one by one', async () => {
    await type('Run this');
    await paste('setup.exe', 'application/x-msdownload', btoa('a program'));
    await visitor.page.waitForSelector('.composer-file.failed .file-problem');
    await visitor.press('button', t.send);
    await visitor.see(t.fileNotTaken);
    expect(await visitor.isThere('button', t.retryFile('setup.exe'))).toBe(false);
    await visitor.press('button', t.removeFile('setup.exe'));
    await visitor.press('button', t.send);
    await visitor.see(t.replyHeld);
  });
});

describe('a draft', () => {
  test('is on the desk a moment later, after a reload, and at another computer', async () => {
    await type('Half an answer');
    await visitor.see(t.draftSaved);
    expect(await draft()).toMatchObject({ body: 'Half an answer', tab: 'reply' });
    await visitor.page.reload();
    await seeWritten('Half an answer');
    const other = await chromium.visitor();
    await signInAs(other, desk);
    await other.page.goto(`${desk.url}/tickets/${ticket}`);
    await other.find('textbox', t.reply);
    await waitUntil(
      'the text is there too',
      async () => await textIn(other),
      (value) => value === 'Half an answer',
    );
    await other.close();
  });

  test('stays in the browser without a network, and is not lost against another version', async () => {
    await type('Mine');
    await visitor.see(t.draftSaved);
    await visitor.page.setOfflineMode(true);
    await type(', and more');
    await visitor.see(t.draftInBrowser);
    const other = await chromium.visitor();
    await signInAs(other, desk);
    await asOwner(other, 'PUT', `/tickets/${ticket}/draft`, {
      body: 'Theirs',
      body_format: 'markdown',
      tab: 'reply',
      attachment_ids: [],
    });
    await other.close();
    await visitor.page.setOfflineMode(false);
    await visitor.page.reload();
    await visitor.see(t.keepThisVersion);
    await visitor.see('Theirs');
    await seeWritten('Mine, and more');
    expect(await violations(visitor, parts)).toEqual([]);
    await visitor.press('button', t.keepThisVersion);
    await waitUntil('the desk has it', draft, (kept) => kept?.body === 'Mine, and more');
  });

  test('keeps whom it goes to and whom it is from, in every tab and at another computer', async () => {
    await asOwner(visitor, 'POST', `/tickets/${ticket}/participants`, { email: 'bo@example.org', name: 'Bo Berg' });
    await visitor.page.keyboard.press('r');
    await visitor.press('button', t.leaveOut(isolated('Bo Berg')));
    await visitor.press('combobox', t.addBcc);
    await visitor.page.keyboard.type('ed@example.org');
    await visitor.press('option', 'ed@example.org');
    await visitor.press('combobox', t.from);
    await visitor.page.keyboard.type('bill');
    expect(await violations(visitor, ['.recipients', '.combobox-panel:popover-open'])).toEqual([]);
    await visitor.page.keyboard.press('Enter');
    await visitor.see('billing@shop.example');
    await waitUntil('the desk has it', draft, (kept) => kept?.fields.from === billing);
    const line = (page: Visitor['page']) => page.$eval('.recipients', ({ textContent }) => textContent);
    const chosen = await line(visitor.page);
    expect(chosen).toMatch(/Mia Lund.*Bo Berg.*Bcc.*ed@example\.org.*From.*Billing/);
    await visitor.page.reload();
    await waitUntil(
      'it is there again',
      async () => await line(visitor.page),
      (text) => text === chosen,
    );
    const other = await chromium.visitor();
    await signInAs(other, desk);
    for (const page of [await visitor.context.newPage(), other.page]) {
      await page.goto(`${desk.url}/tickets/${ticket}`);
      await page.waitForSelector('.recipients');
      await waitUntil(
        'it is there too',
        async () => await line(page),
        (text) => text === chosen,
      );
    }
    await visitor.page.bringToFront();
    await keepNotes(visitor);
    await type('To you alone');
    await visitor.press('button', t.send);
    await visitor.see(t.replyHeld);
    const held = (await thread()).messages.at(-1);
    expect(held.sender_id).toBe(billing);
    expect(held.recipients.map(({ email, as }: Record<string, string>) => [email, as])).toEqual([
      ['mia@example.org', 'to'],
      ['ed@example.org', 'bcc'],
    ]);
    await visitor.press('button', 'Undo');
    await waitUntil(
      'Undo brings it back',
      async () => await line(visitor.page),
      (text) => text === chosen,
    );
    await visitor.press('button', t.discardDraft);
    await waitUntil('nothing is left of it', draft, (kept) => kept === null);
    expect(await line(visitor.page)).not.toContain('Billing');
    await other.close();
  });

  test('names who was removed, and brings them back by one key', async () => {
    const path = `/tickets/${ticket}/participants`;
    const { data } = await asOwner(visitor, 'POST', path, { email: 'bo@example.org', name: 'Bo Berg' });
    await asOwner(visitor, 'DELETE', `${path}/${data.id}`);
    await visitor.page.keyboard.press('r');
    const line = () => visitor.page.$eval('.recipients', ({ textContent }) => textContent);
    await waitUntil('Bo is named as removed', line, (text) => text.includes(`${t.removed}Bo Berg`));
    expect(await violations(visitor, ['.recipients'])).toEqual([]);
    await (await visitor.find('button', t.takeIn(isolated('Bo Berg')))).focus();
    await visitor.page.keyboard.press('Enter');
    await waitUntil('he is in Cc', line, (text) => text.includes(`${t.cc}Bo Berg`) && !text.includes(t.removed));
    const focused = () => visitor.page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    expect(await focused()).toBe(t.leaveOut(isolated('Bo Berg')));
    await visitor.page.keyboard.press('Enter');
    await waitUntil('he is out again', line, (text) => text.includes(`${t.removed}Bo Berg`));
    expect(await focused()).toBe(t.takeIn(isolated('Bo Berg')));
    await visitor.page.keyboard.press('Enter');
    await type('With Bo again');
    await visitor.press('button', t.send);
    await visitor.see(t.replyHeld);
    const { recipients } = (await thread()).messages.at(-1);
    expect(recipients.map(({ email, as }: Record<string, string>) => [email, as])).toEqual([
      ['mia@example.org', 'to'],
      ['bo@example.org', 'cc'],
    ]);
  });

  test('in two tabs of one browser is the same text', async () => {
    const second = await visitor.context.newPage();
    // A tab that is behind another one draws late.
    await second.bringToFront();
    await second.goto(`${desk.url}/tickets/${ticket}`);
    await second.waitForSelector('.composer-text:not([readonly])');
    await visitor.page.bringToFront();
    await type('Both');
    await waitUntil(
      'the second tab has it',
      async () => await textIn({ page: second }),
      (value) => value === 'Both',
    );
    await second.close();
  });
});

describe('the details', () => {
  test('change in place, by key and with Undo', async () => {
    await visitor.page.keyboard.press('c');
    await visitor.press('option', 'Billing');
    await waitUntil('the category is there', thread, ({ category }) => category?.name === 'Billing');
    await visitor.press('combobox', list.tags);
    await visitor.page.keyboard.type('Very Important');
    await visitor.page.keyboard.press('Enter');
    await visitor.page.keyboard.press('Enter');
    await waitUntil('the tag is there', thread, ({ tags }) => tags.join() === 'very-important');
    await chord('Control', 'KeyZ');
    await waitUntil('the tag is gone', thread, ({ tags }) => tags.length === 0);
  });

  test('show what the desk refuses next to the field', async () => {
    await visitor.fill('Seats', 'many');
    await visitor.page.keyboard.press('Enter');
    await visitor.page.waitForSelector('.property-value .field-problem');
    expect(await violations(visitor, parts)).toEqual([]);
    await visitor.fill('Seats', '12');
    await visitor.page.keyboard.press('Enter');
    await waitUntil('the value is there', thread, ({ custom_fields: fields }) => fields.seats === 12);
    await visitor.page.waitForSelector('.property-value .field-problem', { hidden: true });
  });

  test('explain a deadline, and show the console of the browser', async () => {
    await visitor.page.click('.clock-button:enabled');
    await visitor.see(d.ledgerStarted);
    await visitor.see('TypeError: x is undefined');
    expect(await violations(visitor, parts)).toEqual([]);
  });
});

test.each(['light', 'dark'] as const)(
  'axe finds nothing in the %s theme, nor is anything cut off at 360 px',
  async (theme) => {
    await visitor.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
    await type('**Text** with a /');
    expect(await violations(visitor, parts)).toEqual([]);
    await visitor.press('tab', t.note);
    expect(await violations(visitor, parts)).toEqual([]);
    await visitor.page.setViewport({ width: 360, height: 740 });
    for (const direction of ['ltr', 'rtl']) {
      await visitor.page.$eval('html', (html, dir) => html.setAttribute('dir', dir), direction);
      const outside = () =>
        visitor.page.$$eval('.composer button, .composer textarea, .composer p', (all) =>
          all
            .filter((one) => {
              const { left, right, width } = one.getBoundingClientRect();
              return width > 0 && (left < -1 || right > innerWidth + 1);
            })
            .map((one) => one.outerHTML.slice(0, 80)),
        );
      await waitUntil(`nothing is outside, ${direction}`, outside, ({ length }) => length === 0);
    }
  },
);
