// The state of a form that is being sent: busy, refused or waiting.

import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Answer, Refusal } from './api.ts';
import { fieldProblems } from './refusal-text.ts';

export interface Submission {
  isBusy: ReadonlySignal<boolean>;
  refusal: ReadonlySignal<Refusal | null>;
  problems: ReadonlySignal<Record<string, string>>;
  /** 0 when the desk accepts another try. */
  waitSeconds: ReadonlySignal<number>;
  /** A second click during the first send does nothing. Null if nothing was sent, or `act` sent nothing. */
  send<Data>(act: () => Promise<Answer<Data> | null>): Promise<Data | null>;
  refuse(problems: Record<string, string>): void;
  clear(): void;
}

export function useSubmission(): Submission {
  const isBusy = useSignal(false);
  const refusal = useSignal<Refusal | null>(null);
  const problems = useSignal<Record<string, string>>({});
  const waitSeconds = useSignal(0);
  const timer = useRef<ReturnType<typeof setInterval> | undefined>(undefined);
  useEffect(() => () => clearInterval(timer.current), []);

  function clear(): void {
    refusal.value = null;
    problems.value = {};
  }

  function wait(seconds: number): void {
    clearInterval(timer.current);
    waitSeconds.value = Math.ceil(seconds);
    timer.current = setInterval(() => {
      waitSeconds.value -= 1;
      if (waitSeconds.value > 0) return;
      clearInterval(timer.current);
      clear();
    }, 1000);
  }

  return {
    isBusy,
    refusal,
    problems,
    waitSeconds,
    clear,
    refuse(found) {
      refusal.value = null;
      problems.value = found;
    },
    async send(act) {
      if (isBusy.value || waitSeconds.value > 0) return null;
      isBusy.value = true;
      clear();
      try {
        const answer = await act();
        if (answer === null) return null;
        if (answer.isOk) return answer.data;
        refusal.value = answer.refusal;
        problems.value = fieldProblems(answer.refusal);
        if (answer.refusal.retryAfterSeconds !== null) wait(answer.refusal.retryAfterSeconds);
        return null;
      } finally {
        isBusy.value = false;
      }
    },
  };
}
