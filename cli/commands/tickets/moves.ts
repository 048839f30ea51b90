// helpdesk ticket snooze, split and merge

import type { Command } from 'commander';
import { changeTicket } from '../../../src/desk/change-ticket.ts';
import { mergeTickets } from '../../../src/desk/merge-tickets.ts';
import { splitTicket } from '../../../src/desk/split-ticket.ts';
import { splitInput } from '../../../src/domain/input/tickets.ts';
import { addCommand, type CommonOptions } from '../../command.ts';
import { UsageError } from '../../errors.ts';
import { check, given, momentOf } from '../../flags.ts';
import { withDesk } from '../../opened-desk.ts';
import { showTicket, ticketName } from './show.ts';

export function addTicketMoves(group: Command): void {
  addCommand(group, 'snooze <ticket>', 'let a ticket rest until a time', 'helpdesk ticket snooze 41 --until 4h')
    .option('--until <time>', 'a time such as 2026-09-11T09:30:00Z, or a span from now such as 4h or 3d')
    .option('--off', 'end the snooze, and open the ticket')
    .action((name: string, flags: CommonOptions & { until?: string; off?: boolean }) =>
      withDesk(flags, async (opened) => {
        if ((flags.until === undefined) === (flags.off === undefined)) throw new UsageError('Give --until or --off.');
        const until = flags.until === undefined ? null : momentOf(flags.until, '--until', 1);
        const ticket = await opened.write((tx, ctx) =>
          changeTicket(tx, ctx, ticketName(name), { snoozed_until: until }, null),
        );
        showTicket(flags, opened, ticket);
      }),
    );
  addCommand(
    group,
    'split <ticket>',
    'make a new ticket of a message and all after it, or with --only just of that message',
    'helpdesk ticket split 41 --message 01K4VJ8Q4N7RM2ZC6B0T3XWYDE',
  )
    .requiredOption('--message <ulid>', 'the first message of the new ticket')
    .option('--subject <subject>', 'subject of the new ticket (default: that of the other)')
    .option('--only', 'move only this message; those after it stay')
    .action((name: string, flags: CommonOptions & { message: string; subject?: string; only?: boolean }) =>
      withDesk(flags, async (opened) => {
        const { message, subject, only } = flags;
        const input = check(splitInput, given({ message, subject, only }));
        showTicket(flags, opened, await opened.write((tx, ctx) => splitTicket(tx, ctx, ticketName(name), input)));
      }),
    );
  addCommand(group, 'merge <ticket>', 'merge a ticket into another one', 'helpdesk ticket merge 42 --into 41')
    .requiredOption('--into <ticket>', 'the ticket that gets everything')
    .action((name: string, flags: CommonOptions & { into: string }) =>
      withDesk(flags, async (opened) => {
        const { target } = await opened.write((tx, ctx) =>
          mergeTickets(tx, ctx, ticketName(name), ticketName(flags.into)),
        );
        showTicket(flags, opened, target);
      }),
    );
}
