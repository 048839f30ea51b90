// What the agent chose for this browser, and the desk does not store.

import { remembered } from './remembered.ts';

export const followUps = ['stay', 'next', 'list'] as const;
export type FollowUp = (typeof followUps)[number];
/** What opens after a reply was sent. */
export const afterSend = remembered<FollowUp>('after-send', 'stay');

export const densities = ['comfortable', 'compact'] as const;
export type Density = (typeof densities)[number];
export const density = remembered<Density>('density', 'comfortable');
