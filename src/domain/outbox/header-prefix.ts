// The prefix of a custom channel's own headers, which a site can change to suit a receiver written for another sender.

export const defaultHeaderPrefix = 'X-Helpdesk';

const maxCharacters = 64;
const token = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
// Header families that mean something to clients, proxies and servers on the way.
const takenFamilies = new Set([
  ...['accept', 'access', 'authorization', 'cache', 'connection', 'content', 'cookie', 'expect', 'forwarded', 'host'],
  ...['keep', 'proxy', 'sec', 'set', 'te', 'trailer', 'transfer', 'upgrade', 'user', 'via'],
]);

export function headerNames(prefix: string): { event: string; delivery: string; signature: string } {
  return { event: `${prefix}-Event`, delivery: `${prefix}-Delivery`, signature: `${prefix}-Signature` };
}

export function headerPrefixProblem(prefix: string): string | null {
  if (prefix.length === 0) return 'is required.';
  if (prefix.length > maxCharacters) return `must have at most ${maxCharacters} characters.`;
  if (!token.test(prefix)) return 'must contain only characters that header names allow, such as X-Helpdesk.';
  if (prefix.endsWith('-')) return 'must not end in a hyphen, since the desk adds one.';
  const family = prefix.toLowerCase().split('-')[0] ?? '';
  if (takenFamilies.has(family)) return 'must not start like a standard HTTP header.';
  // Webhook-Signature belongs to the Standard Webhooks specification.
  if (prefix.toLowerCase() === 'webhook') return 'must not be Webhook, since Standard Webhooks uses those names.';
  return null;
}
