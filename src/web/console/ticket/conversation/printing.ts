// Printing: while it lasts, a sheet of the whole conversation replaces the page.

import { type ReadonlySignal, signal } from '@preact/signals';

const printing = signal<{ hasNotes: boolean } | null>(null);
export const printed: ReadonlySignal<{ hasNotes: boolean } | null> = printing;

/** @param hasNotes whether notes, which customers must not see, are on the paper */
export function printTicket(hasNotes: boolean): void {
  printing.value = { hasNotes };
  // After the sheet was drawn.
  setTimeout(() => window.print());
}

addEventListener('beforeprint', () => {
  printing.value ??= { hasNotes: false };
});
addEventListener('afterprint', () => {
  printing.value = null;
});
