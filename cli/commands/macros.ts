// helpdesk macro: the shared macros.

import type { Command } from 'commander';
import { findSite } from '../../src/desk/access.ts';
import { addMacro, listMacros, removeMacro } from '../../src/desk/macros.ts';
import { macroInput } from '../../src/domain/input/macros.ts';
import { ticketStatuses } from '../../src/domain/ticket.ts';
import { presentMacro } from '../../src/http/wire/macro.ts';
import { addCommand, allowSite, askBeforeRemoving, type CommonOptions, show } from '../command.ts';
import { check, confirmed, given, list, optionalNumber, orList, rowId, wholeNumber } from '../flags.ts';
import { withDesk } from '../opened-desk.ts';
import { plain, table } from '../output/text.ts';
import { bodyOf } from './tickets/values.ts';

interface CreateFlags extends CommonOptions {
  name: string;
  body?: string;
  markdown?: boolean;
  site?: string;
  status?: string;
  category?: string;
  priority?: string;
  assign?: string;
  addTags?: string;
  removeTags?: string;
  snoozeHours?: string;
}

export function macroCommands(program: Command): void {
  const group = addCommand(program, 'macro', 'shared macros: list, create, delete', 'helpdesk macro list');
  allowSite(addCommand(group, 'list', 'list the shared macros', 'helpdesk macro list --site web-shop')).action(
    (flags: CommonOptions & { site?: string }) =>
      withDesk(flags, (opened) => {
        const data = opened.read((tx) =>
          listMacros(tx, opened.ctx(), flags.site ?? null).map((macro) => presentMacro(opened.ctx(), macro)),
        );
        show(flags, {
          json: { data },
          text: () =>
            table(
              ['Id', 'Name', 'Site', 'Changes'],
              data.map(({ id, name, site_id: site, changes }) => [
                String(id),
                plain(name),
                site === null ? 'all' : String(site),
                Object.keys(changes).join(', '),
              ]),
            ),
        });
      }),
  );
  allowSite(
    addCommand(
      group,
      'create',
      'add a shared macro; without --site it is for every site',
      'helpdesk macro create --name "Ask for the order" --body "Hello {{author.name}}, which order is it?" --status pending',
    ),
  )
    .requiredOption('--name <name>', 'name')
    .option('--body <text>', 'text (default: read from standard input; empty for a macro that only changes)')
    .option('--markdown', 'the text is Markdown')
    .option('--status <status>', orList(ticketStatuses))
    .option('--category <id>', 'category id, or none')
    .option('--priority <id>', 'priority id')
    .option('--assign <agent>', 'agent id, none, or me for the agent who applies it')
    .option('--add-tags <list>', 'tags to add, comma-separated')
    .option('--remove-tags <list>', 'tags to remove, comma-separated')
    .option('--snooze-hours <number>', 'snooze for this many hours')
    .action((flags: CreateFlags) =>
      withDesk(flags, async (opened) => {
        const body = await bodyOf(flags.body);
        const input = check(
          macroInput,
          given({
            name: flags.name,
            body,
            body_format: flags.markdown ? 'markdown' : undefined,
            site_id:
              flags.site === undefined ? null : opened.read((tx) => findSite(tx, opened.ctx(), flags.site ?? '').id),
            changes: changesOf(flags),
          }),
        );
        const macro = await opened.write((tx, ctx) => addMacro(tx, ctx, input));
        show(flags, {
          json: { data: presentMacro(opened.ctx(), macro) },
          text: () => `Added macro ${macro.id}, ${plain(macro.name)}.`,
        });
      }),
    );
  askBeforeRemoving(addCommand(group, 'delete <id>', 'remove a shared macro', 'helpdesk macro delete 3 --yes')).action(
    (id: string, flags: CommonOptions & { yes?: boolean }) =>
      withDesk(flags, async (opened) => {
        confirmed(`Remove macro ${id}?`, flags.yes);
        await opened.write((tx, ctx) => {
          removeMacro(tx, ctx, rowId(id), null);
          return null;
        });
        show(flags, { json: { data: null }, text: () => `Removed macro ${id}.` });
      }),
  );
}

function changesOf(flags: CreateFlags): Record<string, unknown> {
  const orNone = (text: string | undefined, flag: string) =>
    text === undefined ? undefined : text === 'none' ? null : wholeNumber(text, flag);
  return given({
    status: flags.status,
    category_id: orNone(flags.category, '--category'),
    priority_id: optionalNumber(flags.priority, '--priority'),
    assigned_to: flags.assign === 'me' ? 'me' : orNone(flags.assign, '--assign'),
    add_tags: list(flags.addTags),
    remove_tags: list(flags.removeTags),
    snooze_hours: optionalNumber(flags.snoozeHours, '--snooze-hours'),
  });
}
