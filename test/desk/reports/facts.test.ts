// What reports count of a ticket: stories with the numbers worked out, and random histories against a naive recount.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Context } from '../../../src/desk/context.ts';
import { eraseAuthor } from '../../../src/desk/customers/authors.ts';
import { rateTicket } from '../../../src/desk/customers/satisfaction.ts';
import { actorOf } from '../../../src/desk/customers/visits.ts';
import { addAgent } from '../../../src/desk/people/agents.ts';
import { factSteps, keepFacts, withOtherFacts } from '../../../src/desk/reports/keep-facts.ts';
import { changeSite } from '../../../src/desk/sites/sites.ts';
import { explainSla, scanStep } from '../../../src/desk/sla/sla.ts';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import { mergeTickets } from '../../../src/desk/tickets/merge-tickets.ts';
import { replyAsAgent, replyAsCustomer } from '../../../src/desk/tickets/replies.ts';
import { splitTicket } from '../../../src/desk/tickets/split-ticket.ts';
import { openTicketAsAgent } from '../../../src/desk/tickets/tickets.ts';
import { unmergeTicket } from '../../../src/desk/tickets/unmerge-ticket.ts';
import type { AgentActor } from '../../../src/domain/actor.ts';
import { DeskError } from '../../../src/domain/errors.ts';
import { agentTicketInput } from '../../../src/domain/input/tickets.ts';
import type { Rating } from '../../../src/domain/tickets/satisfaction.ts';
import type { TicketStatus } from '../../../src/domain/tickets/ticket.ts';
import { query, type Tx } from '../../../src/engine/database.ts';
import { authorById } from '../../../src/store/customers/authors.ts';
import { countFactsDue } from '../../../src/store/reports/facts.ts';
import { priorityRows } from '../../../src/store/sites/catalogue.ts';
import { caseCount } from '../../support/case-count.ts';
import { minute, type Workbench, workbench } from '../workbench.ts';

const zone = 'Europe/Amsterdam';
const office = ['mon', 'tue', 'wed', 'thu', 'fri'].map((day) => [day, [['09:00', '17:00']]]);
const monday = Temporal.PlainDate.from('2026-09-07');

let bench: Workbench;
let ana: AgentActor;

/** `0 10:00` is ten o'clock on that Monday, `1 10:00` on Tuesday. */
function moment(text: string): number {
  const [day = '0', time = ''] = text.split(' ');
  const date = monday.add({ days: Number(day) });
  return date.toZonedDateTime({ timeZone: zone, plainTime: time }).epochMilliseconds;
}

async function setUp() {
  bench = workbench();
  const { id } = bench.do((tx, ctx) => addAgent(tx, ctx, { email: 'ana@desk.example', name: 'Ana', role: 'owner' }));
  const abilities = ['read', 'note', 'write', 'manage', 'own'] as const;
  ana = { kind: 'agent', agentId: id, name: 'Ana', role: 'owner', abilities, scope: 'all', sessionId: 1 };
  const hours = { timezone: zone, weekly: Object.fromEntries(office) };
  const settings = { ask_satisfaction: true };
  bench.do((tx, ctx) => changeSite(tx, ctx, '1', { sla_policy: { business_hours: hours }, settings } as never, null));
  for (const { id: priority } of priorityRows.list(bench.tx, 1))
    bench.do((tx) => priorityRows.update(tx, priority, { firstResponseMinutes: 240, resolutionMinutes: 600 }));
}

/** Through the writer, which keeps the facts. */
const write = <T>(verb: (tx: Tx, ctx: Context) => T, actor = ana as Parameters<Workbench['do']>[1]): Promise<T> =>
  bench.desk.write((tx) => verb(tx, bench.desk.context(actor ?? ana, 'test')) as never);

const reply = (id: number, status?: TicketStatus) =>
  write((tx, ctx) => replyAsAgent(tx, ctx, id, { body: 'Try again.', ...(status ? { status } : {}) }));
const set = (id: number, change: Parameters<typeof changeTicket>[3]) =>
  write((tx, ctx) => changeTicket(tx, ctx, id, change, null));
const hear = (id: number) =>
  write((tx, ctx) => {
    const ticket = bench.ticket(id);
    const author = authorById(tx, ticket.authorId);
    if (!author) throw new Error('no author');
    return replyAsCustomer(tx, ctx, ticket, author, { body: 'And?' });
  });

