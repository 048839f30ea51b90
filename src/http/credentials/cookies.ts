// The desk's cookies: their names, attributes, and how a request's are read.

const isSecure = (baseUrl: string) => baseUrl.startsWith('https:');

/** Browsers refuse a `__Host-` cookie from a sibling host or from plain http. */
const prefixOf = (baseUrl: string) => (isSecure(baseUrl) ? '__Host-helpdesk' : 'helpdesk');

const attributes = (baseUrl: string) => `Path=/; HttpOnly; SameSite=Lax${isSecure(baseUrl) ? '; Secure' : ''}`;

/** @param name what follows `helpdesk` in the name */
export function cookie(baseUrl: string, name: string, secret: string, livesMs: number): string {
  return `${prefixOf(baseUrl)}${name}=${secret}; Max-Age=${livesMs / 1000}; ${attributes(baseUrl)}`;
}

export function endedCookie(baseUrl: string, name: string): string {
  return `${prefixOf(baseUrl)}${name}=; Max-Age=0; ${attributes(baseUrl)}`;
}

/**
 * The cookies whose name begins like this, by the rest of the name. Two different ones of one name count as none: on plain
 * http, a sibling host can add one that it chose.
 */
export function cookiesIn(baseUrl: string, header: string | undefined, beginning: string): Map<string, string> {
  const found = new Map<string, string>();
  const start = `${prefixOf(baseUrl)}${beginning}`;
  for (const part of (header ?? '').split(';')) {
    const pair = part.trim();
    const at = pair.indexOf('=');
    if (at === -1 || !pair.startsWith(start) || at < start.length) continue;
    const rest = pair.slice(start.length, at);
    const value = pair.slice(at + 1);
    const known = found.get(rest);
    found.set(rest, known === undefined || known === value ? value : '');
  }
  for (const [rest, value] of found) if (value === '') found.delete(rest);
  return found;
}

export function cookieIn(baseUrl: string, header: string | undefined, name: string): string | null {
  return cookiesIn(baseUrl, header, name).get('') ?? null;
}
