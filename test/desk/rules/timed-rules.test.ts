// Timed rules act once for each time that a state is entered; recurring tickets are opened once each time (docs/spec/automation.md).

import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import { openRecurring, recurringDue, recurringTickets } from '../../../src/desk/rules/recurring-tickets.ts';
import {
  dueTimed,
  forgetPassed,
  gatherSome,
  isGatheringLeft,
  runTimed,
} from '../../../src/desk/rules/run-timed-rules.ts';
import { timedRules } from '../../../src/desk/rules/timed-rules.ts';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import { addNote } from '../../../src/desk/tickets/replies.ts';
import { recurringTicketInput, timedRuleChangeInput, timedRuleInput } from '../../../src/domain/input/automation.ts';
import type { TicketChangeInput } from '../../../src/domain/input/tickets.ts';
import { query } from '../../../src/engine/database.ts';
import { automationCounts } from '../../../src/store/rules/automation.ts';
import { recurringTicketRows, timedRuleRows } from '../../../src/store/sites/catalogue.ts';
import { updateSite } from '../../../src/store/sites/sites.ts';
import { messagesOfTicket } from '../../../src/store/tickets/messages.ts';
import type { Ticket } from '../../../src/store/tickets/tickets.ts';
import { minute, token, workbench } from '../workbench.ts';

const bench = workbench();
afterAll(() => bench.close());

const agent = token(['read', 'write']);
const day = 24 * 60;
const change = (ticket: Ticket, input: TicketChangeInput) =>
  bench.do((tx, ctx) => changeTicket(tx, ctx, ticket.ulid, input, null), agent);
const gather = () => {
  while (isGatheringLeft(bench.tx)) bench.do((tx) => gatherSome(tx));
};
const close = [{ type: 'set_status', value: 'closed' }];
const tag = (value: string) => [{ type: 'add_tags', value: [value] }];

function add(input: object) {
  const { row } = bench.do((tx, ctx) =>
    timedRules.add(
      tx,
      ctx,
      bench.site.slug,
      timedRuleInput.parse({ name: 'Rule', since: 'status_changed', minutes: 7 * day, actions: close, ...input }),
    ),
  );
  gather();
  return row;
}

/** All that is due now; returns how often a rule was asked. */
function scan(): number {
  let total = 0;
  for (;;) {
    const due = dueTimed(bench.tx, bench.clock.now());
    if (due.length === 0) return total;
    for (const { ruleId, siteId, moments } of due)
      for (const _ of moments) {
        bench.do((tx, ctx) => runTimed(tx, ctx, siteId, ruleId));
        total += 1;
      }
  }
}

afterEach(() => {
  bench.do((tx, ctx) => {
    for (const { id } of timedRuleRows.list(tx, bench.site.id)) timedRules.remove(tx, ctx, bench.site.slug, id, null);
    for (const { id } of recurringTicketRows.list(tx, bench.site.id))
      recurringTickets.remove(tx, ctx, bench.site.slug, id, null);
  });
});

const resolved = [{ field: 'status', operator: 'equals', value: 'resolved' }];