const rate = (id: number, rating: Rating) =>
  write((tx, ctx) => {
    const author = authorById(tx, bench.ticket(id).authorId);
    if (!author) throw new Error('no author');
    return rateTicket(tx, { ...ctx, actor: actorOf(author) }, bench.ticket(id), { rating });
  });

type Line = string;
/** Plays lines such as `0 10:30 reply resolved` on a new ticket, which is opened on Monday at ten. */
async function tell(lines: Line[]): Promise<number> {
  bench.clock.set(moment('0 10:00'));
  const { id } = bench.open().ticket;
  for (const line of lines) {
    const [day, time, word, status] = line.split(' ');
    bench.clock.set(moment(`${day} ${time}`));
    if (word === 'reply') await reply(id, status as TicketStatus);
    else if (word === 'hear') await hear(id);
    else if (word === 'rate') await rate(id, status === 'good' ? 'good' : 'bad');
    else if (word === 'spam') await set(id, { is_spam: status !== 'no' });
    else if (word === 'scan') await write((tx, ctx) => scanStep(tx, ctx));
    else await set(id, { status: word as TicketStatus });
  }
  return id;
}

interface Row {
  kind: string;
  at: number;
  until_at: number | null;
  agent_id: number | null;
  calendar_ms: number | null;
  working_ms: number | null;
  amount: number | null;
  is_last: number;
}

const rows = (id: number, kind: string) =>
  query<Row>(bench.tx, 'SELECT * FROM report_facts WHERE ticket_id = ? AND kind = ? ORDER BY number').all(id, kind);
/** In minutes: calendar time, working time. */
const lengths = (id: number, kind: string) =>
  rows(id, kind).map((row) => [(row.calendar_ms ?? 0) / minute, (row.working_ms ?? 0) / minute]);

