// Files that wait for the virus scanner, on tickets and for new tickets, by when they are tried.

import type { AttachmentScanMode } from '../../domain/sites/site.ts';
import type { Scan } from '../../domain/tickets/files.ts';
import { query, type Tx } from '../../engine/database.ts';

export interface ScannedFile extends Scan {
  ulid: string;
  filename: string;
  createdAt: number;
  /** When it is tried next. */
  at: number;
  /** Null while its ticket is not opened. */
  ticketId: number | null;
  siteId: number | null;
}

const columns =
  'ulid, filename, created_at AS createdAt, scan_status AS scanStatus, scan_found AS scanFound, scan_next_at AS at';
const everyFile = (where: string) => `
  SELECT ${columns}, ticket_id AS ticketId, site_id AS siteId FROM attachments ${where}
  UNION ALL SELECT ${columns}, NULL AS ticketId, NULL AS siteId FROM draft_files ${where}`;

/** Those that are due first. */
export function filesToScan(tx: Tx, now: number, limit: number): ScannedFile[] {
  const due = everyFile('WHERE scan_next_at <= ?1');
  return query<ScannedFile>(tx, `${due} ORDER BY at, ulid LIMIT ?2`).all(now, limit);
}

export function fileToScan(tx: Tx, ulid: string): ScannedFile | null {
  return query<ScannedFile>(tx, everyFile('WHERE ulid = ?1 AND scan_next_at IS NOT NULL')).get(ulid);
}

/** Those without a verdict that are not as their site wants them, which is `unchecked` for all when there is no scanner. */
export function filesToMark(tx: Tx, hasScanner: boolean, limit: number): ScannedFile[] {
  const deliver: AttachmentScanMode = 'deliver_with_mark';
  return query<ScannedFile>(
    tx,
    `SELECT * FROM (${everyFile('WHERE scan_next_at IS NOT NULL')})
     WHERE scanStatus <> iif(?1 = 0 OR siteId IN (SELECT id FROM sites WHERE settings ->> 'attachment_scan' = '${deliver}'),
       'unchecked', 'waiting') LIMIT ?2`,
  ).all(Number(hasScanner), limit);
}

export function setScan(tx: Tx, ulid: string, scan: Scan & { scanNextAt: number | null }): void {
  for (const table of ['attachments', 'draft_files'])
    query(tx, `UPDATE ${table} SET scan_status = ?, scan_found = ?, scan_next_at = ? WHERE ulid = ?`).run(
      scan.scanStatus,
      scan.scanFound,
      scan.scanNextAt,
      ulid,
    );
}

const mostCounted = 100_000;

/** How many there are, and since when the oldest waits. */
export function scanFigures(tx: Tx): { unchecked: number; oldestAt: number | null; infected: number } {
  const [waiting, infected] = [
    query<{ total: number; oldest: number | null }>(
      tx,
      `SELECT count(*) AS total, min(createdAt) AS oldest FROM (${everyFile('WHERE scan_next_at IS NOT NULL')} LIMIT ${mostCounted})`,
    ).get(),
    query<{ total: number }>(
      tx,
      `SELECT count(*) AS total FROM attachments INDEXED BY attachments_infected WHERE scan_status = 'infected'`,
    ).get(),
  ];
  return { unchecked: waiting?.total ?? 0, oldestAt: waiting?.oldest ?? null, infected: infected?.total ?? 0 };
}
