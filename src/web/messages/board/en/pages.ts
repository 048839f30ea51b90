// The messages of the live board, in English.

import type { Same } from '../../en.ts';

export const messages = {
  open: 'Open',
  unassigned: 'Unassigned',
  oldestWait: 'Longest wait',
  dueSoon: 'Due soon',
  breachedToday: 'Late today',
  agentsThere: 'Agents here',
  updatedAt: (time: string) => `As of ${time}`,
  notSince: (time: string) => `No connection since ${time}`,
  closed: 'This link no longer works',
  closedNext: 'It was revoked, or it is not complete. Someone who manages the desk can make a new one.',
};
export type BoardMessages = Same<typeof messages>;
