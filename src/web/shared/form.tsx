// A form that says what is missing in the reader's language and puts the focus on it.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Submission } from './submission.ts';

interface FormProps {
  submission: Submission;
  /** Names the form for screen readers if there are several. */
  label?: string;
  children: ComponentChildren;
  onSubmit: () => void;
}

export function Form({ submission, label, children, onSubmit }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const problems = submission.problems.value;
  useEffect(() => {
    if (Object.keys(problems).length === 0) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problems]);
  return (
    <form
      ref={form}
      method="post"
      noValidate
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}
