// Rows in the audit log for work that changes nothing else in the database: exports, backups and restores.

import type { Tx } from '../engine/database.ts';
import { authorise, findSite } from './access.ts';
import { audit } from './audit.ts';
import type { Context } from './context.ts';

export function noteExport(tx: Tx, ctx: Context, site: string, hasSecrets: boolean): void {
  authorise(ctx, 'manage');
  const { id, name } = findSite(tx, ctx, site);
  audit(tx, ctx, { action: 'site.exported', target: { type: 'site', id, name }, siteId: id, after: { hasSecrets } });
}

const desk = { type: 'desk', id: null } as const;

export function noteBackup(tx: Tx, ctx: Context, made: { path: string; bytes: number } | { kind: 'download' }): void {
  authorise(ctx, 'own');
  audit(tx, ctx, { action: 'desk.backed_up', target: desk, after: made });
}

/** @param restored `createdAt` is the moment that the desk went back to, in the wire's form; null when it is not known */
export function noteRestore(tx: Tx, ctx: Context, restored: { kind: string; createdAt: string | null }): void {
  authorise(ctx, 'own');
  audit(tx, ctx, { action: 'desk.restored', target: desk, after: restored });
}
