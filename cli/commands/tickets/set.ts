// helpdesk ticket set

import type { Command } from 'commander';
import { findTicket } from '../../../src/desk/access.ts';
import { changeTicket } from '../../../src/desk/change-ticket.ts';
import { ticketChangeInput } from '../../../src/domain/input/tickets.ts';
import { ticketStatuses } from '../../../src/domain/ticket.ts';
import { addCommand, type CommonOptions } from '../../command.ts';
import { UsageError } from '../../errors.ts';
import { check, collect, given, list, optionalNumber, orList, wholeNumber, yesOrNo } from '../../flags.ts';
import { withDesk } from '../../opened-desk.ts';
import { showTicket, ticketName } from './show.ts';
import { fieldValues } from './values.ts';

export function addTicketSet(group: Command): void {
  addCommand(
    group,
    'set <ticket>',
    'change a ticket',
    'helpdesk ticket set 41 --status resolved --assign 2 --tags billing,eu',
  )
    .option('--status <status>', orList(ticketStatuses))
    .option('--category <id>', 'category id, or none')
    .option('--priority <id>', 'priority id')
    .option('--assign <agent>', 'agent id, or none')
    .option('--tags <list>', 'all tags of the ticket, comma-separated; empty removes them')
    .option('--add-tags <list>', 'tags to add, comma-separated')
    .option('--remove-tags <list>', 'tags to remove, comma-separated')
    .option('--spam <yes|no>', 'mark as spam, or take the mark away')
    .option('--subject <subject>', 'subject')
    .option('--field <key=value>', 'value of a custom field, empty to remove it; can be repeated', collect)
    .action(
      (
        name: string,
        flags: CommonOptions & {
          status?: string;
          category?: string;
          priority?: string;
          assign?: string;
          tags?: string;
          addTags?: string;
          removeTags?: string;
          spam?: string;
          subject?: string;
          field?: string[];
        },
      ) =>
        withDesk(flags, async (opened) => {
          const orNone = (text: string | undefined, flag: string) =>
            text === undefined ? undefined : text === 'none' ? null : wholeNumber(text, flag);
          const { siteId } = opened.read((tx) => findTicket(tx, opened.ctx(), ticketName(name)));
          const change = given({
            status: flags.status,
            category_id: orNone(flags.category, '--category'),
            priority_id: optionalNumber(flags.priority, '--priority'),
            assigned_to: orNone(flags.assign, '--assign'),
            tags: list(flags.tags),
            add_tags: list(flags.addTags),
            remove_tags: list(flags.removeTags),
            is_spam: flags.spam === undefined ? undefined : yesOrNo(flags.spam, '--spam'),
            subject: flags.subject,
            custom_fields: fieldValues(opened, siteId, flags.field),
          });
          if (Object.keys(change).length === 0)
            throw new UsageError('Nothing to change: see `helpdesk ticket set --help`.');
          const input = check(ticketChangeInput, change);
          showTicket(
            flags,
            opened,
            await opened.write((tx, ctx) => changeTicket(tx, ctx, ticketName(name), input, null)),
          );
        }),
    );
}
