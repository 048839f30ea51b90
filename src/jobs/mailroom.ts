// The way of a mail that arrives: into the ledger, through the reader, and filed; begun anew where a crash cut it short.

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
import { createGate } from './gate.ts';
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
  /** Reads what strangers wrote, outside of this process. */
  reader: Reader;
  /** Gets a document from a host that has been checked to be Amazon's. */
  fetchText: (url: string) => Promise<string>;
  /** Told what became of each mail, for the desk's own counts. */
  onFiled?: (outcome: InboundOutcome, hasSlowRules: boolean) => void;
  /** How many messages a minute of one sender to one site are filed as they come; 0 is all. */
  sendersPerMinute?: number;
  /** How long whoever brings a message waits for what becomes of it; null: as long as it takes. */
  answerWithinMs?: number | null;
  /** How many messages wait to be filed at most; what comes beyond that is filed when they are. */
  mostWaiting?: number;
  /** Asks the rules; in the reader where it is left out. */
  judge?: Judge;
}

export interface Mailroom {
  /**
   * Stores a request, durably, and then files it. Throws only while nothing is stored; a row that is still `received`
   * is filed later.
   */
  receive(
    site: Site,
    provider: ProviderName,
    headers: Record<string, string>,
    body: AsyncIterable<Uint8Array>,
  ): Promise<Filed>;
  /** Files one row of the ledger again, through today's rules; held mail stays held unless it is released. */
  replay(siteName: string | null, id: number, release?: Release): Promise<Filed>;
  /** Files what a crash, a failure or a crowd left unfiled: `all` of it at start, else what is due; answers how many. */
  recover(which: 'all' | 'due'): Promise<number>;
  /** What would happen to a raw message. */
  preview(siteName: string, raw: Uint8Array): Promise<Preview>;
  /** Lets what is being filed finish; what waits is filed at the next start. */
  stop(): Promise<void>;
}

/** Enough to keep the reader busy while others are written to the disk. */
const filedAtOnce = 8;
/** A request that arrives takes up to 5 MB of memory while it is written to the disk, one that waits up to 2 MB. */
const arriveAtOnce = 8;
const mostArriving = 64;
const previewsAtOnce = 2;
const mostPreviews = 16;
const patienceMs = 10_000;
/** Below what any provider waits for an answer. */
const answerMs = 8_000;

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** What comes of it in time; null where it takes longer, and goes on by itself. */
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
  const sentence = 'Too much mail arrives at once; send it again later.';
  const arriving = createGate({ atOnce: arriveAtOnce, mostWaiting: mostArriving, patienceMs, sentence });
  const previewing = createGate({
    atOnce: previewsAtOnce,
    mostWaiting: mostPreviews,
    patienceMs,
    sentence: 'Too many dry runs at once; try again later.',
  });
  let hasLate = false;
  let isStopped = false;
  const queue = createFilingQueue({
    atOnce: filedAtOnce,
    most: mostWaiting,
    onDrained: () => {
      if (!hasLate || isStopped) return;
      hasLate = false;
      // Once a minute somebody looks too.
      recover('due').catch((error) => log.warn(errorFields(error), 'mail is stored and not filed yet'));
    },
  });

  // Nobody in this process files a message that is being filed.
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
      log.warn({ id, ...errorFields(error) }, 'mail is stored and not filed yet');
      const reason = error instanceof DeskError ? describe(error) : 'It could not be filed; the log has the details.';
      return await desk.write((tx) => postponeMail(tx, context(), id, reason));
    }
  }

  async function fileOne(id: number, release: Release, isNew: boolean): Promise<Filed> {
    const row = desk.read((tx) => inboundMailById(tx, id) ?? null);
    const site = row && desk.read((tx) => siteById(tx, row.siteId) ?? null);
    if (!row || !site) throw new DeskError('not_found', 'No such mail.');
    // Another process was faster.
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
      const remark = isPlain ? 'It was too costly to read in full and is kept as text.' : null;
      const remarked = { ...material, remark };
      const first = desk.read((tx) => rulesBefore(tx, context(), site, id, remarked, release));
      return await withRules(judge, first, (answer) =>
        desk.write((tx) => fileMail(tx, context(), site, id, remarked, release, answer)),
      );
    } catch (error) {
      // Storage or a server that is away now may be back soon: the row stays as received.
      if (error instanceof DeskError && error.code === 'unavailable') throw error;
      // The message need not be to blame where the process broke down without a word.
      if (error instanceof ReaderError && error.what === 'crash') throw error;
      const isRefusal = error instanceof DeskError || error instanceof ReaderError;
      if (!isRefusal) log.error({ mail: row.ulid, ...errorFields(error) }, 'mail could not be filed');
      const reason = isRefusal
        ? describe(error)
        : 'It could not be filed; the log has the details. Replay it after an upgrade.';
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
        // One mail that cannot be filed just now holds up none of the others, unless nothing can be written.
        log.warn({ id, ...errorFields(error) }, 'mail is stored and not filed yet');
        if (error instanceof DeskError && error.code === 'unavailable') break;
      }
    }
    return filed;
  }

  return {
    async receive(site, provider, headers, body) {
      const { id, place } = await arriving.through(() => store(site, provider, headers, body));
      const filing = place?.add(site.id, () => process(id, noRelease, true)) ?? null;
      if (filing === null) hasLate = true;
      else {
        const filed = await within(filing, answerWithinMs).catch((error: unknown) => {
          // It is stored, and the provider must not send it again: it is tried again in some minutes.
          log.warn({ id, ...errorFields(error) }, 'mail is stored and not filed yet');
          return null;
        });
        if (filed !== null) return filed;
      }
      const row = desk.read((tx) => inboundMailById(tx, id) ?? null);
      if (row === null) throw new DeskError('not_found', 'This mail is gone.');
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
      return await previewing.through(async () => {
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
