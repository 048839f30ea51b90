// The authenticator app: turning it on and off, and its recovery codes.

import { useSignal } from '@preact/signals';
import { Button } from '../../shared/button.tsx';
import { Icon } from '../../shared/icons.tsx';
import { announce, SubmissionNotice } from '../../shared/notices.tsx';
import { Question } from '../../shared/question.tsx';
import { ask } from '../../shared/signed-in.ts';
import { useSubmission } from '../../shared/submission.ts';
import type { Agent, TotpSetup } from '../../shared/wire.ts';
import { AuthenticatorSetup } from './authenticator-setup.tsx';
import { t } from './messages.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { Row, State } from './section.tsx';
import { loadProfile } from './state.ts';

export function Authenticator({ agent }: { agent: Agent }) {
  const submission = useSubmission();
  const setup = useSignal<TotpSetup | null>(null);
  const codes = useSignal<string[] | null>(null);
  const question = useSignal<'off' | 'codes' | null>(null);
  const isOn = agent.second_factors.includes('totp');
  const isWithCodes = isOn || agent.second_factors.includes('recovery_code');

  async function begin(): Promise<void> {
    const answer = await submission.send(() => ask<{ data: TotpSetup }>('POST', '/me/totp', {}));
    if (answer !== null) setup.value = answer.data;
  }

  async function turnOff(): Promise<void> {
    const isDone = await submission.send(() => ask('DELETE', '/me/totp'));
    if (isDone === null) return;
    question.value = null;
    announce(t.totpOff);
    await loadProfile();
  }

  async function makeCodes(): Promise<void> {
    const answer = await submission.send(() => ask<{ recovery_codes: string[] }>('POST', '/me/recovery-codes', {}));
    if (answer === null) return;
    question.value = null;
    codes.value = answer.recovery_codes;
  }

  const close = () => {
    question.value = null;
    submission.clear();
  };
  return (
    <>
      <Row
        icon={<Icon name="phone" />}
        title={
          <>
            <span>{t.totp}</span>
            <State isOn={isOn} text={isOn ? t.isOn : t.isOff} />
          </>
        }
        detail={t.totpLead}
      >
        {isOn ? (
          <Button
            label={t.totpTurnOff}
            onClick={() => {
              question.value = 'off';
            }}
          >
            {t.turnOff}
          </Button>
        ) : (
          <Button kind="primary" label={t.totpTurnOn} isBusy={submission.isBusy.value} onClick={() => void begin()}>
            {t.turnOn}
          </Button>
        )}
      </Row>
      {isWithCodes && (
        <Row icon={<Icon name="codes" />} title={t.recoveryCodes} detail={t.recoveryCodesLead}>
          <Button
            onClick={() => {
              question.value = 'codes';
            }}
          >
            {t.newRecoveryCodes}
          </Button>
        </Row>
      )}
      {question.value === null && setup.value === null && <SubmissionNotice submission={submission} />}
      {setup.value !== null && (
        <AuthenticatorSetup
          setup={setup.value}
          onDone={(found) => {
            setup.value = null;
            codes.value = found;
          }}
          onClose={() => {
            setup.value = null;
          }}
        />
      )}
      {question.value === 'off' && (
        <Question
          title={t.totpOffTitle}
          text={t.totpOffText}
          action={t.turnOff}
          submission={submission}
          onConfirm={() => void turnOff()}
          onClose={close}
        />
      )}
      {question.value === 'codes' && (
        <Question
          title={t.newRecoveryCodesTitle}
          text={t.newRecoveryCodesText}
          action={t.newRecoveryCodes}
          submission={submission}
          onConfirm={() => void makeCodes()}
          onClose={close}
        />
      )}
      {codes.value !== null && (
        <RecoveryCodes
          codes={codes.value}
          onClose={() => {
            codes.value = null;
            announce(isOn ? t.newCodesMade : t.totpOn);
            void loadProfile();
          }}
        />
      )}
    </>
  );
}
