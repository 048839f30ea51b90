// The ticket page: its conversation, header and dialogs, what arrives meanwhile, and content that means harm.

import { beforeAll, describe, expect, test } from 'bun:test';
import { visitForEachTest } from '../support/visitors.ts';
import { violations } from './axe.ts';
import { type Chromium, drawn, type Visitor } from './browser.ts';
import { keepNotes, keys } from './journey.ts';
import { t } from './texts.ts';
import { hostileMail, onePixel, smallPdf, startTicketDesk, type TicketDesk } from './ticket-desk.ts';
import { waitUntil } from './wait.ts';

let chromium: Chromium;
let desk: TicketDesk;
let visitor: Visitor;
visitForEachTest({
  async open(started) {
    chromium = started;
    desk = await startTicketDesk();
    return desk;
  },
  come: (each) => {
    visitor = each;
  },
});

const textOf = (selector: string) => visitor.page.$eval(selector, (element) => element.textContent ?? '');
const read = async (ulid: string) => (await desk.api('GET', `/tickets/${ulid}`)).data;
const reply = (ulid: string, body: string, more: object = {}) =>
  desk.api('POST', `/tickets/${ulid}/messages`, { body, agent_id: desk.site.owner.id, ...more });
const customerSays = (reference: string, body: string) =>
  desk.receive(
    `From: mia@example.org\nTo: shop@desk.example\nSubject: Re: [${reference}]\nMessage-ID: <${body.length}.${performance.now()}@x>\n\n${body}\n`,
  );
async function choose(label: string, option: string): Promise<void> {
  await visitor.press('combobox', label);
  await visitor.press('option', option);
}

