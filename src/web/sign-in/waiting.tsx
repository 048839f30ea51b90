// Shown while a page waits for the desk, and when the desk does not answer.

import { Button } from '../shared/button.tsx';
import { Mark } from '../shared/icons.tsx';
import { SubmissionNotice } from '../shared/notices.tsx';
import { t } from '../shared/sign-in-messages.ts';
import type { Submission } from '../shared/submission.ts';

export function Waiting({ submission, onRetry }: { submission: Submission; onRetry: () => void }) {
  const isRefused = submission.refusal.value !== null;
  return (
    <div class="door" aria-busy={!isRefused}>
      <main>
        {isRefused ? (
          <div class="door-card">
            <Mark />
            <h1 class="hidden">Helpdesk</h1>
            <SubmissionNotice submission={submission} />
            <Button isWide isBusy={submission.isBusy.value} onClick={onRetry}>
              {t.tryAgain}
            </Button>
          </div>
        ) : (
          <div class="door-card skeleton" aria-hidden="true">
            <span class="skeleton-bar square" />
            <span class="skeleton-bar title" />
            <span class="skeleton-bar line" />
            <span class="skeleton-bar control" />
            <span class="skeleton-bar control" />
            <span class="skeleton-bar control" />
          </div>
        )}
      </main>
    </div>
  );
}
