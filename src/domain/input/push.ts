// Input about push subscriptions, in the names of `PushSubscription.toJSON()`.

import * as z from 'zod';

const longestEndpoint = 2000;

function isPlainHttps(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return protocol === 'https:' && username === '' && password === '';
}

const isOf = (bytes: number) => (text: string) => Buffer.from(text, 'base64url').length === bytes;

export const pushSubscriptionInput = z.object({
  endpoint: z
    .string()
    .max(longestEndpoint)
    .refine(isPlainHttps, { error: 'must be an https URL without a password.' })
    .meta({ examples: ['https://push.example.org/send/1'] }),
  keys: z
    .object({
      p256dh: z.string().max(100).refine(isOf(65), { error: 'must be 65 bytes, as base64url.' }),
      auth: z.string().max(30).refine(isOf(16), { error: 'must be 16 bytes, as base64url.' }),
    })
    .meta({
      examples: [
        {
          p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
          auth: 'BTBZMqHH6r4Tts7J_aSIgg',
        },
      ],
    }),
});
export type PushSubscriptionInput = z.output<typeof pushSubscriptionInput>;

/** Where pushes to a browser go, and the keys that they are encrypted with. */
export type PushTarget = { endpoint: string } & PushSubscriptionInput['keys'];
