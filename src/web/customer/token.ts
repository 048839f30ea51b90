// The token in the address of a ticket.

/** Takes it out of the address, so that it is not in the history, nor copied with it. Null where there is none. */
export function takeToken(): string | null {
  const token = location.hash.slice(1);
  // The page's own anchors.
  if (token === '' || token === 'content' || token.startsWith('m-')) return null;
  history.replaceState(null, '', location.pathname + location.search);
  return token;
}

/** A link that is opened in a tab with the same ticket changes only what stands after the #, and loads no page. */
export function onToken(take: (token: string) => void): void {
  addEventListener('hashchange', () => {
    const token = takeToken();
    if (token !== null) take(token);
  });
}

export function ticketInPath(): string {
  return location.pathname.split('/')[2] ?? '';
}
