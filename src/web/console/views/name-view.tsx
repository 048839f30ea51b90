// Asks for the name of a view, and whether colleagues see it too.

import { useSignal } from '@preact/signals';
import type { Answer } from '../../shared/api.ts';
import { Button } from '../../shared/button.tsx';
import { Dialog } from '../../shared/dialog.tsx';
import { TextField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { SubmissionNotice } from '../../shared/notices.tsx';
import { useSubmission } from '../../shared/submission.ts';
import { t } from '../later-messages.ts';

interface NameViewProps {
  title: string;
  name?: string;
  isShared?: boolean;
  canShare: boolean;
  onSave: (name: string, isShared: boolean) => Promise<Answer<unknown>>;
  onClose: () => void;
}

export function NameView({
  title,
  name: before = '',
  isShared: wasShared = false,
  canShare,
  onSave,
  onClose,
}: NameViewProps) {
  const submission = useSubmission();
  const name = useSignal(before);
  const isShared = useSignal(wasShared);

  async function send(): Promise<void> {
    const wanted = name.value.trim();
    if (wanted === '') return submission.refuse({ name: t.required });
    if ((await submission.send(() => onSave(wanted, isShared.value))) !== null) onClose();
  }

  return (
    <Dialog title={title} onClose={onClose}>
      <Form submission={submission} onSubmit={() => void send()}>
        <SubmissionNotice submission={submission} fields={['name']} />
        <TextField
          label={t.name}
          name="view-name"
          autocomplete="off"
          isRequired
          isFirst
          value={name.value}
          problem={submission.problems.value.name}
          onValue={(value) => {
            name.value = value;
          }}
        />
        {canShare && (
          <label class="check">
            <input
              type="checkbox"
              checked={isShared.value}
              onChange={(event) => {
                isShared.value = event.currentTarget.checked;
              }}
            />
            <span>{t.shareWithColleagues}</span>
          </label>
        )}
        <div class="dialog-actions">
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button type="submit" kind="primary" isBusy={submission.isBusy.value}>
            {t.save}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
