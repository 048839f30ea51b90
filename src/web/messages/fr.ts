// The messages in French.

import type { Messages } from './en.ts';

export const messages: Messages = {
  close: 'Fermer',
  cancel: 'Annuler',
  tryAgain: 'Réessayer',
  language: 'Langue',
  password: 'Mot de passe',
  newPassword: 'Nouveau mot de passe',
  name: 'Nom',
  showPassword: 'Afficher le mot de passe',
  code: 'Code',
  required: 'Veuillez remplir ce champ.',
  nothingChosen: 'Aucun choix',
  searchIn: (label: string) => `Rechercher : ${label}`,
  noneFound: 'Aucun résultat.',
  createOption: (text: string) => `Créer « ${text} »`,
  requestId: 'Numéro de la requête :',
  copyFailed: 'La copie n’a pas abouti. Sélectionnez le texte et copiez-le vous-même.',
  remove: 'Supprimer',

  statusOpen: 'Ouvert',
  statusPending: 'En attente',
  statusResolved: 'Résolu',
  statusClosed: 'Fermé',

  offline: 'Vous êtes hors ligne. Vérifiez votre connexion au réseau et réessayez.',
  unreachable: 'Le desk ne répond pas. Réessayez dans un instant.',
  wrongCredentials: 'L’adresse e-mail ou le mot de passe est incorrect.',
  rateLimited: (wait) => `Trop d’essais. Vous pourrez réessayer dans ${wait}.`,
  busy: 'Le desk est très occupé. Réessayez dans un instant.',
  crossSite: (address) =>
    `Le desk a refusé la requête, car cette page a une autre adresse. Ouvrez le desk à l’adresse ${address}.`,
  linkExpired: 'Ce lien a expiré ou a déjà été utilisé.',
  forbidden: 'Vous n’avez pas le droit de faire cela.',
  lastOwner: 'Vous êtes le dernier propriétaire qui peut se connecter. Ajoutez d’abord un autre moyen de connexion.',
  signedOut: 'Vous êtes déconnecté. Connectez-vous de nouveau.',
  failed: 'Une erreur s’est produite sur le desk. Réessayez.',
  emailRefused: 'Saisissez une adresse e-mail complète, par exemple ana@example.org.',
  nameRefused: 'Saisissez un nom de 255 caractères au plus.',
  passwordRefused: 'Choisissez un autre mot de passe. Il ne doit être ni courant ni votre adresse e-mail.',
  passwordShort: (least) => `Utilisez au moins ${least} caractères.`,
  passwordHint: (least) => `Au moins ${least} caractères. Quelques mots se retiennent plus facilement que des signes.`,
  codeWrong: 'Ce code est incorrect ou a déjà été utilisé. Essayez le suivant.',

  or: 'ou',
  noWayIn: 'La connexion par mot de passe est désactivée ici. Demandez de l’aide au propriétaire de ce desk.',

  confirm: 'Confirmer',
  challengeExpired: 'Cela a pris trop de temps. Connectez-vous de nouveau.',

  savePassword: 'Enregistrer le mot de passe',

  profile: 'Profil',
  skipToContent: 'Aller au contenu',
  signOut: 'Se déconnecter',
  save: 'Enregistrer',

  currentPasswordWrong: 'Ce n’est pas votre mot de passe actuel.',

  mustAddFactor:
    'Ce desk exige un second facteur. Configurez une application d’authentification ou une clé d’accès pour continuer.',

  passkeyCancelled: 'Le navigateur n’a pas utilisé de clé d’accès. Réessayez quand vous serez prêt.',
  insecurePasskeys: 'Les navigateurs n’autorisent les clés d’accès que par https, et pas à une adresse IP.',
  oldBrowserPasskeys: 'Ce navigateur est trop ancien pour les clés d’accès.',
};