describe('a story', () => {
  beforeAll(setUp);
  afterAll(() => bench.close());

  test('of a ticket that is answered and resolved', async () => {
    // 10:00 to 16:00: six hours. Tuesday 08:00 to 10:30: 150 minutes, of which 90 after nine.
    const id = await tell(['0 16:00 reply', '1 08:00 hear', '1 10:30 reply', '1 11:00 resolved']);
    expect(lengths(id, 'first_response')).toEqual([[360, 360]]);
    expect(lengths(id, 'reply')).toEqual([
      [360, 360],
      [150, 90],
    ]);
    // 25 hours; seven on Monday and two on Tuesday.
    expect(lengths(id, 'resolution')).toEqual([[1500, 540]]);
    expect(rows(id, 'resolution')).toMatchObject([{ amount: 2, is_last: 1, until_at: null, agent_id: ana.agentId }]);
    expect(lengths(id, 'customer_wait')).toEqual([[1500, 540]]);
    // 360 of 240 minutes, and 540 of 600.
    expect(rows(id, 'first_response_clock')).toMatchObject([{ amount: 0, at: moment('0 14:00') }]);
    expect(rows(id, 'resolution_clock')).toMatchObject([{ amount: 1, at: moment('1 11:00') }]);
  });

  test('whose pause counts only in calendar time', async () => {
    const id = await tell(['0 11:00 reply pending', '0 15:00 hear', '0 15:30 reply resolved']);
    expect(lengths(id, 'reply')).toEqual([
      [60, 60],
      [30, 30],
    ]);
    expect(lengths(id, 'resolution')).toEqual([[330, 90]]);
    expect(lengths(id, 'customer_wait')).toEqual([[90, 90]]);
  });

  test('of a wait that counts from the first of several messages', async () => {
    const id = await tell(['0 10:20 hear', '0 10:40 hear', '0 11:00 reply', '0 11:10 reply']);
    expect(lengths(id, 'reply')).toEqual([
      [60, 60],
      [0, 0],
    ]);
    expect(rows(id, 'reply')[1]?.calendar_ms).toBeNull();
  });

  test('that is reopened and resolved again', async () => {
    const id = await tell([
      '0 11:00 reply resolved',
      '0 13:00 hear',
      '0 14:00 resolved',
      '0 15:00 hear',
      '0 16:00 reply',
    ]);
    expect(rows(id, 'resolution')).toMatchObject([
      { at: moment('0 11:00'), until_at: moment('0 13:00'), is_last: 0, amount: 1 },
      { at: moment('0 14:00'), until_at: moment('0 15:00'), is_last: 1, amount: 1 },
    ]);
    // What was asked at one was settled at two without an answer, so the second wait began at three.
    expect(lengths(id, 'reply')).toEqual([
      [60, 60],
      [60, 60],
    ]);
    expect(lengths(id, 'customer_wait')).toEqual([[120, 120]]);
    expect(rows(id, 'resolution_clock')).toEqual([]);
  });

  test('closed straight away is resolved; closed after that, it is not resolved again', async () => {
    expect(rows(await tell(['0 12:00 closed']), 'resolution')).toMatchObject([{ amount: 0 }]);
    const id = await tell(['0 12:00 resolved', '0 13:00 closed']);
    expect(rows(id, 'resolution')).toMatchObject([{ at: moment('0 12:00') }]);
  });

  test('that no one answered in time, and of one that was resolved unanswered', async () => {
    const id = await tell(['0 14:01 scan']);
    expect(rows(id, 'first_response_clock')).toMatchObject([{ amount: 0, at: moment('0 14:00') }]);
    expect(rows(await tell(['0 12:00 resolved']), 'first_response_clock')).toEqual([]);
  });

  test('over the night in which clocks go back has an hour more in calendar time, and none in working time', async () => {
    // Friday 23 October to Monday 26 October 2026.
    const id = await tell(['46 16:00 hear', '49 10:00 reply']);
    // From Monday 7 September at ten: 49 days and an hour; 35 working days of eight hours.
    expect(lengths(id, 'reply')).toEqual([[49 * 24 * 60 + 60, 35 * 480]]);
  });

  test('of spam has no facts, and has them again when it was none', async () => {
    const id = await tell(['0 11:00 reply', '0 12:00 spam']);
    expect(query(bench.tx, 'SELECT * FROM report_facts WHERE ticket_id = ?').all(id)).toEqual([]);
    bench.clock.set(moment('0 13:00'));
    await set(id, { is_spam: false });
    expect(lengths(id, 'reply')).toEqual([[60, 60]]);
  });

  test('that an agent opened begins with what the customer answers', async () => {
    bench.clock.set(moment('0 10:00'));
    const input = { site_id: 1, email: 'oz@example.org', subject: 'Hello', message: 'We call.', notify_author: true };
    const { ticket } = await write((tx, ctx) => openTicketAsAgent(tx, ctx, agentTicketInput.parse(input)));
    bench.clock.set(moment('0 12:00'));
    await hear(ticket.id);
    bench.clock.set(moment('0 12:45'));
    await reply(ticket.id, 'resolved');
    expect(lengths(ticket.id, 'first_response')).toEqual([[45, 45]]);
    expect(rows(ticket.id, 'resolution')).toMatchObject([{ amount: 1 }]);
  });

  test('merged into another is no resolution, and its waits are those of the other', async () => {
    const target = await tell([]);
    const source = await tell(['0 11:00 reply', '0 12:00 hear']);
    await write((tx, ctx) => mergeTickets(tx, ctx, source, target));
    expect(rows(source, 'resolution')).toEqual([]);
    expect(rows(source, 'merge')).toMatchObject([{ at: moment('0 12:00') }]);
    expect(lengths(source, 'reply')).toEqual([]);
    bench.clock.set(moment('0 12:30'));
    await reply(target);
    expect(lengths(target, 'reply')).toEqual([
      [60, 60],
      [30, 30],
    ]);
    await write((tx, ctx) => unmergeTicket(tx, ctx, source));
    expect(rows(source, 'merge')).toMatchObject([{ until_at: moment('0 12:30') }]);
    expect(lengths(source, 'reply')).toEqual([[60, 60]]);
    expect(lengths(target, 'reply')).toEqual([[150, 150]]);
  });

  test('whose customer says how the help was counts for who resolved it, once, with what they say now', async () => {
    const id = await tell(['0 11:00 reply resolved', '0 12:00 rate bad', '1 09:00 rate good']);
    expect(rows(id, 'satisfaction')).toMatchObject([{ at: moment('0 12:00'), amount: 1, agent_id: ana.agentId }]);
    expect(rows(id, 'satisfaction_asked')).toMatchObject([{ at: moment('0 11:00'), amount: 1, agent_id: ana.agentId }]);
  });

  test('whose customer is asked counts as asked until it is opened again, and stays with an answer', async () => {
    const silent = await tell(['0 11:00 reply resolved', '0 13:00 hear', '0 14:00 reply resolved']);
    expect(rows(silent, 'satisfaction_asked')).toMatchObject([{ at: moment('0 14:00'), amount: 0 }]);
    const open = await tell(['0 11:00 reply resolved', '0 13:00 hear']);
    expect(rows(open, 'satisfaction_asked')).toEqual([]);
    bench.clock.set(moment('0 13:30'));
    await rate(open, 'bad');
    expect(rows(open, 'satisfaction_asked')).toMatchObject([{ at: moment('0 11:00'), amount: 1 }]);
    expect(rows(open, 'satisfaction')).toMatchObject([{ at: moment('0 13:30'), amount: 0 }]);
  });

  test('of an erased customer keeps its numbers', async () => {
    const id = await tell(['0 11:00 reply resolved']);
    await write((tx, ctx) => eraseAuthor(tx, ctx, { site_id: 1, email: 'mia@example.org' } as never));
    expect(lengths(id, 'resolution')).toEqual([[60, 60]]);
  });

  test('of a new ticket costs nothing: it has no facts, and none are due', () => {
    const { id } = bench.open().ticket;
    expect(query(bench.tx, 'SELECT * FROM report_facts WHERE ticket_id = ?').all(id)).toEqual([]);
    expect(countFactsDue(bench.tx)).toBe(0);
  });

  test('of many tickets waits for the job, so that no other write waits for it', () => {
    const ids = Array.from({ length: 17 }, () => bench.open().ticket.id);
    query(bench.tx, 'INSERT INTO report_facts_due SELECT value FROM json_each(?)').run(JSON.stringify(ids));
    expect(factSteps(bench.tx)).toHaveLength(0);
    query(bench.tx, 'DELETE FROM report_facts_due WHERE ticket_id = ?').run(ids[0] ?? 0);
    expect(factSteps(bench.tx)).toHaveLength(16);
    query(bench.tx, 'DELETE FROM report_facts_due').run();
  });

  test('that no longer agrees with its facts is found, and put right', async () => {
    const id = await tell(['0 11:00 reply']);
    const found = () => withOtherFacts(bench.tx, id - 1, 1).found.map((ticket) => ticket.id);
    expect(found()).toEqual([]);
    await write((tx) => query(tx, 'UPDATE report_facts SET working_ms = 1 WHERE ticket_id = ?').run(id));
    expect(found()).toEqual([id]);
    await write((tx) => keepFacts(tx, id));
    expect(found()).toEqual([]);
  });
});

