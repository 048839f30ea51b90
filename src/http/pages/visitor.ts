// Whether a browser that asks for a page has a session, and whose.

import { mustAddSecondFactor, signedInBySecret } from '../../desk/people/sessions.ts';
import type { AgentActor } from '../../domain/actor.ts';
import { sessionSecretIn } from '../credentials/session-cookie.ts';
import type { Edge } from '../operation.ts';

/** Null without a session, and until its agent has added a second factor that they need. */
export function agentIn({ desk, baseUrl }: Edge, cookie: string | undefined): AgentActor | null {
  const secret = sessionSecretIn(baseUrl, cookie);
  const found = secret === null ? undefined : desk.read((tx) => signedInBySecret(tx, desk.seal, secret, desk.now()));
  return found === undefined || mustAddSecondFactor(found.session) ? null : found.actor;
}

export function isSignedIn({ desk, baseUrl }: Edge, cookie: string | undefined): boolean {
  const secret = sessionSecretIn(baseUrl, cookie);
  return secret !== null && desk.read((tx) => signedInBySecret(tx, desk.seal, secret, desk.now())) !== undefined;
}
