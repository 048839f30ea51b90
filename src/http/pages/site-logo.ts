// The logo of a site, for its customers' pages and mail.

import type { Desk } from '../../desk/desk.ts';
import { DeskError } from '../../domain/errors.ts';
import { siteLogo } from '../../store/sites/logos.ts';
import { siteBySlug } from '../../store/sites/sites.ts';
import { errorReply, isKnown, toResponse } from '../wire/respond.ts';

interface Asked {
  slug: string;
  version: string | undefined;
  ifNoneMatch: string | undefined;
  requestId: string;
}

/** A path with another version than the current one is answered with the current logo, but not kept. */
export function answerSiteLogo(desk: Desk, { slug, version, ifNoneMatch, requestId }: Asked): Response {
  const found = desk.read((tx) => {
    const site = siteBySlug(tx, slug);
    const current = site?.settings.brand.logo ?? null;
    if (site === undefined || current === null) return null;
    const { portal, customer_links } = site.settings;
    const isShown = portal !== 'off' || customer_links !== 'off';
    const logo = isShown ? siteLogo(tx, site.id) : null;
    return logo && { ...logo, current };
  });
  if (found === null) return toResponse(errorReply(new DeskError('not_found', 'This file does not exist.'), requestId));
  const etag = `"${found.current}"`;
  const headers: Record<string, string> = {
    'Content-Type': found.contentType,
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': version === found.current ? 'public, max-age=31536000, immutable' : 'no-cache',
    ETag: etag,
  };
  if (isKnown(ifNoneMatch, etag)) return new Response(null, { status: 304, headers });
  headers['Content-Length'] = String(found.bytes.length);
  return new Response(new Uint8Array(found.bytes), { headers });
}
