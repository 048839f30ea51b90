// Errors next to their cause, and short notes about what was done.

import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Refusal } from './api.ts';
import { Icon } from './icons.tsx';
import { t } from './messages.ts';
import { refusalText } from './refusal-text.ts';
import type { Submission } from './submission.ts';

export function Notice({ kind, children }: { kind: 'problem' | 'hint' | 'done'; children: ComponentChildren }) {
  return (
    <div class={`notice ${kind}`}>
      <Icon name={kind === 'done' ? 'check' : 'alert'} />
      <div>{children}</div>
    </div>
  );
}

export function SubmissionNotice({ submission, fields = [] }: { submission: Submission; fields?: readonly string[] }) {
  const refusal = submission.refusal.value;
  const text = refusal && refusalText(refusal, fields);
  const left = submission.waitSeconds.value;
  return (
    <div role="alert">
      {refusal && text !== null && (
        <Notice kind="problem">
          {left > 0 ? (
            <>
              {/* The eye sees the seconds pass; a screen reader hears the sentence once. */}
              <p aria-hidden="true">{refusalText({ ...refusal, retryAfterSeconds: left }, fields)}</p>
              <p class="hidden">{text}</p>
            </>
          ) : (
            <p>{text}</p>
          )}
          {refusal.status >= 500 && refusal.requestId !== null && (
            <p class="request-id">
              {t.requestId} <code>{refusal.requestId}</code>
            </p>
          )}
        </Notice>
      )}
    </div>
  );
}

const shownMs = 5000;
const problemShownMs = 10_000;

interface Note {
  kind: 'done' | 'problem';
  text: string;
  requestId: string | null;
  /** Where to look. It is not shown on that page. */
  link: NoteLink | null;
  number: number;
}

interface NoteLink {
  text: string;
  path: string;
}

/** The note that is shown now. */
export const note = signal<Note | null>(null);
let count = 0;

function show(shown: Omit<Note, 'number'>): void {
  count += 1;
  const number = count;
  note.value = { ...shown, number };
  setTimeout(
    () => {
      if (note.value?.number === number) note.value = null;
    },
    shown.kind === 'done' ? shownMs : problemShownMs,
  );
}

/** Shows a text: what was done for five seconds, what went wrong for ten. */
export function announce(text: string, kind: Note['kind'] = 'done', link: NoteLink | null = null): void {
  show({ kind, text, requestId: null, link });
}

/** For what the agent did not do in a form, where the refusal has no other place. */
export function announceRefusal(refusal: Refusal): void {
  const requestId = refusal.status >= 500 ? refusal.requestId : null;
  show({ kind: 'problem', text: refusalText(refusal) ?? t.failed, requestId, link: null });
}
