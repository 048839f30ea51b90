// "Forget this browser": ends every visit, and erases what was not sent.

import { useSignal } from '@preact/signals';
import { call } from '../shared/api.ts';
import { refusalText } from '../shared/refusal-text.ts';
import { forgetDrafts } from './drafts.ts';
import { endFollowing } from './live.ts';
import { t } from './messages.ts';
import { Note } from './note.tsx';
import { isRunning, replaceContent, say } from './state.ts';

export function Forgetting() {
  const isBusy = useSignal(false);
  const problem = useSignal<string | null>(null);

  async function forget(): Promise<void> {
    if (isBusy.peek()) return;
    isBusy.value = true;
    const answer = await call('DELETE', '/customer/session');
    isBusy.value = false;
    if (!answer.isOk) {
      problem.value = refusalText(answer.refusal) ?? t.failed;
      say(problem.value);
      return;
    }
    forgetDrafts();
    endFollowing();
    replaceContent(
      <Note icon="out" title={t.forgottenTitle}>
        <p class="soft">{t.forgottenLead}</p>
      </Note>,
    );
  }

  return (
    <footer class="foot">
      <button
        type="button"
        class="button quiet"
        hidden={!isRunning.value}
        aria-busy={isBusy.value || undefined}
        onClick={() => void forget()}
      >
        {t.forgetBrowser}
      </button>
      <span class="soft">{problem.value ?? t.forgetLead}</span>
    </footer>
  );
}
