// helpdesk ticket set

import type { Command } from 'commander';
import { findTicket } from '../../../src/desk/access.ts';
import { changeTicket } from '../../../src/desk/tickets.ts';
import { ticketChangeInput } from '../../../src/domain/input/tickets.ts';
import { addCommand, collect, given, list } from '../../command.ts';
import { type CommonOptions, check, UsageError, wholeNumber, withDesk } from '../../opened-desk.ts';
import { nameOf, showTicket } from './show.ts';
import { fieldValues } from './values.ts';

export function addTicketSet(group: Command): void {
  addCommand(
    group,
    'set <ticket>',
    'change a ticket',
    'helpdesk ticket set 41 --status resolved --assign 2 --tags billing,eu',
  )
    .option('--status <status>', 'open, pending, resolved or closed')
    .option('--category <id>', 'or none')
    .option('--priority <id>')
    .option('--assign <agent>', "an agent's id, or none")
    .option('--tags <list>', 'all its tags; empty for none')
    .option('--subject <subject>')
    .option('--field <key=value>', 'a custom field, repeatable; empty removes it', collect)
    .action(
      (
        name: string,
        flags: CommonOptions & {
          status?: string;
          category?: string;
          priority?: string;
          assign?: string;
          tags?: string;
          subject?: string;
          field?: string[];
        },
      ) =>
        withDesk(flags, async (opened) => {
          const orNone = (text: string | undefined, flag: string) =>
            text === undefined ? undefined : text === 'none' ? null : wholeNumber(text, flag);
          const { siteId } = opened.read((tx) => findTicket(tx, opened.ctx(), nameOf(name)));
          const change = given({
            status: flags.status,
            category_id: orNone(flags.category, '--category'),
            priority_id: flags.priority === undefined ? undefined : wholeNumber(flags.priority, '--priority'),
            assigned_to: orNone(flags.assign, '--assign'),
            tags: list(flags.tags),
            subject: flags.subject,
            custom_fields: fieldValues(opened, siteId, flags.field),
          });
          if (Object.keys(change).length === 0)
            throw new UsageError('Say what to change; see helpdesk ticket set --help.');
          const input = check(ticketChangeInput, change);
          showTicket(flags, opened, await opened.write((tx, ctx) => changeTicket(tx, ctx, nameOf(name), input, null)));
        }),
    );
}
