// Parts of the console that are loaded on demand.

import { type ReadonlySignal, signal } from '@preact/signals';
import { loadMessages } from '../../shared/messages.ts';
import { noteMissingPart } from '../live/upgrade.ts';

export interface LaterPart<Part> {
  /** Null until it is there. In an object: a signal would call a component that it is given. */
  state: ReadonlySignal<{ part: Part } | 'failed' | null>;
  /** Loads it with its messages, unless it is there. Never throws. */
  begin(): Promise<void>;
}

export function laterPart<Part>(load: () => Promise<Part>): LaterPart<Part> {
  const state = signal<{ part: Part } | 'failed' | null>(null);
  let isLoading = false;
  return {
    state,
    async begin() {
      if (isLoading || (state.peek() !== null && state.peek() !== 'failed')) return;
      isLoading = true;
      state.value = null;
      try {
        const part = await load();
        // Its messages were added with its code.
        await loadMessages();
        state.value = { part };
      } catch (error) {
        console.error(error);
        state.value = 'failed';
        await noteMissingPart();
      } finally {
        isLoading = false;
      }
    },
  };
}
