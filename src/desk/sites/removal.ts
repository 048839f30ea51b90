// Removing a site: its names and credentials at once, its rows later.

import { hashSecret, randomSecret } from '../../base/crypto.ts';
import { newUlid } from '../../base/ids.ts';
import { conflict } from '../../domain/errors.ts';
import type { Tx } from '../../engine/database.ts';
import { agentsOnlyOf } from '../../store/people/agents.ts';
import { deleteTokensOfSite } from '../../store/people/team-tokens.ts';
import { beginRemoval, removeSlice } from '../../store/sites/removals.ts';
import { updateSite } from '../../store/sites/sites.ts';
import { authorise, findSite, requireVersion } from '../access.ts';
import { audit, siteTarget } from '../audit.ts';
import type { Context } from '../context.ts';
import { retireAgent } from '../people/agents.ts';
import { discardTeamsOnlyOf } from '../people/teams.ts';
import { record } from '../record.ts';
import { siteEtag } from './sites.ts';

// Rows removed in one step. The rest of a large site goes in later steps.
const atOnce = 1000;

/** src/jobs/removals.ts removes the remaining rows later. Returns the ulids of files to remove after the commit. */
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
  discardTeamsOnlyOf(tx, ctx, site.id);
  for (const agent of agentsOnlyOf(tx, site.id)) retireAgent(tx, ctx, agent);
  const tokens = deleteTokensOfSite(tx, site.id);
  beginRemoval(tx, site.id, ctx.now);
  record(tx, ctx, { kind: 'site.deleted', siteId: site.id, ticketId: null, data: { site_ulid: site.ulid } });
  audit(tx, ctx, { action: 'site.deleted', target: siteTarget(site), siteId: site.id, before: { ...site, tokens } });
  return removeSlice(tx, site.id, atOnce).files;
}
