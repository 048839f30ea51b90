// A button for what cannot be taken back: it asks first, and shows a refusal where it asked.

import { useSignal } from '@preact/signals';
import type { Answer } from '../../shared/api.ts';
import { Button } from '../../shared/button.tsx';
import { Question } from '../../shared/question.tsx';
import { useSubmission } from '../../shared/submission.ts';

interface RemoveButtonProps {
  /** On the button, and on the one that confirms. */
  action: string;
  title: string;
  /** What is removed with it. */
  text: string;
  send: () => Promise<Answer<unknown>>;
  onDone: () => void;
  kind?: 'danger' | 'plain';
}

export function RemoveButton({ action, title, text, send, onDone, kind = 'danger' }: RemoveButtonProps) {
  const removing = useSubmission();
  const isAsked = useSignal(false);

  function close(): void {
    isAsked.value = false;
    removing.clear();
  }
  async function remove(): Promise<void> {
    if ((await removing.send(send)) === null) return;
    close();
    onDone();
  }

  return (
    <>
      <Button
        kind={kind}
        onClick={() => {
          isAsked.value = true;
        }}
      >
        {action}
      </Button>
      {isAsked.value && (
        <Question {...{ title, text, action }} submission={removing} onConfirm={() => void remove()} onClose={close} />
      )}
    </>
  );
}
