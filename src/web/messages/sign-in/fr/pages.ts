// The messages of signing in and of confirming the identity, in French.

import type { SignInMessages } from '../en/pages.ts';

export const messages: SignInMessages = {
  email: 'E-mail',
  signIn: 'Se connecter',
  signInTo: (desk) => `Se connecter à ${desk}`,
  forgotPassword: 'Mot de passe oublié ?',
  signInWithPasskey: 'Se connecter avec une clé d’accès',
  issuerDown: (label) => `« ${label} » ne fonctionne pas pour le moment, car son serveur ne répond pas.`,
  issuerDenied: (label) => `« ${label} » a été annulé ou refusé.`,
  issuerUnverified: (label) => `« ${label} » n’a pas abouti, car votre adresse e-mail n’y est pas vérifiée.`,
  issuerUnknown: 'Aucun agent de ce desk n’a votre adresse e-mail. Demandez une invitation à un propriétaire.',
  issuerInactive: 'Votre compte sur ce desk est désactivé. Adressez-vous à un propriétaire.',
  issuerOther: (label) => `« ${label} » n’a pas abouti, car l’agent qui a votre adresse y utilise un autre compte.`,
  deskIsNew:
    'Aucun propriétaire ne peut encore se connecter à ce desk. Au démarrage, il affiche un lien dans le terminal.',
  signInFailed: 'La connexion n’a pas abouti. Réessayez.',

  secondFactor: 'Confirmez votre identité',
  enterTotp: 'Saisissez les six chiffres affichés par votre application d’authentification.',
  enterRecoveryCode: 'Saisissez l’un des codes de secours que vous avez conservés. Chacun sert une seule fois.',
  usePasskeyNow: 'Confirmez avec votre clé d’accès.',
  recoveryCode: 'Code de secours',
  usePassword: 'Utiliser votre mot de passe',
  useTotp: 'Utiliser un code de votre application',
  useRecoveryCode: 'Utiliser un code de secours',
  usePasskey: 'Utiliser une clé d’accès',
  startAgain: 'Recommencer',

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

  confirmIdentity: 'Confirmez votre identité',
  confirmIdentityLead: 'Cette modification est sensible. Saisissez encore une fois votre mot de passe.',
  confirmIdentityCode: 'Cette modification est sensible. Saisissez un code de votre application d’authentification.',
  confirmIdentityAgain:
    'Cette modification est sensible. Déconnectez-vous, reconnectez-vous et faites-la dans les 15 minutes.',

  consentDone: 'La boîte e-mail est connectée',
  consentDoneText: 'Helpdesk la lit désormais et envoie par elle. Vous pouvez fermer cette page.',
  consentNotDone: 'La boîte e-mail n’est pas connectée',
  consentRefused:
    'Le fournisseur n’a pas donné accès : quelqu’un a refusé, ou l’enregistrement du desk n’est pas correct.',
  consentExpired: 'Demandez un nouveau lien, ou choisissez Connecter dans les paramètres de la boîte e-mail.',
  consentUnavailable: 'Le fournisseur ne répond pas comme prévu. Réessayez dans quelques minutes.',
  toMailbox: 'Aller à la boîte e-mail',

  newPassword: 'Nouveau mot de passe',
  savePassword: 'Enregistrer le mot de passe',
  passwordHint: (least) => `Au moins ${least} caractères. Quelques mots se retiennent plus facilement que des signes.`,
  passwordShort: (least) => `Utilisez au moins ${least} caractères.`,
  currentPasswordWrong: 'Ce n’est pas votre mot de passe actuel.',
  passkeyCancelled: 'Le navigateur n’a pas utilisé de clé d’accès. Réessayez.',
  oldBrowserPasskeys: 'Ce navigateur est trop ancien pour les clés d’accès.',
};
