// Takes in mail: stores the request, reads it in the reader process, and files it, also after a crash.

import { createGate } from '../base/gate.ts';
import { errorFields, type Log } from '../base/log.ts';
import type { Desk } from '../desk/desk.ts';
import { type Filed, noRelease, type Preview, previewMail, type Release } from '../desk/inbound/filing.ts';
import { readInboundLog, reopenMail } from '../desk/inbound/log.ts';
import { readSite } from '../desk/sites.ts';
import { DeskError } from '../domain/errors.ts';
import type { InboundOutcome, ProviderName } from '../domain/inbound.ts';
import type { Blobs } from '../files/blobs.ts';
import { mailLimits } from '../mail/inbound/limits.ts';
import { type Reader, ReaderError } from '../reader/reader.ts';
import { inboundMailById, unfiledMail } from '../store/inbound.ts';
import type { Site } from '../store/sites.ts';
import { createFilingQueue } from './filing-queue.ts';
import { storeRequest } from './mail-arrival.ts';
import { createMailFiling } from './mail-filing.ts';
import { createMailReading } from './mail-reading.ts';
import { createMailShowing, type MailShowing } from './mail-showing.ts';
import { createPace } from './pace.ts';
import { createJudge, type Judge, withRules } from './rule-answers.ts';

interface MailroomOptions {
  desk: Desk;
  blobs: Blobs;
  mailBlobs: Blobs;
  log: Log;
  reader: Reader;
  /** The host has been checked to be Amazon's. */
  fetchText: (url: string) => Promise<string>;
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
  /** Files one row of the inbound log again with today's rules. Held mail stays held unless it is released. */
  replay(siteName: string | null, id: number, release?: Release): Promise<Filed>;
  /** Files mail that is stored but unfiled: all of it, or what is due. Returns how many were filed. */
  recover(which: 'all' | 'due'): Promise<number>;
  preview(siteName: string, raw: Uint8Array): Promise<Preview>;
  /** Waits for mail that is being filed; the rest is filed at the next start. */
  stop(): Promise<void>;
}

// Keeps the reader busy while other messages are written to disk.
const filedAtOnce = 8;
// An arriving request takes up to 5 MB of memory, a waiting one up to 2 MB.
const arriveAtOnce = 8;
const mostArriving = 64;
const previewsAtOnce = 2;
const mostPreviews = 16;
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
  onFiled,
  sendersPerMinute = 0,
  answerWithinMs = answerMs,
  mostWaiting = 1000,
  judge = createJudge(reader),
}: MailroomOptions): Mailroom {
  const context = () => desk.context({ kind: 'desk' }, 'mail');
  const reading = createMailReading({ desk, blobs, mailBlobs, reader, fetchText });
  const pace = createPace(sendersPerMinute);
  const filing = createMailFiling({ desk, reading, pace, judge, fetchText, log, onFiled });
  const arriving = createGate({
    atOnce: arriveAtOnce,
    waiting: mostArriving,
    waitMs: patienceMs,
    refusal: () => busy('Too much mail is arriving at once. Send it again later.'),
  });
  const previewing = createGate({
    atOnce: previewsAtOnce,
    waiting: mostPreviews,
    waitMs: patienceMs,
    refusal: () => busy('Too many rule tests at once. Try again later.'),
  });
  let hasLate = false;
  let isStopped = false;
  const queue = createFilingQueue({
    atOnce: filedAtOnce,
    most: mostWaiting,
    onDrained: () => {
      if (!hasLate || isStopped) return;
      hasLate = false;
      recover('due').catch((error) => log.warn(errorFields(error), 'mail is stored but not filed yet'));
    },
  });

  async function recover(which: 'all' | 'due'): Promise<number> {
    const ids = desk.read((tx) => unfiledMail(tx, which === 'all' ? null : desk.now()));
    let filed = 0;
    for (const id of ids.filter((id) => !filing.isUnderWay(id))) {
      if (isStopped) break;
      try {
        if ((await filing.file(id)).row.status === 'done') filed += 1;
      } catch (error) {
        log.warn({ id, ...errorFields(error) }, 'mail is stored but not filed yet');
        if (error instanceof DeskError && error.code === 'unavailable') break;
      }
    }
    return filed;
  }

  return {
    async receive(site, provider, headers, body) {
      const { id, place } = await arriving.pass(anyone, () =>
        storeRequest({ desk, mailBlobs, queue }, site, { provider, headers, body }),
      );
      const underWay = place?.add(site.id, () => filing.file(id, noRelease, true)) ?? null;
      if (underWay === null) hasLate = true;
      else {
        const filed = await within(underWay, answerWithinMs).catch((error: unknown) => {
          // It is stored, so the provider must not send it again. The schedule retries it.
          log.warn({ id, ...errorFields(error) }, 'mail is stored but not filed yet');
          return null;
        });
        if (filed !== null) return filed;
      }
      const row = desk.read((tx) => inboundMailById(tx, id) ?? null);
      if (row === null) throw new DeskError('not_found', 'This mail no longer exists.');
      return { row, ticket: null };
    },
    async replay(siteName, id, release) {
      const { siteId } = await desk.write((tx) => reopenMail(tx, context(), siteName, id));
      const underWay = queue.add(siteId, () => filing.file(id, release));
      const filed = underWay === null ? null : await within(underWay, answerWithinMs);
      if (filed !== null) return filed;
      return { row: desk.read((tx) => readInboundLog(tx, context(), siteName, id)).row, ticket: null };
    },
    recover,
    ...createMailShowing(reading, mailBlobs),
    async preview(siteName, raw) {
      return await previewing.pass(anyone, async () => {
        const site = desk.read((tx) => readSite(tx, context(), siteName));
        const staged = await mailBlobs.stage(chunksOf(raw), mailLimits.messageBytes);
        try {
          const understood = await reading.understand(staged.path, site);
          return await withRules(judge, null, (answer) =>
            desk.read((tx) => previewMail(tx, context(), siteName, understood, answer)),
          );
        } catch (error) {
          throw error instanceof ReaderError ? new DeskError('too_large', error.message) : error;
        } finally {
          await staged.discard();
        }
      });
    },
    async stop() {
      isStopped = true;
      await queue.stop();
      await filing.settle();
    },
  };
}

function busy(message: string): DeskError {
  return new DeskError('unavailable', message, { reason: 'busy', retryAfterSeconds: 5 });
}
