// What the tab is called: its page, behind the number of the agent's own tickets that are unread.

import { useEffect } from 'preact/hooks';
import { count } from '../shared/format.ts';
import { viewCounts } from './views/views.ts';

/** @param title null for a part of a page that has its own */
export function usePageTitle(title: string | null): void {
  const unread = viewCounts.value.mine?.unread ?? 0;
  useEffect(() => {
    if (title !== null) document.title = `${unread === 0 ? '' : `(${count(unread)}) `}${title} · Helpdesk`;
  }, [title, unread]);
}
