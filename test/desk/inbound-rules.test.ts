// The rules that a message meets: read once, and anew after every change of any of them, whoever makes it.

import { afterAll, beforeEach, expect, test } from 'bun:test';
import { inboundRules } from '../../src/desk/inbound-rules.ts';
import { createSite, removeSite } from '../../src/desk/sites.ts';
import { ruleInput } from '../../src/domain/input/channels.ts';
import { query, type Tx } from '../../src/store/database.ts';
import { rulesInOrder } from '../../src/store/sites.ts';
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

test('they are the same objects until one changes', () => {
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

test('an order, and a change that no verb made, are seen as well', () => {
  const ids = ['A', 'B', 'C'].map((name) => add(name).id);
  expect(names()).toEqual(['A', 'B', 'C']);
  bench.do((tx, ctx) => inboundRules.order(tx, ctx, site.slug, ids.toReversed()));
  expect(names()).toEqual(['C', 'B', 'A']);
  bench.do((tx) => query(tx, "UPDATE inbound_rules SET name = 'D' WHERE name = 'B' AND site_id = ?").run(site.id));
  expect(names()).toEqual(['C', 'D', 'A']);
});

test('what was rolled back does not come back', () => {
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

test('a site that goes takes its rules with it', () => {
  add('A');
  bench.do((tx, ctx) => removeSite(tx, ctx, site.slug, site.slug, null));
  expect(names()).toEqual([]);
  expect(bench.do((tx) => query(tx, 'SELECT 1 FROM inbound_rule_marks WHERE site_id = ?').all(site.id))).toEqual([]);
});
