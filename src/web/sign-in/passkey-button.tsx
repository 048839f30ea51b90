// Signing in with a passkey instead of a password.

import { useSignal } from '@preact/signals';
import { call } from '../shared/api.ts';
import { Button } from '../shared/button.tsx';
import { Icon } from '../shared/icons.tsx';
import { Notice, SubmissionNotice } from '../shared/notices.tsx';
import { PasskeyRefusal, passkeyObstacle, signWithPasskey } from '../shared/passkeys.ts';
import { t } from '../shared/sign-in-messages.ts';
import { useSubmission } from '../shared/submission.ts';
import type { PasskeyAsked } from '../shared/wire.ts';

export function PasskeyButton({ onAnswer }: { onAnswer: (answer: object) => void }) {
  const submission = useSubmission();
  const isRefused = useSignal(false);
  const obstacle = passkeyObstacle();
  if (obstacle !== null) {
    return <p class="aside">{obstacle === 'insecure' ? t.insecurePasskeys : t.oldBrowserPasskeys}</p>;
  }

  async function send(): Promise<void> {
    isRefused.value = false;
    try {
      const answer = await submission.send(async () => {
        const asked = await call<PasskeyAsked>('POST', '/session/passkey', {});
        if (!asked.isOk) return asked;
        const passkey = await signWithPasskey(asked.data.options);
        return await call<object>('POST', '/session/second-factor', { challenge: asked.data.challenge, code: passkey });
      });
      if (answer !== null) onAnswer(answer);
    } catch (error) {
      if (!(error instanceof PasskeyRefusal)) throw error;
      isRefused.value = true;
    }
  }

  return (
    <>
      <SubmissionNotice submission={submission} />
      {isRefused.value && (
        <div role="alert">
          <Notice kind="hint">{t.passkeyCancelled}</Notice>
        </div>
      )}
      <Button isWide isBusy={submission.isBusy.value} onClick={() => void send()}>
        <Icon name="key" />
        {t.signInWithPasskey}
      </Button>
    </>
  );
}
