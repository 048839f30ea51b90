// What is done only after this browser has proved the address, and waits until then.

import { signal } from '@preact/signals';
import { type Answer, call } from '../shared/api.ts';
import { shown, ticketPage } from './state.ts';

/** What goes on once the address is proved; null when nothing waits. */
export const waiting = signal<(() => Promise<void>) | null>(null);

/** @returns null if the address has to be proved first; `again` then runs after the proof */
export async function withProof<Data>(
  act: () => Promise<Answer<Data>>,
  again: () => Promise<void>,
): Promise<Answer<Data> | null> {
  const { may, is_confirmed: isConfirmed } = ticketPage().thread;
  if (may.needs_confirmation && !isConfirmed) {
    waiting.value = again;
    return null;
  }
  const answer = await act();
  if (answer.isOk || answer.refusal.code !== 'confirm_address') return answer;
  waiting.value = again;
  return null;
}

export async function proved(): Promise<void> {
  const next = waiting.peek();
  waiting.value = null;
  const page = ticketPage();
  shown.value = { ...page, thread: { ...page.thread, is_confirmed: true } };
  await next?.();
}

export function setStatus(status: 'resolved' | 'open'): Promise<Answer<object>> {
  return call('POST', `/customer/ticket/status?ticket=${ticketPage().thread.ticket.ulid}`, { status });
}
