// Rules are evaluated outside the transaction: whatever changes meanwhile, mail is filed by the current rules.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { Context } from '../../../src/desk/context.ts';
import { addAgent, removeAgent } from '../../../src/desk/people/agents.ts';
import { inboundRules } from '../../../src/desk/rules/rules.ts';
import { categories } from '../../../src/desk/sites/catalogue/categories.ts';
import { changeTicket } from '../../../src/desk/tickets/change-ticket.ts';
import { mergeTickets } from '../../../src/desk/tickets/merge-tickets.ts';
import type { Tx } from '../../../src/engine/database.ts';
import { presentInboundMail, presentPreview } from '../../../src/http/wire/mail/inbound-mail.ts';
import { createJudge, type Judge } from '../../../src/jobs/rule-answers.ts';
import { ReaderError } from '../../../src/reader/reader.ts';
import { inlineReader } from '../../support/inline-reader.ts';
import { type MailDesk, mail, mailDesk, minute } from '../mail/mail-desk.ts';

const judgeHere = createJudge(inlineReader);
let bench: MailDesk;
/** What happens while the rules are evaluated, once for each. */
let meanwhile: (() => Promise<unknown>)[] = [];
let asked = 0;
const judge: Judge = async (question) => {
  asked += 1;
  const findings = await judgeHere(question);
  await meanwhile.shift()?.();
  return findings;
};

beforeEach(async () => {
  bench = await mailDesk({ judge });
  meanwhile = [];
  asked = 0;
});
afterEach(() => bench.close());

const act = (step: (tx: Tx, ctx: Context) => unknown) =>
  bench.do((tx, ctx) => {
    step(tx, ctx);
    return null;
  });
const tag = (value: string) => [{ type: 'add_tags', value: [value] }];
const change = (id: number, input: object) =>
  act((tx, ctx) => inboundRules.change(tx, ctx, 'web-shop', id, input, null));

describe('a mail that is being asked about', () => {
  test('meets a rule that was changed, switched off or removed meanwhile as it is by now', async () => {
    const rules = [await bench.rule({ actions: tag('a') }), await bench.rule({ actions: tag('b') })];
    const last = await bench.rule({ actions: tag('c') });
    meanwhile = [
      () => change(rules[0] ?? 0, { actions: tag('changed') }),
      () => change(rules[1] ?? 0, { is_active: false }),
      () => act((tx, ctx) => inboundRules.remove(tx, ctx, 'web-shop', last, null)),
    ];
    const row = await bench.post(mail());
    expect(asked).toBe(4);
    expect(bench.ticket(row.ticketId).tags).toEqual(['changed']);
    expect(row.matchedRules.map(({ id }) => id)).toEqual([rules[0] ?? 0]);
    expect(bench.tickets()).toHaveLength(1);
  });

  test('meets a rule that was added meanwhile, also the first one of all', async () => {
    await bench.rule({ actions: tag('a') });
    meanwhile = [() => bench.rule({ actions: tag('b') })];
    expect(bench.ticket((await bench.post(mail())).ticketId).tags).toEqual(['a', 'b']);
  });

  test('meets the categories and agents that there are by now', async () => {
    const { row: category } = await bench.do((tx, ctx) => categories.add(tx, ctx, 'web-shop', { name: 'Billing' }));
    const agent = await bench.do((tx, ctx) => addAgent(tx, ctx, { email: 'kim@agents.example', name: 'Kim' }));
    await bench.rule({ actions: [{ type: 'set_category', value: category.id }] });
    await bench.rule({ actions: [{ type: 'assign', value: agent.id }] });
    meanwhile = [
      () => act((tx, ctx) => categories.change(tx, ctx, 'web-shop', category.id, { is_active: false }, null)),
      () => act((tx, ctx) => removeAgent(tx, ctx, agent.id)),
    ];
    const row = await bench.post(mail());
    expect(bench.ticket(row.ticketId)).toMatchObject({ categoryId: null, assigneeId: null });
    expect(row.trace).toMatchObject([{ outcome: 'skipped' }, { outcome: 'skipped' }]);
    expect(bench.events(row.ticketId).filter(({ data }) => data.rule_skipped !== undefined)).toHaveLength(2);
  });

  test('belongs to the ticket that it belongs to by now, in its category', async () => {
    const { row: category } = await bench.do((tx, ctx) => categories.add(tx, ctx, 'web-shop', { name: 'Billing' }));
    const [first, second] = [
      bench.ticket((await bench.post(mail())).ticketId),
      bench.ticket((await bench.post(mail())).ticketId),
    ];
    await bench.rule({
      conditions: [{ field: 'site_category', operator: 'equals', value: 'billing' }],
      actions: tag('billed'),
    });
    meanwhile = [
      () =>
        act((tx, ctx) => {
          mergeTickets(tx, ctx, first.id, second.ulid);
          changeTicket(tx, ctx, second.id, { category_id: category.id }, null);
        }),
    ];
    const row = await bench.post(mail({ to: `ticket+${first.ulid}@desk.example` }));
    expect(row).toMatchObject({ outcome: 'reply_added', ticketId: second.id });
    expect(asked).toBe(2);
    expect(bench.ticket(second.id).tags).toEqual(['billed']);
  });

  test('is not asked about again for what has nothing to do with the answer', async () => {
    await bench.rule({ actions: tag('a') });
    const other = await bench.siteNamed('Other');
    meanwhile = [() => act((tx, ctx) => categories.add(tx, ctx, other.slug, { name: 'Elsewhere' }))];
    expect((await bench.post(mail())).outcome).toBe('ticket_created');
    expect(asked).toBe(1);
  });

  test('waits where the rules never stand still, changes nothing, and is filed when they do', async () => {
    const id = await bench.rule({ actions: tag('a') });
    meanwhile = Array.from({ length: 20 }, (_, at) => () => change(id, { name: `Name ${at}` }));
    const { id: rowId } = await bench.post(mail());
    const [waiting] = bench.inboundLog();
    expect(waiting).toMatchObject({ id: rowId, status: 'received', attempts: 1, outcome: null });
    expect(waiting?.reason).toContain('kept changing while they were evaluated');
    expect(asked).toBeLessThan(10);
    expect(bench.tickets()).toEqual([]);
    meanwhile = [];
    bench.clock.advance(5 * minute);
    expect(await bench.mailroom.recover('due')).toBe(1);
    expect(bench.tickets()).toHaveLength(1);
  });

  test('is told the same in a dry run, where rules change too', async () => {
    const id = await bench.rule({ actions: tag('a') });
    const edit = (to: string) => () => change(id, { actions: tag(to) });
    const raw = mail();
    meanwhile = [edit('dry')];
    const dry = presentPreview(await bench.mailroom.preview('web-shop', new TextEncoder().encode(raw)));
    expect(dry.effects.tags).toEqual(['dry']);
    meanwhile = [edit('other'), edit('dry')];
    const row = await bench.post(raw);
    expect(presentInboundMail(row, null).trace).toEqual(dry.rules);
    expect(bench.ticket(row.ticketId).tags).toEqual(['dry']);
  });
});

