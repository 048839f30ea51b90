// Sites: creating one with a starter catalogue, changing and removing it, and rotating its secrets.

import { hashSecret, randomSecret } from '../base/crypto.ts';
import { newUlid } from '../base/ids.ts';
import { scopeOf } from '../domain/actor.ts';
import { compileCalendar, type SlaPolicy } from '../domain/calendar.ts';
import { conflict, DeskError, invalid } from '../domain/errors.ts';
import type { SiteChangeInput, SiteInput } from '../domain/input/sites.ts';
import { minuteMs } from '../domain/instant.ts';
import {
  defaultSettings,
  defaultSlaPolicy,
  type SiteSettings,
  type SiteSlaPolicy,
  starterCategory,
  starterPriorities,
} from '../domain/site.ts';
import { validatePolicy } from '../domain/sla-policy.ts';
import { slugify } from '../domain/text.ts';
import { retireAgentsOnlyOf } from '../store/agents.ts';
import type { Tx } from '../store/database.ts';
import { deleteTokensOfSite } from '../store/people.ts';
import { beginRemoval, removeSlice } from '../store/removals.ts';
import {
  categoryRows,
  insertSite,
  listSites,
  priorityRows,
  type Site,
  siteById,
  siteBySlug,
  updateSite,
} from '../store/sites.ts';
import { keepSlaPolicy } from '../store/sla.ts';
import { authorise, findSite, requireVersion, requireWholeDesk } from './access.ts';
import { audit, auditSite } from './audit.ts';
import type { Context } from './context.ts';
import { record } from './record.ts';

export function toPolicy(stored: SiteSlaPolicy): SlaPolicy {
  return {
    businessHours: stored.business_hours,
    holidays: stored.holidays,
    pauseWhilePending: stored.pause_while_pending,
    warnAtPercent: stored.warn_at_percent,
  };
}

function mergePolicy(current: SiteSlaPolicy, input: SiteInput['sla_policy'], now: number): SiteSlaPolicy {
  if (input == null) return current;
  const merged: SiteSlaPolicy = {
    business_hours: input.business_hours === undefined ? current.business_hours : input.business_hours,
    holidays: input.holidays ?? current.holidays,
    pause_while_pending: input.pause_while_pending ?? current.pause_while_pending,
    warn_at_percent: input.warn_at_percent ?? current.warn_at_percent,
  };
  const errors = validatePolicy(toPolicy(merged), now);
  if (Object.keys(errors).length > 0) {
    const prefixed = Object.fromEntries(
      Object.entries(errors).map(([path, messages]) => [path ? `sla_policy.${path}` : 'sla_policy', messages]),
    );
    throw new DeskError('invalid', 'The SLA policy is not valid.', { errors: prefixed });
  }
  // Every ticket compiles the policy, so a policy that does not compile must fail here.
  compileCalendar(merged.business_hours, merged.holidays);
  return merged;
}

function mergeSettings(current: SiteSettings, input: SiteInput['settings']): SiteSettings {
  const given = Object.entries(input ?? {}).filter(([, value]) => value !== undefined);
  return { ...current, ...Object.fromEntries(given) };
}

function freeSlug(tx: Tx, wished: string | null, name: string, ulid: string): string {
  if (wished !== null) {
    if (siteBySlug(tx, wished)) throw conflict(`The slug "${wished}" is taken.`, 'slug_taken');
    return wished;
  }
  const stem = slugify(name);
  const base = stem === '' || /^\d+$/.test(stem) ? `site-${ulid.slice(-6).toLowerCase()}` : stem;
  for (let attempt = 1; ; attempt += 1) {
    const slug = attempt === 1 ? base : `${base.slice(0, 58)}-${attempt}`;
    if (!siteBySlug(tx, slug)) return slug;
  }
}

const siteTarget = ({ id, name }: Site) => ({ type: 'site', id, name }) as const;

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
    settings: mergeSettings(defaultSettings, input.settings),
    slaPolicyId: null,
    lastAssignedAgentId: null,
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  });
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
  if (input.settings !== undefined) change.settings = mergeSettings(site.settings, input.settings);
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

