// Takes what is due out of the outbox and delivers it: bounded, fair between channels, in order for each ticket.

import { type Instant, monotonicMs } from '../base/clock.ts';
import { randomBelow } from '../base/crypto.ts';
import { errorFields, type Log } from '../base/log.ts';
import type { Desk } from '../desk/desk.ts';
import { type DeliveryMaterial, loadDelivery, recordAttempt, type Tried, takeDue } from '../desk/outbox.ts';
import { judgeMailTry, judgeWebhookTry, type Verdict } from '../domain/delivery.ts';
import { DeskError } from '../domain/errors.ts';
import type { Blobs } from '../files/blobs.ts';
import type { MailAttachment } from '../mail/compose.ts';
import { deliveriesDue, lanesDue, nextDeliveryAt, releaseClaims } from '../store/outbox.ts';
import type { MailTransport } from './email.ts';
import { formatNotification } from './formats.ts';
import { type Guard, guardedFetch } from './guarded-fetch.ts';
import { type MailSettings, mailOf, notificationOf } from './material.ts';
import { chatHeaders, webhookHeaders } from './webhook.ts';

export interface DispatcherOptions {
  desk: Desk;
  blobs: Blobs;
  /** The stored requests of mail that arrived. */
  mailBlobs: Blobs;
  log: Log;
  guard: Guard;
  transport: MailTransport;
  mail: MailSettings;
  retryDelaysMs: readonly number[];
}

export interface Dispatcher {
  /** Looks at once whether anything is due. */
  wake(): void;
  /** Delivers what is due until nothing is; answers how many tries were made. */
  runDue(): Promise<number>;
  /** Takes nothing more, and waits for what is in flight. */
  stop(): Promise<void>;
}

/** A channel's id, or null for mail. */
type Lane = number | null;

// A channel that works may have this many requests under way; one that has not proven itself, or fails, a single one,
// so that however many are dead they hold no place that a healthy one needs.
const healthyLaneSize = 8;
const mailLaneSize = 4;
const healthyPoolSize = 64;
const failingPoolSize = 256;

