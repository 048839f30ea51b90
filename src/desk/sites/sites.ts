// Sites: creating one with a starter catalogue, reading and changing it.

import { hashSecret, randomSecret } from '../../base/crypto.ts';
import { newUlid } from '../../base/ids.ts';
import { scopeOf } from '../../domain/actor.ts';
import { conflict, invalid } from '../../domain/errors.ts';
import type { SiteChangeInput, SiteInput } from '../../domain/input/sites.ts';
import { defaultSettings, defaultSlaPolicy, starterCategory, starterPriorities } from '../../domain/sites/site.ts';
import { firstFreeSlug, slugify } from '../../domain/text.ts';
import type { Tx } from '../../engine/database.ts';
import { categoryRows, priorityRows } from '../../store/sites/catalogue.ts';
import { insertSite, listSites, type Site, siteById, siteBySlug, updateSite } from '../../store/sites/sites.ts';
import { keepSlaPolicy } from '../../store/sla/sla.ts';
import { authorise, findSite, requireVersion, requireWholeDesk } from '../access.ts';
import { audit, auditSite, siteTarget } from '../audit.ts';
import type { Context } from '../context.ts';
import { record } from '../record.ts';
import { requireFreeDefault } from './senders.ts';
import { keepLogo, mergePolicy, mergeSettings } from './settings.ts';
import { addDefaultSender } from './site-senders.ts';

function freeSlug(tx: Tx, wished: string | null, name: string, ulid: string): string {
  if (wished !== null) {
    if (siteBySlug(tx, wished)) throw conflict(`The slug "${wished}" is taken.`, 'slug_taken');
    return wished;
  }
  const stem = slugify(name);
  const base = stem === '' || /^\d+$/.test(stem) ? `site-${ulid.slice(-6).toLowerCase()}` : stem;
  return firstFreeSlug(base, (slug) => siteBySlug(tx, slug) !== undefined);
}

/** Adds the starter catalogue. The token is returned only here. */
export function createSite(
  tx: Tx,
  ctx: Context,
  input: SiteInput,
): { site: Site; siteToken: string; inboundSecret: string } {
  authorise(ctx, 'manage');
  requireWholeDesk(ctx);
  const ulid = newUlid(ctx.now);
  const siteToken = randomSecret('hds');
  const inboundSecret = randomSecret('hdi');
  const settings = mergeSettings(defaultSettings, input.settings);
  requireFreeDefault(tx, { id: 0, settings: defaultSettings }, settings.mail_from_address);
  const id = insertSite(tx, {
    ulid,
    originUlid: ulid,
    name: input.name,
    slug: freeSlug(tx, input.slug ?? null, input.name, ulid),
    description: input.description ?? '',
    defaultPriorityId: null,
    tokenHash: hashSecret(siteToken),
    previousTokenHash: null,
    previousTokenExpiresAt: null,
    inboundSecretHash: hashSecret(inboundSecret),
    inboundSecretSealed: ctx.seal.seal(inboundSecret),
    previousInboundSecretHash: null,
    previousInboundSecretExpiresAt: null,
    slaPolicy: mergePolicy(defaultSlaPolicy, input.sla_policy, ctx.now),
    settings,
    slaPolicyId: null,
    lastAssignedAgentId: null,
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  });
  keepLogo(tx, id, input.settings);
  addDefaultSender(tx, id);
  for (const [at, priority] of starterPriorities.entries()) {
    const priorityId = priorityRows.insert(tx, {
      ...priority,
      siteId: id,
      sortOrder: at + 1,
      isActive: true,
      version: 1,
    });
    if (priority.slug === 'normal') updateSite(tx, id, { defaultPriorityId: priorityId });
  }
  categoryRows.insert(tx, {
    ...starterCategory,
    siteId: id,
    description: '',
    sortOrder: 1,
    isActive: true,
    version: 1,
  });
  updateSite(tx, id, { slaPolicyId: keepSlaPolicy(tx, id, mergePolicy(defaultSlaPolicy, input.sla_policy, ctx.now)) });
  record(tx, ctx, { kind: 'site.created', siteId: id, ticketId: null, data: { site_ulid: ulid } });
  const site = siteById(tx, id);
  if (!site) throw new Error('a site vanished inside its own transaction');
  audit(tx, ctx, { action: 'site.created', target: siteTarget(site), siteId: id, after: site });
  return { site, siteToken, inboundSecret };
}

export function readSite(tx: Tx, ctx: Context, name: string): Site {
  authorise(ctx, 'read');
  return findSite(tx, ctx, name);
}

export function listVisibleSites(tx: Tx, ctx: Context, limit: number, offset: number): { rows: Site[]; total: number } {
  authorise(ctx, 'read');
  return listSites(tx, scopeOf(ctx.actor), limit, offset);
}

export function siteEtag(site: Site): string {
  return `"s${site.id}-${site.version}"`;
}

/** `sla_policy` and `settings` merge at the first level (docs/spec/api.md#sites). */
export function changeSite(
  tx: Tx,
  ctx: Context,
  name: string,
  input: SiteChangeInput,
  ifMatch: readonly string[] | null,
): Site {
  authorise(ctx, 'manage');
  const site = findSite(tx, ctx, name);
  requireVersion(ifMatch, siteEtag(site));
  const change: Partial<Site> = {};
  if (input.name !== undefined) change.name = input.name;
  if (input.description !== undefined) change.description = input.description;
  if (input.slug !== undefined && input.slug !== site.slug)
    change.slug = freeSlug(tx, input.slug, site.name, site.ulid);
  if (input.default_priority_id !== undefined) {
    const priority = priorityRows.get(tx, site.id, input.default_priority_id);
    if (!priority) throw invalid('default_priority_id', 'does not name a priority of this site.');
    if (!priority.isActive) throw invalid('default_priority_id', 'names an inactive priority.');
    change.defaultPriorityId = priority.id;
  }
  if (input.sla_policy !== undefined) {
    change.slaPolicy = mergePolicy(site.slaPolicy, input.sla_policy, ctx.now);
    change.slaPolicyId = keepSlaPolicy(tx, site.id, change.slaPolicy);
  }
  if (input.settings !== undefined) {
    change.settings = mergeSettings(site.settings, input.settings);
    requireFreeDefault(tx, site, change.settings.mail_from_address);
    keepLogo(tx, site.id, input.settings);
  }
  if (Object.keys(change).length === 0) return site;
  updateSite(tx, site.id, { ...change, version: site.version + 1, updatedAt: ctx.now });
  record(tx, ctx, {
    kind: 'site.updated',
    siteId: site.id,
    ticketId: null,
    data: { site_ulid: site.ulid, fields: Object.keys(input) },
  });
  auditSite(tx, ctx, site, change);
  return { ...site, ...change, version: site.version + 1, updatedAt: ctx.now };
}
