// The token in the address of a ticket.

/** Takes it out of the address, so that it is not in the history, nor copied with it. Null where there is none. */
export function takeToken(): string | null {
  const token = location.hash.slice(1);
  // The page's own anchors.
  if (token === '' || token === 'content' || token.startsWith('m-')) return null;
  history.replaceState(null, '', location.pathname + location.search);
  return token;
}

export function ticketInPath(): string {
  return location.pathname.split('/')[2] ?? '';
}
