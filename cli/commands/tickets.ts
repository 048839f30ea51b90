// helpdesk ticket: tickets and what is said on them.

import type { Command } from 'commander';
import { addCommand } from '../command.ts';
import { addTicketBulk } from './tickets/bulk.ts';
import { addTicketLinks } from './tickets/links.ts';
import { addTicketList } from './tickets/list.ts';
import { addTicketMoves } from './tickets/moves.ts';
import { addTicketOpen } from './tickets/open.ts';
import { addTicketReplies } from './tickets/reply.ts';
import { addTicketSet } from './tickets/set.ts';
import { addTicketShow } from './tickets/show.ts';

export function ticketCommands(program: Command): void {
  const group = addCommand(
    program,
    'ticket',
    'tickets: list, show, reply, note, set, open, snooze, split, merge, bulk, links',
    'helpdesk ticket list --status open,pending',
  );
  addTicketList(group);
  addTicketShow(group);
  addTicketOpen(group);
  addTicketReplies(group);
  addTicketSet(group);
  addTicketMoves(group);
  addTicketBulk(group);
  addTicketLinks(group);
}
