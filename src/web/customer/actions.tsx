// "This is solved" and "It is not solved".

import { Button } from '../shared/button.tsx';
import { Icon } from '../shared/icons.tsx';
import { SubmissionNotice } from '../shared/notices.tsx';
import { useSubmission } from '../shared/submission.ts';
import { refresh } from './fresh.ts';
import { t } from './messages.ts';
import type { ShownThread } from './page-content.ts';
import { setStatus, waiting, withProof } from './proof.ts';
import { say } from './state.ts';

export function Actions({ may }: Pick<ShownThread, 'may'>) {
  const submission = useSubmission();

  async function change(status: 'resolved' | 'open'): Promise<void> {
    const done = await submission.send(() =>
      withProof(
        () => setStatus(status),
        () => change(status),
      ),
    );
    if (done === null) return;
    await refresh();
    say(status === 'resolved' ? t.solvedNow : t.reopenedNow);
  }

  const shared = {
    isBusy: submission.isBusy.value,
    isDisabled: submission.waitSeconds.value > 0 || waiting.value !== null,
  };
  return (
    <>
      {may.solve && (
        <Button {...shared} onClick={() => void change('resolved')}>
          <Icon name="check" />
          {t.isSolved}
        </Button>
      )}
      {may.reopen && (
        <Button {...shared} onClick={() => void change('open')}>
          <Icon name="again" />
          {t.isNotSolved}
        </Button>
      )}
      <SubmissionNotice submission={submission} />
    </>
  );
}
