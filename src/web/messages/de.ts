// The messages in German.

import type { Messages } from './en.ts';

export const messages: Messages = {
  // Everywhere
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
  requestId: 'Anfragenummer:',

  // What went wrong
  offline: 'Sie sind offline. Prüfen Sie Ihre Netzwerkverbindung und versuchen Sie es erneut.',
  unreachable: 'Der Desk antwortet nicht. Versuchen Sie es gleich noch einmal.',
  wrongCredentials: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
  rateLimited: (wait) => `Zu viele Versuche. In ${wait} können Sie es erneut versuchen.`,
  busy: 'Der Desk ist ausgelastet. Versuchen Sie es gleich noch einmal.',
  crossSite:
    'Der Desk hat die Anfrage abgelehnt, weil sie von einer anderen Adresse kam. Öffnen Sie den Desk unter seiner eigenen Adresse.',
  linkExpired: 'Dieser Link ist abgelaufen oder wurde schon benutzt.',
  forbidden: 'Dazu sind Sie nicht berechtigt.',
  signedOut: 'Sie sind abgemeldet. Melden Sie sich wieder an.',
  failed: 'Beim Desk ist etwas schiefgegangen. Es wurde nichts geändert.',
  emailRefused: 'Geben Sie eine vollständige E-Mail-Adresse ein, zum Beispiel ana@example.org.',
  nameRefused: 'Geben Sie einen Namen mit höchstens 255 Zeichen ein.',
  passwordRefused: 'Wählen Sie ein anderes Passwort. Es darf weder weit verbreitet noch Ihre E-Mail-Adresse sein.',
  passwordShort: (least) => `Verwenden Sie mindestens ${least} Zeichen.`,
  passwordHint: (least) => `Mindestens ${least} Zeichen. Ein paar Wörter merkt man sich leichter als Sonderzeichen.`,
  codeWrong: 'Dieser Code ist falsch oder wurde schon benutzt. Versuchen Sie den nächsten.',
  signatureRefused: 'Diese Signatur ist zu lang.',

  // Signing in
  signIn: 'Anmelden',
  signInTo: (desk) => `Bei ${desk} anmelden`,
  forgotPassword: 'Passwort vergessen?',
  or: 'oder',
  signInWithPasskey: 'Mit einem Passkey anmelden',
  issuerDown: (label) => `„${label}“ funktioniert im Moment nicht, weil der zuständige Server nicht antwortet.`,
  noWayIn: 'Die Anmeldung mit einem Passwort ist hier ausgeschaltet. Fragen Sie den Inhaber dieses Desks.',
  deskIsNew:
    'Dieser Desk hat noch keinen Inhaber. Beim Start zeigt er im Terminal einen Link, mit dem Sie ihn einrichten.',
  signInFailed: 'Die Anmeldung hat nicht geklappt. Versuchen Sie es noch einmal.',

  // Second factor
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

  // Links
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

  // Setup and invitation
  setupTitle: 'Desk einrichten',
  setupLead: 'Sie werden der erste Inhaber. Andere können Sie später einladen.',
  createDesk: 'Desk anlegen',
  invitationTitle: (desk) => `Willkommen bei ${desk}`,
  invitationLead: (email) => `Sie wurden als ${email} eingeladen. Wählen Sie Ihren Namen und ein Passwort.`,
  join: 'Beitreten',

  // Forgotten password
  resetTitle: 'Neues Passwort festlegen',
  resetLead: 'Geben Sie Ihre Adresse ein. Wir schicken Ihnen einen Link, mit dem Sie ein neues Passwort wählen.',
  sendLink: 'Link senden',
  resetSentTitle: 'Sehen Sie in Ihre Mails',
  resetSent: (email) =>
    `Wenn ${email} zu einem Agenten gehört, ist ein Link unterwegs. Er gilt eine Stunde. Sehen Sie auch im Spam-Ordner nach.`,
  chooseNewPassword: 'Neues Passwort wählen',
  newPasswordLead: 'Alle anderen Geräte werden abgemeldet.',
  savePassword: 'Passwort speichern',

  // Profile
  profile: 'Profil',
  skipToContent: 'Zum Inhalt springen',
  signOut: 'Abmelden',
  sections: 'Abschnitte',
  you: 'Über Sie',
  youLead: 'Kollegen und Kunden sehen Ihren Namen.',
  save: 'Speichern',
  saved: 'Gespeichert.',
  signature: 'Signatur',
  signatureHint: 'Steht unter Ihren Antworten.',
  preferences: 'Einstellungen',
  preferencesLead: 'Sie gelten auf jedem Gerät, auf dem Sie sich anmelden.',
  theme: 'Farbschema',
  themeSystem: 'Wie das System',
  themeLight: 'Hell',
  themeDark: 'Dunkel',
  timeZone: 'Zeitzone',
  timeZoneOfDesk: 'Wie der Desk',
  roleOwner: 'Inhaber',
  roleAdmin: 'Administrator',
  roleMember: 'Mitarbeiter',
  roleViewer: 'Leser',

  // Password
  passwordLead: 'Ein neues Passwort meldet alle Ihre anderen Geräte ab.',
  noPassword: 'Sie haben noch kein Passwort.',
  currentPassword: 'Aktuelles Passwort',
  currentPasswordWrong: 'Das ist nicht Ihr aktuelles Passwort.',
  changePassword: 'Passwort ändern',
  setPassword: 'Passwort festlegen',
  passwordChanged: 'Ihr Passwort wurde geändert. Ihre anderen Geräte sind abgemeldet.',

  // Authenticator app
  totp: 'Authenticator-App',
  totpLead: 'Eine App auf Ihrem Telefon zeigt einen Code, den Sie beim Anmelden eingeben.',
  isOn: 'Eingeschaltet',
  isOff: 'Ausgeschaltet',
  turnOn: 'Einschalten',
  totpTurnOn: 'Einschalten der Authenticator-App',
  totpTurnOff: 'Ausschalten der Authenticator-App',
  turnOff: 'Ausschalten',
  totpTitle: 'Authenticator-App einrichten',
  totpScan: 'Scannen Sie dieses Bild mit Ihrer App, zum Beispiel Aegis, 1Password oder Google Authenticator.',
  qrAlt: 'QR-Code für die Authenticator-App',
  totpByHand: 'Oder geben Sie diesen Schlüssel von Hand ein:',
  totpThenCode: 'Geben Sie dann die sechs Ziffern ein, die die App anzeigt.',
  totpOn: 'Die Authenticator-App ist eingeschaltet.',
  totpOff: 'Die Authenticator-App ist ausgeschaltet.',
  totpOffTitle: 'Authenticator-App ausschalten?',
  totpOffText: 'Auch Ihre Wiederherstellungscodes gelten dann nicht mehr. Ihre anderen Geräte werden abgemeldet.',
  mustAddFactor:
    'Dieser Desk verlangt einen zweiten Faktor. Richten Sie eine Authenticator-App oder einen Passkey ein, um fortzufahren.',

  // Recovery codes
  recoveryCodes: 'Wiederherstellungscodes',
  recoveryCodesLead: 'Für den Tag, an dem Ihr Telefon fehlt. Jeder Code gilt einmal.',
  recoveryCodesOnce:
    'Bewahren Sie diese Codes an einem sicheren Ort auf, etwa in einem Passwortmanager. Sie werden nur jetzt angezeigt.',
  newRecoveryCodes: 'Neue Codes erzeugen',
  newRecoveryCodesTitle: 'Neue Wiederherstellungscodes erzeugen?',
  newRecoveryCodesText: 'Die Codes, die Sie jetzt haben, gelten dann nicht mehr.',
  copy: 'Kopieren',
  copied: 'Kopiert.',
  copyFailed: 'Das Kopieren hat nicht geklappt. Markieren Sie den Text und kopieren Sie ihn selbst.',
  print: 'Drucken',
  iKeptThem: 'Ich habe sie gesichert',
  insecureClipboard: 'Browser erlauben das Kopieren nur über https. Markieren und kopieren Sie die Codes selbst.',

  // Passkeys
  passkeys: 'Passkeys',
  passkeysLead: 'Melden Sie sich mit Fingerabdruck, Gesicht oder Sicherheitsschlüssel an, ohne Passwort.',
  noPasskeys: 'Sie haben noch keine Passkeys.',
  addPasskey: 'Passkey hinzufügen',
  passkeyName: 'Name des Passkeys',
  passkeyNameHint: 'Damit Sie ihn später erkennen, zum Beispiel „Laptop im Büro“.',
  passkeyAdded: 'Der Passkey wurde hinzugefügt.',
  passkeyRemoved: 'Der Passkey wurde entfernt.',
  passkeyExists: 'Dieses Gerät hat schon einen Passkey für diesen Desk.',
  passkeyCancelled: 'Der Browser hat keinen Passkey verwendet. Versuchen Sie es noch einmal, wenn Sie so weit sind.',
  passkeyAddedAt: (date) => `Hinzugefügt am ${date}`,
  passkeyUsedAt: (when) => `Zuletzt verwendet: ${when}`,
  remove: 'Entfernen',
  removePasskey: (name) => `Entfernen: ${name}`,
  removePasskeyTitle: (name) => `„${name}“ entfernen?`,
  removePasskeyText: 'Sie können sich dann nicht mehr damit anmelden. Ihre anderen Geräte werden abgemeldet.',
  insecurePasskeys: 'Browser erlauben Passkeys nur über https. Dieser Desk ist unter einer http-Adresse geöffnet.',
  oldBrowserPasskeys: 'Dieser Browser ist zu alt für Passkeys.',

  // Sessions
  sessions: 'Geräte',
  sessionsLead: 'Wo Sie angemeldet sind. Melden Sie ab, was Sie nicht kennen, und ändern Sie Ihr Passwort.',
  thisDevice: 'Dieses Gerät',
  unknownBrowser: 'Unbekannter Browser',
  browserOn: (browser, system) => `${browser} unter ${system}`,
  lastActive: (when) => `Aktiv: ${when}`,
  endSession: 'Abmelden',
  endSessionOf: (browser) => `Abmelden: ${browser}`,
  endOtherSessions: 'Alle anderen abmelden',
  sessionEnded: 'Das Gerät wurde abgemeldet.',
  sessionsEnded: 'Alle anderen Geräte wurden abgemeldet.',
  noOtherSessions: 'Sie sind nirgendwo sonst angemeldet.',

  // Confirming the identity
  confirmIdentity: 'Bestätigen Sie, dass Sie es sind',
  confirmIdentityLead: 'Das ist eine heikle Änderung. Geben Sie Ihr Passwort noch einmal ein.',
  confirmIdentityCode: 'Das ist eine heikle Änderung. Geben Sie einen Code aus Ihrer Authenticator-App ein.',
};
