// helpdesk ticket reply and note

import type { Command } from 'commander';
import { addNote, replyAsAgent } from '../../../src/desk/replies.ts';
import { agentReplyInput, noteInput } from '../../../src/domain/input/tickets.ts';
import { ticketStatuses } from '../../../src/domain/ticket.ts';
import { createLookups } from '../../../src/http/wire/lookups.ts';
import { presentMessage } from '../../../src/http/wire/message.ts';
import { addCommand, type CommonOptions, show } from '../../command.ts';
import { check, given, optionalNumber, orList } from '../../flags.ts';
import { withDesk } from '../../opened-desk.ts';
import { ticketName } from './show.ts';
import { bodyOf } from './values.ts';

export function addTicketReplies(group: Command): void {
  const say = (word: 'reply' | 'note', meaning: string) =>
    addCommand(group, `${word} <ticket>`, meaning, `helpdesk ticket ${word} 41 --body "Thank you, this is fixed now."`)
      .option('--body <text>', 'text (default: read from standard input)')
      .option('--agent-name <name>', 'name of the agent who writes');
  say('reply', 'reply to the author')
    .option('--agent <id>', 'id of the agent who writes')
    .option('--status <status>', `new status of the ticket: ${orList(ticketStatuses)}`)
    .action(
      (name: string, flags: CommonOptions & { body?: string; agentName?: string; agent?: string; status?: string }) =>
        withDesk(flags, async (opened) => {
          const input = check(
            agentReplyInput,
            given({
              body: await bodyOf(flags.body),
              agent_name: flags.agentName,
              agent_id: optionalNumber(flags.agent, '--agent'),
              status: flags.status,
            }),
          );
          const { message, ticket } = await opened.write((tx, ctx) => replyAsAgent(tx, ctx, ticketName(name), input));
          const reply = opened.read((tx) =>
            presentMessage(message, createLookups(tx), { attachments: [], links: opened.links, now: opened.ctx().now }),
          );
          show(flags, {
            json: { message: 'Reply added.', reply },
            text: () => `Replied to #${ticket.id}, which is now ${ticket.status}.`,
          });
        }),
    );
  say('note', 'add a note that only agents see').action(
    (name: string, flags: CommonOptions & { body?: string; agentName?: string }) =>
      withDesk(flags, async (opened) => {
        const input = check(noteInput, given({ body: await bodyOf(flags.body), agent_name: flags.agentName }));
        const { message, ticket } = await opened.write((tx, ctx) => addNote(tx, ctx, ticketName(name), input));
        const note = opened.read((tx) =>
          presentMessage(message, createLookups(tx), { attachments: [], links: opened.links, now: opened.ctx().now }),
        );
        show(flags, { json: { message: 'Note added.', note }, text: () => `Added a note to #${ticket.id}.` });
      }),
  );
}
