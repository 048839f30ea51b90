// The rules that a message meets: read once, and again after every change of any of them by anyone.

import { afterAll, beforeEach, expect, test } from 'bun:test';
import type { Context } from '../../../src/desk/context.ts';
import { addAgent } from '../../../src/desk/people/agents.ts';
import { inboundRules } from '../../../src/desk/rules/rules.ts';
import { categories } from '../../../src/desk/sites/catalogue/categories.ts';
import { removeSite } from '../../../src/desk/sites/removal.ts';
import { createSite } from '../../../src/desk/sites/sites.ts';
import { type RuleChangeInput, ruleInput } from '../../../src/domain/input/channels.ts';
import { query, type Tx } from '../../../src/engine/database.ts';
import { rulesInOrder } from '../../../src/store/rules/rules-in-order.ts';
import { inboundRuleRows } from '../../../src/store/sites/catalogue.ts';
import { workbench } from '../workbench.ts';

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
  bench.do((tx, ctx) => inboundRules.order(tx, ctx, site.slug, { ids: ids.toReversed() }));
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

test('a rule adds no one who can never take part, and keeps an address in the one form', () => {
  bench.do((tx, ctx) => addAgent(tx, ctx, { email: 'ada@desk.example', name: 'Ada' }));
  const input = (value: object) =>
    ruleInput.parse({
      name: 'A',
      conditions: [],
      actions: [
        { type: 'note', value: 'Hi' },
        { type, value },
      ],
    });
  const type = 'add_participant';
  for (const email of ['Ada@desk.example', `${site.slug}@localhost`, 'helpdesk@localhost'])
    expect(bench.refusal((tx, ctx) => inboundRules.add(tx, ctx, site.slug, input({ email }))).errors).toHaveProperty([
      'actions.1.value.email',
    ]);
  const { row } = bench.do((tx, ctx) =>
    inboundRules.add(tx, ctx, site.slug, input({ email: 'BO@Example.org', name: ' Bo ' })),
  );
  expect(row.actions[1]).toEqual({ type, value: { email: 'bo@example.org', name: 'Bo' } });
  const change = { actions: input({ email: 'ada@desk.example' }).actions };
  expect(
    bench.refusal((tx, ctx) => inboundRules.change(tx, ctx, site.slug, row.id, change, null)).errors,
  ).toHaveProperty(['actions.1.value.email']);
});

test('removing a site removes its rules', () => {
  add('A');
  bench.do((tx, ctx) => removeSite(tx, ctx, site.slug, site.slug, null));
  expect(names()).toEqual([]);
  expect(bench.do((tx) => query(tx, 'SELECT 1 FROM inbound_rule_marks WHERE site_id = ?').all(site.id))).toEqual([]);
});

const large = {
  name: 'Large',
  conditions: Array.from({ length: 50 }, () => ({
    field: 'subject',
    operator: 'in',
    value: Array.from({ length: 20 }, () => 'x'.repeat(900)),
  })),
  actions: [{ type: 'discard' }],
};
const save = (input: object) => (tx: Tx, ctx: Context) =>
  inboundRules.add(tx, ctx, site.slug, ruleInput.parse({ ...large, ...input }));
const change = (id: number, input: RuleChangeInput) => (tx: Tx, ctx: Context) =>
  inboundRules.change(tx, ctx, site.slug, id, input, null);

test('rules that hold too much together are refused, with the field that is wrong; what takes less is let through', () => {
  const first = bench.do(save({})).row;
  bench.do(save({ is_active: false }));
  const sentence = expect.stringMatching(/must have at most 2,000,000 characters in total; these have 2,[\d,]+\./);
  expect(bench.refusal(save({}))).toMatchObject({ code: 'invalid', errors: { conditions: [sentence] } });
  const small = bench.do(save({ conditions: [] })).row;
  const { conditions, actions } = ruleInput.parse(large);
  expect(bench.refusal(change(small.id, { conditions })).errors).toEqual({ conditions: [sentence] });
  const notes = Array.from({ length: 20 }, () => ({ type: 'note', value: 'x'.repeat(10_000) }));
  expect(bench.refusal(change(small.id, { actions: notes })).errors).toEqual({ actions: [sentence] });
  // Stored by an older version.
  bench.do((tx) =>
    query(tx, 'UPDATE inbound_rules SET conditions = ? WHERE id = ?').run(JSON.stringify(first.conditions), small.id),
  );
  expect(bench.do(change(small.id, { name: 'Renamed', is_active: false })).row.name).toBe('Renamed');
  expect(bench.do(change(small.id, { conditions: conditions.slice(1) })).row.conditions).toHaveLength(49);
  expect(bench.do(change(small.id, { conditions: [], actions })).row.conditions).toEqual([]);
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
