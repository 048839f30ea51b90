// Random rules on random messages, really filed: the dry run must agree with the inbound log, ticket, history and
// outbox.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { addAgent, removeAgent } from '../../../src/desk/people/agents.ts';
import { categories } from '../../../src/desk/sites/catalogue/categories.ts';
import { priorities } from '../../../src/desk/sites/catalogue/priorities.ts';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import { addParticipant, removeParticipant } from '../../../src/desk/tickets/participants.ts';
import { type RuleInput, ruleInput } from '../../../src/domain/input/channels.ts';
import { type RuleAction, type RuleCondition, ruleOperators } from '../../../src/domain/rules/rule.ts';
import { validateRule } from '../../../src/domain/rules/validation.ts';
import { query } from '../../../src/engine/database.ts';
import { presentInboundMail, presentPreview } from '../../../src/http/wire/mail/inbound-mail.ts';
import type { Event } from '../../../src/store/events.ts';
import type { InboundMail } from '../../../src/store/mail/inbound.ts';
import { suppressAddress } from '../../../src/store/mail/suppressions.ts';
import { inboundRuleRows } from '../../../src/store/sites/catalogue.ts';
import { updateSite } from '../../../src/store/sites/sites.ts';
import { type Ticket, ticketById, updateTicket } from '../../../src/store/tickets/tickets.ts';
import { caseCount } from '../../support/case-count.ts';
import { type MailDesk, mail, mailDesk } from '../mail/mail-desk.ts';

let bench: MailDesk;
const agents: number[] = [];
beforeAll(async () => {
  bench = await mailDesk();
  for (const name of ['Ada', 'Bo', 'Gone']) {
    const email = `${name.toLowerCase()}@agents.example`;
    agents.push(await bench.do((tx, ctx) => addAgent(tx, ctx, { email, name, role: 'member' }).id));
  }
  await bench.do((tx, ctx) => {
    removeAgent(tx, ctx, agents[2] ?? 0);
    return null;
  });
});
afterAll(() => bench.close());

const word = fc.constantFrom('invoice', 'printer', 'Fire', 'refund', 'a', 'é', '50%');
const texts = fc.oneof(
  word,
  fc.constantFrom('mia@customer.example', 'cy@else.example', 'customer.example', 'log.txt', 'one', 'x'),
);
const field = fc.constantFrom(
  ...['from', 'from_domain', 'to', 'cc', 'subject', 'body', 'header:x-kind', 'attachment_name'],
  ...['has_attachment', 'participant', 'size', 'spam_score', 'is_reply', 'site_category'],
);
const value = fc.oneof(
  texts,
  fc.constantFrom(0, 1, 5, 400, true, false, null, '^re', '(invoice|fire)', 'o+'),
  fc.array(fc.oneof(texts, fc.constantFrom(1, 5)), { minLength: 1, maxLength: 3 }),
);
const condition = fc
  .record({ field, operator: fc.constantFrom(...ruleOperators), value, negate: fc.boolean() })
  .filter(
    (one) => Object.keys(validateRule({ name: 'r', conditions: [one], actions: [{ type: 'discard' }] })).length === 0,
  );

