// The messages of the shell: rail, bar, palette, shortcuts and pages without a ticket, in French.

import type { ShellMessages } from '../en/shell.ts';

export const messages: ShellMessages = {
  newTicket: 'Nouveau ticket',
  notFound: 'Introuvable',
  notFoundText: 'Il n’y a rien à cette adresse, ou vous ne pouvez pas le voir.',
  toInbox: 'Aller à la boîte de réception',
  brokenTitle: 'Cette page ne fonctionne plus',
  brokenText: 'Rechargez la page. Si cela se reproduit, donnez ce numéro au propriétaire.',
  reload: 'Recharger',
  deskUnavailable: 'Le desk ne répond pas',
  partMissing: 'Cette page n’a pas pu être chargée',
  partMissingText: 'Vérifiez votre connexion et réessayez.',

  views: 'Vues',
  otherPages: 'Autres pages',
  customersPage: 'Clients',
  reports: 'Rapports',
  settings: 'Paramètres',
  allSites: 'Tous les sites',
  siteIs: (name: string) => `Site : ${name}`,
  useSystemTheme: 'Thème du système',
  useLightTheme: 'Thème clair',
  useDarkTheme: 'Thème sombre',
  openMenu: 'Ouvrir le menu',
  menu: 'Menu',
  search: 'Rechercher',
  changeWaits: 'Pas de connexion. La modification se fera dès le retour de la connexion.',
  connectionOffline: 'Pas de connexion',
  undo: 'Annuler l’action',

  viewMine: 'Les miens',
  viewMentions: 'Mentions',
  viewDrafts: 'Brouillons',
  viewUnassigned: 'Non attribués',
  viewOpen: 'Ouverts',
  viewDueSoon: 'Échéance proche',
  viewBreached: 'En retard',
  viewPending: 'En attente',
  viewSnoozed: 'Reportés',
  viewResolved: 'Résolus',
  viewAll: 'Tous',
  viewHeldMail: 'E-mails retenus',
  savedViews: 'Vues enregistrées',
  ticketCount: (count: string, isCapped: boolean) =>
    isCapped ? `Plus de ${count} tickets` : count === '1' ? `${count} ticket` : `${count} tickets`,

  commandPalette: 'Palette de commandes',
  goTo: (name: string) => `Aller à ${name}`,
  showSite: (name: string) => `Afficher ${name}`,
  keyboardShortcuts: 'Raccourcis clavier',

  // Changes of tickets that the desk refused
  takenBack: (what) => `Annulé : ${what}`,
  changedSince: (tickets) => `Modifié entre-temps, donc pas annulé : ${tickets}`,
  goToTicket: (ticket) => `Aller à ${ticket}`,
  notChanged: (reason) => `La modification a été annulée : ${reason}`,
  notAllChanged: (refused, all, reason) => `${refused} tickets sur ${all} n’ont pas été modifiés : ${reason}`,
  ticketGone: 'Ce ticket n’existe plus, ou vous ne pouvez plus le voir.',
  ticketMerged: 'Ce ticket a été fusionné. Modifiez l’autre.',
};
