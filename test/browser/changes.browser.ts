// What the console says about changes: in the row beside the open ticket, in notes with Undo, and about mail on its way.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { HTTPRequest, Page } from 'puppeteer-core';
import { violations } from './axe.ts';
import { type Chromium, intercept, startChromium, type Visitor } from './browser.ts';
import { keepNotes, keys, openTicketPage, rows, seeNoRow, seeRow, seeWritten, textOf, typeReply } from './journey.ts';
import { giveSession, owner, signInAs } from './owner.ts';
import { t } from './texts.ts';
import { startTicketDesk, type TicketDesk } from './ticket-desk.ts';
import { waitUntil } from './wait.ts';

let chromium: Chromium;
let desk: TicketDesk;
let visitor: Visitor;

beforeAll(async () => {
  chromium = await startChromium();
  desk = await startTicketDesk();
});
beforeEach(async () => {
  visitor = await chromium.visitor();
  visitor.expectStatus(503);
  await signInAs(visitor, desk);
});
afterEach(async () => {
  // What Chromium notes about a desk that is away.
  const faults = visitor.faults().filter((fault) => !/ERR_(?:CONNECTION|FAILED|EMPTY|INCOMPLETE)/.test(fault));
  await visitor.close();
  expect(faults).toEqual([]);
});
afterAll(async () => {
  await chromium.close();
  await desk.close();
});

/** Keeps requests with such addresses waiting. @returns for each pattern, what lets them go once one has come */
async function holdBack(page: Page, ...patterns: readonly RegExp[]): Promise<(() => Promise<void>)[]> {
  const held = patterns.map((pattern) => ({ pattern, isOpen: false, waiting: [] as HTTPRequest[] }));
  await intercept(page, (request) => {
    const place = held.find(({ pattern, isOpen }) => !isOpen && pattern.test(request.url()));
    if (place === undefined) void request.continue();
    else place.waiting.push(request);
  });
  return held.map((place) => async () => {
    await waitUntil(`${place.pattern} is asked for`, () => place.waiting.length > 0);
    place.isOpen = true;
    for (const request of place.waiting) void request.continue();
  });
}

const patch = (ulid: string, change: object) => desk.api('PATCH', `/tickets/${ulid}`, change);
/** All that the row of a ticket says, to the eye and in titles. */
const rowText = (subject: string): Promise<string> =>
  visitor.page.$$eval(
    '.ticket-row',
    (rows, wanted) => rows.find((row) => row.textContent?.includes(wanted))?.outerHTML ?? '',
    subject,
  );
const seeInRow = (subject: string, text: string) =>
  waitUntil(`the row of "${subject}" says "${text}"`, async () => (await rowText(subject)).includes(text));

describe('the row beside the open ticket', () => {
  test('says what the ticket is now, after a key and after a change elsewhere', async () => {
    await desk.openTicket('Older neighbour', 'Hello');
    const { ulid } = await desk.openTicket('Row to watch', 'Hello');
    await visitor.page.goto(`${desk.url}/inbox/all?sort=created_at`);
    await seeRow(visitor, 'Row to watch');
    await keys(visitor, 'Enter');
    await visitor.find('textbox', t.reply);
    await seeInRow('Row to watch', 'is-open');
    await keys(visitor, 'm');
    await seeInRow('Row to watch', owner.name);
    await keys(visitor, 'e');
    await seeInRow('Row to watch', t.statusResolved);
    await patch(ulid, { subject: 'Row to watch, renamed' });
    await seeInRow('Row to watch, renamed', 'is-open');
  });
});

test('under a reply stands what became of its mail, as soon as the desk knows', async () => {
  const { ulid } = await desk.openTicket('Mailed', 'Hello');
  await openTicketPage(visitor, desk, ulid);
  const release = desk.holdMail();
  try {
    await desk.api('POST', `/tickets/${ulid}/messages`, { body: 'Here you are.', agent_id: desk.site.owner.id });
    await visitor.see(t.deliveryQueued);
  } finally {
    release();
  }
  await visitor.see(t.deliverySent);
});

