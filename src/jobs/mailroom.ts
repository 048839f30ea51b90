// Takes in mail: stores the request, reads it in the reader process, and files it, also after a crash.

import { createGate } from '../base/gate.ts';
import { newUlid } from '../base/ids.ts';
import { errorFields, type Log } from '../base/log.ts';
import type { Desk } from '../desk/desk.ts';
import {
  delayMail,
  type Filed,
  failMail,
  fileMail,
  noRelease,
  type Preview,
  postponeMail,
  previewMail,
  type Release,
  receiveMail,
  rulesBefore,
} from '../desk/inbound/filing.ts';
import { readInboundLog, reopenMail } from '../desk/inbound/log.ts';
import { readSite } from '../desk/sites.ts';
import { normaliseEmail } from '../domain/address.ts';
import { DeskError, type FieldErrors } from '../domain/errors.ts';
import type { InboundOutcome, ProviderName } from '../domain/inbound.ts';
import type { RuleTrace } from '../domain/rules/rule.ts';
import { tooSlowRules } from '../domain/rules/trace.ts';
import type { Blobs } from '../files/blobs.ts';
import { mailLimits } from '../mail/inbound/limits.ts';
import type { ReadMessage } from '../mail/inbound/message.ts';
import { requestBytesOf } from '../mail/inbound/providers.ts';
import { type Reader, ReaderError } from '../reader/reader.ts';
import { inboundMailById, unfiledMail } from '../store/inbound.ts';
import { mayBeStored } from '../store/refusals.ts';
import { type Site, siteById } from '../store/sites.ts';
import { createFilingQueue } from './filing-queue.ts';
import { createMailReading } from './mail-reading.ts';
import { createPace } from './pace.ts';
import { createJudge, type Judge, withRules } from './rule-answers.ts';

interface MailroomOptions {
  desk: Desk;
  /** Attachments of tickets. */
  blobs: Blobs;
  /** Requests as they arrived. */
  mailBlobs: Blobs;
  log: Log;
  /** Reads untrusted mail in another process. */
  reader: Reader;
  /** Gets a document from a host that has been checked to be Amazon's. */
  fetchText: (url: string) => Promise<string>;
  onFiled?: (outcome: InboundOutcome, hasSlowRules: boolean) => void;
  /** Messages per minute from one sender to one site that are filed at once; 0 for no limit. */
  sendersPerMinute?: number;
  /** How long `receive` waits for the message to be filed; null for as long as it takes. */
  answerWithinMs?: number | null;
  /** How many messages can wait to be filed; further ones are filed later. */
  mostWaiting?: number;
  /** Evaluates the rules, by default in the reader process. */
  judge?: Judge;
}