describe('a ticket', () => {
  test('shows messages, notes and events in order, and what they are', async () => {
    const { ulid } = await desk.openTicket('Where is my parcel?', 'It should have come on Monday.');
    await desk.api('POST', `/tickets/${ulid}/notes`, { body: 'The warehouse knows.', agent_name: 'Ana' });
    await desk.api('PATCH', `/tickets/${ulid}`, { tags: ['parcel'] });
    await reply(ulid, '**Sorry!** See [the tracker](https://example.org).', {
      body_format: 'markdown',
      status: 'pending',
    });
    await desk.signIn(visitor, `/tickets/${ulid}`);
    expect(await textOf('main h1')).toBe('Where is my parcel?');
    expect(await visitor.isThere('log', t.conversation)).toBe(true);
    const entries = () =>
      visitor.page.$$eval('.entry:has(.message, .event-line)', (all) =>
        all.map((entry) => {
          const said = entry.querySelector('.plain-text, .rich, .event-line p')?.firstChild?.textContent ?? '';
          return said.replace(/[\u2068\u2069]/g, '');
        }),
      );
    const order = await waitUntil('everything is there', entries, ({ length }) => length >= 5);
    expect(order).toEqual([
      'It should have come on Monday.',
      'The warehouse knows.',
      'tests added the tag parcel',
      'Sorry! See the tracker.',
      'tests set status to Pending',
    ]);
    expect(await textOf('.message.note .badge')).toContain(t.noteBadge);
    expect(await textOf('.rich strong')).toBe('Sorry!');
    expect(
      await visitor.page.$eval('.rich a', (link) => [
        (link as HTMLAnchorElement).href,
        (link as HTMLAnchorElement).rel,
      ]),
    ).toEqual(['https://example.org/', 'noopener noreferrer nofollow']);
    expect(await violations(visitor)).toEqual([]);
  });

  test('is changed from its header at once, and taken back', async () => {
    const { ulid, reference } = await desk.openTicket('Header', 'Hello');
    await desk.signIn(visitor, `/tickets/${ulid}`);
    await keepNotes(visitor);
    await choose(t.status, 'Resolved');
    await visitor.see(`${reference} · ${t.didResolve(1)}`);
    await waitUntil('resolved at the desk', async () => (await read(ulid)).status === 'resolved');
    await visitor.press('button', t.undo);
    await waitUntil('open again', async () => (await read(ulid)).status === 'open');
    await visitor.page.keyboard.press('m');
    await waitUntil('mine', async () => (await read(ulid)).assignee?.id === desk.site.owner.id);
    await visitor.press('button', 'Header');
    await visitor.fill(t.subject, 'A better subject');
    await visitor.page.keyboard.press('Enter');
    await visitor.find('heading', 'A better subject');
    await waitUntil('the subject', async () => (await read(ulid)).subject === 'A better subject');
    expect(await visitor.page.title()).toContain('A better subject');
  });

  test('shows again what it was when the desk refuses a change, and why', async () => {
    const { ulid } = await desk.openTicket('Refused', 'Hello');
    await desk.signIn(visitor, `/tickets/${ulid}`);
    visitor.expectStatus(409);
    // Someone else closes it, which this page has not heard of yet.
    await visitor.page.setOfflineMode(false);
    await desk.api('PATCH', `/tickets/${ulid}`, { status: 'closed' });
    await waitUntil('closed on the page', async () =>
      (await textOf('[role=combobox][aria-label=Status]')).includes('Closed'),
    );
    await choose(t.status, 'Pending');
    await visitor.see('The change was taken back');
    await waitUntil('closed again', async () =>
      (await textOf('[role=combobox][aria-label=Status]')).includes('Closed'),
    );
  });

  test('is snoozed until a time, which the header shows', async () => {
    const { ulid } = await desk.openTicket('Snoozed', 'Hello');
    await desk.signIn(visitor, `/tickets/${ulid}`);
    await visitor.page.keyboard.press('z');
    await visitor.press('menuitem', t.snoozeTomorrow);
    await waitUntil('snoozed', async () => (await read(ulid)).snoozed_until !== null);
    await visitor.see('Until ');
    await visitor.page.keyboard.press('z');
    await visitor.press('menuitem', t.snoozeEnd);
    await waitUntil('open', async () => (await read(ulid)).snoozed_until === null);
  });

  test('that is not there, or not to be seen, says so inside the console', async () => {
    visitor.expectStatus(404);
    await desk.signIn(visitor, '/tickets/01K4VJ8Q4N7RM2ZC6B0T3XWYDE');
    expect(await textOf('main h1')).toBe(t.notFound);
    expect(await visitor.isThere('link', t.viewMine)).toBe(true);
  });

  test('that was merged leads to the other one', async () => {
    const from = await desk.openTicket('Twice', 'Once more');
    const into = await desk.openTicket('The first one', 'Hello');
    await desk.signIn(visitor, `/tickets/${from.ulid}`);
    await visitor.press('button', t.moreActions);
    await visitor.press('menuitem', t.merge);
    await visitor.page.waitForSelector(`.merge-row[id$="${into.ulid}"]`).then((row) => row?.click());
    await visitor.press('button', t.mergeInto(into.reference));
    await visitor.at(`/tickets/${into.ulid}`);
    await visitor.see('Once more');
    expect((await read(from.ulid)).merged_into).toBe(into.ulid);
    await visitor.page.goto(`${desk.url}/tickets/${from.ulid}`);
    await visitor.at(`/tickets/${into.ulid}`);
    await visitor.see(t.mergedFrom(from.reference));
  });

  test('that was merged is whole again after Undo, and later by its line in the history, by keyboard', async () => {
    await keepNotes(visitor);
    const from = await desk.openTicket('Merged by mistake', 'Mine');
    const into = await desk.openTicket('Something else', 'Theirs');
    await desk.signIn(visitor, `/tickets/${from.ulid}`);
    const merge = async () => {
      await visitor.press('button', t.moreActions);
      await visitor.press('menuitem', t.merge);
      await visitor.page.waitForSelector(`.merge-row[id$="${into.ulid}"]`).then((row) => row?.click());
      await visitor.press('button', t.mergeInto(into.reference));
      await visitor.at(`/tickets/${into.ulid}`);
      await visitor.see(t.mergedFrom(from.reference));
    };
    await merge();
    await visitor.press('button', 'Undo');
    await visitor.at(`/tickets/${from.ulid}`);
    await visitor.see(t.mergeUndone(from.reference));
    expect(await read(from.ulid)).toMatchObject({ merged_into: null, status: 'open', message_count: 1 });
    await visitor.find('heading', 'Merged by mistake');
    await merge();
    await visitor.page.reload();
    const undo = await visitor.find('button', t.undoMergeOf(from.reference));
    expect(await violations(visitor, ['.thread'])).toEqual([]);
    const title = await undo.evaluate((button) => button.closest('[title]')?.getAttribute('title') ?? '');
    expect(title).toStartWith(t.undoMergeUntil('').trimEnd());
    await undo.focus();
    await visitor.page.keyboard.press('Enter');
    await visitor.see(t.mergeUndone(from.reference));
    await waitUntil(
      'the other one has only its own words, at once',
      () => visitor.page.$$eval('.thread .message', (all) => all.length),
      (count) => count === 1,
    );
    expect(new URL(visitor.page.url()).pathname).toBe(`/tickets/${into.ulid}`);
    expect(await visitor.isThere('button', t.undoMergeOf(from.reference))).toBe(false);
    await visitor.press('link', t.goToTicket(from.reference));
    await visitor.find('heading', 'Merged by mistake');
    await visitor.see('Mine');
  });

  test('is split from a message on', async () => {
    const { ulid } = await desk.openTicket('Two things', 'First thing');
    await reply(ulid, 'Second thing');
    await desk.signIn(visitor, `/tickets/${ulid}`);
    await (await visitor.page.$$('.message header .icon-button'))[1]?.click();
    await visitor.press('menuitem', t.split);
    await visitor.fill(t.subject, 'The second thing');
    await visitor.press('button', t.split);
    await visitor.find('heading', 'The second thing');
    expect(await visitor.page.$$eval('.message', (all) => all.length)).toBe(1);
  });

  test('has the other tickets of its customer beside it', async () => {
    const [older, shown] = [
      await desk.openTicket('The first question', 'Hello', 'often@example.org'),
      await desk.openTicket('The second question', 'Hello', 'often@example.org'),
    ];
    await desk.signIn(visitor, `/tickets/${shown.ulid}`);
    expect(await waitUntil('they are there', () => textOf('.others ul'))).toContain('The first question');
    await visitor.press('link', `${older.reference} The first question`);
    await visitor.find('heading', 'The first question');
  });

  test('erases its author after a question', async () => {
    const { ulid } = await desk.openTicket('Forget me', 'Hello', 'gone@example.org');
    await desk.signIn(visitor, `/tickets/${ulid}`);
    await visitor.press('button', t.moreActions);
    await visitor.press('menuitem', t.erase);
    expect(await violations(visitor)).toEqual([]);
    await visitor.page.click('dialog .button.danger');
    await waitUntil('erased', async () => (await read(ulid)).author.anonymised_at !== null);
  });
});

