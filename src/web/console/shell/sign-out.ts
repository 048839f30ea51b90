// Ends the session.

import { call } from '../../shared/api.ts';
import { announceRefusal } from '../../shared/notices.tsx';

export async function signOut(): Promise<void> {
  const answer = await call('DELETE', '/session');
  // A 401 means that the session has already ended.
  if (answer.isOk || answer.refusal.status === 401) location.assign('/sign-in');
  else announceRefusal(answer.refusal);
}
