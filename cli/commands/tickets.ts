// helpdesk ticket: tickets and what is said on them.

import type { Command } from 'commander';
import { findTicket } from '../../src/desk/access.ts';
import type { CustomFieldType } from '../../src/domain/tickets/custom-field.ts';
import type { Whole } from '../../src/http/wire/long-lists.ts';
import type { presentBulkResult } from '../../src/http/wire/tickets/bulk.ts';
import type { presentSaid } from '../../src/http/wire/tickets/thread.ts';
import type { presentTicket } from '../../src/http/wire/tickets/ticket.ts';
import type { ticketDetail } from '../../src/http/wire/tickets/ticket-reading.ts';
import { UsageError } from '../errors.ts';
import { collect, list, momentOf, ticketName } from '../flags.ts';
import { operationGroup, type Use } from '../operation-command.ts';
import { bold, dim, fields, plain, plainLines, table } from '../output/text.ts';

type Ticket = ReturnType<typeof presentTicket>;
type Detail = Whole<ReturnType<ReturnType<typeof ticketDetail>['data']>>;

export const ticketColumns = [
  ...['ticket=reference', 'status', 'priority=priority.name', 'subject'],
  ...['customer=author.email', 'assignee=assignee.name', 'created=created_at'],
];

/** As it is now. */
const named = ({ opened, words }: Use) => opened.read((tx) => findTicket(tx, opened.ctx(), words.ticket ?? ''));
const ulidOf = ({ opened }: Use, name: string) =>
  opened.read((tx) => findTicket(tx, opened.ctx(), ticketName(name)).ulid);

const print = ({ data }: { data: Ticket }) => describe(data);
const setField = (meaning: string) => (command: Command) => command.option('--field <key=value>', meaning, collect);
const said = (word: string) => ({
  usage: `${word} <ticket>`,
  example: `helpdesk ticket ${word} 41 --body "Thank you, this is fixed now."`,
  text: 'body',
  without: ['is_internal', 'attachment_ids', 'hold_seconds', 'after_message'],
});
const columnsOfPeople = ['id', 'address=email', 'name', 'added=added_at', 'removed=removed_at', 'paused=paused_at'];
const columnsOfLinks = ['address', 'kind', 'sent=sent_at', 'uses', 'last used=last_used_at'];