describe('the keyboard', () => {
  test('leads to the neighbours in the list, and back to it', async () => {
    const older = await desk.openTicket('Older one', 'Hello');
    const newer = await desk.openTicket('Newer one', 'Hello');
    await desk.signIn(visitor, '/inbox/all');
    await visitor.page.evaluate(
      (path) => document.querySelector<HTMLElement>(`a[href^="${path}"]`)?.click(),
      `/tickets/${newer.ulid}`,
    );
    await visitor.find('heading', 'Newer one');
    await visitor.page.keyboard.press('j');
    await visitor.find('heading', 'Older one');
    expect(new URL(visitor.page.url()).pathname).toBe(`/tickets/${older.ulid}`);
    await visitor.page.keyboard.press('k');
    await visitor.find('heading', 'Newer one');
    await visitor.page.keyboard.press('u');
    await visitor.at('/inbox/all');
  });

  test('moves on with two requests for each ticket, also with mentions, on several sites, and where an agent stays long', async () => {
    const { page } = visitor;
    const tickets: { ulid: string }[] = [];
    const sites = [desk.site];
    for (const name of ['Second shop', 'Third shop']) sites.push((await desk.api('POST', '/sites', { name })).data);
    for (let at = 0; at < 6; at += 1) {
      const from = { site_id: sites[at % 3].id, email: `step${at}@example.org`, name: 'Mia Jansen' };
      tickets.push((await desk.api('POST', '/tickets', { ...from, subject: `Step ${at}`, message: 'Hello' })).data);
    }
    const inPage = (method: string, path: string) =>
      page.evaluate(async (...[how, what]) => (await fetch(`/api/v1/${what}`, { method: how })).text(), method, path);
    await desk.signIn(visitor, '/inbox/all');
    await inPage('PUT', `tickets/${tickets[2]?.ulid}/read`);
    const mention = ({ ulid }: { ulid: string }) =>
      desk.api('POST', `/tickets/${ulid}/notes`, { body: 'Look.', mentions: [desk.site.owner.id] });
    for (const ticket of tickets) for (let times = 0; times < 2; times += 1) await mention(ticket);
    // More than a page knows of.
    const [last] = tickets;
    for (let times = 2; times < 12; times += 1) await mention(last as { ulid: string });
    // What is due while an agent stays is due at once, and what is due later never. Each ticket is read for eight seconds.
    await page.evaluateOnNewDocument(() => {
      const { setTimeout: later } = window;
      const skip = (run: () => void, ms = 0) => later(run, ms < 3000 ? ms : ms <= 6000 ? 0 : 2 ** 31 - 1);
      const { now } = Date;
      const reading = { ms: 0 };
      Object.assign(window, { setTimeout: skip, reading });
      Date.now = () => now() + reading.ms;
    });
    let asked: string[] = [];
    page.on('request', (request) => {
      const path = /\/api\/v1\/([^?]+)/.exec(request.url())?.[1] ?? 'live';
      if (path !== 'live') asked.push(`${request.method()} ${path}`);
    });
    const hasAsked = async (...wanted: string[]) => {
      for (const one of wanted) await waitUntil(`asked ${one}`, () => asked.includes(one));
    };
    const presenceOf = (at: number) => `POST tickets/${tickets[at]?.ulid}/presence`;
    await desk.signIn(visitor, '/inbox/all');
    await page.evaluate(
      (path) => document.querySelector<HTMLElement>(`a[href^="${path}"]`)?.click(),
      `/tickets/${tickets[5]?.ulid}`,
    );
    // With the first ticket it asks for what belongs to all sites.
    await hasAsked(presenceOf(5), 'GET ticket-choices');
    asked = [];
    for (const at of [4, 3, 2, 1]) {
      await page.evaluate(() => {
        (window as unknown as { reading: { ms: number } }).reading.ms += 8000;
      });
      await page.keyboard.press('j');
      await visitor.find('heading', `Step ${at}`);
      await hasAsked(presenceOf(at));
    }
    // What came of it has been heard.
    await page.waitForFunction(() => document.querySelector('.bell-count')?.textContent === '12');
    const reads = asked.filter((one) => /^GET tickets\/\w+$/.test(one));
    expect(new Set(reads).size).toBe(reads.length);
    expect(reads.length).toBeLessThanOrEqual(5);
    const others = asked.filter((one) => !reads.includes(one));
    expect(others.sort()).toEqual([4, 3, 2, 1].map(presenceOf).sort());
    await page.goto('about:blank');
    for (const { slug } of sites.slice(1)) await desk.api('DELETE', `/sites/${slug}?confirm=${slug}`);
  });

  test.each([1440, 720])(
    'opens each choice by its key, which Escape leaves as it was, %d pixels wide',
    async (width) => {
      const { page } = visitor;
      const { ulid } = await desk.openTicket('By its keys', 'Hello');
      await page.setViewport({ width, height: 900 });
      await desk.signIn(visitor, `/tickets/${ulid}`);
      const before = await read(ulid);
      const menu = await visitor.find('button', t.moreActions);
      const inside = 'dialog[open] :focus, :popover-open :focus, [aria-expanded=true]:focus';
      for (const key of ['a', 's', 'z', 'p', 'c', 't']) {
        await menu.focus();
        await page.keyboard.press(key as 'a');
        await page.waitForSelector(inside);
        await page.keyboard.press('Escape');
        await page.waitForSelector('dialog[open], :popover-open', { hidden: true });
        await visitor.focusOn('aria-label', t.moreActions);
      }
      expect(await read(ulid)).toEqual(before);
      await page.keyboard.press('t');
      await page.waitForSelector(inside);
      await page.keyboard.type('wheel');
      await keys(visitor, 'Enter', 'Enter');
      await waitUntil('it has the tag', async () => (await read(ulid)).tags.includes('wheel'));
    },
  );

  test('opens the conversation first, and then what stands beside it', async () => {
    const { ulid } = await desk.openTicket('Quickly', 'Hello');
    await desk.signIn(visitor, '/inbox/all');
    await visitor.page.waitForSelector(`.is-active .row-link[href$="${ulid}"]`);
    // Its code and what it says are there from now on.
    await visitor.page.keyboard.press('o');
    await visitor.page.waitForSelector('.thread .message');
    await visitor.page.keyboard.press('u');
    await visitor.page.waitForSelector(`.list-page .is-active .row-link[href$="${ulid}"]`);
    const later = { list: '.beside-list .ticket-row', details: '.details-pane .details' };
    await visitor.page.evaluate(({ list, details }) => {
      const drawn: string[] = [];
      const note = (name: string, isThere: boolean) => {
        if (isThere && !drawn.includes(name)) drawn.push(name);
      };
      // It is told of everything that one task drew at once. What is there then is in the same frame.
      new MutationObserver((changes) => {
        const isBeside = document.querySelector(list) !== null || document.querySelector(details) !== null;
        note(isBeside ? 'all' : 'conversation', document.querySelector('.thread .message') !== null);
        const wereOther = changes.some(({ oldValue }) => oldValue?.includes('two-lines'));
        note('rows that became others', wereOther && document.querySelector('.list-page') !== null);
      }).observe(document.body, {
        childList: true,
        subtree: true,
        attributeFilter: ['class'],
        attributeOldValue: true,
      });
      Object.assign(window, { drawn });
    }, later);
    await visitor.page.keyboard.press('o');
    await visitor.page.waitForSelector(later.list);
    await visitor.page.waitForSelector(later.details);
    await visitor.page.keyboard.press('u');
    await visitor.page.waitForSelector('.list-page .ticket-row');
    expect(await visitor.page.evaluate(() => (window as unknown as { drawn: string[] }).drawn)).toEqual([
      'conversation',
      'all',
    ]);
  });

  test('reaches every control of the page, and what scrolls', async () => {
    const { ulid } = await desk.openTicket('By keyboard', 'Hello');
    await desk.signIn(visitor, `/tickets/${ulid}`);
    const reached = new Set<string>();
    for (let presses = 0; presses < 150; presses += 1) {
      await visitor.page.keyboard.press('Tab');
      const name = await visitor.page.evaluate(() => {
        const element = document.activeElement;
        return element?.closest('main') ? (element.getAttribute('aria-label') ?? element.textContent ?? '') : '';
      });
      if (name !== '') reached.add(name.trim());
    }
    for (const name of [
      t.status,
      t.assignee,
      t.snooze,
      t.moreActions,
      t.conversation,
      'By keyboard',
      t.messageActions('Mia Jansen'),
    ])
      expect([...reached], name).toContain(name);
  });
});

