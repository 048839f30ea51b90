// Push subscriptions on the wire: a device is shown as its session is.

import * as z from 'zod';
import { toWire } from '../../../base/clock.ts';
import type { PushSubscription } from '../../../store/people/push-subscriptions.ts';
import type { Session } from '../../../store/people/sessions.ts';
import { id, maybeTime, named, time } from '../shapes.ts';

export const pushSubscriptionShape = named(
  'PushSubscription',
  z.object({
    id: id(),
    browser: z.string().nullable(),
    system: z.string().nullable(),
    is_current: z.boolean().meta({ description: 'Whether it is of the browser that asks.' }),
    last_delivered_at: maybeTime(),
    last_error: z
      .string()
      .nullable()
      .meta({ description: 'Why the last push did not arrive.', examples: ['answered 403'] }),
    created_at: time(),
  }),
);

export function presentPushSubscription(
  subscription: PushSubscription,
  { browser, system }: Pick<Session, 'browser' | 'system'>,
  currentId: number,
) {
  return {
    id: subscription.id,
    browser,
    system,
    is_current: subscription.sessionId === currentId,
    last_delivered_at: toWire(subscription.lastDeliveredAt),
    last_error: subscription.lastError,
    created_at: toWire(subscription.createdAt),
  };
}