export const ticketCommands = operationGroup('ticket', 'tickets', 'helpdesk ticket list --status open,pending', [
  {
    usage: 'list',
    does: 'list tickets, newest first; the flags are the filters of the API',
    example: 'helpdesk ticket list --site web-shop --status open,pending --q invoice',
    operation: 'tickets/listTickets',
    // Of an agent who signed in.
    without: ['has_draft', 'unread'],
    columns: ticketColumns,
  },
  {
    usage: 'show <ticket>',
    does: 'show a ticket with its messages, notes and history',
    example: 'helpdesk ticket show 41',
    operation: 'tickets/readTicket',
    without: ['other_tickets'],
    print: inFull,
  },
  {
    usage: 'open',
    does: 'open a ticket on behalf of a customer; without --notify, they get what the site sends for a new ticket',
    example:
      'helpdesk ticket open --site web-shop --email mia@example.org --subject "Cannot log in" --body "Since today."',
    operation: 'tickets/createTicket',
    text: 'message',
    // Of an agent who signed in.
    without: ['attachment_ids'],
    meanings: { name: "customer's name", site_id: 'site: id, ULID or slug' },
    own: setField('value of a custom field; can be repeated'),
    body: (use) => fieldValues(use, use.flags.site),
    print,
  },
  {
    ...said('reply'),
    does: 'reply to the customer',
    operation: 'replies/replyAsAgent',
    print(answer: { reply: ReturnType<typeof presentSaid> }, use) {
      const { id, status } = named(use);
      const { send_at: sendAt, ulid } = answer.reply;
      return sendAt
        ? `The reply to #${id} is sent at ${sendAt}. Its ulid is ${ulid}.`
        : `Replied to #${id}, which is now ${status}.`;
    },
  },
  {
    ...said('note'),
    does: 'add a note that only agents see',
    operation: 'replies/addNote',
    print: (_answer, use) => `Added a note to #${named(use).id}.`,
  },
  {
    usage: 'withdraw <ticket> <message>',
    does: 'withdraw a reply that is not sent yet',
    example: 'helpdesk ticket withdraw 41 01K4VJ8Q4N7RM2ZC6B0T3XWYDE',
    operation: 'replies/withdrawReply',
    print: ({ data }: { data: { body: string } }, use) =>
      `Withdrew the reply to #${named(use).id}. Its text was:\n\n${plainLines(data.body)}`,
  },
  {
    usage: 'set <ticket>',
    does: 'change a ticket',
    example: 'helpdesk ticket set 41 --status resolved --assign 2 --tags billing,eu',
    operation: 'tickets/updateTicket',
    own: setField('value of a custom field, empty to remove it; can be repeated'),
    body: (use) => fieldValues(use, String(named(use).siteId)),
    print,
  },
  {
    usage: 'snooze <ticket>',
    does: 'let a ticket rest until a time',
    example: 'helpdesk ticket snooze 41 --until 4h',
    operation: 'tickets/updateTicket',
    only: [],
    own: (command) =>
      command
        .option('--until <time>', 'a time such as 2026-09-11T09:30:00Z, or a span from now such as 4h or 3d')
        .option('--off', 'end the snooze, and open the ticket'),
    body({ flags: { until, off } }) {
      if ((until === undefined) === (off === undefined)) throw new UsageError('Give --until or --off.');
      return { snoozed_until: until === undefined ? null : new Date(momentOf(until, '--until', 1)).toISOString() };
    },
    print,
  },
  {
    usage: 'split <ticket>',
    does: 'make a new ticket of a message and all after it, or with --only just of that message',
    example: 'helpdesk ticket split 41 --message 01K4VJ8Q4N7RM2ZC6B0T3XWYDE',
    operation: 'tickets/splitTicket',
    meanings: { subject: 'subject of the new ticket (default: that of the other)' },
    print,
  },
  {
    usage: 'merge <ticket>',
    does: 'merge a ticket into another one',
    example: 'helpdesk ticket merge 42 --into 41',
    operation: 'tickets/mergeTickets',
    print,
  },
  {
    usage: 'unmerge <ticket>',
    does: 'undo the merge of a ticket into another one, within 30 days',
    example: 'helpdesk ticket unmerge 42',
    operation: 'tickets/unmergeTicket',
    print,
  },
  {
    usage: 'bulk <tickets...>',
    does: 'change many tickets; each is changed whole or not at all',
    example: 'helpdesk ticket bulk 41 42 43 --status resolved --add-tags billing',
    operation: 'bulk/changeTickets',
    without: ['tickets', 'merge_into', 'hold_seconds'],
    own: (command) => command.option('--merge-into <ticket>', 'merge all of them into this one'),
    body(use) {
      if (Object.keys(use.flags).every((name) => name === 'data' || name === 'json'))
        throw new UsageError('Nothing to change: see `helpdesk ticket bulk --help`.');
      return {
        tickets: use.list.map((name) => ulidOf(use, name)),
        'change.merge_into': use.flags.mergeInto && ulidOf(use, use.flags.mergeInto),
      };
    },
    print({ data }: { data: ReturnType<typeof presentBulkResult>[] }, { list: names }) {
      const rows = data.map(({ ticket, error }, at) => [
        names[at] ?? ticket,
        error === null ? 'changed' : error.message,
      ]);
      return table(['Ticket', 'Result'], rows);
    },
    isSound: ({ data }: { data: ReturnType<typeof presentBulkResult>[] }) => data.every(({ error }) => error === null),
  },
  {
    usage: 'participants <ticket>',
    does: 'list who takes part in a ticket beside its author, with those who were removed',
    example: 'helpdesk ticket participants 41',
    operation: 'participants/listParticipants',
    columns: columnsOfPeople,
  },
  {
    usage: 'add-participant <ticket>',
    does: 'add someone to a ticket, bring them back, or let them get mail again',
    example: 'helpdesk ticket add-participant 41 --email bo@example.org --name "Bo Berg"',
    operation: 'participants/addParticipant',
    meanings: { email: 'their e-mail address', name: 'their name' },
    columns: columnsOfPeople,
  },
  {
    usage: 'remove-participant <ticket> <id>',
    does: 'remove someone from a ticket, who gets no more mail about it',
    example: 'helpdesk ticket remove-participant 41 7',
    operation: 'participants/removeParticipant',
    print: (_answer, use) => `Participant ${use.words.id} of #${named(use).id} was removed.`,
  },
  {
    usage: 'links <ticket>',
    does: 'list the links that customers have to a ticket',
    example: 'helpdesk ticket links 41',
    operation: 'links/listTicketLinks',
    columns: [...columnsOfLinks, 'confirmed=is_confirmed', 'revoked=revoked_at'],
  },
  {
    usage: 'revoke-links <ticket>',
    does: 'end all links that customers have to a ticket, and the visits that they opened',
    example: 'helpdesk ticket revoke-links 41 --yes',
    operation: 'links/revokeTicketLinks',
    reads: (use) => ({ ...named(use), name: '', slug: '' }),
    question: ({ row }) => `Revoke all links to ticket #${row.id}?`,
    print: ({ data: { revoked } }: { data: { revoked: number } }) =>
      revoked === 1 ? '1 link is revoked.' : `${revoked} links are revoked.`,
  },
]);

