// The categories of a site.

import type { CategoryChangeInput, CategoryInput } from '../../../domain/input/sites.ts';
import { type Category, categoryRows } from '../../../store/sites/catalogue.ts';
import { columnsOf, defaultColor, freeSlug, nextOrder } from './columns.ts';
import { type Catalogue, catalogue } from './verbs.ts';

export const categories: Catalogue<Category, CategoryInput, CategoryChangeInput> = catalogue({
  noun: 'category',
  rows: categoryRows,
  compose(tx, _ctx, site, input) {
    const rows = categoryRows.list(tx, site.id);
    return {
      name: input.name,
      slug: freeSlug(rows, input.slug, input.name, null),
      description: input.description ?? '',
      color: input.color ?? defaultColor,
      sortOrder: input.sort_order ?? nextOrder(rows),
      isActive: input.is_active ?? true,
    };
  },
  revise(tx, _ctx, site, row, input) {
    const slug =
      input.slug === undefined ? {} : { slug: freeSlug(categoryRows.list(tx, site.id), input.slug, row.name, row.id) };
    return { ...columnsOf(input, row), ...slug };
  },
});
