// helpdesk ticket bulk

import type { Command } from 'commander';
import { findTicket } from '../../../src/desk/access.ts';
import { changeInBulk } from '../../../src/desk/bulk.ts';
import { DeskError } from '../../../src/domain/errors.ts';
import { bulkInput } from '../../../src/domain/input/bulk.ts';
import { ticketStatuses } from '../../../src/domain/ticket.ts';
import { doneReply, macroTextOf, presentBulkResult } from '../../../src/http/wire/bulk.ts';
import { createLookups } from '../../../src/http/wire/lookups.ts';
import { errorReply, type Reply } from '../../../src/http/wire/respond.ts';
import { presentTicket } from '../../../src/http/wire/ticket.ts';
import { addCommand, type CommonOptions, show } from '../../command.ts';
import { UnsoundError, UsageError } from '../../errors.ts';
import { check, given, list, momentOf, optionalNumber, orList, wholeNumber, yesOrNo } from '../../flags.ts';
import { type Opened, withDesk } from '../../opened-desk.ts';
import { plain, table } from '../../output/text.ts';
import { ticketName } from './show.ts';

interface BulkFlags extends CommonOptions {
  status?: string;
  category?: string;
  priority?: string;
  assign?: string;
  addTags?: string;
  removeTags?: string;
  snooze?: string;
  spam?: string;
  macro?: string;
  mergeInto?: string;
}

export function addTicketBulk(group: Command): void {
  addCommand(
    group,
    'bulk <tickets...>',
    'change many tickets; each is changed whole or not at all',
    'helpdesk ticket bulk 41 42 43 --status resolved --add-tags billing',
  )
    .option('--status <status>', orList(ticketStatuses))
    .option('--category <id>', 'category id, or none')
    .option('--priority <id>', 'priority id')
    .option('--assign <agent>', 'agent id, or none')
    .option('--add-tags <list>', 'tags to add, comma-separated')
    .option('--remove-tags <list>', 'tags to remove, comma-separated')
    .option('--snooze <time>', 'until a time such as 2026-09-11T09:30:00Z, or for a span such as 4h; none ends it')
    .option('--spam <yes|no>', 'mark as spam, or take the mark away')
    .option('--macro <id>', 'apply a macro: its text goes to each customer as a reply')
    .option('--merge-into <ticket>', 'merge all of them into this one')
    .action((names: string[], flags: BulkFlags) =>
      withDesk(flags, async (opened) => {
        const ulidOf = (name: string) => opened.read((tx) => findTicket(tx, opened.ctx(), ticketName(name)).ulid);
        const change = changeOf(flags, ulidOf);
        if (Object.keys(change).length === 0)
          throw new UsageError('Nothing to change: see `helpdesk ticket bulk --help`.');
        const input = check(bulkInput, { tickets: names.map(ulidOf), change });
        const data: ReturnType<typeof presentBulkResult>[] = [];
        for (const ulid of input.tickets)
          data.push(presentBulkResult(ulid, await changeOne(opened, ulid, input.change)));
        show(flags, {
          json: { data },
          text: () =>
            table(
              ['Ticket', 'Result'],
              data.map(({ ticket, error }, at) => [
                names[at] ?? ticket,
                error === null ? 'changed' : plain(error.message),
              ]),
            ),
        });
        if (data.some(({ error }) => error !== null)) throw new UnsoundError('Some tickets were not changed.');
      }),
    );
}

function changeOf(flags: BulkFlags, ulidOf: (name: string) => string): Record<string, unknown> {
  const orNone = (text: string | undefined, flag: string) =>
    text === undefined ? undefined : text === 'none' ? null : wholeNumber(text, flag);
  const until = flags.snooze === undefined || flags.snooze === 'none' ? null : momentOf(flags.snooze, '--snooze', 1);
  return given({
    status: flags.status,
    category_id: orNone(flags.category, '--category'),
    priority_id: optionalNumber(flags.priority, '--priority'),
    assigned_to: orNone(flags.assign, '--assign'),
    add_tags: list(flags.addTags),
    remove_tags: list(flags.removeTags),
    snoozed_until: flags.snooze === undefined ? undefined : until === null ? null : new Date(until).toISOString(),
    is_spam: flags.spam === undefined ? undefined : yesOrNo(flags.spam, '--spam'),
    macro_id: optionalNumber(flags.macro, '--macro'),
    merge_into: flags.mergeInto === undefined ? undefined : ulidOf(flags.mergeInto),
  });
}

async function changeOne(opened: Opened, ulid: string, change: Parameters<typeof changeInBulk>[3]): Promise<Reply> {
  const text = await macroTextOf(opened.read, opened.ctx(), ulid, change);
  try {
    return await opened.write((tx, ctx) => {
      const done = changeInBulk(tx, ctx, ulid, change, text);
      return doneReply(done, presentTicket(done.ticket, createLookups(tx)));
    });
  } catch (error) {
    // The others go on.
    if (error instanceof DeskError && error.code !== 'unavailable') return errorReply(error, 'cli');
    throw error;
  }
}
