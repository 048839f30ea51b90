// Proves an address with the digits that were mailed to it.

import { signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type Answer, call } from '../shared/api.ts';
import { Button, Submit } from '../shared/button.tsx';
import { CodeField, TextField } from '../shared/field.tsx';
import { Form } from '../shared/form.tsx';
import { duration } from '../shared/format.ts';
import { SubmissionNotice } from '../shared/notices.tsx';
import { useForm, useSubmission } from '../shared/submission.ts';
import { isAddressLike } from './address.ts';
import { t } from './messages.ts';

type Names = { ticket: string } | { site: string };

interface CodeStepProps {
  /** Before the code is asked for, and after. */
  lead: string;
  mailed: string;
  /** What names the address to the desk. */
  names: Names;
  /** A code is on its way already. */
  isAsked?: boolean;
  ask: () => Promise<Answer<object>>;
  onProved: () => void;
  onCancel: () => void;
  cancelText: string;
}

const digits = signal(6);

/** The answer says how many digits a code has. */
export async function askForCode(body: Names & { email?: string }) {
  const answer = await call<{ digits: number }>('POST', '/customer/codes', body);
  if (answer.isOk) digits.value = answer.data.digits;
  return answer;
}

const againAfterSeconds = 30;

export function CodeStep({ lead, mailed, names, isAsked = false, ask, onProved, onCancel, cancelText }: CodeStepProps) {
  const form = useForm({ code: '' });
  const asking = useSubmission();
  const isSent = useSignal(isAsked);
  const left = useCountdown(isAsked);

  async function send(): Promise<void> {
    if ((await asking.send(ask)) === null) return;
    isSent.value = true;
    form.change({ code: '' });
    form.clear();
    left.restart();
  }

  async function confirm(): Promise<void> {
    const { code } = form.values;
    if (code.length < digits.value) return form.refuse({ code: t.codeIncomplete });
    const body = { ...names, code };
    if ((await form.send(() => call('POST', '/customer/codes/confirm', body))) !== null) return onProved();
    if (form.refusal.peek()?.code !== 'wrong_code') return;
    form.change({ code: '' });
    form.refuse({ code: t.codeRefused });
  }

  const cancel = (
    <Button kind="quiet" onClick={onCancel}>
      {cancelText}
    </Button>
  );
  if (!isSent.value)
    return (
      <>
        <p class="soft">{lead}</p>
        <SubmissionNotice submission={asking} />
        <div class="row">
          <Button
            kind="primary"
            isBusy={asking.isBusy.value}
            isDisabled={asking.waitSeconds.value > 0}
            onClick={() => void send()}
          >
            {t.mailCode}
          </Button>
          {cancel}
        </div>
      </>
    );
  return (
    <Form submission={form} label={t.confirmAddress} onSubmit={() => void confirm()}>
      <p role="status">{mailed}</p>
      <SubmissionNotice submission={form} fields={['code']} />
      <CodeField
        label={t.codeFromMail}
        length={digits.value}
        {...form.field('code')}
        onComplete={() => void confirm()}
      />
      <div class="row">
        <Submit submission={form}>{t.confirm}</Submit>
        {cancel}
      </div>
      <SubmissionNotice submission={asking} />
      {left.seconds.value > 0 ? (
        <p class="soft">{t.mailCodeIn(duration(left.seconds.value))}</p>
      ) : (
        <Button
          kind="quiet"
          isBusy={asking.isBusy.value}
          isDisabled={asking.waitSeconds.value > 0}
          onClick={() => void send()}
        >
          {t.mailCodeAgain}
        </Button>
      )}
    </Form>
  );
}

interface ProveAddressProps {
  names: Names;
  label: string;
  lead: string;
  mailed: (email: string) => string;
  onProved: () => void;
  onCancel?: () => void;
}

/** Asks for the address first. What the desk answers does not tell whether it knows it. */
export function ProveAddress({ names, label, lead, mailed, onProved, onCancel }: ProveAddressProps) {
  const form = useForm({ email: '' });
  const isAsked = useSignal(false);
  const email = () => form.values.email.trim();
  const ask = () => askForCode({ ...names, email: email() });

  async function send(): Promise<void> {
    if (!isAddressLike(email())) return form.refuse({ email: email() === '' ? t.required : t.emailRefused });
    if ((await form.send(ask)) !== null) isAsked.value = true;
  }

  if (isAsked.value)
    return (
      <CodeStep
        lead={lead}
        mailed={mailed(email())}
        names={names}
        isAsked
        ask={ask}
        onProved={onProved}
        onCancel={() => {
          isAsked.value = false;
        }}
        cancelText={t.otherAddress}
      />
    );
  return (
    <Form submission={form} label={label} onSubmit={() => void send()}>
      <p class="soft">{lead}</p>
      <SubmissionNotice submission={form} fields={['email']} />
      <TextField label={t.yourEmail} type="email" autocomplete="email" isRequired {...form.field('email')} />
      <div class="row">
        <Submit submission={form} isWide={onCancel === undefined}>
          {t.goOn}
        </Submit>
        {onCancel && (
          <Button kind="quiet" onClick={onCancel}>
            {t.cancel}
          </Button>
        )}
      </div>
    </Form>
  );
}

function useCountdown(isRunning: boolean) {
  const seconds = useSignal(isRunning ? againAfterSeconds : 0);
  const timer = useRef<ReturnType<typeof setInterval> | undefined>(undefined);
  const run = () => {
    clearInterval(timer.current);
    timer.current = setInterval(() => {
      seconds.value = Math.max(0, seconds.value - 1);
      if (seconds.value === 0) clearInterval(timer.current);
    }, 1000);
  };
  useEffect(() => {
    if (isRunning) run();
    return () => clearInterval(timer.current);
  }, []);
  return {
    seconds,
    restart() {
      seconds.value = againAfterSeconds;
      run();
    },
  };
}
