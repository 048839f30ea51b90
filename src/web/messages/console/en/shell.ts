// The messages of the shell: rail, bar, palette, shortcuts and pages without a ticket, in English.

import type { Same } from '../../en.ts';

export const messages = {
  notFound: 'Not found',
  notFoundText: 'There is nothing at this address, or you are not allowed to see it.',
  toInbox: 'Go to the inbox',
  brokenTitle: 'This page has stopped working',
  brokenText: 'Nothing that you saved is lost. Reload the page to go on.',
  reload: 'Reload',
  views: 'Views',
};

export type ShellMessages = Same<typeof messages>;
