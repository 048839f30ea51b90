// A desk with a million tickets as after a year: mixed states, tags, categories, agents and dates.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../src/base/config.ts';
import { newUlid } from '../src/base/ids.ts';
import { openDataDirectory } from '../src/data/directory.ts';
import { issueToken } from '../src/desk/people/tokens.ts';
import { createSite } from '../src/desk/sites/sites.ts';
import type { TicketStatus } from '../src/domain/tickets/ticket.ts';
import { openStore, type Tx } from '../src/engine/database.ts';
import { insertAuthor } from '../src/store/customers/authors.ts';
import { insertEvent } from '../src/store/events.ts';
import { writeDocument } from '../src/store/lists/documents.ts';
import { insertAgent } from '../src/store/people/agents.ts';
import { insertTeam } from '../src/store/people/teams.ts';
import { categoryRows, type Priority, priorityRows } from '../src/store/sites/catalogue.ts';
import type { Site } from '../src/store/sites/sites.ts';
import { insertMessage } from '../src/store/tickets/messages.ts';
import { insertTicket, type Ticket } from '../src/store/tickets/tickets.ts';

export interface ScaleDesk {
  tickets: number;
  /** The site with nine tickets in ten. */
  site: string;
  siteId: number;
  siteToken: string;
  /** A site that can be removed without effect on the others. */
  otherSite: string;
  teamToken: string;
  categoryId: number;
  rareCategoryId: number;
  priorityId: number;
  agentId: number;
  idleAgentId: number;
  teamId: number;
  /** The author of a tenth of all tickets. */
  busyEmail: string;
  externalId: string;
  ulid: string;
  from: number;
  until: number;
}

const day = 86_400_000;
const hour = 3_600_000;

/** mulberry32, from 0 up to 1. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** @param dueTickets how many clocks will have run out at the next start */
export async function fillScale(path: string, tickets: number, dueTickets = 20_000): Promise<ScaleDesk> {
  const data = openDataDirectory(readConfig({ HELPDESK_DATA: path, HELPDESK_SYNCHRONOUS: 'OFF' }, {}));
  const commandLine = data.desk.context({ kind: 'command_line' }, 'bench');
  const quiet = { acknowledge: false };
  const made = await data.desk.write((tx) =>
    ['shop', 'school', 'bank'].map((slug) =>
      createSite(tx, commandLine, { name: slug, slug, settings: { ...quiet, auto_close_days: 60 } }),
    ),
  );
  const { secret } = await data.desk.write((tx) =>
    issueToken(tx, commandLine, { name: 'bench', abilities: ['read', 'write', 'manage'] }),
  );
  await data.close();
  const until = Date.now();
  const from = until - 365 * day;
  const store = openStore(join(path, 'helpdesk.db'), 'OFF');
  const tx = store.writing;
  tx.client.run('PRAGMA cache_size = -2000000');
  const random = sequence(11);
  tx.client.run('BEGIN');
  const agentIds = fillAgents(tx, from);
  const teamIds = ['First level', 'Second level'].map((name) => insertTeam(tx, { name, createdAt: from }));
  const sites = made.map(({ site }) => fillSite(tx, site, tickets / 5 / made.length, from));
  const filling = { tx, tickets, dueFrom: tickets - dueTickets, from, until, random, agentIds, teamIds, sites };
  let ulid = '';
  for (let at = 0; at < tickets; at += 1) {
    const ticket = fillTicket(filling, at);
    if (at === Math.floor(tickets / 2)) ulid = ticket.ulid;
    if (at % 20_000 === 19_999) {
      tx.client.run('COMMIT');
      tx.client.run('BEGIN');
    }
  }
  tx.client.run('COMMIT');
  tx.client.run('PRAGMA wal_checkpoint(TRUNCATE)');
  store.close();
  // These writes bypassed the desk, so no kept log has them.
  rmSync(join(path, 'wal'), { recursive: true, force: true });
  rmSync(join(path, 'backups'), { recursive: true, force: true });
  const [main, , small] = sites;
  const filled: ScaleDesk = {
    tickets,
    site: 'shop',
    siteId: main?.site.id ?? 0,
    siteToken: made[0]?.siteToken ?? '',
    otherSite: small?.site.slug ?? '',
    teamToken: secret,
    categoryId: main?.categories[3] ?? 0,
    rareCategoryId: main?.categories[11] ?? 0,
    priorityId: main?.priorities[2]?.id ?? 0,
    agentId: agentIds[5] ?? 0,
    idleAgentId: agentIds[39] ?? 0,
    teamId: teamIds[1] ?? 0,
    busyEmail: 'person0@shop0.example.org',
    externalId: 'u-100',
    ulid,
    from,
    until,
  };
  writeFileSync(`${path}.json`, JSON.stringify(filled));
  return filled;
}

