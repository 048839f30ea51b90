// Webhook channels: the platforms that a site can send events to, and the secrets that sign what is sent.

export const channelTypes = ['slack', 'discord', 'teams', 'custom'] as const;
export type ChannelType = (typeof channelTypes)[number];

const secretPrefix = 'whsec_';
export const signingSecretPattern = new RegExp(`^${secretPrefix}[A-Za-z0-9+/=]{32,200}$`);

/** `whsec_` and the base64 of 24 to 64 random bytes, the format of Standard Webhooks. */
export function signingSecretOf(random: Uint8Array): string {
  if (random.length < 24 || random.length > 64) throw new RangeError('A signing secret has 24 to 64 bytes.');
  return secretPrefix + Buffer.from(random).toString('base64');
}

export function signingKeyOf(secret: string): Buffer {
  return Buffer.from(secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret, 'base64');
}

/** Without the path, which is the secret on chat platforms. */
export function maskedUrl(text: string): string {
  return `${new URL(text).origin}/…`;
}
