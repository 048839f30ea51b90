// Signing in again over the open page, when the session has ended: nothing on the page is lost.

import { useSignal } from '@preact/signals';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { call } from '../../shared/api.ts';
import { Button } from '../../shared/button.tsx';
import { SubmissionNotice } from '../../shared/notices.tsx';
import { t as common } from '../../shared/sign-in-messages.ts';
import { ended } from '../../shared/signed-in.ts';
import { useSubmission } from '../../shared/submission.ts';
import type { Session, SignInOptions } from '../../shared/wire.ts';
import { Entrance } from '../../sign-in/entrance.tsx';
import { FirstStep } from '../../sign-in/first-step.tsx';
import { type FrameProps, Framing } from '../../sign-in/frame.tsx';
import { OverPage } from '../../sign-in/over-page.ts';
import { onSignedIn } from '../live/live.ts';
import { t } from '../live/messages.ts';
import { tellSignedIn } from '../live/stream.ts';
import { session } from '../session.ts';

export function SignInAgain() {
  const dialog = useRef<HTMLDialogElement>(null);
  const loading = useSubmission();
  const options = useSignal<SignInOptions | null>(null);
  const note = useSignal<string>(common.signedOut);
  const other = useSignal<string | null>(null);
  const shown = options.value;
  const own = session.value?.agent ?? null;

  /** @param isHere the agent signed in in this dialog, not in another tab */
  async function enterIfSignedIn(isHere: boolean): Promise<void> {
    const answer = await call<{ data: Session }>('GET', '/session');
    if (!answer.isOk) return;
    const { data } = answer.data;
    if (own === null || own.id === data.agent.id) {
      session.value = data;
      if (isHere) tellSignedIn();
      ended.value?.onSignedIn();
      return;
    }
    // What is on the page belongs to the agent before, and is not sent in the name of another one.
    if (isHere) await call('DELETE', '/session');
    other.value = data.agent.name;
  }

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
    const look = () => void enterIfSignedIn(false);
    addEventListener('focus', look);
    const end = onSignedIn(look);
    return () => {
      removeEventListener('focus', look);
      end();
    };
  }, []);

  return (
    <dialog ref={dialog} class="dialog" aria-label={common.signIn} onCancel={(event) => event.preventDefault()}>
      <Framing.Provider value={StepInDialog}>
        <OverPage.Provider value={{ email: own?.email ?? '' }}>
          {shown === null ? (
            <>
              <SubmissionNotice submission={loading} />
              {loading.refusal.value !== null && <Button onClick={() => void load()}>{common.tryAgain}</Button>}
            </>
          ) : (
            <Entrance
              onEntered={() => void enterIfSignedIn(true)}
              onAgain={(reason) => {
                note.value = reason === 'expired' ? common.challengeExpired : common.signedOut;
              }}
            >
              {(onAnswer) => (
                <FirstStep
                  // Begins again, with an empty password.
                  key={other.value}
                  options={shown}
                  note={other.value === null ? note.value : t.otherAgent(own?.name ?? '', other.value)}
                  onAnswer={onAnswer}
                />
              )}
            </Entrance>
          )}
        </OverPage.Provider>
      </Framing.Provider>
    </dialog>
  );
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
