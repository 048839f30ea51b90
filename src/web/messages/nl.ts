// The messages in Dutch.

import type { Messages } from './en.ts';

export const messages: Messages = {
  close: 'Sluiten',
  cancel: 'Annuleren',
  tryAgain: 'Opnieuw proberen',
  language: 'Taal',
  email: 'E-mail',
  password: 'Wachtwoord',
  newPassword: 'Nieuw wachtwoord',
  name: 'Naam',
  showPassword: 'Wachtwoord tonen',
  code: 'Code',
  required: 'Vul dit veld in.',
  nothingChosen: 'Geen',
  searchIn: (label: string) => `Zoeken: ${label}`,
  noneFound: 'Niets gevonden.',
  createOption: (text: string) => `“${text}” aanmaken`,
  requestId: 'Aanvraagnummer:',
  saved: 'Opgeslagen.',
  copy: 'Kopiëren',
  copied: 'Gekopieerd.',
  copyFailed: 'Het kopiëren is niet gelukt. Selecteer de tekst en kopieer die zelf.',
  print: 'Afdrukken',
  remove: 'Verwijderen',

  statusOpen: 'Open',
  statusPending: 'In wacht',
  statusResolved: 'Opgelost',
  statusClosed: 'Gesloten',

  offline: 'Je bent offline. Controleer je netwerkverbinding en probeer het opnieuw.',
  unreachable: 'De desk antwoordt niet. Probeer het zo meteen opnieuw.',
  wrongCredentials: 'Het e-mailadres of het wachtwoord klopt niet.',
  rateLimited: (wait) => `Te veel pogingen. Over ${wait} kun je het opnieuw proberen.`,
  busy: 'De desk heeft het druk. Probeer het zo meteen opnieuw.',
  crossSite: (address) =>
    `De desk weigerde de aanvraag, omdat deze pagina een ander adres heeft. Open de desk op ${address}.`,
  linkExpired: 'Deze link is verlopen of al gebruikt.',
  forbidden: 'Dit mag je niet doen.',
  lastOwner:
    'Je bent de laatste eigenaar die zich kan aanmelden. Voeg eerst een andere manier toe om je aan te melden.',
  signedOut: 'Je bent afgemeld. Meld je opnieuw aan.',
  failed: 'Er ging iets mis bij de desk. Probeer het opnieuw.',
  emailRefused: 'Vul een volledig e-mailadres in, zoals ana@example.org.',
  nameRefused: 'Vul een naam van hoogstens 255 tekens in.',
  passwordRefused: 'Kies een ander wachtwoord. Het mag niet veelgebruikt zijn en niet je e-mailadres zijn.',
  passwordShort: (least) => `Gebruik minstens ${least} tekens.`,
  passwordHint: (least) => `Minstens ${least} tekens. Een paar woorden onthoud je beter dan leestekens.`,
  codeWrong: 'Deze code klopt niet of is al gebruikt. Probeer de volgende.',

  signIn: 'Aanmelden',
  signInTo: (desk) => `Aanmelden bij ${desk}`,
  forgotPassword: 'Wachtwoord vergeten?',
  or: 'of',
  signInWithPasskey: 'Aanmelden met een passkey',
  issuerDown: (label) => `“${label}” werkt op dit moment niet, omdat de server ervan niet antwoordt.`,
  issuerDenied: (label) => `“${label}” is geannuleerd of geweigerd.`,
  issuerUnverified: (label) => `“${label}” is niet gelukt, omdat je e-mailadres daar niet is bevestigd.`,
  issuerUnknown: 'Geen medewerker van deze desk heeft je e-mailadres. Vraag een eigenaar om je uit te nodigen.',
  issuerInactive: 'Je account bij deze desk is uitgeschakeld. Vraag een eigenaar om hulp.',
  issuerOther: (label) =>
    `“${label}” is niet gelukt, omdat de medewerker met jouw adres daar een ander account gebruikt.`,
  noWayIn: 'Met een wachtwoord aanmelden kan hier niet. Vraag de eigenaar van deze desk om hulp.',
  deskIsNew:
    'Een eigenaar kan zich bij deze desk nog niet aanmelden. Bij het starten toont hij in de terminal een link.',
  signInFailed: 'Het aanmelden is niet gelukt. Probeer het opnieuw.',

  secondFactor: 'Bevestig dat jij het bent',
  enterTotp: 'Vul de zes cijfers in die je authenticator-app toont.',
  enterRecoveryCode: 'Vul een van je bewaarde herstelcodes in. Elke code werkt één keer.',
  usePasskeyNow: 'Bevestig met je passkey.',
  recoveryCode: 'Herstelcode',
  confirm: 'Bevestigen',
  usePassword: 'Je wachtwoord gebruiken',
  useTotp: 'Een code uit je app gebruiken',
  useRecoveryCode: 'Een herstelcode gebruiken',
  usePasskey: 'Een passkey gebruiken',
  startAgain: 'Opnieuw beginnen',
  challengeExpired: 'Dit duurde te lang. Meld je opnieuw aan.',

  linkExpiredTitle: 'Deze link werkt niet meer',
  linkMissing: 'De link is niet volledig. Kopieer hem helemaal, ook wat achter het #-teken staat.',
  signInLinkNext:
    'Aanmeldlinks werken één keer, gedurende 15 minuten. Vraag een nieuwe aan of meld je aan met je wachtwoord.',
  setupLinkNext:
    'Een link om in te richten werkt één keer, tot de desk opnieuw start. Start de desk opnieuw voor een nieuwe link.',
  invitationLinkNext:
    'Uitnodigingen gelden zeven dagen en een nieuwe vervangt de oude. Vraag degene die je heeft uitgenodigd.',
  resetLinkNext:
    'Links voor een nieuw wachtwoord werken één keer, gedurende een uur. Je kunt een nieuwe link aanvragen.',
  toSignIn: 'Naar aanmelden',

  setupTitle: 'Je desk inrichten',
  setupLead: 'Je wordt de eerste eigenaar. Anderen kun je later uitnodigen.',
  createDesk: 'Desk aanmaken',
  invitationTitle: (desk) => `Welkom bij ${desk}`,
  invitationLead: (email) => `Je bent uitgenodigd als ${email}. Kies je naam en een wachtwoord.`,
  join: 'Meedoen',

  resetTitle: 'Nieuw wachtwoord instellen',
  resetLead: 'Vul je adres in. We sturen je een link om een nieuw wachtwoord te kiezen.',
  sendLink: 'Link versturen',
  resetSentTitle: 'Kijk in je mail',
  resetSent: (email) =>
    `Als ${email} bij een medewerker hoort, is er een link onderweg. Hij werkt een uur. Kijk ook in je spammap.`,
  chooseNewPassword: 'Kies een nieuw wachtwoord',
  newPasswordLead: 'Alle andere apparaten worden afgemeld.',
  savePassword: 'Wachtwoord opslaan',

  profile: 'Profiel',
  skipToContent: 'Naar de inhoud',
  signOut: 'Afmelden',
  save: 'Opslaan',

  currentPasswordWrong: 'Dit is niet je huidige wachtwoord.',

  mustAddFactor: 'Deze desk vereist een tweede factor. Stel een authenticator-app of een passkey in om verder te gaan.',

  passkeyCancelled: 'De browser heeft geen passkey gebruikt. Probeer het opnieuw als je zover bent.',
  insecurePasskeys: 'Browsers staan passkeys alleen via https toe, en niet op een IP-adres.',
  oldBrowserPasskeys: 'Deze browser is te oud voor passkeys.',

  confirmIdentity: 'Bevestig dat jij het bent',
  confirmIdentityLead: 'Dit is een gevoelige wijziging. Vul je wachtwoord nog een keer in.',
  confirmIdentityCode: 'Dit is een gevoelige wijziging. Vul een code uit je authenticator-app in.',
  confirmIdentityAgain: 'Dit is een gevoelige wijziging. Meld je af, meld je weer aan en doe het binnen 15 minuten.',
};
