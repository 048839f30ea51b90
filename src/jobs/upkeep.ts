// Jobs that keep the tables small and in order, a few rows at a time.

import { type Instant, settled } from '../base/clock.ts';
import { gently } from '../base/give-way.ts';
import type { Desk } from '../desk/desk.ts';
import { customerLimits } from '../domain/customers/link.ts';
import { dayMs } from '../domain/instant.ts';
import type { Tx } from '../engine/database.ts';
import { type Blobs, orphanAgeMs } from '../files/blobs.ts';
import { sweepAuditLog } from '../store/audit.ts';
import { purgeCodes } from '../store/customers/codes.ts';
import { purgeLists } from '../store/customers/lists.ts';
import { purgeProofs } from '../store/customers/proofs.ts';
import { purgeVisits } from '../store/customers/visits.ts';
import { purgeSearchIndex, searchPurgesDue } from '../store/lists/search-purge.ts';
import { knownInboundMail } from '../store/mail/inbound.ts';
import { purgeChallenges } from '../store/people/challenges.ts';
import { purgeSessions } from '../store/people/sessions.ts';
import { purgeSignInFailures } from '../store/people/sign-in-failures.ts';
import { purgeSignInLinks } from '../store/people/sign-in-links.ts';
import { knownAttachments } from '../store/tickets/messages.ts';
import { copyLevels, hasLevelsToCopy } from '../store/tickets/tickets.ts';
import { hasImportUnderWay } from '../store/transfer/imports.ts';

/** What earlier processes staged, or stored and did not record. Imports store files before their rows, beside the desk. */
export async function sweepLeftFiles(
  desk: Desk,
  files: Record<'attachments' | 'mail', Blobs>,
  startedAt: Instant,
): Promise<number> {
  // After an uncertain write, a file without a row may still be needed.
  if (desk.trouble() !== null || desk.read((tx) => hasImportUnderWay(tx))) return 0;
  const then = startedAt + orphanAgeMs;
  const attached = await files.attachments.sweep(then, (ulids) => desk.read((tx) => knownAttachments(tx, ulids)));
  return attached + (await files.mail.sweep(then, (ulids) => desk.read((tx) => knownInboundMail(tx, ulids))));
}

export async function purgeErasedWords(desk: Desk, mostBlocks: number): Promise<void> {
  for (const name of desk.read((tx) => searchPurgesDue(tx, mostBlocks))) {
    while (await gently(() => desk.write((tx) => purgeSearchIndex(tx, name))));
  }
}

/** What remove sessions, links and challenges that have ended, and failures that count no more. */
export const signInPurges: readonly ((tx: Tx, now: Instant, limit: number) => number)[] = [
  purgeSessions,
  purgeSignInLinks,
  purgeChallenges,
  (tx, now, limit) => purgeSignInFailures(tx, now - dayMs, limit),
];

/** The same of customers' pages. */
export const customerPurges: typeof signInPurges = [
  purgeVisits,
  purgeLists,
  (tx, now, limit) => purgeProofs(tx, now - customerLimits.proofMs, limit),
  (tx, now, limit) => purgeCodes(tx, now - dayMs, limit),
];

/** Removes the rows of the audit log that are older than they are kept. */
export async function sweepAudit(desk: Desk, keepMs: number): Promise<void> {
  const before = settled(desk.now()) - keepMs;
  while ((await gently(() => desk.write((tx) => sweepAuditLog(tx, before, 1000)))) > 0);
}

export async function sortByLevels(desk: Desk): Promise<void> {
  while (desk.read((tx) => hasLevelsToCopy(tx))) {
    await gently(() => desk.write((tx) => copyLevels(tx)));
  }
}
