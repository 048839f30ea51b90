// The answers of a browser about a passkey, checked for shape and size before anything decodes them.

import * as z from 'zod';

const base64url = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[A-Za-z0-9_-]+$/);

const transports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

// 1023 bytes is the longest id that the standard allows.
const credentialId = base64url(1364);
const clientDataJSON = base64url(8192);
const envelope = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  authenticatorAttachment: z
    .enum(['platform', 'cross-platform'])
    .nullish()
    .transform(() => undefined),
  clientExtensionResults: z.unknown().transform(() => ({})),
};

const registration = z.object({
  ...envelope,
  response: z.object({
    clientDataJSON,
    attestationObject: base64url(32_768),
    transports: z
      .array(z.string())
      .max(20)
      .nullish()
      .transform((names) => transports.filter((name) => names?.includes(name))),
  }),
});

const signIn = z.object({
  ...envelope,
  response: z.object({
    clientDataJSON,
    authenticatorData: base64url(4096),
    signature: base64url(4096),
    userHandle: base64url(88)
      .nullish()
      .transform((handle) => handle ?? undefined),
  }),
});

export type PasskeyRegistration = z.output<typeof registration>;
export type PasskeySignIn = z.output<typeof signIn>;

export function readRegistration(answer: unknown): PasskeyRegistration | null {
  return registration.safeParse(answer).data ?? null;
}

export function readSignIn(answer: unknown): PasskeySignIn | null {
  return signIn.safeParse(answer).data ?? null;
}
