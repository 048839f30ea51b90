// Imports one row of a site, under its own id and ulid where they are free.

import { newUlid } from '../../base/ids.ts';
import { anonymisedEmail } from '../../domain/author.ts';
import type { RowOf, TransferRow } from '../../domain/input/transfer.ts';
import type { SiteSlaPolicy } from '../../domain/site.ts';
import * as sla from '../../domain/sla.ts';
import {
  goneId,
  type NumberedKind,
  type References,
  rewriteAction,
  rewriteActor,
  rewriteEventData,
  rewriteTrace,
} from '../../domain/transfer.ts';
import { cleanFilename, contentTypeOf, requireAllowedName } from '../../files/sniff.ts';
import { agentByEmail, freshAgent } from '../../store/agents.ts';
import { sqliteCode, type Tx } from '../../store/database.ts';
import { insertEvent } from '../../store/events.ts';
import { suppressAddress } from '../../store/inbound.ts';
import { copyTags } from '../../store/integrity.ts';
import { authorById, reindexAuthor } from '../../store/people.ts';
import {
  admitAgent,
  importedRow,
  insertKeepingId,
  isTokenHashFree,
  isUlidFree,
  isUlidOfSite,
  keepImportedRow,
  keepPolicyUnder,
  setAuthorEmail,
  setMergedInto,
} from '../../store/site-rows.ts';
import { anyPriority, siteById } from '../../store/sites.ts';
import { slaPolicyById } from '../../store/sla.ts';
import type { Ticket } from '../../store/tickets.ts';
import { newSigningSecret } from '../channels.ts';
import { clockColumns, termsOf } from '../clocks.ts';
import type { Context } from '../context.ts';
import { erase, marksOf } from '../erasure.ts';
import { withoutAddress } from './export-site.ts';
import { originOf } from './import-erased.ts';
import { newUlidOf, refused, requirePolicy, type SiteImport } from './import-state.ts';
import { columnNames } from './line-names.ts';

/** Throws a message to which the caller adds the line number. HTML must be sanitised already: that takes too long for a step. */
export function importRow(tx: Tx, ctx: Context, going: SiteImport, told: TransferRow): 'stored' | 'met' | 'erased' {
  const { entry, siteId, erased } = going;
  const old = nameOf(told);
  const met = importedRow(tx, entry.id, told.type, old);
  const row = erased.without(tx, siteId, told);
  if (met !== null) {
    if (met.run === entry.run) throw refused(`${told.type} ${old} occurs twice.`);
    keepImportedRow(tx, entry, told.type, old, met.newId);
    if (told.type === 'author') eraseWhoCame(tx, ctx, going, told.id, met.newId);
    return 'met';
  }
  if (row === null) return 'erased';
  try {
    const { id, ulid } = insertRow(tx, ctx, going, row);
    keepImportedRow(tx, entry, row.type, old, id);
    const before = 'ulid' in row ? row.ulid : null;
    if (ulid !== undefined && before !== null && ulid !== before) keepImportedRow(tx, entry, 'ulid', before, id, ulid);
    return 'stored';
  } catch (error) {
    if (!sqliteCode(error)?.startsWith('SQLITE_CONSTRAINT')) throw error;
    throw refused(`${row.type} ${old} contradicts an earlier line.`);
  }
}

/** For an author who was imported by an earlier run and erased since. */
function eraseWhoCame(tx: Tx, ctx: Context, { siteId, erased }: SiteImport, old: number, id: number): void {
  const site = erased.asTheyWere(old) === undefined ? undefined : siteById(tx, siteId);
  const author = site && authorById(tx, id);
  if (author && author.anonymisedAt === null) erase(tx, ctx, site, author);
}

function nameOf(row: TransferRow): string {
  if (row.type === 'event') return String(row.seq);
  if (row.type === 'merge') return String(row.ticket_id);
  if (row.type === 'suppression') return row.address;
  return String(row.id);
}

interface Inserted {
  id: number;
  ulid?: string;
}

interface Step {
  tx: Tx;
  ctx: Context;
  going: SiteImport;
  siteId: number;
  need: Need;
  optional: (kind: NumberedKind, id: number | null) => number | null;
  to: References;
}

function insertRow(tx: Tx, ctx: Context, going: SiteImport, row: TransferRow): Inserted {
  const { entry, siteId } = going;
  const need = (kind: NumberedKind, id: number): number => {
    const found = importedRow(tx, entry.id, kind, String(id));
    if (found === null) throw refused(`${row.type} ${nameOf(row)} names ${kind} ${id}, which has not been imported.`);
    return found.newId;
  };
  const optional = (kind: NumberedKind, id: number | null) => (id === null ? null : need(kind, id));
  const to: References = {
    number: (kind, id) => importedRow(tx, entry.id, kind, String(id))?.newId ?? null,
    ulid(before) {
      const ulid = before === going.site.ulid ? (siteById(tx, siteId)?.ulid ?? before) : newUlidOf(tx, going, before);
      if (!isUlidOfSite(tx, siteId, ulid))
        throw refused(`${row.type} ${nameOf(row)} names ${before}, which does not belong to the site.`);
      return ulid;
    },
  };
  const insert = inserters[row.type] as (row: TransferRow, step: Step) => Inserted;
  return insert(row, { tx, ctx, going, siteId, need, optional, to });
}