// Ids stand for the nth row of each site; the last has been deleted.
const nth = fc.constantFrom(0, 1, 0, 1, 0, 1, 2);
const key = fc.constantFrom('a', 'b', '__proto__');
const forward = fc.record({
  type: fc.constant('forward'),
  value: fc.constantFrom('s@else.example', 'S@else.example', 'dead@else.example'),
});
const discard = fc.record({ type: fc.constant('discard'), value: fc.constantFrom(null, 'Spam.') });
const action = fc.oneof(
  fc.record({ type: fc.constant('set_category'), nth }),
  fc.record({ type: fc.constant('set_priority'), nth }),
  fc.record({ type: fc.constant('assign'), nth }),
  fc.record({ type: fc.constant('assign'), value: fc.constant('round_robin') }),
  fc.record({
    type: fc.constant('add_tags'),
    value: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 't1'), { minLength: 1 }),
  }),
  fc.record({
    type: fc.constant('add_participant'),
    value: fc.record({
      email: fc.constantFrom(...['bo@else.example', 'cy@else.example', 'removed@else.example', 'ada@agents.example']),
      name: fc.constantFrom(null, 'Bo'),
    }),
  }),
  fc.record({ type: fc.constant('set_metadata'), value: fc.dictionary(key, fc.nat(2), { minKeys: 1 }) }),
  fc.record({ type: fc.constant('set_status'), value: fc.constantFrom('open', 'pending', 'resolved', 'closed') }),
  fc.record({ type: fc.constant('note'), value: fc.constantFrom('Look.', 'Call the brigade.') }),
  forward,
  discard,
);
const actions = fc.array(action, { minLength: 1, maxLength: 4 });
// Most rules discard nothing, because a chain that ends at once proves little.
const tame: fc.Arbitrary<Made<typeof action>[]> = fc.oneof(
  { weight: 5, arbitrary: actions.map((all) => all.filter(({ type }) => type !== 'discard')) },
  { weight: 1, arbitrary: actions },
  // Random actions rarely hold both, and the rounds go on until a mail has met such a rule.
  { weight: 1, arbitrary: fc.tuple(forward, discard) },
);
const ruleSet = fc.array(
  fc.record({
    is_active: fc.constantFrom(true, true, true, false),
    match: fc.constantFrom('all', 'any'),
    conditions: fc.array(condition, { maxLength: 3 }),
    actions: tame.filter((all) => all.length > 0),
    stop_processing: fc.constantFrom(false, false, false, true),
  }),
  { minLength: 1, maxLength: 6 },
);
const message = fc.record({
  kind: fc.constantFrom('new', 'new', 'reply', 'reply', 'agent', 'automatic', 'forged', 'flood'),
  subject: fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')),
  body: fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(' ')),
  hasFile: fc.boolean(),
  headers: fc.subarray(['X-Kind: invoice', 'X-Spam-Score: 5', 'Cc: Mia <mia@customer.example>', 'Cc: cy@else.example']),
});
const state = fc.record({
  status: fc.constantFrom('open' as const, 'pending' as const, 'resolved' as const, 'closed' as const),
  tags: fc.constantFrom(
    [],
    ['a'],
    Array.from({ length: 9 }, (_, at) => `t${at}`),
  ),
  metadata: fc.constantFrom({}, { a: 1 }),
  isAssigned: fc.boolean(),
});

type Made<T> = T extends fc.Arbitrary<infer Value> ? Value : never;
type Sent = Made<typeof message>;
type Start = Made<typeof state>;

let runs = 0;

interface Scene {
  site: MailDesk['site'];
  from: string;
  ticket: Ticket | null;
  named: Record<string, number[]>;
}

/** A separate site with three of everything, the third deleted, and a ticket to reply to. */
async function scene(kind: string, start: Start): Promise<Scene> {
  runs += 1;
  const site = await bench.siteNamed(`Run ${runs}`);
  const name = String(site.id);
  const named = await bench.do((tx, ctx) => {
    const added = { set_category: [] as number[], set_priority: [] as number[], assign: agents };
    for (const word of ['One', 'Two', 'Three']) {
      added.set_category.push(categories.add(tx, ctx, name, { name: word, slug: word.toLowerCase() }).row.id);
      const level = added.set_priority.length + 10;
      added.set_priority.push(
        priorities.add(tx, ctx, name, { name: word, slug: `p-${word.toLowerCase()}`, level }).row.id,
      );
    }
    categories.remove(tx, ctx, name, added.set_category[2] ?? 0, null);
    priorities.remove(tx, ctx, name, added.set_priority[2] ?? 0, null);
    suppressAddress(tx, site.id, 'dead@else.example', 'The mail bounced.', ctx.now);
    return added;
  });
  const author = `author${runs}@customer.example`;
  let ticket: Ticket | null = null;
  if (['reply', 'agent', 'automatic'].includes(kind)) {
    const row = await bench.post(mail({ from: author }), {}, site);
    ticket = await bench.do((tx, ctx) => {
      changeTicket(tx, ctx, row.ticketId ?? 0, { status: start.status, tags: start.tags }, null);
      if (start.isAssigned) changeTicket(tx, ctx, row.ticketId ?? 0, { assigned_to: agents[0] ?? 0 }, null);
      const gone = addParticipant(tx, ctx, row.ticketId ?? 0, { email: 'removed@else.example' });
      removeParticipant(tx, ctx, row.ticketId ?? 0, gone.participant.id);
      const changed = ticketById(tx, row.ticketId ?? 0) ?? bench.ticket(row.ticketId);
      return updateTicket(tx, changed, { metadata: start.metadata });
    });
  }
  if (kind === 'flood') for (let count = 0; count < 10; count += 1) await bench.post(mail({ from: author }), {}, site);
  if (runs % 2 === 0) await bench.do((tx) => updateSite(tx, site.id, { lastAssignedAgentId: agents[0] ?? 0 }) ?? null);
  return { site, from: kind === 'agent' ? 'bo@agents.example' : author, ticket, named };
}

