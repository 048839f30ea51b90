// The question before a sensitive change; the refused call is repeated afterwards.

import { useSignal } from '@preact/signals';
import { type Answer, call } from './api.ts';
import { Button, Submit } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { CodeField, PasswordField } from './field.tsx';
import { Form } from './form.tsx';
import { Notice, SubmissionNotice } from './notices.tsx';
import { PasskeyRefusal, passkeyObstacle, signWithPasskey } from './passkeys.ts';
import { t } from './sign-in-messages.ts';
import { confirmation } from './signed-in.ts';
import { useForm } from './submission.ts';
import type { Agent, PasskeyAsked } from './wire.ts';

/** Once on each page of a signed-in agent. */
export function ConfirmIdentity({ agent }: { agent: Agent }) {
  const asked = confirmation.value;
  return asked && <Question agent={agent} decide={asked.decide} />;
}

type Way = 'password' | 'totp' | 'passkey';

const leads = {
  password: () => t.confirmIdentityLead,
  totp: () => t.confirmIdentityCode,
  passkey: () => t.usePasskeyNow,
};

const wayTexts = { password: () => t.usePassword, totp: () => t.useTotp, passkey: () => t.usePasskey };

function waysOf({ has_password, second_factors }: Agent): Way[] {
  const ways: Way[] = has_password ? ['password'] : [];
  if (second_factors.includes('totp')) ways.push('totp');
  if (second_factors.includes('passkey') && passkeyObstacle() === null) ways.push('passkey');
  return ways;
}

async function confirmWithPasskey(): Promise<Answer<object>> {
  const asked = await call<PasskeyAsked>('POST', '/session/passkey', {});
  if (!asked.isOk) return asked;
  const code = await signWithPasskey(asked.data.options);
  return await call<object>('POST', '/session/confirm', { challenge: asked.data.challenge, code });
}

function Question({ agent, decide }: { agent: Agent; decide: (isConfirmed: boolean) => void }) {
  const form = useForm({ secret: '' });
  const isPasskeyRefused = useSignal(false);
  const ways = waysOf(agent);
  const way = useSignal<Way | null>(ways[0] ?? null);

  async function send(): Promise<void> {
    if (way.value === null) return;
    const isByPasskey = way.value === 'passkey';
    if (!isByPasskey && form.values.secret === '') return form.refuse({ secret: t.required });
    const body = way.value === 'password' ? { password: form.values.secret } : { code: form.values.secret };
    isPasskeyRefused.value = false;
    try {
      const answer = await form.send(() =>
        isByPasskey ? confirmWithPasskey() : call<object>('POST', '/session/confirm', body),
      );
      if (answer !== null) return decide(true);
    } catch (error) {
      if (!(error instanceof PasskeyRefusal)) throw error;
      isPasskeyRefused.value = true;
    }
    if (!isByPasskey && form.refusal.value?.code === 'wrong_credentials')
      form.refuse({ secret: way.value === 'password' ? t.currentPasswordWrong : t.codeWrong });
  }

  const field = form.field('secret');
  return (
    <Dialog title={t.confirmIdentity} onClose={() => decide(false)}>
      <Form submission={form} onSubmit={() => void send()}>
        <p class="soft">{way.value === null ? t.confirmIdentityAgain : leads[way.value]()}</p>
        <SubmissionNotice submission={form} />
        {isPasskeyRefused.value && (
          <div role="alert">
            <Notice kind="hint">{t.passkeyCancelled}</Notice>
          </div>
        )}
        {way.value === 'password' && (
          <>
            <input type="email" name="email" autocomplete="username" value={agent.email} readOnly hidden />
            <PasswordField
              label={t.password}
              autocomplete="current-password"
              isRequired
              isFirst
              {...field}
              name="password"
            />
          </>
        )}
        {way.value === 'totp' && <CodeField label={t.code} onComplete={() => void send()} {...field} />}
        <div class="dialog-actions">
          {ways
            .filter((other) => other !== way.value)
            .map((other) => (
              <Button
                key={other}
                kind="quiet"
                onClick={() => {
                  form.clear();
                  isPasskeyRefused.value = false;
                  form.change({ secret: '' });
                  way.value = other;
                }}
              >
                {wayTexts[other]()}
              </Button>
            ))}
          {way.value !== null && <Submit submission={form}>{t.confirm}</Submit>}
        </div>
      </Form>
    </Dialog>
  );
}
