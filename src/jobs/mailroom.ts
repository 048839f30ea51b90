// Takes in mail: stores the request, reads it in the reader process, and files it, also after a crash.

import { createGate } from '../base/gate.ts';
import { errorFields, type Log } from '../base/log.ts';
import type { Desk } from '../desk/desk.ts';
import type { Filed } from '../desk/mail/filing.ts';
import { type Release, readInboundLog, reopenMail } from '../desk/mail/log.ts';
import { DeskError } from '../domain/errors.ts';
import type { InboundOutcome, ProviderName } from '../domain/mail/inbound.ts';
import type { AskDns, CheckVerdict } from '../domain/mail/sender-checks.ts';
import type { SpamFilter } from '../domain/mail/spam-check.ts';
import type { Blobs } from '../files/blobs.ts';
import type { Reader } from '../reader/reader.ts';
import { inboundMailById, unfiledMail } from '../store/mail/inbound.ts';
import type { Site } from '../store/sites/sites.ts';
import { createFilingQueue, type Place } from './filing-queue.ts';
import { type ArrivingMail, type MailboxArrival, storeRequest } from './mail-arrival.ts';
import { oneAfterTheOther } from './mail-check.ts';
import { createMailFiling } from './mail-filing.ts';
import { createMailReading } from './mail-reading.ts';
import { createMailShowing, type MailShowing } from './mail-showing.ts';
import { createPace } from './pace.ts';
import { createJudge, type Judge } from './rule-answers.ts';
import { createRuleTrial, type RuleTrial } from './rule-trial.ts';
import { createSenderChecking } from './sender-checking.ts';
import { createSpamChecking } from './spam-checking.ts';

interface MailroomOptions {
  desk: Desk;
  blobs: Blobs;
  mailBlobs: Blobs;
  log: Log;
  reader: Reader;
  /** The host has been checked to be Amazon's. */
  fetchText: (url: string) => Promise<string>;
  /** Null: the desk does not check senders itself. */
  askDns?: AskDns | null;
  /** Null: mail has no spam score but its own. */
  spamFilter?: SpamFilter | null;
  onChecked?: (verdict: CheckVerdict) => void;
  onFiled?: (outcome: InboundOutcome, hasSlowRules: boolean) => void;
  sendersPerMinute?: number;
  /** How long `receive` waits for the message to be filed; null for no limit. */
  answerWithinMs?: number | null;
  mostWaiting?: number;
  judge?: Judge;
}

export interface Mailroom extends MailShowing {
  /** Throws only if nothing is stored; a row that is still `received` is filed later. */
  receive(
    site: Site,
    provider: ProviderName,
    headers: Record<string, string>,
    body: AsyncIterable<Uint8Array>,
  ): Promise<Filed>;
  /** The same for mail that the desk reads in a mailbox, and only until it is stored: while it is checked, the next is fetched. */
  receiveFrom(
    mailbox: MailboxArrival,
    site: Site,
    headers: Record<string, string>,
    body: AsyncIterable<Uint8Array>,
  ): Promise<void>;
  /** Waits, not for long, until what was received from a mailbox is filed. */
  filedFrom(mailboxId: number): Promise<void>;
  /** Stores as much as could be read of a message; `keep` says what happens to it. */
  keepFailed(mailbox: MailboxArrival, site: Site, bytes: Uint8Array): Promise<void>;
  /** Files one row of the inbound log again with today's rules. Held mail stays held unless it is released. */
  replay(siteName: string | null, id: number, release?: Release): Promise<Filed>;
  /** Begins to file what is due, and does not wait for it. */
  wake(): void;
  /** Files mail that is stored but unfiled: all of it, or what is due. Returns how many were filed. */
  recover(which: 'all' | 'due'): Promise<number>;
  preview: RuleTrial;
  /** Waits for mail that is being filed; the rest is filed at the next start. */
  stop(): Promise<void>;
}

// Keeps the reader busy while other messages are written to disk.
const filedAtOnce = 8;
// An arriving request takes up to 5 MB of memory, a waiting one up to 2 MB.
const arriveAtOnce = 8;
const mostArriving = 64;
const checkedAhead = 32;
// Of one mailbox.
const unfiledAtOnce = 16;
const patienceMs = 10_000;
const anyone = '';
// Shorter than any provider waits.
const answerMs = 8_000;

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Null if it takes longer; it then continues on its own. */
async function within<T>(promise: Promise<T>, ms: number | null): Promise<T | null> {
  if (ms === null) return await promise;
  const { promise: over, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), ms);
  try {
    return await Promise.race([promise, over]);
  } finally {
    clearTimeout(timer);
  }
}

