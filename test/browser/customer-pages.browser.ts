// The customers' pages in a browser: links that open and links that do not, without a script, in each language, theme and width.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { violations } from './axe.ts';
import { type Chromium, intercept, startChromium, startedTogether, type Visitor } from './browser.ts';
import { type CustomerDesk, startCustomerDesk } from './customer-desk.ts';
import { t } from './customer-texts.ts';
import { cutOff } from './cut-off.ts';
import { languages } from './languages.ts';

let chromium: Chromium;
let desk: CustomerDesk;
let visitor: Visitor;
beforeAll(async () => {
  [chromium, desk] = await startedTogether(startChromium(), startCustomerDesk());
  const fields = [
    { key: 'order', label: 'Order number', type: 'text', is_required: true, is_author_visible: true },
    { key: 'bike', label: 'Which bike?', type: 'select', options: ['City', 'Cargo'], is_author_visible: true },
    { key: 'parts', label: 'Parts', type: 'multiselect', options: ['Brakes', 'Lights'], is_author_visible: true },
    { key: 'bought', label: 'Bought on', type: 'date', is_author_visible: true },
    { key: 'page', label: 'Page', type: 'url', is_author_visible: true },
    { key: 'urgent', label: 'I cannot ride it', type: 'boolean', is_author_visible: true },
    { key: 'secret', label: 'Seen by agents alone', type: 'text', is_author_visible: false },
  ];
  for (const field of fields) await desk.api('POST', `/sites/${desk.site.id}/custom-fields`, field);
  await desk.api('POST', `/sites/${desk.site.id}/categories`, { name: 'Returns' });
});
beforeEach(async () => {
  visitor = await chromium.visitor();
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

const endless = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen'.repeat(4).slice(0, 255);

const openTicket = (subject: string, message: string, more: object = {}) =>
  desk.openTicket(subject, message, { custom_fields: { order: '1' }, ...more });

const found = async (word: string) => (await desk.api('GET', `/tickets?q=${word}`)).data;

async function openLink(link: string, by: Visitor = visitor): Promise<void> {
  await by.page.goto('about:blank');
  await by.open(link);
  await by.page.waitForSelector('#answer');
}

describe('a link', () => {
  test('opens the ticket, and its token stays neither in the address nor in the history', async () => {
    const { ulid, link, reference } = await openTicket('Where is my bike?', 'It should have come on Monday.');
    await openLink(link);
    await visitor.see('Where is my bike?');
    await visitor.see('It should have come on Monday.');
    await visitor.see(reference);
    await visitor.see(t.stateReceived);
    expect(visitor.page.url()).toBe(`${desk.url}/t/${ulid}`);
    const entries = await visitor.page.evaluate(() => [
      location.href,
      document.referrer,
      ...Object.values(localStorage),
    ]);
    expect(entries.join()).not.toContain(link.split('#')[1]!);
    await visitor.page.goBack();
    expect(visitor.page.url()).not.toContain('#');
  });

  test('opens again, and in another browser', async () => {
    // The second visit ends the first, which may be asking for news just then.
    visitor.expectStatus(401);
    const { link } = await openTicket('Twice', 'Please.');
    await openLink(link);
    await openLink(link);
    const other = await chromium.visitor();
    await openLink(link, other);
    await other.see('Please.');
    expect(other.faults()).toEqual([]);
    await other.close();
  });

  test('that is cut, wrong, without a token or of no ticket leads to the same offer of a new one', async () => {
    visitor.expectStatus(404);
    const { ulid, link } = await openTicket('Lost', 'Please.');
    const pages: string[] = [];
    for (const bad of [
      link.slice(0, -1),
      `${link}x`,
      `${desk.url}/t/${ulid}`,
      `${desk.url}/t/01K4VJ8Q4N7RM2ZC6B0T3XWYDE#hdl_x`,
    ]) {
      await visitor.page.goto('about:blank');
      await visitor.open(bad);
      await visitor.see(t.refusedTitle);
      pages.push(await visitor.page.$eval('main', (main) => main.innerHTML));
      expect(visitor.page.url()).not.toContain('#');
    }
    expect(new Set(pages).size).toBe(1);
    expect(pages[0]).not.toContain('Bike shop');
  });

  test('of one ticket opens no other', async () => {
    visitor.expectStatus(404);
    const [one, other] = [
      await openTicket('One', 'Mine.'),
      await openTicket('Other', 'Not mine.', { email: 'eve@example.org' }),
    ];
    await openLink(one.link);
    await visitor.page.goto('about:blank');
    await visitor.open(`${desk.url}/t/${other.ulid}#${one.link.split('#')[1]}`);
    await visitor.see(t.refusedTitle);
  });
});

describe('without JavaScript', () => {
  test('a link says that it needs it once, and then everything can be read', async () => {
    const { link, ulid } = await openTicket('Read only', 'See https://example.org/a for it.');
    await visitor.page.setJavaScriptEnabled(false);
    await visitor.page.goto(link);
    expect(await visitor.page.content()).toContain(t.openNeedsScript.slice(0, 40));
    await visitor.page.setJavaScriptEnabled(true);
    await openLink(link);
    await visitor.page.setJavaScriptEnabled(false);
    await visitor.page.goto(`${desk.url}/t/${ulid}`);
    const seen = await visitor.page.$eval('main', (main) => main.innerText);
    for (const words of ['Read only', 'See https://example.org/a for it.', t.stateReceived, t.answerNeedsScript])
      expect(seen).toContain(words);
    expect(await visitor.page.$$eval('main textarea', (all) => all.length)).toBe(0);
  });

  test('the form and the list can be read, and say what they need', async () => {
    await visitor.page.setJavaScriptEnabled(false);
    await visitor.page.goto(`${desk.door}?subject=Hello`);
    const seen = await visitor.page.$eval('main', (main) => main.innerText);
    for (const words of [t.formTitle, 'Order number', t.sendNeedsScript]) expect(seen).toContain(words);
    expect(seen).not.toContain('Seen by agents alone');
    expect(await visitor.page.$eval('#subject', (field) => (field as HTMLInputElement).value)).toBe('Hello');
    await visitor.page.goto(`${desk.door}/tickets`);
    expect(await visitor.page.$eval('main', (main) => main.innerText)).toContain(t.listNeedsScript);
  });
});

describe('an answer', () => {
  test('that is not sent stays in this browser, and at its ticket', async () => {
    const one = await openTicket('Draft', 'Please.');
    const other = await openTicket('No draft', 'Please.');
    await openLink(one.link);
    await visitor.page.type('#answer', 'Half a sentence');
    await visitor.page.reload();
    await visitor.page.waitForSelector('#answer');
    const written = () => visitor.page.$eval('#answer', (field) => (field as HTMLTextAreaElement).value);
    expect(await written()).toBe('Half a sentence');
    await openLink(other.link);
    expect(await written()).toBe('');
  });

  test('says what is missing, and which files it does not take', async () => {
    const { link } = await openTicket('Files', 'Please.');
    await openLink(link);
    await visitor.press('button', t.send);
    await visitor.see(t.required);
    await visitor.focusOn('id', 'answer');
    await visitor.page.$eval('.answer-box', (box) => {
      const data = new DataTransfer();
      data.items.add(new File(['MZ'], 'tool.exe'));
      data.items.add(new File(['text'], 'log.txt', { type: 'text/plain' }));
      box.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    });
    await visitor.see('tool.exe');
    await visitor.see('log.txt');
    expect(await visitor.page.$eval('.picked', (list) => list.textContent)).toContain('Files can be: jpg');
    await visitor.press('button', t.removeFile('tool.exe'));
    expect(await visitor.page.$$eval('.picked-file', (all) => all.length)).toBe(1);
  });

  test('waits while there is no network, and says so', async () => {
    const { link } = await openTicket('Offline', 'Please.');
    await openLink(link);
    await visitor.page.setOfflineMode(true);
    await visitor.see(t.offline);
    await visitor.page.setOfflineMode(false);
    await visitor.page.waitForFunction((text) => !document.body.innerText.includes(text), {}, t.offline);
    visitor.faults();
  });
});

describe('the form', () => {
  test('says in its own words what is wrong, at each field, and forgets it when it is changed', async () => {
    await visitor.open(desk.door);
    await visitor.page.type('#email', 'mia@');
    await visitor.page.type('[name="custom_fields.page"]', 'no address');
    await visitor.press('button', t.sendForm);
    await visitor.see(t.fixFields);
    await visitor.focusOn('id', 'email');
    const problems = () =>
      visitor.page.$$eval('.field-problem:not([hidden])', (all) =>
        all.map((problem) => [problem.id, problem.textContent]),
      );
    expect(await problems()).toEqual([
      ['email-problem', t.emailRefused],
      ['subject-problem', t.required],
      ['message-problem', t.required],
      ['custom_fields.order-problem', t.required],
      ['custom_fields.page-problem', t.urlRefused],
    ]);
    expect(await violations(visitor)).toEqual([]);
    await visitor.page.type('#subject', 'S');
    expect((await problems()).map(([id]) => id)).not.toContain('subject-problem');
  });

  test('keeps what was typed before its script came', async () => {
    const { page } = visitor;
    const held: (() => void)[] = [];
    await intercept(page, (request) => {
      if (/\/customer-\w+\.js$/.test(request.url()) && request.resourceType() === 'script')
        held.push(() => void request.continue());
      else void request.continue();
    });
    const opened = page.goto(`${desk.door}?subject=Slow&field.parts=Lights`);
    await page.waitForSelector('#message');
    await page.type('#message', 'Typed early');
    await page.click('[value="Brakes"]');
    expect(await page.$('#send button')).toBeNull();
    for (const go of held) go();
    await opened;
    await page.waitForSelector('#send button');
    expect(
      await page.$eval('#form', (form) => {
        const data = new FormData(form as HTMLFormElement);
        return [data.get('subject'), data.get('message'), ...data.getAll('custom_fields.parts')];
      }),
    ).toEqual(['Slow', 'Typed early', 'Brakes', 'Lights']);
  });

  test('opens a ticket with what was filled in and its files, after a proof of work', async () => {
    await visitor.open(
      `${desk.door}?subject=Broken&category=returns&field.bike=Cargo&field.parts=Lights&field.order=7`,
    );
    await visitor.page.type('#email', 'form@example.org');
    await visitor.page.type('#message', 'It fell over.');
    await visitor.page.type('[name="custom_fields.page"]', 'https://example.org/order');
    const file = new File(['It fell over at noon.'], 'report.txt', { type: 'text/plain' });
    await visitor.page.$eval(
      '.drop',
      (box, text, name) => {
        const data = new DataTransfer();
        data.items.add(new File([text], name, { type: 'text/plain' }));
        box.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
      },
      await file.text(),
      file.name,
    );
    await visitor.see('report.txt');
    await visitor.press('button', t.sendForm);
    await visitor.see(t.receiptTitle);
    await visitor.see('form@example.org');
    const [ticket] = await found('Broken');
    const { data } = await desk.api('GET', `/tickets/${ticket.ulid}`);
    expect(data).toMatchObject({
      subject: 'Broken',
      source: 'web',
      category: { name: 'Returns' },
      custom_fields: { bike: 'Cargo', parts: ['Lights'], order: '7', page: 'https://example.org/order', urgent: false },
      attachments: [{ filename: 'report.txt' }],
    });
    await visitor.see(data.reference);
    expect(await violations(visitor)).toEqual([]);
  });

  test('tells a robot that fills the trap that all went well, and keeps nothing of it', async () => {
    await visitor.open(`${desk.door}?subject=Robots&field.order=7`);
    await visitor.page.type('#email', 'robot@example.org');
    await visitor.page.type('#message', 'Buy!');
    await visitor.page.$eval('#website', (trap) => {
      (trap as HTMLInputElement).value = 'https://robots.example';
    });
    await visitor.press('button', t.sendForm);
    await visitor.see(t.receiptTitle);
    expect(await found('Robots')).toEqual([]);
  });

  test('of a site without one, or without "My tickets", is a page that says so', async () => {
    visitor.expectStatus(404);
    for (const path of ['/s/no-such-site', '/s/no-such-site/tickets']) {
      await visitor.open(desk.url + path);
      await visitor.see(t.noPageTitle);
    }
  });
});

/** Every page, with what is hardest to lay out. */
async function everyPage(by: Visitor, look: (name: string) => Promise<void>): Promise<void> {
  const { link } = await openTicket(endless, `${endless}\n\n${'word '.repeat(200)}`, { name: endless.slice(0, 200) });
  by.expectStatus(404);
  await by.open(`${link}x`);
  await by.page.waitForSelector('.note .button');
  await look('a refused link');
  await openLink(link, by);
  await look('a ticket');
  await by.page.type('#answer', endless);
  await by.page.click('.answer-foot .primary');
  await by.page.waitForSelector('.proof .button');
  await look('the question for a code');
  await by.open(`${desk.door}?subject=${endless}&field.order=${endless}`);
  await by.page.waitForSelector('#send button');
  await look('the form');
  await by.page.click('#send button');
  await by.page.waitForSelector('#send .notice');
  await look('a form with errors');
  await by.open(`${desk.door}/tickets`);
  await by.page.waitForSelector('#prove input');
  await look('"My tickets"');
  await by.open(`${desk.url}/s/no-such-site`);
  await look('a missing page');
}

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  test('axe finds nothing on any page', async () => {
    const reader = await chromium.visitor({ theme, width: 768 });
    await everyPage(reader, async (name) => {
      expect(await reader.page.$eval('html', (root) => root.dataset.theme), name).toBe(theme);
      expect(await violations(reader), name).toEqual([]);
    });
    expect(reader.faults()).toEqual([]);
    await reader.close();
  });
});

