// One attempt to deliver: load, send, judge, and report the result to the lane, the tally and the log.

import { monotonicMs } from '../../base/clock.ts';
import { errorFields, type Log } from '../../base/log.ts';
import type { Context } from '../../desk/context.ts';
import type { Desk } from '../../desk/desk.ts';
import { type Attempted, moveToLine } from '../../desk/outbox/attempts.ts';
import { type DeliveryMaterial, loadDelivery } from '../../desk/outbox/content.ts';
import { DeskError } from '../../domain/errors.ts';
import type { AttemptResult } from '../../domain/outbox/delivery.ts';
import { asUnavailable } from '../../engine/refusals.ts';
import { isMailLane, isPushLane, type Lane, laneOfMailbox } from '../../store/outbox/lane.ts';
import type { Channel } from '../../store/sites/catalogue.ts';
import type { Claims } from './claims.ts';
import type { Lanes } from './lanes.ts';
import { notComposed, type Sent } from './senders.ts';

export type Tally = Record<AttemptResult['outcome'], number>;

export interface AttemptReport {
  kind: 'mail' | 'push' | Channel['type'];
  outcome: AttemptResult['outcome'];
  durationMs: number;
}

interface AttemptOptions {
  desk: Desk;
  log: Log;
  context: () => Context;
  lanes: Lanes;
  claims: Claims;
  send: (material: DeliveryMaterial) => Promise<Sent | null>;
  retryDelaysMs: readonly number[];
  tally: Tally;
  onAttempt?: ((report: AttemptReport) => void) | undefined;
}

// A channel that asks for fewer requests (429) gets no deliveries at all for as long as it asks, up to this limit.
const longestRestMs = 60_000;

export function createAttempts(options: AttemptOptions) {
  const { desk, log, context, lanes, claims, send, retryDelaysMs, tally, onAttempt } = options;

  function restMs(lane: Lane, result: AttemptResult, status: number | null): number {
    if (result.outcome !== 'retry' || (isMailLane(lane) && status !== null)) return 0;
    return status === 429 ? Math.min(result.at - desk.now(), longestRestMs) : (retryDelaysMs[0] ?? 0) / 10;
  }

  /** Null when there was nothing to attempt: the claim is then released. */
  async function sendOrRelease(
    lane: Lane,
    id: number,
  ): Promise<{ material: DeliveryMaterial | null; sent: Sent } | null> {
    let material: DeliveryMaterial | null = null;
    let sent: Sent | null;
    try {
      material = desk.read((tx) => loadDelivery(tx, context(), id));
      if (!material) return null;
      const mailboxId = material.through?.id ?? null;
      if (isMailLane(lane) && laneOfMailbox(mailboxId) !== lane) {
        await desk.write((tx) => moveToLine(tx, id, mailboxId));
        return null;
      }
      const isHeld = material.channel?.isActive === false && material.delivery.event !== 'channel.test';
      sent = isHeld ? null : await send(material);
    } catch (error) {
      // Nothing was sent: the delivery is due again when its claim expires.
      if (isStorageFault(error)) throw error;
      if (!(error instanceof DeskError))
        log.error(
          { delivery: material?.delivery.ulid ?? id, ...errorFields(error) },
          'a delivery could not be composed',
        );
      sent = notComposed(material, error);
    }
    if (sent !== null) return { material, sent };
    await claims.release([id]);
    return null;
  }

  return async (lane: Lane, id: number): Promise<Attempted | null> => {
    lanes.takeTurn(lane);
    const startedAt = monotonicMs();
    const done = await sendOrRelease(lane, id);
    if (done === null) return null;
    const { material, sent } = done;
    const { result: judge, ...told } = sent;
    const { responseStatus } = told;
    const result = judge(desk.now());
    const { outcome } = result;
    const durationMs = monotonicMs() - startedAt;
    tally[outcome] += 1;
    const kind = isPushLane(lane) ? 'push' : isMailLane(lane) ? 'mail' : (material?.channel?.type ?? 'custom');
    onAttempt?.({ kind, outcome, durationMs });
    lanes.report(lane, {
      // A mail server that refuses one mail works.
      isDelivered: outcome === 'delivered' || (isMailLane(lane) && responseStatus !== null),
      durationMs,
      restMs: restMs(lane, result, responseStatus),
    });
    const delivery = material === null ? { id } : { delivery: material.delivery.ulid, event: material.delivery.event };
    if (outcome === 'delivered') log.debug({ ...delivery, channel: lane, outcome }, 'delivered');
    else log.warn({ ...delivery, channel: lane, outcome, status: responseStatus }, 'not delivered');
    return { deliveryId: id, result, durationMs, ...told };
  };
}

function isStorageFault(error: unknown): boolean {
  const refusal = asUnavailable(error);
  return refusal instanceof DeskError && refusal.code === 'unavailable';
}
