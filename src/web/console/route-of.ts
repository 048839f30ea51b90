// What each address of the console means.

export type Route = { path: string; query: URLSearchParams } & (
  | { name: 'inbox'; view: string }
  | { name: 'search' }
  | { name: 'new-ticket' }
  | { name: 'ticket'; ticket: string; message: string | null }
  | { name: 'customers' }
  | { name: 'customer'; customer: number }
  | { name: 'reports'; report: string | null }
  | { name: 'settings'; section: string | null; id: string | null }
  | { name: 'profile' }
  | { name: 'notifications' }
  | { name: 'unknown' }
);

type Place = Route extends infer One ? (One extends Route ? Omit<One, 'path' | 'query'> : never) : never;

/** @param path with its query */
export function routeOf(path: string): Route {
  const { pathname, searchParams: query } = new URL(path, 'http://console.invalid');
  return { path, query, ...placeOf(pathname, query) } as Route;
}

function placeOf(pathname: string, query: URLSearchParams): Place {
  const [, first = '', second = null, third = null, ...more] = pathname.split('/').map(decoded);
  if (more.length > 0 || (third !== null && first !== 'settings')) return { name: 'unknown' };
  switch (first) {
    case 'inbox':
      return { name: 'inbox', view: second ?? 'mine' };
    case 'tickets':
      if (second === null || second === '') break;
      if (second === 'new') return { name: 'new-ticket' };
      return { name: 'ticket', ticket: second.toUpperCase(), message: query.get('message') };
    case 'customers':
      if (second === null) return { name: 'customers' };
      if (/^[1-9]\d{0,15}$/.test(second)) return { name: 'customer', customer: Number(second) };
      break;
    case 'reports':
      return { name: 'reports', report: second };
    case 'settings':
      return { name: 'settings', section: second, id: third };
    case 'search':
    case 'profile':
    case 'notifications':
      if (second === null) return { name: first };
  }
  return { name: 'unknown' };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // Not a valid escape: no route will match.
    return part;
  }
}
