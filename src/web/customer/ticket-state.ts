// What the script knows of the ticket. The desk writes it into the document, and again with each fresh one.

import { signal } from '@preact/signals';

interface TicketState {
  ulid: string;
  may: { reply: boolean; needs_confirmation: boolean; solve: boolean; reopen: boolean };
  address_hint: string;
  is_confirmed: boolean;
  version: number;
  files: FileRules;
}

export interface FileRules {
  extensions: string[];
  mostBytes: number;
}

export const ticket = signal<TicketState>({
  ulid: '',
  may: { reply: false, needs_confirmation: false, solve: false, reopen: false },
  address_hint: '',
  is_confirmed: false,
  version: 0,
  files: { extensions: [], mostBytes: 0 },
});

/** @returns false if the document is no ticket */
export function readState(from: Document): boolean {
  const written = from.getElementById('ticket')?.dataset.ticket;
  if (written === undefined) return false;
  ticket.value = JSON.parse(written) as TicketState;
  return true;
}
