// Says that this agent has the ticket open, and that they have read it.

import { useEffect } from 'preact/hooks';
import { ask } from '../../shared/signed-in.ts';
import { tellPresence } from '../live/presence.ts';
import { storeRow } from '../tickets/cache.ts';
import { tellChanged } from '../tickets/change.ts';
import type { TicketDetail } from '../wire.ts';

export function usePresence(ticket: string): void {
  useEffect(() => {
    tellPresence(ticket, 'viewing');
    return () => tellPresence(ticket, 'gone');
  }, [ticket]);
}

/** A ticket counts as read when it is on a page that the agent can see. */
export function useReadMark({ ulid, is_unread: isUnread, last_customer_message_at: newest }: TicketDetail): void {
  useEffect(() => {
    if (!isUnread) return;
    const mark = () => {
      if (document.visibilityState === 'visible') void markRead(ulid);
    };
    mark();
    document.addEventListener('visibilitychange', mark);
    return () => document.removeEventListener('visibilitychange', mark);
  }, [ulid, isUnread, newest]);
}

async function markRead(ulid: string): Promise<void> {
  const answer = await ask('PUT', `/tickets/${ulid}/read`, {});
  // Without an answer it stays unread, and is marked the next time that it is opened.
  if (!answer.isOk) return;
  storeRow({ ulid, is_unread: false });
  tellChanged(ulid, { is_unread: false });
}
