// The messages in French.

import type { Messages } from './en.ts';

export const messages: Messages = {
  close: 'Fermer',
  cancel: 'Annuler',
  tryAgain: 'Réessayer',
  language: 'Langue',
  password: 'Mot de passe',
  name: 'Nom',
  showPassword: 'Afficher le mot de passe',
  code: 'Code',
  required: 'Veuillez remplir ce champ.',
  nothingChosen: 'Aucun choix',
  searchIn: (label: string) => `Rechercher : ${label}`,
  noneFound: 'Aucun résultat.',
  createOption: (text: string) => `Créer « ${text} »`,
  requestId: 'Numéro de la requête :',
  copyFailed: 'La copie a échoué. Sélectionnez et copiez le texte vous-même.',
  remove: 'Supprimer',

  statusOpen: 'Ouvert',
  statusPending: 'En attente',
  statusResolved: 'Résolu',
  statusClosed: 'Fermé',

  offline: 'Vous êtes hors ligne. Vérifiez votre connexion et réessayez.',
  unreachable: 'Le desk ne répond pas. Réessayez dans un instant.',
  wrongCredentials: 'L’adresse e-mail ou le mot de passe est incorrect.',
  rateLimited: (wait) => `Trop d’essais. Réessayez dans ${wait}.`,
  busy: 'Le desk est très occupé. Réessayez dans un instant.',
  crossSite: (address) => `Le desk a une autre adresse que cette page. Ouvrez-le à l’adresse ${address}.`,
  linkExpired: 'Ce lien a expiré ou a déjà été utilisé.',
  forbidden: 'Vous n’avez pas le droit de faire cela.',
  lastOwner: 'Vous êtes le dernier propriétaire qui peut se connecter. Ajoutez d’abord un autre moyen.',
  signedOut: 'Vous êtes déconnecté. Reconnectez-vous.',
  tooLarge: 'C’est trop volumineux pour le desk.',
  failed: 'Une erreur s’est produite sur le desk. Réessayez.',
  emailRefused: 'Saisissez une adresse e-mail complète comme ana@example.org.',
  nameRefused: 'Saisissez un nom de 255 caractères au plus.',
  passwordRefused: 'Choisissez un autre mot de passe, ni courant ni votre adresse e-mail.',
  codeWrong: 'Ce code est incorrect ou a déjà été utilisé. Essayez le suivant.',

  or: 'ou',
  noWayIn: 'La connexion par mot de passe est désactivée ici. Demandez de l’aide au propriétaire.',

  confirm: 'Confirmer',
  challengeExpired: 'Cela a pris trop de temps. Reconnectez-vous.',

  profile: 'Profil',
  skipToContent: 'Aller au contenu',
  signOut: 'Se déconnecter',
  save: 'Enregistrer',

  mustAddFactor: 'Ce desk exige un second facteur. Configurez une application d’authentification ou une clé d’accès.',

  insecurePasskeys: 'Les clés d’accès ne marchent que par https, pas avec une adresse IP.',
};
