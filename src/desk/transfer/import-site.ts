// A site from another desk, row by row: numbers and ulids are kept where they are free, and nothing of it is told to anybody.

import { monotonicMs } from '../../base/clock.ts';
import { hashSecret, randomSecret } from '../../base/crypto.ts';
import { newUlid } from '../../base/ids.ts';
import { anonymisedEmail } from '../../domain/author.ts';
import { conflict, DeskError } from '../../domain/errors.ts';
import type { RowOf, TransferRow } from '../../domain/input/transfer.ts';
import type { SiteSlaPolicy } from '../../domain/site.ts';
import * as sla from '../../domain/sla.ts';
import { validatePolicy } from '../../domain/sla-policy.ts';
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
import { sqliteCode, type Tx } from '../../store/database.ts';
import { insertEvent } from '../../store/events.ts';
import { suppressAddress } from '../../store/inbound.ts';
import { copyTags, recountMessages } from '../../store/integrity.ts';
import { attachmentByUlid } from '../../store/messages.ts';
import { agentByEmail, authorById, reindexAuthor } from '../../store/people.ts';
import {
  admitAgent,
  beginImport,
  finishImport,
  type Import,
  importByName,
  importedRow,
  insertKeepingId,
  isInboundHashFree,
  isTokenHashFree,
  isUlidFree,
  isUlidOfSite,
  keepImportedRow,
  keepPolicyUnder,
  mailByUlid,
  setAuthorEmail,
  setImportSite,
  setMergedInto,
} from '../../store/site-rows.ts';
import { anyPriority, type Site, siteById, siteBySlug, siteByUlid, updateSite } from '../../store/sites.ts';
import { keepSlaPolicy, slaPolicyById } from '../../store/sla.ts';
import type { Ticket } from '../../store/tickets.ts';
import { authorise, requireWholeDesk } from '../access.ts';
import { newSigningSecret } from '../channels.ts';
import { clockColumns, termsOf } from '../clocks.ts';
import { type Erasure, erase, marksOf } from '../erasure.ts';
import type { Context } from '../record.ts';
import { reindexTicket } from '../search-index.ts';
import { toPolicy } from '../sites.ts';
import { withoutAddress } from './export-site.ts';
import { createErasedPeople, type ErasedPeople, originOf } from './import-erased.ts';
import { columnNames } from './line-names.ts';

/** An import that is under way. */
export interface SiteImport {
  readonly entry: Import;
  readonly siteId: number;
  /** Where to find it: the slug that it has here. */
  readonly slug: string;
  readonly site: RowOf<'site'>;
  readonly erased: ErasedPeople;
  /** Whether rows of it are here already. */
  readonly isResumed: boolean;
}

type BegunImport = { kind: 'done'; site: Site } | { kind: 'begun'; import: SiteImport };

/**
 * Makes the site, or takes up an import of the same export that was cut short.
 * @param exportUlid what names the export, however often it is read
 * @param as the slug that a copy is to have, null for the site's own
 * @param known everybody who was erased on this desk
 */
export function beginSiteImport(
  tx: Tx,
  ctx: Context,
  exportUlid: string,
  as: string | null,
  row: RowOf<'site'>,
  known: readonly Erasure[],
): BegunImport {
  authorise(ctx, 'manage');
  requireWholeDesk(ctx);
  const name = as === null ? exportUlid : `${exportUlid} as ${as}`;
  const earlier = importByName(tx, name);
  const there = earlier?.siteId == null ? undefined : siteById(tx, earlier.siteId);
  if (earlier && earlier.finishedAt !== null && there) return { kind: 'done', site: there };
  if (there === undefined) requireRoom(tx, row, as);
  requirePolicy(row.sla_policy as SiteSlaPolicy, row.created_at);
  const entry = beginImport(tx, name, ctx.now);
  const siteId = there?.id ?? insertSiteRow(tx, ctx, row, as);
  setImportSite(tx, entry.id, siteId);
  keepImportedRow(tx, entry, 'site', String(row.id), siteId);
  const slug = siteById(tx, siteId)?.slug ?? row.slug;
  const erased = createErasedPeople(ctx, row, known);
  return { kind: 'begun', import: { entry, siteId, slug, site: row, erased, isResumed: there !== undefined } };
}