describe('keys in the list', () => {
  const read = async (ulid: string) => (await desk.api('GET', `/tickets/${ulid}`)).data;
  const underCursor = () => textOf(visitor, '.ticket-row.is-active .row-subject');

  test('go on meaning the same ticket when it has left the list, until the agent moves', async () => {
    await keepNotes(visitor);
    const next = await desk.openTicket('Next one', 'Hello');
    const { ulid, reference } = await desk.openTicket('Mine and urgent', 'Hello');
    await visitor.page.goto(`${desk.url}/inbox/unassigned?sort=created_at`);
    await seeRow(visitor, 'Mine and urgent');
    const before = await rows(visitor);
    await keys(visitor, 'm', 'p');
    await visitor.find('dialog', t.pickPriority(1));
    await visitor.page.keyboard.type('urg');
    await visitor.find('option', 'Urgent');
    await keys(visitor, 'Enter');
    await waitUntil(
      'it is urgent',
      () => read(ulid),
      ({ priority }) => priority.name === 'Urgent',
    );
    expect((await read(next.ulid)).priority.name).not.toBe('Urgent');
    expect(await underCursor()).toBe('Mine and urgent');
    await visitor.page.waitForSelector('.ticket-row.is-active.is-departed');
    expect(await rows(visitor)).toEqual(before);
    await visitor.see(`${reference} · ${t.didChange(1, 'Urgent')}`);
    await visitor.see(`${reference} · ${t.listDidAssign(1, owner.name)}`);
    await keys(visitor, 'j');
    await seeNoRow(visitor, 'Mine and urgent');
    expect(await underCursor()).toBe('Next one');
  });

  test('typed before the dialog and its options are there are meant for it, and Enter waits for them', async () => {
    const next = await desk.openTicket('Beside the hasty one', 'Hello');
    const { ulid } = await desk.openTicket('Hasty', 'Hello');
    // In a browser of its own, which has nothing of the console yet.
    const hasty = await chromium.visitor();
    const { page } = hasty;
    const letGo = await holdBack(page, /\/on-demand(?:-parts)?-\w+\.js$/, /\/ticket-choices\?/);
    await giveSession(hasty, desk);
    await page.goto(`${desk.url}/inbox/unassigned?sort=created_at`);
    await seeRow(hasty, 'Hasty');
    await keys(hasty, 'p', 'u', 'r', 'g', 'Enter', 'e');
    await letGo[0]!();
    await hasty.find('dialog', t.pickPriority(1));
    expect(await textOf(hasty, '.ticket-picker')).not.toContain(t.noneFound);
    await letGo[1]!();
    await waitUntil(
      'it is urgent',
      () => read(ulid),
      ({ priority }) => priority.name === 'Urgent',
    );
    expect(await page.$('dialog[open]')).toBeNull();
    expect(new URL(page.url()).pathname).toBe('/inbox/unassigned');
    for (const one of [ulid, next.ulid]) expect((await read(one)).status).toBe('open');
    expect((await read(next.ulid)).priority.name).not.toBe('Urgent');
    expect(hasty.faults()).toEqual([]);
    await hasty.close();
  });

  test.each(['light', 'dark'] as const)('leave a row that can be read in the %s theme', async (theme) => {
    await desk.openTicket(`Grey in ${theme}`, 'Hello');
    const other = await chromium.visitor({ theme });
    await signInAs(other, desk);
    await other.page.goto(`${desk.url}/inbox/unassigned?sort=created_at`);
    await seeRow(other, `Grey in ${theme}`);
    await keys(other, 'm');
    await other.page.waitForSelector('.ticket-row.is-active.is-departed');
    expect(await violations(other, ['.ticket-row.is-departed'])).toEqual([]);
    await keys(other, 'x');
    await other.page.waitForSelector('.ticket-row.is-selected.is-departed');
    expect(await violations(other, ['.ticket-row.is-departed'])).toEqual([]);
    await other.close();
  });

  test('take back what was done, also when its note is gone, but not what someone changed since', async () => {
    const { ulid, reference } = await desk.openTicket('Back and forth', 'Hello');
    await visitor.page.goto(`${desk.url}/inbox/unassigned?sort=created_at`);
    await seeRow(visitor, 'Back and forth');
    await keys(visitor, 'm');
    const note = `${reference} · ${t.listDidAssign(1, owner.name)}`;
    await visitor.see(note);
    await waitUntil('the note is gone', async () => !(await textOf(visitor, '.toasts')).includes(note));
    await keys(visitor, 'Control+z');
    await visitor.see(t.takenBack(note));
    expect((await read(ulid)).assignee).toBeNull();
    await keys(visitor, 'm');
    await seeInRow('Back and forth', 'is-departed');
    await patch(ulid, { assigned_to: null });
    await waitUntil('the row shows it', async () => !(await rowText('Back and forth')).includes('is-departed'));
    await keys(visitor, 'Control+z');
    await visitor.see(t.changedSince(reference));
  });
});

