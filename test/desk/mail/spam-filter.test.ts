// What the score of a spam filter does to mail, and that a filter in trouble loses none.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { changeSite } from '../../../src/desk/sites/sites.ts';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import { settingsInput } from '../../../src/domain/input/sites.ts';
import { createSpamFilter } from '../../../src/net/rspamd.ts';
import { type FakeRspamd, fakeRspamd } from '../../support/fake-rspamd.ts';
import { type MailDesk, mail, mailDesk, minute } from './mail-desk.ts';

let fake: FakeRspamd;
let desk: MailDesk;
beforeEach(async () => {
  fake = await fakeRspamd();
  desk = await mailDesk({ spamFilter: createSpamFilter(fake.url) });
  await settings({ trusted_mail_servers: ['mx.desk.example'] });
});
afterEach(async () => {
  await desk.close();
  await fake.stop();
});

const settings = (change: object) =>
  desk.do((tx, ctx) => changeSite(tx, ctx, String(desk.site.id), { settings: settingsInput.parse(change) }, null));
const proven = 'Authentication-Results: mx.desk.example; dmarc=pass header.from=customer.example';
const scored = (score: number, ...headers: string[]) =>
  desk.post(mail({ headers: [`X-Test-Score: ${score}`, ...headers] }));

describe('a score', () => {
  test('below the thresholds is kept with the mail, and goes before what the mail says', async () => {
    await desk.rule({
      conditions: [{ field: 'spam_score', operator: 'gt', value: 5 }],
      actions: [{ type: 'add_tags', value: ['doubtful'] }],
    });
    const row = await scored(5.5, 'X-Spam-Score: -3');
    expect(row).toMatchObject({ outcome: 'ticket_created', spamCheck: { score: 5.5, why: null } });
    expect(row.spamCheck?.symbols[0]).toEqual({ name: 'TEST_RULE', score: 5.5 });
    expect(desk.ticket(row.ticketId)).toMatchObject({ tags: ['doubtful'], isSpam: false });
  });

  test('from the first threshold on holds mail, also what answers a ticket, until someone releases it', async () => {
    const { ticketId } = await scored(0);
    const row = await scored(6);
    expect(row).toMatchObject({ outcome: 'held', heldFor: 'spam', reason: 'The spam filter gives it a score of 6.' });
    const to = `ticket+${desk.ticket(ticketId).ulid}@desk.example`;
    expect((await desk.post(mail({ to, headers: ['X-Test-Score: 99', proven] }), { to })).heldFor).toBe('spam');
    const asked = fake.asked.length;
    expect((await desk.mailroom.replay(null, row.id, { isReleased: true })).row.outcome).toBe('ticket_created');
    expect(fake.asked).toHaveLength(asked);
  });

  test('from the second on marks a new ticket of a proven sender as spam: it tells no one, and its clocks stand', async () => {
    await desk.leave();
    const row = await scored(15, proven);
    expect(row).toMatchObject({ outcome: 'ticket_created', reason: 'The spam filter gives it a score of 15.' });
    const ticket = desk.ticket(row.ticketId);
    expect(ticket.isSpam).toBe(true);
    expect(await desk.leave()).toEqual([]);
    const due = ticket.firstResponseDueAt;
    desk.clock.advance(60 * minute);
    await desk.do((tx, ctx) => changeTicket(tx, ctx, ticket.ulid, { is_spam: false }, null));
    expect(desk.ticket(row.ticketId).firstResponseDueAt).not.toBe(due);
    // Anyone could have written in the name of someone who is not proven.
    expect((await desk.post(mail({ from: 'lou@other.example', headers: ['X-Test-Score: 15'] }))).outcome).toBe('held');
  });

  test('counts for no allowed sender, and for no site that does not want it', async () => {
    await settings({ allowed_senders: ['customer.example'] });
    expect((await scored(20)).outcome).toBe('ticket_created');
    await settings({ allowed_senders: [], spam_hold_score: null, spam_mark_score: null });
    expect((await scored(20)).outcome).toBe('ticket_created');
  });
});

describe('a filter in trouble', () => {
  test('never keeps mail from being filed, and is asked again when the mail is filed again', async () => {
    fake.manner = 'nonsense';
    const row = await scored(20);
    const why = 'its answer cannot be understood';
    expect(row).toMatchObject({ outcome: 'ticket_created', spamCheck: { score: null, why } });
    await settings({ spam_hold_score: 1 });
    const forged = await scored(20, 'Authentication-Results: mx; dmarc=fail header.from=customer.example');
    expect(forged.heldFor).toBe('forged');
    fake.manner = 'well';
    const { row: again } = await desk.mailroom.replay(null, forged.id);
    expect(again.spamCheck?.score).toBe(20);
  });

  test('is left alone for a while when it is down, and then asked again', async () => {
    fake.isUp = false;
    fake.manner = 'refuses';
    expect(await scored(20)).toMatchObject({ outcome: 'ticket_created', spamCheck: { score: null } });
    expect(await scored(20)).toMatchObject({ spamCheck: { why: 'the spam filter is down' } });
    expect(fake.asked).toHaveLength(1);
    fake.isUp = true;
    fake.manner = 'well';
    desk.clock.advance(1000);
    expect((await scored(20)).outcome).toBe('held');
  });
});
