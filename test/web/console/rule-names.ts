// What a site has that rules can name.

import type { Names } from '../../../src/web/console/settings/rules/names.ts';

const field = (key: string, label: string, type: Names['fields'][number]['type'], options: string[] = []) => ({
  ...{ id: 1, key, label, type, options, description: null, is_required: false, is_author_visible: true },
  ...{ sort_order: 1, is_active: true },
});

export const namesOfSite: Names = {
  category: [{ id: 3, name: 'Billing', slug: 'billing' }],
  priority: [{ id: 4, name: 'High', slug: 'high' }],
  sender: [{ id: 5, name: 'help@example.org' }],
  agent: [
    { id: 6, name: 'Ana Duarte', slug: 'ana@example.org' },
    { id: 7, name: 'Ben Okafor', slug: 'ben@example.org' },
  ],
  team: [{ id: 8, name: 'Second level' }],
  channel: [{ id: 9, name: 'Hook' }],
  fields: [
    field('order', 'Order number', 'text'),
    field('seats', 'Seats', 'number'),
    field('paid', 'Paid', 'boolean'),
    field('plan', 'Plan', 'select', ['Free', 'Gold']),
    field('parts', 'Parts', 'multiselect', ['Hinge', 'Door']),
  ],
  asked: { shown: { value: true }, refusal: { value: null }, reload: () => undefined },
};
