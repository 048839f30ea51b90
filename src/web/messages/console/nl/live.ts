// The messages about the connection, ended sessions and upgrades, in Dutch.

import type { LiveMessages } from '../en/live.ts';

export const messages: LiveMessages = {
  sessionIsOver: 'Je sessie is verlopen. Wat je hebt getypt staat er nog.',
  signInAgain: 'Opnieuw aanmelden',
  otherAgent: (own, other) =>
    `Deze pagina is van ${own}, maar ${other} heeft zich aangemeld. Meld je aan als ${own}, of laad de pagina opnieuw.`,
  otherSession: (own) =>
    `Iemand anders heeft zich aangemeld, en deze pagina is van ${own}. Laad de pagina opnieuw om verder te gaan.`,
  suggestPassword:
    'Je hebt je aangemeld met een link die één keer werkt. Met een wachtwoord heb je de volgende keer geen nieuwe link nodig.',
  toSetPassword: 'Wachtwoord instellen',
  notNow: 'Niet nu',
  newVersion: 'Er staat een nieuwe versie van Helpdesk klaar.',
  reloadNow: 'Nu opnieuw laden',
};
