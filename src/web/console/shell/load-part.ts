// Parts of the console that are loaded on demand.

import { type ReadonlySignal, signal } from '@preact/signals';
import { iconPaths } from '../../shared/icon-paths.ts';
import { loadMessages } from '../../shared/messages.ts';
import { hello } from '../live/live.ts';
import { noteMissingPart } from '../live/upgrade.ts';

/** The main content is there, such as the rows of a list: the rest may load now. */
export const isFirstShown = signal(false);

export interface OnDemandPart<Part> {
  /** Null until it is there. In an object: a signal would call a component that it is given. */
  state: ReadonlySignal<{ part: Part } | 'failed' | null>;
  /** Loads it with its messages, unless it is there. Never throws. */
  begin(): Promise<void>;
}

export function onDemandPart<Part>(load: () => Promise<Part>): OnDemandPart<Part> {
  const state = signal<{ part: Part } | 'failed' | null>(null);
  let isLoading = false;
  async function attempt(): Promise<{ part: Part }> {
    const [part, { onDemandIconPaths }] = await Promise.all([load(), import('../on-demand-icon-paths.ts')]);
    Object.assign(iconPaths, onDemandIconPaths);
    // Its messages were added with its code.
    await loadMessages();
    return { part };
  }
  async function attemptAgain(): Promise<{ part: Part } | 'failed'> {
    const desk = await noteMissingPart();
    if (desk === 'away') whenBack(() => void begin());
    if (desk !== 'same') return 'failed';
    try {
      // It was away only for a moment.
      return await attempt();
    } catch (error) {
      console.error(error);
      return 'failed';
    }
  }
  async function begin(): Promise<void> {
    if (isLoading || (state.peek() !== null && state.peek() !== 'failed')) return;
    isLoading = true;
    state.value = null;
    state.value = await attempt().catch(attemptAgain);
    isLoading = false;
  }
  return { state, begin };
}

function whenBack(run: () => void): void {
  const before = hello.peek();
  const end = hello.subscribe((said) => {
    if (said === before) return;
    end();
    run();
  });
}
