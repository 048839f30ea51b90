// The page of a site with a brand that is not saved yet, for a frame of the settings: without scripts, and for agents of the site.

import { type AgentActor, can, isInScope } from '../../../domain/actor.ts';
import { brandColorPattern } from '../../../domain/sites/brand-colors.ts';
import { portalModes } from '../../../domain/sites/site.ts';
import { cleanLine } from '../../../domain/text.ts';
import { siteBySlug } from '../../../store/sites/sites.ts';
import type { FormPage } from '../../../web/customer/page-content.ts';
import type { Edge } from '../../operation.ts';
import { presentPortal } from '../../wire/customers/portal.ts';
import { pageHeaders } from '../page.tsx';

/** It does nothing, also when someone opens the address itself. */
export const previewHeaders: Record<string, string> = {
  ...pageHeaders,
  'Content-Security-Policy': [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-same-origin',
  ].join('; '),
};

const longestName = 100;

/** Null for everyone else. A portal that is off is shown as it would be. */
export function shownPreview(
  { desk }: Edge,
  actor: AgentActor | null,
  slug: string,
  query: URLSearchParams,
): FormPage | null {
  if (actor === null || !can(actor, 'read')) return null;
  const name = cleanLine(query.get('name') ?? '').slice(0, longestName);
  const color = query.get('color') ?? '';
  const portal = portalModes.find((mode) => mode === query.get('portal')) ?? 'off';
  return desk.read((tx) => {
    const site = siteBySlug(tx, slug);
    if (site === undefined || !isInScope(actor, site.id)) return null;
    const brand = {
      ...site.settings.brand,
      name: name === '' ? null : name,
      color: brandColorPattern.test(color) ? color : null,
    };
    const settings = { ...site.settings, brand, portal: portal === 'off' ? ('form' as const) : portal };
    return { page: 'form', site: presentPortal(tx, { ...site, settings }), values: {} };
  });
}
