// Saves one of the agent's own choices as soon as it is made.

import { announce } from '../../shared/notices.tsx';
import { ask } from '../../shared/signed-in.ts';
import { type Submission, useSubmission } from '../../shared/submission.ts';
import { t } from './messages.ts';
import { loadProfile } from './state.ts';

export function useSaving(): { submission: Submission; save: (change: object) => Promise<void> } {
  const submission = useSubmission();
  async function save(change: object): Promise<void> {
    if ((await submission.send(() => ask('PATCH', '/me', change))) === null) return;
    await loadProfile();
    announce(t.saved);
  }
  return { submission, save };
}
