// A site's catalogue: five verbs and an order, the same for every noun, and what each noun adds.

import { afterAll, describe, expect, test } from 'bun:test';
import { addChannel, channels } from '../../../src/desk/outbox/channels.ts';
import { inboundRules } from '../../../src/desk/rules/rules.ts';
import { categories } from '../../../src/desk/sites/catalogue/categories.ts';
import { customFields } from '../../../src/desk/sites/catalogue/custom-fields.ts';
import { priorities } from '../../../src/desk/sites/catalogue/priorities.ts';
import { type Catalogue, rowEtag } from '../../../src/desk/sites/catalogue/verbs.ts';
import { createSite } from '../../../src/desk/sites/sites.ts';
import { categoryRows } from '../../../src/store/sites/catalogue.ts';
import { kinds, token, workbench } from '../workbench.ts';

const bench = workbench();
afterAll(() => bench.close());
const slug = bench.site.slug;
const other = bench.do((tx, ctx) => createSite(tx, ctx, { name: 'Other' })).site;

const rule = {
  conditions: [{ field: 'subject', operator: 'contains', value: 'x' }],
  actions: [{ type: 'add_tags', value: ['a'] }],
};
const hook = { type: 'custom', webhook_url: 'https://hooks.example.org/x', events: ['ticket.created'] } as const;

interface Sample {
  catalogue: Catalogue<{ id: number; version: number }, never, never>;
  input: object;
  change: object;
}
const nouns: Record<string, Sample> = {
  category: { catalogue: categories as never, input: { name: 'Billing' }, change: { name: 'Money' } },
  priority: { catalogue: priorities as never, input: { name: 'Critical' }, change: { level: 50 } },
  'custom field': {
    catalogue: customFields as never,
    input: { key: 'order', label: 'Order', type: 'text' },
    change: { label: 'No.' },
  },
  'webhook channel': {
    catalogue: channels as never,
    input: { name: 'Chat', ...hook, events: [...hook.events], signing_secret: 's' },
    change: { name: 'Room' },
  },
  'inbound rule': { catalogue: inboundRules as never, input: { name: 'Rule', ...rule }, change: { name: 'Other' } },
};

for (const [noun, { catalogue, input, change }] of Object.entries(nouns)) {
  describe(`every ${noun}`, () => {
    const add = () => bench.do((tx, ctx) => catalogue.add(tx, ctx, slug, input as never));

    test('is added, read, changed and removed, each with an event', () => {
      const { row } = add();
      expect(kinds(bench)).toEqual(['site.updated']);
      expect(row.version).toBe(1);
      expect(bench.do((tx, ctx) => catalogue.read(tx, ctx, slug, row.id)).row).toEqual(row);
      const { row: changed } = bench.do((tx, ctx) =>
        catalogue.change(tx, ctx, slug, row.id, change as never, [rowEtag(noun, row)]),
      );
      expect(changed.version).toBe(2);
      expect(kinds(bench)).toEqual(['site.updated']);
      const stale = bench.refusal((tx, ctx) =>
        catalogue.change(tx, ctx, slug, row.id, change as never, [rowEtag(noun, row)]),
      );
      expect(stale.code).toBe('precondition_failed');
      expect(bench.refusal((tx, ctx) => catalogue.remove(tx, ctx, slug, row.id, [rowEtag(noun, row)])).code).toBe(
        'precondition_failed',
      );
      bench.do((tx, ctx) => catalogue.remove(tx, ctx, slug, row.id, [rowEtag(noun, changed)]));
      expect(kinds(bench)).toEqual(['site.updated']);
      expect(bench.refusal((tx, ctx) => catalogue.read(tx, ctx, slug, row.id)).code).toBe('not_found');
    });

    test('cannot be changed from another site or without manage', () => {
      const { row } = add();
      const before = bench.everything();
      for (const verb of [
        (site: string) => (tx: typeof bench.tx, ctx: Parameters<typeof catalogue.read>[1]) =>
          catalogue.read(tx, ctx, site, row.id),
        (site: string) => (tx: typeof bench.tx, ctx: Parameters<typeof catalogue.read>[1]) =>
          catalogue.change(tx, ctx, site, row.id, change as never, null),
        (site: string) => (tx: typeof bench.tx, ctx: Parameters<typeof catalogue.read>[1]) =>
          catalogue.remove(tx, ctx, site, row.id, null),
      ]) {
        expect(bench.refusal(verb(other.slug)).code).toBe('not_found');
        expect(bench.refusal(verb(slug), token(['read', 'manage'], other.id)).code).toBe('not_found');
      }
      expect(
        bench.refusal((tx, ctx) => catalogue.add(tx, ctx, slug, input as never), token(['read', 'write'])).code,
      ).toBe('forbidden');
      expect(
        bench.refusal((tx, ctx) => catalogue.remove(tx, ctx, slug, row.id, null), token(['read', 'write'])).code,
      ).toBe('forbidden');
      expect(bench.refusal((tx, ctx) => catalogue.list(tx, ctx, slug), token(['write'])).code).toBe('forbidden');
      expect(bench.everything()).toEqual(before);
      bench.do((tx, ctx) => catalogue.remove(tx, ctx, slug, row.id, null));
    });

    test('can be reordered by a list that names each once', () => {
      const first = add().row.id;
      bench.do((tx, ctx) => catalogue.add(tx, ctx, slug, { ...input, name: 'Second', key: 'second' } as never));
      const ids = bench.do((tx, ctx) => catalogue.list(tx, ctx, slug)).rows.map(({ id }) => id);
      const turned = [...ids].reverse();
      expect(bench.do((tx, ctx) => catalogue.order(tx, ctx, slug, { ids: turned })).rows.map(({ id }) => id)).toEqual(
        turned,
      );
      expect(kinds(bench)).toEqual(['site.updated']);
      for (const wrong of [ids.slice(1), [...ids, 99_999], [...ids.slice(1), ids[1] ?? 0], []])
        expect(bench.refusal((tx, ctx) => catalogue.order(tx, ctx, slug, { ids: wrong })).errors).toHaveProperty('ids');
      // Someone else has moved them since.
      const late = { ids, from: ids };
      expect(bench.refusal((tx, ctx) => catalogue.order(tx, ctx, slug, late)).code).toBe('precondition_failed');
      bench.do((tx, ctx) => catalogue.order(tx, ctx, slug, { ids, from: turned }));
      expect(bench.do((tx, ctx) => catalogue.list(tx, ctx, slug)).rows.map(({ id }) => id)).toEqual(ids);
      bench.do((tx, ctx) => catalogue.remove(tx, ctx, slug, first, null));
    });
  });
}