type Sample = { at: number; status: TicketStatus; isSpam: boolean; isMerge: boolean };
const isOver = ({ status }: Sample) => status === 'resolved' || status === 'closed';

/** Minute by minute, from samples of the ticket after each step. */
function recount(id: number, samples: readonly Sample[], worked: (from: number, to: number) => number) {
  const ticket = bench.ticket(id);
  if (ticket.isSpam) return [];
  const facts: string[] = [];
  const stateAt = (at: number) => samples.findLast((sample) => sample.at <= at) ?? samples[0];
  const isHeld = (sample: Sample | undefined) => sample !== undefined && (sample.status !== 'open' || sample.isSpam);
  const count = (from: number, to: number, holds: (sample: Sample | undefined) => boolean, isWorking: boolean) => {
    let minutes = 0;
    for (let at = from; at < to; at += minute)
      if (holds(stateAt(at))) minutes += isWorking ? worked(at, at + minute) : 1;
    return minutes;
  };
  const length = (from: number, to: number) =>
    `${(to - from) / minute}/${count(from, to, (sample) => !isHeld(sample), true)}`;
  const messages = query<{ at: number; agent: number }>(
    bench.tx,
    'SELECT created_at AS at, is_agent AS agent FROM messages WHERE ticket_id = ? AND is_internal = 0 ORDER BY created_at, id',
  ).all(id);
  const closings = samples.flatMap((sample, index) => {
    const before = samples[index - 1];
    if (!isOver(sample) || (before && isOver(before))) return [];
    const until = samples.slice(index + 1).find((later) => !isOver(later))?.at ?? null;
    return [{ at: sample.at, until, isMerge: sample.isMerge }];
  });
  const resolutions = closings.filter(({ isMerge }) => !isMerge);
  for (const { at, until, isMerge } of closings) {
    const replies = messages.filter((message) => message.agent === 1 && message.at <= at).length;
    const last = resolutions.at(-1)?.at === at ? 'last' : '';
    facts.push(
      isMerge ? `merge ${at} ${until}` : `resolution ${at} ${until} ${length(ticket.createdAt, at)} ${replies} ${last}`,
    );
  }
  const last = resolutions.at(-1);
  if (last) {
    const isOpen = (sample: Sample | undefined) => sample?.status === 'open';
    const working = count(ticket.createdAt, last.at, (sample) => isOpen(sample) && !isHeld(sample), true);
    facts.push(`customer_wait ${last.at} ${count(ticket.createdAt, last.at, isOpen, false)}/${working}`);
  }
  for (const [index, message] of messages.entries()) {
    if (message.agent === 0) continue;
    const since = Math.max(
      ...messages.slice(0, index).map((one) => (one.agent === 1 ? one.at : 0)),
      ...resolutions.filter((one) => one.at < message.at).map((one) => one.at),
      0,
    );
    const asked = messages.slice(0, index).find((one, place) => {
      const answered = messages.slice(0, index).findLastIndex(({ agent }) => agent === 1);
      return one.agent === 0 && place > answered && (one.at > since || !resolutions.some(({ at }) => at === since));
    });
    facts.push(asked ? `reply ${message.at} ${length(asked.at, message.at)}` : `reply ${message.at}`);
  }
  const clocks = explainSla(bench.tx, bench.desk.context({ kind: 'command_line' }, 'test'), id).clocks;
  for (const { clock, startedAt, stoppedAt, dueAt, breachedAt, elapsedMs } of clocks) {
    if (clock === 'first_response' && startedAt !== null && stoppedAt !== null)
      facts.push(`first_response ${stoppedAt} ${(stoppedAt - startedAt) / minute}/${elapsedMs / minute}`);
    if (dueAt === null || (stoppedAt === null && breachedAt === null)) continue;
    if (clock === 'resolution' && closings.at(-1)?.isMerge && closings.at(-1)?.until === null) continue;
    const isMet = stoppedAt !== null && stoppedAt <= dueAt;
    facts.push(`${clock}_clock ${isMet ? stoppedAt : dueAt} ${isMet ? 1 : 0}`);
  }
  facts.push(...ratingsOf(id, closings));
  return facts.sort();
}

