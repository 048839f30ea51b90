// What a customer has written and not sent, in this browser only.

import { readStored, removeStored, writeStored } from '../shared/preferences.ts';

const prefix = 'helpdesk.answer.';

export function readDraft(ticket: string): string {
  return readStored(prefix + ticket) ?? '';
}

export function keepDraft(ticket: string, text: string): void {
  if (text.trim() === '') removeStored(prefix + ticket);
  else writeStored(prefix + ticket, text);
}

export function forgetDrafts(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  } catch {
    // Without storage nothing was kept.
  }
}
