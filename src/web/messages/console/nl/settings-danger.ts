// The messages of a site's token and removal, and of new sites, in Dutch.

import type { SettingsDanger } from '../en/settings-danger.ts';

export const messages: SettingsDanger = {
  danger: 'Gevarenzone',
  dangerLead: 'Wat niet ongedaan te maken is: een nieuw token voor de site, en het verwijderen ervan.',
  siteToken: 'Sitetoken',
  siteTokenText: 'Je app opent er tickets mee. Een nieuw token zie je één keer; kies hoe lang het oude blijft werken.',
  makeToken: 'Nieuw token maken',
  oldTokenFor: 'Het oude token werkt nog',
  newTokenTitle: 'Het nieuwe sitetoken',
  newTokenText: 'Zet het nu in de instellingen van je app. Het wordt niet opnieuw getoond.',
  inboundSecretElsewhere: 'Het adres dat mailproviders aanroepen vernieuw je onder',
  deleteSite: 'Deze site verwijderen',
  deleteTakes: (tickets) =>
    `Verwijderen neemt mee: ${tickets}, hun bestanden, en alle e-mail, instellingen en adressen van de site. Medewerkers zonder andere site kunnen niet meer inloggen, en tokens voor alleen deze site vervallen. Alleen een back-up brengt de site terug.`,
  typeSlug: (slug) => `Typ ${slug} om te bevestigen`,
  slugDiffers: 'Dit is niet de slug van de site.',
  siteWasDeleted: (name) => `${name} is verwijderd. De rest van de bestanden volgt in de komende minuten.`,
  sitesOfDesk: 'Sites',
  sitesLead: 'Een site is een winkel, app of merk met eigen tickets, adressen en uiterlijk.',
  addSite: 'Site toevoegen',
  newSiteName: 'Naam van de nieuwe site',
};