describe('a timed rule', () => {
  test('acts when a ticket has been in a state for its time, and not before', () => {
    const rule = add({ name: 'Close', conditions: resolved });
    const { ticket } = bench.open();
    change(ticket, { status: 'resolved' });
    bench.clock.advance(7 * day * minute - 1);
    expect(scan()).toBe(0);
    bench.clock.advance(1);
    scan();
    expect(bench.ticket(ticket.id).status).toBe('closed');
    const event = bench.events.at(-1);
    expect(event?.actor).toEqual({ type: 'rule', id: rule.id, name: 'Close', rule_kind: 'timed_rule' });
    expect(event?.data.rule).toMatchObject({ because: [{ field: 'status', value: 'resolved' }] });
    expect(automationCounts(bench.tx, bench.clock.now(), 'timed_rule', rule.id)).toMatchObject({
      matched: 1,
      changed: 1,
    });
  });

  test('says nothing of a note to the customer, although that is the newest message', () => {
    add({
      since: 'created',
      minutes: day,
      actions: [{ type: 'reply', value: { body: 'Still here: {{message.body}}' } }],
    });
    const { ticket } = bench.open();
    bench.do((tx, ctx) => addNote(tx, ctx, ticket.ulid, { body: 'Owes us money' } as never), agent);
    bench.clock.advance(day * minute);
    scan();
    const said = messagesOfTicket(bench.tx, ticket.id).filter(({ isInternal }) => !isInternal);
    expect(said.at(-1)?.body).toBe('Still here: ');
  });

  test('acts once for each time that the state is entered', () => {
    add({ since: 'last_customer_message', minutes: day, actions: tag('late') });
    const { ticket } = bench.open();
    bench.clock.advance(day * minute);
    expect(scan()).toBe(1);
    change(ticket, { remove_tags: ['late'] });
    bench.clock.advance(30 * day * minute);
    expect(scan()).toBe(0);
    expect(bench.ticket(ticket.id).tags).toEqual([]);
  });

  test('waits again when the state is entered again', () => {
    add({ conditions: resolved });
    const { ticket } = bench.open();
    change(ticket, { status: 'resolved' });
    bench.clock.advance(6 * day * minute);
    change(ticket, { status: 'open' });
    change(ticket, { status: 'resolved' });
    bench.clock.advance(6 * day * minute);
    scan();
    expect(bench.ticket(ticket.id).status).toBe('resolved');
    bench.clock.advance(day * minute);
    scan();
    expect(bench.ticket(ticket.id).status).toBe('closed');
  });

  test('knows the tickets of before, but acts only on what comes due after it was made', () => {
    const old = bench.open().ticket;
    bench.clock.advance(10 * day * minute);
    const recent = bench.open().ticket;
    bench.clock.advance(day * minute);
    add({ since: 'created', actions: tag('week') });
    scan();
    expect(bench.ticket(old.id).tags).toEqual([]);
    bench.clock.advance(6 * day * minute);
    scan();
    expect(bench.ticket(recent.id).tags).toEqual(['week']);
    expect(bench.ticket(old.id).tags).toEqual([]);
  });

  test('with more minutes does not act again on what it has acted on', () => {
    const rule = add({ since: 'created', minutes: day, actions: tag('a') });
    const { ticket } = bench.open();
    bench.clock.advance(day * minute);
    expect(scan()).toBe(1);
    bench.do((tx, ctx) =>
      timedRules.change(
        tx,
        ctx,
        bench.site.slug,
        rule.id,
        timedRuleChangeInput.parse({ minutes: 2 * day, actions: tag('b') }),
        null,
      ),
    );
    gather();
    bench.clock.advance(2 * day * minute);
    expect(scan()).toBe(0);
    expect(bench.ticket(ticket.id).tags).toEqual(['a']);
  });

  test('can count working time', () => {
    // Friday, 11:30 in Berlin; the working week ends at 17:00.
    const hours = { timezone: 'Europe/Berlin', weekly: { mon: [['09:00', '17:00']], fri: [['09:00', '17:00']] } };
    bench.do((tx) =>
      updateSite(tx, bench.site.id, {
        slaPolicy: { ...bench.freshSite().slaPolicy, business_hours: hours as never },
      }),
    );
    bench.clock.set(Date.UTC(2026, 11, 4, 14, 0));
    add({ since: 'created', minutes: 4 * 60, time: 'working', actions: tag('worked') });
    const { ticket } = bench.open();
    bench.clock.set(Date.UTC(2026, 11, 7, 9, 59));
    scan();
    expect(bench.ticket(ticket.id).tags).toEqual([]);
    bench.clock.set(Date.UTC(2026, 11, 7, 10, 1));
    scan();
    expect(bench.ticket(ticket.id).tags).toEqual(['worked']);
  });

  test('forgets the moments that all have passed', () => {
    add({ since: 'created', minutes: 1, actions: tag('x') });
    bench.open();
    bench.clock.advance(5 * minute);
    scan();
    bench.open();
    bench.clock.advance(5 * minute);
    scan();
    bench.do((tx) => forgetPassed(tx, 1000));
    const left = query<{ n: number }>(
      bench.tx,
      "SELECT count(*) AS n FROM ticket_moments WHERE since = 'created'",
    ).get();
    expect(left?.n).toBe(1);
  });

  test('is refused with conditions about a change', () => {
    const refusal = bench.refusal((tx, ctx) =>
      timedRules.add(
        tx,
        ctx,
        bench.site.slug,
        timedRuleInput.parse({
          name: 'x',
          since: 'created',
          minutes: 1,
          actions: close,
          conditions: [{ field: 'status', operator: 'changed' }],
        }),
      ),
    );
    expect(Object.keys(refusal.errors ?? {})).toEqual(['conditions']);
  });
});

describe('a recurring ticket', () => {
  const ticket = { email: 'ops@example.org', subject: 'Check the backups', message: 'Please.', notify_author: false };
  const weekly = (input = {}) =>
    bench.do((tx, ctx) =>
      recurringTickets.add(
        tx,
        ctx,
        bench.site.slug,
        recurringTicketInput.parse({ name: 'Weekly', schedule: '0 9 * * 1', ticket, ...input }),
      ),
    ).row;
  const open = () => {
    for (const { id, siteId } of recurringDue(bench.tx, bench.clock.now()))
      bench.do((tx, ctx) => openRecurring(tx, ctx, siteId, id));
  };
  const total = () =>
    query<{ n: number }>(bench.tx, "SELECT count(*) AS n FROM tickets WHERE subject = 'Check the backups'").get()?.n;

  test('is opened once each time, in the time zone of its site', () => {
    bench.clock.set(Date.UTC(2026, 11, 11, 12, 0));
    const row = weekly();
    expect(row.nextAt).toBe(Date.UTC(2026, 11, 14, 8, 0));
    open();
    expect(total()).toBe(0);
    bench.clock.set(Date.UTC(2026, 11, 14, 8, 0));
    bench.do((tx, ctx) => openRecurring(tx, ctx, bench.site.id, row.id));
    bench.do((tx, ctx) => openRecurring(tx, ctx, bench.site.id, row.id));
    expect(total()).toBe(1);
    expect(recurringTicketRows.get(bench.tx, bench.site.id, row.id)?.nextAt).toBe(Date.UTC(2026, 11, 21, 8, 0));
    // Times that were missed have one ticket together.
    bench.clock.set(Date.UTC(2027, 0, 20, 8, 0));
    open();
    open();
    expect(total()).toBe(2);
  });

  test.each(['* * *', '0 9 * * * *', 'often', '0 9 30 2 *'])('is refused with the schedule %p', (schedule) => {
    const refusal = bench.refusal((tx, ctx) =>
      recurringTickets.add(tx, ctx, bench.site.slug, recurringTicketInput.parse({ name: 'x', schedule, ticket })),
    );
    expect(Object.keys(refusal.errors ?? {})).toEqual(['schedule']);
  });
});
