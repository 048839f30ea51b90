// One ticket of the demo data, from its opening to where it stands now.

import { changeTicket } from '../../desk/change-ticket.ts';
import type { Context } from '../../desk/context.ts';
import type { AgentAccount } from '../../desk/people/people.ts';
import { addNote, replyAsAgent, replyAsCustomer } from '../../desk/replies.ts';
import { scanTickets } from '../../desk/sla.ts';
import { openTicket } from '../../desk/tickets.ts';
import type { Actor, AgentActor } from '../../domain/actor.ts';
import { dayMs, hourMs } from '../../domain/instant.ts';
import { abilitiesOf } from '../../domain/roles.ts';
import { renderMarkdown } from '../../mail/markdown.ts';
import type { Tx } from '../../store/database.ts';
import { authorById } from '../../store/people.ts';
import { ticketById } from '../../store/tickets.ts';
import { diagnosticsOf } from './diagnostics.ts';
import type { Place } from './sites.ts';
import { type Turn, told } from './story.ts';

interface Telling {
  place: Place;
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
export function tellStory(tx: Tx, at: At, telling: Telling): number {
  const { place, number, openedAt, now, assignee, team } = telling;
  const { about, site } = place;
  const story = about.stories[number % about.stories.length];
  if (story === undefined) throw new Error(`${about.name} has no stories.`);
  const time = Math.floor(number / about.stories.length);
  const writers = about.customers.filter(([, , language]) => language === (story.language ?? 'en'));
  const writer = writers[number % writers.length];
  if (writer === undefined) throw new Error(`No customer of ${about.name} writes “${story.subject}”.`);
  const [name, email] = writer;
  const agent = actingAs(assignee);
  const { ticket } = openTicket(tx, at(openedAt, { kind: 'application', siteId: site.id }), site, {
    email,
    name,
    subject: told(story.subject, time),
    message: told(story.message, time),
    category_id: place.categoryIds.get(story.category) ?? null,
    priority_id: place.priorityIds[story.priority ?? 1] ?? null,
    tags: [...story.tags],
    custom_fields: Object.fromEntries(
      Object.entries(story.fields ?? {}).map(([key, value]) => [
        key,
        typeof value === 'string' ? told(value, time) : value,
      ]),
    ),
    context: diagnosticsOf(about, story, { openedAt, number, email }),
  });
  const turns = story.turns.filter(([, hours]) => openedAt + hours * hourMs < now - hourMs / 4);
  const firstAt = openedAt + (turns[0]?.[1] ?? 1) * hourMs;
  const isForgotten = number % 23 === 7;
  const isSettled = !isForgotten && now - openedAt > settledAfterMs;
  if (firstAt < now && (turns.length > 0 || number % 3 === 0))
    changeTicket(tx, at(firstAt - hourMs / 3, agent), ticket.id, { assigned_to: assignee.id }, null);
  for (const turn of turns) takeTurn(tx, at, { turn, ticketId: ticket.id, openedAt, agent, time, team });
  const lastAt = openedAt + (turns.at(-1)?.[1] ?? 1) * hourMs;
  if (isSettled || (story.endsAs === 'resolved' && turns.length === story.turns.length && lastAt + hourMs < now))
    changeTicket(tx, at(lastAt + hourMs, agent), ticket.id, { status: 'resolved' }, null);
  else if (story.endsAs === 'pending' && turns.length === story.turns.length && lastAt < now)
    changeTicket(tx, at(lastAt + 60_000, agent), ticket.id, { status: 'pending' }, null);
  missDeadlines(tx, at, ticket.id, now);
  return ticket.id;
}

/** At their own time, so that the first scan has nothing to tell. */
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
  const body = told(text, time);
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