describe('panes', () => {
  test('are folded away and remembered, and a narrow screen shows one', async () => {
    const { ulid } = await desk.openTicket('Panes', 'Hello');
    await desk.signIn(visitor, `/tickets/${ulid}`);
    await visitor.press('button', t.hideDetails);
    await visitor.press('button', t.hideList);
    await visitor.page.reload();
    await visitor.page.waitForSelector('.thread .message');
    await visitor.find('button', t.showDetails);
    expect(await visitor.page.$('.beside-list, .details-pane')).toBeNull();
    await visitor.page.setViewport({ width: 390, height: 800 });
    await visitor.press('button', t.showDetails);
    await visitor.find('region', t.detailsRegion);
    await waitUntil('no conversation', () =>
      visitor.page.$eval('.thread', (thread) => (thread as HTMLElement).offsetParent === null),
    );
    await visitor.press('button', t.backToConversation);
    await waitUntil('the conversation', () =>
      visitor.page.$eval('.thread', (thread) => (thread as HTMLElement).offsetParent !== null),
    );
  });
});

describe('live', () => {
  test('a reply appears without moving what is read, and is announced', async () => {
    const { ulid, reference } = await desk.openTicket('Live', 'Hello');
    for (let number = 1; number <= 30; number += 1) await reply(ulid, `Line ${number}\n\nwith more text`);
    // It stands behind everything that arrives.
    await reply(ulid, 'Tomorrow', { send_at: new Date(Date.now() + 86_400_000).toISOString() });
    await desk.signIn(visitor, `/tickets/${ulid}`);
    await visitor.see('Line 30');
    await visitor.page.$eval('.thread', (thread) => thread.scrollBy(0, -900));
    await drawn(visitor);
    const place = () =>
      visitor.page.$eval('.thread', (thread) =>
        [...thread.querySelectorAll('.message')].map((one) => one.getBoundingClientRect().top).find((top) => top > 200),
      );
    const before = await place();
    await customerSays(reference, 'This one is new');
    await visitor.find('button', t.newMessage);
    expect(await place()).toBe(before);
    await visitor.press('button', t.newMessage);
    await waitUntil('at the newest', () =>
      visitor.page.$eval('.thread', (thread) => thread.scrollHeight - thread.scrollTop - thread.clientHeight < 60),
    );
  });

  test('a change elsewhere is shown in place', async () => {
    const { ulid } = await desk.openTicket('Elsewhere', 'Hello');
    await desk.signIn(visitor, `/tickets/${ulid}`);
    await desk.api('PATCH', `/tickets/${ulid}`, { status: 'pending', subject: 'Changed elsewhere' });
    await visitor.find('heading', 'Changed elsewhere');
    await waitUntil('pending', async () => (await textOf('[role=combobox][aria-label=Status]')).includes('Pending'));
  });

  test('a scheduled reply waits at the end and is withdrawn', async () => {
    const { ulid } = await desk.openTicket('Later', 'Hello');
    await reply(ulid, 'Tomorrow then.', { send_at: new Date(Date.now() + 86_400_000).toISOString() });
    await desk.signIn(visitor, `/tickets/${ulid}`);
    await visitor.see('Tomorrow then.');
    await visitor.press('button', t.withdraw);
    await waitUntil('gone', async () => !(await textOf('.thread')).includes('Tomorrow then.'));
  });

  test('a failed mail says why, and is sent again', async () => {
    const { ulid } = await desk.openTicket('Failed', 'Hello');
    await reply(ulid, 'By mail');
    await desk.mail();
    await waitUntil('sent', async () => (await read(ulid)).messages[1].delivery?.status === 'sent');
    desk.sql(
      `UPDATE messages SET delivery = '{"status":"failed","at":"2026-01-01T00:00:00Z","error":"550 no such mailbox"}', recipients = NULL WHERE body = 'By mail'`,
    );
    await desk.signIn(visitor, `/tickets/${ulid}`);
    await visitor.see('550 no such mailbox');
    await visitor.press('button', t.sendAgain);
    await visitor.see(t.sendsAgain);
  });

  test('of several whom a reply did not reach, one gets it again', async () => {
    const { ulid } = await desk.openTicket('Failed for two', 'Hello');
    const cc = [{ email: 'bo@example.org' }, { email: 'cy@example.org' }];
    await reply(ulid, 'To three', { cc });
    await waitUntil('sent', async () => (await read(ulid)).messages[1].delivery?.status === 'sent');
    desk.sql(`UPDATE messages SET delivery = json_set(delivery, '$.status', 'failed'), recipients = (
      SELECT json_group_array(json_set(value, '$.status', iif(key = 0, 'sent', 'failed'))) FROM json_each(recipients)
    ) WHERE body = 'To three'`);
    await desk.signIn(visitor, `/tickets/${ulid}`);
    await visitor.press('button', t.messageActions(desk.site.owner.name));
    await visitor.press('menuitem', t.sendAgainTo('\u2068cy@example.org\u2069'));
    await visitor.see(t.sendsAgain);
    const statuses = async () =>
      (await read(ulid)).messages[1].recipients.map(({ status }: { status: string }) => status).join();
    await waitUntil('it is sent to her', statuses, (found) => found === 'sent,failed,sent');
    // Whom an agent removed gets it only by name.
    const [bo] = (await desk.api('GET', `/tickets/${ulid}/participants`)).data;
    await desk.api('DELETE', `/tickets/${ulid}/participants/${bo.id}`);
    await waitUntil('the button is gone', async () => !(await visitor.isThere('button', t.sendAgain)));
    await visitor.press('button', t.messageActions(desk.site.owner.name));
    await visitor.press('menuitem', t.sendAgainTo('\u2068bo@example.org\u2069'));
    await waitUntil('it is sent to him', statuses, (found) => found === 'sent,sent,sent');
  });

  test('a colleague who has it open is named, and is seen typing', async () => {
    const { ulid } = await desk.openTicket('Together', 'Hello');
    await desk.command('agent', 'invite', '--email', 'ben@example.org', '--name', 'Ben', '--role', 'member');
    const other = await chromium.visitor();
    await desk.signIn(visitor, `/tickets/${ulid}`);
    await desk.signIn(other, `/tickets/${ulid}`, 'ben@example.org');
    await waitUntil('Ben is here', () =>
      visitor.page.$eval('.ticket-header', (header) => header.querySelector('.present[aria-label*="Ben"]') !== null),
    );
    await other.fill('Reply', 'I am on it');
    await visitor.see('is typing');
    await other.close();
  });
});

