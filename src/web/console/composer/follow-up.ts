// What the agent sees after a send: the same ticket, the next one of the list, or the list.

import { afterSend } from '../choices.ts';
import { neighbours } from '../list/ticket-list.ts';
import { go, lastListPath } from '../route.ts';
import { openedTicket } from '../tickets/cache.ts';

/** What is typed next is for the conversation: single keys are commands again. A focus that went elsewhere stays there. */
export function toConversation(ticket: string): void {
  const { activeElement: at } = document;
  if (openedTicket.peek() !== ticket) return;
  if (at === document.body || at?.closest('.composer, .thread'))
    document.querySelector<HTMLElement>('.thread')?.focus({ preventScroll: true });
}

export function goOn(ticket: string): void {
  if (afterSend.peek() === 'stay') return;
  const { next } = neighbours(ticket);
  // After the last one there is only the list.
  go(afterSend.peek() === 'next' && next !== null ? `/tickets/${next}` : lastListPath.peek());
}
