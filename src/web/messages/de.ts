// The messages in German.

import type { Messages } from './en.ts';

export const messages: Messages = {
  close: 'Schließen',
  cancel: 'Abbrechen',
  tryAgain: 'Erneut versuchen',
  language: 'Sprache',
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
  copyFailed: 'Das Kopieren hat nicht geklappt. Markieren Sie den Text und kopieren Sie ihn selbst.',
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

  or: 'oder',
  noWayIn: 'Die Anmeldung mit einem Passwort ist hier ausgeschaltet. Fragen Sie den Inhaber dieses Desks.',

  confirm: 'Bestätigen',
  challengeExpired: 'Das hat zu lange gedauert. Melden Sie sich noch einmal an.',

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
};
