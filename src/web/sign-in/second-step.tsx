// The second factor: a code, a recovery code or a passkey, whichever the agent has.

import { useSignal } from '@preact/signals';
import { type Answer, call } from '../shared/api.ts';
import { Button, Submit } from '../shared/button.tsx';
import { CodeField, TextField } from '../shared/field.tsx';
import { Form } from '../shared/form.tsx';
import { Notice, SubmissionNotice } from '../shared/notices.tsx';
import { PasskeyRefusal, passkeyObstacle, signWithPasskey } from '../shared/passkeys.ts';
import { t } from '../shared/sign-in-messages.ts';
import { useForm } from '../shared/submission.ts';
import type { PasskeyAsked, SecondFactor, SecondFactorNeeded } from '../shared/wire.ts';
import { Frame } from './frame.tsx';
import { missing } from './missing.ts';

interface SecondStepProps {
  needed: SecondFactorNeeded;
  onEntered: () => void;
  onExpired: () => void;
  onStartAgain: () => void;
}

const wayTexts = {
  totp: () => t.useTotp,
  passkey: () => t.usePasskey,
  recovery_code: () => t.useRecoveryCode,
};

const leads = {
  totp: () => t.enterTotp,
  passkey: () => t.usePasskeyNow,
  recovery_code: () => t.enterRecoveryCode,
};

export function SecondStep({ needed, onEntered, onExpired, onStartAgain }: SecondStepProps) {
  const form = useForm({ code: '' });
  const isPasskeyRefused = useSignal(false);
  const ways = needed.second_factor.filter((way) => way !== 'passkey' || passkeyObstacle() === null);
  const way = useSignal<SecondFactor>(ways[0] ?? 'recovery_code');

  async function send(ask: () => Promise<Answer<object>>): Promise<void> {
    const answer = await form.send(ask);
    if (answer !== null) return onEntered();
    const refusal = form.refusal.value;
    if (refusal?.code === 'challenge_expired') return onExpired();
    if (refusal?.code === 'wrong_credentials') {
      form.change({ code: '' });
      form.refuse({ code: t.codeWrong });
    }
  }

  const { challenge } = needed;
  const answerWith = (given: unknown) => call<object>('POST', '/session/second-factor', { challenge, code: given });

  async function sendCode(): Promise<void> {
    const found = missing({ code: form.values.code });
    if (Object.keys(found).length > 0) return form.refuse(found);
    await send(() => answerWith(form.values.code.trim()));
  }

  async function sendPasskey(): Promise<void> {
    isPasskeyRefused.value = false;
    try {
      await send(async () => {
        const asked = await call<PasskeyAsked>('POST', '/session/passkey', { challenge });
        return asked.isOk ? await answerWith(await signWithPasskey(asked.data.options)) : asked;
      });
    } catch (error) {
      if (!(error instanceof PasskeyRefusal)) throw error;
      isPasskeyRefused.value = true;
    }
  }

  return (
    <Frame title={t.secondFactor} lead={leads[way.value]()}>
      <Form submission={form} onSubmit={() => void (way.value === 'passkey' ? sendPasskey() : sendCode())}>
        <SubmissionNotice submission={form} fields={['code']} />
        {isPasskeyRefused.value && (
          <div role="alert">
            <Notice kind="hint">{t.passkeyCancelled}</Notice>
          </div>
        )}
        {way.value === 'totp' && (
          <CodeField label={t.code} {...form.field('code')} onComplete={() => void sendCode()} />
        )}
        {way.value === 'recovery_code' && (
          <TextField
            label={t.recoveryCode}
            isCode
            autocomplete="off"
            isRequired
            isFirst
            {...form.field('code')}
            name="recovery-code"
          />
        )}
        <Submit submission={form} isWide>
          {way.value === 'passkey' ? t.usePasskey : t.confirm}
        </Submit>
      </Form>
      <ul class="ways">
        {ways
          .filter((other) => other !== way.value)
          .map((other) => (
            <li key={other}>
              <Button
                kind="quiet"
                onClick={() => {
                  form.clear();
                  form.change({ code: '' });
                  way.value = other;
                }}
              >
                {wayTexts[other]()}
              </Button>
            </li>
          ))}
        <li>
          <Button kind="quiet" onClick={onStartAgain}>
            {t.startAgain}
          </Button>
        </li>
      </ul>
    </Frame>
  );
}