/** What the tickets of a desk are drawn from. */
interface Filling {
  tx: Tx;
  tickets: number;
  dueFrom: number;
  from: number;
  until: number;
  random: () => number;
  agentIds: number[];
  teamIds: number[];
  sites: FilledSite[];
}

interface FilledSite {
  site: Site;
  categories: number[];
  authors: number[];
  priorities: readonly Priority[];
}

function fillAgents(tx: Tx, from: number): number[] {
  return Array.from({ length: 40 }, (_, at) =>
    insertAgent(tx, {
      email: `agent${at}@desk.example.org`,
      name: `Agent ${at}`,
      role: 'member',
      isActive: true,
      createdAt: from,
    }),
  );
}

function fillSite(tx: Tx, site: Site, people: number, from: number): FilledSite {
  const categories = Array.from({ length: 12 }, (_, at) =>
    categoryRows.insert(tx, {
      siteId: site.id,
      name: `Category ${at}`,
      slug: `category-${at}`,
      description: '',
      color: '#64748b',
      sortOrder: at + 2,
      isActive: true,
      version: 1,
    }),
  );
  const authors: number[] = [];
  for (let at = 0; at < people; at += 1) {
    const name = `Person ${at}`;
    authors.push(
      insertAuthor(tx, {
        siteId: site.id,
        externalId: at % 2 === 0 ? `u-${at}` : null,
        email: `person${at}@shop${at % 500}.example.org`,
        name,
        isVerified: at % 2 === 0,
        anonymisedAt: null,
        erasedExternalId: null,
        erasedEmail: null,
        createdAt: from,
      }).id,
    );
  }
  return { site, categories, authors, priorities: priorityRows.list(tx, site.id) };
}

