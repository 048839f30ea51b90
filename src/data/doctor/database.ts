// Checks the contents of the database in parts, so that a running desk is not held up, and repairs them in small steps.

import { toWire } from '../../base/clock.ts';
import { hashSecret, type Seal } from '../../base/crypto.ts';
import { expiriesOf } from '../../desk/mail/mailbox-alarms.ts';
import { keepFacts, withOtherFacts } from '../../desk/reports/keep-facts.ts';
import type { FindingCode } from '../../domain/findings.ts';
import { dayMs, hourMs } from '../../domain/instant.ts';
import type { ReadingState } from '../../domain/mail/mailbox.ts';
import { expiryInWords } from '../../domain/mail/mailbox-alarms.ts';
import { excessOfRules } from '../../domain/rules/size.ts';
import type { Tx } from '../../engine/database.ts';
import { clockJumps } from '../../store/clock-jumps.ts';
import {
  backwardEvents,
  brokenReferencesOf,
  damageOf,
  documentWithout,
  eventsAfterMoment,
  type Indexed,
  indexedKinds,
  type Slice,
  withDamagedJson,
  withoutDocument,
  withWrongMessageCount,
  withWrongPriorityLevel,
  withWrongTags,
} from '../../store/integrity.ts';
import { writeDocument } from '../../store/lists/documents.ts';
import { mailWithSlowRules } from '../../store/mail/inbound.ts';
import { alarmsOfMailbox } from '../../store/mail/mailbox-alarms.ts';
import { allMailboxes, mailboxReading } from '../../store/mail/mailboxes.ts';
import {
  copyPriorityLevel,
  copyTags,
  countedSites,
  emptyIndex,
  hasWrongCounts,
  recountMessages,
  recountSite,
  removeDocument,
} from '../../store/repairs.ts';
import { tableNames } from '../../store/row-figures.ts';
import { skippedAutomation } from '../../store/rules/automation.ts';
import { rulesInOrder } from '../../store/rules/rules-in-order.ts';
import { sealedSecrets } from '../../store/sealed-secrets.ts';
import { removals } from '../../store/sites/removals.ts';
import { scanFigures } from '../../store/tickets/file-scans.ts';
import { listFaults } from '../../store/tickets/ticket-faults.ts';

import type { Findings } from './findings.ts';

/** How the database of the desk is changed, while what is examined may be a copy of it. */
export type Fix = {
  write(step: (tx: Tx) => null): Promise<unknown>;
  /** Reads the database of the desk. */
  read: Read;
  /** Call it between steps: lets the write-ahead log end. */
  rest(): Promise<void>;
} | null;

/** Null for a finding that is only told. */
export type FixOf = (code: FindingCode) => Fix;

type Read = <T>(act: (tx: Tx) => T) => T;

const rowsAtATime = 2000;

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

type Look = (tx: Tx, after: number, limit: number) => Pick<Slice<{ id: number }>, 'found' | 'nextAfter'>;

async function through(look: Look, read: Read, each: (ids: number[]) => unknown): Promise<void> {
  for (let after: number | null = 0; after !== null; ) {
    const from: number = after;
    const slice: ReturnType<Look> = read((tx) => look(tx, from, rowsAtATime));
    if (slice.found.length > 0) await each(slice.found.map(({ id }) => id));
    after = slice.nextAfter;
  }
}

/** Puts right what is still wrong in the database of the desk. The steps share commits. */
async function putRight(fix: NonNullable<Fix>, look: Look, ids: number[], put: (tx: Tx, id: number) => null) {
  const isStillWrong = (tx: Tx, id: number) => look(tx, id - 1, 1).found.some((found) => found.id === id);
  await Promise.all(ids.map((id) => fix.write((tx) => (isStillWrong(tx, id) ? put(tx, id) : null))));
  await fix.rest();
}

interface Check {
  code: FindingCode;
  what: string;
  look: Look;
  put: (tx: Tx, id: number) => null;
}

async function checkEach({ note }: Findings, tx: Tx, fixOf: FixOf, { code, what, look, put }: Check): Promise<void> {
  const fix = fixOf(code);
  await through(look, within(tx), async (ids) => {
    for (const id of ids) note(code, `${what} ${id}`, { isFixed: fix !== null });
    if (fix) await putRight(fix, look, ids, put);
  });
}

const within =
  (tx: Tx): Read =>
  (act) =>
    act(tx);

const rewrite: Record<Indexed, (tx: Tx, id: number) => null> = {
  ticket(tx, id) {
    writeDocument(tx, 'ticket_search', id);
    return null;
  },
  author(tx, id) {
    writeDocument(tx, 'author_search', id);
    return null;
  },
};

/** Checks that each ticket and author has its document and that no document is left over; rebuilds a damaged index. */
export async function checkIndex(findings: Findings, tx: Tx, damaged: readonly Indexed[], fixOf: FixOf): Promise<void> {
  const { note } = findings;
  const fix = fixOf('index_damaged');
  for (const kind of indexedKinds) {
    if (damaged.includes(kind)) {
      await fix?.write((writing) => emptyIndex(writing, kind));
      const look = withoutDocument[kind];
      if (fix) await through(look, fix.read, (ids) => putRight(fix, look, ids, rewrite[kind]));
      note('index_damaged', `${kind}s`, { isFixed: fix !== null });
      continue;
    }
    const remove = (writing: Tx, id: number) => removeDocument(writing, kind, id);
    const [missing, orphaned] = [withoutDocument[kind], documentWithout[kind]];
    await checkEach(findings, tx, fixOf, { code: 'document_missing', what: kind, look: missing, put: rewrite[kind] });
    await checkEach(findings, tx, fixOf, { code: 'document_orphaned', what: kind, look: orphaned, put: remove });
  }
}