function rowOf(input: RuleInput, siteId: number, position: number, createdAt: number) {
  return {
    siteId,
    name: input.name,
    position,
    isActive: input.is_active ?? true,
    match: input.match ?? ('all' as const),
    conditions: input.conditions as RuleCondition[],
    actions: input.actions as RuleAction[],
    stopProcessing: input.stop_processing ?? false,
    version: 1,
    createdAt,
  };
}

function rawOf(sent: Sent, { from, ticket }: Scene): string {
  const extra = (
    {
      automatic: ['Auto-Submitted: auto-replied'],
      forged: ['Authentication-Results: mx; dmarc=fail header.from=customer.example'],
    } as Record<string, string[]>
  )[sent.kind];
  const file = ['--b', '', sent.body, '--b', 'Content-Disposition: attachment; filename=log.txt', '', 'a log', '--b--'];
  return mail({
    from: `Mia <${from}>`,
    subject: sent.subject,
    body: sent.hasFile ? file.join('\r\n') : sent.body,
    ...(ticket === null ? {} : { to: `ticket+${ticket.ulid.toLowerCase()}@desk.example` }),
    headers: [
      ...sent.headers,
      ...(extra ?? []),
      ...(sent.hasFile ? ['Content-Type: multipart/mixed; boundary=b'] : []),
    ],
  });
}

interface Told {
  ruleId: number;
  outcome: string;
  wouldMatch?: boolean;
  actions: { action: { type: string }; isApplied: boolean; explanation: string; result: unknown }[];
}

/** What the trace says was done, by rule: the columns of the ticket, and the number of notes. */
function toldChanges(trace: readonly Told[]) {
  const keys: Record<string, string> = {
    set_category: 'category_id',
    set_priority: 'priority_id',
    assign: 'assigned_to',
    add_tags: 'tags',
    set_metadata: 'metadata',
    set_status: 'status',
    add_participant: 'participants',
    note: 'notes',
  };
  return trace.flatMap(({ ruleId, actions }) =>
    actions.flatMap(({ action: { type }, isApplied, result }) =>
      isApplied && keys[type] ? [{ ruleId, key: keys[type], result }] : [],
    ),
  );
}

/** What the history says that rules did, in the same form. */
function writtenChanges(events: readonly Event[]) {
  return events.flatMap(({ kind, actor, data }) => {
    if (actor.type !== 'rule') return [];
    if (kind === 'ticket.note_added') return [{ ruleId: actor.id ?? 0, key: 'notes', result: null }];
    if (kind === 'ticket.participants_changed')
      return (data.added as { email: string }[]).map(({ email }) => ({
        ...{ ruleId: actor.id ?? 0, key: 'participants' },
        result: email,
      }));
    return Object.entries(data.changes ?? {}).map(([key, { from, to }]) => {
      const result =
        key === 'tags'
          ? (to as string[]).filter((tag) => !(from as string[]).includes(tag))
          : key === 'metadata'
            ? 'set'
            : to;
      return { ruleId: actor.id ?? 0, key, result };
    });
  });
}