test('an own note is changed and deleted by keyboard, and the focus stays in the conversation', async () => {
  const { page } = visitor;
  const { ulid } = await desk.openTicket('With a note', 'Hello');
  await desk.signIn(visitor, `/tickets/${ulid}`);
  const { keyboard } = page;
  const send = async () => {
    await keyboard.down('Control');
    await keyboard.press('Enter');
    await keyboard.up('Control');
  };
  await keyboard.press('n');
  await page.waitForSelector('.editor.is-note textarea:focus');
  await keyboard.type('First');
  await send();
  await page.waitForSelector('.message.note');
  await visitor.see(t.noteAdded);
  const choose = async (item: string) => {
    await (await page.$('.message.note header [aria-haspopup=menu]'))?.focus();
    await keyboard.press('Enter');
    await page.waitForSelector('[role=menuitem]:focus');
    const at = () => page.evaluate(() => document.activeElement?.textContent);
    for (let step = 0; step < 10 && (await at()) !== item; step += 1) await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
  };
  const problem = () => page.$eval('.note-editor .composer-problem', ({ textContent }) => textContent);
  await choose(t.changeNote);
  await page.waitForSelector('.note-editor textarea:focus');
  for (let letter = 0; letter < 5; letter += 1) await keyboard.press('Backspace');
  await send();
  await waitUntil('an empty one is refused', async () => (await problem()) === t.required);
  await keyboard.type('Second');
  expect(await problem()).toBe('');
  await page.reload();
  await page.waitForSelector('.note-editor textarea');
  await (await page.$('.note-editor textarea'))?.focus();
  await send();
  await page.waitForSelector('.message.note:focus');
  expect((await read(ulid)).messages.at(-1)).toMatchObject({ body: 'Second', edited_at: expect.any(String) });
  await choose(t.changeNote);
  await visitor.press('button', t.cancel);
  await page.waitForSelector('.message.note:focus');
  await choose(t.deleteNote);
  await page.waitForSelector('dialog[open]');
  await visitor.press('button', t.deleteNote);
  await page.waitForSelector('.message.note', { hidden: true });
  await page.waitForSelector('.message.from-customer:focus');
  expect((await read(ulid)).messages).toHaveLength(1);
});