const copies: readonly [FindingCode, Look, (tx: Tx, id: number) => null][] = [
  ['message_count_differs', withWrongMessageCount, recountMessages],
  ['priority_level_differs', withWrongPriorityLevel, copyPriorityLevel],
  ['tags_differ', withWrongTags, copyTags],
];

export async function checkCounters(findings: Findings, tx: Tx, fixOf: FixOf): Promise<void> {
  const { note } = findings;
  const fix = fixOf('totals_differ');
  const isFixed = fix !== null;
  for (const siteId of countedSites(tx)) {
    if (!hasWrongCounts(tx, siteId)) continue;
    await fix?.write((writing) => recountSite(writing, siteId));
    note('totals_differ', `site ${siteId}`, { isFixed });
  }
  for (const [code, look, put] of copies) await checkEach(findings, tx, fixOf, { code, what: 'ticket', look, put });
  if (hasUnreadable(findings)) return;
  const facts = { what: 'ticket', look: withOtherFacts, put: keepFacts };
  await checkEach(findings, tx, fixOf, { code: 'report_facts_differ', ...facts });
}

// What reads whole rows would fail on one that is named already.
const hasUnreadable = ({ all }: Findings) => all().some(({ code }) => code === 'row_unreadable');

const faultsTold = 1000;

export async function checkReadable({ note }: Findings, tx: Tx): Promise<void> {
  for (const { table, look } of withDamagedJson)
    await through(look, within(tx), (ids) => {
      for (const id of ids) note('row_unreadable', `${table} ${id}`);
    });
}

export function checkFaults({ note }: Findings, tx: Tx): void {
  for (const { job, ticketId, error } of listFaults(tx, faultsTold))
    note('ticket_set_aside', `ticket ${ticketId}: ${error} in the job ${job}`);
  for (const { siteId, tickets, left } of removals(tx))
    note('site_being_removed', `site ${siteId}: ${left} of ${tickets} tickets are left`);
}

export function checkScans({ note }: Findings, tx: Tx, now: number): void {
  const { unchecked, oldestAt, infected } = scanFigures(tx);
  if (oldestAt !== null && oldestAt < now - hourMs)
    note('file_unchecked', `the oldest since ${toWire(oldestAt)}`, { count: unchecked });
  if (infected > 0) note('file_infected', '', { count: infected });
}

const weekMs = 7 * dayMs;

export function checkRules(findings: Findings, tx: Tx, now: number): void {
  const { note } = findings;
  if (hasUnreadable(findings)) return;
  for (const { id, siteId } of mailWithSlowRules(tx, now - weekMs))
    note('rules_too_slow', `site ${siteId}, mail ${id}`);
  for (const siteId of countedSites(tx)) {
    const excess = excessOfRules(rulesInOrder(tx, siteId));
    if (excess !== null) note('rules_over_limit', `site ${siteId}: ${excess}`);
  }
  for (const { kind, ruleId, skipped } of skippedAutomation(tx, Math.floor((now - weekMs) / dayMs), faultsTold))
    note('automation_skipped', `${kind.replaceAll('_', ' ')} ${ruleId}: ${skipped} times`);
}

export function checkMailboxes({ note }: Findings, tx: Tx, now: number): void {
  for (const mailbox of allMailboxes(tx)) {
    const { id, siteId, address, isPaused, incoming } = mailbox;
    const named = `site ${siteId}, mailbox ${id} (${address})`;
    const reading = isPaused || incoming === null ? undefined : mailboxReading(tx, id);
    if (reading !== undefined && isFinding(reading.state))
      note(`mailbox_${reading.state}`, `${named}: ${reading.reason ?? 'unknown'}`);
    for (const { kind, reason } of alarmsOfMailbox(tx, id))
      if (kind === 'quiet' || kind === 'missing_mail' || kind === 'canary')
        note(`mailbox_${kind}`, `${named}: ${reason}`);
    for (const expiry of expiriesOf(tx, mailbox))
      if (now >= expiry.warnAt) {
        const code = expiry.at <= now ? 'mailbox_expired' : 'mailbox_expiring';
        note(code, `${named}: ${expiryInWords(expiry, now)}`);
      }
  }
}

const isFinding = (state: ReadingState) => state === 'refused' || state === 'failing' || state === 'consent_needed';

// Clocks of two machines can differ by this much unnoticed.
const toleratedMs = 5 * 60 * 1000;

export async function checkClock({ note }: Findings, tx: Tx, now: number): Promise<void> {
  for (const { before, after, isSuspension } of clockJumps(tx, 0)) {
    const reason = isSuspension ? 'the machine was asleep' : 'it was set';
    note('clock_jumped', `from ${toWire(before)} to ${toWire(after)}: ${reason}`);
  }
  const ahead: Look = (inner, after, limit) => eventsAfterMoment(inner, now + toleratedMs, after, limit);
  await through(ahead, within(tx), (ids) => {
    for (const seq of ids) note('event_ahead', `event ${seq}`);
  });
  await through(backwardEvents, within(tx), (ids) => {
    for (const seq of ids) note('event_backwards', `event ${seq}`);
  });
}

export function checkSecrets({ note }: Findings, tx: Tx, seal: Seal): void {
  for (const { owner, sealed, hash } of sealedSecrets(tx)) {
    let opened: string | null = null;
    try {
      opened = seal.open(sealed);
    } catch {
      // The key is wrong or the text was changed; the cipher does not say which.
    }
    if (opened === null || (hash !== null && hashSecret(opened) !== hash)) note('key_foreign', owner);
  }
}
