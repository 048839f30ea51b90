// The database from the inside, read a stretch at a time so that a running desk is not held up, and mended step by step.

import { toWire } from '../../base/clock.ts';
import { hashSecret, type Seal } from '../../base/crypto.ts';
import { reindexTicket } from '../../desk/search-index.ts';
import { excessOfRules } from '../../domain/rules/cost.ts';
import { clockJumps } from '../../store/clock-jumps.ts';
import type { Tx } from '../../store/database.ts';
import { listFaults } from '../../store/tickets-set-aside.ts';
import { mailWithSlowRules } from '../../store/inbound.ts';
import {
  backwardEvents,
  brokenReferencesOf,
  copyPriorityLevel,
  copyTags,
  countedSites,
  damageOf,
  documentWithout,
  emptyIndex,
  eventsAfterMoment,
  hasWrongCounts,
  type Indexed,
  indexedKinds,
  recountMessages,
  recountSite,
  removeDocument,
  type Slice,
  sealedSecrets,
  tableNames,
  withDamagedJson,
  withoutDocument,
  withWrongMessageCount,
  withWrongPriorityLevel,
  withWrongTags,
} from '../../store/integrity.ts';
import { authorById, reindexAuthor } from '../../store/people.ts';
import { removals } from '../../store/removals.ts';
import { rulesInOrder } from '../../store/sites.ts';

import type { FindingCode, Findings } from './findings.ts';

/** Writes one small step; null when nothing is to be mended. */
export type Mend = ((step: (tx: Tx) => null) => Promise<unknown>) | null;

const rowsAtATime = 2000;

/** Tables, their indexes and the structure of the full-text indexes; answers which of those are damaged. */
export function checkIntegrity({ note }: Findings, tx: Tx): { isDamaged: boolean; indexes: Indexed[] } {
  const indexes: Indexed[] = [];
  let isDamaged = false;
  for (const table of tableNames(tx)) {
    const damage = damageOf(tx, table);
    const kind = indexedKinds.find((one) => table === `${one}_search`);
    if (kind !== undefined) {
      if (damage.length > 0) indexes.push(kind);
      continue;
    }
    isDamaged ||= damage.length > 0;
    for (const line of damage) note('database_damaged', line);
    for (const line of brokenReferencesOf(tx, table)) note('reference_broken', line);
  }
  return { isDamaged, indexes };
}

type Look = (tx: Tx, after: number, limit: number) => Slice<{ id: number }>;

async function through(look: Look, tx: Tx, each: (id: number) => Promise<unknown> | undefined): Promise<void> {
  for (let after: number | null = 0; after !== null; ) {
    const slice: Slice<{ id: number }> = look(tx, after, rowsAtATime);
    // All at once, so that they share commits.
    await Promise.all(slice.found.map(({ id }) => each(id)));
    after = slice.nextAfter;
  }
}

const rewrite: Record<Indexed, (tx: Tx, id: number) => null> = {
  ticket(tx, id) {
    reindexTicket(tx, id);
    return null;
  },
  author(tx, id) {
    const author = authorById(tx, id);
    if (author) reindexAuthor(tx, author);
    return null;
  },
};

/** That each ticket and author has its document and no document is left over; a damaged index is written anew. */
export async function checkIndex({ note }: Findings, tx: Tx, damaged: readonly Indexed[], mend: Mend): Promise<void> {
  for (const kind of indexedKinds) {
    if (damaged.includes(kind)) {
      await mend?.((writing) => emptyIndex(writing, kind));
      if (mend) await through(withoutDocument[kind], tx, (id) => mend((writing) => rewrite[kind](writing, id)));
      note('index_damaged', `${kind}s`, { isMended: mend !== null });
      continue;
    }
    const isMended = mend !== null;
    await through(withoutDocument[kind], tx, (id) => {
      note('document_missing', `${kind} ${id}`, { isMended });
      return mend?.((writing) => rewrite[kind](writing, id));
    });
    await through(documentWithout[kind], tx, (id) => {
      note('document_orphaned', `${kind} ${id}`, { isMended });
      return mend?.((writing) => removeDocument(writing, kind, id));
    });
  }
}

