// The question before the links of a ticket end.

import { Button } from '../../shared/button.tsx';
import { Dialog } from '../../shared/dialog.tsx';
import { Form } from '../../shared/form.tsx';
import { announce, SubmissionNotice } from '../../shared/notices.tsx';
import { ask } from '../../shared/signed-in.ts';
import { useSubmission } from '../../shared/submission.ts';
import type { TicketDetail } from '../wire.ts';
import { t } from './messages.ts';

interface RevokeProps {
  ticket: TicketDetail;
  onRevoked: () => void;
  onClose: () => void;
}

export function RevokeLinks({ ticket, onRevoked, onClose }: RevokeProps) {
  const submission = useSubmission();
  async function revoke(): Promise<void> {
    const answer = await submission.send(() =>
      ask<{ data: { revoked: number } }>('DELETE', `/tickets/${ticket.ulid}/links`),
    );
    if (answer === null) return;
    announce(t.linksRevoked(String(answer.data.revoked)));
    onRevoked();
    onClose();
  }
  return (
    <Dialog title={t.linksRevokeTitle(ticket.reference)} onClose={onClose}>
      <Form submission={submission} onSubmit={() => void revoke()}>
        <p>{t.linksRevokeText}</p>
        <SubmissionNotice submission={submission} />
        <div class="dialog-actions">
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button type="submit" kind="danger" isBusy={submission.isBusy.value}>
            {t.linksRevoke}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
