// Imports a site row by row. Ids and ulids stay where they are free, and no one is notified.

import { newUlidOf, refused, requirePolicy, type SiteImport } from './import-state.ts';

// Imports a site row by row. Ids and ulids stay where they are free, and no one is notified.

import { monotonicMs } from '../../base/clock.ts';
import { hashSecret, randomSecret } from '../../base/crypto.ts';
import { newUlid } from '../../base/ids.ts';
import { conflict } from '../../domain/errors.ts';
import type { RowOf } from '../../domain/input/transfer.ts';
import { normaliseEmail } from '../../domain/mail/address.ts';
import { defaultSettings, type SiteSlaPolicy } from '../../domain/sites/site.ts';
import type { NumberedKind } from '../../domain/transfer/transfer.ts';
import type { Tx } from '../../engine/database.ts';
import { authorById, authorsByEmail, erasedAuthorByEmail } from '../../store/customers/authors.ts';
import { writeDocument } from '../../store/lists/documents.ts';
import { recountMessages } from '../../store/repairs.ts';
import { type Site, siteById, siteBySlug, siteByUlid, updateSite } from '../../store/sites/sites.ts';
import { keepSlaPolicy } from '../../store/sla/sla.ts';
import { type Attachment, attachmentByUlid } from '../../store/tickets/messages.ts';
import {
  insertKeepingId,
  isInboundHashFree,
  isTokenHashFree,
  isUlidFree,
  mailByUlid,
} from '../../store/transfer/imported-rows.ts';
import {
  beginImport,
  finishImport,
  importByName,
  importedRow,
  keepImportedRow,
  setImportSite,
} from '../../store/transfer/imports.ts';
import { authorise, requireWholeDesk } from '../access.ts';
import { audit } from '../audit.ts';
import type { Context } from '../context.ts';
import { beginErasure, type Erasure, erase, fingerprintsOf, insertStranger } from '../customers/erasure.ts';
import { keepLogo, mergeSettings } from '../sites/settings.ts';
import { addDefaultSender } from '../sites/site-senders.ts';
import { createErasedPeople, originOf } from './import-erased.ts';

type BegunImport = { kind: 'done'; site: Site } | { kind: 'begun'; import: SiteImport };

/** Continues an interrupted import of the same export. `as` is the slug of a copy, null for the site's own. */
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
    throw conflict(`This desk already has this site, as ${same.slug}. To import a copy, repeat with --as <slug>.`);
  const slug = as ?? row.slug;
  if (siteBySlug(tx, slug))
    throw conflict(`Another site on this desk has the slug ${slug}. Repeat with --as <slug> to use a different one.`);
}

function insertSiteRow(tx: Tx, ctx: Context, row: RowOf<'site'>, as: string | null): number {
  const { secrets } = row;
  const tokenHash =
    secrets && isTokenHashFree(tx, secrets.token_hash) ? secrets.token_hash : hashSecret(randomSecret('hds'));
  const inboundSecret =
    secrets && isInboundHashFree(tx, hashSecret(secrets.inbound_secret)) ? secrets.inbound_secret : randomSecret('hdi');
  const id = insertKeepingId(tx, 'sites', row.id, {
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
    settings: mergeSettings(defaultSettings, row.settings),
    slaPolicyId: null,
    lastAssignedAgentId: null,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  });
  keepLogo(tx, id, row.settings);
  addDefaultSender(tx, id);
  return id;
}

export function requireOwnRun(tx: Tx, { entry }: SiteImport, name: string): void {
  if (importByName(tx, name)?.run !== entry.run)
    throw conflict('Another process has started the same import, so this one stops.');
}

export function nameOfImport(exportUlid: string, as: string | null): string {
  return as === null ? exportUlid : `${exportUlid} as ${as}`;
}

export function fileToKeep(
  tx: Tx,
  going: SiteImport,
  file: Pick<RowOf<'file'>, 'of' | 'ulid' | 'size' | 'sha256'>,
): { ulid: string; attachment: Attachment | null; isErased: boolean } {
  const ulid = newUlidOf(tx, going, file.ulid);
  const attachment = file.of === 'attachment' ? attachmentByUlid(tx, ulid) : undefined;
  const mail = file.of === 'mail' ? mailByUlid(tx, ulid) : null;
  const row = attachment ?? mail;
  // The desk's own copy of an erased person's mail goes with them.
  const isGone = file.of === 'attachment' && !attachment && going.erased.all().length > 0;
  if (isGone) return { ulid, attachment: null, isErased: true };
  if (!row || row.siteId !== going.siteId) throw refused(`no row expects the file ${file.ulid}.`);
  if (row.size !== file.size || (attachment && attachment.sha256 !== file.sha256))
    throw refused(`the file ${file.ulid} does not match its row.`);
  return { ulid, attachment: attachment ?? null, isErased: mail !== null && mail.erasedAt !== null };
}

/** Begins the erasures of those whose tickets and mail have come, as `continueErasure` then does them for everyone. Returns how many people they are. */
export function eraseImported(tx: Tx, ctx: Context, { entry, siteId, erased }: SiteImport): number {
  const site = siteById(tx, siteId);
  if (!site) throw new Error('a site vanished from its import');
  let count = 0;
  for (const was of erased.all()) {
    const id = importedRow(tx, entry.id, 'author', String(was.id))?.newId;
    const author = id === undefined ? undefined : authorById(tx, id);
    // What came with a line that was refused is not there.
    if (!author) continue;
    count += 1;
    // An earlier run imported them whole, and they were erased since.
    if (author.anonymisedAt === null) erase(tx, ctx, site, author, 0);
    else beginErasure(tx, ctx, siteId, { ...author, externalId: was.external_id, email: was.email, name: was.name });
  }
  const emails = new Set(erased.all().map(({ email }) => normaliseEmail(email)));
  for (const email of erased.strangers()) {
    if (emails.has(email) || authorsByEmail(tx, siteId, email).length > 0) continue;
    const known = erasedAuthorByEmail(tx, siteId, fingerprintsOf(ctx, 'email', site, email));
    if (known) beginErasure(tx, ctx, siteId, { ...known, externalId: null, email, name: null });
    else erase(tx, ctx, site, insertStranger(tx, ctx, siteId, email), 0);
    count += 1;
  }
  return count;
}

// Indexing a large ticket takes a while, and a running desk wants to write.
const settleMs = 10;

/** Counts messages and updates the search index for a few milliseconds. Returns how many tickets are done. */
export function settleTickets(tx: Tx, ids: readonly number[]): number {
  const startedAt = monotonicMs();
  let settled = 0;
  for (const id of ids) {
    recountMessages(tx, id);
    writeDocument(tx, 'ticket_search', id);
    settled += 1;
    if (monotonicMs() - startedAt > settleMs) break;
  }
  return settled;
}

export function completeImport(tx: Tx, ctx: Context, { entry, siteId, site }: SiteImport): Site {
  const found = (kind: NumberedKind, id: number | null) => {
    const row = id === null ? null : importedRow(tx, entry.id, kind, String(id));
    if (id !== null && row === null) throw refused(`The site names ${kind} ${id}, which has not been imported.`);
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
  const { id, name } = done;
  // Imports are made at the command line only; their steps are the desk's own.
  const actor = { kind: 'command_line' } as const;
  audit(tx, ctx, { action: 'site.imported', target: { type: 'site', id, name }, siteId: id, after: done, actor });
  return done;
}