export function createMailroom({
  desk,
  blobs,
  mailBlobs,
  log,
  reader,
  fetchText,
  askDns = null,
  spamFilter = null,
  onChecked,
  onFiled,
  sendersPerMinute = 0,
  answerWithinMs = answerMs,
  mostWaiting = 1000,
  judge = createJudge(reader),
}: MailroomOptions): Mailroom {
  const context = () => desk.context({ kind: 'desk' }, 'mail');
  const reading = createMailReading({ desk, blobs, mailBlobs, reader, fetchText });
  const checking = oneAfterTheOther(
    createSenderChecking({ desk, mailBlobs, reader, log, askDns, onChecked }),
    createSpamChecking({ desk, mailBlobs, reader, log, filter: spamFilter }),
  );
  const pace = createPace(sendersPerMinute);
  const filing = createMailFiling({ desk, reading, checking, pace, judge, fetchText, log, onFiled });
  const arriving = createGate({
    atOnce: arriveAtOnce,
    waiting: mostArriving,
    waitMs: patienceMs,
    refusal: () => busy('Too much mail is arriving at the same time. Send it again later.'),
  });
  let hasLate = false;
  let isStopped = false;
  const queue = createFilingQueue({
    atOnce: filedAtOnce,
    most: mostWaiting,
    onDrained: () => {
      if (!hasLate || isStopped) return;
      hasLate = false;
      wake();
    },
  });

  function wake(): void {
    recover('due').catch((error) => log.warn(errorFields(error), 'mail is stored but not filed yet'));
  }

  async function recover(which: 'all' | 'due'): Promise<number> {
    const unfiled = desk.read((tx) => unfiledMail(tx, which === 'all' ? null : desk.now()));
    const ids = unfiled.filter((id) => !filing.isUnderWay(id));
    let filed = 0;
    for (const [at, id] of ids.entries()) {
      if (isStopped) break;
      if (at % checkedAhead === 0) {
        // Side by side, so that silent name servers do not add up. What goes wrong is said below.
        const ahead = ids.slice(at, at + checkedAhead).flatMap((next) => checking.check(next) ?? []);
        if (ahead.length > 0) await Promise.allSettled(ahead);
      }
      try {
        if ((await filing.file(id)).row.status === 'done') filed += 1;
      } catch (error) {
        log.warn({ id, ...errorFields(error) }, 'mail is stored but not filed yet');
        if (error instanceof DeskError && error.code === 'unavailable') break;
      }
    }
    return filed;
  }

  /** @param before what is filed first; it never fails */
  async function fileInTurn(
    siteId: number,
    id: number,
    place: Place,
    isNew: boolean,
    before?: Promise<unknown>,
  ): Promise<Filed | null> {
    try {
      // Not in the queue: eight silent name servers would hold up all other mail.
      await Promise.all([checking.check(id), before]);
    } catch (error) {
      place.giveBack();
      throw error;
    }
    return await place.add(siteId, () => filing.file(id, { isNew }));
  }

  /** Mail of each mailbox that is stored and not filed yet, oldest first. */
  const linesOf = new Map<number, Promise<unknown>[]>();

  /** The row, null if it is known, and what becomes of it, null if it is filed later. */
  async function take(site: Site, mail: ArrivingMail, before?: Promise<unknown>) {
    const { id, place } = await arriving.pass(anyone, () => storeRequest({ desk, mailBlobs, queue }, site, mail));
    // What came before the desk was connected is not paced.
    const isNew = mail.mailbox?.silentDate == null;
    const filed =
      id !== null && place
        ? fileInTurn(site.id, id, place, isNew, before).catch((error: unknown) => {
            // It is stored, so the provider must not send it again. The schedule retries it.
            log.warn({ id, ...errorFields(error) }, 'mail is stored but not filed yet');
            return null;
          })
        : null;
    if (id !== null && filed === null) hasLate = true;
    return { id, filed };
  }

  return {
    async receive(site, provider, headers, body) {
      const { id, filed } = await take(site, { provider, headers, body });
      if (id === null) throw new Error('only mail of a mailbox can be known');
      const inTime = filed && (await within(filed, answerWithinMs));
      if (inTime !== null) return inTime;
      const row = desk.read((tx) => inboundMailById(tx, id) ?? null);
      if (row === null) throw new DeskError('not_found', 'This mail no longer exists.');
      return { row, ticket: null };
    },
    async keepFailed(mailbox, site, bytes) {
      // An empty file would be a lost one.
      const body = chunksOf(bytes.length === 0 ? Buffer.from('\r\n') : bytes);
      const { place } = await storeRequest({ desk, mailBlobs, queue }, site, {
        provider: 'raw',
        headers: {},
        body,
        mailbox,
      });
      place?.giveBack();
    },
    async receiveFrom(mailbox, site, headers, body) {
      const line = linesOf.get(mailbox.id) ?? [];
      linesOf.set(mailbox.id, line);
      if (line.length >= unfiledAtOnce) await line.shift();
      const { filed } = await take(site, { provider: 'raw', headers, body, mailbox }, line.at(-1));
      if (filed !== null) line.push(filed);
    },
    async filedFrom(mailboxId) {
      if (await within(Promise.all(linesOf.get(mailboxId) ?? []), answerWithinMs)) linesOf.delete(mailboxId);
    },
    async replay(siteName, id, release = {}) {
      const { siteId } = await desk.write((tx) => reopenMail(tx, context(), siteName, id, release));
      const underWay = queue.add(siteId, () => filing.file(id, release));
      const filed = underWay === null ? null : await within(underWay, answerWithinMs);
      if (filed !== null) return filed;
      return { row: desk.read((tx) => readInboundLog(tx, context(), siteName, id)).row, ticket: null };
    },
    wake,
    recover,
    ...createMailShowing(reading, reader, mailBlobs),
    preview: createRuleTrial({ desk, reading, mailBlobs, judge }),
    async stop() {
      isStopped = true;
      await checking.stop();
      await queue.stop();
      await filing.settle();
    },
  };
}

function busy(message: string): DeskError {
  return new DeskError('unavailable', message, { reason: 'busy', retryAfterSeconds: 5 });
}
