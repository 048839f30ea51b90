// The messages of a site's token and removal, and of new sites, in German.

import type { SettingsDanger } from '../en/settings-danger.ts';

export const messages: SettingsDanger = {
  danger: 'Gefahrenzone',
  dangerLead: 'Was sich nicht zurücknehmen lässt: ein neues Token für die Site und ihre Entfernung.',
  siteToken: 'Site-Token',
  siteTokenText:
    'Ihre App öffnet damit Tickets. Ein neues wird einmal gezeigt. Wählen Sie, wie lange das alte weiter gilt.',
  makeToken: 'Neues Token erzeugen',
  oldTokenFor: 'Das alte Token gilt noch',
  newTokenTitle: 'Das neue Site-Token',
  newTokenText: 'Tragen Sie es jetzt in die Einstellungen Ihrer App ein. Es wird nicht noch einmal gezeigt.',
  inboundSecretElsewhere: 'Die Adresse für E-Mail-Anbieter erneuern Sie unter',
  deleteSite: 'Diese Site löschen',
  deleteTakes: (tickets) =>
    `Das Löschen nimmt mit: ${tickets}, ihre Dateien sowie alle E-Mails, Einstellungen und Adressen der Site. Wer zu keiner anderen Site gehört, kann sich nicht mehr anmelden, und Tokens nur für diese Site enden. Zurück geht es nur mit einer Sicherung.`,
  typeSlug: (slug) => `Geben Sie zur Bestätigung ${slug} ein`,
  slugDiffers: 'Das ist nicht der Kurzname der Site.',
  siteWasDeleted: (name) => `${name} wurde gelöscht. Die übrigen Dateien folgen in den nächsten Minuten.`,
  sitesOfDesk: 'Sites',
  sitesLead: 'Eine Site ist ein Shop, eine App oder eine Marke mit eigenen Tickets, Adressen und eigenem Aussehen.',
  addSite: 'Site hinzufügen',
  newSiteName: 'Name der neuen Site',
};