/** One entry per rule and column: two actions of one rule are one change. */
function together(changes: readonly { ruleId: number; key: string; result: unknown }[]): string[] {
  const merged = new Map<string, unknown>();
  for (const { ruleId, key, result } of changes) {
    const name = `${ruleId} ${key}`;
    if (key === 'tags') merged.set(name, [...((merged.get(name) as string[]) ?? []), ...(result as string[])]);
    else if (key === 'participants') merged.set(name, [...((merged.get(name) as string[]) ?? []), result as string]);
    else if (key === 'notes') merged.set(name, Number(merged.get(name) ?? 0) + 1);
    else merged.set(name, key === 'metadata' ? 'set' : result);
  }
  return [...merged].map(([name, result]) => `${name} ${JSON.stringify(result)}`).sort();
}

const ticketCount = () =>
  bench.desk.read((tx) => query<{ total: number }>(tx, 'SELECT count(*) AS total FROM tickets').get()?.total ?? 0);

const forwardsOf = (row: InboundMail) =>
  bench.desk
    .read((tx) =>
      query<{ recipient: string }>(
        tx,
        "SELECT recipient FROM deliveries WHERE event = 'mail.forward' AND payload ->> 'inbound_id' = ? ORDER BY id",
      ).all(row.id),
    )
    .map(({ recipient }) => recipient);

/** The ticket as it must be, from its former state and the trace. */
function expectTicket(before: Ticket | null, after: Ticket, kind: string, trace: readonly Told[], site: Scene['site']) {
  const results = (type: string) =>
    trace.flatMap(({ actions }) =>
      actions.flatMap((one) => (one.isApplied && one.action.type === type ? [one.result] : [])),
    );
  const one = (type: string, otherwise: unknown) => {
    const all = results(type);
    expect(all.length, type).toBeLessThanOrEqual(1);
    return all[0] ?? otherwise;
  };
  const reached = before !== null && (kind === 'agent' || kind === 'automatic') ? before.status : 'open';
  expect(after).toMatchObject({
    categoryId: one('set_category', before?.categoryId ?? null) as number | null,
    priorityId: one('set_priority', before?.priorityId ?? site.defaultPriorityId) as number,
    assigneeId: one('assign', before?.assigneeId ?? null) as number | null,
    status: one('set_status', reached) as Ticket['status'],
    tags: [...(before?.tags ?? []), ...(results('add_tags') as string[][]).flat()],
  });
  const metadata = Object.fromEntries([
    ...Object.entries(before?.metadata ?? {}),
    ...results('set_metadata').flatMap((each) => Object.entries(each as object)),
  ]);
  expect(Object.entries(after.metadata).sort()).toEqual(Object.entries(metadata).sort());
  const notes = bench.messages(after.id).filter(({ body }) => body === 'Look.' || body === 'Call the brigade.');
  expect(notes.map(({ body }) => body)).toEqual(results('note') as string[]);
}

