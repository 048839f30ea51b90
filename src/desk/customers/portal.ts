// A site's own front door: which sites have one (docs/spec/customer.md#front-door).

import type { PortalMode } from '../../domain/sites/site.ts';
import type { Tx } from '../../engine/database.ts';
import { type Site, siteBySlug } from '../../store/sites/sites.ts';

/** The site of that slug, if its portal is in one of these modes. Only the slug names it, not its id. */
export function portalSite(
  tx: Tx,
  slug: string,
  modes: readonly PortalMode[] = ['form', 'form_and_tickets'],
): Site | null {
  const site = siteBySlug(tx, slug);
  return site !== undefined && modes.includes(site.settings.portal) ? site : null;
}
