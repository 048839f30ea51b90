// Where to go after signing in: only to a path of this desk, whatever the address says (docs/spec/people.md#openid-connect).

const longestPath = 2000;
const anyDesk = 'http://desk.invalid';

/** The path with its query and fragment, or `/` for everything that could lead to another server. */
export function returnPath(text: string | null | undefined): string {
  if (!text || text.length > longestPath) return '/';
  // Browsers drop control characters and read a backslash as a slash.
  if (!/^\/(?!\/)[^\\\p{C}\p{Z}]*$/u.test(text) || !URL.canParse(text, anyDesk)) return '/';
  const { origin, pathname, search, hash } = new URL(text, anyDesk);
  // `/.//host` is a path here, but `//host` when it is read again.
  return origin === anyDesk && !pathname.startsWith('//') ? pathname + search + hash : '/';
}
