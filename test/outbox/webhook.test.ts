// Signatures as a receiver checks them: with the standardwebhooks library, or with an HMAC by hand.

import { expect, test } from 'bun:test';
import { createHmac, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { signingSecretOf, webhookHeaders } from '../../src/outbox/webhook.ts';

const body = '{"event":"ticket.created","title":"Grüße 👋"}';
const delivery = () => ({ event: 'ticket.created', deliveryId: '01J8ZQ4T5M', body, at: Date.now() });
const hexBy = (secret: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
const [secret, older, foreign] = [24, 32, 64].map((length) => signingSecretOf(randomBytes(length))) as [
  string,
  string,
  string,
];

test('a receiver verifies a delivery with the library and with its own HMAC', () => {
  const headers = webhookHeaders(delivery(), [secret]);
  expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  expect(headers['x-helpdesk-signature']).toBe(hexBy(secret));
  expect(headers).toMatchObject({
    'x-helpdesk-event': 'ticket.created',
    'x-helpdesk-delivery': '01J8ZQ4T5M',
    'webhook-id': '01J8ZQ4T5M',
  });
});

test('while a secret is rotated, receivers with either secret verify', () => {
  const headers = webhookHeaders(delivery(), [secret, older]);
  for (const known of [secret, older]) expect(new Webhook(known).verify(body, headers)).toEqual(JSON.parse(body));
  expect(headers['x-helpdesk-signature']).toBe(`${hexBy(secret)},${hexBy(older)}`);
});

test('a changed body, id, time or secret does not verify', () => {
  const headers = webhookHeaders(delivery(), [secret, older]);
  const isVerified = (with_: Record<string, string>, text = body, by = secret) => {
    try {
      return new Webhook(by).verify(text, { ...headers, ...with_ }) !== undefined;
    } catch {
      return false;
    }
  };
  expect(isVerified({})).toBe(true);
  expect(isVerified({}, body.replace('created', 'deleted'))).toBe(false);
  expect(isVerified({ 'webhook-id': 'other' })).toBe(false);
  expect(isVerified({ 'webhook-timestamp': String(Math.floor(Date.now() / 1000) + 1) })).toBe(false);
  expect(isVerified({}, body, foreign)).toBe(false);
});

test('a secret of too few or too many bytes is not made', () => {
  expect(() => signingSecretOf(randomBytes(23))).toThrow(RangeError);
  expect(() => signingSecretOf(randomBytes(65))).toThrow(RangeError);
});
