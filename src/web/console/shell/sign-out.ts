// Ends the session.

import { call } from '../../shared/api.ts';
import { announceRefusal } from '../../shared/notices.tsx';

export async function signOut(): Promise<void> {
  const answer = await call('DELETE', '/session');
  // A 401 means that the session has already ended.
  if (!answer.isOk && answer.refusal.status !== 401) return announceRefusal(answer.refusal);
  try {
    // What was typed and not saved is for no one else.
    sessionStorage.clear();
  } catch {
    // The browser refuses storage to this page: nothing is kept.
  }
  location.assign('/sign-in');
}