describe('a reply', () => {
  const read = async (ulid: string) => (await desk.api('GET', `/tickets/${ulid}`)).data;

  test('is called sent, and its ticket resolved, when they are', async () => {
    const { ulid, reference } = await desk.openTicket('Not yet', 'Hello');
    await openTicketPage(visitor, desk, ulid);
    await typeReply(visitor, 'Done.');
    await keys(visitor, 'Control+Shift+Enter');
    await visitor.see(`${reference} · ${t.replyHeldResolved}`);
    expect(await textOf(visitor, '.toasts')).not.toContain(t.replySent);
    await visitor.see(`${reference} · ${t.replySentResolved}`);
    const { status, messages } = await read(ulid);
    expect([status, messages.at(-1).send_at]).toEqual(['resolved', null]);
  });

  test('whose answer was lost on the way is not called unsent once the desk is known to have it', async () => {
    const { ulid } = await desk.openTicket('Lost answer', 'Hello');
    // The desk answers, and the connection breaks before the browser has the answer. A page that is open already may send past it.
    const session = await visitor.page.createCDPSession();
    let status: number | undefined;
    session.on('Fetch.requestPaused', ({ requestId, responseStatusCode }) => {
      status = responseStatusCode;
      void session.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionReset' });
    });
    const patterns = [{ urlPattern: '*/messages', requestStage: 'Response' as const }];
    await session.send('Fetch.enable', { patterns });
    await openTicketPage(visitor, desk, ulid);
    await typeReply(visitor, 'Once is enough.');
    await visitor.see(t.draftSaved);
    await keys(visitor, 'Control+Enter');
    await waitUntil('the desk has answered', () => status !== undefined);
    expect(status).toBe(201);
    await seeWritten(visitor, '');
    await waitUntil(
      'nothing is called unsent',
      async () => (await visitor.page.$('.composer .notice.problem')) === null,
    );
    expect((await read(ulid)).messages).toHaveLength(2);
  });
});

test('what found no connection is sent once there is one: a change, and a reply whose agent went on', async () => {
  const { ulid } = await desk.openTicket('Sent again', 'Hello');
  await openTicketPage(visitor, desk, ulid);
  await typeReply(visitor, 'Sent as it was.');
  await visitor.see(t.draftSaved);
  let sent = 0;
  visitor.page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/messages')) sent += 1;
  });
  await visitor.page.setOfflineMode(true);
  await visitor.see(t.connectionOffline);
  await keys(visitor, 'Control+Enter');
  await visitor.see(t.sentWhenBack);
  await keys(visitor, 'Escape', 'e');
  await visitor.see(t.changeWaits);
  await keys(visitor, 'u');
  await visitor.at('/inbox/mine');
  await visitor.page.setOfflineMode(false);
  const { status, messages } = await waitUntil(
    'both arrived',
    async () => (await desk.api('GET', `/tickets/${ulid}`)).data,
    (ticket) => ticket.status === 'resolved' && ticket.messages.length === 2,
  );
  expect([status, messages[1].body, sent]).toEqual(['resolved', 'Sent as it was.', 2]);
  await waitUntil('nothing is said any more', async () => (await textOf(visitor, '.connection')) === '');
  visitor.faults();
});

