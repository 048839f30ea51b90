// Where a page goes next. A link from outside may only name a path of this desk.

export function ownPath(wanted: string | null, origin: string, otherwise: string): string {
  if (wanted === null || !wanted.startsWith('/') || !URL.canParse(wanted, origin)) return otherwise;
  const url = new URL(wanted, origin);
  if (url.origin !== origin || url.pathname.startsWith('//')) return otherwise;
  // These would end the session again, or lead nowhere.
  if (url.pathname === '/sign-in' || url.pathname.startsWith('/api/')) return otherwise;
  return url.pathname + url.search + url.hash;
}

export const homePath = '/inbox/mine';

export function signInPath(here: string): string {
  return `/sign-in?return_to=${encodeURIComponent(here)}`;
}