const copies: readonly [FindingCode, Look, (tx: Tx, id: number) => null][] = [
  ['message_count_differs', withWrongMessageCount, recountMessages],
  ['priority_level_differs', withWrongPriorityLevel, copyPriorityLevel],
  ['tags_differ', withWrongTags, copyTags],
];

/** Totals, and what tickets carry as a copy. */
export async function checkCounters({ note }: Findings, tx: Tx, mend: Mend): Promise<void> {
  const isMended = mend !== null;
  for (const siteId of countedSites(tx)) {
    if (!hasWrongCounts(tx, siteId)) continue;
    await mend?.((writing) => recountSite(writing, siteId));
    note('totals_differ', `site ${siteId}`, { isMended });
  }
  for (const [code, look, put] of copies) {
    await through(look, tx, (id) => {
      note(code, `ticket ${id}`, { isMended });
      return mend?.((writing) => put(writing, id));
    });
  }
}

// The first of them are told by name.
const faultsTold = 1000;

/** Rows whose JSON is none: whoever reads them fails. */
export async function checkReadable({ note }: Findings, tx: Tx): Promise<void> {
  for (const { table, look } of withDamagedJson)
    await through(look, tx, (id) => void note('row_unreadable', `${table} ${id}`));
}

/** Tickets that a recurring job has set aside, and sites whose removal is under way. */
export function checkFaults({ note }: Findings, tx: Tx): void {
  for (const { job, ticketId, error } of listFaults(tx, faultsTold))
    note('ticket_set_aside', `ticket ${ticketId}: ${error} in the job ${job}`);
  for (const { siteId, tickets, left } of removals(tx))
    note('site_being_removed', `site ${siteId}: ${left} of ${tickets} tickets are left`);
}

const weekMs = 7 * 24 * 60 * 60 * 1000;

/** Mail that had rules skipped, and sites whose rules are beyond the limits, as an older version let them be saved. */
export function checkRules({ note, all }: Findings, tx: Tx, now: number): void {
  // Whoever reads a row that cannot be read fails.
  if (all().some(({ code }) => code === 'row_unreadable')) return;
  for (const { id, siteId } of mailWithSlowRules(tx, now - weekMs))
    note('rules_too_slow', `site ${siteId}, mail ${id}`);
  for (const siteId of countedSites(tx)) {
    const excess = excessOfRules(rulesInOrder(tx, siteId));
    if (excess !== null) note('rules_over_limit', `site ${siteId}: ${excess}`);
  }
}

// Two machines' clocks may differ by so much without anybody noticing.
const toleratedMs = 5 * 60 * 1000;

export async function checkClock({ note }: Findings, tx: Tx, now: number): Promise<void> {
  for (const { before, after, isSuspension } of clockJumps(tx, 0)) {
    const reason = isSuspension ? 'the machine was asleep' : 'it was set';
    note('clock_jumped', `from ${toWire(before)} to ${toWire(after)}: ${reason}`);
  }
  const ahead: Look = (inner, after, limit) => eventsAfterMoment(inner, now + toleratedMs, after, limit);
  await through(ahead, tx, (seq) => void note('event_ahead', `event ${seq}`));
  await through(backwardEvents, tx, (seq) => void note('event_backwards', `event ${seq}`));
}

/** Whether the key opens everything that was sealed. */
export function checkSecrets({ note }: Findings, tx: Tx, seal: Seal): void {
  for (const { owner, sealed, hash } of sealedSecrets(tx)) {
    let opened: string | null = null;
    try {
      opened = seal.open(sealed);
    } catch {
      // Another key, or a changed text: the cipher tells neither from the other.
    }
    if (opened === null || (hash !== null && hashSecret(opened) !== hash)) note('key_foreign', owner);
  }
}
