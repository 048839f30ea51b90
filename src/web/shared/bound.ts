// Ties a field to a signal.

import type { Signal } from '@preact/signals';

export const bound = <Value>(signal: Signal<Value>) => ({
  value: signal.value,
  onValue(value: Value) {
    signal.value = value;
  },
});