/** From the events alone: what was asked and said, and what was opened again in between. */
function ratingsOf(id: number, closings: readonly { at: number; until: number | null; isMerge: boolean }[]): string[] {
  const of = query<{ at: number; asked: string | null; rating: string | null }>(
    bench.tx,
    `SELECT created_at AS at, data ->> 'satisfaction_asked' AS asked, data ->> '$.changes.satisfaction.to' AS rating
     FROM events WHERE ticket_id = ? AND (asked IS NOT NULL OR rating IS NOT NULL) ORDER BY seq`,
  ).all(id);
  const rated = of.filter(({ rating }) => rating !== null);
  const [first] = rated;
  const asked = of.filter(({ asked: how, at }) => how !== null && at <= (first?.at ?? at)).at(-1)?.at;
  if (first !== undefined) {
    const isGood = rated.at(-1)?.rating === 'good' ? 1 : 0;
    return [`satisfaction ${first.at} ${isGood}`, `satisfaction_asked ${asked ?? first.at} 1`];
  }
  const resolved = closings.filter(({ isMerge }) => !isMerge).at(-1);
  return asked === undefined || resolved === undefined || resolved.until !== null
    ? []
    : [`satisfaction_asked ${asked} 0`];
}

function storedFacts(id: number): string[] {
  const all = query<Row>(bench.tx, 'SELECT * FROM report_facts WHERE ticket_id = ?').all(id);
  return all
    .map(({ kind, at, until_at, calendar_ms, working_ms, amount, is_last }) => {
      const took = calendar_ms === null ? '' : `${calendar_ms / minute}/${(working_ms ?? 0) / minute}`;
      if (kind === 'merge') return `merge ${at} ${until_at}`;
      if (kind === 'resolution') return `resolution ${at} ${until_at} ${took} ${amount} ${is_last ? 'last' : ''}`;
      if (kind.endsWith('_clock') || kind.startsWith('satisfaction')) return `${kind} ${at} ${amount}`;
      return took === '' ? `${kind} ${at}` : `${kind} ${at} ${took}`;
    })
    .sort();
}

