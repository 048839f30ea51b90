// The agent and session behind a call that only a session can make.

import type { AgentActor } from '../domain/actor.ts';
import type { SignedIn } from '../store/people/sessions.ts';
import type { Call } from './operation.ts';

export function ownActor({ actor }: Pick<Call, 'actor'>): AgentActor {
  if (actor.kind !== 'agent') throw new Error('only a session has an account');
  return actor;
}

export function ownSession({ session }: Pick<Call, 'session'>): SignedIn {
  if (session === null) throw new Error('this call has no session');
  return session;
}
