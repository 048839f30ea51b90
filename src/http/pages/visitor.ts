// Whether a browser that asks for a page has a session.

import { signedInBySecret } from '../../desk/people/sessions.ts';
import { sessionSecretIn } from '../credentials/session-cookie.ts';
import type { Edge } from '../operation.ts';

export function isSignedIn({ desk, baseUrl }: Edge, cookie: string | undefined): boolean {
  const secret = sessionSecretIn(baseUrl, cookie);
  return secret !== null && desk.read((tx) => signedInBySecret(tx, desk.seal, secret, desk.now())) !== undefined;
}