test('what finds a connection that lasts a moment is sent with the next one', async () => {
  const { ulid } = await desk.openTicket('Comes and goes', 'Hello');
  await openTicketPage(visitor, desk, ulid);
  await typeReply(visitor, 'At the third try.');
  await visitor.see(t.draftSaved);
  let sent = 0;
  let changed = 0;
  await intercept(visitor.page, (request) => {
    const [method, url] = [request.method(), request.url()];
    if (method === 'POST' && url.endsWith('/messages')) sent += 1;
    else if (method === 'PATCH') changed += 1;
    else return void request.continue();
    return void ((method === 'PATCH' ? changed : sent) < 3 ? request.abort('connectionreset') : request.continue());
  });
  await keys(visitor, 'Control+Enter', 'Escape', 'e');
  await waitUntil(
    'both arrived',
    async () => (await desk.api('GET', `/tickets/${ulid}`)).data,
    (ticket) => ticket.status === 'resolved' && ticket.messages.length === 2,
  );
  expect([sent, changed]).toEqual([3, 3]);
  visitor.faults();
});

test('a reply that waits for a connection and becomes a note is not sent, which the page says', async () => {
  const { ulid } = await desk.openTicket('Waits', 'Hello');
  await openTicketPage(visitor, desk, ulid);
  await typeReply(visitor, 'To the customer.');
  await visitor.see(t.draftSaved);
  await visitor.page.setOfflineMode(true);
  await visitor.see(t.connectionOffline);
  await keys(visitor, 'Control+Enter');
  await visitor.see(t.sentWhenBack);
  await keys(visitor, 'Escape', 'n');
  await visitor.find('tab', t.note);
  const told = () => textOf(visitor, '.composer .notice.problem');
  await waitUntil('it is not promised any more', told, (text) => text.startsWith(t.notSent('')));
  await visitor.page.setOfflineMode(false);
  await waitUntil('the connection is back', async () => (await textOf(visitor, '.connection')) === '');
  expect(await told()).toStartWith(t.notSent(''));
  expect((await desk.api('GET', `/tickets/${ulid}`)).data.messages).toHaveLength(1);
  visitor.faults();
});

test('what was read while the desk was away is marked as read when it is back', async () => {
  const { ulid } = await desk.openTicket('Read offline', 'Hello');
  const { page } = visitor;
  let isAway = true;
  let refused = 0;
  await intercept(page, (request) => {
    const isMark = isAway && /\/(?:read|presence)$/.test(request.url());
    if (isMark) refused += 1;
    void (isMark ? request.abort('connectionreset') : request.continue());
  });
  await openTicketPage(visitor, desk, ulid);
  await waitUntil('the mark was lost', () => refused > 0);
  await keys(visitor, 'u');
  await visitor.at('/inbox/mine');
  isAway = false;
  await desk.stop();
  await desk.start();
  const isUnread = (ticket: string) =>
    fetch(`/api/v1/tickets/${ticket}`).then(async (answer) => (await answer.json()).data.is_unread as boolean);
  await waitUntil(
    'it is read',
    () => page.evaluate(isUnread, ulid),
    (unread) => unread === false,
  );
});

test('a part of the console that was asked for while the desk was away is there when the desk is back', async () => {
  const { ulid } = await desk.openTicket('Opened while away', 'Hello');
  // In a browser of its own, which has nothing of the console yet.
  const other = await chromium.visitor();
  other.expectStatus(503);
  const { page } = other;
  let isAway = true;
  let isAsked = false;
  await intercept(page, (request) => {
    isAsked ||= /\/ticket-page-\w+\.js$/.test(request.url());
    void (isAway && isAsked ? request.abort('connectionreset') : request.continue());
  });
  await signInAs(other, desk);
  await waitUntil('the part is asked for', () => isAsked);
  await page.evaluate((path) => {
    history.pushState(null, '', path);
    dispatchEvent(new PopStateEvent('popstate'));
  }, `/tickets/${ulid}`);
  await other.see(t.partMissing);
  isAway = false;
  await desk.stop();
  await desk.start();
  await other.find('textbox', t.reply);
  // The browser's own words for a connection that broke are all there is.
  expect(other.faults().filter((fault) => !/ERR_(?:CONNECTION|FAILED|EMPTY|INCOMPLETE)/.test(fault))).toEqual([]);
  await other.close();
});
