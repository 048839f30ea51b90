// Which tickets the palette asks for.

const most = 8;

/** `email` finds all of a customer, `q` takes words, `#41` and ulids. */
export function ticketQuery(typed: string, siteId: number | null): string {
  const wanted = typed.trim();
  const isAddress = /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(wanted);
  const query = new URLSearchParams(isAddress ? { email: wanted } : { q: wanted });
  if (siteId !== null) query.set('site_id', String(siteId));
  query.set('per_page', String(most));
  return `/tickets?${query}`;
}
