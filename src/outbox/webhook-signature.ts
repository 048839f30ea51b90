// Signing a webhook: the hex header of docs/spec/api.md#outgoing-webhooks and the three headers of the Standard Webhooks specification.

import { createHmac } from 'node:crypto';
import { signingKeyOf } from '../domain/channel.ts';
import { headerNames } from '../domain/header-prefix.ts';

/**
 * The headers of one try. `secrets` are the channel's, the newest first: two while one is rotated, and `webhook-signature`
 * then carries both. `deliveryId` stays the same over all tries, `at` (epoch milliseconds) is this try's.
 *
 * The two schemes take different keys from one secret: Standard Webhooks the bytes that the base64 stands for, as its
 * specification says; the header under the channel's prefix takes the secret's text as the desk showed it, prefix included, since that is
 * what somebody who calls their language's HMAC function by hand has at hand.
 */
export function webhookHeaders(
  delivery: { event: string; deliveryId: string; body: string; at: number },
  secrets: readonly string[],
  prefix: string,
): Record<string, string> {
  const names = headerNames(prefix);
  const [newest] = secrets;
  if (newest === undefined) throw new RangeError('A delivery is signed with one secret at least.');
  const timestamp = String(Math.floor(delivery.at / 1000));
  const signed = `${delivery.deliveryId}.${timestamp}.${delivery.body}`;
  return {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Helpdesk-Webhook',
    [names.event]: delivery.event,
    [names.delivery]: delivery.deliveryId,
    // One value, which receivers compare as it is: that of the newest secret.
    [names.signature]: `sha256=${createHmac('sha256', newest).update(delivery.body).digest('hex')}`,
    'webhook-id': delivery.deliveryId,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets
      .map((secret) => `v1,${createHmac('sha256', signingKeyOf(secret)).update(signed).digest('base64')}`)
      .join(' '),
  };
}

/** The headers of a chat platform's webhook, whose URL is its only credential. */
export function chatHeaders(): Record<string, string> {
  return { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'Helpdesk-Webhook' };
}
