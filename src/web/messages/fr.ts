// The messages in French.

import type { Messages } from './en.ts';

export const messages: Messages = {
  // Everywhere
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
  requestId: 'Numéro de la requête :',

  // What went wrong
  offline: 'Vous êtes hors ligne. Vérifiez votre connexion au réseau et réessayez.',
  unreachable: 'Le desk ne répond pas. Réessayez dans un instant.',
  wrongCredentials: 'L’adresse e-mail ou le mot de passe est incorrect.',
  rateLimited: (wait) => `Trop d’essais. Vous pourrez réessayer dans ${wait}.`,
  busy: 'Le desk est très occupé. Réessayez dans un instant.',
  crossSite: 'Le desk a refusé la requête, car elle venait d’une autre adresse. Ouvrez le desk à sa propre adresse.',
  linkExpired: 'Ce lien a expiré ou a déjà été utilisé.',
  forbidden: 'Vous n’avez pas le droit de faire cela.',
  signedOut: 'Vous êtes déconnecté. Connectez-vous de nouveau.',
  failed: 'Une erreur s’est produite sur le desk. Rien n’a été modifié.',
  emailRefused: 'Saisissez une adresse e-mail complète, par exemple ana@example.org.',
  nameRefused: 'Saisissez un nom de 255 caractères au plus.',
  passwordRefused: 'Choisissez un autre mot de passe. Il ne doit être ni courant ni votre adresse e-mail.',
  passwordShort: (least) => `Utilisez au moins ${least} caractères.`,
  passwordHint: (least) => `Au moins ${least} caractères. Quelques mots se retiennent plus facilement que des signes.`,
  codeWrong: 'Ce code est incorrect ou a déjà été utilisé. Essayez le suivant.',
  signatureRefused: 'Cette signature est trop longue.',

  // Signing in
  signIn: 'Se connecter',
  signInTo: (desk) => `Se connecter à ${desk}`,
  forgotPassword: 'Mot de passe oublié ?',
  or: 'ou',
  signInWithPasskey: 'Se connecter avec une clé d’accès',
  issuerDown: (label) => `« ${label} » ne fonctionne pas pour le moment, car son serveur ne répond pas.`,
  noWayIn: 'La connexion par mot de passe est désactivée ici. Demandez de l’aide au propriétaire de ce desk.',
  deskIsNew:
    'Ce desk n’a pas encore de propriétaire. Au démarrage, il affiche dans le terminal un lien pour le configurer.',
  signInFailed: 'La connexion n’a pas abouti. Réessayez.',

  // Second factor
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

  // Links
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

  // Setup and invitation
  setupTitle: 'Configurer votre desk',
  setupLead: 'Vous en serez le premier propriétaire. Vous pourrez inviter d’autres personnes plus tard.',
  createDesk: 'Créer le desk',
  invitationTitle: (desk) => `Bienvenue chez ${desk}`,
  invitationLead: (email) => `Vous avez été invité avec l’adresse ${email}. Choisissez votre nom et un mot de passe.`,
  join: 'Rejoindre',

  // Forgotten password
  resetTitle: 'Définir un nouveau mot de passe',
  resetLead: 'Saisissez votre adresse. Nous vous enverrons un lien pour choisir un nouveau mot de passe.',
  sendLink: 'Envoyer le lien',
  resetSentTitle: 'Consultez vos e-mails',
  resetSent: (email) =>
    `Si ${email} est l’adresse d’un agent, un lien est en route. Il est valable une heure. Regardez aussi dans vos indésirables.`,
  chooseNewPassword: 'Choisir un nouveau mot de passe',
  newPasswordLead: 'Tous les autres appareils seront déconnectés.',
  savePassword: 'Enregistrer le mot de passe',

  // Profile
  profile: 'Profil',
  skipToContent: 'Aller au contenu',
  signOut: 'Se déconnecter',
  sections: 'Rubriques',
  you: 'Vous',
  youLead: 'Vos collègues et vos clients voient votre nom.',
  save: 'Enregistrer',
  saved: 'Enregistré.',
  signature: 'Signature',
  signatureHint: 'Ajoutée sous vos réponses.',
  preferences: 'Préférences',
  preferencesLead: 'Elles s’appliquent sur chaque appareil où vous vous connectez.',
  theme: 'Thème',
  themeSystem: 'Comme le système',
  themeLight: 'Clair',
  themeDark: 'Sombre',
  timeZone: 'Fuseau horaire',
  timeZoneOfDesk: 'Celui du desk',
  roleOwner: 'Propriétaire',
  roleAdmin: 'Administrateur',
  roleMember: 'Membre',
  roleViewer: 'Lecteur',

  // Password
  passwordLead: 'Un nouveau mot de passe déconnecte tous vos autres appareils.',
  noPassword: 'Vous n’avez pas encore de mot de passe.',
  currentPassword: 'Mot de passe actuel',
  currentPasswordWrong: 'Ce n’est pas votre mot de passe actuel.',
  changePassword: 'Changer le mot de passe',
  setPassword: 'Définir un mot de passe',
  passwordChanged: 'Votre mot de passe a été changé. Vos autres appareils sont déconnectés.',

  // Authenticator app
  totp: 'Application d’authentification',
  totpLead: 'Une application sur votre téléphone affiche un code à saisir lors de la connexion.',
  isOn: 'Activée',
  isOff: 'Désactivée',
  turnOn: 'Activer',
  totpTurnOn: 'Activer l’application d’authentification',
  totpTurnOff: 'Désactiver l’application d’authentification',
  turnOff: 'Désactiver',
  totpTitle: 'Configurer l’application d’authentification',
  totpScan: 'Scannez cette image avec votre application, par exemple Aegis, 1Password ou Google Authenticator.',
  qrAlt: 'Code QR pour l’application d’authentification',
  totpByHand: 'Ou saisissez cette clé à la main :',
  totpThenCode: 'Saisissez ensuite les six chiffres affichés par l’application.',
  totpOn: 'L’application d’authentification est activée.',
  totpOff: 'L’application d’authentification est désactivée.',
  totpOffTitle: 'Désactiver l’application d’authentification ?',
  totpOffText: 'Vos codes de secours ne fonctionneront plus non plus. Vos autres appareils seront déconnectés.',
  mustAddFactor:
    'Ce desk exige un second facteur. Configurez une application d’authentification ou une clé d’accès pour continuer.',

  // Recovery codes
  recoveryCodes: 'Codes de secours',
  recoveryCodesLead: 'Pour le jour où vous perdez votre téléphone. Chaque code sert une seule fois.',
  recoveryCodesOnce:
    'Conservez ces codes en lieu sûr, par exemple dans un gestionnaire de mots de passe. Ils ne sont affichés que maintenant.',
  newRecoveryCodes: 'Créer de nouveaux codes',
  newRecoveryCodesTitle: 'Créer de nouveaux codes de secours ?',
  newRecoveryCodesText: 'Les codes que vous avez actuellement ne fonctionneront plus.',
  copy: 'Copier',
  copied: 'Copié.',
  copyFailed: 'La copie n’a pas abouti. Sélectionnez le texte et copiez-le vous-même.',
  print: 'Imprimer',
  iKeptThem: 'Je les ai conservés',
  insecureClipboard:
    'Les navigateurs n’autorisent la copie que par https. Sélectionnez les codes et copiez-les vous-même.',

  // Passkeys
  passkeys: 'Clés d’accès',
  passkeysLead: 'Connectez-vous avec votre empreinte, votre visage ou une clé de sécurité, sans mot de passe.',
  noPasskeys: 'Vous n’avez pas encore de clé d’accès.',
  addPasskey: 'Ajouter une clé d’accès',
  passkeyName: 'Nom de la clé d’accès',
  passkeyNameHint: 'Pour la reconnaître plus tard, par exemple « Portable du bureau ».',
  passkeyAdded: 'La clé d’accès a été ajoutée.',
  passkeyRemoved: 'La clé d’accès a été supprimée.',
  passkeyExists: 'Cet appareil a déjà une clé d’accès pour ce desk.',
  passkeyCancelled: 'Le navigateur n’a pas utilisé de clé d’accès. Réessayez quand vous serez prêt.',
  passkeyAddedAt: (date) => `Ajoutée le ${date}`,
  passkeyUsedAt: (when) => `Dernière utilisation : ${when}`,
  remove: 'Supprimer',
  removePasskey: (name) => `Supprimer ${name}`,
  removePasskeyTitle: (name) => `Supprimer « ${name} » ?`,
  removePasskeyText: 'Vous ne pourrez plus l’utiliser pour vous connecter. Vos autres appareils seront déconnectés.',
  insecurePasskeys:
    'Les navigateurs n’autorisent les clés d’accès que par https. Ce desk est ouvert à une adresse http.',
  oldBrowserPasskeys: 'Ce navigateur est trop ancien pour les clés d’accès.',

  // Sessions
  sessions: 'Appareils',
  sessionsLead: 'Là où vous êtes connecté. Déconnectez ce que vous ne reconnaissez pas et changez de mot de passe.',
  thisDevice: 'Cet appareil',
  unknownBrowser: 'Navigateur inconnu',
  browserOn: (browser, system) => `${browser} sur ${system}`,
  lastActive: (when) => `Actif ${when}`,
  endSession: 'Déconnecter',
  endSessionOf: (browser) => `Déconnecter ${browser}`,
  endOtherSessions: 'Déconnecter tous les autres',
  sessionEnded: 'L’appareil a été déconnecté.',
  sessionsEnded: 'Tous les autres appareils ont été déconnectés.',
  noOtherSessions: 'Vous n’êtes connecté nulle part ailleurs.',

  // Confirming the identity
  confirmIdentity: 'Confirmez votre identité',
  confirmIdentityLead: 'Cette modification est sensible. Saisissez encore une fois votre mot de passe.',
  confirmIdentityCode: 'Cette modification est sensible. Saisissez un code de votre application d’authentification.',
};
