// What the names of a custom channel's own headers begin with: a receiver written for another sender reads them as that one's.

export const defaultHeaderPrefix = 'X-Helpdesk';

const maxCharacters = 64;
// RFC 9110, token.
const token = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
// Families of headers that mean something to clients, proxies and servers on the way.
const takenFamilies = new Set([
  ...['accept', 'access', 'authorization', 'cache', 'connection', 'content', 'cookie', 'expect', 'forwarded', 'host'],
  ...['keep', 'proxy', 'sec', 'set', 'te', 'trailer', 'transfer', 'upgrade', 'user', 'via'],
]);

/** The names of the headers that tell event, delivery and signature. */
export function headerNames(prefix: string): { event: string; delivery: string; signature: string } {
  return { event: `${prefix}-Event`, delivery: `${prefix}-Delivery`, signature: `${prefix}-Signature` };
}

/** What is wrong with a prefix, as `fieldMessage` takes it; null when nothing is. */
export function headerPrefixProblem(prefix: string): string | null {
  if (prefix.length === 0) return 'is required.';
  if (prefix.length > maxCharacters) return `may have at most ${maxCharacters} characters.`;
  if (!token.test(prefix))
    return 'may have letters, digits and the other characters of header names, such as X-Helpdesk.';
  if (prefix.endsWith('-')) return 'may not end in a hyphen, which the desk puts behind it.';
  const family = prefix.toLowerCase().split('-')[0] ?? '';
  if (takenFamilies.has(family)) return 'may not begin as a standard header of HTTP does.';
  // Webhook-Signature is the one of the Standard Webhooks specification.
  if (prefix.toLowerCase() === 'webhook') return 'may not make the names that Standard Webhooks has.';
  return null;
}
