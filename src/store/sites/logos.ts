// The logos of sites, apart from the sites, which are read for every request.

import type { Logo } from '../../domain/sites/logo.ts';
import { query, type Tx } from '../../engine/database.ts';
import { statement } from '../../engine/statements.ts';

export function siteLogo(tx: Tx, siteId: number): Logo | null {
  const text = 'SELECT content_type AS contentType, bytes FROM site_logos WHERE site_id = ?';
  return query<Logo>(tx, text).get(siteId);
}

export function keepSiteLogo(tx: Tx, siteId: number, { contentType, bytes }: Logo): void {
  query(tx, 'INSERT OR REPLACE INTO site_logos (site_id, content_type, bytes) VALUES (?, ?, ?)').run(
    siteId,
    contentType,
    bytes,
  );
}

export const dropSiteLogo = statement('DELETE FROM site_logos WHERE site_id = ?').run<[siteId: number]>;
