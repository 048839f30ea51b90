// What went wrong, next to where it happened, and short words about what was done.

import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { duration } from './format.ts';
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
  const wait = submission.waitSeconds.value;
  return (
    <div role="alert">
      {refusal && text !== null && (
        <Notice kind="problem">
          <p>
            {text}
            {/* Counts down for the eye; a screen reader hears the time once, in the sentence. */}
            {wait > 0 && <span aria-hidden="true"> ({duration(wait)})</span>}
          </p>
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
const toast = signal<{ text: string; number: number } | null>(null);
let count = 0;

/** Shows a text for five seconds. */
export function announce(text: string): void {
  count += 1;
  const number = count;
  toast.value = { text, number };
  setTimeout(() => {
    if (toast.value?.number === number) toast.value = null;
  }, shownMs);
}

/** Always present, so that screen readers watch it. */
export function Toasts() {
  return (
    <div class="toasts" role="status">
      {toast.value && (
        <p class="toast" key={toast.value.number}>
          <Icon name="check" />
          {toast.value.text}
        </p>
      )}
    </div>
  );
}
