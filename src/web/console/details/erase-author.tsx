// The question before a person is erased, which cannot be taken back.

import { Button, Submit } from '../../shared/button.tsx';
import { Dialog } from '../../shared/dialog.tsx';
import { Form } from '../../shared/form.tsx';
import { announce, SubmissionNotice } from '../../shared/notices.tsx';
import { ask } from '../../shared/signed-in.ts';
import { useSubmission } from '../../shared/submission.ts';
import { reload } from '../tickets/cache.ts';
import type { TicketDetail } from '../wire.ts';
import { t } from './messages.ts';

interface EraseProps {
  ticket: TicketDetail;
  author: NonNullable<TicketDetail['author']>;
  onClose: () => void;
}

export function EraseAuthor({ ticket, author, onClose }: EraseProps) {
  const submission = useSubmission();
  async function erase(): Promise<void> {
    const who = author.external_id === null ? { email: author.email } : { external_id: author.external_id };
    const answer = await submission.send(() =>
      ask<{ tickets_scrubbed: number }>('POST', '/authors/anonymise', { site_id: ticket.site_id, ...who }),
    );
    if (answer === null) return;
    announce(t.erased(String(answer.tickets_scrubbed)));
    onClose();
    await reload(ticket.ulid);
  }
  return (
    <Dialog title={t.eraseTitle(author.name ?? author.email)} onClose={onClose}>
      <Form submission={submission} onSubmit={() => void erase()}>
        <p>{t.eraseText}</p>
        <SubmissionNotice submission={submission} />
        <div class="dialog-actions">
          <Button onClick={onClose}>{t.cancel}</Button>
          <Submit submission={submission} kind="danger">
            {t.eraseAuthor}
          </Submit>
        </div>
      </Form>
    </Dialog>
  );
}
