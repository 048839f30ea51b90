// The messages in Dutch.

import type { Messages } from './en.ts';

export const messages: Messages = {
  close: 'Sluiten',
  cancel: 'Annuleren',
  tryAgain: 'Opnieuw proberen',
  language: 'Taal',
  password: 'Wachtwoord',
  name: 'Naam',
  showPassword: 'Wachtwoord tonen',
  code: 'Code',
  required: 'Vul dit veld in.',
  nothingChosen: 'Geen',
  searchIn: (label: string) => `Zoeken: ${label}`,
  noneFound: 'Niets gevonden.',
  createOption: (text: string) => `“${text}” aanmaken`,
  requestId: 'Aanvraagnummer:',
  copyFailed: 'Het kopiëren is niet gelukt. Selecteer de tekst en kopieer die zelf.',
  remove: 'Verwijderen',

  statusOpen: 'Open',
  statusPending: 'In de wacht',
  statusResolved: 'Opgelost',
  statusClosed: 'Gesloten',

  offline: 'Je bent offline. Controleer je netwerkverbinding en probeer het opnieuw.',
  unreachable: 'De desk antwoordt niet. Probeer het zo meteen opnieuw.',
  wrongCredentials: 'Het e-mailadres of het wachtwoord klopt niet.',
  rateLimited: (wait) => `Te veel pogingen. Over ${wait} kun je het opnieuw proberen.`,
  busy: 'De desk heeft het druk. Probeer het zo meteen opnieuw.',
  crossSite: (address) => `De desk heeft een ander adres dan deze pagina. Open hem op ${address}.`,
  linkExpired: 'Deze link is verlopen of al gebruikt.',
  forbidden: 'Dit mag je niet doen.',
  lastOwner:
    'Je bent de laatste eigenaar die zich kan aanmelden. Voeg eerst een andere manier toe om je aan te melden.',
  signedOut: 'Je bent afgemeld. Meld je opnieuw aan.',
  tooLarge: 'Dat is te groot voor de desk.',
  failed: 'Er ging iets mis bij de desk. Probeer het opnieuw.',
  emailRefused: 'Vul een volledig e-mailadres in, zoals ana@example.org.',
  nameRefused: 'Vul een naam van hoogstens 255 tekens in.',
  passwordRefused: 'Kies een ander wachtwoord. Het mag niet veelgebruikt zijn en niet je e-mailadres zijn.',
  codeWrong: 'Deze code klopt niet of is al gebruikt. Probeer de volgende.',

  or: 'of',
  noWayIn: 'Met een wachtwoord aanmelden kan hier niet. Vraag de eigenaar van deze desk om hulp.',

  confirm: 'Bevestigen',
  challengeExpired: 'Dit duurde te lang. Meld je opnieuw aan.',

  profile: 'Profiel',
  skipToContent: 'Naar de inhoud',
  signOut: 'Afmelden',
  save: 'Opslaan',

  mustAddFactor: 'Deze desk vereist een tweede factor. Stel een authenticator-app of een passkey in.',

  insecurePasskeys: 'Browsers staan passkeys alleen via https toe, en niet op een IP-adres.',
};
