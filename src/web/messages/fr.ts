// The messages in French.

import type { Messages } from './en.ts';

export const messages: Messages = {
  close: 'Fermer',
  cancel: 'Annuler',
  tryAgain: 'Réessayer',
  language: 'Langue',
  email: 'E-mail',
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
  saved: 'Enregistré.',
  copy: 'Copier',
  copied: 'Copié.',
  copyFailed: 'La copie n’a pas abouti. Sélectionnez le texte et copiez-le vous-même.',
  print: 'Imprimer',
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

  signIn: 'Se connecter',
  signInTo: (desk) => `Se connecter à ${desk}`,
  forgotPassword: 'Mot de passe oublié ?',
  or: 'ou',
  signInWithPasskey: 'Se connecter avec une clé d’accès',
  issuerDown: (label) => `« ${label} » ne fonctionne pas pour le moment, car son serveur ne répond pas.`,
  issuerDenied: (label) => `« ${label} » a été annulé ou refusé.`,
  issuerUnverified: (label) => `« ${label} » n’a pas abouti, car votre adresse e-mail n’y est pas vérifiée.`,
  issuerUnknown: 'Aucun agent de ce desk n’a votre adresse e-mail. Demandez une invitation à un propriétaire.',
  issuerInactive: 'Votre compte sur ce desk est désactivé. Adressez-vous à un propriétaire.',
  issuerOther: (label) => `« ${label} » n’a pas abouti, car l’agent qui a votre adresse y utilise un autre compte.`,
  noWayIn: 'La connexion par mot de passe est désactivée ici. Demandez de l’aide au propriétaire de ce desk.',
  deskIsNew:
    'Aucun propriétaire ne peut encore se connecter à ce desk. Au démarrage, il affiche un lien dans le terminal.',
  signInFailed: 'La connexion n’a pas abouti. Réessayez.',

  secondFactor: 'Confirmez votre identité',
  enterTotp: 'Saisissez les six chiffres affichés par votre application d’authentification.',
  enterRecoveryCode: 'Saisissez l’un des codes de secours que vous avez conservés. Chacun sert une seule fois.',
  usePasskeyNow: 'Confirmez avec votre clé d’accès.',
  recoveryCode: 'Code de secours',
  confirm: 'Confirmer',
  usePassword: 'Utiliser votre mot de passe',
  useTotp: 'Utiliser un code de votre application',
  useRecoveryCode: 'Utiliser un code de secours',
  usePasskey: 'Utiliser une clé d’accès',
  startAgain: 'Recommencer',
  challengeExpired: 'Cela a pris trop de temps. Connectez-vous de nouveau.',

  linkExpiredTitle: 'Ce lien ne fonctionne plus',
  linkMissing: 'Le lien est incomplet. Copiez-le en entier, y compris ce qui suit le signe #.',
  signInLinkNext:
    'Les liens de connexion servent une seule fois, pendant 15 minutes. Demandez-en un nouveau ou connectez-vous avec votre mot de passe.',
  setupLinkNext:
    'Un lien de configuration sert une seule fois, jusqu’au redémarrage du desk. Redémarrez le desk pour en obtenir un nouveau.',
  invitationLinkNext:
    'Les invitations sont valables sept jours, et une nouvelle remplace l’ancienne. Adressez-vous à la personne qui vous a invité.',
  resetLinkNext:
    'Les liens pour changer de mot de passe servent une seule fois, pendant une heure. Vous pouvez en demander un autre.',
  toSignIn: 'Aller à la connexion',

  setupTitle: 'Configurer votre desk',
  setupLead: 'Vous en serez le premier propriétaire. Vous pourrez inviter d’autres personnes plus tard.',
  createDesk: 'Créer le desk',
  invitationTitle: (desk) => `Bienvenue chez ${desk}`,
  invitationLead: (email) => `Vous avez été invité avec l’adresse ${email}. Choisissez votre nom et un mot de passe.`,
  join: 'Rejoindre',

  resetTitle: 'Définir un nouveau mot de passe',
  resetLead: 'Saisissez votre adresse. Nous vous enverrons un lien pour choisir un nouveau mot de passe.',
  sendLink: 'Envoyer le lien',
  resetSentTitle: 'Consultez vos e-mails',
  resetSent: (email) =>
    `Si ${email} est l’adresse d’un agent, un lien est en route. Il est valable une heure. Regardez aussi dans vos indésirables.`,
  chooseNewPassword: 'Choisir un nouveau mot de passe',
  newPasswordLead: 'Tous les autres appareils seront déconnectés.',
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

  confirmIdentity: 'Confirmez votre identité',
  confirmIdentityLead: 'Cette modification est sensible. Saisissez encore une fois votre mot de passe.',
  confirmIdentityCode: 'Cette modification est sensible. Saisissez un code de votre application d’authentification.',
  confirmIdentityAgain:
    'Cette modification est sensible. Déconnectez-vous, reconnectez-vous et faites-la dans les 15 minutes.',
};