test('the mail that a message came by is shown by keyboard, as text, and downloaded', async () => {
  const { page } = visitor;
  const ulid = await desk.receive(hostileMail);
  await desk.signIn(visitor, `/tickets/${ulid}`);
  await (await page.$('.thread .message header [aria-haspopup=menu]'))?.focus();
  await page.keyboard.press('Enter');
  await page.waitForSelector('[role=menu]:popover-open [role=menuitem]:focus');
  const active = () => page.evaluate(() => document.activeElement?.textContent);
  for (let step = 0; step < 10 && (await active()) !== t.showOriginal; step += 1)
    await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForSelector('dialog[open] .original-source');
  const shown = () => page.$eval('dialog[open] .original', (element) => element.textContent ?? '');
  expect(await shown()).toContain('<script>parent.steal(); top.location');
  expect(await page.$$eval('dialog[open] .original *', (all) => all.map(({ localName }) => localName))).not.toContain(
    'script',
  );
  for (const theme of ['light', 'dark']) {
    await page.evaluate((name) => {
      document.documentElement.dataset.theme = name;
    }, theme);
    expect(await violations(visitor, ['dialog[open]'])).toEqual([]);
  }
  const download = await page.$eval('dialog[open] a[download]', async (link) => {
    const answer = await fetch((link as HTMLAnchorElement).href);
    return [answer.status, answer.headers.get('content-type'), answer.headers.get('content-disposition')];
  });
  expect(download.slice(0, 2)).toEqual([200, 'message/rfc822']);
  expect(download[2]).toStartWith('attachment;');
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog[open]', { hidden: true });
  const focused = await page.evaluate(() => document.activeElement?.getAttribute('aria-haspopup'));
  expect(focused).toBe('menu');

  const called = await desk.openTicket('Not by mail', 'Hello');
  await desk.signIn(visitor, `/tickets/${called.ulid}`);
  await visitor.press('button', t.messageActions('Mia Jansen'));
  await visitor.find('menuitem', t.copyMessageLink);
  expect(await visitor.isThere('menuitem', t.showOriginal)).toBe(false);
});

