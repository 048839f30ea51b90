// Errors next to their cause, and short notes about what was done.

import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Icon } from './icons.tsx';
import { t } from './messages.ts';
import { refusalText } from './refusal-text.ts';
import type { Submission } from './submission.ts';

interface NoticeProps {
  kind: 'problem' | 'hint' | 'done';
  children: ComponentChildren;
}

export function Notice({ kind, children }: NoticeProps) {
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
const toast = signal<{ text: string; kind: 'done' | 'problem'; number: number } | null>(null);
let count = 0;

/** Shows a text for five seconds. */
export function announce(text: string, kind: 'done' | 'problem' = 'done'): void {
  count += 1;
  const number = count;
  toast.value = { text, kind, number };
  setTimeout(() => {
    if (toast.value?.number === number) toast.value = null;
  }, shownMs);
}

/** Always present, so that screen readers watch it. */
export function Toasts() {
  return (
    <div class="toasts" role="status">
      {toast.value && (
        <p class={`toast ${toast.value.kind}`} key={toast.value.number}>
          <Icon name={toast.value.kind === 'done' ? 'check' : 'alert'} />
          {toast.value.text}
        </p>
      )}
    </div>
  );
}
