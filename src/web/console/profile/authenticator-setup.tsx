// Connects an authenticator app: scan or type the key, then prove it with a code.

import { useSignal } from '@preact/signals';
import { Button } from '../../shared/button.tsx';
import { Dialog } from '../../shared/dialog.tsx';
import { CodeField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { SubmissionNotice } from '../../shared/notices.tsx';
import { ask } from '../../shared/signed-in.ts';
import { useSubmission } from '../../shared/submission.ts';
import type { TotpSetup } from '../../shared/wire.ts';
import { t } from './messages.ts';
import { QrCode } from './qr-code.tsx';

interface AuthenticatorSetupProps {
  setup: TotpSetup;
  onDone: (recoveryCodes: string[]) => void;
  onClose: () => void;
}

export function AuthenticatorSetup({ setup, onDone, onClose }: AuthenticatorSetupProps) {
  const submission = useSubmission();
  const code = useSignal('');

  async function send(): Promise<void> {
    if (code.value === '') return submission.refuse({ code: t.required });
    const answer = await submission.send(() =>
      ask<{ recovery_codes: string[] }>('POST', '/me/totp/confirm', { code: code.value }),
    );
    if (answer !== null) return onDone(answer.recovery_codes);
    if (submission.refusal.value?.code === 'wrong_credentials') {
      code.value = '';
      submission.refuse({ code: t.codeWrong });
    }
  }

  return (
    <Dialog title={t.totpTitle} onClose={onClose}>
      <Form submission={submission} onSubmit={() => void send()}>
        <ol class="steps">
          <li>
            <p>{t.totpScan}</p>
            <QrCode svg={setup.qr} label={t.qrAlt} />
            <p class="soft">{t.totpByHand}</p>
            <code class="secret">{setup.secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
          </li>
          <li>
            <p>{t.totpThenCode}</p>
            <SubmissionNotice submission={submission} fields={['code']} />
            <CodeField
              label={t.code}
              value={code.value}
              problem={submission.problems.value.code}
              onComplete={() => void send()}
              onValue={(value) => {
                code.value = value;
              }}
            />
          </li>
        </ol>
        <div class="dialog-actions">
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button type="submit" kind="primary" isBusy={submission.isBusy.value}>
            {t.turnOn}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
