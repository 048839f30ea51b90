// The commands of one noun of the catalogue: add, list, update, rm and order.

import type { Command } from 'commander';
import type { Catalogue } from '../../src/desk/catalogue/verbs.ts';
import { orderInput } from '../../src/domain/input/sites.ts';
import { sortByLevels } from '../../src/jobs/upkeep.ts';
import type { Site } from '../../src/store/sites.ts';
import { addCommand, askBeforeRemoving, type CommonOptions, requireSite, show } from '../command.ts';
import { check, confirmed, list, rowId, wholeNumber, yesOrNo } from '../flags.ts';
import { withDesk } from '../opened-desk.ts';
import { fields, table } from '../output/text.ts';

type Flags = CommonOptions & { site: string; yes?: boolean } & Record<string, unknown>;
type Schema<Value> = Parameters<typeof check<Value>>[0];

const readers = {
  text: (text: string) => text,
  number: wholeNumber,
  yesOrNo,
  list: (text: string) => list(text),
  /** Minutes, or `none` for null. */
  minutes: (text: string, name: string) => (text === 'none' ? null : wholeNumber(text, name)),
};

export interface NounFlag {
  flag: string;
  /** The field of the API's input. */
  key: string;
  meaning: string;
  kind: keyof typeof readers;
  /** Whether it can be given only when the row is added. */
  isFixed?: boolean;
}

/** How rows are shown. */
interface View<Row> {
  present(row: Row, site: Site): Record<string, unknown>;
  columns: readonly string[];
}

interface Noun<Row extends { id: number }, Input, Change> extends View<Row> {
  word: string;
  plural: string;
  verbs: Catalogue<Row, Input, Change>;
  input: Schema<Input>;
  change: Schema<Change>;
  /** Required when the row is added. */
  title: NounFlag;
  flags: readonly NounFlag[];
  example: string;
}

export function addNounCommands<Row extends { id: number }, Input, Change>(
  program: Command,
  noun: Noun<Row, Input, Change>,
): void {
  const { word, plural } = noun;
  const meaning = `${plural} of a site: add, list, update, rm, order`;
  const group = addCommand(program, word, meaning, `helpdesk ${word} list --site web-shop`);
  addAdd(group, noun);
  addList(group, noun);
  addUpdate(group, noun);
  addRemove(group, noun);
  addOrder(group, noun);
}

function valuesOf(flags: Flags, known: readonly NounFlag[]): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { flag, key, kind } of known) {
    const name = flag.split(' ')[0] ?? '';
    const text = flags[name.slice(2).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())];
    if (typeof text === 'string') values[key] = readers[kind](text, name);
  }
  return values;
}

function showRow<Row>(flags: Flags, view: View<Row>, row: Row, site: Site): void {
  const shown = view.present(row, site);
  show(flags, { json: { data: shown }, text: () => fields(shown) });
}

function showRows<Row>(flags: Flags, { columns, present }: View<Row>, rows: readonly Row[], site: Site): void {
  const shown = rows.map((row) => present(row, site));
  show(flags, {
    json: { data: shown },
    text: () =>
      table(
        columns,
        shown.map((row) => columns.map((column) => row[column])),
      ),
  });
}

function addAdd<Row extends { id: number }, Input, Change>(group: Command, noun: Noun<Row, Input, Change>): void {
  const { word, verbs, title, example } = noun;
  const add = requireSite(addCommand(group, 'add', `add a ${word}`, example));
  add.requiredOption(title.flag, title.meaning);
  for (const { flag, meaning } of noun.flags) add.option(flag, meaning);
  add.action((flags: Flags) =>
    withDesk(flags, async (opened) => {
      const input = check(noun.input, valuesOf(flags, [title, ...noun.flags]));
      const { site, row } = await opened.write((tx, ctx) => verbs.add(tx, ctx, flags.site, input));
      showRow(flags, noun, row, site);
    }),
  );
}

function addList<Row extends { id: number }, Input, Change>(group: Command, noun: Noun<Row, Input, Change>): void {
  const { word, plural, verbs } = noun;
  requireSite(
    addCommand(group, 'list', `list the ${plural} of a site in their order`, `helpdesk ${word} list --site web-shop`),
  ).action((flags: Flags) =>
    withDesk(flags, (opened) => {
      const { site, rows } = opened.read((tx) => verbs.list(tx, opened.ctx(), flags.site));
      showRows(flags, noun, rows, site);
    }),
  );
}

function addUpdate<Row extends { id: number }, Input, Change>(group: Command, noun: Noun<Row, Input, Change>): void {
  const { word, verbs, title } = noun;
  const changeable = [title, ...noun.flags.filter(({ isFixed }) => !isFixed)];
  const update = requireSite(
    addCommand(group, 'update <id>', `change a ${word}`, `helpdesk ${word} update 3 --site web-shop --active no`),
  );
  for (const { flag, meaning } of changeable) update.option(flag, meaning);
  update.action((id: string, flags: Flags) =>
    withDesk(flags, async (opened) => {
      const input = check(noun.change, valuesOf(flags, changeable));
      const { site, row } = await opened.write((tx, ctx) => verbs.change(tx, ctx, flags.site, rowId(id), input, null));
      // No desk may be running that would do this in the background.
      await sortByLevels(opened.data.desk);
      showRow(flags, noun, row, site);
    }),
  );
}

function addRemove<Row extends { id: number }, Input, Change>(
  group: Command,
  { word, verbs }: Noun<Row, Input, Change>,
): void {
  askBeforeRemoving(
    requireSite(addCommand(group, 'rm <id>', `remove a ${word}`, `helpdesk ${word} rm 3 --site web-shop --yes`)),
  ).action((id: string, flags: Flags) =>
    withDesk(flags, async (opened) => {
      opened.read((tx) => verbs.read(tx, opened.ctx(), flags.site, rowId(id)));
      confirmed(`Remove ${word} ${id}?`, flags.yes);
      await opened.write((tx, ctx) => {
        verbs.remove(tx, ctx, flags.site, rowId(id), null);
        return null;
      });
      show(flags, { json: { data: null }, text: () => `The ${word} was removed.` });
    }),
  );
}

function addOrder<Row extends { id: number }, Input, Change>(group: Command, noun: Noun<Row, Input, Change>): void {
  const { word, plural, verbs } = noun;
  requireSite(
    addCommand(
      group,
      'order <ids...>',
      `set the order of the ${plural}; name all ids of the site`,
      `helpdesk ${word} order 3 1 2 --site web-shop`,
    ),
  ).action((ids: string[], flags: Flags) =>
    withDesk(flags, async (opened) => {
      const input = check(orderInput, { ids: ids.map((id) => wholeNumber(id, 'An id')) });
      const { site, rows } = await opened.write((tx, ctx) => verbs.order(tx, ctx, flags.site, input.ids));
      showRows(flags, noun, rows, site);
    }),
  );
}
