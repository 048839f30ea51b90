// Push subscriptions on the wire: a device is shown as its session is.

import * as z from 'zod';
import type { PushSubscription } from '../../../store/people/push-subscriptions.ts';
import type { Session } from '../../../store/people/sessions.ts';
import { presenter } from '../presenter.ts';
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

export const presentPushSubscription = presenter(
  pushSubscriptionShape,
  ({ sessionId }: PushSubscription, { browser, system }: Pick<Session, 'browser' | 'system'>, currentId: number) => ({
    browser,
    system,
    is_current: sessionId === currentId,
  }),
);