describe('a reader process that was ended while it asked', () => {
  const broken = (what: ReaderError['what']): Judge =>
    createJudge({ ...inlineReader, run: () => Promise.reject(new ReaderError(what, 'It was ended.')) });

  test.each(['processor', 'memory'] as const)(
    'by its budget (%s): the mail is filed without the rules',
    async (what) => {
      const own = await mailDesk({ judge: broken(what) });
      await own.rule({ conditions: [{ field: 'size', operator: 'gt', value: 1 }], actions: tag('a') });
      const row = await own.post(mail());
      expect(row).toMatchObject({ outcome: 'ticket_created', trace: [{ outcome: 'skipped', isTooSlow: true }] });
      expect(own.ticket(row.ticketId).tags).toEqual([]);
      await own.close();
    },
  );

  test('by anything else: the mail waits and is tried again', async () => {
    const own = await mailDesk({ judge: broken('crash') });
    await own.rule({ actions: tag('a') });
    await own.post(mail());
    expect(own.inboundLog()).toMatchObject([{ status: 'received', attempts: 1 }]);
    expect(own.inboundLog()[0]?.reason).toContain('rules could not be evaluated');
    expect(own.tickets()).toEqual([]);
    await own.close();
  });
});

describe('rules that were too slow', () => {
  // As if the time had run out after the first condition.
  const slow: Judge = (question) => judgeHere(question).then((findings) => findings.slice(0, 1));

  test('are told in the inbound log, in the history once for each mail, and in a dry run; the mail is filed', async () => {
    const own = await mailDesk({ judge: slow });
    const conditions = [{ field: 'subject', operator: 'contains', value: 'printer' }];
    for (const name of ['a', 'b', 'c']) await own.rule({ name, conditions, actions: tag(name) });
    const dry = presentPreview(await own.mailroom.preview('web-shop', new TextEncoder().encode(mail())));
    const row = await own.post(mail());
    expect(row.outcome).toBe('ticket_created');
    expect(presentInboundMail(row, null).trace).toEqual(dry.rules);
    expect(dry.rules.map(({ outcome }) => outcome)).toEqual(['matched', 'skipped', 'skipped']);
    expect(dry.rules[1]?.explanation).toStartWith('Skipped: too slow.');
    expect(own.ticket(row.ticketId).tags).toEqual(['a']);
    const told = own.events(row.ticketId).flatMap(({ data }) => data.rules_skipped ?? []);
    const [, second, third] = row.trace as { ruleId: number }[];
    expect(told).toEqual([
      {
        why: 'too slow',
        total: 2,
        first: [
          { id: second?.ruleId, name: 'b' },
          { id: third?.ruleId, name: 'c' },
        ],
      },
    ]);
    await own.close();
  });
});
