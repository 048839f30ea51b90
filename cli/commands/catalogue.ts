// helpdesk category, priority and field: the nouns of a site's catalogue, which share their commands.

import type { Command } from 'commander';
import { categories } from '../../src/desk/catalogue/categories.ts';
import { customFields } from '../../src/desk/catalogue/custom-fields.ts';
import { priorities } from '../../src/desk/catalogue/priorities.ts';
import { customFieldTypes } from '../../src/domain/custom-field.ts';
import {
  categoryChangeInput,
  categoryInput,
  customFieldChangeInput,
  customFieldInput,
  priorityChangeInput,
  priorityInput,
} from '../../src/domain/input/sites.ts';
import { presentCategory, presentCustomField, presentPriority } from '../../src/http/wire/catalogue.ts';
import { addNounCommands, type NounFlag } from './catalogue-noun.ts';

const name: NounFlag = { flag: '--name <name>', key: 'name', meaning: 'name', kind: 'text' };
const sortOrder: NounFlag = {
  flag: '--sort-order <number>',
  key: 'sort_order',
  meaning: 'position among the others',
  kind: 'number',
};
const active = (meaning: string): NounFlag => ({
  flag: '--active <yes|no>',
  key: 'is_active',
  meaning,
  kind: 'yesOrNo',
});
const description: NounFlag = {
  flag: '--description <text>',
  key: 'description',
  meaning: 'explanation to show in forms',
  kind: 'text',
};
const shared: NounFlag[] = [
  { flag: '--slug <slug>', key: 'slug', meaning: 'short name (default: made from the name)', kind: 'text' },
  { flag: '--color <color>', key: 'color', meaning: 'such as #2563eb', kind: 'text' },
  sortOrder,
  active('whether tickets can use it'),
];
const targetMeaning = 'minutes of working time until it is due, or none';

export function catalogueCommands(program: Command): void {
  addNounCommands(program, {
    word: 'category',
    plural: 'categories',
    verbs: categories,
    input: categoryInput,
    change: categoryChangeInput,
    present: presentCategory,
    columns: ['id', 'name', 'slug', 'color', 'sort_order', 'is_active'],
    title: name,
    flags: [...shared, description],
    example: 'helpdesk category add --site web-shop --name Billing',
  });
  addNounCommands(program, {
    word: 'priority',
    plural: 'priorities',
    verbs: priorities,
    input: priorityInput,
    change: priorityChangeInput,
    present: (priority, site) => presentPriority(priority, priority.id === site.defaultPriorityId),
    columns: ['id', 'name', 'slug', 'level', 'is_default', 'is_active', 'first_response_minutes', 'resolution_minutes'],
    title: name,
    flags: [
      ...shared,
      { flag: '--level <number>', key: 'level', meaning: 'higher is more urgent', kind: 'number' },
      { flag: '--default <yes|no>', key: 'is_default', meaning: 'whether new tickets get it', kind: 'yesOrNo' },
      {
        flag: '--first-response <minutes>',
        key: 'first_response_minutes',
        meaning: `target for the first response: ${targetMeaning}`,
        kind: 'minutes',
      },
      {
        flag: '--resolution <minutes>',
        key: 'resolution_minutes',
        meaning: `target for the resolution: ${targetMeaning}`,
        kind: 'minutes',
      },
    ],
    example: 'helpdesk priority add --site web-shop --name Critical --level 5 --first-response 30 --resolution 240',
  });
  addNounCommands(program, {
    word: 'field',
    plural: 'custom fields',
    verbs: customFields,
    input: customFieldInput,
    change: customFieldChangeInput,
    present: presentCustomField,
    columns: ['id', 'key', 'label', 'type', 'is_required', 'is_author_visible', 'is_active', 'options'],
    title: { flag: '--label <label>', key: 'label', meaning: 'name that people see', kind: 'text' },
    flags: [
      { flag: '--key <key>', key: 'key', meaning: 'name in the API', kind: 'text', isFixed: true },
      { flag: '--type <type>', key: 'type', meaning: customFieldTypes.join(', '), kind: 'text', isFixed: true },
      {
        flag: '--options <list>',
        key: 'options',
        meaning: 'choices of a select or multiselect field, comma-separated',
        kind: 'list',
      },
      description,
      { flag: '--required <yes|no>', key: 'is_required', meaning: 'whether a ticket must have it', kind: 'yesOrNo' },
      { flag: '--visible <yes|no>', key: 'is_author_visible', meaning: 'whether authors see it', kind: 'yesOrNo' },
      sortOrder,
      active('whether tickets can use it'),
    ],
    example: 'helpdesk field add --site web-shop --key order_number --label "Order number" --type text',
  });
}
