// What a text will look like, asked of the desk once one pauses: the words that are being written, not only those that are saved.

import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Answer } from '../../../shared/api.ts';
import { ask } from '../../../shared/signed-in.ts';

interface Preview<Shown> {
  shown: ReadonlySignal<Shown | null>;
  /** By field, why there is no preview of these words. */
  problems: ReadonlySignal<Record<string, string>>;
}

/** So that not each letter is a request. */
const pauseMs = 400;

export function usePreview<Shown>(path: string | null, body: Record<string, unknown>): Preview<Shown> {
  const shown = useSignal<Shown | null>(null);
  const problems = useSignal<Record<string, string>>({});
  const words = JSON.stringify(body);
  useEffect(() => {
    if (path === null) return;
    let isCurrent = true;
    const load = async () => {
      const answer: Answer<{ data: Shown }> = await ask('POST', path, JSON.parse(words) as object);
      if (!isCurrent) return;
      if (answer.isOk) shown.value = answer.data.data;
      const said = answer.isOk ? [] : Object.entries(answer.refusal.fields);
      problems.value = Object.fromEntries(said.map(([name, lines]) => [name, lines.join(' ')]));
    };
    const timer = setTimeout(() => void load(), shown.peek() === null ? 0 : pauseMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [path, words]);
  return { shown, problems };
}