function requireRoom(tx: Tx, row: RowOf<'site'>, as: string | null): void {
  const same = as === null ? siteByUlid(tx, row.ulid) : undefined;
  if (same)
    throw conflict(
      `This desk has this site already, as ${same.slug}. To import a copy of it, repeat with --as <slug>.`,
    );
  const slug = as ?? row.slug;
  if (siteBySlug(tx, slug))
    throw conflict(
      `This desk has another site with the slug ${slug}. Repeat with --as <slug> to give this one another.`,
    );
}

function insertSiteRow(tx: Tx, ctx: Context, row: RowOf<'site'>, as: string | null): number {
  const { secrets } = row;
  const tokenHash =
    secrets && isTokenHashFree(tx, secrets.token_hash) ? secrets.token_hash : hashSecret(randomSecret('hds'));
  const inboundSecret =
    secrets && isInboundHashFree(tx, hashSecret(secrets.inbound_secret)) ? secrets.inbound_secret : randomSecret('hdi');
  return insertKeepingId(tx, 'sites', row.id, {
    ulid: isUlidFree(tx, 'site', row.ulid) ? row.ulid : newUlid(ctx.now),
    originUlid: originOf(row),
    name: row.name,
    slug: as ?? row.slug,
    description: row.description,
    defaultPriorityId: null,
    tokenHash,
    previousTokenHash: null,
    previousTokenExpiresAt: null,
    inboundSecretHash: hashSecret(inboundSecret),
    inboundSecretSealed: ctx.seal.seal(inboundSecret),
    previousInboundSecretHash: null,
    previousInboundSecretExpiresAt: null,
    slaPolicy: row.sla_policy as SiteSlaPolicy,
    settings: row.settings,
    slaPolicyId: null,
    lastAssignedAgentId: null,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  });
}

function refused(message: string): DeskError {
  return new DeskError('invalid', message);
}

function requirePolicy(policy: SiteSlaPolicy, at: number): void {
  const [fault] = Object.entries(validatePolicy(toPolicy(policy), at));
  if (fault) throw refused(`its SLA policy does not hold together: ${fault[0]}: ${fault[1].join(' ')}`);
}

/**
 * Takes one row, or finds that it was here already, or that nothing of it is left since its person was erased. Throws a
 * sentence that the caller puts the line's number before. HTML has to be harmless by now: making it so takes longer than a
 * step may.
 */
export function importRow(tx: Tx, ctx: Context, going: SiteImport, told: TransferRow): 'stored' | 'met' | 'erased' {
  const { entry, siteId, erased } = going;
  const old = nameOf(told);
  const met = importedRow(tx, entry.id, told.type, old);
  const row = erased.without(tx, siteId, told);
  if (met !== null) {
    if (met.run === entry.run) throw refused(`${told.type} ${old} comes twice.`);
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
    throw refused(`${row.type} ${old} contradicts what came before it.`);
  }
}

/** Somebody whom an earlier run took in and who was erased before this one. */
function eraseWhoCame(tx: Tx, ctx: Context, { siteId, erased }: SiteImport, old: number, id: number): void {
  const site = erased.asTheyWere(old) === undefined ? undefined : siteById(tx, siteId);
  const author = site && authorById(tx, id);
  if (author && author.anonymisedAt === null) erase(tx, ctx, site, author);
}

/** Whether this run is still the one that the import is done by. */
export function requireOwnRun(tx: Tx, { entry }: SiteImport, name: string): void {
  if (importByName(tx, name)?.run !== entry.run)
    throw conflict('Somebody else has begun the same import meanwhile; this one gives way.');
}

export function nameOfImport(exportUlid: string, as: string | null): string {
  return as === null ? exportUlid : `${exportUlid} as ${as}`;
}

function nameOf(row: TransferRow): string {
  if (row.type === 'event') return String(row.seq);
  if (row.type === 'merge') return String(row.ticket_id);
  if (row.type === 'suppression') return row.address;
  return String(row.id);
}