test('random histories have the facts that a naive recount finds', async () => {
  const act = fc.record({
    what: fc.constantFrom('rate', 'reply', 'hear', 'status', 'merge', 'unmerge', 'spam', 'split', 'scan', 'open'),
    who: fc.nat(5),
    other: fc.nat(5),
    status: fc.constantFrom<TicketStatus>('open', 'pending', 'resolved', 'closed'),
    minutes: fc.integer({ min: 1, max: 900 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 14 }), async (acts) => {
      await setUp();
      const start = moment('0 08:00');
      const isWorking = (at: number) => {
        const wall = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
        return wall.dayOfWeek <= 5 && wall.hour >= 9 && wall.hour < 17;
      };
      const flags = new Map<number, boolean>();
      const worked = (from: number) => {
        if (!flags.has(from)) flags.set(from, isWorking(from));
        return flags.get(from) ? 1 : 0;
      };
      const samples = new Map<number, Sample[]>();
      let now = start;
      const sample = (merged: number | null) => {
        for (const { id } of query<{ id: number }>(bench.tx, 'SELECT id FROM tickets').all()) {
          const { status, isSpam } = bench.ticket(id);
          const known = samples.get(id) ?? [];
          samples.set(id, known);
          const isMerge = merged === id;
          const before = known.at(-1);
          if (before?.status !== status || before.isSpam !== isSpam) known.push({ at: now, status, isSpam, isMerge });
        }
      };
      try {
        bench.clock.set(now);
        for (let count = 0; count < 2; count += 1) bench.open();
        sample(null);
        for (const { what, who, other, status, minutes } of acts) {
          now += minutes * minute;
          bench.clock.set(now);
          const ids = [...samples.keys()];
          const id = ids[who % ids.length] ?? 1;
          const target = ids[other % ids.length] ?? 1;
          const steps: Record<string, () => unknown> = {
            rate: () => rate(id, status === 'open' ? 'bad' : 'good'),
            reply: () => reply(id),
            hear: () => (bench.ticket(id).mergedIntoId === null ? hear(id) : null),
            status: () => set(id, { status }),
            merge: () => write((tx, ctx) => mergeTickets(tx, ctx, id, target)),
            unmerge: () => write((tx, ctx) => unmergeTicket(tx, ctx, id)),
            spam: () => set(id, { is_spam: !bench.ticket(id).isSpam }),
            split: () => {
              const last = query<{ ulid: string }>(
                bench.tx,
                'SELECT ulid FROM messages WHERE ticket_id = ? ORDER BY id DESC LIMIT 1',
              ).get(id);
              return write((tx, ctx) => splitTicket(tx, ctx, id, { message: last?.ulid ?? '' }));
            },
            scan: () => write((tx, ctx) => scanStep(tx, ctx)),
            open: () => bench.open(),
          };
          try {
            await steps[what]?.();
          } catch (error) {
            if (!(error instanceof DeskError)) throw error;
          }
          sample(what === 'merge' ? id : null);
          for (const [one, states] of samples)
            expect(storedFacts(one)).toEqual(recount(one, states, (from) => worked(from)));
        }
        expect(withOtherFacts(bench.tx, 0, 100).found).toEqual([]);
      } finally {
        bench.close();
      }
    }),
    {
      numRuns: caseCount(8, 80),
      // What is split from a rated ticket was not rated.
      examples: [
        [
          ['rate', 'reply', 'rate', 'split'].map((what, who) => ({
            what,
            who: Math.min(who, 1),
            other: 0,
            status: 'open',
            minutes: 1,
          })),
        ],
      ] as never,
    },
  );
}, 120_000);
