// Which dialog of the ticket page is open.

import { type ReadonlySignal, signal } from '@preact/signals';

type TicketDialog =
  | { name: 'merge' }
  | { name: 'split'; message: string }
  | { name: 'forward'; message: string }
  | { name: 'original'; message: string }
  | { name: 'delete-note'; note: string }
  | { name: 'erase' }
  | { name: 'snooze' };

const opened = signal<TicketDialog | null>(null);
export const openedDialog: ReadonlySignal<TicketDialog | null> = opened;

export function openDialog(dialog: TicketDialog): void {
  opened.value = dialog;
}

export function closeDialog(): void {
  opened.value = null;
}
