// What every step of a ticket does to its clocks, columns and history, told as stories of one working week.

import { afterAll, describe, expect, test } from 'bun:test';
import { changeSite } from '../../../src/desk/sites/sites.ts';
import { closeResolved, scanStep } from '../../../src/desk/sla/sla.ts';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import { mergeTickets } from '../../../src/desk/tickets/merge-tickets.ts';
import { replyAsAgent, replyAsCustomer } from '../../../src/desk/tickets/replies.ts';
import type { SiteChangeInput } from '../../../src/domain/input/sites.ts';
import { authorById } from '../../../src/store/customers/authors.ts';
import { priorityRows } from '../../../src/store/sites/catalogue.ts';
import type { Ticket } from '../../../src/store/tickets/tickets.ts';
import { minute, workbench } from '../workbench.ts';

const bench = workbench();
afterAll(() => bench.close());

const zone = 'Europe/Amsterdam';
const split = [
  ['09:00', '12:30'],
  ['13:00', '17:00'],
];
const office = { timezone: zone, weekly: { mon: split, tue: split, wed: split, thu: split, fri: split } };
const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun', 'mon2', 'tue2', 'wed2', 'thu2'];
const monday = Temporal.PlainDate.from('2026-09-07');

function at(moment: string): number {
  const [day = '', time = ''] = moment.split(' ');
  return monday.add({ days: days.indexOf(day) }).toZonedDateTime({ timeZone: zone, plainTime: time }).epochMilliseconds;
}

function shown(instant: number | null): string | undefined {
  if (instant === null) return undefined;
  const wall = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);
  const day = days[wall.toPlainDate().since(monday).days];
  return `${day} ${wall.toPlainTime().toString({ smallestUnit: 'minute' })}`;
}