export interface Mailroom {
  /**
   * Stores a request durably, then files it. Throws only if nothing is stored; a row that is still `received` is filed
   * later.
   */
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
  /** What would happen to a raw message. */
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
// These gates do not tell callers apart.
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
      // If this fails, the schedule does it within a minute.
      recover('due').catch((error) => log.warn(errorFields(error), 'mail is stored but not filed yet'));
    },
  });

  // So that this process never files one message twice at the same time.
  const underWay = new Map<number, Promise<Filed>>();

  async function process(id: number, release: Release = noRelease, isNew = false): Promise<Filed> {
    const filing = (underWay.get(id) ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => fileOrPostpone(id, release, isNew));
    underWay.set(id, filing);
    try {
      const filed = await filing;
      const { outcome, trace } = filed.row;
      if (outcome !== null) onFiled?.(outcome, tooSlowRules(trace as RuleTrace[]).length > 0);
      return filed;
    } finally {
      if (underWay.get(id) === filing) underWay.delete(id);
    }
  }

  async function fileOrPostpone(id: number, release: Release, isNew: boolean): Promise<Filed> {
    try {
      return await fileOne(id, release, isNew);
    } catch (error) {
      if (error instanceof DeskError && error.code === 'not_found') throw error;
      log.warn({ id, ...errorFields(error) }, 'mail is stored but not filed yet');
      const reason =
        error instanceof DeskError ? describe(error) : 'The message could not be filed; the log has the details.';
      return await desk.write((tx) => postponeMail(tx, context(), id, reason));
    }
  }

  async function fileOne(id: number, release: Release, isNew: boolean): Promise<Filed> {
    const row = desk.read((tx) => inboundMailById(tx, id) ?? null);
    const site = row && desk.read((tx) => siteById(tx, row.siteId) ?? null);
    if (!row || !site) throw new DeskError('not_found', 'No such mail.');
    // Another process has filed it.
    if (row.status === 'done') return { row, ticket: null };
    let message: ReadMessage | undefined;
    try {
      const read = await reading.read(row, site, release.isReleased);
      if (read.kind === 'subscription') {
        await fetchText(read.subscribeUrl);
        return await desk.write((tx) =>
          failMail(tx, context(), id, 'discarded', `The subscription to ${read.topicArn} was confirmed.`),
        );
      }
      if (read.kind === 'ignored')
        return await desk.write((tx) => failMail(tx, context(), id, 'discarded', read.reason));
      const { material, written, isPlain } = read;
      message = material.message;
      const waitMs = isNew ? pace.takeTurn(`${site.id} ${senderOf(message)}`, desk.now()) : 0;
      if (waitMs > 0 || material.classified.kind === 'own') await reading.discard(written);
      else material.files = await reading.keep(written);
      if (waitMs > 0) {
        const { message } = material;
        return await desk.write((tx) => delayMail(tx, context(), id, message, waitMs));
      }
      const remark = isPlain ? 'The message was too costly to read in full, so only its text was kept.' : null;
      const remarked = { ...material, remark };
      const first = desk.read((tx) => rulesBefore(tx, context(), site, id, remarked, release));
      return await withRules(judge, first, (answer) =>
        desk.write((tx) => fileMail(tx, context(), site, id, remarked, release, answer)),
      );
    } catch (error) {
      // The trouble may pass, so the row stays `received`.
      if (error instanceof DeskError && error.code === 'unavailable') throw error;
      // A crash without a reason may not be the message's fault.
      if (error instanceof ReaderError && error.what === 'crash') throw error;
      const isRefusal = error instanceof DeskError || error instanceof ReaderError;
      if (!isRefusal) log.error({ mail: row.ulid, ...errorFields(error) }, 'mail could not be filed');
      const reason = isRefusal
        ? describe(error)
        : 'The message could not be filed; the log has the details. Replay it after an upgrade.';
      return await desk.write((tx) => failMail(tx, context(), id, 'failed', reason, message));
    }
  }

  async function store(site: Site, provider: ProviderName, headers: Record<string, string>, body: Body) {
    const staged = await mailBlobs.stage(body, requestBytesOf(provider)).catch((error: unknown) => {
      throw error instanceof DeskError && error.code === 'too_large' ? tooLarge(provider) : error;
    });
    const ulid = newUlid(desk.now());
    await staged.keep(ulid).catch(async (error: unknown) => {
      await staged.discard();
      throw error;
    });
    const place = queue.reserve();
    try {
      const arrived = { ulid, provider, headers, size: staged.size, isLate: place === null };
      return { place, id: await desk.write((tx) => receiveMail(tx, context(), site, arrived)) };
    } catch (error) {
      place?.giveBack();
      if (!mayBeStored(error)) await mailBlobs.remove(ulid);
      throw error;
    }
  }

  async function recover(which: 'all' | 'due'): Promise<number> {
    const ids = desk.read((tx) => unfiledMail(tx, which === 'all' ? null : desk.now()));
    let filed = 0;
    for (const id of ids.filter((id) => !underWay.has(id))) {
      if (isStopped) break;
      try {
        if ((await process(id)).row.status === 'done') filed += 1;
      } catch (error) {
        log.warn({ id, ...errorFields(error) }, 'mail is stored but not filed yet');
        if (error instanceof DeskError && error.code === 'unavailable') break;
      }
    }
    return filed;
  }

  return {
    async receive(site, provider, headers, body) {
      const { id, place } = await arriving.pass(anyone, () => store(site, provider, headers, body));
      const filing = place?.add(site.id, () => process(id, noRelease, true)) ?? null;
      if (filing === null) hasLate = true;
      else {
        const filed = await within(filing, answerWithinMs).catch((error: unknown) => {
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
      const filing = queue.add(siteId, () => process(id, release));
      const filed = filing === null ? null : await within(filing, answerWithinMs);
      if (filed !== null) return filed;
      return { row: desk.read((tx) => readInboundLog(tx, context(), siteName, id)).row, ticket: null };
    },
    recover,
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
      await Promise.allSettled(underWay.values());
    },
  };
}

type Body = AsyncIterable<Uint8Array>;

function senderOf({ from, envelope }: ReadMessage): string {
  return normaliseEmail(from?.address ?? envelope.from ?? '');
}

function busy(message: string): DeskError {
  return new DeskError('unavailable', message, { reason: 'busy', retryAfterSeconds: 5 });
}

function tooLarge(provider: ProviderName): DeskError {
  const megabytes = Math.floor(requestBytesOf(provider) / 1024 / 1024);
  return new DeskError('too_large', `A request with mail may have ${megabytes} MB at most.`, {
    reason: 'message_too_large',
  });
}

function describe(error: DeskError | ReaderError): string {
  const fields: FieldErrors = (error instanceof DeskError && error.errors) || {};
  return [error.message, ...Object.values(fields).flat()].join(' ');
}
