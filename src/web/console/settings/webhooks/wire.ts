// Webhook channels as the desk answers them.

import type * as z from 'zod';
import type { channelShape, deliveryShape } from '../../../../http/wire/outbox/channel.ts';

export type Channel = z.output<typeof channelShape>;
export type Delivery = z.output<typeof deliveryShape>;
