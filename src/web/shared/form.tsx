// A form that says what is missing in the reader's language and puts the focus on it.

import type { ComponentChildren, TargetedClipboardEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Submission } from './submission.ts';

const secrets = '[autocomplete="current-password"], [autocomplete="one-time-code"]';

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

function enter(field: HTMLElement | null | undefined): void {
  field?.focus();
  // Typing takes the place of what was wrong.
  if (field instanceof HTMLInputElement && field.matches(secrets)) field.select();
}

export function Form({ submission, label, onSubmit, ...props }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const refusals = submission.refusals.value;
  const isWrong = submission.refusal.value?.code === 'wrong_credentials';
  useEffect(() => {
    if (refusals > 0) enter(form.current?.querySelector('[aria-invalid="true"]'));
  }, [refusals]);
  useEffect(() => {
    if (isWrong) enter(form.current?.querySelector(secrets));
  }, [isWrong]);
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
