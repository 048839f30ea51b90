// "Forget this browser": ends every visit, and erases what was not sent.

import { call } from '../shared/api.ts';
import { refusalText } from '../shared/refusal-text.ts';
import { forgetDrafts } from './drafts.ts';
import { t } from './messages.ts';
import { Note } from './note.tsx';
import { replaceContent, say } from './place.tsx';

export function offerForgetting(): void {
  const button = document.getElementById('forget');
  if (button === null) return;
  button.hidden = false;
  button.addEventListener('click', () => void forget(button));
}

async function forget(button: HTMLElement): Promise<void> {
  if (button.ariaBusy === 'true') return;
  button.ariaBusy = 'true';
  const answer = await call('DELETE', '/customer/session');
  button.ariaBusy = null;
  if (!answer.isOk) {
    const problem = refusalText(answer.refusal) ?? t.failed;
    const aside = button.nextElementSibling;
    if (aside !== null) aside.textContent = problem;
    say(problem);
    return;
  }
  forgetDrafts();
  dispatchEvent(new Event('forgotten'));
  replaceContent(
    <Note icon="out" title={t.forgottenTitle}>
      <p class="soft">{t.forgottenLead}</p>
    </Note>,
  );
}
