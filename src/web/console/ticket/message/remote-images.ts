// Whose mail may load images of other hosts: each agent decides for themselves, in this browser.

import type { Signal } from '@preact/signals';
import { remembered } from '../../remembered.ts';
import { session } from '../../session.ts';
import type { Message } from '../../wire.ts';

const mostSenders = 500;

function senders(): Signal<string[]> {
  return remembered<string[]>(`images.${session.peek()?.agent.id ?? 0}`, []);
}

/** Null for a sender that someone else could have claimed to be. */
export function trustedAddress({ author, sender_verified: isVerified }: Message): string | null {
  return isVerified === false || author === null || author.email === '' ? null : author.email.toLowerCase();
}

export function isAllowed(address: string | null): boolean {
  return address !== null && senders().value.includes(address);
}

export function allowAlways(address: string): void {
  const list = senders();
  list.value = [...list.peek().filter((one) => one !== address), address].slice(-mostSenders);
}
