// Sign-in: password, passkey or the organisation's own sign-in, and the second factor when there is one.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { call } from '../shared/api.ts';
import { t } from '../shared/messages.ts';
import { useSubmission } from '../shared/submission.ts';
import type { SecondFactorNeeded, SignInOptions } from '../shared/wire.ts';
import { FirstStep } from './first-step.tsx';
import { SecondStep } from './second-step.tsx';
import { Waiting } from './waiting.tsx';

export function SignInPage() {
  const loading = useSubmission();
  const options = useSignal<SignInOptions | null>(null);
  const needed = useSignal<SecondFactorNeeded | null>(null);
  const note = useSignal<string | null>(null);

  async function load(): Promise<void> {
    const answer = await loading.send(() => call<{ data: SignInOptions }>('GET', '/sign-in'));
    if (answer !== null) options.value = answer.data;
  }

  useEffect(() => {
    void load();
  }, []);

  if (options.value === null) return <Waiting submission={loading} onRetry={() => void load()} />;
  if (needed.value !== null) {
    return (
      <SecondStep
        needed={needed.value}
        onExpired={() => {
          needed.value = null;
          note.value = t.challengeExpired;
        }}
        onStartAgain={() => {
          needed.value = null;
          note.value = null;
        }}
      />
    );
  }
  return (
    <FirstStep
      options={options.value}
      note={note.value}
      onSecondFactor={(found) => {
        needed.value = found;
      }}
    />
  );
}
