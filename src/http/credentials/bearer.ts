// The token of an Authorization header.

/** Null when the header is missing or of another scheme, and empty when it holds no single token. */
export function bearerIn(header: string | undefined): string | null {
  if (header === undefined || !/^Bearer(?:\s|$)/i.test(header)) return null;
  const [token = '', ...rest] = header.slice('Bearer'.length).trim().split(/\s+/);
  return rest.length === 0 ? token : '';
}