// Longer than any try: only a process that has died leaves a claim to run out.
const mailClaimMs = 15 * 60_000;
const longestSleepMs = 60_000;
const quietMs = 3;

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { desk, blobs, mailBlobs, log, guard, transport, mail, retryDelaysMs } = options;
  const inFlight = new Map<Lane, number>();
  const isHealthy = new Map<Lane, boolean>();
  const under = new Set<Promise<void>>();
  let isStopped = false;
  let isPumping = false;
  let isWoken = false;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let pool = { healthy: 0, failing: 0 };
  let tries = 0;

  const claimMs = guard.timeoutMs * 2 + 5_000;
  const random = () => randomBelow(1_000_000) / 1_000_000;

  function room(lane: Lane): number {
    const busy = inFlight.get(lane) ?? 0;
    if (lane === null) return mailLaneSize - busy;
    return isHealthy.get(lane)
      ? Math.min(healthyLaneSize - busy, healthyPoolSize - pool.healthy)
      : Math.min(1 - busy, failingPoolSize - pool.failing);
  }

  async function pump(): Promise<void> {
    if (isPumping) {
      isWoken = true;
      return;
    }
    isPumping = true;
    try {
      do {
        isWoken = false;
        const lanes = desk.read((tx) => lanesDue(tx, desk.now())).filter((lane) => room(lane) > 0);
        const waiting = lanes.filter((lane) => desk.read((tx) => deliveriesDue(tx, lane, desk.now(), 1)).length > 0);
        if (isStopped || waiting.length === 0) break;
        const ctx = desk.context({ kind: 'operator' }, 'outbox');
        const taken = await desk.write((tx) =>
          waiting.flatMap((lane) =>
            takeDue(tx, ctx, lane, Math.max(0, room(lane)), lane === null ? mailClaimMs : claimMs).map((id) => ({
              lane,
              id,
            })),
          ),
        );
        for (const { lane, id } of taken) start(lane, id);
      } while (isWoken);
    } catch (error) {
      log.error(errorFields(error), 'outbox could not be read');
    } finally {
      isPumping = false;
    }
    sleep();
  }

  /** Until the next delivery falls due; a wake that is lost costs a minute at most. */
  function sleep(): void {
    if (isStopped) return;
    if (timer !== null) clearTimeout(timer);
    const now = desk.now();
    const next = desk.read((tx) => nextDeliveryAt(tx, now) ?? Number.POSITIVE_INFINITY);
    timer = setTimeout(pump, Math.max(quietMs, Math.min(next - now, longestSleepMs)));
  }

  function start(lane: Lane, id: number): void {
    const isOfHealthy = lane !== null && isHealthy.get(lane) === true;
    inFlight.set(lane, (inFlight.get(lane) ?? 0) + 1);
    if (lane !== null)
      pool = isOfHealthy ? { ...pool, healthy: pool.healthy + 1 } : { ...pool, failing: pool.failing + 1 };
    const work = deliver(lane, id)
      .catch((error) => log.error(errorFields(error), 'a try could not be recorded'))
      .finally(() => {
        const left = (inFlight.get(lane) ?? 1) - 1;
        if (left > 0) inFlight.set(lane, left);
        else inFlight.delete(lane);
        if (lane !== null)
          pool = isOfHealthy ? { ...pool, healthy: pool.healthy - 1 } : { ...pool, failing: pool.failing - 1 };
        under.delete(work);
        if (!isStopped) wake();
      });
    under.add(work);
  }

  async function deliver(lane: Lane, id: number): Promise<void> {
    const ctx = desk.context({ kind: 'operator' }, 'outbox');
    const material = desk.read((tx) => loadDelivery(tx, ctx, id));
    if (!material) return;
    const startedAt = monotonicMs();
    const tried = await attempt(material);
    tries += 1;
    const verdict = tried.verdict(desk.now());
    if (lane !== null) isHealthy.set(lane, verdict.outcome === 'delivered');
    const { responseStatus, responseExcerpt, error } = tried;
    const done: Tried = {
      deliveryId: id,
      verdict,
      durationMs: monotonicMs() - startedAt,
      responseStatus,
      responseExcerpt,
      error,
    };
    await desk.write((tx) => {
      recordAttempt(tx, desk.context({ kind: 'operator' }, 'outbox'), done);
      return null;
    });
    const fields = {
      delivery: material.delivery.ulid,
      event: material.delivery.event,
      channel: lane,
      outcome: verdict.outcome,
    };
    if (verdict.outcome === 'delivered') log.debug(fields, 'delivered');
    else log.warn({ ...fields, status: responseStatus }, 'not delivered');
  }

  interface Outcome {
    verdict: (now: Instant) => Verdict;
    responseStatus: number | null;
    responseExcerpt: string;
    error: string | null;
  }

  async function attempt(material: DeliveryMaterial): Promise<Outcome> {
    try {
      return material.delivery.channelId === null ? await sendMail(material) : await sendWebhook(material);
    } catch (error) {
      // What cannot even be composed will not be better tomorrow, and must not stand in the way of what comes after it.
      if (!(error instanceof DeskError))
        log.error({ delivery: material.delivery.ulid, ...errorFields(error) }, 'a delivery could not be composed');
      const reason = error instanceof DeskError ? error.message : 'It could not be composed.';
      return {
        verdict: () => ({ outcome: 'failed', isGone: false }),
        responseStatus: null,
        responseExcerpt: '',
        error: reason,
      };
    }
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
          )
        : chatHeaders();
    const answer = await guardedFetch({ method: 'POST', url: channel.webhookUrl, headers, body }, guard);
    return {
      // A test is tried once: whoever asked for it wants to know now.
      verdict: (now) =>
        judgeWebhookTry(answer.ended, {
          tryNumber: delivery.tries + 1,
          now,
          random: random(),
          retryDelaysMs: delivery.event === 'channel.test' ? [] : retryDelaysMs,
        }),
      responseStatus: answer.ended.kind === 'answered' ? answer.ended.status : null,
      responseExcerpt: answer.excerpt,
      error: answer.error,
    };
  }

  async function sendMail(material: DeliveryMaterial): Promise<Outcome> {
    const attachments: MailAttachment[] = [];
    for (const { ulid, filename, contentType } of material.attachments) {
      const size = await blobs.size(ulid);
      if (size === null) throw new DeskError('not_found', `The attachment ${filename} is missing.`);
      attachments.push({ filename, contentType, content: await new Response(blobs.read(ulid, 0, size - 1)).bytes() });
    }
    const { forwarded } = material;
    if (forwarded) {
      const size = await mailBlobs.size(forwarded.ulid);
      if (size === null) throw new DeskError('not_found', 'The original of this mail is gone.');
      const isMime = forwarded.provider === 'raw' || forwarded.provider === 'cloudflare';
      attachments.push({
        filename: isMime ? 'original.eml' : 'original.txt',
        contentType: isMime ? 'message/rfc822' : 'text/plain',
        content: await new Response(mailBlobs.read(forwarded.ulid, 0, size - 1)).bytes(),
      });
    }
    const sent = await transport.send(mailOf(material, mail, attachments));
    const { delivery } = material;
    return {
      verdict: (now) =>
        judgeMailTry(sent.ended, {
          tryNumber: delivery.tries + 1,
          firstTriedAt: delivery.firstTriedAt ?? now,
          now,
          random: random(),
        }),
      responseStatus: sent.ended.kind === 'rejected' ? sent.ended.code : null,
      responseExcerpt: sent.response ?? '',
      error: sent.error,
    };
  }

  let isScheduled = false;
  /** Many commits in a moment are one look. */
  function wake(): void {
    if (isScheduled || isStopped) return;
    isScheduled = true;
    setTimeout(() => {
      isScheduled = false;
      void pump();
    }, quietMs);
  }

  return {
    wake,
    async runDue() {
      const before = tries;
      for (;;) {
        await pump();
        if (under.size === 0) break;
        await Promise.race(under);
      }
      return tries - before;
    },
    async stop() {
      isStopped = true;
      if (timer !== null) clearTimeout(timer);
      await Promise.allSettled([...under]);
      transport.close();
    },
  };
}

/** Begins to deliver, after letting go of what a process that has died had claimed. */
export async function startDispatcher(options: DispatcherOptions): Promise<Dispatcher> {
  const dispatcher = createDispatcher(options);
  await options.desk.write((tx) => releaseClaims(tx));
  options.desk.writer.onCommit(dispatcher.wake);
  dispatcher.wake();
  return dispatcher;
}