describe.each(languages)('in %s', (language) => {
  test('nothing is missing or cut off on a phone, at 200 % zoom and on a desktop, in both directions', async () => {
    const reader = await chromium.visitor({ language });
    await everyPage(reader, async (name) => {
      expect(await reader.page.$eval('html', ({ lang }) => lang), name).toBe(language.slice(0, 2));
      expect(await reader.page.$eval('body', (body) => body.innerText), name).not.toMatch(/undefined|\[object|null/);
      for (const width of [360, 720, 1440]) {
        await reader.page.setViewport({ width, height: 800 });
        for (const direction of ['ltr', 'rtl']) {
          await reader.page.$eval('html', (root, dir) => root.setAttribute('dir', dir), direction);
          expect(await reader.page.evaluate(cutOff), `${name} at ${width} px, ${direction}`).toEqual([]);
        }
      }
      await reader.page.$eval('html', (root) => root.removeAttribute('dir'));
    });
    expect(reader.faults()).toEqual([]);
    await reader.close();
  });
});

test('every control is reached with Tab, in order, and shows its focus', async () => {
  const { link } = await openTicket('Keys', 'See https://example.org/a');
  await openLink(link);
  for (const path of [visitor.page.url(), desk.door, `${desk.door}/tickets`]) {
    await visitor.open(path);
    await visitor.page.waitForSelector('footer .button:not([hidden])');
    const reached = new Set<string>();
    for (let presses = 0; presses < 60; presses += 1) {
      await visitor.page.keyboard.press('Tab');
      const focused = await visitor.page.evaluate(() => {
        const element = document.activeElement;
        if (element === null || element === document.body) return null;
        const frame = element.id === 'answer' ? element.closest('.answer-box') : element;
        const { outlineStyle, boxShadow } = getComputedStyle(frame ?? element);
        const { x, y } = element.getBoundingClientRect();
        return {
          key: `${element.tagName} ${element.id} ${x} ${y}`,
          isSeen: outlineStyle !== 'none' || boxShadow !== 'none',
        };
      });
      if (focused === null) break;
      expect(focused.isSeen, focused.key).toBe(true);
      reached.add(focused.key);
    }
    const controls = await visitor.page.$$eval(
      'a, button, input:not([hidden]), select, textarea',
      (all) => all.filter((control) => control.checkVisibility() && (control as HTMLElement).tabIndex >= 0).length,
    );
    expect(reached.size, path).toBeGreaterThanOrEqual(controls);
  }
});

test('a printed ticket is the conversation alone', async () => {
  const keys = ['saddle', 'lamp', 'bell', 'order'];
  for (const key of keys.slice(0, 3)) {
    const field = { key, label: `The ${key}`, type: 'text', is_author_visible: true };
    await desk.api('POST', `/sites/${desk.site.id}/custom-fields`, field);
  }
  const custom_fields = Object.fromEntries(keys.map((key) => [key, `my ${key}`]));
  const { link } = await openTicket('On paper', 'Every word.', { custom_fields });
  await openLink(link);
  const areShown = () => visitor.page.$$eval('.facts dd', (all) => all.map((value) => value.checkVisibility()));
  expect(await areShown()).toEqual([false, false, false, false]);
  await visitor.page.emulateMediaType('print');
  expect(await areShown()).toEqual([true, true, true, true]);
  const seen = await visitor.page.$eval('body', (body) => body.innerText);
  for (const words of ['On paper', 'Every word.', 'Mia Jansen', 'Bike shop']) expect(seen).toContain(words);
  for (const words of [t.send, t.isSolved, t.forgetBrowser, t.myTickets]) expect(seen).not.toContain(words);
});