test('dry run, inbound log, ticket, history and outbox tell the same', async () => {
  const seen = new Set<string>();
  const check = () =>
    fc.assert(
      fc.asyncProperty(ruleSet, message, state, async (drafts, sent, start) => {
        const here = await scene(sent.kind, start);
        await bench.do((tx, ctx) => {
          for (const [at, draft] of drafts.entries()) {
            const named = draft.actions.map((each) =>
              'nth' in each ? { type: each.type, value: here.named[each.type]?.[each.nth] } : each,
            );
            const input = ruleInput.parse({ ...draft, name: `Rule ${at}`, actions: named });
            // A rule that names a deleted row must be older than the deletion.
            inboundRuleRows.insert(tx, rowOf(input, here.site.id, at, ctx.now));
          }
          return null;
        });
        const raw = rawOf(sent, here);
        const ticketsBefore = ticketCount();
        const eventsBefore = here.ticket === null ? 0 : bench.events(here.ticket.id).length;

        const dry = presentPreview(await bench.mailroom.preview(String(here.site.id), new TextEncoder().encode(raw)));
        expect(ticketCount()).toBe(ticketsBefore);
        const row = await bench.post(raw, {}, here.site);
        const trace = JSON.parse(JSON.stringify(row.trace)) as Told[];

        // The dry run and the inbound log.
        expect(dry.outcome).toBe(row.outcome ?? 'failed');
        if (sent.kind !== 'agent') expect(dry.reason).toBe(row.reason ?? '');
        const isAsked = trace.length > 0;
        expect(dry.rules).toHaveLength(drafts.length);
        if (isAsked) expect(dry.rules).toEqual(presentInboundMail(row, null).trace);
        else expect(new Set(dry.rules.map(({ outcome }) => outcome))).toEqual(new Set(['not_reached']));
        const matchedIds = trace.filter(({ outcome }) => outcome === 'matched').map(({ ruleId }) => ruleId);
        expect(row.matchedRules.map(({ id }) => id)).toEqual(matchedIds);
        for (const { outcome, actions } of trace) if (outcome !== 'matched') expect(actions).toEqual([]);

        // The inbound log and the outbox.
        const applied = trace.flatMap(({ actions }) => actions.filter(({ isApplied }) => isApplied));
        const resultsOf = (type: string) =>
          applied.filter(({ action: { type: each } }) => each === type).map(({ result }) => result);
        expect(forwardsOf(row)).toEqual(resultsOf('forward').map((address) => String(address).toLowerCase()));

        // The inbound log and the ticket with its history.
        const isFiled = row.outcome === 'ticket_created' || row.outcome === 'reply_added';
        expect(applied.some(({ action: { type } }) => type === 'discard')).toBe(
          row.outcome === 'discarded' || row.outcome === 'forwarded',
        );
        expect(ticketCount()).toBe(ticketsBefore + (row.outcome === 'ticket_created' ? 1 : 0));
        if (!isFiled) expect(toldChanges(trace)).toEqual([]);
        const ticketId = row.ticketId ?? here.ticket?.id ?? null;
        if (ticketId !== null) {
          const events = bench.events(ticketId).slice(eventsBefore);
          expect(together(writtenChanges(events))).toEqual(together(toldChanges(trace)));
          if (isFiled || here.ticket !== null)
            expectTicket(here.ticket, bench.ticket(ticketId), isFiled ? sent.kind : 'automatic', trace, here.site);
          const skipped = events.filter(({ data }) => data.rule_skipped !== undefined).map(({ actor }) => actor.id);
          const toldSkipped = trace.filter(({ outcome, wouldMatch }) => outcome === 'skipped' && wouldMatch);
          expect(skipped).toEqual(isFiled ? toldSkipped.map(({ ruleId }) => ruleId) : []);
        }
        seen.add(`${row.outcome}`);
        for (const { outcome, actions } of trace) {
          seen.add(outcome);
          for (const one of actions) seen.add(`${one.action.type} ${one.isApplied}`);
        }
      }),
      { numRuns: caseCount(60, 300) },
    );
  // The rule met everything it is about; if chance left something out, continue.
  const types = [
    'set_category',
    'set_priority',
    'assign',
    'add_tags',
    'set_metadata',
    'set_status',
    'forward',
    'add_participant',
  ];
  const everything = [
    ...types.flatMap((type) => [`${type} true`, `${type} false`]),
    ...['ticket_created', 'reply_added', 'discarded', 'forwarded', 'held', 'ignored_auto_reply'],
    ...['matched', 'not_matched', 'skipped', 'inactive', 'not_reached', 'note true', 'discard true'],
  ];
  for (let round = 0; round < 30; round += 1) {
    await check();
    if (everything.every((one) => seen.has(one))) break;
  }
  expect([...seen]).toEqual(expect.arrayContaining(everything));
}, 120_000);
