// What the virus scanner said of a file, and what follows from it for those who would read it.

import { dayMs } from '../../domain/instant.ts';
import type { Scan } from '../../domain/tickets/files.ts';
import type { Tx } from '../../engine/database.ts';
import type { Verdict } from '../../files/clamav.ts';
import { siteById } from '../../store/sites/sites.ts';
import { filesToMark, fileToScan, type ScannedFile, setScan } from '../../store/tickets/file-scans.ts';
import { ticketById, updateTicket } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import { record } from '../record.ts';

const shortestPauseMs = 10_000;

/** As long as it has waited, so that the pauses grow. */
const pauseMs = (waitedMs: number) => Math.min(Math.max(waitedMs, shortestPauseMs), dayMs);

const filesOfStep = 100;

/** @param verdict null when the file could not be read */
export function noteVerdict(tx: Tx, ctx: Context, ulid: string, verdict: Verdict | null): null {
  const file = fileToScan(tx, ulid);
  if (file === null) return null;
  if (verdict === null || verdict.kind === 'unclear' || verdict.kind === 'down') {
    const scanNextAt = ctx.now + pauseMs(ctx.now - file.createdAt);
    mark(tx, ctx, file, { scanStatus: undecided(tx, file), scanFound: null, scanNextAt });
  } else {
    const scanFound = verdict.kind === 'infected' ? verdict.found : null;
    mark(tx, ctx, file, { scanStatus: verdict.kind, scanFound, scanNextAt: null });
  }
  return null;
}

/** While nothing can be scanned. Returns how many files it has marked; more may be left. */
export function markUndecided(tx: Tx, ctx: Context): number {
  const files = filesToMark(tx, ctx.scansFiles, filesOfStep);
  for (const file of files)
    mark(tx, ctx, file, {
      scanStatus: ctx.scansFiles ? undecided(tx, file) : 'unchecked',
      scanFound: null,
      scanNextAt: file.at,
    });
  return files.length;
}

function undecided(tx: Tx, { siteId }: ScannedFile): 'waiting' | 'unchecked' {
  const site = siteId === null ? undefined : siteById(tx, siteId);
  return site?.settings.attachment_scan === 'deliver_with_mark' ? 'unchecked' : 'waiting';
}

function mark(tx: Tx, ctx: Context, file: ScannedFile, scan: Scan & { scanNextAt: number | null }): void {
  setScan(tx, file.ulid, scan);
  const ticket = file.ticketId === null ? undefined : ticketById(tx, file.ticketId);
  if (ticket === undefined || scan.scanStatus === file.scanStatus) return;
  updateTicket(tx, ticket, {});
  record(tx, ctx, {
    kind: 'ticket.attachment_checked',
    siteId: ticket.siteId,
    ticketId: ticket.id,
    data: {
      ticket_ulid: ticket.ulid,
      attachment_ulid: file.ulid,
      scan: { status: scan.scanStatus, found: scan.scanFound },
    },
  });
}
