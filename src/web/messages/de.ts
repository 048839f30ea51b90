// The messages in German.

import type { Messages } from './en.ts';

export const messages: Messages = {
  close: 'Schließen',
  cancel: 'Abbrechen',
  tryAgain: 'Erneut versuchen',
  language: 'Sprache',
  password: 'Passwort',
  name: 'Name',
  showPassword: 'Passwort anzeigen',
  code: 'Code',
  required: 'Bitte füllen Sie dieses Feld aus.',
  nothingChosen: 'Keine Auswahl',
  searchIn: (label: string) => `Suchen: ${label}`,
  noneFound: 'Nichts gefunden.',
  createOption: (text: string) => `„${text}“ anlegen`,
  requestId: 'Anfragenummer:',
  copyFailed: 'Das Kopieren ging nicht. Markieren und kopieren Sie den Text selbst.',
  remove: 'Entfernen',

  statusOpen: 'Offen',
  statusPending: 'Wartend',
  statusResolved: 'Gelöst',
  statusClosed: 'Geschlossen',

  offline: 'Sie sind offline. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
  unreachable: 'Der Desk antwortet nicht. Versuchen Sie es gleich erneut.',
  wrongCredentials: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
  rateLimited: (wait) => `Zu viele Versuche. Versuchen Sie es in ${wait} erneut.`,
  busy: 'Der Desk ist ausgelastet. Versuchen Sie es gleich erneut.',
  crossSite: (address) => `Der Desk hat eine andere Adresse als diese Seite. Öffnen Sie ihn unter ${address}.`,
  linkExpired: 'Dieser Link ist abgelaufen oder wurde schon benutzt.',
  forbidden: 'Dazu sind Sie nicht berechtigt.',
  lastOwner: 'Sie sind der letzte Inhaber, der sich anmelden kann. Richten Sie zuerst einen anderen Weg ein.',
  signedOut: 'Sie sind abgemeldet. Melden Sie sich erneut an.',
  tooLarge: 'Das ist zu groß für den Desk.',
  failed: 'Beim Desk ist etwas schiefgegangen. Versuchen Sie es erneut.',
  emailRefused: 'Geben Sie eine vollständige E-Mail-Adresse wie ana@example.org ein.',
  nameRefused: 'Geben Sie einen Namen mit höchstens 255 Zeichen ein.',
  passwordRefused: 'Wählen Sie ein anderes Passwort: kein verbreitetes und nicht Ihre E-Mail-Adresse.',
  codeWrong: 'Dieser Code ist falsch oder wurde schon benutzt. Versuchen Sie den nächsten.',

  or: 'oder',
  noWayIn: 'Die Anmeldung mit Passwort ist hier ausgeschaltet. Fragen Sie den Inhaber.',

  confirm: 'Bestätigen',
  challengeExpired: 'Das dauerte zu lange. Melden Sie sich erneut an.',

  profile: 'Profil',
  skipToContent: 'Zum Inhalt springen',
  signOut: 'Abmelden',
  save: 'Speichern',

  mustAddFactor:
    'Dieser Desk verlangt einen zweiten Faktor. Richten Sie eine Authenticator-App oder einen Passkey ein.',

  insecurePasskeys: 'Passkeys gehen nur über https, nicht mit einer IP-Adresse.',
};
