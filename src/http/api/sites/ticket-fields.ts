// The agent surface: categories, priorities and custom fields (docs/spec/api.md#sites).

import { categories } from '../../../desk/sites/catalogue/categories.ts';
import { customFields } from '../../../desk/sites/catalogue/custom-fields.ts';
import { priorities } from '../../../desk/sites/catalogue/priorities.ts';
import {
  categoryChangeInput,
  categoryInput,
  customFieldChangeInput,
  customFieldInput,
  priorityChangeInput,
  priorityInput,
} from '../../../domain/input/sites.ts';
import type { Operation } from '../../operation.ts';
import {
  categoryShape,
  customFieldShape,
  presentCategory,
  presentCustomField,
  presentPriority,
  priorityShape,
} from '../../wire/sites/catalogue.ts';
import { catalogueOperations } from './catalogue.ts';

export const ticketFieldOperations: readonly Operation[] = [
  ...catalogueOperations({
    path: 'categories',
    tag: 'Categories',
    one: 'Category',
    many: 'Categories',
    verbs: categories,
    input: categoryInput,
    change: categoryChangeInput,
    shape: categoryShape,
    present: presentCategory,
  }),
  ...catalogueOperations({
    path: 'priorities',
    tag: 'Priorities',
    one: 'Priority',
    many: 'Priorities',
    verbs: priorities,
    input: priorityInput,
    change: priorityChangeInput,
    shape: priorityShape,
    present: (priority, site) => presentPriority(priority, priority.id === site.defaultPriorityId),
  }),
  ...catalogueOperations({
    path: 'custom-fields',
    tag: 'Custom fields',
    one: 'CustomField',
    many: 'CustomFields',
    verbs: customFields,
    input: customFieldInput,
    change: customFieldChangeInput,
    shape: customFieldShape,
    present: presentCustomField,
  }),
];
