// helpdesk ticket reply, note and withdraw

import type { Command } from 'commander';
import { addNote, answerTicket } from '../../../src/desk/replies.ts';
import { type Scheduled, withdrawReply } from '../../../src/desk/scheduled-replies.ts';
import type { Said } from '../../../src/desk/sent-replies.ts';
import { agentReplyInput, noteInput } from '../../../src/domain/input/tickets.ts';
import { ticketStatuses } from '../../../src/domain/ticket.ts';
import { presentSaid } from '../../../src/http/wire/thread.ts';
import { rendered } from '../../../src/http/wire/written.ts';
import { addCommand, type CommonOptions, show } from '../../command.ts';
import { check, given, optionalNumber, orList } from '../../flags.ts';
import { type Opened, withDesk } from '../../opened-desk.ts';
import { plainLines } from '../../output/text.ts';
import { ticketName } from './show.ts';
import { bodyOf } from './values.ts';

export function addTicketReplies(group: Command): void {
  const say = (word: 'reply' | 'note', meaning: string) =>
    addCommand(group, `${word} <ticket>`, meaning, `helpdesk ticket ${word} 41 --body "Thank you, this is fixed now."`)
      .option('--body <text>', 'text (default: read from standard input)')
      .option('--markdown', 'the text is Markdown')
      .option('--agent-name <name>', 'name of the agent who writes');
  say('reply', 'reply to the author')
    .option('--agent <id>', 'id of the agent who writes')
    .option('--status <status>', `new status of the ticket: ${orList(ticketStatuses)}`)
    .option('--send-at <time>', 'send it then, as 2026-09-11T09:30:00Z, at most 90 days ahead')
    .action((name: string, flags: Written & { agent?: string; status?: string; sendAt?: string }) =>
      withDesk(flags, async (opened) => {
        const input = check(
          agentReplyInput,
          given({
            body: await bodyOf(flags.body),
            body_format: formatOf(flags),
            send_at: flags.sendAt,
            agent_name: flags.agentName,
            agent_id: optionalNumber(flags.agent, '--agent'),
            status: flags.status,
          }),
        );
        const written = await rendered(input);
        const said = await opened.write((tx, ctx) => answerTicket(tx, ctx, ticketName(name), written));
        const { id, status } = said.ticket;
        const reply = presented(opened, said);
        show(flags, {
          json: { message: 'reply' in said ? 'Reply scheduled.' : 'Reply added.', reply },
          text: () =>
            'reply' in said
              ? `The reply to #${id} is sent at ${reply.send_at}. Its ulid is ${reply.ulid}.`
              : `Replied to #${id}, which is now ${status}.`,
        });
      }),
    );
  say('note', 'add a note that only agents see').action((name: string, flags: Written) =>
    withDesk(flags, async (opened) => {
      const written = { body: await bodyOf(flags.body), body_format: formatOf(flags), agent_name: flags.agentName };
      const input = check(noteInput, given(written));
      const said = await opened.write((tx, ctx) => addNote(tx, ctx, ticketName(name), input));
      const note = presented(opened, said);
      show(flags, { json: { message: 'Note added.', note }, text: () => `Added a note to #${said.ticket.id}.` });
    }),
  );
  addCommand(
    group,
    'withdraw <ticket> <message>',
    'withdraw a reply that is not sent yet',
    'helpdesk ticket withdraw 41 01K4VJ8Q4N7RM2ZC6B0T3XWYDE',
  ).action((name: string, message: string, flags: CommonOptions) =>
    withDesk(flags, async (opened) => {
      const { ticket, reply } = await opened.write((tx, ctx) => withdrawReply(tx, ctx, ticketName(name), message));
      const data = presented(opened, { ticket, reply });
      show(flags, {
        json: { message: 'Reply withdrawn.', data },
        text: () => `Withdrew the reply to #${ticket.id}. Its text was:\n\n${plainLines(reply.body)}`,
      });
    }),
  );
}

type Written = CommonOptions & { body?: string; agentName?: string; markdown?: boolean };

const formatOf = ({ markdown }: Written) => (markdown ? 'markdown' : undefined);

const presented = (opened: Opened, said: Said | Scheduled) =>
  opened.read((tx) => presentSaid(tx, said, opened.links, opened.ctx().now));