describe('hostile content', () => {
  let ulid = '';
  beforeAll(async () => {
    ulid = await desk.receive(hostileMail);
  });

  test('around a link does not turn its address round', async () => {
    const ticket = await desk.openTicket('Please look', 'See \u202ehttps://evil.example/moc.knab//:sptth now');
    await desk.signIn(visitor, `/tickets/${ticket.ulid}`);
    const link = await visitor.page.waitForSelector('.plain-text a');
    const isLeftToRight = await link?.evaluate((one) => {
      const letter = (at: number) => {
        const range = document.createRange();
        range.setStart(one.firstChild as Text, at);
        range.setEnd(one.firstChild as Text, at + 1);
        return range.getBoundingClientRect().left;
      };
      return letter(0) < letter(8);
    });
    expect(isLeftToRight).toBe(true);
  });

  test('in mail runs nothing, loads nothing, covers nothing and leads nowhere', async () => {
    await desk.signIn(visitor, `/tickets/${ulid}`);
    const frame = await visitor.page.waitForSelector('iframe.mail-frame');
    await waitUntil(
      'the frame has its height',
      async () => (await frame?.evaluate((one) => (one as HTMLElement).offsetHeight > 200)) === true,
    );
    const inside = await frame?.evaluate((one) => {
      const page = (one as HTMLIFrameElement).contentDocument;
      const has = (selector: string) => page?.querySelector(selector) !== null;
      return {
        sandbox: one.getAttribute('sandbox'),
        text: page?.body.innerText.includes('Hello team') ?? false,
        bad: [
          'script',
          'form',
          'input',
          'iframe',
          'object',
          'svg',
          'meta[http-equiv]',
          'base',
          'link',
          '[onerror]',
          '[href^="javascript:"]',
          'img[src^="http"]',
        ].filter(has),
        fixed: [...(page?.querySelectorAll('*') ?? [])].some(
          (element) => getComputedStyle(element).position === 'fixed',
        ),
        isWhole: (page?.documentElement.scrollHeight ?? 0) <= (one as HTMLElement).offsetHeight + 1,
      };
    });
    expect(inside).toEqual({
      sandbox: 'allow-same-origin allow-popups allow-popups-to-escape-sandbox',
      text: true,
      bad: [],
      fixed: false,
      isWhole: true,
    });
    expect(new URL(visitor.page.url()).host).toBe(new URL(desk.url).host);
    expect(await visitor.page.$$eval('script:not([src])', (all) => all.length)).toBe(0);
    const title = await textOf('main h1');
    expect(title).toContain('<img src=x onerror=steal()>');
    expect(title).not.toContain('\u202e');
    expect(await textOf('.speaker')).not.toContain('\u202e');
    expect(await visitor.page.$$eval('.file-name', (all) => all.map((one) => one.textContent))).toEqual([
      'message.txt',
      'photogpj.png',
    ]);
    expect(await textOf('.refused-files')).toContain('tool.exe');
  });

  test('fits the page, however long its words are', async () => {
    await desk.signIn(visitor, `/tickets/${ulid}`);
    for (const width of [360, 800, 1440]) {
      await visitor.page.setViewport({ width, height: 800 });
      const beyond = () =>
        visitor.page.$$eval('html, .thread', (all) => all.map((one) => one.scrollWidth - one.clientWidth));
      await waitUntil(`nothing is wider than ${width} px`, beyond, (all) => all.join() === '0,0');
    }
  });

  test('with images of other hosts shows them when the agent says so, once or always', async () => {
    await desk.signIn(visitor, `/tickets/${ulid}`);
    await visitor.see(t.imagesBlocked);
    expect(visitor.faults()).toEqual([]);
    await visitor.press('button', t.imagesAlways);
    const asked = () => visitor.faults().some((fault) => fault.includes('https://tracker.example/pixel.png'));
    await waitUntil('the picture is asked for', asked);
    await visitor.page.reload();
    await visitor.page.waitForSelector('iframe.mail-frame');
    await waitUntil('and the next time without a question', asked);
    expect(await visitor.isThere('button', t.imagesAlways)).toBe(false);
    // What this page asks for is no fault here, also when it comes late.
    await visitor.page.goto('about:blank');
    visitor.faults();
  });
});

describe('files', () => {
  test('are shown over the page: pictures, PDFs in the browser’s viewer, others by name', async () => {
    const { ulid } = await desk.openTicket('Files', 'Hello');
    const ids: number[] = [];
    for (const [name, content] of [
      ['pixel.png', Buffer.from(onePixel, 'base64')],
      ['paper.pdf', smallPdf],
      ['log.txt', 'words'],
    ] as const) {
      const form = new FormData();
      form.set('file', new File([content], name));
      ids.push((await desk.api('POST', `/tickets/${ulid}/attachments`, form)).attachment.id);
    }
    await reply(ulid, 'Here', { attachment_ids: ids });
    await desk.signIn(visitor, `/tickets/${ulid}`);
    expect(await visitor.page.$$eval('.file', (all) => all.map((one) => one.tagName))).toEqual([
      'BUTTON',
      'BUTTON',
      'A',
    ]);
    await visitor.press('button', 'pixel.png 70 bytes');
    await waitUntil('the picture', () =>
      visitor.page.$eval('.viewer img', (image) => (image as HTMLImageElement).naturalWidth === 1),
    );
    expect(await violations(visitor)).toEqual([]);
    await visitor.page.keyboard.press('ArrowRight');
    await visitor.page.waitForSelector('.viewer iframe[title="paper.pdf"], .viewer .notice');
    await visitor.page.keyboard.press('Escape');
    await waitUntil('closed', async () => (await visitor.page.$('.viewer')) === null);
    await visitor.focusOn('title', t.openFile('pixel.png'));
  });
});

