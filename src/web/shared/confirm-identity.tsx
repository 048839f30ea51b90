// The question before a sensitive change; the refused call is repeated afterwards.

import { useSignal } from '@preact/signals';
import { call } from './api.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { CodeField, PasswordField } from './field.tsx';
import { Form } from './form.tsx';
import { t } from './messages.ts';
import { SubmissionNotice } from './notices.tsx';
import { confirmation } from './signed-in.ts';
import { useSubmission } from './submission.ts';
import type { Agent } from './wire.ts';

/** Once on each page of a signed-in agent. */
export function ConfirmIdentity({ agent }: { agent: Agent }) {
  const asked = confirmation.value;
  return asked && <Question agent={agent} decide={asked.decide} />;
}

function Question({ agent, decide }: { agent: Agent; decide: (isConfirmed: boolean) => void }) {
  const submission = useSubmission();
  const secret = useSignal('');
  const isByPassword = useSignal(agent.has_password);
  const hasCode = agent.second_factors.includes('totp');

  async function send(): Promise<void> {
    if (secret.value === '') return submission.refuse({ secret: t.required });
    const body = isByPassword.value ? { password: secret.value } : { code: secret.value };
    const answer = await submission.send(() => call('POST', '/session/confirm', body));
    if (answer !== null) decide(true);
    else if (submission.refusal.value?.code === 'wrong_credentials') {
      submission.refuse({ secret: isByPassword.value ? t.currentPasswordWrong : t.codeWrong });
    }
  }

  const onValue = (value: string) => {
    secret.value = value;
  };
  const problem = submission.problems.value.secret;
  return (
    <Dialog title={t.confirmIdentity} onClose={() => decide(false)}>
      <Form submission={submission} onSubmit={() => void send()}>
        <p class="soft">{isByPassword.value ? t.confirmIdentityLead : t.confirmIdentityCode}</p>
        <SubmissionNotice submission={submission} />
        {isByPassword.value ? (
          <>
            <input type="email" name="email" autocomplete="username" value={agent.email} readOnly hidden />
            <PasswordField
              label={t.password}
              name="password"
              autocomplete="current-password"
              isRequired
              isFirst
              value={secret.value}
              problem={problem}
              onValue={onValue}
            />
          </>
        ) : (
          <CodeField
            label={t.code}
            value={secret.value}
            problem={problem}
            onComplete={() => void send()}
            onValue={onValue}
          />
        )}
        <div class="dialog-actions">
          {agent.has_password && hasCode && (
            <Button
              kind="quiet"
              onClick={() => {
                submission.clear();
                secret.value = '';
                isByPassword.value = !isByPassword.value;
              }}
            >
              {isByPassword.value ? t.useTotp : t.usePassword}
            </Button>
          )}
          <Button type="submit" kind="primary" isBusy={submission.isBusy.value}>
            {t.confirm}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
