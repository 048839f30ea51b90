// The audit log: a row in the transaction of each change of the desk itself, and of each sign-in.

import type { Actor } from '../domain/actor.ts';
import { can, toStoredActor } from '../domain/actor.ts';
import {
  type AuditAction,
  type AuditActorType,
  type AuditTargetType,
  auditActorTypes,
  changeOf,
} from '../domain/audit.ts';
import type { Instant } from '../domain/instant.ts';
import type { Tx } from '../engine/database.ts';
import { type AuditFilter, insertAuditRow } from '../store/audit.ts';
import type { Site } from '../store/sites/sites.ts';
import { authorise, listScope } from './access.ts';
import type { Context } from './context.ts';

interface Audited {
  action: AuditAction;
  /** The id is null for the desk, and for an agent who does not exist. */
  target: { type: AuditTargetType; id: number | null; name?: string | null };
  siteId?: number | null;
  /** The row before the change, whole or in part. Only what src/domain/audit.ts shows of its type is kept. */
  before?: object | null;
  after?: object | null;
  /** The actor, if it is only known during the step, as in a sign-in. */
  actor?: Actor;
}

/** Adds a row to the audit log. With two sides that show no difference it adds none. */
export function audit(tx: Tx, ctx: Context, { action, target, siteId, before, after, actor }: Audited): void {
  const change = changeOf(target.type, (before ?? null) as never, (after ?? null) as never);
  if (change === null) return;
  const { type, id, name } = toStoredActor(actor ?? ctx.actor);
  const actorType = auditActorTypes.find((one) => one === type) ?? ('unknown' satisfies AuditActorType);
  insertAuditRow(tx, {
    at: ctx.now,
    action,
    actorType,
    actorId: actorType === 'unknown' ? null : id,
    actorName: actorType === 'unknown' ? null : name,
    address: ctx.address,
    siteId: siteId ?? null,
    targetType: target.type,
    targetId: target.id,
    targetName: target.name ?? null,
    ...change,
  });
}

export const siteTarget = ({ id, name }: Site) => ({ type: 'site', id, name }) as const;

export function auditSite(tx: Tx, ctx: Context, before: Site, after: Partial<Site>): void {
  const target = siteTarget(before);
  const { slaPolicy, ...others } = after;
  audit(tx, ctx, { action: 'site.updated', target, siteId: before.id, before, after: others });
  if (slaPolicy)
    audit(tx, ctx, { action: 'sla_policy.updated', target, siteId: before.id, before, after: { slaPolicy } });
}

export interface AuditQuestion {
  site: string | null;
  actor: AuditFilter['actor'];
  target: AuditFilter['target'];
  actions: readonly AuditAction[];
  fields: readonly string[];
  from: Instant | null;
  to: Instant | null;
}

/** What of the log the caller can read: all of it, or the rows of the sites that they manage. */
export function auditFilter(tx: Tx, ctx: Context, { site, ...asked }: AuditQuestion): AuditFilter {
  authorise(ctx, 'manage');
  const isOfDesk = can(ctx.actor, 'own');
  // A reader of the whole log also sees the rows of removed sites.
  const sites = isOfDesk && site !== null && /^\d{1,15}$/.test(site) ? [Number(site)] : listScope(tx, ctx, site);
  return { ...asked, sites, isOfDesk };
}
