// The time for what counts down on the page. It runs only while something shows it.

import { type ReadonlySignal, signal } from '@preact/signals';
import { now } from '../shared/clock.ts';

/** Milliseconds since 1970, once a second. */
export const seconds: ReadonlySignal<number> = ticking(1000);

/** The same, six times a minute: for rows that show minutes. */
export const tensOfSeconds: ReadonlySignal<number> = ticking(10_000);

function ticking(everyMs: number): ReadonlySignal<number> {
  let timer: ReturnType<typeof setInterval> | undefined;
  return signal(now(), {
    watched() {
      this.value = now();
      timer = setInterval(() => {
        this.value = now();
      }, everyMs);
    },
    unwatched() {
      clearInterval(timer);
    },
  });
}
