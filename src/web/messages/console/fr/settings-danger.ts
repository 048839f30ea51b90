// The messages of a site's token and removal, and of new sites, in French.

import type { SettingsDanger } from '../en/settings-danger.ts';

export const messages: SettingsDanger = {
  danger: 'Zone sensible',
  dangerLead: 'Ce qui ne s’annule pas : un nouveau jeton pour le site, et sa suppression.',
  siteToken: 'Jeton du site',
  siteTokenText:
    'Votre application ouvre des tickets avec lui. Un nouveau n’est affiché qu’une fois ; choisissez combien de temps l’ancien reste valable.',
  makeToken: 'Créer un nouveau jeton',
  oldTokenFor: 'L’ancien jeton reste valable',
  newTokenTitle: 'Le nouveau jeton du site',
  newTokenText: 'Placez-le maintenant dans les réglages de votre application. Il ne sera plus affiché.',
  inboundSecretElsewhere: 'L’adresse qu’appellent les fournisseurs d’e-mail se renouvelle sous',
  deleteSite: 'Supprimer ce site',
  deleteTakes: (tickets) =>
    `La suppression emporte : ${tickets}, leurs fichiers, et tous les e-mails, réglages et adresses du site. Les agents qui n’ont aucun autre site ne peuvent plus se connecter, et les jetons de ce seul site prennent fin. Seule une sauvegarde permet de revenir.`,
  typeSlug: (slug) => `Saisissez ${slug} pour confirmer`,
  slugDiffers: 'Ce n’est pas l’identifiant du site.',
  siteWasDeleted: (name) => `${name} a été supprimé. Le reste de ses fichiers disparaît dans les prochaines minutes.`,
  sitesOfDesk: 'Sites',
  sitesLead:
    'Un site est une boutique, une application ou une marque, avec ses tickets, ses adresses et son apparence.',
  addSite: 'Ajouter un site',
  newSiteName: 'Nom du nouveau site',
};
