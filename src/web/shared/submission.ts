// The state of a form: what is in it, and whether it is busy, refused or waiting.

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
  /** How often problems were found. The first of them then gets the focus. */
  refusals: ReadonlySignal<number>;
  /** Clears the problem of a field that is being changed. */
  forget(name: string): void;
  clear(): void;
}

/** @param problemsIn what a refusal says about each field */
export function useSubmission(problemsIn: (refusal: Refusal) => Record<string, string> = fieldProblems): Submission {
  const isBusy = useSignal(false);
  const refusal = useSignal<Refusal | null>(null);
  const problems = useSignal<Record<string, string>>({});
  const refusals = useSignal(0);
  const waitSeconds = useSignal(0);
  const timer = useRef<ReturnType<typeof setInterval> | undefined>(undefined);
  useEffect(() => () => clearInterval(timer.current), []);

  function clear(): void {
    refusal.value = null;
    problems.value = {};
  }

  function find(found: Record<string, string>): void {
    problems.value = found;
    if (Object.keys(found).length > 0) refusals.value += 1;
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
    refusals,
    waitSeconds,
    clear,
    refuse(found) {
      refusal.value = null;
      find(found);
    },
    forget(name) {
      const { [name]: forgotten, ...others } = problems.peek();
      if (forgotten !== undefined) problems.value = others;
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
        find(problemsIn(answer.refusal));
        if (answer.refusal.retryAfterSeconds !== null) wait(answer.refusal.retryAfterSeconds);
        return null;
      } finally {
        isBusy.value = false;
      }
    },
  };
}

export interface Field<Value> {
  name: string;
  value: Value;
  problem: string | undefined;
  onValue: (value: Value) => void;
}

export interface FormState<Values extends object> extends Submission {
  readonly values: Values;
  change(values: Partial<Values>): void;
  field<Name extends string & keyof Values>(name: Name): Field<Values[Name]>;
}

/** @param first what is in the form at the beginning */
export function useForm<Values extends object>(
  first: Values,
  problemsIn?: (refusal: Refusal) => Record<string, string>,
): FormState<Values> {
  const submission = useSubmission(problemsIn);
  const values = useSignal(first);
  return {
    ...submission,
    get values() {
      return values.value;
    },
    change(changed) {
      values.value = { ...values.peek(), ...changed };
    },
    field: (name) => ({
      name,
      value: values.value[name],
      problem: submission.problems.value[name],
      onValue(value) {
        values.value = { ...values.peek(), [name]: value };
        submission.forget(name);
      },
    }),
  };
}
