// Asks before a secret is replaced, and for how long the old one stays valid.

import { useSignal } from '@preact/signals';
import type { Answer } from '../../shared/api.ts';
import { bound } from '../../shared/bound.ts';
import { Button } from '../../shared/button.tsx';
import { Dialog } from '../../shared/dialog.tsx';
import { ChoiceField } from '../../shared/field.tsx';
import { SubmissionNotice } from '../../shared/notices.tsx';
import { useSubmission } from '../../shared/submission.ts';
import { t } from './messages.ts';

const graces = ['0', '60', '1440', '10080'] as const;

interface RotateProps<Data> {
  title: string;
  text: string;
  /** What the choice is about. */
  graceLabel: string;
  action: string;
  send: (body: { grace_minutes: number }) => Promise<Answer<Data>>;
  onDone: (data: Data) => void;
  onClose: () => void;
}

export function RotateDialog<Data>({ title, text, graceLabel, action, send, onDone, onClose }: RotateProps<Data>) {
  const rotating = useSubmission();
  const grace = useSignal<(typeof graces)[number]>('60');
  const texts = { '0': t.graceNone, '60': t.graceHour, '1440': t.graceDay, '10080': t.graceWeek };

  async function rotate(): Promise<void> {
    const done = await rotating.send(() => send({ grace_minutes: Number(grace.value) }));
    if (done !== null) onDone(done);
  }

  return (
    <Dialog title={title} onClose={onClose}>
      <div class="dialog-body">
        <p class="soft">{text}</p>
        <ChoiceField
          label={graceLabel}
          options={graces.map((value) => ({ value, text: texts[value] }))}
          {...bound(grace)}
        />
        <SubmissionNotice submission={rotating} />
        <div class="dialog-actions">
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button kind="primary" isBusy={rotating.isBusy.value} onClick={() => void rotate()}>
            {action}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