describe('a long conversation', () => {
  test('of a thousand messages begins at its end, loads earlier ones on the way up, and finds the one in the address', async () => {
    const { ulid, id } = await desk.openTicket('Long', 'Number 0');
    const row = (number: number) =>
      `('01K4VJ8Q4N7RM2ZC6B00${String(number).padStart(6, '0')}', ${id}, 'Number ${number}', 'text', 0, 0, 0, 'Mia', 'api', ${1_700_000_000_000 + number * 60_000})`;
    const rows = Array.from({ length: 1000 }, (_, number) => row(number + 1)).join(',');
    desk.sql(
      `INSERT INTO messages (ulid, ticket_id, body, body_format, is_internal, is_automated, is_agent, author_name, source, created_at) VALUES ${rows}`,
    );
    await desk.signIn(visitor, `/tickets/${ulid}`);
    await visitor.see('Number 1000');
    const count = () => visitor.page.$$eval('.message', (all) => all.length);
    expect(await count()).toBeLessThan(60);
    const first = await visitor.page.$eval('.message .plain-text', (text) => text.textContent ?? '');
    await visitor.page.$eval('.thread', (thread) => {
      thread.dispatchEvent(new WheelEvent('wheel'));
      thread.scrollTop = 0;
    });
    await waitUntil('earlier messages', async () => (await count()) > 80);
    const top = () =>
      visitor.page.$$eval(
        '.message',
        (all, text) =>
          all.find((one) => one.querySelector('.plain-text')?.textContent === text)?.getBoundingClientRect().top ?? -1,
        first,
      );
    await waitUntil('what was read is still in view', top, (at) => at > 50 && at < 800);
    await visitor.page.goto(`${desk.url}/tickets/${ulid}?message=01K4VJ8Q4N7RM2ZC6B00000500`);
    await visitor.see('Number 500');
    await waitUntil('the wanted message in view', () =>
      visitor.page.$eval('.message.marked', (one) => {
        const { top: at } = one.getBoundingClientRect();
        return at > 0 && at < innerHeight / 2;
      }),
    );
  });
});

test('quoted history is folded, and opens', async () => {
  const ulid = await desk.receive(
    'From: mia@example.org\nTo: shop@desk.example\nSubject: Quoted\nMessage-ID: <q1@x>\n\nThe new part.\n\nOn Mon, 3 Mar 2026 at 10:02, Shop <shop@desk.example> wrote:\n> The old part,\n> in several\n> lines\n',
  );
  await desk.signIn(visitor, `/tickets/${ulid}`);
  expect(await textOf('.thread')).not.toContain('The old part');
  await visitor.press('button', t.showQuoted);
  await visitor.see('The old part');
});

test('a link and the text of a ticket are copied over plain http too', async () => {
  const { ulid, reference } = await desk.openTicket('Copied', 'Hello');
  await visitor.page.evaluateOnNewDocument(() => {
    Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined });
  });
  await desk.signIn(visitor, `/tickets/${ulid}`);
  await visitor.press('button', t.copyLink(reference));
  await visitor.see(t.linkCopied);
});

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  test('axe finds nothing, wide and narrow, in German and from right to left', async () => {
    const { ulid, reference } = await desk.openTicket('Every part', 'Hello');
    await desk.api('POST', `/tickets/${ulid}/notes`, { body: 'A note', agent_name: 'Ana' });
    await reply(ulid, '# Title\n\n- a\n- b\n\n> quoted\n\n`code`', { body_format: 'markdown' });
    await customerSays(reference, 'Thanks');
    const own = await chromium.visitor({ theme, language: 'de-DE' });
    await desk.signIn(own, `/tickets/${ulid}`);
    for (const [width, dir] of [
      [1440, 'ltr'],
      [1000, 'rtl'],
      [360, 'ltr'],
      [360, 'rtl'],
    ] as const) {
      await own.page.setViewport({ width, height: 800 });
      await own.page.$eval('html', (html, value) => html.setAttribute('dir', value), dir);
      expect(await violations(own), `${width} ${dir}`).toEqual([]);
      const beyond = () => own.page.$eval('html', (html) => html.scrollWidth - html.clientWidth);
      await waitUntil(`nothing is beyond ${width} px, ${dir}`, beyond, (wide) => wide === 0);
    }
    expect(own.faults()).toEqual([]);
    await own.close();
  });
});
