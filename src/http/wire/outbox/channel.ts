// Webhook channels and their deliveries on the wire.

import * as z from 'zod';
import { toWire } from '../../../base/clock.ts';
import type { Seal } from '../../../base/crypto.ts';
import type { DeliveryMaterial } from '../../../desk/outbox/content.ts';
import type { LoggedDelivery } from '../../../desk/outbox/log.ts';
import { type WebhookEvent, webhookEvents } from '../../../domain/event.ts';
import { channelTypes, maskedUrl } from '../../../domain/outbox/channel.ts';
import { deliveryStatuses } from '../../../domain/outbox/delivery.ts';
import type { Channel } from '../../../store/sites/catalogue.ts';
import { presenter } from '../presenter.ts';
import { id, maybeTime, named, time } from '../shapes.ts';

export const channelShape = named(
  'WebhookChannel',
  z.object({
    id: id(),
    name: z.string(),
    type: z.enum(channelTypes),
    webhook_url: z.string(),
    events: z.array(z.enum(webhookEvents)),
    header_prefix: z
      .string()
      .nullable()
      .meta({ description: 'Only for custom channels; otherwise null.', examples: ['X-Helpdesk'] }),
    include_test: z.boolean().meta({ description: 'Whether it also gets the events of test tickets.' }),
    is_active: z.boolean(),
    consecutive_failures: z.int(),
    disabled_at: maybeTime(),
    disabled_reason: z.string().nullable(),
    last_delivery_at: maybeTime(),
    created_at: time(),
    signing_secret: z.string().optional(),
  }),
);

export const presentChannel = presenter(channelShape, (channel: Channel, seal: Seal, mayManage: boolean) => {
  const url = seal.open(channel.webhookUrlSealed);
  return {
    webhook_url: mayManage ? url : maskedUrl(url),
    events: channel.events as WebhookEvent[],
    header_prefix: channel.type === 'custom' ? channel.headerPrefix : null,
  };
});

/** A receiver's answer without the secret parts of its URL, which servers often repeat in a 404. */
function maskedAnswer(text: string, url: string): string {
  const { pathname, searchParams } = new URL(url);
  const parts = [...pathname.split('/'), ...searchParams.values()];
  return [...parts, ...parts.map(decodedPart)]
    .filter((part) => part.length >= 4)
    .reduce((masked, part) => masked.replaceAll(part, '…'), text);
}

function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const deliveryShape = z
  .object({
    id: z.int(),
    ulid: z.string(),
    event: z.string(),
    status: z.enum(deliveryStatuses),
    ticket_id: z.int().nullable(),
    next_attempt_at: z.iso.datetime().nullable(),
    request: z
      .object({ method: z.literal('POST'), url: z.string(), body: z.string() })
      .nullable()
      .meta({ description: 'The request as the desk would compose it now; null when its source no longer exists.' }),
    finished_at: z.iso.datetime().nullable(),
    last_error: z.string().nullable(),
    created_at: z.iso.datetime(),
    attempts: z.array(
      z.object({
        at: z.iso.datetime(),
        duration_ms: z.int(),
        response_status: z.int().nullable(),
        response_excerpt: z.string(),
        error: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'Delivery' });

/** @param body null for mail, and when the source of the delivery no longer exists */
export function presentDelivery(
  { delivery, attempts }: LoggedDelivery,
  material: DeliveryMaterial | null,
  body: string | null,
  mayManage: boolean,
) {
  const whole = material?.webhookUrl ?? null;
  const url = whole === null || mayManage ? whole : maskedUrl(whole);
  const request = url === null || body === null ? null : { method: 'POST' as const, url, body };
  return {
    id: delivery.id,
    ulid: delivery.ulid,
    event: delivery.event,
    status: delivery.status,
    ticket_id: delivery.ticketId,
    next_attempt_at: toWire(delivery.nextAt),
    request,
    finished_at: toWire(delivery.finishedAt),
    last_error: delivery.lastError,
    created_at: toWire(delivery.createdAt),
    attempts: attempts.map((attempt) => ({
      at: toWire(attempt.at),
      duration_ms: attempt.durationMs,
      response_status: attempt.responseStatus,
      response_excerpt:
        mayManage || whole === null ? attempt.responseExcerpt : maskedAnswer(attempt.responseExcerpt, whole),
      error: attempt.error,
    })),
  };
}
