// The messages of a site's token and removal, and of new sites, in English.

import type { Same } from '../../en.ts';

export const messages = {
  danger: 'Danger zone',
  dangerLead: 'What cannot be taken back: a new token for the site, and its removal.',
  siteToken: 'Site token',
  siteTokenText:
    'Your app opens tickets with it. A new one is shown once; choose how long the old one goes on working.',
  makeToken: 'Make a new token',
  oldTokenFor: 'The old token works for',
  newTokenTitle: 'The new site token',
  newTokenText: 'Put it into the settings of your app now. It is not shown again.',
  inboundSecretElsewhere: 'The address that mail providers call is renewed under',
  deleteSite: 'Delete this site',
  deleteTakes: (tickets: string) =>
    `Deleting takes with it: ${tickets}, their files, and all mail, settings and addresses of the site. Agents who belong to no other site can no longer sign in, and tokens for only this site end. The only way back is a backup.`,
  typeSlug: (slug: string) => `Type ${slug} to confirm`,
  slugDiffers: 'This is not the slug of the site.',
  siteWasDeleted: (name: string) => `${name} was deleted. The rest of its files goes in the next minutes.`,
  sitesOfDesk: 'Sites',
  sitesLead: 'A site is a shop, an app or a brand, with its own tickets, addresses and look.',
  addSite: 'Add a site',
  newSiteName: 'Name of the new site',
};

export type SettingsDanger = Same<typeof messages>;
