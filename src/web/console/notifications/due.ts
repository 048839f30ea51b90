// Which of the unread ring now (docs/spec/notifications.md#desktop-and-sound).

import type { News } from '../live/unread.ts';

export interface Due {
  /** Of a ticket only the newest; the newest last. */
  shown: News[];
  hasSound: boolean;
}

/** @param seen the newest that this browser knew of before */
export function dueOf(newest: readonly News[], seen: number, isInSight: (ticket: string) => boolean): Due {
  const fresh = newest.filter(({ id, ticket }) => id > seen && (ticket === null || !isInSight(ticket.ulid)));
  const shown = new Map<string, News>();
  for (const news of fresh) {
    const key = news.ticket?.ulid ?? `${news.id}`;
    if (news.desktop && !shown.has(key)) shown.set(key, news);
  }
  return { shown: [...shown.values()].reverse(), hasSound: fresh.some(({ sound }) => sound) };
}
