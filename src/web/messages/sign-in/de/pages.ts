// The messages of signing in and of confirming the identity, in German.

import type { SignInMessages } from '../en/pages.ts';

export const messages: SignInMessages = {
  email: 'E-Mail',
  signIn: 'Anmelden',
  signInTo: (desk) => `Bei ${desk} anmelden`,
  forgotPassword: 'Passwort vergessen?',
  signInWithPasskey: 'Mit einem Passkey anmelden',
  issuerDown: (label) => `„${label}“ funktioniert im Moment nicht, weil der zuständige Server nicht antwortet.`,
  issuerDenied: (label) => `„${label}“ wurde abgebrochen oder abgelehnt.`,
  issuerUnverified: (label) => `„${label}“ hat nicht geklappt, weil Ihre E-Mail-Adresse dort nicht bestätigt ist.`,
  issuerUnknown: 'Kein Agent dieses Desks hat Ihre E-Mail-Adresse. Bitten Sie einen Inhaber um eine Einladung.',
  issuerInactive: 'Ihr Konto bei diesem Desk ist abgeschaltet. Fragen Sie einen Inhaber.',
  issuerOther: (label) =>
    `„${label}“ hat nicht geklappt, weil der Agent mit Ihrer Adresse dort ein anderes Konto benutzt.`,
  deskIsNew: 'An diesem Desk kann sich noch kein Inhaber anmelden. Beim Start zeigt er im Terminal einen Link.',
  signInFailed: 'Die Anmeldung hat nicht geklappt. Versuchen Sie es noch einmal.',

  secondFactor: 'Bestätigen Sie, dass Sie es sind',
  enterTotp: 'Geben Sie die sechs Ziffern ein, die Ihre Authenticator-App anzeigt.',
  enterRecoveryCode: 'Geben Sie einen Ihrer Wiederherstellungscodes ein. Jeder gilt nur einmal.',
  usePasskeyNow: 'Bestätigen Sie mit Ihrem Passkey.',
  recoveryCode: 'Wiederherstellungscode',
  usePassword: 'Passwort verwenden',
  useTotp: 'Code aus der App verwenden',
  useRecoveryCode: 'Wiederherstellungscode verwenden',
  usePasskey: 'Passkey verwenden',
  startAgain: 'Von vorn beginnen',

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

  confirmIdentity: 'Bestätigen Sie, dass Sie es sind',
  confirmIdentityLead: 'Das ist eine heikle Änderung. Geben Sie Ihr Passwort noch einmal ein.',
  confirmIdentityCode: 'Das ist eine heikle Änderung. Geben Sie einen Code aus Ihrer Authenticator-App ein.',
  confirmIdentityAgain:
    'Das ist eine heikle Änderung. Melden Sie sich ab und wieder an und nehmen Sie sie binnen 15 Minuten vor.',

  consentDone: 'Das Postfach ist verbunden',
  consentDoneText: 'Helpdesk liest es ab jetzt und sendet darüber. Sie können diese Seite schließen.',
  consentNotDone: 'Das Postfach ist nicht verbunden',
  consentRefused:
    'Der Anbieter gab keinen Zugang: Jemand hat dort abgelehnt, oder die Registrierung des Desks stimmt nicht.',
  consentExpired: 'Bitten Sie um einen neuen Link, oder wählen Sie Verbinden in den Einstellungen des Postfachs.',
  consentUnavailable: 'Der Anbieter antwortet nicht wie erwartet. Versuchen Sie es in ein paar Minuten erneut.',
  toMailbox: 'Zum Postfach',

  newPassword: 'Neues Passwort',
  savePassword: 'Passwort speichern',
  passwordHint: (least) => `Mindestens ${least} Zeichen. Ein paar Wörter merkt man sich leichter als Sonderzeichen.`,
  passwordShort: (least) => `Verwenden Sie mindestens ${least} Zeichen.`,
  currentPasswordWrong: 'Das ist nicht Ihr aktuelles Passwort.',
  passkeyCancelled: 'Der Browser hat keinen Passkey verwendet. Versuchen Sie es erneut.',
  oldBrowserPasskeys: 'Dieser Browser ist zu alt für Passkeys.',
};