function describe(ticket: Ticket & Partial<Pick<Detail, 'participants'>>): string {
  const { author, participants = [] } = ticket;
  return fields({
    reference: ticket.reference,
    ulid: ticket.ulid,
    subject: ticket.subject,
    status: ticket.status,
    priority: ticket.priority?.name,
    category: ticket.category?.name,
    customer: author && `${author.name ?? ''} <${author.email}>${author.is_verified ? ' (verified)' : ''}`,
    participants: participants.filter((one) => one.removed_at === null).map((one) => one.email),
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

/** Nothing of a clean file, or one that came without a scanner. */
function scanned({ scan }: Detail['attachments'][number]): string {
  if (scan === null || scan.status === 'clean') return '';
  return {
    waiting: ', being checked for viruses',
    unchecked: ', not checked for viruses',
    infected: `, infected: ${plain(scan.found ?? '?')}`,
  }[scan.status];
}

const attached = (file: Detail['attachments'][number]) =>
  dim(`  attached: ${plain(file.filename)} (${file.size} bytes${scanned(file)})`);

function inFull({ data }: { data: Detail }): string {
  const messages = data.messages.map((message) => {
    const who = message.is_agent
      ? `${message.agent_name ?? 'agent'} (agent)`
      : (message.author_name ?? message.author?.email ?? 'customer');
    const when = message.send_at ? `not sent until ${message.send_at}` : message.created_at;
    return [
      bold(`${plain(who)}, ${when}${message.is_internal ? ', note' : ''}`),
      plainLines(message.body),
      ...message.attachments.map(attached),
    ].join('\n');
  });
  const loose = data.attachments.filter(({ message_id: message }) => message === null).map(attached);
  const history = data.events.map((event) =>
    dim(`${event.created_at}  ${event.event}  ${event.actor.type} ${plain(event.actor.name ?? '')}`),
  );
  return [describe(data), ...messages, ...(loose.length === 0 ? [] : [loose.join('\n')]), history.join('\n')].join(
    '\n\n',
  );
}

async function fieldValues({ flags, ask }: Use, site: string | undefined) {
  const given = flags.field as unknown as readonly string[] | undefined;
  if (given === undefined) return {};
  const { data } = await ask<{ data: { key: string; type: CustomFieldType }[] }>('fields/listCustomFields', {
    params: { site },
  });
  const types = new Map(data.map(({ key, type }) => [key, type]));
  return { custom_fields: Object.fromEntries(given.map((text) => parseField(text, types))) };
}

/** Reads the value by the type of its field: an order number stays text although it looks like a number. */
function parseField(text: string, types: ReadonlyMap<string, CustomFieldType>): [string, unknown] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`--field must be key=value, not "${text}".`);
  const [key, value] = [text.slice(0, at), text.slice(at + 1)];
  if (value === '') return [key, null];
  const type = types.get(key);
  const isJson = type === 'number' || type === 'boolean' || (type === 'multiselect' && value.startsWith('['));
  if (!isJson) return [key, type === 'multiselect' ? list(value) : value];
  try {
    return [key, JSON.parse(value)];
  } catch {
    return [key, value];
  }
}
