// helpdesk ticket reply and note

import type { Command } from 'commander';
import { addNote, replyAsAgent } from '../../../src/desk/replies.ts';
import { agentReplyInput, noteInput } from '../../../src/domain/input/tickets.ts';
import { createLookups, presentMessage } from '../../../src/http/wire/present.ts';
import { addCommand, given, show } from '../../command.ts';
import { type CommonOptions, check, wholeNumber, withDesk } from '../../opened-desk.ts';
import { nameOf } from './show.ts';
import { bodyOf } from './values.ts';

export function addTicketReplies(group: Command): void {
  const say = (word: 'reply' | 'note', meaning: string) =>
    addCommand(group, `${word} <ticket>`, meaning, `helpdesk ticket ${word} 41 --body "Thank you, this is fixed now."`)
      .option('--body <text>', 'standard input without it')
      .option('--agent-name <name>', 'who speaks');
  say('reply', 'answer publicly')
    .option('--agent <id>', "the agent's id")
    .option('--status <status>', 'open, pending, resolved or closed')
    .action(
      (name: string, flags: CommonOptions & { body?: string; agentName?: string; agent?: string; status?: string }) =>
        withDesk(flags, async (opened) => {
          const input = check(
            agentReplyInput,
            given({
              body: await bodyOf(flags.body),
              agent_name: flags.agentName,
              agent_id: flags.agent === undefined ? undefined : wholeNumber(flags.agent, '--agent'),
              status: flags.status,
            }),
          );
          const { message, ticket } = await opened.write((tx, ctx) => replyAsAgent(tx, ctx, nameOf(name), input));
          const reply = opened.read((tx) =>
            presentMessage(message, createLookups(tx), { attachments: [], links: opened.links, now: opened.ctx().now }),
          );
          show(flags, {
            json: { message: 'Reply added.', reply },
            text: () => `Answered #${ticket.id}, which is ${ticket.status}.`,
          });
        }),
    );
  say('note', 'add a note that only agents see').action(
    (name: string, flags: CommonOptions & { body?: string; agentName?: string }) =>
      withDesk(flags, async (opened) => {
        const input = check(noteInput, given({ body: await bodyOf(flags.body), agent_name: flags.agentName }));
        const { message, ticket } = await opened.write((tx, ctx) => addNote(tx, ctx, nameOf(name), input));
        const note = opened.read((tx) =>
          presentMessage(message, createLookups(tx), { attachments: [], links: opened.links, now: opened.ctx().now }),
        );
        show(flags, { json: { message: 'Note added.', note }, text: () => `Noted on #${ticket.id}.` });
      }),
  );
}