interface Inserted {
  id: number;
  /** Where the row has one. */
  ulid?: string;
}

function insertRow(tx: Tx, ctx: Context, going: SiteImport, row: TransferRow): Inserted {
  const { entry, siteId } = going;
  const need = (kind: NumberedKind, id: number): number => {
    const found = importedRow(tx, entry.id, kind, String(id));
    if (found === null) throw refused(`${row.type} ${nameOf(row)} names ${kind} ${id}, which has not come.`);
    return found.newId;
  };
  const optional = (kind: NumberedKind, id: number | null) => (id === null ? null : need(kind, id));
  const to: References = {
    number: (kind, id) => importedRow(tx, entry.id, kind, String(id))?.newId ?? null,
    ulid(before) {
      const ulid = before === going.site.ulid ? (siteById(tx, siteId)?.ulid ?? before) : newUlidOf(tx, going, before);
      if (!isUlidOfSite(tx, siteId, ulid))
        throw refused(`${row.type} ${nameOf(row)} names ${before}, which is not the site's.`);
      return ulid;
    },
  };
  switch (row.type) {
    case 'site':
      throw refused('there is a second site in it.');
    case 'category':
      return { id: insertKeepingId(tx, 'categories', row.id, { ...columnNames(row), siteId }) };
    case 'priority':
      return { id: insertKeepingId(tx, 'priorities', row.id, { ...columnNames(row), siteId }) };
    case 'field':
      return { id: insertKeepingId(tx, 'customFields', row.id, { ...columnNames(row), siteId, type: row.kind }) };
    case 'agent':
      return { id: agentFor(tx, siteId, row) };
    case 'sla_policy': {
      const policy = row.policy as SiteSlaPolicy;
      requirePolicy(policy, going.site.created_at);
      return { id: keepPolicyUnder(tx, siteId, row.id, policy) };
    }
    case 'channel':
      return { id: channelFor(tx, ctx, siteId, row) };
    case 'rule': {
      const actions = row.actions.map((action) => rewriteAction(action, to));
      return { id: insertKeepingId(tx, 'inboundRules', row.id, { ...columnNames(row), siteId, actions }) };
    }
    case 'token':
      if (!isTokenHashFree(tx, row.token_hash)) throw refused(`token ${row.id} is in use on this desk already.`);
      return { id: insertKeepingId(tx, 'teamTokens', row.id, { ...columnNames(row), siteId }) };
    case 'author':
      return { id: authorFor(tx, ctx, going, row) };
    case 'ticket':
      return ticketFor(tx, ctx, going, row, need, optional);
    case 'message': {
      const ulid = isUlidFree(tx, 'message', row.ulid) ? row.ulid : newUlid(row.created_at);
      const id = insertKeepingId(tx, 'messages', row.id, {
        ...columnNames(row),
        ulid,
        ticketId: need('ticket', row.ticket_id),
        authorId: optional('author', row.author_id),
        agentId: optional('agent', row.agent_id),
      });
      return { id, ulid };
    }
    case 'attachment': {
      if (cleanFilename(row.filename) !== row.filename)
        throw refused(`attachment ${row.id} has a name that no file may have.`);
      requireAllowedName(row.filename);
      if (contentTypeOf(row.filename) !== row.content_type)
        throw refused(`attachment ${row.id} has another content type than its name says.`);
      const ulid = isUlidFree(tx, 'attachment', row.ulid) ? row.ulid : newUlid(row.created_at);
      const id = insertKeepingId(tx, 'attachments', row.id, {
        ...columnNames(row),
        ulid,
        siteId,
        ticketId: need('ticket', row.ticket_id),
        messageId: optional('message', row.message_id),
      });
      return { id, ulid };
    }
    case 'merge': {
      if (row.ticket_id === row.into_id) throw refused(`ticket ${row.ticket_id} is merged into itself.`);
      const id = need('ticket', row.ticket_id);
      setMergedInto(tx, id, need('ticket', row.into_id));
      return { id };
    }
    case 'event':
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
    case 'interval':
      return {
        id: insertKeepingId(tx, 'slaIntervals', row.id, {
          ...columnNames(row),
          ticketId: need('ticket', row.ticket_id),
          startedBySeq: optional('event', row.started_by_seq),
          endedBySeq: optional('event', row.ended_by_seq),
        }),
      };
    case 'delivery': {
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
        // An answer belongs to the site that wrote, not to a copy of it.
        mailMessageId: isFree ? row.mail_message_id : null,
        tries: row.attempts,
        nextAt: null,
        claimedUntil: 0,
        claimedBy: null,
      });
      return { id, ulid };
    }
    case 'mail': {
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
    }
    case 'suppression':
      suppressAddress(tx, siteId, row.address, row.reason, row.created_at);
      return { id: goneId };
  }
}

