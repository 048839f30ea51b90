// What the agent has not read of their notifications. `stream.ts` follows it. Apart from what comes before the list.

import { signal } from '@preact/signals';
import { count } from '../../shared/format.ts';
import type { Notification } from '../wire.ts';

export interface Unread {
  unread: number;
  /** Newest first. `desktop`, `sound`: it may ring so. */
  newest: News[];
}

export type News = Notification & { desktop: boolean; sound: boolean };

export const unread = signal<Unread | null>(null);

const mostShown = 99;

/** Empty when all is read. */
export function unreadText(): string {
  const { unread: all } = unread.value ?? { unread: 0 };
  if (all === 0) return '';
  return all > mostShown ? `${mostShown}+` : count(all);
}
