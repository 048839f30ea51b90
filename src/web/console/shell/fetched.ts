// What a page fetches from the desk: the newest answer, or why there is none.

import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useCallback, useEffect } from 'preact/hooks';
import type { Answer, Refusal } from '../../shared/api.ts';
import { ask } from '../../shared/signed-in.ts';

export interface Fetched<Data> {
  /** Of an older path until the newest has come. */
  data: ReadonlySignal<Data | null>;
  refusal: ReadonlySignal<Refusal | null>;
  /** The data are of another path than the one that is asked for. */
  isOld: boolean;
  reload: () => void;
}

export function useFetched<Data>(path: string): Fetched<Data> {
  const data = useSignal<Data | null>(null);
  const refusal = useSignal<Refusal | null>(null);
  const loaded = useSignal<string | null>(null);
  const turn = useSignal(0);
  const reload = useCallback(() => {
    turn.value += 1;
  }, []);
  useEffect(() => {
    let isCurrent = true;
    void (async () => {
      const answer: Answer<Data> = await ask<Data>('GET', path);
      if (!isCurrent) return;
      refusal.value = answer.isOk ? null : answer.refusal;
      if (answer.isOk) data.value = answer.data;
      loaded.value = path;
    })();
    return () => {
      isCurrent = false;
    };
  }, [path, turn.value]);
  return { data, refusal, isOld: loaded.value !== path, reload };
}
