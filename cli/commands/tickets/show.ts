// helpdesk ticket show, and how other commands show a ticket.

import type { Command } from 'commander';
import { whole } from '../../../src/http/wire/long-lists.ts';
import { createLookups } from '../../../src/http/wire/lookups.ts';
import { presentTicket } from '../../../src/http/wire/ticket.ts';
import { ticketDetail } from '../../../src/http/wire/ticket-reading.ts';
import { addCommand, type CommonOptions, show } from '../../command.ts';
import { type Opened, withDesk } from '../../opened-desk.ts';
import { bold, dim, fields, plain, plainLines } from '../../output/text.ts';

type Shown = ReturnType<typeof presentTicket>;

function describe(ticket: Shown): string {
  return fields({
    reference: ticket.reference,
    ulid: ticket.ulid,
    subject: ticket.subject,
    status: ticket.status,
    priority: ticket.priority?.name,
    category: ticket.category?.name,
    author:
      ticket.author &&
      `${ticket.author.name ?? ''} <${ticket.author.email}>${ticket.author.is_verified ? ' (verified)' : ''}`,
    assignee: ticket.assignee?.name,
    'snoozed until': ticket.snoozed_until,
    spam: ticket.is_spam ? 'yes' : null,
    'split from': ticket.split_from,
    tags: ticket.tags,
    'first response due': ticket.first_response_at
      ? `answered ${ticket.first_response_at}`
      : ticket.first_response_due_at,
    'resolution due': ticket.resolved_at ? `resolved ${ticket.resolved_at}` : ticket.resolution_due_at,
    created: ticket.created_at,
  });
}

/** For `#41`, `41` or a ULID. */
export const ticketName = (text: string) => text.replace(/^#/, '');

export function showTicket(flags: CommonOptions, opened: Opened, ticket: Parameters<typeof presentTicket>[0]): void {
  const shown = opened.read((tx) => presentTicket(ticket, createLookups(tx)));
  show(flags, { json: { data: shown }, text: () => describe(shown) });
}

export function addTicketShow(group: Command): void {
  addCommand(
    group,
    'show <ticket>',
    'show a ticket with its messages, notes and history',
    'helpdesk ticket show 41',
  ).action((name: string, flags: CommonOptions) =>
    withDesk(flags, (opened) => {
      const data = opened.read((tx) => whole(ticketDetail({ tx }, opened.ctx(), opened.links, ticketName(name)).data));
      show(flags, {
        json: { data },
        text: () => {
          const messages = data.messages.map((message) => {
            const who = message.is_agent
              ? `${message.agent_name ?? 'agent'} (agent)`
              : (message.author_name ?? message.author?.email ?? 'author');
            const files = message.attachments.map(({ filename, size }) =>
              dim(`  attached: ${plain(filename)} (${size} bytes)`),
            );
            return [
              bold(
                `${plain(who)}, ${message.send_at ? `not sent until ${message.send_at}` : message.created_at}${message.is_internal ? ', note' : ''}`,
              ),
              plainLines(message.body),
              ...files,
            ].join('\n');
          });
          const history = data.events.map((event) =>
            dim(`${event.created_at}  ${event.event}  ${event.actor.type} ${plain(event.actor.name ?? '')}`),
          );
          return [describe(data), ...messages, history.join('\n')].join('\n\n');
        },
      });
    }),
  );
}
