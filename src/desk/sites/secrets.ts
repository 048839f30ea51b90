// Rotating a site's token and inbound secret; the previous one can stay valid for a while.

import { hashSecret, randomSecret } from '../../base/crypto.ts';
import { minuteMs } from '../../domain/instant.ts';
import type { Tx } from '../../engine/database.ts';
import { type Site, updateSite } from '../../store/sites/sites.ts';
import { authorise, findSite } from '../access.ts';
import { audit, siteTarget } from '../audit.ts';
import type { Context } from '../context.ts';
import { record } from '../record.ts';

export function rotateSiteToken(
  tx: Tx,
  ctx: Context,
  name: string,
  graceMinutes: number | null,
): { site: Site; siteToken: string } {
  const siteToken = randomSecret('hds');
  const site = rotate(tx, ctx, name, graceMinutes, 'token', (site, until) => ({
    tokenHash: hashSecret(siteToken),
    previousTokenHash: until === null ? null : site.tokenHash,
    previousTokenExpiresAt: until,
  }));
  return { site, siteToken };
}

/** For someone who asks to see it; the audit log says who did. */
export function revealInboundSecret(tx: Tx, ctx: Context, name: string): { site: Site; inboundSecret: string } {
  authorise(ctx, 'manage');
  const site = findSite(tx, ctx, name);
  audit(tx, ctx, { action: 'site.inbound_url_revealed', target: siteTarget(site), siteId: site.id });
  return { site, inboundSecret: ctx.seal.open(site.inboundSecretSealed) };
}

export function rotateInboundSecret(
  tx: Tx,
  ctx: Context,
  name: string,
  graceMinutes: number | null,
): { site: Site; inboundSecret: string } {
  const inboundSecret = randomSecret('hdi');
  const site = rotate(tx, ctx, name, graceMinutes, 'inbound_secret', (site, until) => ({
    inboundSecretHash: hashSecret(inboundSecret),
    inboundSecretSealed: ctx.seal.seal(inboundSecret),
    previousInboundSecretHash: until === null ? null : site.inboundSecretHash,
    previousInboundSecretExpiresAt: until,
  }));
  return { site, inboundSecret };
}

function rotate(
  tx: Tx,
  ctx: Context,
  name: string,
  graceMinutes: number | null,
  field: 'token' | 'inbound_secret',
  renew: (site: Site, until: number | null) => Partial<Site>,
): Site {
  authorise(ctx, 'manage');
  const site = findSite(tx, ctx, name);
  const until = graceMinutes ? ctx.now + graceMinutes * minuteMs : null;
  const change = { ...renew(site, until), version: site.version + 1, updatedAt: ctx.now };
  updateSite(tx, site.id, change);
  record(tx, ctx, {
    kind: 'site.updated',
    siteId: site.id,
    ticketId: null,
    data: { site_ulid: site.ulid, fields: [field] },
  });
  audit(tx, ctx, {
    action: `site.${field}_rotated`,
    target: siteTarget(site),
    siteId: site.id,
    after: { graceMinutes },
  });
  return { ...site, ...change };
}
