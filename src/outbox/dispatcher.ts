// Takes what is due out of the outbox and delivers it: bounded, fair between channels, in order for each ticket.

import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Instant, monotonicMs, untilMs } from '../base/clock.ts';
import { randomBelow, randomSecret } from '../base/crypto.ts';
import { errorFields, type Log } from '../base/log.ts';
import { hasEnded, processName } from '../base/process.ts';
import type { Desk } from '../desk/desk.ts';
import {
  type Attempted,
  type DeliveryMaterial,
  letGo,
  loadDelivery,
  recordAttempt,
  takeDue,
  takeOver,
} from '../desk/outbox.ts';
import { type AttemptResult, judgeMailAttempt, judgeWebhookAttempt, type MailAttempt } from '../domain/delivery.ts';
import { DeskError } from '../domain/errors.ts';
import type { Blobs } from '../files/blobs.ts';
import type { MailAttachment } from '../mail/outgoing/compose.ts';
import { type Guard, guardedFetch } from '../net/guarded-fetch.ts';
import { mailBudget } from '../reader/jobs.ts';
import type { Reader } from '../reader/reader.ts';
import { type Delivery, deliveriesDue, lanesAhead } from '../store/outbox.ts';
import { asUnavailable } from '../store/refusals.ts';
import type { Channel } from '../store/sites.ts';
import { type MailSettings, mailOf, notificationOf } from './delivery-content.ts';
import type { MailTransport } from './mail-transport.ts';
import { formatNotification } from './platforms/formats.ts';
import { chatHeaders, webhookHeaders } from './webhook-signature.ts';

export interface DispatcherOptions {
  desk: Desk;
  blobs: Blobs;
  /** The stored requests of mail that arrived. */
  mailBlobs: Blobs;
  log: Log;
  /** Puts together what a rule forwards. */
  reader: Reader;
  guard: Guard;
  transport: MailTransport;
  mail: MailSettings;
  retryDelaysMs: readonly number[];
  /** How long a stop waits for what is in flight. */
  drainMs?: number;
  /** Told of every try, for the desk's own counts. */
  onTried?: (tried: { kind: DeliveryKind; outcome: AttemptResult['outcome']; durationMs: number }) => void;
}

type DeliveryKind = 'mail' | Channel['type'];

export interface Dispatcher {
  /** Looks at once whether anything is due. */
  wake(): void;
  /** Delivers what is due until nothing is; answers how many tries were made. */
  runDue(): Promise<number>;
  /** How the tries so far ended. */
  readonly tally: Readonly<Record<AttemptResult['outcome'], number>>;
  /** Takes nothing more, and waits for what is in flight, within bounds. */
  stop(): Promise<void>;
}

/** A channel's id, or null for mail. */
type Lane = number | null;

/** What a try occupies: a lane's first place, which is counted apart for lanes whose last try failed, or one more. */
type Place = 'first' | 'firstOfFailing' | 'more' | 'mail';

// Every lane has a first place of its own, so that a slow or dead channel holds up no other: these bounds are met only
// by hundreds of channels at once, and then the places go round. One that works may have more places beside it.
const bounds: Record<Place, number> = { first: 512, firstOfFailing: 256, more: 64, mail: 4 };
const healthyLaneSize = 8;

