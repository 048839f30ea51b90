// Forwarding a message or the whole conversation to someone outside: it begins a side conversation.

import { sideLimits } from '../../../../domain/tickets/side-conversation.ts';
import { Button } from '../../../shared/button.tsx';
import { Dialog } from '../../../shared/dialog.tsx';
import { ChoiceField, TextArea, TextField } from '../../../shared/field.tsx';
import { Form } from '../../../shared/form.tsx';
import { announce, SubmissionNotice } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { useSubmission } from '../../../shared/submission.ts';
import { peopleOf } from '../../composer/goes-to.ts';
import type { NamedAddress } from '../../customers/add-person.tsx';
import { PeopleField } from '../../customers/people-field.tsx';
import { subjectText } from '../../list/messages.ts';
import { remembered } from '../../remembered.ts';
import { me } from '../../session.ts';
import { reload } from '../../tickets/cache.ts';
import type { SideConversation, TicketDetail } from '../../wire.ts';
import { closeDialog } from '../dialogs/dialogs.ts';
import { t } from '../messages.ts';
import { ChosenFiles, useChosenFiles } from './chosen-files.tsx';

interface ForwardDraft {
  to: readonly NamedAddress[];
  subject: string;
  text: string;
  quote: 'message' | 'conversation' | 'nothing';
  files: readonly number[];
}

/** What is not sent yet, by agent and ticket: closing the dialog or the page loses nothing. */
const drafts = remembered<Record<string, ForwardDraft>>('forwarding', {});

export function ForwardDialog({ ticket, message }: { ticket: TicketDetail; message: string }) {
  const submission = useSubmission();
  const key = `${me.value?.id ?? 0}.${ticket.ulid}`;
  const kept = drafts.value[key];
  const draft: ForwardDraft = kept ?? {
    to: [],
    subject: subjectText(ticket.subject),
    text: '',
    quote: 'message',
    files: [],
  };
  const { to, subject, text, quote, files } = draft;
  const { problems } = submission;
  const keep = (part: Partial<ForwardDraft>) => {
    drafts.value = { ...drafts.peek(), [key]: { ...(drafts.peek()[key] ?? draft), ...part } };
  };
  const along = useChosenFiles(ticket, (id, isChosen) => {
    const others = (drafts.peek()[key]?.files ?? []).filter((one) => one !== id);
    keep({ files: isChosen ? [...others, id] : others });
  });
  const forget = () => {
    const { [key]: _, ...others } = drafts.peek();
    drafts.value = others;
  };

  async function send(): Promise<void> {
    const written = { to: to.map(({ email }) => email).join(), subject, body: text };
    const waiting = along.problem();
    const missing = Object.entries(written).filter(([, value]) => value.trim() === '');
    if (missing.length > 0) return submission.refuse(Object.fromEntries(missing.map(([name]) => [name, t.required])));
    if (waiting !== null) return submission.refuse({ attachment_ids: waiting });
    const answer = await submission.send(() =>
      ask<{ data: SideConversation }>('POST', `/tickets/${ticket.ulid}/side-conversations`, {
        to,
        subject: subject.trim(),
        body: text,
        quote: quote === 'nothing' ? null : quote === 'message' ? message : 'conversation',
        attachment_ids: files,
      }),
    );
    if (answer === null) return;
    forget();
    closeDialog();
    void reload(ticket.ulid);
    announce(t.forwardSent);
  }

  return (
    <Dialog title={t.forward} onClose={closeDialog}>
      <Form submission={submission} onSubmit={() => void send()}>
        <p class="soft">{t.forwardLead}</p>
        <SubmissionNotice submission={submission} fields={['to', 'subject', 'body']} />
        <PeopleField
          id="forward-to"
          label={t.forwardTo}
          add={t.forwardAdd}
          addText={t.forwardAdd}
          siteId={ticket.site_id}
          people={to}
          without={peopleOf(ticket).map(({ email }) => email)}
          most={sideLimits.people}
          hint={t.forwardToHint}
          problem={problems.value.to}
          isFirst
          onChange={(people) => keep({ to: people })}
        />
        <TextField
          label={t.subject}
          name="subject"
          autocomplete="off"
          isRequired
          value={subject}
          problem={problems.value.subject}
          onValue={(typed) => keep({ subject: typed.slice(0, 255) })}
        />
        <TextArea
          label={t.forwardText}
          name="body"
          rows={5}
          maxLength={10_000}
          isRequired
          value={text}
          problem={problems.value.body}
          onValue={(typed) => keep({ text: typed })}
        />
        <ChoiceField
          label={t.forwardQuote}
          value={quote}
          options={[
            { value: 'message', text: t.forwardMessage },
            { value: 'conversation', text: t.forwardAll },
            { value: 'nothing', text: t.forwardNothing },
          ]}
          onValue={(chosen) => keep({ quote: chosen })}
        />
        <ChosenFiles ticket={ticket} chosen={files} files={along} />
        <div class="dialog-actions">
          {kept !== undefined && (
            <Button
              kind="quiet"
              onClick={() => {
                forget();
                submission.clear();
              }}
            >
              {t.forwardDiscard}
            </Button>
          )}
          <Button onClick={closeDialog}>{t.cancel}</Button>
          <Button type="submit" kind="primary" isBusy={submission.isBusy.value}>
            {t.forwardSend}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
