// Signing a webhook: the hex header of docs/spec/api.md#outgoing-webhooks and the three headers of the Standard Webhooks specification.

import { createHmac } from 'node:crypto';
import { headerNames } from '../domain/header-prefix.ts';

const prefix = 'whsec_';

/** A signing secret, `whsec_` and the base64 of 24 to 64 random bytes, as Standard Webhooks libraries take it. */
export function signingSecretOf(random: Uint8Array): string {
  if (random.length < 24 || random.length > 64) throw new RangeError('A signing secret has 24 to 64 bytes.');
  return prefix + Buffer.from(random).toString('base64');
}

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
      .map((secret) => `v1,${createHmac('sha256', keyOf(secret)).update(signed).digest('base64')}`)
      .join(' '),
  };
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret, 'base64');
}

/** The headers of a chat platform's webhook, whose URL is its only credential. */
export function chatHeaders(): Record<string, string> {
  return { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'Helpdesk-Webhook' };
}
