// A desk with some hundred random tickets, and the plainest reading of a filter to compare lists with.

import { migrations } from '../../../migrations/index.ts';
import { createSeal } from '../../../src/base/crypto.ts';
import { newUlid } from '../../../src/base/ids.ts';
import { createSite } from '../../../src/desk/sites/sites.ts';
import type { SlaFilter } from '../../../src/domain/tickets/ticket.ts';
import { isUnread, type TicketSort, type TicketStatus, ticketStatuses } from '../../../src/domain/tickets/ticket.ts';
import { openStore, type Store, type Tx } from '../../../src/engine/database.ts';
import { migrate } from '../../../src/engine/migrate.ts';
import { type Author, insertAuthor } from '../../../src/store/customers/authors.ts';
import { writeWaiting } from '../../../src/store/lists/documents.ts';
import { dueSoonMs, type TicketFilter } from '../../../src/store/lists/filter.ts';
import { indexLater } from '../../../src/store/lists/search-waiting.ts';
import { insertAgent } from '../../../src/store/people/agents.ts';
import { insertTeam } from '../../../src/store/people/teams.ts';
import { categoryRows, priorityRows } from '../../../src/store/sites/catalogue.ts';
import { saveDraft } from '../../../src/store/tickets/drafts.ts';
import { insertMentions } from '../../../src/store/tickets/mentions.ts';
import { insertAttachment, insertMessage } from '../../../src/store/tickets/messages.ts';
import { insertParticipant } from '../../../src/store/tickets/participants.ts';
import { putReadMark } from '../../../src/store/tickets/read-marks.ts';
import { insertTicket, type Ticket } from '../../../src/store/tickets/tickets.ts';
import { temporaryFolder } from '../../support/folders.ts';

export const now = Date.UTC(2026, 8, 11, 9, 30);
const hour = 3_600_000;

