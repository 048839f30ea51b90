// The rules that a message meets: read once, and again after every change of any of them by anyone.

import { afterAll, beforeEach, expect, test } from 'bun:test';
import { categories } from '../../src/desk/catalogue/categories.ts';
import type { Context } from '../../src/desk/context.ts';
import { inboundRules } from '../../src/desk/inbound/rules.ts';
import { removeSite } from '../../src/desk/site-removal.ts';
import { createSite } from '../../src/desk/sites.ts';
import { type RuleChangeInput, ruleInput } from '../../src/domain/input/channels.ts';
import { query, type Tx } from '../../src/store/database.ts';
import { rulesInOrder } from '../../src/store/rules-in-order.ts';
import { inboundRuleRows } from '../../src/store/site-catalogue.ts';
import { workbench } from './workbench.ts';

const bench = workbench();
afterAll(() => bench.close());

let site = { id: 0, slug: '' };
beforeEach(() => {
  site = bench.do((tx, ctx) => createSite(tx, ctx, { name: `Site ${site.id + 1}` })).site;
});

const add = (name: string) =>
  bench.do((tx, ctx) =>
    inboundRules.add(tx, ctx, site.slug, ruleInput.parse({ name, conditions: [], actions: [{ type: 'discard' }] })),
  ).row;
const met = (tx: Tx) => rulesInOrder(tx, site.id);
const names = () => bench.do((tx) => met(tx).map(({ name }) => name));

test('compiled rules are reused until one changes', () => {
  expect(names()).toEqual([]);
  const first = add('A');
  const once = bench.do((tx) => met(tx));
  expect(bench.do((tx) => met(tx))).toBe(once);
  add('B');
  expect(names()).toEqual(['A', 'B']);
  bench.do((tx, ctx) => inboundRules.change(tx, ctx, site.slug, first.id, { name: 'C' }, null));
  expect(names()).toEqual(['C', 'B']);
  bench.do((tx, ctx) => inboundRules.remove(tx, ctx, site.slug, first.id, null));
  expect(names()).toEqual(['B']);
});

test('a new order, and a change by SQL, are noticed too', () => {
  const ids = ['A', 'B', 'C'].map((name) => add(name).id);
  expect(names()).toEqual(['A', 'B', 'C']);
  bench.do((tx, ctx) => inboundRules.order(tx, ctx, site.slug, ids.toReversed()));
  expect(names()).toEqual(['C', 'B', 'A']);
  bench.do((tx) => query(tx, "UPDATE inbound_rules SET name = 'D' WHERE name = 'B' AND site_id = ?").run(site.id));
  expect(names()).toEqual(['C', 'D', 'A']);
});

test('a change that was rolled back is not used', () => {
  add('A');
  const renamed = (name: string) => (tx: Tx) =>
    query(tx, 'UPDATE inbound_rules SET name = ? WHERE site_id = ?').run(name, site.id);
  expect(() =>
    bench.do((tx) => {
      renamed('Undone')(tx);
      expect(met(tx)[0]?.name).toBe('Undone');
      throw new Error('rolled back');
    }),
  ).toThrow('rolled back');
  expect(names()).toEqual(['A']);
  bench.do((tx) => renamed('Done')(tx));
  expect(names()).toEqual(['Done']);
});

