// Sign-in: password, passkey or the organisation's own sign-in, and the second factor when there is one.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { call } from '../shared/api.ts';
import { t } from '../shared/sign-in-messages.ts';
import { useSubmission } from '../shared/submission.ts';
import type { SecondFactor, SecondFactorNeeded, SignInOptions } from '../shared/wire.ts';
import { Entrance } from './entrance.tsx';
import { FirstStep } from './first-step.tsx';
import { Waiting } from './waiting.tsx';

const secondFactors: readonly SecondFactor[] = ['totp', 'passkey', 'recovery_code'];

/** The issuer's sign-in was the first step: `?second_factor=totp,passkey#challenge=…`. */
function askedInAddress(): SecondFactorNeeded | null {
  const challenge = new URLSearchParams(location.hash.slice(1)).get('challenge');
  const named = new URLSearchParams(location.search).get('second_factor')?.split(',') ?? [];
  const factors = secondFactors.filter((factor) => named.includes(factor));
  return challenge === null || factors.length === 0 ? null : { second_factor: factors, challenge };
}

export function SignInPage() {
  const loading = useSubmission();
  const options = useSignal<SignInOptions | null>(null);
  const note = useSignal<string | null>(null);

  async function load(): Promise<void> {
    const answer = await loading.send(() => call<{ data: SignInOptions }>('GET', '/sign-in'));
    if (answer !== null) options.value = answer.data;
  }

  useEffect(() => {
    void load();
  }, []);

  const shown = options.value;
  if (shown === null) return <Waiting submission={loading} onRetry={() => void load()} />;
  return (
    <Entrance
      asked={askedInAddress()}
      onAgain={(reason) => {
        note.value = reason === 'expired' ? t.challengeExpired : null;
      }}
    >
      {(onAnswer) => <FirstStep options={shown} note={note.value} onAnswer={onAnswer} />}
    </Entrance>
  );
}
