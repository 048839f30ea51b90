// One ticket of the demo data, from its opening to where it stands now.

import type { Context } from '../../desk/context.ts';
import type { AgentAccount } from '../../desk/people/agents.ts';
import { scanTickets } from '../../desk/sla/sla.ts';
import { changeTicket } from '../../desk/tickets/change-ticket.ts';
import { addNote, replyAsAgent, replyAsCustomer } from '../../desk/tickets/replies.ts';
import { openTicket } from '../../desk/tickets/tickets.ts';
import type { Actor, AgentActor } from '../../domain/actor.ts';
import { dayMs, hourMs } from '../../domain/instant.ts';
import { abilitiesOf } from '../../domain/people/roles.ts';
import type { Tx } from '../../engine/database.ts';
import { renderMarkdown } from '../../mail/markdown.ts';
import { authorById } from '../../store/customers/authors.ts';
import { ticketById } from '../../store/tickets/tickets.ts';
import { diagnosticsOf } from './diagnostics.ts';
import { type Turn, withChoices } from './sample.ts';
import type { AddedSite } from './sites.ts';

interface SampleTicketAt {
  added: AddedSite;
  /** Counts the tickets of the site. */
  number: number;
  openedAt: number;
  now: number;
  assignee: AgentAccount;
  /** Whom notes can mention. */
  team: readonly AgentAccount[];
}

type At = (moment: number, actor: Actor) => Context;

/** Older tickets have been dealt with, except for a few that were forgotten. */
const settledAfterMs = 4 * dayMs;

export function actingAs({ id, name, role }: AgentAccount): AgentActor {
  return { kind: 'agent', agentId: id, name, role, abilities: abilitiesOf(role), scope: 'all', sessionId: 0 };
}

/** The ticket's id. */
export function addTicket(tx: Tx, at: At, given: SampleTicketAt): number {
  const { added, number, openedAt, now, assignee, team } = given;
  const { about, site } = added;
  const sample = about.tickets[number % about.tickets.length];
  if (sample === undefined) throw new Error(`${about.name} has no tickets.`);
  const time = Math.floor(number / about.tickets.length);
  const writers = about.customers.filter(([, , language]) => language === (sample.language ?? 'en'));
  const writer = writers[number % writers.length];
  if (writer === undefined) throw new Error(`No customer of ${about.name} writes “${sample.subject}”.`);
  const [name, email] = writer;
  const agent = actingAs(assignee);
  const { ticket } = openTicket(tx, at(openedAt, { kind: 'application', siteId: site.id }), site, {
    email,
    name,
    subject: withChoices(sample.subject, time),
    message: withChoices(sample.message, time),
    category_id: added.categoryIds.get(sample.category) ?? null,
    priority_id: added.priorityIds[sample.priority ?? 1] ?? null,
    tags: [...sample.tags],
    custom_fields: Object.fromEntries(
      Object.entries(sample.fields ?? {}).map(([key, value]) => [
        key,
        typeof value === 'string' ? withChoices(value, time) : value,
      ]),
    ),
    context: diagnosticsOf(about, sample, { openedAt, number, email }),
  });
  const turns = sample.turns.filter(([, hours]) => openedAt + hours * hourMs < now - hourMs / 4);
  const firstAt = openedAt + (turns[0]?.[1] ?? 1) * hourMs;
  const isForgotten = number % 23 === 7;
  const isSettled = !isForgotten && now - openedAt > settledAfterMs;
  if (firstAt < now && (turns.length > 0 || number % 3 === 0))
    changeTicket(tx, at(firstAt - hourMs / 3, agent), ticket.id, { assigned_to: assignee.id }, null);
  for (const turn of turns) takeTurn(tx, at, { turn, ticketId: ticket.id, openedAt, agent, time, team });
  const lastAt = openedAt + (turns.at(-1)?.[1] ?? 1) * hourMs;
  if (isSettled || (sample.endsAs === 'resolved' && turns.length === sample.turns.length && lastAt + hourMs < now))
    changeTicket(tx, at(lastAt + hourMs, agent), ticket.id, { status: 'resolved' }, null);
  else if (sample.endsAs === 'pending' && turns.length === sample.turns.length && lastAt < now)
    changeTicket(tx, at(lastAt + 60_000, agent), ticket.id, { status: 'pending' }, null);
  missDeadlines(tx, at, ticket.id, now);
  return ticket.id;
}

/** At their own time, so that the first scan has nothing to do. */
function missDeadlines(tx: Tx, at: At, id: number, now: number): void {
  for (;;) {
    const due = ticketById(tx, id)?.slaNextAt ?? null;
    if (due === null || due > now) return;
    scanTickets(tx, at(due, { kind: 'scan' }), [id]);
  }
}

interface Taking {
  turn: Turn;
  ticketId: number;
  openedAt: number;
  agent: Actor;
  time: number;
  team: readonly AgentAccount[];
}

const inMarkdown = (body: string) => ({ body, body_format: 'markdown', html: renderMarkdown(body) }) as const;

function takeTurn(tx: Tx, at: At, { turn, ticketId, openedAt, agent, time, team }: Taking): void {
  const [who, hours, text] = turn;
  const moment = openedAt + hours * hourMs;
  const body = withChoices(text, time);
  if (who === 'note') {
    const mentions = team.filter(({ name }) => body.includes(`@${name}`)).map(({ id }) => id);
    addNote(tx, at(moment, agent), ticketId, { ...inMarkdown(body), mentions });
  } else if (who === 'agent') replyAsAgent(tx, at(moment, agent), ticketId, inMarkdown(body));
  else {
    const ticket = ticketById(tx, ticketId);
    const author = ticket && authorById(tx, ticket.authorId);
    if (!ticket || !author) return;
    const actor: Actor = { kind: 'author', siteId: ticket.siteId, authorId: author.id, name: author.name };
    replyAsCustomer(tx, at(moment, actor), ticket, author, { body });
  }
}
