// What the agent sees after a send: the same ticket, the next one of the list, or the list.

import { remembered } from '../remembered.ts';
import { go, lastListPath } from '../route.ts';

export const followUps = ['stay', 'next', 'list'] as const;
export type FollowUp = (typeof followUps)[number];

export const followUp = remembered<FollowUp>('follow-up', 'stay');

export function goOn(_ticket: string): void {
  if (followUp.peek() === 'stay') return;
  go(lastListPath.peek());
}
