// Says that this agent has the ticket open, and that they have read it.

import { effect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ask } from '../../shared/signed-in.ts';
import { hello } from '../live/live.ts';
import { readWithNextWord, sendPresence } from '../live/presence.ts';
import { unread } from '../live/unread.ts';
import { knownTicket, reload, storeRow } from '../tickets/cache.ts';
import { tellChanged } from '../tickets/change.ts';
import type { TicketDetail } from '../wire.ts';

export function usePresence(ticket: string): void {
  useEffect(() => {
    sendPresence(ticket, 'viewing');
    return () => sendPresence(ticket, 'gone');
  }, [ticket]);
}

/**
 * A ticket counts as read, with the notifications about it, when it is on a page that the agent can see. The first word about
 * it says so whatever is known: of many notifications only the newest are.
 */
export function useReadMark({ ulid, is_unread: isUnread, last_customer_message_at: newest }: TicketDetail): void {
  const told = unread.value?.newest.find((one) => one.ticket?.ulid === ulid)?.id ?? null;
  const readUpTo = useRef<string | null | undefined>(undefined);
  useEffect(() => {
    // That the desk has heard of it is nothing new to say.
    let isDue = told !== null || newest !== readUpTo.current;
    const mark = () => {
      if (!isDue || document.visibilityState !== 'visible') return;
      isDue = false;
      readUpTo.current = newest;
      void markRead(ulid, newest, isUnread || told !== null);
    };
    mark();
    document.addEventListener('visibilitychange', mark);
    return () => document.removeEventListener('visibilitychange', mark);
  }, [ulid, newest, told]);
}

/** Marks that the desk did not hear of, with the newest message that was read. */
const unheard = new Map<string, string | null>();

/** @param isNews whether it is worth a request of its own */
async function markRead(ulid: string, newest: string | null, isNews: boolean): Promise<void> {
  const isHeard = await readWithNextWord(ulid);
  if (!isNews) return;
  const answer = isHeard ? null : await ask('PUT', `/tickets/${ulid}/read`, {});
  if (answer === null || answer.isOk) {
    storeRow({ ulid, is_unread: false });
    tellChanged(ulid, { is_unread: false });
  } else if (answer.refusal.status === 0 || answer.refusal.status >= 500) unheard.set(ulid, newest);
}

async function markAgain(ulid: string, newest: string | null): Promise<void> {
  unheard.delete(ulid);
  await reload(ulid);
  const ticket = knownTicket(ulid);
  // What the customer wrote since was not read.
  if (ticket?.is_unread && ticket.last_customer_message_at === newest) await markRead(ulid, newest, true);
}

effect(() => {
  if (hello.value !== null) for (const [ulid, newest] of unheard) void markAgain(ulid, newest);
});
