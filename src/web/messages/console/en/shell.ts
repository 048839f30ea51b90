// The messages of the shell: rail, bar, palette, shortcuts and pages without a ticket, in English.

import type { Same } from '../../en.ts';

export const messages = {
  notFound: 'Not found',
  notFoundText: 'There is nothing at this address, or you are not allowed to see it.',
  toInbox: 'Go to the inbox',
  brokenTitle: 'This page has stopped working',
  brokenText: 'Nothing that you saved is lost. Reload the page to go on.',
  reload: 'Reload',

  // Changes of tickets that the desk refused
  notChanged: (reason: string) => `The change was taken back: ${reason}`,
  notAllChanged: (refused: number, all: number, reason: string) =>
    `${refused} of ${all} tickets were not changed: ${reason}`,
  ticketGone: 'This ticket no longer exists, or you are no longer allowed to see it.',
  ticketMerged: 'This ticket was merged into another one. Change that one.',
  testTicket: 'A test ticket cannot be merged with a real one.',

  views: 'Views',
};

export type ShellMessages = Same<typeof messages>;