type Need = (kind: NumberedKind, id: number) => number;

type Inserters = { [Type in TransferRow['type']]: (row: RowOf<Type>, step: Step) => Inserted };

const inserters: Inserters = {
  site() {
    throw refused('the export contains a second site.');
  },
  category(row, { tx, siteId }) {
    return { id: insertKeepingId(tx, 'categories', row.id, { ...columnNames(row), siteId }) };
  },
  priority(row, { tx, siteId }) {
    return { id: insertKeepingId(tx, 'priorities', row.id, { ...columnNames(row), siteId }) };
  },
  field(row, { tx, siteId }) {
    return { id: insertKeepingId(tx, 'customFields', row.id, { ...columnNames(row), siteId, type: row.kind }) };
  },
  agent(row, { tx, siteId }) {
    return { id: agentFor(tx, siteId, row) };
  },
  sla_policy(row, { tx, going, siteId }) {
    const policy = row.policy as SiteSlaPolicy;
    requirePolicy(policy, going.site.created_at);
    return { id: keepPolicyUnder(tx, siteId, row.id, policy) };
  },
  channel(row, { tx, ctx, siteId }) {
    return { id: channelFor(tx, ctx, siteId, row) };
  },
  rule(row, { tx, siteId, to }) {
    const actions = row.actions.map((action) => rewriteAction(action, to));
    return { id: insertKeepingId(tx, 'inboundRules', row.id, { ...columnNames(row), siteId, actions }) };
  },
  token(row, { tx, siteId }) {
    if (!isTokenHashFree(tx, row.token_hash)) throw refused(`token ${row.id} is already in use on this desk.`);
    return { id: insertKeepingId(tx, 'teamTokens', row.id, { ...columnNames(row), siteId }) };
  },
  author(row, { tx, ctx, going }) {
    return { id: authorFor(tx, ctx, going, row) };
  },
  ticket(row, { tx, ctx, going, need, optional }) {
    return ticketFor(tx, ctx, going, row, need, optional);
  },
  message(row, { tx, need, optional }) {
    const ulid = isUlidFree(tx, 'message', row.ulid) ? row.ulid : newUlid(row.created_at);
    const id = insertKeepingId(tx, 'messages', row.id, {
      ...columnNames(row),
      ulid,
      ticketId: need('ticket', row.ticket_id),
      authorId: optional('author', row.author_id),
      agentId: optional('agent', row.agent_id),
    });
    return { id, ulid };
  },
  attachment(row, { tx, siteId, need, optional }) {
    if (cleanFilename(row.filename) !== row.filename)
      throw refused(`attachment ${row.id} has a file name that is not allowed.`);
    requireAllowedName(row.filename);
    if (contentTypeOf(row.filename) !== row.content_type)
      throw refused(`attachment ${row.id} has a content type that does not match its name.`);
    const ulid = isUlidFree(tx, 'attachment', row.ulid) ? row.ulid : newUlid(row.created_at);
    const id = insertKeepingId(tx, 'attachments', row.id, {
      ...columnNames(row),
      ulid,
      siteId,
      ticketId: need('ticket', row.ticket_id),
      messageId: optional('message', row.message_id),
    });
    return { id, ulid };
  },
  merge(row, { tx, need }) {
    if (row.ticket_id === row.into_id) throw refused(`ticket ${row.ticket_id} is merged into itself.`);
    const id = need('ticket', row.ticket_id);
    setMergedInto(tx, id, need('ticket', row.into_id));
    return { id };
  },
  event(row, { tx, siteId, optional, to }) {
    return {
      id: insertEvent(tx, {
        kind: row.kind,
        siteId,
        ticketId: optional('ticket', row.ticket_id),
        actor: rewriteActor(row.actor, to),
        data: rewriteEventData(row.data as never, to),
        createdAt: row.created_at,
      }),
    };
  },
  interval(row, { tx, need, optional }) {
    return {
      id: insertKeepingId(tx, 'slaIntervals', row.id, {
        ...columnNames(row),
        ticketId: need('ticket', row.ticket_id),
        startedBySeq: optional('event', row.started_by_seq),
        endedBySeq: optional('event', row.ended_by_seq),
      }),
    };
  },
  delivery(row, { tx, siteId, need, optional }) {
    const isFree = isUlidFree(tx, 'delivery', row.ulid);
    const ulid = isFree ? row.ulid : newUlid(row.created_at);
    const messageId = optional('message', row.message_id);
    const id = insertKeepingId(tx, 'deliveries', row.id, {
      ...columnNames(row),
      ulid,
      siteId,
      channelId: null,
      ticketId: need('ticket', row.ticket_id),
      eventSeq: optional('event', row.event_seq),
      payload: { recipient_name: row.recipient_name, ...(messageId === null ? {} : { message_id: messageId }) },
      recipient: recipientOf(tx, row, need),
      // Replies belong to the original site, not to a copy.
      mailMessageId: isFree ? row.mail_message_id : null,
      tries: row.attempts,
      nextAt: null,
      claimedUntil: 0,
      claimedBy: null,
    });
    return { id, ulid };
  },
  mail(row, { tx, siteId, need, optional, to }) {
    const ulid = isUlidFree(tx, 'mail', row.ulid) ? row.ulid : newUlid(row.received_at);
    const id = insertKeepingId(tx, 'inboundMail', row.id, {
      ...columnNames(row),
      ulid,
      siteId,
      status: 'done',
      ticketId: optional('ticket', row.ticket_id),
      matchedRules: row.matched_rules.map(({ id, name }) => ({ id: need('rule', id), name })),
      trace: rewriteTrace(row.trace, to),
      retryAt: null,
    });
    return { id, ulid };
  },
  suppression(row, { tx, siteId }) {
    suppressAddress(tx, siteId, row.address, row.reason, row.created_at);
    return { id: goneId };
  },
};