/** The clocks' columns in local time; null ones are left out. */
function columns(ticket: Ticket) {
  const all = {
    firstDue: shown(ticket.firstResponseDueAt),
    firstAt: shown(ticket.firstResponseAt),
    firstWarned: shown(ticket.firstResponseWarnedAt),
    firstBreached: shown(ticket.firstResponseBreachedAt),
    due: shown(ticket.resolutionDueAt),
    resolved: shown(ticket.resolvedAt),
    warned: shown(ticket.resolutionWarnedAt),
    breached: shown(ticket.resolutionBreachedAt),
    paused: shown(ticket.slaPausedAt),
    next: shown(ticket.slaNextAt),
    closed: shown(ticket.closedAt),
    minutes: ticket.resolutionPausedMs / minute || undefined,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** Of the last step; the desk has the tickets of other stories too. */
const eventsOf = (...ids: number[]) => bench.events.filter(({ ticketId }) => ids.includes(ticketId ?? 0));

const statuses: Record<string, 'pending' | 'open' | 'resolved' | 'closed'> = {
  pause: 'pending',
  resume: 'open',
  resolve: 'resolved',
  close: 'closed',
  reopen: 'open',
};

function setTargets(id: number, first = '-', resolution = '-') {
  const target = (text: string) => (text === '-' ? null : Number(text));
  const change = { firstResponseMinutes: target(first), resolutionMinutes: target(resolution) };
  bench.do((tx) => priorityRows.update(tx, id, change));
}

/** Plays a story with lines such as `mon 10:30 pause`; returns the ticket and its history since it was opened. */
function tell(lines: string[], { isPausing = true, isTest = false, opened = 'mon 10:00' } = {}) {
  const change: object = {
    sla_policy: { business_hours: office, pause_while_pending: isPausing },
    settings: { auto_close_days: 3 },
  };
  bench.do((tx, ctx) => changeSite(tx, ctx, 'web-shop', change as SiteChangeInput, null));
  setTargets(2, '60', '600');
  bench.clock.set(at(opened));
  const { id } = bench.open({ is_test: isTest }).ticket;
  const history: string[] = [];
  for (const line of lines) {
    const [day, time, does = '', first, second] = line.split(' ');
    bench.clock.set(at(`${day} ${time}`));
    step(id, does, first, second);
    history.push(
      ...eventsOf(id).map(({ kind, data }) => {
        if (kind === 'ticket.status_changed') return `${data.old_status} > ${data.new_status}`;
        if (kind === 'ticket.sla_breached') return `${data.sla_type} breach ${data.minutes_remaining}`;
        if (kind === 'ticket.sla_warning') return `${data.sla_type} warning ${data.minutes_remaining}`;
        return kind.slice('ticket.'.length);
      }),
    );
  }
  const ticket = bench.ticket(id);
  return { ticket, history };
}

function step(id: number, does: string, first?: string, second?: string): void {
  const status = statuses[does];
  if (status) bench.do((tx, ctx) => changeTicket(tx, ctx, id, { status }, null));
  else if (does === 'respond') bench.do((tx, ctx) => replyAsAgent(tx, ctx, id, { body: 'Here you are.' }));
  else if (does === 'note') bench.do((tx, ctx) => replyAsAgent(tx, ctx, id, { body: 'Hm.', is_internal: true }));
  else if (does === 'spam' || does === 'unspam')
    bench.do((tx, ctx) => changeTicket(tx, ctx, id, { is_spam: does === 'spam' }, null));
  else if (does === 'scan') bench.do((tx, ctx) => scanStep(tx, ctx), { kind: 'scan' });
  else if (does === 'sweep') bench.do((tx, ctx) => closeResolved(tx, ctx, 100), { kind: 'scan' });
  else if (does === 'customer') {
    const ticket = bench.ticket(id);
    const author = authorById(bench.tx, ticket.authorId);
    if (!author) throw new Error('no author');
    const actor = { kind: 'author', siteId: ticket.siteId, authorId: author.id, name: author.name } as const;
    bench.do((tx, ctx) => replyAsCustomer(tx, ctx, ticket, author, { body: 'More.' }), actor);
  } else if (does === 'retarget') {
    const other = bench.ticket(id).priorityId === 3 ? 4 : 3;
    setTargets(other, first, second);
    bench.do((tx, ctx) => changeTicket(tx, ctx, id, { priority_id: other }, null));
  } else throw new Error(does);
}

type Row = [name: string, lines: string[], columns: Record<string, string | number>, history: string[]];

// Targets of one and ten hours; 7.5 hours a day.
const ways: Row[] = [
  ['a new ticket is open and both clocks run', [], { firstDue: 'mon 11:00', due: 'tue 12:30', next: 'mon 10:48' }, []],
  [
    'open → pending pauses both clocks',
    ['mon 10:30 pause', 'fri 16:00 scan'],
    { firstDue: 'mon 11:00', due: 'tue 12:30', paused: 'mon 10:30' },
    ['open > pending'],
  ],
  [
    'spam stops both clocks',
    ['mon 10:30 spam', 'fri 16:00 scan'],
    { firstDue: 'mon 11:00', due: 'tue 12:30', paused: 'mon 10:30' },
    ['updated'],
  ],
  [
    'a ticket that is no spam after all goes on with the time it had left',
    ['mon 10:30 spam', 'mon 13:30 unspam'],
    { firstDue: 'mon 14:00', due: 'tue 15:30', next: 'mon 13:48', minutes: 150 },
    ['updated', 'updated'],
  ],
  [
    'a deadline that passed before the ticket became spam is recorded',
    ['mon 11:30 spam'],
    { firstDue: 'mon 11:00', firstBreached: 'mon 11:30', due: 'tue 12:30', paused: 'mon 11:30' },
    ['first_response breach -30', 'updated'],
  ],
  [
    'a change of state does not start the clocks of spam',
    ['mon 10:30 pause', 'mon 11:00 spam', 'mon 11:30 resume', 'mon 12:00 pause', 'mon 12:30 unspam'],
    { firstDue: 'mon 11:00', due: 'tue 12:30', paused: 'mon 10:30' },
    ['open > pending', 'updated', 'pending > open', 'open > pending', 'updated'],
  ],
  [
    'spam that an agent closes and opens again stays stopped, and goes on when it is no spam',
    ['mon 10:30 spam', 'mon 11:30 close', 'mon 13:30 reopen', 'fri 16:00 scan', 'fri 16:30 unspam'],
    { firstDue: 'fri 17:00', due: 'tue2 10:30', next: 'fri 16:48', minutes: 2130 },
    ['updated', 'open > closed', 'closed > open', 'updated'],
  ],
  [
    'pending → open by an agent moves both deadlines by the working time between',
    ['mon 10:30 pause', 'mon 13:30 resume'],
    { firstDue: 'mon 14:00', due: 'tue 15:30', next: 'mon 13:48', minutes: 150 },
    ['open > pending', 'pending > open'],
  ],
  [
    "pending → open by the customer's reply does the same",
    ['mon 10:30 pause', 'mon 13:30 customer'],
    { firstDue: 'mon 14:00', due: 'tue 15:30', next: 'mon 13:48', minutes: 150 },
    ['open > pending', 'replied', 'pending > open'],
  ],
  [
    'open → resolved stops the resolution, and an unanswered ticket waits for no answer',
    ['mon 10:30 resolve', 'fri 16:00 scan'],
    { firstDue: 'mon 11:00', due: 'tue 12:30', resolved: 'mon 10:30' },
    ['open > resolved'],
  ],
  [
    'pending → resolved ends the pause first',
    ['mon 10:30 pause', 'mon 11:30 resolve'],
    { firstDue: 'mon 12:00', due: 'tue 14:00', resolved: 'mon 11:30', minutes: 60 },
    ['open > pending', 'pending > resolved'],
  ],
  [
    'open → closed stops as resolved does',
    ['mon 10:30 close', 'fri 16:00 scan'],
    { firstDue: 'mon 11:00', due: 'tue 12:30', resolved: 'mon 10:30', closed: 'mon 10:30' },
    ['open > closed'],
  ],
  [
    'pending → closed ends the pause first',
    ['mon 10:30 pause', 'mon 11:30 close'],
    { firstDue: 'mon 12:00', due: 'tue 14:00', resolved: 'mon 11:30', closed: 'mon 11:30', minutes: 60 },
    ['open > pending', 'pending > closed'],
  ],
  [
    'resolved → open by an agent moves the deadlines by the working time resolved',
    ['mon 10:30 resolve', 'mon 14:30 reopen'],
    { firstDue: 'mon 15:00', due: 'tue 16:30', next: 'mon 14:48', minutes: 210 },
    ['open > resolved', 'resolved > open'],
  ],
  [
    "resolved → open by the customer's reply does the same",
    ['mon 10:30 resolve', 'mon 14:30 customer'],
    { firstDue: 'mon 15:00', due: 'tue 16:30', next: 'mon 14:48', minutes: 210 },
    ['open > resolved', 'replied', 'resolved > open'],
  ],
  [
    'closed → open likewise, by an agent',
    ['mon 10:30 close', 'mon 14:30 reopen'],
    { firstDue: 'mon 15:00', due: 'tue 16:30', next: 'mon 14:48', minutes: 210 },
    ['open > closed', 'closed > open'],
  ],
  [
    'closed → open likewise, by the customer',
    ['mon 10:30 close', 'mon 14:30 customer'],
    { firstDue: 'mon 15:00', due: 'tue 16:30', next: 'mon 14:48', minutes: 210 },
    ['open > closed', 'replied', 'closed > open'],
  ],
  [
    'resolved → closed by an agent keeps resolved_at, and all the time counts once it is reopened',
    ['mon 10:30 resolve', 'mon 11:30 close', 'mon 14:30 reopen'],
    { firstDue: 'mon 15:00', due: 'tue 16:30', next: 'mon 14:48', minutes: 210 },
    ['open > resolved', 'resolved > closed', 'closed > open'],
  ],
  [
    'resolved → closed by the scan comes after auto_close_days, not before, and once',
    ['mon 10:30 resolve', 'thu 10:29 sweep', 'thu 10:30 sweep', 'thu 10:31 sweep'],
    { firstDue: 'mon 11:00', due: 'tue 12:30', resolved: 'mon 10:30', closed: 'thu 10:30' },
    ['open > resolved', 'resolved > closed'],
  ],
  [
    'the state that a ticket has already is no event and moves nothing',
    ['mon 10:10 resume', 'mon 10:30 pause', 'mon 10:40 pause', 'mon 11:30 resume', 'mon 11:35 resume'],
    { firstDue: 'mon 12:00', due: 'tue 14:00', next: 'mon 11:48', minutes: 60 },
    ['open > pending', 'pending > open'],
  ],
];

const stories: Row[] = [
  [
    'the first response stops its clock; a note and a second one change nothing',
    ['mon 10:20 note', 'mon 10:25 customer', 'mon 10:30 respond', 'mon 10:40 respond'],
    { firstDue: 'mon 11:00', firstAt: 'mon 10:30', due: 'tue 12:30', next: 'tue 10:30' },
    ['note_added', 'replied', 'replied', 'replied'],
  ],
  [
    'a first response at the very deadline is in time',
    ['mon 11:00 respond', 'mon 11:01 scan'],
    { firstDue: 'mon 11:00', firstAt: 'mon 11:00', due: 'tue 12:30', next: 'tue 10:30' },
    ['replied'],
  ],
  [
    'a response after the deadline but before the scan records the breach first',
    ['mon 11:20 respond', 'mon 11:21 scan'],
    { firstDue: 'mon 11:00', firstAt: 'mon 11:20', firstBreached: 'mon 11:20', due: 'tue 12:30', next: 'tue 10:30' },
    ['first_response breach -20', 'replied'],
  ],
  [
    'a response during a pause is in time: its deadline has moved, the resolution still stands',
    ['mon 10:30 pause', 'mon 11:30 respond', 'mon 12:00 resume'],
    { firstDue: 'mon 12:00', firstAt: 'mon 11:30', due: 'tue 14:30', next: 'tue 12:00', minutes: 90 },
    ['open > pending', 'replied', 'pending > open'],
  ],
  [
    'a response to a resolved ticket is in time too, and does not reopen it',
    ['mon 10:30 resolve', 'mon 11:30 respond', 'mon 12:00 scan'],
    { firstDue: 'mon 12:00', firstAt: 'mon 11:30', due: 'tue 12:30', resolved: 'mon 10:30' },
    ['open > resolved', 'replied'],
  ],
  [
    'a pause after the deadline but before the scan records the breach first, once',
    ['mon 11:20 pause', 'mon 11:30 resume', 'mon 11:40 scan'],
    { firstDue: 'mon 11:10', firstBreached: 'mon 11:20', due: 'tue 13:10', next: 'tue 10:40', minutes: 10 },
    ['first_response breach -20', 'open > pending', 'pending > open'],
  ],
  [
    'a late resolution records both breaches first',
    ['tue 14:00 resolve'],
    {
      firstDue: 'mon 11:00',
      firstBreached: 'tue 14:00',
      due: 'tue 12:30',
      breached: 'tue 14:00',
      resolved: 'tue 14:00',
    },
    ['first_response breach -1620', 'resolution breach -90', 'open > resolved'],
  ],
  [
    'the scan warns, then records the breach, each once',
    ['mon 10:47 scan', 'mon 10:48 scan', 'mon 10:49 scan', 'mon 11:00 scan', 'mon 11:01 scan'],
    {
      firstDue: 'mon 11:00',
      firstWarned: 'mon 10:48',
      firstBreached: 'mon 11:00',
      due: 'tue 12:30',
      next: 'tue 10:30',
    },
    ['first_response warning 12', 'first_response breach 0'],
  ],
  [
    'a desk that was off catches up: what is over is breached and not warned, what is not over is warned',
    ['tue 12:00 scan', 'tue 12:01 scan'],
    { firstDue: 'mon 11:00', firstBreached: 'tue 12:00', due: 'tue 12:30', warned: 'tue 12:00', next: 'tue 12:30' },
    ['first_response breach -1500', 'resolution warning 30'],
  ],
  [
    'a new priority counts from the start',
    ['mon 10:10 retarget 30 60'],
    { firstDue: 'mon 10:30', due: 'mon 11:00', next: 'mon 10:24' },
    ['updated'],
  ],
  [
    'a new priority while paused keeps the time paused before and since',
    ['mon 10:10 pause', 'mon 10:20 resume', 'mon 10:30 pause', 'mon 10:40 retarget 60 120', 'mon 11:30 resume'],
    { firstDue: 'mon 12:10', due: 'mon 13:40', next: 'mon 11:58', minutes: 70 },
    ['open > pending', 'pending > open', 'open > pending', 'updated', 'pending > open'],
  ],
  [
    'a priority without targets has no clocks, and another brings them back',
    ['mon 10:10 pause', 'mon 10:20 resume', 'mon 10:30 retarget - -', 'mon 10:40 retarget - 60'],
    { due: 'mon 11:10', next: 'mon 10:58', minutes: 10 },
    ['open > pending', 'pending > open', 'updated', 'updated'],
  ],
  [
    'a deadline that a new priority moves ahead leaves the breach on record, and is not breached again',
    ['mon 11:20 retarget 240 600', 'tue 09:00 scan'],
    { firstDue: 'mon 14:30', firstBreached: 'mon 11:20', due: 'tue 12:30', next: 'tue 10:30' },
    ['first_response breach -20', 'updated'],
  ],
  [
    'a target cut below what has passed is breached by the next scan',
    ['mon 10:30 retarget 20 600', 'mon 10:31 scan'],
    { firstDue: 'mon 10:20', firstBreached: 'mon 10:31', due: 'tue 12:30', next: 'tue 10:30' },
    ['updated', 'first_response breach -11'],
  ],
  [
    'a new priority does not touch a clock that has stopped',
    ['mon 10:30 respond', 'mon 10:40 retarget 5 120'],
    { firstDue: 'mon 11:00', firstAt: 'mon 10:30', due: 'mon 12:00', next: 'mon 11:36' },
    ['replied', 'updated'],
  ],
  [
    'a new priority on a resolved ticket moves nothing until it is opened again',
    ['mon 10:30 resolve', 'mon 10:40 retarget 240 60'],
    { firstDue: 'mon 11:00', due: 'tue 12:30', resolved: 'mon 10:30' },
    ['open > resolved', 'updated'],
  ],
  [
    'and counts then',
    ['mon 10:20 respond', 'mon 10:30 resolve', 'mon 10:40 retarget 60 60', 'mon 11:30 reopen'],
    { firstDue: 'mon 11:00', firstAt: 'mon 10:20', due: 'mon 12:00', next: 'mon 11:48', minutes: 60 },
    ['replied', 'open > resolved', 'updated', 'resolved > open'],
  ],
  [
    'paused, resolved and closed tickets are skipped',
    ['mon 10:30 pause', 'fri 12:00 scan', 'fri 13:00 resolve', 'fri 16:00 scan', 'fri 16:10 close', 'fri 16:20 scan'],
    { firstDue: 'fri 13:30', due: 'mon2 15:00', resolved: 'fri 13:00', closed: 'fri 16:10', minutes: 1920 },
    ['open > pending', 'pending > resolved', 'resolved > closed'],
  ],
];

const knownBugs: Row[] = [
  [
    'a ticket reopened after a week in resolved is not in breach at once',
    ['mon 10:30 respond', 'mon 11:00 resolve', 'mon2 11:00 customer', 'mon2 11:01 scan', 'tue2 12:30 scan'],
    {
      firstDue: 'mon 11:00',
      firstAt: 'mon 10:30',
      due: 'tue2 12:30',
      breached: 'tue2 12:30',
      minutes: 5 * 450,
    },
    ['replied', 'open > resolved', 'replied', 'resolved > open', 'resolution breach 0'],
  ],
  [
    'waiting on the customer burns no time',
    ['mon 10:30 respond', 'mon 10:40 pause', 'fri 10:40 customer', 'fri 10:41 scan'],
    { firstDue: 'mon 11:00', firstAt: 'mon 10:30', due: 'mon2 12:30', next: 'mon2 10:30', minutes: 4 * 450 },
    ['replied', 'open > pending', 'replied', 'pending > open'],
  ],
  [
    'a lunch break burns no time',
    ['mon 12:30 pause', 'mon 13:00 resume', 'mon 13:00 retarget 180 600'],
    { firstDue: 'mon 13:30', firstBreached: 'mon 12:30', due: 'tue 12:30', next: 'tue 10:30' },
    ['first_response breach -90', 'open > pending', 'pending > open', 'updated'],
  ],
];

describe('every path between the statuses', () => {
  test.each(ways)('%s', (_name, lines, expected, history) => {
    const told = tell(lines);
    expect(columns(told.ticket)).toEqual(expected);
    expect(told.history).toEqual(history);
  });
});

describe('the clocks', () => {
  test.each(stories)('%s', (_name, lines, expected, history) => {
    const told = tell(lines);
    expect(columns(told.ticket)).toEqual(expected);
    expect(told.history).toEqual(history);
  });

  test.each([
    ['in the night', 'mon 22:00', 'tue 10:00'],
    ['over lunch', 'mon 12:45', 'mon 14:00'],
    ['at the weekend', 'sat 11:00', 'mon2 10:00'],
  ])('a ticket raised %s starts when work does', (_name, opened, firstDue) => {
    expect(columns(tell([], { opened }).ticket)).toMatchObject({ firstDue });
  });

  test('continue while pending if the policy does not pause', () => {
    const told = tell(['mon 10:30 pause', 'mon 11:05 scan', 'mon 12:00 resume'], { isPausing: false });
    expect(columns(told.ticket)).toEqual({
      firstDue: 'mon 11:00',
      firstBreached: 'mon 11:05',
      due: 'tue 12:30',
      next: 'tue 10:30',
    });
    expect(told.history).toEqual(['open > pending', 'first_response breach -5', 'pending > open']);
  });

  test('of a test ticket have deadlines but never warn or breach', () => {
    const lines = [
      'fri 10:00 scan',
      'fri 10:10 pause',
      'fri 10:20 respond',
      'fri 10:30 retarget 5 5',
      'fri 10:40 resume',
    ];
    const told = tell([...lines, 'fri 11:00 scan', 'fri 12:00 resolve', 'fri 13:00 customer', 'fri 14:00 scan'], {
      isTest: true,
    });
    expect(told.history.filter((line) => /breach|warning/.test(line))).toEqual([]);
    expect([told.ticket.slaNextAt, shown(told.ticket.firstResponseDueAt)]).toEqual([null, 'mon 11:10']);
  });

  test('of a merged ticket stop and record an unseen breach; the other ticket keeps its own', () => {
    const { ticket: target } = tell([]);
    const { ticket: source } = tell([]);
    bench.clock.set(at('mon 11:30'));
    bench.do((tx, ctx) => mergeTickets(tx, ctx, source.id, target.id));
    expect(eventsOf(source.id, target.id).map(({ kind, ticketId }) => [kind, ticketId])).toEqual([
      ['ticket.sla_breached', source.id],
      ['ticket.status_changed', source.id],
      ['ticket.merged', source.id],
      ['ticket.merged', target.id],
    ]);
    expect(columns(bench.ticket(source.id))).toMatchObject({ resolved: 'mon 11:30', firstBreached: 'mon 11:30' });
    expect(bench.ticket(source.id).slaNextAt).toBeNull();
    bench.clock.set(at('mon 11:31'));
    bench.do((tx, ctx) => scanStep(tx, ctx), { kind: 'scan' });
    expect(eventsOf(source.id, target.id).map(({ kind, ticketId }) => [kind, ticketId])).toEqual([
      ['ticket.sla_breached', target.id],
    ]);
  });
});

describe('known mistakes of other desks do not happen:', () => {
  test.each(knownBugs)('%s', (_name, lines, expected, history) => {
    const told = tell(lines);
    expect(columns(told.ticket)).toEqual(expected);
    expect(told.history).toEqual(history);
  });
});
