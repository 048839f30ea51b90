// The messages about the connection, ended sessions and upgrades, in German.

import type { LiveMessages } from '../en/live.ts';

export const messages: LiveMessages = {
  sessionIsOver: 'Ihre Sitzung ist beendet. Was Sie geschrieben haben, ist noch da.',
  signInAgain: 'Erneut anmelden',
  otherAgent: (own, other) =>
    `Diese Seite gehört zu ${own}, aber ${other} hat sich angemeldet. Melden Sie sich als ${own} an, oder laden Sie die Seite neu.`,
  otherSession: (own) =>
    `Jemand anderes hat sich angemeldet, und diese Seite gehört zu ${own}. Laden Sie sie neu, um weiterzumachen.`,
  suggestPassword:
    'Sie haben sich mit einem Link angemeldet, der nur einmal gilt. Mit einem Passwort brauchen Sie beim nächsten Mal keinen neuen.',
  toSetPassword: 'Passwort festlegen',
  notNow: 'Nicht jetzt',
  newVersion: 'Eine neue Version von Helpdesk ist bereit.',
  reloadNow: 'Jetzt neu laden',
};
