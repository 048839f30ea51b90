// A form that says what is missing in the reader's language and puts the focus on it.

import type { ComponentChildren, TargetedClipboardEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Submission } from './submission.ts';

interface FormProps {
  submission: Submission;
  id?: string;
  /** Names the form for screen readers if there are several. */
  label?: string;
  children: ComponentChildren;
  onFocusIn?: () => void;
  onPaste?: (event: TargetedClipboardEvent<HTMLFormElement>) => void;
  onSubmit: (form: HTMLFormElement) => void;
}

export function Form({ submission, label, onSubmit, ...props }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const refusals = submission.refusals.value;
  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refusals]);
  return (
    <form
      ref={form}
      method="post"
      noValidate
      aria-label={label}
      {...props}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(event.currentTarget);
      }}
    />
  );
}
