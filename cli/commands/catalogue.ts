// helpdesk category … , priority … and field …: one site's catalogue.

import type { Command } from 'commander';
import type { Catalogue } from '../../src/desk/catalogue.ts';
import { categories, customFields, priorities } from '../../src/desk/catalogue.ts';
import {
  categoryChangeInput,
  categoryInput,
  customFieldChangeInput,
  customFieldInput,
  orderInput,
  priorityChangeInput,
  priorityInput,
} from '../../src/domain/input/sites.ts';
import { presentCategory, presentCustomField, presentPriority } from '../../src/http/wire/present.ts';
import { sortByLevels } from '../../src/jobs/schedule.ts';
import type { Site } from '../../src/store/sites.ts';
import { addCommand, addGroup, given, list, show } from '../command.ts';
import { type CommonOptions, check, confirmed, wholeNumber, withDesk, yesOrNo } from '../opened-desk.ts';
import { fields, table } from '../output/text.ts';

type Flags = CommonOptions & { site: string; yes?: boolean } & Record<string, unknown>;
type Schema<Value> = Parameters<typeof check<Value>>[0];

interface Noun<Row extends { id: number }, Input, Change> {
  word: string;
  plural: string;
  verbs: Catalogue<Row, Input, Change>;
  input: Schema<Input>;
  change: Schema<Change>;
  present(row: Row, site: Site): Record<string, unknown>;
  columns: readonly string[];
  /** Flags beside --name; `forAdd` those that only a new one takes. */
  flags: {
    flag: string;
    key: string;
    meaning: string;
    kind: 'text' | 'number' | 'flag' | 'list' | 'minutes';
    onlyAdd?: boolean;
  }[];
  /** The flag that a new one must have. */
  title: { flag: string; key: string };
  example: string;
}

function inputOf(flags: Flags, noun: Noun<never, never, never>): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { flag, key, kind } of [{ ...noun.title, kind: 'text' as const }, ...noun.flags]) {
    const name = flag.split(' ')[0] ?? '';
    const text = flags[name.slice(2).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())];
    if (typeof text !== 'string') continue;
    if (kind === 'text') values[key] = text;
    else if (kind === 'number') values[key] = wholeNumber(text, name);
    else if (kind === 'minutes') values[key] = text === 'none' ? null : wholeNumber(text, name);
    else if (kind === 'flag') values[key] = yesOrNo(text, name);
    else values[key] = list(text);
  }
  return given(values);
}

function nounCommands<Row extends { id: number }, Input, Change>(
  program: Command,
  noun: Noun<Row, Input, Change>,
): void {
  const { word, plural, verbs } = noun;
  const general = noun as unknown as Noun<never, never, never>;
  const meaning = `${plural} of a site: add, list, update, rm, order`;
  const group = addGroup(program, word, meaning, `helpdesk ${word} list --site web-shop`);
  const withSite = (command: Command) => command.requiredOption('--site <site>', 'id, ulid or slug');
  const add = withSite(addCommand(group, 'add', `add a ${word}`, noun.example)).requiredOption(noun.title.flag);
  for (const { flag, meaning } of noun.flags) add.option(flag, meaning);
  add.action((flags: Flags) =>
    withDesk(flags, async (opened) => {
      const input = check(noun.input, inputOf(flags, general));
      const { site, row } = await opened.write((tx, ctx) => verbs.add(tx, ctx, flags.site, input));
      const shown = noun.present(row, site);
      show(flags, { json: { data: shown }, text: () => fields(shown) });
    }),
  );
  withSite(addCommand(group, 'list', `list ${plural} in their order`, `helpdesk ${word} list --site web-shop`)).action(
    (flags: Flags) =>
      withDesk(flags, (opened) => {
        const { site, rows } = opened.read((tx) => verbs.list(tx, opened.ctx(), flags.site));
        const shown = rows.map((row) => noun.present(row, site));
        show(flags, {
          json: { data: shown },
          text: () =>
            table(
              noun.columns,
              shown.map((row) => noun.columns.map((column) => row[column])),
            ),
        });
      }),
  );
  const update = withSite(
    addCommand(group, 'update <id>', `change a ${word}`, `helpdesk ${word} update 3 --site web-shop --active no`),
  ).option(noun.title.flag);
  for (const { flag, meaning, onlyAdd } of noun.flags) if (!onlyAdd) update.option(flag, meaning);
  update.action((id: string, flags: Flags) =>
    withDesk(flags, async (opened) => {
      const input = check(noun.change, inputOf(flags, general));
      const { site, row } = await opened.write((tx, ctx) =>
        verbs.change(tx, ctx, flags.site, wholeNumber(id, 'The id'), input, null),
      );
      // Nobody else may be there to do it.
      await sortByLevels(opened.data.desk);
      const shown = noun.present(row, site);
      show(flags, { json: { data: shown }, text: () => fields(shown) });
    }),
  );
  withSite(addCommand(group, 'rm <id>', `remove a ${word}`, `helpdesk ${word} rm 3 --site web-shop --yes`))
    .option('--yes', 'do not ask')
    .action((id: string, flags: Flags) =>
      withDesk(flags, async (opened) => {
        const number = wholeNumber(id, 'The id');
        opened.read((tx) => verbs.read(tx, opened.ctx(), flags.site, number));
        confirmed(`Remove ${word} ${id}?`, flags.yes);
        await opened.write((tx, ctx) => {
          verbs.remove(tx, ctx, flags.site, number, null);
          return null;
        });
        show(flags, { json: { data: null }, text: () => `The ${word} is gone.` });
      }),
    );
  withSite(
    addCommand(
      group,
      'order <ids...>',
      `put all ${plural} of the site in this order`,
      `helpdesk ${word} order 3 1 2 --site web-shop`,
    ),
  ).action((ids: string[], flags: Flags) =>
    withDesk(flags, async (opened) => {
      const input = check(orderInput, { ids: ids.map((id) => wholeNumber(id, 'An id')) });
      const { site, rows } = await opened.write((tx, ctx) => verbs.order(tx, ctx, flags.site, input.ids));
      const shown = rows.map((row) => noun.present(row, site));
      show(flags, {
        json: { data: shown },
        text: () =>
          table(
            noun.columns,
            shown.map((row) => noun.columns.map((column) => row[column])),
          ),
      });
    }),
  );
}

