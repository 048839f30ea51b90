// Asks before something that cannot be undone.

import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { t } from './messages.ts';
import { SubmissionNotice } from './notices.tsx';
import type { Submission } from './submission.ts';

interface QuestionProps {
  title: string;
  text: string;
  action: string;
  submission: Submission;
  onConfirm: () => void;
  onClose: () => void;
}

export function Question({ title, text, action, submission, onConfirm, onClose }: QuestionProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="dialog-body">
        <p class="soft">{text}</p>
        <SubmissionNotice submission={submission} />
        <div class="dialog-actions">
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button kind="danger" isBusy={submission.isBusy.value} onClick={onConfirm}>
            {action}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
