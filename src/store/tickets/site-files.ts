// The space that the files of each site take, which triggers keep.

import { query, type Tx } from '../../engine/database.ts';

export function bytesOfSite(tx: Tx, siteId: number): number {
  return query<{ bytes: number }>(tx, 'SELECT bytes FROM site_files WHERE site_id = ?').get(siteId)?.bytes ?? 0;
}
