// An answer that sets several cookies: the headers of other answers have each name once.

import { type Reply, toResponse } from './wire/respond.ts';

export function withCookies(reply: Reply, cookies: readonly string[]): Response {
  const response = toResponse(reply);
  for (const one of cookies) response.headers.append('Set-Cookie', one);
  return response;
}