describe('the kinds differ:', () => {
  test('removing a category leaves its tickets without one', () => {
    const { row } = bench.do((tx, ctx) => categories.add(tx, ctx, slug, { name: 'Passing' }));
    const { ticket } = bench.open({ category_id: row.id });
    bench.do((tx, ctx) => categories.remove(tx, ctx, slug, row.id, null));
    expect(bench.ticket(ticket.id).categoryId).toBeNull();
  });

  test('slugs are made from the name unless given, and only given ones can collide', () => {
    const added = Array.from(
      { length: 3 },
      () => bench.do((tx, ctx) => categories.add(tx, ctx, slug, { name: 'Same Name' })).row,
    );
    expect(added.map((row) => row.slug)).toEqual(['same-name', 'same-name-2', 'same-name-3']);
    expect(bench.refusal((tx, ctx) => categories.add(tx, ctx, slug, { name: 'x', slug: 'same-name' })).reason).toBe(
      'slug_taken',
    );
    expect(
      bench.refusal((tx, ctx) => categories.change(tx, ctx, slug, added[1]?.id ?? 0, { slug: 'same-name' }, null))
        .reason,
    ).toBe('slug_taken');
    bench.do((tx, ctx) => categories.change(tx, ctx, slug, added[1]?.id ?? 0, { slug: 'same-name-2' }, null));
    expect(bench.do((tx, ctx) => categories.add(tx, ctx, slug, { name: '日本' })).row.slug).toBe('unnamed');
    expect(bench.do((tx, ctx) => categories.add(tx, ctx, other.slug, { name: 'Same Name' })).row.slug).toBe(
      'same-name',
    );
  });

  test('a custom field has a unique key, and options only if its type has them', () => {
    const add = (input: object) => (tx: typeof bench.tx, ctx: Parameters<typeof customFields.add>[1]) =>
      customFields.add(tx, ctx, slug, { label: 'x', type: 'text', key: 'plan', ...input } as never);
    bench.do(add({ type: 'select', options: ['free', 'pro'] }));
    expect(bench.refusal(add({})).reason).toBe('key_taken');
    expect(bench.refusal(add({ key: 'a', type: 'select' })).errors).toHaveProperty('options');
    expect(bench.refusal(add({ key: 'a', type: 'multiselect', options: [] })).errors).toHaveProperty('options');
    expect(bench.refusal(add({ key: 'a', options: ['x'] })).errors).toHaveProperty('options');
  });

  test('a catalogue has a limited number of entries', () => {
    bench.do((tx, ctx) => {
      for (let left = 500 - categoryRows.list(tx, other.id).length; left > 0; left -= 1)
        categoryRows.insert(tx, {
          siteId: other.id,
          name: 'x',
          slug: `many-${left}`,
          description: '',
          color: '#000000',
          sortOrder: left,
          isActive: true,
          version: 1,
        });
      return categories.list(tx, ctx, other.slug).rows.length;
    });
    expect(bench.refusal((tx, ctx) => categories.add(tx, ctx, other.slug, { name: 'One more' }))).toMatchObject({
      code: 'invalid',
      errors: { site: ['The site field has 500 of these already, and 500 is the limit.'] },
    });
  });

  test('a channel that is enabled again starts without failures', () => {
    const { channel } = bench.do((tx, ctx) =>
      addChannel(tx, ctx, slug, { name: 'Chat', ...hook, events: [...hook.events] }),
    );
    bench.tx.client.run(
      "UPDATE channels SET is_active = 0, consecutive_failures = 10, disabled_at = 1, disabled_reason = 'broken' WHERE id = ?",
      [channel.id],
    );
    const { row } = bench.do((tx, ctx) => channels.change(tx, ctx, slug, channel.id, { is_active: true }, null));
    expect(row).toMatchObject({ isActive: true, consecutiveFailures: 0, disabledAt: null, disabledReason: null });
    const off = bench.do((tx, ctx) => channels.change(tx, ctx, slug, channel.id, { is_active: false }, null)).row;
    expect(off).toMatchObject({ isActive: false, disabledAt: bench.clock.now() });
  });
});
