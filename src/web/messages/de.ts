// The messages in German.

import type { Messages } from './en.ts';

export const messages: Messages = {
  close: 'Schließen',
  cancel: 'Abbrechen',
  tryAgain: 'Erneut versuchen',
  language: 'Sprache',
  email: 'E-Mail',
  password: 'Passwort',
  newPassword: 'Neues Passwort',
  name: 'Name',
  showPassword: 'Passwort anzeigen',
  code: 'Code',
  required: 'Bitte füllen Sie dieses Feld aus.',
  nothingChosen: 'Keine Auswahl',
  searchIn: (label: string) => `Suchen: ${label}`,
  noneFound: 'Nichts gefunden.',
  createOption: (text: string) => `„${text}“ anlegen`,
  requestId: 'Anfragenummer:',
  saved: 'Gespeichert.',
  copy: 'Kopieren',
  copied: 'Kopiert.',
  copyFailed: 'Das Kopieren hat nicht geklappt. Markieren Sie den Text und kopieren Sie ihn selbst.',
  print: 'Drucken',
  remove: 'Entfernen',

  statusOpen: 'Offen',
  statusPending: 'Wartend',
  statusResolved: 'Gelöst',
  statusClosed: 'Geschlossen',

  offline: 'Sie sind offline. Prüfen Sie Ihre Netzwerkverbindung und versuchen Sie es erneut.',
  unreachable: 'Der Desk antwortet nicht. Versuchen Sie es gleich noch einmal.',
  wrongCredentials: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
  rateLimited: (wait) => `Zu viele Versuche. In ${wait} können Sie es erneut versuchen.`,
  busy: 'Der Desk ist ausgelastet. Versuchen Sie es gleich noch einmal.',
  crossSite: (address) =>
    `Der Desk hat die Anfrage abgelehnt, weil diese Seite eine andere Adresse hat. Öffnen Sie den Desk unter ${address}.`,
  linkExpired: 'Dieser Link ist abgelaufen oder wurde schon benutzt.',
  forbidden: 'Dazu sind Sie nicht berechtigt.',
  lastOwner:
    'Sie sind der letzte Inhaber, der sich anmelden kann. Richten Sie zuerst eine andere Art der Anmeldung ein.',
  signedOut: 'Sie sind abgemeldet. Melden Sie sich wieder an.',
  failed: 'Beim Desk ist etwas schiefgegangen. Versuchen Sie es noch einmal.',
  emailRefused: 'Geben Sie eine vollständige E-Mail-Adresse ein, zum Beispiel ana@example.org.',
  nameRefused: 'Geben Sie einen Namen mit höchstens 255 Zeichen ein.',
  passwordRefused: 'Wählen Sie ein anderes Passwort. Es darf weder weit verbreitet noch Ihre E-Mail-Adresse sein.',
  passwordShort: (least) => `Verwenden Sie mindestens ${least} Zeichen.`,
  passwordHint: (least) => `Mindestens ${least} Zeichen. Ein paar Wörter merkt man sich leichter als Sonderzeichen.`,
  codeWrong: 'Dieser Code ist falsch oder wurde schon benutzt. Versuchen Sie den nächsten.',

  signIn: 'Anmelden',
  signInTo: (desk) => `Bei ${desk} anmelden`,
  forgotPassword: 'Passwort vergessen?',
  or: 'oder',
  signInWithPasskey: 'Mit einem Passkey anmelden',
  issuerDown: (label) => `„${label}“ funktioniert im Moment nicht, weil der zuständige Server nicht antwortet.`,
  issuerDenied: (label) => `„${label}“ wurde abgebrochen oder abgelehnt.`,
  issuerUnverified: (label) => `„${label}“ hat nicht geklappt, weil Ihre E-Mail-Adresse dort nicht bestätigt ist.`,
  issuerUnknown: 'Kein Agent dieses Desks hat Ihre E-Mail-Adresse. Bitten Sie einen Inhaber um eine Einladung.',
  issuerInactive: 'Ihr Konto bei diesem Desk ist abgeschaltet. Fragen Sie einen Inhaber.',
  issuerOther: (label) =>
    `„${label}“ hat nicht geklappt, weil der Agent mit Ihrer Adresse dort ein anderes Konto benutzt.`,
  noWayIn: 'Die Anmeldung mit einem Passwort ist hier ausgeschaltet. Fragen Sie den Inhaber dieses Desks.',
  deskIsNew: 'An diesem Desk kann sich noch kein Inhaber anmelden. Beim Start zeigt er im Terminal einen Link.',
  signInFailed: 'Die Anmeldung hat nicht geklappt. Versuchen Sie es noch einmal.',

  secondFactor: 'Bestätigen Sie, dass Sie es sind',
  enterTotp: 'Geben Sie die sechs Ziffern ein, die Ihre Authenticator-App anzeigt.',
  enterRecoveryCode: 'Geben Sie einen Ihrer Wiederherstellungscodes ein. Jeder gilt nur einmal.',
  usePasskeyNow: 'Bestätigen Sie mit Ihrem Passkey.',
  recoveryCode: 'Wiederherstellungscode',
  confirm: 'Bestätigen',
  usePassword: 'Passwort verwenden',
  useTotp: 'Code aus der App verwenden',
  useRecoveryCode: 'Wiederherstellungscode verwenden',
  usePasskey: 'Passkey verwenden',
  startAgain: 'Von vorn beginnen',
  challengeExpired: 'Das hat zu lange gedauert. Melden Sie sich noch einmal an.',

  linkExpiredTitle: 'Dieser Link gilt nicht mehr',
  linkMissing: 'Der Link ist unvollständig. Kopieren Sie ihn ganz, auch den Teil nach dem #-Zeichen.',
  signInLinkNext:
    'Anmeldelinks gelten einmal und 15 Minuten lang. Bitten Sie um einen neuen, oder melden Sie sich mit Ihrem Passwort an.',
  setupLinkNext:
    'Ein Link zum Einrichten gilt einmal und nur bis zum Neustart des Desks. Starten Sie den Desk neu, um einen neuen Link zu erhalten.',
  invitationLinkNext:
    'Einladungen gelten sieben Tage, und eine neue ersetzt die alte. Fragen Sie die Person, die Sie eingeladen hat.',
  resetLinkNext:
    'Links für ein neues Passwort gelten einmal und eine Stunde lang. Sie können einen weiteren anfordern.',
  toSignIn: 'Zur Anmeldung',

  setupTitle: 'Desk einrichten',
  setupLead: 'Sie werden der erste Inhaber. Andere können Sie später einladen.',
  createDesk: 'Desk anlegen',
  invitationTitle: (desk) => `Willkommen bei ${desk}`,
  invitationLead: (email) => `Sie wurden als ${email} eingeladen. Wählen Sie Ihren Namen und ein Passwort.`,
  join: 'Beitreten',

  resetTitle: 'Neues Passwort festlegen',
  resetLead: 'Geben Sie Ihre Adresse ein. Wir schicken Ihnen einen Link, mit dem Sie ein neues Passwort wählen.',
  sendLink: 'Link senden',
  resetSentTitle: 'Prüfen Sie Ihre E-Mails',
  resetSent: (email) =>
    `Wenn ${email} zu einem Agenten gehört, ist ein Link unterwegs. Er gilt eine Stunde. Sehen Sie auch im Spam-Ordner nach.`,
  chooseNewPassword: 'Neues Passwort wählen',
  newPasswordLead: 'Alle anderen Geräte werden abgemeldet.',
  savePassword: 'Passwort speichern',

  profile: 'Profil',
  skipToContent: 'Zum Inhalt springen',
  signOut: 'Abmelden',
  save: 'Speichern',

  currentPasswordWrong: 'Das ist nicht Ihr aktuelles Passwort.',

  mustAddFactor:
    'Dieser Desk verlangt einen zweiten Faktor. Richten Sie eine Authenticator-App oder einen Passkey ein, um fortzufahren.',

  passkeyCancelled: 'Der Browser hat keinen Passkey verwendet. Versuchen Sie es noch einmal, wenn Sie so weit sind.',
  insecurePasskeys: 'Browser erlauben Passkeys nur über https und nicht unter einer IP-Adresse.',
  oldBrowserPasskeys: 'Dieser Browser ist zu alt für Passkeys.',

  confirmIdentity: 'Bestätigen Sie, dass Sie es sind',
  confirmIdentityLead: 'Das ist eine heikle Änderung. Geben Sie Ihr Passwort noch einmal ein.',
  confirmIdentityCode: 'Das ist eine heikle Änderung. Geben Sie einen Code aus Ihrer Authenticator-App ein.',
  confirmIdentityAgain:
    'Das ist eine heikle Änderung. Melden Sie sich ab und wieder an und nehmen Sie sie binnen 15 Minuten vor.',
};
