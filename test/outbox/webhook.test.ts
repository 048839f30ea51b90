// Signatures as a receiver checks them: with the standardwebhooks library, or with an HMAC by hand.

import { expect, test } from 'bun:test';
import { createHmac, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { signingSecretOf } from '../../src/domain/outbox/channel.ts';
import { defaultHeaderPrefix } from '../../src/domain/outbox/header-prefix.ts';
import { webhookHeaders } from '../../src/outbox/webhook-signature.ts';

const body = '{"event":"ticket.created","title":"Grüße 👋"}';
const delivery = () => ({ event: 'ticket.created', deliveryId: '01J8ZQ4T5M', body, at: Date.now() });
const hexBy = (secret: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
const [secret, older, foreign] = [24, 32, 64].map((length) => signingSecretOf(randomBytes(length))) as [
  string,
  string,
  string,
];

test('a receiver verifies a delivery with the library and with its own HMAC', () => {
  const headers = webhookHeaders(delivery(), [secret], defaultHeaderPrefix);
  expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  expect(headers['X-Helpdesk-Signature']).toBe(hexBy(secret));
  expect(headers).toMatchObject({
    'X-Helpdesk-Event': 'ticket.created',
    'X-Helpdesk-Delivery': '01J8ZQ4T5M',
    'webhook-id': '01J8ZQ4T5M',
  });
});

test('while a secret is rotated, a library with either secret verifies, and one signature by hand is that of the newest', () => {
  const headers = webhookHeaders(delivery(), [secret, older], defaultHeaderPrefix);
  for (const known of [secret, older]) expect(new Webhook(known).verify(body, headers)).toEqual(JSON.parse(body));
  expect(headers['X-Helpdesk-Signature']).toBe(hexBy(secret));
});

test('a prefix names the headers for event, delivery and signature, and no other', () => {
  const own = webhookHeaders(delivery(), [secret], defaultHeaderPrefix);
  const other = webhookHeaders(delivery(), [secret], 'X-Escalated');
  expect(Object.keys(other)).toEqual(Object.keys(own).map((name) => name.replace('X-Helpdesk', 'X-Escalated')));
  expect(other).toMatchObject({
    'X-Escalated-Event': 'ticket.created',
    'X-Escalated-Delivery': '01J8ZQ4T5M',
    'X-Escalated-Signature': hexBy(secret),
  });
});

test('a changed body, id, time or secret does not verify', () => {
  const headers = webhookHeaders(delivery(), [secret, older], defaultHeaderPrefix);
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
