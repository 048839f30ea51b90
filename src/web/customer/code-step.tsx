// Proves an address with the digits that were mailed to it.

import { signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type Answer, call } from '../shared/api.ts';
import { Button } from '../shared/button.tsx';
import { CodeField } from '../shared/field.tsx';
import { Form } from '../shared/form.tsx';
import { duration } from '../shared/format.ts';
import { SubmissionNotice } from '../shared/notices.tsx';
import { useSubmission } from '../shared/submission.ts';
import { t } from './messages.ts';

interface CodeStepProps {
  /** Before the code is asked for, and after. */
  lead: string;
  mailed: string;
  /** What names the address to the desk. */
  names: { ticket: string } | { site: string };
  /** A code is on its way already. */
  isAsked?: boolean;
  ask: () => Promise<Answer<object>>;
  onProved: () => void;
  onCancel: () => void;
  cancelText: string;
}

const digits = signal(6);

/** The desk says how long its codes are at the moment. */
export async function askForCode(body: { ticket: string } | { site: string; email: string }) {
  const answer = await call<{ digits: number }>('POST', '/customer/codes', body);
  if (answer.isOk) digits.value = answer.data.digits;
  return answer;
}

const againAfterSeconds = 30;

export function CodeStep({ lead, mailed, names, isAsked = false, ask, onProved, onCancel, cancelText }: CodeStepProps) {
  const submission = useSubmission();
  const asking = useSubmission();
  const isSent = useSignal(isAsked);
  const code = useSignal('');
  const left = useCountdown(isAsked);

  async function send(): Promise<void> {
    if ((await asking.send(ask)) === null) return;
    isSent.value = true;
    code.value = '';
    submission.clear();
    left.restart();
  }

  async function confirm(): Promise<void> {
    if (code.value.length < digits.value) return submission.refuse({ code: t.codeIncomplete });
    const body = { ...names, code: code.value };
    if ((await submission.send(() => call('POST', '/customer/codes/confirm', body))) !== null) return onProved();
    if (submission.refusal.peek()?.code !== 'wrong_code') return;
    code.value = '';
    submission.refuse({ code: t.codeRefused });
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
    <Form submission={submission} label={t.confirmAddress} onSubmit={() => void confirm()}>
      <p role="status">{mailed}</p>
      <SubmissionNotice submission={submission} fields={['code']} />
      <CodeField
        label={t.codeFromMail}
        length={digits.value}
        value={code.value}
        problem={submission.problems.value.code}
        onComplete={() => void confirm()}
        onValue={(value) => {
          code.value = value;
        }}
      />
      <div class="row">
        <Button
          type="submit"
          kind="primary"
          isBusy={submission.isBusy.value}
          isDisabled={submission.waitSeconds.value > 0}
        >
          {t.confirm}
        </Button>
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
