// What the tab is called: its page, behind the number of unread notifications.

import { useEffect } from 'preact/hooks';
import { unreadText } from './live/unread.ts';

/** @param title null for a part of a page that has its own */
export function usePageTitle(title: string | null): void {
  const unread = unreadText();
  useEffect(() => {
    if (title !== null) document.title = `${unread === '' ? '' : `(${unread}) `}${title} · Helpdesk`;
  }, [title, unread]);
}
