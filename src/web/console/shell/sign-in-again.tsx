// Signing in again over the open page, when the session has ended: nothing on the page is lost.

import { useSignal } from '@preact/signals';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { call } from '../../shared/api.ts';
import { Button } from '../../shared/button.tsx';
import { t as common } from '../../shared/messages.ts';
import { SubmissionNotice } from '../../shared/notices.tsx';
import { ended } from '../../shared/signed-in.ts';
import { useSubmission } from '../../shared/submission.ts';
import type { Session, SignInOptions } from '../../shared/wire.ts';
import { Entrance } from '../../sign-in/entrance.tsx';
import { FirstStep } from '../../sign-in/first-step.tsx';
import { type FrameProps, Framing } from '../../sign-in/frame.tsx';
import { session } from '../session.ts';

export function SignInAgain() {
  const dialog = useRef<HTMLDialogElement>(null);
  const loading = useSubmission();
  const options = useSignal<SignInOptions | null>(null);
  const note = useSignal<string>(common.signedOut);
  const shown = options.value;

  async function load(): Promise<void> {
    const answer = await loading.send(() => call<{ data: SignInOptions }>('GET', '/sign-in'));
    if (answer !== null) options.value = answer.data;
  }

  useLayoutEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  useEffect(() => {
    void load();
    // The agent may have signed in in another tab.
    const look = () => void enterIfSignedIn();
    addEventListener('focus', look);
    return () => removeEventListener('focus', look);
  }, []);

  return (
    <dialog ref={dialog} class="dialog" aria-label={common.signIn} onCancel={(event) => event.preventDefault()}>
      <Framing.Provider value={StepInDialog}>
        {shown === null ? (
          <>
            <SubmissionNotice submission={loading} />
            {loading.refusal.value !== null && <Button onClick={() => void load()}>{common.tryAgain}</Button>}
          </>
        ) : (
          <Entrance
            onEntered={() => void enterIfSignedIn()}
            onAgain={(reason) => {
              note.value = reason === 'expired' ? common.challengeExpired : common.signedOut;
            }}
          >
            {(onAnswer) => <FirstStep options={shown} note={note.value} onAnswer={onAnswer} />}
          </Entrance>
        )}
      </Framing.Provider>
    </dialog>
  );
}

async function enterIfSignedIn(): Promise<void> {
  const answer = await call<{ data: Session }>('GET', '/session');
  if (!answer.isOk) return;
  const { data } = answer.data;
  // Someone else now works in this browser: the page belongs to the agent before.
  if (session.peek() !== null && session.peek()?.agent.id !== data.agent.id) return location.reload();
  session.value = data;
  ended.value?.onSignedIn();
}

function StepInDialog({ title, lead, children }: FrameProps) {
  const id = useId();
  return (
    <section class="sign-in-again" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {lead !== undefined && <p class="lead">{lead}</p>}
      {children}
    </section>
  );
}