/** The same sequence for the same seed (mulberry32). */
function sequence(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

export const words = [
  'invoice',
  'printer',
  'Café',
  'naïve',
  'login',
  'timeout',
  'refund',
  'Straße',
  'shipping',
  'クレーム',
];
export const knownTags = ['billing', 'eu', 'vip'];

export interface Kept {
  ticket: Ticket;
  author: Author;
  hasAttachment: boolean;
  /** Addresses of who takes part beside the author. */
  participants: readonly string[];
  drafterIds: readonly number[];
  /** Up to when each agent has read it; null if marked as unread. */
  readAt: ReadonlyMap<number, number | null>;
  mentioned: number[];
  text: string;
}

interface ManyTickets {
  store: Store;
  tx: Tx;
  kept: Kept[];
  siteIds: number[];
  categoryIds: number[];
  priorityIds: number[];
  agentIds: number[];
  teamIds: number[];
}

function makeSite(tx: Tx, slug: string): number {
  const seal = createSeal(Buffer.alloc(32));
  const ctx = {
    actor: { kind: 'command_line' },
    requestId: 'test',
    address: null,
    now,
    seal,
    mailDomain: 'localhost',
    mailFrom: 'helpdesk@localhost',
    hasMailServer: false,
    scansFiles: false,
  } as const;
  return createSite(tx, ctx, { name: slug, slug }).site.id;
}

/** An ordinary ticket row. */
export function plainTicket(
  at: number,
  row: Pick<Ticket, 'siteId' | 'authorId' | 'priorityId' | 'subject'> & Partial<Ticket>,
): Parameters<typeof insertTicket>[1] {
  return {
    ulid: newUlid(at),
    status: 'open',
    source: 'api',
    isTest: false,
    tags: [],
    customFields: {},
    metadata: {},
    priorityLevel: 2,
    firstResponsePausedMs: 0,
    resolutionPausedMs: 0,
    isSpam: false,
    messageCount: 1,
    lastCustomerMessageAt: at,
    version: 1,
    createdAt: at,
    updatedAt: at,
    ...row,
  };
}

export function manyTickets(total: number, seed = 7): ManyTickets {
  const store = openStore(`${temporaryFolder()}/helpdesk.db`, 'OFF');
  const tx = store.writing;
  migrate(tx, migrations, now);
  const pick = sequence(seed);
  const oneOf = <T>(list: readonly T[]): T => list[pick(list.length)] as T;
  tx.client.run('BEGIN');
  const siteIds = ['shop', 'school', 'bank', 'museum', 'harbour'].map((slug) => makeSite(tx, slug));
  const categoryIds: number[] = [];
  const priorityIds: number[] = [];
  const levels = new Map<number, number>();
  const authors: Author[] = [];
  for (const siteId of siteIds) {
    for (const slug of ['a', 'b']) {
      const shown = { siteId, name: slug, slug, color: '#000000', sortOrder: 1, isActive: true, version: 1 };
      categoryIds.push(categoryRows.insert(tx, { ...shown, description: '' }));
      const level = slug === 'a' ? 1 : 3;
      const id = priorityRows.insert(tx, { ...shown, level, firstResponseMinutes: 60, resolutionMinutes: 600 });
      priorityIds.push(id);
      levels.set(id, level);
    }
    for (let at = 0; at < 6; at += 1) {
      authors.push(
        insertAuthor(tx, {
          siteId,
          externalId: at % 2 === 0 ? `u-${at}` : null,
          email: `person${at}@shop${at % 3}.example.org`,
          name: at === 5 ? null : oneOf(['Mia Jansen', 'José Núñez', '山田太郎']),
          isVerified: at % 2 === 0,
          anonymisedAt: null,
          erasedExternalId: null,
          erasedEmail: null,
          createdAt: now,
        }),
      );
    }
  }
  const agentIds = ['ann', 'bob'].map((name) =>
    insertAgent(tx, { email: `${name}@desk.example.org`, name, role: 'member', isActive: true, createdAt: now }),
  );
  const teamIds = ['first', 'second'].map((name) => insertTeam(tx, { name, createdAt: now }));
  const maybe = <T>(value: () => T): T | null => (pick(2) === 0 ? value() : null);
  const around = () => now + (pick(200) - 100) * (hour / 4);
  const kept: Kept[] = [];
  for (let at = 0; at < total; at += 1) {
    const author = oneOf(authors);
    const own = siteIds.indexOf(author.siteId) * 2;
    const priorityId = priorityIds[own + pick(2)] ?? 0;
    // Few times for many tickets, so that the rest of the key decides the order.
    const createdAt = now - pick(60) * hour;
    const subject = `${oneOf(words)} ${oneOf(words)}`;
    const body = `${oneOf(words)} ${oneOf(words)} ${oneOf(words)}`;
    const status = oneOf(ticketStatuses);
    const ticket = insertTicket(
      tx,
      plainTicket(createdAt, {
        siteId: author.siteId,
        authorId: author.id,
        priorityId,
        priorityLevel: levels.get(priorityId) ?? 0,
        subject,
        status,
        snoozedUntil: status === 'pending' && pick(3) === 0 ? around() : null,
        isTest: pick(10) === 0,
        isSpam: pick(8) === 0,
        tags: knownTags.filter(() => pick(3) === 0),
        categoryId: maybe(() => categoryIds[own + pick(2)] ?? 0),
        assigneeId: maybe(() => oneOf(agentIds)),
        teamId: maybe(() => oneOf(teamIds)),
        firstResponseDueAt: maybe(around),
        firstResponseAt: maybe(around),
        firstResponseWarnedAt: maybe(around),
        firstResponseBreachedAt: pick(4) === 0 ? around() : null,
        resolutionDueAt: maybe(around),
        resolvedAt: pick(4) === 0 ? around() : null,
        resolutionBreachedAt: pick(5) === 0 ? around() : null,
        slaPausedAt: pick(4) === 0 ? around() : null,
        updatedAt: createdAt + pick(10) * hour,
        satisfaction: ([null, null, 'good', 'bad', 'good'] as const)[at % 5] ?? null,
        lastCustomerMessageAt: at % 9 === 0 ? null : createdAt,
        lastAgentMessageAt: [null, createdAt - hour, createdAt, createdAt + hour][at % 4] ?? null,
      }),
    );
    const message = insertMessage(tx, {
      ulid: newUlid(createdAt),
      ticketId: ticket.id,
      authorId: author.id,
      agentId: null,
      agentName: null,
      authorName: author.name,
      body,
      bodyFormat: 'text',
      isInternal: false,
      isAutomated: false,
      isAgent: false,
      source: 'api',
      senderVerified: null,
      delivery: null,
      html: null,
      wholeBody: null,
      createdAt,
    });
    indexLater(tx, 'ticket_search', ticket.id);
    const hasAttachment = pick(4) === 0;
    const isLoose = !hasAttachment && pick(4) === 0;
    if (hasAttachment || isLoose) {
      insertAttachment(tx, {
        ulid: newUlid(createdAt),
        siteId: author.siteId,
        ticketId: ticket.id,
        messageId: null,
        filename: 'log.txt',
        contentType: 'text/plain',
        size: 1,
        sha256: '',
        isAgent: isLoose,
        isInternal: isLoose,
        createdAt,
      });
    }
    const mentioned = kept.length % 3 === 0 ? agentIds.slice(kept.length % 2) : [];
    insertMentions(tx, message.id, ticket.id, mentioned);
    const others =
      kept.length % 4 === 0 ? authors.filter(({ siteId, id }) => siteId === author.siteId && id !== author.id) : [];
    for (const [place, { id: authorId }] of others.slice(0, 3).entries())
      insertParticipant(tx, {
        ticketId: ticket.id,
        authorId,
        addedBy: { type: 'desk', id: null, name: null },
        createdAt,
        removedAt: place === 2 ? createdAt : null,
      });
    const drafterIds = kept.length % 5 === 0 ? agentIds.slice(kept.length % 2) : [];
    for (const agentId of drafterIds)
      saveDraft(tx, {
        ticketId: ticket.id,
        agentId,
        body,
        bodyFormat: 'text',
        tab: 'reply',
        attachmentIds: [],
        fields: {},
        updatedAt: createdAt,
      });
    const readAt = new Map<number, number | null>();
    for (const agentId of agentIds) {
      const mark = [undefined, null, createdAt - 1, createdAt, undefined][(kept.length + agentId) % 5];
      if (mark === undefined) continue;
      readAt.set(agentId, mark);
      putReadMark(tx, agentId, ticket.id, mark);
    }
    kept.push({
      ticket,
      author,
      hasAttachment,
      participants: others.slice(0, 2).map(({ email }) => email),
      mentioned,
      drafterIds,
      readAt,
      text: `${subject} ${body} ${author.name ?? ''} ${author.email}`,
    });
  }
  while (writeWaiting(tx));
  tx.client.run('COMMIT');
  return { store, tx: store.reading, kept, siteIds, categoryIds, priorityIds, agentIds, teamIds };
}

export const noFilter: TicketFilter = {
  sites: 'all',
  exceptSiteIds: [],
  statuses: [],
  categoryIds: [],
  priorityIds: [],
  assigneeIds: [],
  isUnassigned: null,
  teamIds: [],
  mentionedIds: [],
  drafterId: null,
  unreadForId: null,
  externalId: null,
  email: null,
  participant: null,
  tags: [],
  search: null,
  createdFrom: null,
  createdTo: null,
  updatedFrom: null,
  updatedTo: null,
  sla: [],
  isSnoozed: null,
  hasAttachment: null,
  ratings: [],
  includeTest: false,
  isSpam: false,
  ids: null,
};

const folded = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();

function isSoon(due: number | null, done: number | null): boolean {
  return done === null && due !== null && due >= now && due <= now + dueSoonMs;
}

function meets(
  { ticket, author, hasAttachment, participants, mentioned, drafterIds, readAt, text }: Kept,
  filter: TicketFilter,
): boolean {
  const among = <T>(list: readonly T[], value: T | null) =>
    list.length === 0 || (value !== null && list.includes(value));
  return (
    (filter.sites === 'all' || filter.sites.includes(ticket.siteId)) &&
    !filter.exceptSiteIds.includes(ticket.siteId) &&
    (filter.includeTest || !ticket.isTest) &&
    filter.isSpam === ticket.isSpam &&
    among<TicketStatus>(filter.statuses, ticket.status) &&
    among(filter.categoryIds, ticket.categoryId) &&
    among(filter.priorityIds, ticket.priorityId) &&
    among(filter.assigneeIds, ticket.assigneeId) &&
    among(filter.teamIds, ticket.teamId) &&
    (filter.mentionedIds.length === 0 || filter.mentionedIds.some((id) => mentioned.includes(id))) &&
    (filter.drafterId === null || drafterIds.includes(filter.drafterId)) &&
    (filter.unreadForId === null || isUnread(ticket, readAt.get(filter.unreadForId))) &&
    (filter.isUnassigned === null || (ticket.assigneeId === null) === filter.isUnassigned) &&
    (filter.externalId === null || author.externalId === filter.externalId) &&
    (filter.email === null || author.email === filter.email || `@${author.email.split('@')[1]}` === filter.email) &&
    (filter.participant === null ||
      participants.some((email) => [email, `@${email.split('@')[1]}`].includes(filter.participant!))) &&
    filter.tags.every((tag) => ticket.tags.includes(tag)) &&
    (filter.isSnoozed === null || filter.isSnoozed === (ticket.snoozedUntil !== null)) &&
    (filter.hasAttachment === null || filter.hasAttachment === hasAttachment) &&
    among(filter.ratings, ticket.satisfaction) &&
    (filter.createdFrom === null || ticket.createdAt >= filter.createdFrom) &&
    (filter.createdTo === null || ticket.createdAt <= filter.createdTo) &&
    (filter.updatedFrom === null || ticket.updatedAt >= filter.updatedFrom) &&
    (filter.updatedTo === null || ticket.updatedAt <= filter.updatedTo) &&
    (filter.ids === null || filter.ids.includes(ticket.id)) &&
    (filter.search === null ||
      folded(filter.search)
        .split(' ')
        .every((word) => folded(text).includes(word))) &&
    filter.sla.every((sla) => meetsSla(ticket, sla))
  );
}

function meetsSla(ticket: Ticket, sla: SlaFilter): boolean {
  switch (sla) {
    case 'warned':
      return ticket.firstResponseWarnedAt !== null || ticket.resolutionWarnedAt !== null;
    case 'breached':
      return ticket.firstResponseBreachedAt !== null || ticket.resolutionBreachedAt !== null;
    case 'paused':
      return ticket.slaPausedAt !== null;
    case 'due_soon':
      return (
        ticket.slaPausedAt === null &&
        (ticket.status === 'open' || ticket.status === 'pending') &&
        (isSoon(ticket.firstResponseDueAt, ticket.firstResponseAt) || isSoon(ticket.resolutionDueAt, ticket.resolvedAt))
      );
  }
}

function keyOf(ticket: Ticket, sort: TicketSort, isSearch: boolean): number[] {
  const never = Number.MAX_SAFE_INTEGER;
  switch (sort) {
    case 'created_at':
      // Matches of words come in the order of their ids.
      return isSearch ? [ticket.id] : [ticket.createdAt, ticket.id];
    case 'updated_at':
      return [ticket.updatedAt, ticket.id];
    case 'priority':
      return [ticket.priorityLevel, ticket.createdAt, ticket.id];
    case 'first_response_due_at':
      return [ticket.firstResponseDueAt ?? never, ticket.id];
    case 'resolution_due_at':
      return [ticket.resolutionDueAt ?? never, ticket.id];
    case 'next_due_at': {
      const firstDue = ticket.firstResponseAt === null ? (ticket.firstResponseDueAt ?? never) : never;
      const soonest = ticket.resolvedAt === null ? Math.min(firstDue, ticket.resolutionDueAt ?? never) : never;
      // After those that run.
      return [soonest !== never && ticket.slaPausedAt !== null ? soonest + 2 ** 52 : soonest, ticket.id];
    }
  }
}

/** The ids that a list must show, found by checking every ticket. */
export function expectedIds(
  { kept }: ManyTickets,
  filter: TicketFilter,
  sort: TicketSort,
  direction: 'asc' | 'desc',
): number[] {
  const sign = direction === 'asc' ? 1 : -1;
  return kept
    .filter((one) => meets(one, filter))
    .map(({ ticket }) => ({ id: ticket.id, key: keyOf(ticket, sort, filter.search !== null) }))
    .sort((a, b) => {
      for (const [at, part] of a.key.entries()) {
        const other = b.key[at] ?? 0;
        if (part !== other) return sign * (part - other);
      }
      return 0;
    })
    .map(({ id }) => id);
}
