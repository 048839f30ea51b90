// Asks for the name of a view, and whether colleagues see it too.

import { useSignal } from '@preact/signals';
import type { Answer } from '../../shared/api.ts';
import { Button, Submit } from '../../shared/button.tsx';
import { Dialog } from '../../shared/dialog.tsx';
import { TextField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { SubmissionNotice } from '../../shared/notices.tsx';
import { useForm } from '../../shared/submission.ts';
import { t } from '../on-demand-messages.ts';

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
  const form = useForm({ name: before });
  const isShared = useSignal(wasShared);

  async function send(): Promise<void> {
    const wanted = form.values.name.trim();
    if (wanted === '') return form.refuse({ name: t.required });
    if ((await form.send(() => onSave(wanted, isShared.value))) !== null) onClose();
  }

  return (
    <Dialog title={title} onClose={onClose}>
      <Form submission={form} onSubmit={() => void send()}>
        <SubmissionNotice submission={form} fields={['name']} />
        <TextField label={t.name} autocomplete="off" isRequired isFirst {...form.field('name')} name="view-name" />
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
          <Submit submission={form}>{t.save}</Submit>
        </div>
      </Form>
    </Dialog>
  );
}
