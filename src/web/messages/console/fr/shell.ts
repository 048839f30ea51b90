// The messages of the shell: rail, bar, palette, shortcuts and pages without a ticket, in French.

import type { ShellMessages } from '../en/shell.ts';

export const messages: ShellMessages = {
  notFound: 'Introuvable',
  notFoundText: 'Il n’y a rien à cette adresse, ou vous ne pouvez pas le voir.',
  toInbox: 'Aller à la boîte de réception',
  brokenTitle: 'Cette page ne fonctionne plus',
  brokenText: 'Rien de ce que vous avez enregistré n’est perdu. Rechargez la page pour continuer.',
  reload: 'Recharger',
  views: 'Vues',
};