function fillTicket(filling: Filling, at: number): Ticket {
  const { tx, tickets, dueFrom, from, until, random, agentIds, teamIds } = filling;
  const below = (end: number) => Math.floor(random() * end);
  const share = random();
  const own = filling.sites[share < 0.9 ? 0 : share < 0.97 ? 1 : 2];
  if (own === undefined) throw new Error('no such site');
  const createdAt = from + Math.floor(((until - from) * at) / tickets);
  const age = until - createdAt;
  // Most old tickets are closed, but some have any status.
  const fate = random();
  const isRecent = age < 14 * day;
  const status: TicketStatus =
    fate < (isRecent ? 0.5 : 0.03)
      ? 'open'
      : fate < (isRecent ? 0.7 : 0.05)
        ? 'pending'
        : fate < (age < 60 * day ? 0.95 : 0.06)
          ? 'resolved'
          : 'closed';
  const isRunning = status === 'open' || status === 'pending';
  const authorAt = random() < 0.1 ? 0 : Math.floor(random() ** 2 * own.authors.length);
  const authorId = own.authors[authorAt] ?? 0;
  const level = random();
  const priority = own.priorities[level < 0.1 ? 0 : level < 0.8 ? 1 : level < 0.97 ? 2 : 3];
  if (priority === undefined) throw new Error('no such priority');
  const categoryAt = Math.floor(random() ** 2 * 11);
  const updatedAt = createdAt + Math.floor(random() ** 4 * Math.min(90 * day, until - createdAt));
  const firstDueAt = createdAt + (priority.firstResponseMinutes ?? 0) * 60_000;
  const dueAt = createdAt + (priority.resolutionMinutes ?? 0) * 60_000;
  const isAnswered = !isRunning || random() < 0.6;
  const isDue = at >= dueFrom && status === 'open';
  const isBreached = !isDue && random() < 0.05;
  const isWarned = !isDue && (isBreached || random() < 0.08);
  const tags = [
    random() < 0.4 ? 'web' : null,
    random() < 0.2 ? 'billing' : null,
    random() < 0.02 ? 'eu' : null,
    random() < 0.002 ? 'vip' : null,
    // Only in the first weeks, so that a list sorted by newest finds them last.
    at < tickets / 20 && random() < 0.3 ? 'launch' : null,
    at % Math.ceil(tickets / 34) === 7 ? 'rare-tag' : null,
  ].filter((tag) => tag !== null);
  const ticket = insertTicket(tx, {
    ulid: newUlid(createdAt),
    siteId: own.site.id,
    authorId,
    satisfaction: isRunning || at % 3 > 0 ? null : at % 15 === 0 ? 'bad' : 'good',
    satisfactionAt: isRunning || at % 3 > 0 ? null : updatedAt,
    subject: `Cannot save my settings word${Math.floor(at / 20)}x`,
    status,
    source: 'web',
    isTest: random() < 0.01,
    tags,
    customFields: {},
    metadata: {},
    context: {
      source: 'web',
      app: { name: 'shop', version: '4.2.0', environment: 'production' },
      page: { url: `https://shop.example.org/settings/${at}`, user_agent: 'Mozilla/5.0 (X11; Linux x86_64)' },
    },
    categoryId:
      random() < 0.1 ? null : at % 5000 === 3 ? (own.categories[11] ?? null) : (own.categories[categoryAt] ?? null),
    priorityId: priority.id,
    priorityLevel: priority.level,
    teamId: at % 3 === 0 ? null : (teamIds[at % 30 === 1 ? 1 : 0] ?? null),
    assigneeId: random() < 0.3 ? null : at % 7000 === 5 ? (agentIds[39] ?? null) : (agentIds[below(39)] ?? null),
    firstResponseTargetMinutes: priority.firstResponseMinutes,
    resolutionTargetMinutes: priority.resolutionMinutes,
    firstResponseDueAt: firstDueAt,
    firstResponseAt: isAnswered && !isDue ? createdAt + below(8 * hour) : null,
    firstResponseWarnedAt: isWarned ? firstDueAt - hour : null,
    firstResponseBreachedAt: isBreached ? firstDueAt : null,
    resolutionDueAt: dueAt,
    resolvedAt: isRunning ? null : updatedAt,
    resolutionWarnedAt: isWarned && random() < 0.5 ? dueAt - hour : null,
    resolutionBreachedAt: isBreached && random() < 0.5 ? dueAt : null,
    slaPausedAt: status === 'pending' ? updatedAt : null,
    firstResponsePausedMs: 0,
    resolutionPausedMs: 0,
    slaNextAt: isDue ? Math.min(firstDueAt, until) : null,
    slaPolicyId: own.site.slaPolicyId,
    closedAt: status === 'closed' ? updatedAt : null,
    isSpam: random() < 0.005,
    messageCount: 1,
    lastCustomerMessageAt: createdAt,
    version: 1,
    createdAt,
    updatedAt,
  });
  addOpening(tx, ticket, authorId, at);
  return ticket;
}

function addOpening(tx: Tx, ticket: Ticket, authorId: number, at: number): void {
  const { createdAt } = ticket;
  const body = `The button does nothing since this morning, and the page shows error ${at}. I have tried another browser, cleared the cache and signed in again.`;
  insertMessage(tx, {
    ulid: newUlid(createdAt),
    ticketId: ticket.id,
    authorId,
    agentId: null,
    agentName: null,
    authorName: null,
    body,
    bodyFormat: 'text',
    isInternal: false,
    isAutomated: false,
    isAgent: false,
    source: 'web',
    senderVerified: null,
    delivery: null,
    html: null,
    wholeBody: null,
    createdAt,
  });
  insertEvent(tx, {
    kind: 'ticket.created',
    siteId: ticket.siteId,
    ticketId: ticket.id,
    actor: { type: 'application', id: null, name: null },
    data: {},
    createdAt,
  });
  writeDocument(tx, 'ticket_search', ticket.id);
}
