// What the writer of a note can do with it: change its text in its place, or delete it.

import { useComputed } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../../../shared/button.tsx';
import { Dialog } from '../../../shared/dialog.tsx';
import { Form } from '../../../shared/form.tsx';
import { announce, SubmissionNotice } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { useSubmission } from '../../../shared/submission.ts';
import { agents, teams } from '../../catalogue.ts';
import { mentionedIn } from '../../composer/completion.ts';
import { insertMention, offersFor } from '../../composer/offers.ts';
import { TextBox } from '../../composer/text-box.tsx';
import { remembered } from '../../remembered.ts';
import { me } from '../../session.ts';
import { reload } from '../../tickets/cache.ts';
import type { Message, TicketDetail } from '../../wire.ts';
import { closeDialog } from '../dialogs/dialogs.ts';
import { t } from '../messages.ts';

/** New texts that are not saved yet, by the note's ulid: they survive a reload. */
const texts = remembered<Record<string, string>>('note-texts', {});

export function isOwnNote({ is_internal: isInternal, is_automated: isAutomated, agent_id: writer }: Message): boolean {
  return isInternal && !isAutomated && writer !== null && writer === me.value?.id;
}

export function useIsChanging(ulid: string): boolean {
  return useComputed(() => texts.value[ulid] !== undefined).value;
}

export function changeText(ulid: string, text: string): void {
  texts.value = { ...texts.peek(), [ulid]: text };
}

function forget(ulid: string): void {
  const { [ulid]: _, ...rest } = texts.peek();
  texts.value = rest;
}

export function NoteEditor({ ticket, message }: { ticket: Pick<TicketDetail, 'ulid' | 'site_id'>; message: Message }) {
  const { ulid } = message;
  const field = useRef<HTMLTextAreaElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const submission = useSubmission();
  const text = texts.value[ulid] ?? message.body;
  const isBusy = submission.isBusy.value;
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(text.length, text.length);
  }, []);

  /** The note itself has the focus next, not the page. */
  function leave(): void {
    forget(ulid);
    document.getElementById(`message-${ulid}`)?.focus();
  }

  async function save(): Promise<void> {
    const body = text.trim();
    if (body === '') return submission.refuse({ body: t.required });
    const { site_id: siteId } = ticket;
    const named = mentionedIn(body, agents(siteId).peek() ?? [], teams(siteId).peek() ?? []);
    const answer = await submission.send(() =>
      ask('PATCH', `/tickets/${ticket.ulid}/notes/${ulid}`, { body, body_format: 'markdown', ...named }),
    );
    if (answer === null) return;
    await reload(ticket.ulid);
    leave();
    announce(t.noteChanged);
  }

  return (
    <div ref={frame} class="note-editor">
      <TextBox
        field={field}
        frame={frame}
        label={t.changeNote}
        placeholder=""
        value={text}
        isReadOnly={isBusy}
        onValue={(typed) => {
          submission.forget('body');
          changeText(ulid, typed);
        }}
        onFiles={() => undefined}
        onSend={() => void save()}
        offers={(asked) => (asked.kind === 'mention' ? offersFor(asked, ticket.site_id, true) : [])}
        onTake={(offer, asked) => {
          if (field.current !== null) insertMention(field.current, asked, offer);
        }}
      />
      <p class="composer-problem" role="alert">
        {submission.problems.value.body}
      </p>
      <SubmissionNotice submission={submission} fields={['body']} />
      <div class="dialog-actions">
        <Button onClick={leave}>{t.cancel}</Button>
        <Button kind="primary" isBusy={isBusy} onClick={() => void save()}>
          {t.save}
        </Button>
      </div>
    </div>
  );
}

export function DeleteNote({ ticket, note }: { ticket: string; note: string }) {
  const submission = useSubmission();
  async function remove(): Promise<void> {
    const answer = await submission.send(() => ask('DELETE', `/tickets/${ticket}/notes/${note}`));
    if (answer === null) return;
    const all = [...document.querySelectorAll<HTMLElement>('.thread .message')];
    const before = all[all.findIndex(({ id }) => id === `message-${note}`) - 1];
    closeDialog();
    await reload(ticket);
    before?.focus();
    announce(t.noteDeleted);
  }
  return (
    <Dialog title={t.deleteNote} onClose={closeDialog}>
      <Form submission={submission} onSubmit={() => void remove()}>
        <p>{t.deleteNoteLead}</p>
        <SubmissionNotice submission={submission} />
        <div class="dialog-actions">
          <Button onClick={closeDialog}>{t.cancel}</Button>
          <Button type="submit" kind="danger" isBusy={submission.isBusy.value}>
            {t.deleteNote}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
