// The messages about the connection, ended sessions and upgrades, in French.

import type { LiveMessages } from '../en/live.ts';

export const messages: LiveMessages = {
  sessionIsOver: 'Votre session est terminée. Ce que vous avez écrit est toujours là.',
  signInAgain: 'Se reconnecter',
  otherAgent: (own, other) =>
    `Cette page appartient à ${own}, mais ${other} s’est connecté. Connectez-vous en tant que ${own}, ou rechargez la page.`,
  otherSession: (own) =>
    `Une autre personne s’est connectée, et cette page appartient à ${own}. Rechargez-la pour continuer.`,
  suggestPassword:
    'Vous vous êtes connecté par un lien qui sert une seule fois. Avec un mot de passe, vous n’aurez plus besoin d’un nouveau lien.',
  toSetPassword: 'Définir un mot de passe',
  notNow: 'Pas maintenant',
  newVersion: 'Une nouvelle version de Helpdesk est prête.',
  reloadNow: 'Recharger maintenant',
};
