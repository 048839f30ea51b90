// Printing: all of the conversation, which the screen shows only from its newest part on.

import { type ReadonlySignal, signal } from '@preact/signals';

const printing = signal(false);
/** While it is true, the whole conversation is drawn. */
export const isPrinting: ReadonlySignal<boolean> = printing;

export function printTicket(): void {
  printing.value = true;
  // Two frames: one draws the messages, the other lays them out.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      window.print();
      printing.value = false;
    }),
  );
}

addEventListener('beforeprint', () => {
  printing.value = true;
});
addEventListener('afterprint', () => {
  printing.value = false;
});