type Need = (kind: NumberedKind, id: number) => number;

/** Agents are the desk's: one whom it knows by the address stays as they are here. */
function agentFor(tx: Tx, siteId: number, row: RowOf<'agent'>): number {
  const known = agentByEmail(tx, row.email);
  if (known) {
    if (row.is_active) admitAgent(tx, known.id, siteId, false);
    return known.id;
  }
  const id = insertKeepingId(tx, 'agents', row.id, columnNames(row));
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
  // An erased author's address is made of their number, and must not be another's some day.
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

/**
 * A ticket with its clocks as they stand. A deadline that passed since the export is marked as passed, and nobody is
 * told: it is of the past.
 */
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

function newUlidOf(tx: Tx, { entry }: SiteImport, before: string): string {
  return importedRow(tx, entry.id, 'ulid', before)?.newUlid ?? before;
}

/** Where the bytes of a file of the site belong, and what they must be; throws when no row asks for them. */
export function fileToKeep(
  tx: Tx,
  going: SiteImport,
  file: Pick<RowOf<'file'>, 'of' | 'ulid' | 'size' | 'sha256'>,
): { ulid: string; filename: string | null; isErased: boolean } {
  const ulid = newUlidOf(tx, going, file.ulid);
  const attachment = file.of === 'attachment' ? attachmentByUlid(tx, ulid) : undefined;
  const mail = file.of === 'mail' ? mailByUlid(tx, ulid) : null;
  const row = attachment ?? mail;
  if (!row || row.siteId !== going.siteId) throw refused(`no row asks for the file ${file.ulid}.`);
  if (row.size !== file.size || (attachment && attachment.sha256 !== file.sha256))
    throw refused(`the file ${file.ulid} is another than its row says.`);
  return { ulid, filename: attachment?.filename ?? null, isErased: mail !== null && mail.erasedAt !== null };
}

// Indexing a long thread takes a while, and a desk that runs beside it wants to write.
const settleMs = 10;

/** Makes tickets of the site known to search, with their messages counted, for a little while; answers how many. */
export function settleTickets(tx: Tx, ids: readonly number[]): number {
  const startedAt = monotonicMs();
  let settled = 0;
  for (const id of ids) {
    recountMessages(tx, id);
    reindexTicket(tx, id);
    settled += 1;
    if (monotonicMs() - startedAt > settleMs) break;
  }
  return settled;
}

/** The last step: from here on the site works as any other. */
export function completeImport(tx: Tx, ctx: Context, { entry, siteId, site }: SiteImport): Site {
  const found = (kind: NumberedKind, id: number | null) => {
    const row = id === null ? null : importedRow(tx, entry.id, kind, String(id));
    if (id !== null && row === null) throw refused(`The site names ${kind} ${id}, which has not come.`);
    return row?.newId ?? null;
  };
  updateSite(tx, siteId, {
    defaultPriorityId: found('priority', site.default_priority_id),
    slaPolicyId: found('sla_policy', site.sla_policy_id) ?? keepSlaPolicy(tx, siteId, site.sla_policy as SiteSlaPolicy),
    lastAssignedAgentId: found('agent', site.last_assigned_agent_id),
  });
  finishImport(tx, entry.id, ctx.now);
  const done = siteById(tx, siteId);
  if (!done) throw new Error('a site vanished inside its own transaction');
  return done;
}