// Rows removed at once. The rest of a large site goes in later steps.
const atOnce = 1000;

/**
 * The site disappears with the commit; src/jobs/removals.ts removes its remaining rows later.
 * @returns the ulids of files to remove after the commit
 */
export function removeSite(
  tx: Tx,
  ctx: Context,
  name: string,
  confirm: string | null,
  ifMatch: readonly string[] | null,
): string[] {
  authorise(ctx, 'manage');
  const site = findSite(tx, ctx, name);
  requireVersion(ifMatch, siteEtag(site));
  if (confirm !== site.slug) {
    throw conflict(
      `Removing a site removes its tickets and files. Repeat with ?confirm=${site.slug}.`,
      'confirmation_required',
    );
  }
  // Free its names and close its credentials at once.
  updateSite(tx, site.id, {
    ulid: newUlid(ctx.now),
    slug: `removed-${site.ulid.toLowerCase()}`,
    name: '',
    defaultPriorityId: null,
    slaPolicyId: null,
    tokenHash: hashSecret(randomSecret('hds')),
    previousTokenHash: null,
    inboundSecretHash: hashSecret(randomSecret('hdi')),
    previousInboundSecretHash: null,
  });
  retireAgentsOnlyOf(tx, site.id);
  deleteTokensOfSite(tx, site.id);
  beginRemoval(tx, site.id, ctx.now);
  record(tx, ctx, { kind: 'site.deleted', siteId: site.id, ticketId: null, data: { site_ulid: site.ulid } });
  audit(tx, ctx, { action: 'site.deleted', target: siteTarget(site), siteId: site.id, before: site });
  return removeSlice(tx, site.id, atOnce).files;
}

function graceEnd(ctx: Context, graceMinutes: number | null | undefined): number | null {
  return graceMinutes ? ctx.now + graceMinutes * minuteMs : null;
}

export function rotateSiteToken(
  tx: Tx,
  ctx: Context,
  name: string,
  graceMinutes: number | null,
): { site: Site; siteToken: string } {
  authorise(ctx, 'manage');
  const site = findSite(tx, ctx, name);
  const siteToken = randomSecret('hds');
  const until = graceEnd(ctx, graceMinutes);
  const change = {
    tokenHash: hashSecret(siteToken),
    previousTokenHash: until === null ? null : site.tokenHash,
    previousTokenExpiresAt: until,
    version: site.version + 1,
    updatedAt: ctx.now,
  };
  updateSite(tx, site.id, change);
  record(tx, ctx, {
    kind: 'site.updated',
    siteId: site.id,
    ticketId: null,
    data: { site_ulid: site.ulid, fields: ['token'] },
  });
  audit(tx, ctx, { action: 'site.token_rotated', target: siteTarget(site), siteId: site.id, after: { graceMinutes } });
  return { site: { ...site, ...change }, siteToken };
}

export function rotateInboundSecret(
  tx: Tx,
  ctx: Context,
  name: string,
  graceMinutes: number | null,
): { site: Site; inboundSecret: string } {
  authorise(ctx, 'manage');
  const site = findSite(tx, ctx, name);
  const inboundSecret = randomSecret('hdi');
  const until = graceEnd(ctx, graceMinutes);
  const change = {
    inboundSecretHash: hashSecret(inboundSecret),
    inboundSecretSealed: ctx.seal.seal(inboundSecret),
    previousInboundSecretHash: until === null ? null : site.inboundSecretHash,
    previousInboundSecretExpiresAt: until,
    version: site.version + 1,
    updatedAt: ctx.now,
  };
  updateSite(tx, site.id, change);
  record(tx, ctx, {
    kind: 'site.updated',
    siteId: site.id,
    ticketId: null,
    data: { site_ulid: site.ulid, fields: ['inbound_secret'] },
  });
  const target = siteTarget(site);
  audit(tx, ctx, { action: 'site.inbound_secret_rotated', target, siteId: site.id, after: { graceMinutes } });
  return { site: { ...site, ...change }, inboundSecret };
}
