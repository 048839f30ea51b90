// The messages of the shell: rail, bar, palette, shortcuts and pages without a ticket, in French.

import type { ShellMessages } from '../en/shell.ts';

export const messages: ShellMessages = {
  notFound: 'Introuvable',
  notFoundText: 'Il n’y a rien à cette adresse, ou vous ne pouvez pas le voir.',
  toInbox: 'Aller à la boîte de réception',
  brokenTitle: 'Cette page ne fonctionne plus',
  brokenText: 'Rien de ce que vous avez enregistré n’est perdu. Rechargez la page pour continuer.',
  reload: 'Recharger',

  // Changes of tickets that the desk refused
  notChanged: (reason) => `La modification a été annulée : ${reason}`,
  notAllChanged: (refused, all, reason) => `${refused} tickets sur ${all} n’ont pas été modifiés : ${reason}`,
  ticketGone: 'Ce ticket n’existe plus, ou vous n’avez plus le droit de le voir.',
  ticketMerged: 'Ce ticket a été fusionné avec un autre. Modifiez l’autre.',
  testTicket: 'Un ticket de test ne peut pas être fusionné avec un vrai.',

  views: 'Vues',
};