test('a rule that names something missing is refused; an older one can still be renamed', () => {
  const category = bench.do((tx, ctx) => categories.add(tx, ctx, site.slug, { name: 'Here' })).row;
  const off = bench.do((tx, ctx) => categories.add(tx, ctx, site.slug, { name: 'Off', is_active: false })).row;
  const refused = (input: object) =>
    bench.refusal((tx, ctx) =>
      inboundRules.add(tx, ctx, site.slug, ruleInput.parse({ name: 'A', conditions: [], actions: [], ...input })),
    ).errors;
  const actions = (type: string, value: unknown) => ({ actions: [{ type, value }] });
  expect(refused(actions('set_category', 9999))).toEqual({
    'actions.0.value': ['The value field names category 9999, which the site does not have.'],
  });
  expect(refused(actions('set_priority', 9999))).toEqual({
    'actions.0.value': ['The value field names priority 9999, which the site does not have.'],
  });
  expect(refused(actions('assign', 9999))).toEqual({
    'actions.0.value': ['The value field names agent 9999, which the site does not have.'],
  });
  const conditions = [{ field: 'site_category', operator: 'in', value: ['here', 'nowhere'] }];
  expect(refused({ ...actions('discard', null), conditions })).toEqual({
    'conditions.0.value': ['The value field names category nowhere, which the site does not have.'],
  });

  const added = (input: object) =>
    bench.do((tx, ctx) =>
      inboundRules.add(tx, ctx, site.slug, ruleInput.parse({ name: 'A', conditions: [], ...input })),
    ).row;
  added(actions('set_category', off.id));
  const { id } = added(actions('set_category', category.id));
  bench.do((tx, ctx) => categories.remove(tx, ctx, site.slug, category.id, null));
  const change = (input: object) => (tx: Tx, ctx: Context) =>
    inboundRules.change(tx, ctx, site.slug, id, input as RuleChangeInput, null);
  expect(bench.do(change({ name: 'B', conditions: [] })).row.name).toBe('B');
  expect(bench.refusal(change(actions('set_category', category.id))).errors).toHaveProperty(['actions.0.value']);
  expect(bench.refusal(change({ conditions })).errors).toHaveProperty(['conditions.0.value']);
});

test('removing a site removes its rules', () => {
  add('A');
  bench.do((tx, ctx) => removeSite(tx, ctx, site.slug, site.slug, null));
  expect(names()).toEqual([]);
  expect(bench.do((tx) => query(tx, 'SELECT 1 FROM inbound_rule_marks WHERE site_id = ?').all(site.id))).toEqual([]);
});

const costly = {
  name: 'Costly',
  conditions: Array.from({ length: 50 }, () => ({ field: 'body', operator: 'matches', value: 'a{0,400}b' })),
  actions: [{ type: 'discard' }],
};
const save = (input: object) => (tx: Tx, ctx: Context) =>
  inboundRules.add(tx, ctx, site.slug, ruleInput.parse({ ...costly, ...input }));
const change = (id: number, input: RuleChangeInput) => (tx: Tx, ctx: Context) =>
  inboundRules.change(tx, ctx, site.slug, id, input, null);

test('rules that cost too much together are refused everywhere, with the field that is wrong', () => {
  const first = bench.do(save({})).row;
  const sentence = expect.stringMatching(
    /must cost at most 500,000 in total: this one costs [\d,]+, the others [\d,]+\./,
  );
  expect(bench.refusal(save({}))).toMatchObject({ code: 'invalid', errors: { conditions: [sentence] } });
  const off = bench.do(save({ is_active: false })).row;
  expect(bench.refusal(change(off.id, { is_active: true })).errors).toEqual({ is_active: [sentence] });
  const small = bench.do(save({ conditions: [] })).row;
  const { conditions, actions } = ruleInput.parse(costly);
  expect(bench.refusal(change(small.id, { conditions })).errors).toEqual({ conditions: [sentence] });
  expect(bench.refusal(change(small.id, { conditions, is_active: true })).errors).toEqual({ conditions: [sentence] });
  const notes = Array.from({ length: 20 }, () => ({ type: 'note', value: 'x'.repeat(10_000) }));
  const noisy = [0, 1].map(() => bench.do(save({ conditions: [], actions })).row.id);
  for (const id of noisy.slice(1)) bench.do(change(id, { actions: notes }));
  expect(bench.refusal(change(noisy[0] ?? 0, { actions: notes })).errors).toEqual({ actions: [sentence] });
  // Disabling one makes room for another.
  bench.do(change(first.id, { is_active: false }));
  expect(bench.do(change(off.id, { is_active: true })).row.isActive).toBe(true);
  expect(names()).toHaveLength(5);
});

test('a site has at most five hundred rules, enabled or not', () => {
  const row = bench.do(save({ conditions: [], is_active: false })).row;
  const { id: _, ...columns } = row;
  bench.do((tx) => {
    for (let more = 1; more < 500; more += 1) inboundRuleRows.insert(tx, columns);
    return null;
  });
  expect(bench.refusal(save({ conditions: [], is_active: false }))).toMatchObject({
    code: 'invalid',
    errors: { site: ['The site field has 500 of these already, and 500 is the limit.'] },
  });
});
