// Data of a settings screen that changes without the user: fetched again and again while the page is visible.

import { batch, type ReadonlySignal, useSignal } from '@preact/signals';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import type { Refusal } from '../../shared/api.ts';
import { ask } from '../../shared/signed-in.ts';

const everyMs = 5000;

/** An answer and its version, which a change names, so that no one's work is lost. */
export interface Versioned<Data> {
  data: Data;
  etag: string;
  /** Someone has removed it since. */
  isGone?: boolean;
}

interface LiveData<Data> {
  /** Null until the desk has answered. */
  shown: ReadonlySignal<Versioned<Data> | null>;
  /** Of the newest request. What was shown before stays. */
  refusal: ReadonlySignal<Refusal | null>;
  reload: () => Promise<void>;
}

export function useLiveData<Data>(path: string): LiveData<Data> {
  const shown = useSignal<Versioned<Data> | null>(null);
  const refusal = useSignal<Refusal | null>(null);
  const current = useRef<() => Promise<void>>(async () => undefined);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let newest = 0;
    const load = async () => {
      clearTimeout(timer);
      newest += 1;
      const own = newest;
      const answer = await ask<{ data: Data }>('GET', path);
      if (own !== newest) return;
      batch(() => {
        refusal.value = answer.isOk ? null : answer.refusal;
        if (answer.isOk) shown.value = { data: answer.data.data, etag: answer.etag ?? '' };
        else if (answer.refusal.status === 404 && shown.value !== null) shown.value = { ...shown.value, isGone: true };
      });
      again();
    };
    const again = () => {
      timer = setTimeout(() => (document.hidden ? again() : void load()), everyMs);
    };
    shown.value = null;
    current.current = load;
    void load();
    return () => {
      newest += 1;
      clearTimeout(timer);
      // An Undo may outlive the screen.
      current.current = async () => undefined;
    };
  }, [path]);
  return { shown, refusal, reload: useCallback(() => current.current(), []) };
}
