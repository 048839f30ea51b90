// What the console says about changes: in the row beside the open ticket, in notes with Undo, and about mail on its way.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { type Chromium, startChromium, type Visitor } from './browser.ts';
import { keys, openTicketPage, seeRow, signInAs } from './journey.ts';
import { owner } from './owner.ts';
import { t } from './texts.ts';
import { startTicketDesk, type TicketDesk } from './ticket-desk.ts';
import { waitUntil } from './wait.ts';

let chromium: Chromium;
let desk: TicketDesk;
let visitor: Visitor;

beforeAll(async () => {
  chromium = await startChromium();
  desk = await startTicketDesk(chromium);
});
beforeEach(async () => {
  visitor = await chromium.visitor();
  await signInAs(visitor, desk);
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
