// The custom fields of a site.

import { conflict, invalid } from '../../../domain/errors.ts';
import type { CustomFieldChangeInput, CustomFieldInput } from '../../../domain/input/sites.ts';
import { type CustomFieldRow, customFieldRows } from '../../../store/sites/catalogue.ts';
import { columnsOf, nextOrder } from './columns.ts';
import { type Catalogue, catalogue } from './verbs.ts';

function checkOptions(type: string, options: readonly string[]): void {
  const takesOptions = type === 'select' || type === 'multiselect';
  if (takesOptions && options.length === 0) throw invalid('options', 'must have at least one option.');
  if (!takesOptions && options.length > 0)
    throw invalid('options', 'must be empty: only select and multiselect fields have options.');
}

export const customFields: Catalogue<CustomFieldRow, CustomFieldInput, CustomFieldChangeInput> = catalogue({
  noun: 'custom field',
  rows: customFieldRows,
  compose(tx, _ctx, site, input) {
    const rows = customFieldRows.list(tx, site.id);
    if (rows.some(({ key }) => key === input.key)) throw conflict(`The key "${input.key}" is taken.`, 'key_taken');
    checkOptions(input.type, input.options ?? []);
    return {
      key: input.key,
      label: input.label,
      description: input.description ?? '',
      type: input.type,
      options: input.options ?? [],
      isRequired: input.is_required ?? false,
      isAuthorVisible: input.is_author_visible ?? true,
      sortOrder: input.sort_order ?? nextOrder(rows),
      isActive: input.is_active ?? true,
    };
  },
  revise(_tx, _ctx, _site, row, input) {
    if (input.options !== undefined) checkOptions(row.type, input.options);
    return columnsOf(input, row);
  },
});
