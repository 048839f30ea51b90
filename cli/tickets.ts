// helpdesk ticket …

import type { Command } from 'commander';
import { findTicket } from '../src/desk/access.ts';
import { addNote, replyAsAgent } from '../src/desk/replies.ts';
import { readSite } from '../src/desk/sites.ts';
import { changeTicket, openTicketAsAgent } from '../src/desk/tickets.ts';
import type { CustomFieldType } from '../src/domain/custom-field.ts';
import { DeskError } from '../src/domain/errors.ts';
import { agentReplyInput, agentTicketInput, noteInput, ticketChangeInput } from '../src/domain/input/tickets.ts';
import { decodeQuery } from '../src/http/decode.ts';
import { createLookups, presentMessage, presentTicket } from '../src/http/present.ts';
import { listTickets, type TicketListQuery, ticketDetail, ticketListQuery } from '../src/http/ticket-reading.ts';
import { customFieldRows } from '../src/store/sites.ts';
import { addCommand, addGroup, collect, given, list, show } from './command.ts';
import { type CommonOptions, check, type Opened, UsageError, wholeNumber, withDesk } from './open.ts';
import { bold, dim, fields, plain, plainLines, table } from './print.ts';

interface ListFlags extends CommonOptions {
  site?: string;
  status?: string;
  category?: string;
  priority?: string;
  assignedTo?: string;
  unassigned?: boolean;
  externalId?: string;
  email?: string;
  tag?: string[];
  q?: string;
  createdFrom?: string;
  createdTo?: string;
  updatedFrom?: string;
  updatedTo?: string;
  sla?: string;
  includeTest?: boolean;
  sort?: string;
  direction?: string;
  page?: string;
  perPage?: string;
  cursor?: string;
}

/** The flags as the query of GET /tickets, judged by the same schema. */
function queryOf(flags: ListFlags): { asked: TicketListQuery; url: URL } {
  const url = new URL('http://desk/api/v1/tickets');
  const single: Record<string, string | undefined> = {
    site_id: flags.site,
    status: flags.status,
    category_id: flags.category,
    priority_id: flags.priority,
    assigned_to: flags.assignedTo,
    unassigned: flags.unassigned ? '1' : undefined,
    external_id: flags.externalId,
    email: flags.email,
    q: flags.q,
    created_from: flags.createdFrom,
    created_to: flags.createdTo,
    updated_from: flags.updatedFrom,
    updated_to: flags.updatedTo,
    sla: flags.sla,
    include_test: flags.includeTest ? '1' : undefined,
    sort: flags.sort,
    direction: flags.direction,
    page: flags.page,
    per_page: flags.perPage,
    cursor: flags.cursor,
  };
  for (const [name, value] of Object.entries(single)) if (value !== undefined) url.searchParams.set(name, value);
  for (const tag of flags.tag ?? []) url.searchParams.append('tag[]', tag);
  try {
    return { asked: decodeQuery(ticketListQuery, url) as TicketListQuery, url };
  } catch (error) {
    if (error instanceof DeskError) throw new UsageError(error.message);
    throw error;
  }
}

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
    tags: ticket.tags,
    'first response due': ticket.first_response_at
      ? `answered ${ticket.first_response_at}`
      : ticket.first_response_due_at,
    'resolution due': ticket.resolved_at ? `resolved ${ticket.resolved_at}` : ticket.resolution_due_at,
    created: ticket.created_at,
  });
}

