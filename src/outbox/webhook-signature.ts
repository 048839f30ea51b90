// Signs webhooks: the hex signature of docs/spec/api.md#outgoing-webhooks and the three Standard Webhooks headers.

import { createHmac } from 'node:crypto';
import { signingKeyOf } from '../domain/outbox/channel.ts';
import { headerNames } from '../domain/outbox/header-prefix.ts';

/** `secrets`, newest first. Standard Webhooks keys are decoded base64; the prefixed header uses the whole secret. */
export function webhookHeaders(
  delivery: { event: string; deliveryId: string; body: string; at: number },
  secrets: readonly string[],
  prefix: string,
): Record<string, string> {
  const names = headerNames(prefix);
  const [newest] = secrets;
  if (newest === undefined) throw new RangeError('A delivery needs at least one signing secret.');
  const timestamp = String(Math.floor(delivery.at / 1000));
  const signed = `${delivery.deliveryId}.${timestamp}.${delivery.body}`;
  return {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Helpdesk-Webhook',
    [names.event]: delivery.event,
    [names.delivery]: delivery.deliveryId,
    // Receivers compare this value as it is, so only the newest secret signs it.
    [names.signature]: `sha256=${createHmac('sha256', newest).update(delivery.body).digest('hex')}`,
    'webhook-id': delivery.deliveryId,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets
      .map((secret) => `v1,${createHmac('sha256', signingKeyOf(secret)).update(signed).digest('base64')}`)
      .join(' '),
  };
}

export function chatHeaders(): Record<string, string> {
  return { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'Helpdesk-Webhook' };
}