const shared = [
  { flag: '--slug <slug>', key: 'slug', meaning: 'made of the name by default', kind: 'text' as const },
  { flag: '--color <color>', key: 'color', meaning: 'as #2563eb', kind: 'text' as const },
  { flag: '--sort-order <number>', key: 'sort_order', meaning: 'its place among the others', kind: 'number' as const },
  { flag: '--active <yes|no>', key: 'is_active', meaning: 'whether it can be chosen', kind: 'flag' as const },
];

export function catalogCommands(program: Command): void {
  nounCommands(program, {
    word: 'category',
    plural: 'categories',
    verbs: categories,
    input: categoryInput,
    change: categoryChangeInput,
    present: presentCategory,
    columns: ['id', 'name', 'slug', 'color', 'sort_order', 'is_active'],
    title: { flag: '--name <name>', key: 'name' },
    flags: [...shared, { flag: '--description <text>', key: 'description', meaning: 'for forms', kind: 'text' }],
    example: 'helpdesk category add --site web-shop --name Billing',
  });
  nounCommands(program, {
    word: 'priority',
    plural: 'priorities',
    verbs: priorities,
    input: priorityInput,
    change: priorityChangeInput,
    present: (priority, site) => presentPriority(priority, priority.id === site.defaultPriorityId),
    columns: ['id', 'name', 'slug', 'level', 'is_default', 'is_active', 'first_response_minutes', 'resolution_minutes'],
    title: { flag: '--name <name>', key: 'name' },
    flags: [
      ...shared,
      { flag: '--level <number>', key: 'level', meaning: 'higher is more urgent', kind: 'number' },
      { flag: '--default <yes|no>', key: 'is_default', meaning: 'what new tickets get', kind: 'flag' },
      {
        flag: '--first-response <minutes>',
        key: 'first_response_minutes',
        meaning: 'target in working time, or none',
        kind: 'minutes',
      },
      {
        flag: '--resolution <minutes>',
        key: 'resolution_minutes',
        meaning: 'target in working time, or none',
        kind: 'minutes',
      },
    ],
    example: 'helpdesk priority add --site web-shop --name Critical --level 5 --first-response 30 --resolution 240',
  });
  nounCommands(program, {
    word: 'field',
    plural: 'custom fields',
    verbs: customFields,
    input: customFieldInput,
    change: customFieldChangeInput,
    present: presentCustomField,
    columns: ['id', 'key', 'label', 'type', 'is_required', 'is_author_visible', 'is_active', 'options'],
    title: { flag: '--label <label>', key: 'label' },
    flags: [
      { flag: '--key <key>', key: 'key', meaning: 'its name in the API', kind: 'text', onlyAdd: true },
      {
        flag: '--type <type>',
        key: 'type',
        meaning: 'text, textarea, number, boolean, date, url, email, select, multiselect',
        kind: 'text',
        onlyAdd: true,
      },
      {
        flag: '--options <list>',
        key: 'options',
        meaning: 'for select and multiselect, separated by commas',
        kind: 'list',
      },
      { flag: '--description <text>', key: 'description', meaning: 'for forms', kind: 'text' },
      { flag: '--required <yes|no>', key: 'is_required', meaning: 'whether a ticket must have it', kind: 'flag' },
      { flag: '--visible <yes|no>', key: 'is_author_visible', meaning: 'whether authors see it', kind: 'flag' },
      { flag: '--sort-order <number>', key: 'sort_order', meaning: 'its place among the others', kind: 'number' },
      { flag: '--active <yes|no>', key: 'is_active', meaning: 'whether it can be filled in', kind: 'flag' },
    ],
    example: 'helpdesk field add --site web-shop --key order_number --label "Order number" --type text',
  });
}
