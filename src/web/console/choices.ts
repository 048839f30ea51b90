// What the agent chose for this browser, and the desk does not store.

import { remembered } from './remembered.ts';

/** What can open after a reply was sent. */
export const followUps = ['stay', 'next', 'list'] as const;
export type FollowUp = (typeof followUps)[number];
export const afterSend = remembered<FollowUp>('after-send', 'stay');