/** `#41`, `41` or a ulid. */
const nameOf = (text: string) => text.replace(/^#/, '');

async function bodyOf(flag: string | undefined): Promise<string> {
  if (flag !== undefined) return flag;
  if (process.stdin.isTTY === true) throw new UsageError('Say what to write with --body, or pipe it in.');
  return Bun.stdin.text();
}

function showTicket(flags: CommonOptions, opened: Opened, ticket: Parameters<typeof presentTicket>[0]): void {
  const shown = opened.read((tx) => presentTicket(ticket, createLookups(tx)));
  show(flags, { json: { data: shown }, text: () => describe(shown) });
}

export function ticketCommands(program: Command): void {
  const group = addGroup(
    program,
    'ticket',
    'tickets: list, show, reply, note, set, open',
    'helpdesk ticket list --status open,pending',
  );
  addCommand(
    group,
    'list',
    "list tickets; the flags are the API's filters",
    'helpdesk ticket list --site web-shop --status open,pending --q invoice',
  )
    .option('--site <site>', 'id, ulid or slug')
    .option('--status <list>', 'open, pending, resolved, closed')
    .option('--category <ids>')
    .option('--priority <ids>')
    .option('--assigned-to <ids>')
    .option('--unassigned')
    .option('--external-id <id>')
    .option('--email <address>')
    .option('--tag <tag>', 'repeatable; all must match', collect)
    .option('--q <words>', 'words in subject, messages and author; also #41 and a ulid')
    .option('--created-from <time>')
    .option('--created-to <time>')
    .option('--updated-from <time>')
    .option('--updated-to <time>')
    .option('--sla <list>', 'warned, breached, due_soon, paused')
    .option('--include-test')
    .option('--sort <key>', 'created_at, updated_at, priority, first_response_due_at, resolution_due_at')
    .option('--direction <direction>', 'desc or asc')
    .option('--page <number>')
    .option('--per-page <number>')
    .option('--cursor <cursor>')
    .action((flags: ListFlags) =>
      withDesk(flags, async (opened) => {
        const { asked, url } = queryOf(flags);
        const page = (await listTickets(opened.data.desk, opened.baseUrl, opened.ctx(), asked, url)) as {
          data: Shown[];
          meta: { total: number };
        };
        show(flags, {
          json: page,
          text: () => {
            const rows = page.data.map((ticket) => [
              ticket.reference,
              ticket.status,
              ticket.priority?.name,
              ticket.subject,
              ticket.author?.email,
              ticket.assignee?.name,
              ticket.created_at,
            ]);
            const shown = table(['', 'status', 'priority', 'subject', 'author', 'assignee', 'created'], rows);
            return page.data.length < page.meta.total
              ? `${shown}\n${dim(`${page.data.length} of ${page.meta.total}; more with --page or --per-page`)}`
              : shown;
          },
        });
      }),
    );
  addCommand(group, 'show <ticket>', 'a ticket with its messages, notes and history', 'helpdesk ticket show 41').action(
    (name: string, flags: CommonOptions) =>
      withDesk(flags, (opened) => {
        const { data } = opened.read((tx) => ticketDetail(tx, opened.ctx(), opened.links, nameOf(name)));
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
                bold(`${plain(who)}, ${message.created_at}${message.is_internal ? ', note' : ''}`),
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
  addCommand(
    group,
    'open',
    "open a ticket on somebody's behalf",
    'helpdesk ticket open --site web-shop --email mia@example.org --subject "Cannot log in" --body "Since today."',
  )
    .requiredOption('--site <site>', 'id, ulid or slug')
    .requiredOption('--email <address>')
    .requiredOption('--subject <subject>')
    .option('--name <name>')
    .option('--body <text>', 'the message; standard input without it')
    .option('--category <id>')
    .option('--priority <id>')
    .option('--assign <agent>', "an agent's id")
    .option('--tags <list>')
    .option('--field <key=value>', 'a custom field, repeatable', collect)
    .option('--test', 'a test ticket notifies nobody and is not counted')
    .action(
      (
        flags: CommonOptions & {
          site: string;
          email: string;
          subject: string;
          name?: string;
          body?: string;
          category?: string;
          priority?: string;
          assign?: string;
          tags?: string;
          field?: string[];
          test?: boolean;
        },
      ) =>
        withDesk(flags, async (opened) => {
          const { id: siteId } = opened.read((tx) => readSite(tx, opened.ctx(), flags.site));
          const input = check(
            agentTicketInput,
            given({
              site_id: siteId,
              email: flags.email,
              name: flags.name,
              subject: flags.subject,
              message: await bodyOf(flags.body),
              category_id: flags.category === undefined ? undefined : wholeNumber(flags.category, '--category'),
              priority_id: flags.priority === undefined ? undefined : wholeNumber(flags.priority, '--priority'),
              assigned_to: flags.assign === undefined ? undefined : wholeNumber(flags.assign, '--assign'),
              tags: list(flags.tags),
              custom_fields: fieldValues(opened, siteId, flags.field),
              is_test: flags.test,
            }),
          );
          const { ticket } = await opened.write((tx, ctx) => openTicketAsAgent(tx, ctx, input));
          showTicket(flags, opened, ticket);
        }),
    );
  const say = (word: 'reply' | 'note', meaning: string) =>
    addCommand(group, `${word} <ticket>`, meaning, `helpdesk ticket ${word} 41 --body "Thank you, this is mended now."`)
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

/** What `key=value` says, read as the field of that name takes it: an order number is a text although it looks like a number. */
function parseField(text: string, types: ReadonlyMap<string, CustomFieldType>): [string, unknown] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`--field takes key=value, not "${text}".`);
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

function fieldValues(opened: Opened, siteId: number, given: readonly string[] | undefined) {
  if (given === undefined) return undefined;
  const rows = opened.read((tx) => customFieldRows.list(tx, siteId));
  const types = new Map(rows.map(({ key, type }) => [key, type]));
  return Object.fromEntries(given.map((text) => parseField(text, types)));
}