// Longer than any try: only a process that has died leaves a claim to run out.
const mailClaimMs = 15 * 60_000;
const longestSleepMs = 60_000;
const sleepAfterFaultMs = 5_000;
const recordAgainMs = 1_000;
// A first look comes soon after a commit; under load the commits of a moment share one.
const quietMs = 3;
const spacingMs = 15;
// Results are written together, since each commit costs a sync of the disk and pages of the log; meanwhile a channel that
// answers fast goes on with what was claimed for it ahead.
const gatherMs = 5;
const claimedAhead = 24;
const fastMs = 250;
// A channel that asked for patience (429) gets it for all that it is to be told, for so long at most.
const longestRestMs = 60_000;

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const {
    desk,
    blobs,
    mailBlobs,
    log,
    reader,
    guard,
    transport,
    mail,
    retryDelaysMs,
    drainMs = 30_000,
    onTried,
  } = options;
  const inFlight = new Map<Lane, number>();
  /** How the last try of a lane went; unknown before the first. */
  const isHealthy = new Map<Lane, boolean>();
  const lastServed = new Map<Lane, number>();
  /** Until when a lane whose last try failed is left alone: all that waits for it would fail the same way. */
  const restsUntil = new Map<Lane, number>();
  /** Claimed and not begun: by lane, each with the moment until which it may be begun. */
  const ahead = new Map<Lane, { id: number; until: number }[]>();
  const refills = new Map<Lane, { waiting: number; done: Promise<void> }>();
  const lastTookMs = new Map<Lane, number>();
  const taken: Record<Place, number> = { first: 0, firstOfFailing: 0, more: 0, mail: 0 };
  const under = new Set<Promise<void>>();
  let isStopped = false;
  const stopping = Promise.withResolvers<void>();
  /** Whether a lane waits for a first place: then nobody keeps theirs for a second delivery. */
  let isCrowded = false;
  let pumping: Promise<void> | null = null;
  let lastPumpAt = Number.NEGATIVE_INFINITY;
  let timer: { at: number; id: ReturnType<typeof setTimeout> } | null = null;
  const tally = { delivered: 0, retry: 0, failed: 0 };
  let turns = 0;
  let isImpatient = false;

  const claimMs = guard.timeoutMs * 2 + 5_000;
  const random = () => randomBelow(1_000_000) / 1_000_000;
  const context = () => desk.context({ kind: 'desk' }, 'outbox');
  const claimOf = (lane: Lane) => ({ by: processName, ms: lane === null ? mailClaimMs : claimMs });
  const left = (place: Place) => Math.max(0, bounds[place] - taken[place]);

  /** The places that a lane may take now. */
  function placesFor(lane: Lane): Place[] {
    if (lane === null)
      return Array<Place>(Math.max(0, Math.min(left('mail'), transport.atOnce - taken.mail))).fill('mail');
    const busy = inFlight.get(lane) ?? 0;
    const isFailing = isHealthy.get(lane) === false;
    const first: Place[] =
      busy > 0 || left(isFailing ? 'firstOfFailing' : 'first') === 0 ? [] : [isFailing ? 'firstOfFailing' : 'first'];
    if (!isHealthy.get(lane) || busy + first.length === 0) return first;
    const more = Math.min(healthyLaneSize - busy - first.length, left('more'));
    return [...first, ...Array<Place>(Math.max(0, more)).fill('more')];
  }

  function pump(): Promise<void> {
    pumping ??= take().finally(() => {
      pumping = null;
    });
    return pumping;
  }

  async function take(): Promise<void> {
    const now = desk.now();
    try {
      const outlook = desk.read((tx) => lanesAhead(tx, now));
      lastPumpAt = monotonicMs();
      const isResting = (lane: Lane) => !isImpatient && (restsUntil.get(lane) ?? 0) > lastPumpAt;
      const due = outlook.filter(({ isDue }) => isDue).map(({ lane }) => lane);
      due.sort((a, b) => (lastServed.get(a) ?? 0) - (lastServed.get(b) ?? 0));
      isCrowded = false;
      const wanted: { lane: Lane; places: Place[] }[] = [];
      for (const lane of due) {
        if (isResting(lane)) {
          lookIn((restsUntil.get(lane) ?? 0) - lastPumpAt);
          continue;
        }
        const places = placesFor(lane);
        if (places.length === 0) {
          isCrowded ||= !inFlight.has(lane);
          continue;
        }
        // Looked at before it is written: what another process has claimed is no reason for a transaction.
        if (desk.read((tx) => deliveriesDue(tx, lane, now, 1)).length === 0) continue;
        for (const place of places) taken[place] += 1;
        wanted.push({ lane, places });
      }
      if (wanted.length > 0) await begin(wanted);
      const next = outlook.reduce(
        (soonest, { nextAt }) => Math.min(soonest, nextAt ?? soonest),
        Number.POSITIVE_INFINITY,
      );
      lookIn(Math.min(next - desk.now(), longestSleepMs));
    } catch (error) {
      log.error(errorFields(error), 'the outbox could not be read');
      lookIn(sleepAfterFaultMs);
    }
  }

  /** Claims as many deliveries as there are places, which are taken already, and starts them. */
  async function begin(wanted: readonly { lane: Lane; places: Place[] }[]): Promise<void> {
    const spare = wanted.map(({ places }) => [...places]);
    try {
      const claimed = await desk.write((tx) => {
        const ctx = context();
        return wanted.map(({ lane, places }) => takeDue(tx, ctx, lane, places.length, claimOf(lane)));
      });
      if (isStopped) {
        await desk.write((tx) => letGo(tx, claimed.flat()));
        return;
      }
      for (const [at, { lane }] of wanted.entries()) {
        for (const id of claimed[at] ?? []) start(lane, id, spare[at]?.shift() ?? 'first');
      }
    } finally {
      for (const place of spare.flat()) taken[place] -= 1;
    }
  }

  /** Looks again after so long, or sooner where that is settled already. */
  function lookIn(ms: number): void {
    const at = monotonicMs() + Math.max(quietMs, ms);
    if (isStopped || (timer !== null && timer.at <= at)) return;
    if (timer !== null) clearTimeout(timer.id);
    const look = () => {
      timer = null;
      // A look that is under way may have begun before what this one is for.
      if (pumping) void pumping.then(wake);
      else void pump();
    };
    timer = { at, id: setTimeout(look, untilMs(at)) };
  }

  function wake(): void {
    lookIn(lastPumpAt + spacingMs - monotonicMs());
  }

  /** Delivers one after the other as long as the lane has more and nobody else waits for the place. */
  function start(lane: Lane, first: number, place: Place): void {
    inFlight.set(lane, (inFlight.get(lane) ?? 0) + 1);
    const run = async () => {
      for (let id: number | undefined = first; id !== undefined; ) {
        const done = await attempt(lane, id);
        const isKept = done?.result.outcome === 'delivered' && place !== 'firstOfFailing' && !isCrowded && !isStopped;
        const recorded = done === null ? Promise.resolve() : track(record(lane, done));
        id = isKept ? nextAhead(lane) : undefined;
        if (id !== undefined) continue;
        if (isKept) await refill(lane);
        await recorded;
        if (isKept && !isStopped) id = nextAhead(lane);
      }
    };
    void track(
      run()
        .finally(() => {
          const busy = (inFlight.get(lane) ?? 1) - 1;
          if (busy > 0) inFlight.set(lane, busy);
          else inFlight.delete(lane);
          taken[place] -= 1;
        })
        .then(() => (inFlight.has(lane) && isHealthy.get(lane) !== false ? undefined : giveBack(lane)))
        .finally(wake),
    );
  }

  /** Keeps a piece of work among those that a stop waits for. It must not fail unheard. */
  function track(work: Promise<void>): Promise<void> {
    const heard = work
      .catch((error) => log.error(errorFields(error), 'the outbox could not be read or written'))
      .finally(() => under.delete(heard));
    under.add(heard);
    return heard;
  }

  function nextAhead(lane: Lane): number | undefined {
    const claimed = ahead.get(lane) ?? [];
    while (claimed.length > 0) {
      const one = claimed.shift();
      if (one && one.until > monotonicMs()) return one.id;
    }
    return undefined;
  }

  async function giveBack(lane: Lane): Promise<void> {
    const claimed = ahead.get(lane)?.splice(0) ?? [];
    ahead.delete(lane);
    if (claimed.length > 0)
      await desk.write((tx) =>
        letGo(
          tx,
          claimed.map(({ id }) => id),
        ),
      );
  }

  let gathering: Promise<void> | null = null;
  function gathered(): Promise<void> {
    gathering ??= new Promise((resolve) => {
      setTimeout(() => {
        gathering = null;
        resolve();
      }, gatherMs);
    });
    return gathering;
  }

  /** Writes a result down. A mail that was taken and is not known to be would be sent again when its claim runs out. */
  async function record(lane: Lane, done: Attempted): Promise<void> {
    const until = monotonicMs() + claimOf(lane).ms;
    for (;;) {
      await gathered();
      try {
        await desk.write((tx) => {
          recordAttempt(tx, context(), done);
          return null;
        });
        return;
      } catch (error) {
        if (isStopped || monotonicMs() > until) throw error;
        log.error({ delivery: done.deliveryId, ...errorFields(error) }, 'a result could not be written yet');
        await Promise.race([stopping.promise, new Promise((resolve) => setTimeout(resolve, recordAgainMs))]);
      }
    }
  }

  /** Claims more for a lane, in the commit that records what it has just done: one for each place that waits, and some ahead. */
  function refill(lane: Lane): Promise<void> {
    const begun = refills.get(lane);
    if (begun) {
      begun.waiting += 1;
      return begun.done;
    }
    const claimMore = async () => {
      await gathered();
      const waiting = refills.get(lane)?.waiting ?? 1;
      refills.delete(lane);
      const isFast = lane !== null && (lastTookMs.get(lane) ?? fastMs) < fastMs;
      const until = monotonicMs() + claimOf(lane).ms / 2;
      const ids = await desk.write((tx) =>
        takeDue(tx, context(), lane, isFast ? Math.max(waiting, claimedAhead) : waiting, claimOf(lane)),
      );
      ahead.set(lane, [...(ahead.get(lane) ?? []), ...ids.map((id) => ({ id, until }))]);
    };
    const refilling = { waiting: 1, done: claimMore() };
    refills.set(lane, refilling);
    return refilling.done;
  }

  /** One try and the result on it; null when there is nothing to try any more. */
  async function attempt(lane: Lane, id: number): Promise<Attempted | null> {
    turns += 1;
    lastServed.set(lane, turns);
    const startedAt = monotonicMs();
    let outcome: Outcome | null;
    let material: DeliveryMaterial | null = null;
    try {
      material = desk.read((tx) => loadDelivery(tx, context(), id));
      if (!material) return null;
      if (material.channel?.isActive === false && material.delivery.event !== 'channel.test') {
        // Disabled since it was claimed: it is held.
        await desk.write((tx) => letGo(tx, [id]));
        return null;
      }
      outcome = lane === null ? await sendMail(material) : await sendWebhook(material);
    } catch (error) {
      // Nothing was tried: it is due again when its claim runs out.
      if (isStorageFault(error)) throw error;
      if (!(error instanceof DeskError))
        log.error(
          { delivery: material?.delivery.ulid ?? id, ...errorFields(error) },
          'a delivery could not be composed',
        );
      outcome = notComposed(material, error);
    }
    if (outcome === null) {
      // The desk stops, and no server has been handed the mail: that was no try.
      await desk.write((tx) => letGo(tx, [id]));
      return null;
    }
    const kind = material?.channel?.type ?? (lane === null ? 'mail' : 'custom');
    const delivery = material === null ? { id } : { delivery: material.delivery.ulid, event: material.delivery.event };
    const { responseStatus, responseExcerpt, error } = outcome;
    const result = outcome.result(desk.now());
    tally[result.outcome] += 1;
    const durationMs = monotonicMs() - startedAt;
    lastTookMs.set(lane, durationMs);
    onTried?.({ kind, outcome: result.outcome, durationMs });
    if (lane !== null) {
      isHealthy.set(lane, result.outcome === 'delivered');
      restsUntil.set(lane, result.outcome === 'retry' ? monotonicMs() + restMs(responseStatus, result.at) : 0);
    }
    const fields = { ...delivery, channel: lane, outcome: result.outcome };
    if (result.outcome === 'delivered') log.debug(fields, 'delivered');
    else log.warn({ ...fields, status: responseStatus }, 'not delivered');
    return { deliveryId: id, result, durationMs, responseStatus, responseExcerpt, error };
  }

  function restMs(status: number | null, retryAt: Instant): number {
    return status === 429 ? Math.min(retryAt - desk.now(), longestRestMs) : (retryDelaysMs[0] ?? 0) / 10;
  }

  interface Outcome {
    result: (now: Instant) => AttemptResult;
    responseStatus: number | null;
    responseExcerpt: string;
    error: string | null;
  }

  /**
   * A disk that fails for a moment while a mail's attachments are read is waited for, as a mail server is. What cannot
   * be composed for another reason will not be better tomorrow, and must not stand in the way of what comes after it.
   */
  function notComposed(material: DeliveryMaterial | null, error: unknown): Outcome {
    const isOfSystem =
      error instanceof Error && 'code' in error && typeof error.code === 'string' && /^E[A-Z]+$/.test(error.code);
    return {
      result: (now) =>
        isOfSystem && material
          ? judgeMail(material.delivery, { kind: 'unreachable' }, now)
          : { outcome: 'failed', isGone: false },
      responseStatus: null,
      responseExcerpt: '',
      error: error instanceof DeskError ? error.message : 'It could not be composed.',
    };
  }

  async function sendWebhook(material: DeliveryMaterial): Promise<Outcome> {
    const { channel, delivery } = material;
    if (!channel) throw new DeskError('not_found', 'The channel of this delivery is no more.');
    const body = formatNotification(channel.type, notificationOf(material, mail.baseUrl));
    const headers =
      channel.type === 'custom'
        ? webhookHeaders(
            { event: delivery.event, deliveryId: delivery.ulid, body, at: desk.now() },
            material.signingSecrets,
            channel.headerPrefix,
          )
        : chatHeaders();
    const answer = await guardedFetch({ method: 'POST', url: channel.webhookUrl, headers, body }, guard);
    return {
      // A test is tried once: whoever asked for it wants to know now.
      result: (now) =>
        judgeWebhookAttempt(answer.ended, {
          attemptNumber: delivery.tries + 1,
          now,
          random: random(),
          retryDelaysMs: delivery.event === 'channel.test' ? [] : retryDelaysMs,
        }),
      responseStatus: answer.ended.kind === 'answered' ? answer.ended.status : null,
      responseExcerpt: answer.excerpt,
      error: answer.error,
    };
  }

  /** Null where it was given up before any of it was handed over. */
  async function sendMail(material: DeliveryMaterial): Promise<Outcome | null> {
    const attachments: MailAttachment[] = [];
    for (const { ulid, filename, contentType } of material.attachments) {
      const size = await blobs.size(ulid);
      if (size === null) throw new DeskError('not_found', `The attachment ${filename} is missing.`);
      attachments.push({ filename, contentType, content: await new Response(blobs.read(ulid, 0, size - 1)).bytes() });
    }
    const { forwarded } = material;
    if (forwarded) {
      const content = await originalOf(forwarded);
      attachments.push({ filename: 'original.eml', contentType: 'message/rfc822', content });
    }
    const sent = await transport.send(mailOf(material, mail, attachments));
    if (sent === null) return null;
    return {
      result: (now) => judgeMail(material.delivery, sent.ended, now),
      responseStatus: sent.ended.kind === 'rejected' ? sent.ended.code : null,
      responseExcerpt: sent.response ?? '',
      error: sent.error,
    };
  }

  /** A stranger wrote it: it is put together by the reader. */
  async function originalOf({ ulid, provider, headers }: NonNullable<DeliveryMaterial['forwarded']>): Promise<Buffer> {
    const stored = await mailBlobs.local(ulid);
    if (stored === null) throw new DeskError('not_found', 'The original of this mail is gone.');
    const target = join(mailBlobs.staging, randomSecret('part'));
    try {
      const input = { provider, headers, path: stored.path, target };
      await reader.run('original message', input, { budget: mailBudget, isLarge: true });
      return await readFile(target);
    } finally {
      await rm(target, { force: true });
      await stored.release();
    }
  }

  function judgeMail({ tries, firstTriedAt }: Delivery, ended: MailAttempt, now: Instant): AttemptResult {
    return judgeMailAttempt(ended, {
      attemptNumber: tries + 1,
      firstTriedAt: firstTriedAt ?? now,
      now,
      random: random(),
    });
  }

  const tries = () => tally.delivered + tally.retry + tally.failed;

  return {
    wake,
    tally,
    async runDue() {
      const before = tries();
      isImpatient = true;
      for (;;) {
        // One that is under way may have begun before what is due now was.
        await pumping;
        await pump();
        if (under.size === 0) break;
        await Promise.race(under);
      }
      isImpatient = false;
      return tries() - before;
    },
    async stop() {
      isStopped = true;
      stopping.resolve();
      if (timer !== null) clearTimeout(timer.id);
      transport.giveUp();
      await pumping;
      // A mail server may think for minutes: what it has not answered by then is taken up by the next start.
      const patience = Promise.withResolvers<void>();
      const giveUp = setTimeout(() => {
        log.warn({ inFlight: under.size }, 'deliveries were left unanswered');
        patience.resolve();
      }, drainMs);
      await Promise.race([Promise.allSettled([...under]), patience.promise]);
      clearTimeout(giveUp);
      transport.close();
    },
  };
}

function isStorageFault(error: unknown): boolean {
  const refusal = asUnavailable(error);
  return refusal instanceof DeskError && refusal.code === 'unavailable';
}

/** Begins to deliver. */
export async function startDispatcher(options: DispatcherOptions): Promise<Dispatcher> {
  const dispatcher = createDispatcher(options);
  const { desk } = options;
  await takeUp(desk);
  desk.writer.onCommit(dispatcher.wake);
  dispatcher.wake();
  return dispatcher;
}

/**
 * Lets go of what a process that has died had claimed.
 * @param isOver whether what the process of this name had in its hands is over; beginning anew, also one's own
 */
export async function takeUp(desk: Desk, isOver: (name: string) => boolean = hasEnded): Promise<void> {
  await desk.write((tx) => takeOver(tx, isOver));
}