/** Agents are shared by the desk: a known address keeps the agent as it is. */
function agentFor(tx: Tx, siteId: number, row: RowOf<'agent'>): number {
  const known = agentByEmail(tx, row.email);
  if (known) {
    if (row.is_active) admitAgent(tx, known.id, siteId, false);
    return known.id;
  }
  const id = insertKeepingId(tx, 'agents', row.id, { ...freshAgent, mutedNotices: [], ...columnNames(row) });
  admitAgent(tx, id, siteId, true);
  return id;
}

function channelFor(tx: Tx, ctx: Context, siteId: number, row: RowOf<'channel'>): number {
  const isReachable = row.webhook_url !== null && row.signing_secret !== null;
  return insertKeepingId(tx, 'channels', row.id, {
    ...columnNames(row),
    siteId,
    type: row.kind,
    webhookUrl: isReachable ? (row.webhook_url ?? '') : 'https://address-not-exported.invalid/',
    isActive: isReachable && row.is_active,
    disabledAt: isReachable ? row.disabled_at : null,
    disabledReason: isReachable ? row.disabled_reason : withoutAddress,
    signingSecretSealed: ctx.seal.seal(row.signing_secret ?? newSigningSecret()),
    previousSigningSecretSealed: null,
    previousSigningSecretExpiresAt: null,
  });
}

function authorFor(tx: Tx, ctx: Context, { siteId, site, erased }: SiteImport, row: RowOf<'author'>): number {
  const before = erased.asTheyWere(row.id);
  if (before) ctx.noteErasure?.([]);
  const marks = before && marksOf(ctx, originOf(site), { externalId: before.external_id, email: before.email });
  const columns = {
    ...columnNames(row),
    siteId,
    erasedExternalId: marks?.erasedExternalId ?? null,
    erasedEmail: marks?.erasedEmail ?? null,
  };
  // The address of an erased author contains their id, and must not belong to someone else later.
  const id = insertKeepingId(tx, 'authors', row.id, columns);
  const email = row.anonymised_at === null ? row.email : anonymisedEmail(id);
  if (email !== row.email) setAuthorEmail(tx, id, email);
  reindexAuthor(tx, { ...columns, id, email });
  return id;
}

function recipientOf(tx: Tx, row: RowOf<'delivery'>, need: Need): string {
  const number = /^anonymised\+(\d{1,15})@/.exec(row.recipient)?.[1];
  if (number === undefined || row.recipient !== anonymisedEmail(Number(number))) return row.recipient;
  return authorById(tx, need('author', Number(number)))?.email ?? row.recipient;
}

/** Deadlines that passed since the export are marked as breached, without notifications. */
function ticketFor(
  tx: Tx,
  ctx: Context,
  going: SiteImport,
  row: RowOf<'ticket'>,
  need: Need,
  optional: (kind: NumberedKind, id: number | null) => number | null,
): Inserted {
  const priorityId = need('priority', row.priority_id);
  const slaPolicyId = optional('sla_policy', row.sla_policy_id);
  const ulid = isUlidFree(tx, 'ticket', row.ulid) ? row.ulid : newUlid(row.created_at);
  const ticket: Omit<Ticket, 'id'> = {
    ...columnNames(row),
    ulid,
    siteId: going.siteId,
    authorId: need('author', row.author_id),
    customFields: row.custom_fields as Ticket['customFields'],
    categoryId: optional('category', row.category_id),
    priorityId,
    priorityLevel: anyPriority(tx, priorityId)?.level ?? 0,
    assigneeId: optional('agent', row.assignee_id),
    slaNextAt: null,
    slaPolicyId,
    mergedIntoId: null,
    messageCount: 0,
  };
  if (!row.is_test) {
    const policy = slaPolicyId === null ? undefined : slaPolicyById(tx, slaPolicyId);
    const terms = termsOf(policy ?? (going.site.sla_policy as SiteSlaPolicy));
    Object.assign(ticket, clockColumns(sla.scan(terms, ticket, ctx.now).state));
  }
  const id = insertKeepingId(tx, 'tickets', row.id, ticket);
  copyTags(tx, id);
  return { id, ulid };
}
