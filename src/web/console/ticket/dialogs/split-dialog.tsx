// Splitting a conversation: a message, alone or with what follows, becomes a ticket of its own.

import { useSignal } from '@preact/signals';
import { subjectOr } from '../../../../domain/tickets/subject.ts';
import { Button } from '../../../shared/button.tsx';
import { Dialog } from '../../../shared/dialog.tsx';
import { TextField } from '../../../shared/field.tsx';
import { Form } from '../../../shared/form.tsx';
import { count } from '../../../shared/format.ts';
import { announce, Notice, SubmissionNotice } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { useForm } from '../../../shared/submission.ts';
import { go } from '../../route.ts';
import { reload } from '../../tickets/cache.ts';
import type { Ticket, TicketDetail } from '../../wire.ts';
import { t } from '../messages.ts';
import { closeDialog } from './dialogs.ts';

export function SplitDialog({ ticket, message }: { ticket: TicketDetail; message: string }) {
  const form = useForm({ subject: subjectOr('', ticket.subject) });
  const at = ticket.messages.findIndex(({ ulid }) => ulid === message);
  const isAlone = useSignal(at === 0);
  const after = ticket.messages.slice(at + 1).filter(({ send_at: waits }) => waits == null).length;

  async function split(): Promise<void> {
    const subject = form.values.subject.trim();
    if (subject === '') return form.refuse({ subject: t.required });
    const answer = await form.send(() =>
      ask<{ data: Ticket }>('POST', `/tickets/${ticket.ulid}/split`, {
        message,
        subject,
        only: isAlone.value,
      }),
    );
    if (answer === null) return;
    closeDialog();
    void reload(ticket.ulid);
    go(`/tickets/${answer.data.ulid}`);
    announce(t.splitDone(answer.data.reference));
  }

  return (
    <Dialog title={t.split} onClose={closeDialog}>
      <Form submission={form} onSubmit={() => void split()}>
        <p class="soft">{t.splitLead}</p>
        {form.refusal.value?.code === 'only_others_left' ? (
          <Notice kind="problem">
            <p role="alert">{t.splitLeavesOthers}</p>
          </Notice>
        ) : (
          <SubmissionNotice submission={form} fields={['subject']} />
        )}
        <TextField
          label={t.subject}
          {...form.field('subject')}
          autocomplete="off"
          isRequired
          isFirst
          onValue={(typed) => form.field('subject').onValue(typed.slice(0, 255))}
        />
        {at > 0 && after > 0 && (
          <fieldset class="split-choice">
            <legend>{t.splitWhat}</legend>
            {[false, true].map((alone) => (
              <label key={String(alone)}>
                <input
                  type="radio"
                  name="split-what"
                  checked={isAlone.value === alone}
                  onChange={() => {
                    isAlone.value = alone;
                  }}
                />
                {alone ? t.splitOnly : t.splitRest(count(after))}
              </label>
            ))}
          </fieldset>
        )}
        <div class="dialog-actions">
          <Button onClick={closeDialog}>{t.cancel}</Button>
          <Button type="submit" kind="primary" isBusy={form.isBusy.value}>
            {t.split}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
