// The subject, which is the page's heading and is edited in its place.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { subjectOr } from '../../../../domain/tickets/subject.ts';
import { subjectText } from '../../list/messages.ts';
import { can } from '../../session.ts';
import { changeTicket } from '../../tickets/change.ts';
import type { TicketDetail } from '../../wire.ts';
import { t } from '../messages.ts';

const longest = 255;

export function Subject({ ticket }: { ticket: TicketDetail }) {
  const isEdited = useSignal(false);
  const subject = subjectText(ticket.subject);
  const button = useRef<HTMLButtonElement>(null);
  const wasEdited = useRef(false);
  useEffect(() => {
    if (wasEdited.current && !isEdited.value) button.current?.focus();
    wasEdited.current = isEdited.value;
  }, [isEdited.value]);

  function save(typed: string): void {
    isEdited.value = false;
    const wanted = typed.replace(/\s+/g, ' ').trim();
    if (wanted === '' || wanted === ticket.subject) return;
    void changeTicket([ticket.ulid], { subject: wanted }, { text: t.subjectChanged(ticket.reference) });
  }

  const canEdit = can('write') && ticket.merged_into === null;
  return (
    <>
      <h1 class={isEdited.value ? 'hidden' : 'subject'} title={subject} dir="auto">
        {canEdit && !isEdited.value ? (
          <button
            ref={button}
            type="button"
            title={`${t.editSubject}: ${subject}`}
            onClick={() => {
              isEdited.value = true;
            }}
          >
            {subject}
          </button>
        ) : (
          subject
        )}
      </h1>
      {isEdited.value && <Editor subject={subjectOr('', ticket.subject)} onSave={save} onCancel={() => save('')} />}
    </>
  );
}

interface EditorProps {
  subject: string;
  onSave: (typed: string) => void;
  onCancel: () => void;
}

function Editor({ subject, onSave, onCancel }: EditorProps) {
  const field = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  useEffect(() => field.current?.select(), []);
  const end = (act: () => void) => {
    if (isOver.current) return;
    isOver.current = true;
    act();
  };
  return (
    <input
      ref={field}
      class="subject-field"
      type="text"
      aria-label={t.subject}
      maxLength={longest}
      defaultValue={subject}
      dir="auto"
      onBlur={({ currentTarget }) => end(() => onSave(currentTarget.value))}
      onKeyDown={(event) => {
        const { value } = event.currentTarget;
        if (event.key === 'Enter' && !event.isComposing) end(() => onSave(value));
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        end(onCancel);
      }}
    />
  );
}
