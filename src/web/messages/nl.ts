// The messages in Dutch.

import type { Messages } from './en.ts';

export const messages: Messages = {
  // Everywhere
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
  requestId: 'Aanvraagnummer:',

  // What went wrong
  offline: 'Je bent offline. Controleer je netwerkverbinding en probeer het opnieuw.',
  unreachable: 'De desk antwoordt niet. Probeer het zo meteen opnieuw.',
  wrongCredentials: 'Het e-mailadres of het wachtwoord klopt niet.',
  rateLimited: (wait) => `Te veel pogingen. Over ${wait} kun je het opnieuw proberen.`,
  busy: 'De desk heeft het druk. Probeer het zo meteen opnieuw.',
  crossSite: 'De desk weigerde de aanvraag omdat die van een ander adres kwam. Open de desk op zijn eigen adres.',
  linkExpired: 'Deze link is verlopen of al gebruikt.',
  forbidden: 'Dit mag je niet doen.',
  signedOut: 'Je bent afgemeld. Meld je opnieuw aan.',
  failed: 'Er ging iets mis bij de desk. Er is niets gewijzigd.',
  emailRefused: 'Vul een volledig e-mailadres in, zoals ana@example.org.',
  nameRefused: 'Vul een naam van hoogstens 255 tekens in.',
  passwordRefused: 'Kies een ander wachtwoord. Het mag niet veelgebruikt zijn en niet je e-mailadres zijn.',
  passwordShort: (least) => `Gebruik minstens ${least} tekens.`,
  passwordHint: (least) => `Minstens ${least} tekens. Een paar woorden onthoud je beter dan leestekens.`,
  codeWrong: 'Deze code klopt niet of is al gebruikt. Probeer de volgende.',
  signatureRefused: 'Deze handtekening is te lang.',

  // Signing in
  signIn: 'Aanmelden',
  signInTo: (desk) => `Aanmelden bij ${desk}`,
  forgotPassword: 'Wachtwoord vergeten?',
  or: 'of',
  signInWithPasskey: 'Aanmelden met een passkey',
  issuerDown: (label) => `“${label}” werkt op dit moment niet, omdat de server ervan niet antwoordt.`,
  noWayIn: 'Met een wachtwoord aanmelden kan hier niet. Vraag de eigenaar van deze desk om hulp.',
  deskIsNew:
    'Deze desk heeft nog geen eigenaar. Bij het starten toont hij in de terminal een link om hem in te richten.',
  signInFailed: 'Het aanmelden is niet gelukt. Probeer het opnieuw.',

  // Second factor
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

  // Links
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

  // Setup and invitation
  setupTitle: 'Je desk inrichten',
  setupLead: 'Je wordt de eerste eigenaar. Anderen kun je later uitnodigen.',
  createDesk: 'Desk aanmaken',
  invitationTitle: (desk) => `Welkom bij ${desk}`,
  invitationLead: (email) => `Je bent uitgenodigd als ${email}. Kies je naam en een wachtwoord.`,
  join: 'Meedoen',

  // Forgotten password
  resetTitle: 'Nieuw wachtwoord instellen',
  resetLead: 'Vul je adres in. We sturen je een link om een nieuw wachtwoord te kiezen.',
  sendLink: 'Link versturen',
  resetSentTitle: 'Kijk in je mail',
  resetSent: (email) =>
    `Als ${email} bij een medewerker hoort, is er een link onderweg. Hij werkt een uur. Kijk ook in je spammap.`,
  chooseNewPassword: 'Kies een nieuw wachtwoord',
  newPasswordLead: 'Alle andere apparaten worden afgemeld.',
  savePassword: 'Wachtwoord opslaan',

  // Profile
  profile: 'Profiel',
  skipToContent: 'Naar de inhoud',
  signOut: 'Afmelden',
  sections: 'Onderdelen',
  you: 'Jij',
  youLead: 'Collega’s en klanten zien je naam.',
  save: 'Opslaan',
  saved: 'Opgeslagen.',
  signature: 'Handtekening',
  signatureHint: 'Komt onder je antwoorden te staan.',
  preferences: 'Voorkeuren',
  preferencesLead: 'Ze gelden op elk apparaat waarop je je aanmeldt.',
  theme: 'Thema',
  themeSystem: 'Zoals het systeem',
  themeLight: 'Licht',
  themeDark: 'Donker',
  timeZone: 'Tijdzone',
  timeZoneOfDesk: 'Zoals de desk',
  roleOwner: 'Eigenaar',
  roleAdmin: 'Beheerder',
  roleMember: 'Medewerker',
  roleViewer: 'Meelezer',

  // Password
  passwordLead: 'Een nieuw wachtwoord meldt al je andere apparaten af.',
  noPassword: 'Je hebt nog geen wachtwoord.',
  currentPassword: 'Huidig wachtwoord',
  currentPasswordWrong: 'Dit is niet je huidige wachtwoord.',
  changePassword: 'Wachtwoord wijzigen',
  setPassword: 'Wachtwoord instellen',
  passwordChanged: 'Je wachtwoord is gewijzigd. Je andere apparaten zijn afgemeld.',

  // Authenticator app
  totp: 'Authenticator-app',
  totpLead: 'Een app op je telefoon toont een code die je bij het aanmelden invult.',
  isOn: 'Aan',
  isOff: 'Uit',
  turnOn: 'Inschakelen',
  totpTurnOn: 'Inschakelen van de authenticator-app',
  totpTurnOff: 'Uitschakelen van de authenticator-app',
  turnOff: 'Uitschakelen',
  totpTitle: 'De authenticator-app instellen',
  totpScan: 'Scan deze afbeelding met je app, zoals Aegis, 1Password of Google Authenticator.',
  qrAlt: 'QR-code voor de authenticator-app',
  totpByHand: 'Of vul deze sleutel met de hand in:',
  totpThenCode: 'Vul daarna de zes cijfers in die de app toont.',
  totpOn: 'De authenticator-app is ingeschakeld.',
  totpOff: 'De authenticator-app is uitgeschakeld.',
  totpOffTitle: 'Authenticator-app uitschakelen?',
  totpOffText: 'Je herstelcodes werken dan ook niet meer. Je andere apparaten worden afgemeld.',
  mustAddFactor: 'Deze desk vereist een tweede factor. Stel een authenticator-app of een passkey in om verder te gaan.',

  // Recovery codes
  recoveryCodes: 'Herstelcodes',
  recoveryCodesLead: 'Voor als je je telefoon kwijt bent. Elke code werkt één keer.',
  recoveryCodesOnce:
    'Bewaar deze codes op een veilige plek, zoals een wachtwoordbeheerder. Ze worden alleen nu getoond.',
  newRecoveryCodes: 'Nieuwe codes maken',
  newRecoveryCodesTitle: 'Nieuwe herstelcodes maken?',
  newRecoveryCodesText: 'De codes die je nu hebt, werken dan niet meer.',
  copy: 'Kopiëren',
  copied: 'Gekopieerd.',
  copyFailed: 'Het kopiëren is niet gelukt. Selecteer de tekst en kopieer die zelf.',
  print: 'Afdrukken',
  iKeptThem: 'Ik heb ze bewaard',
  insecureClipboard: 'Browsers staan kopiëren alleen via https toe. Selecteer de codes en kopieer ze zelf.',

  // Passkeys
  passkeys: 'Passkeys',
  passkeysLead: 'Meld je aan met je vingerafdruk, je gezicht of een beveiligingssleutel, zonder wachtwoord.',
  noPasskeys: 'Je hebt nog geen passkeys.',
  addPasskey: 'Passkey toevoegen',
  passkeyName: 'Naam van de passkey',
  passkeyNameHint: 'Zodat je hem later herkent, zoals “Laptop van het werk”.',
  passkeyAdded: 'De passkey is toegevoegd.',
  passkeyRemoved: 'De passkey is verwijderd.',
  passkeyExists: 'Dit apparaat heeft al een passkey voor deze desk.',
  passkeyCancelled: 'De browser heeft geen passkey gebruikt. Probeer het opnieuw als je zover bent.',
  passkeyAddedAt: (date) => `Toegevoegd op ${date}`,
  passkeyUsedAt: (when) => `Laatst gebruikt: ${when}`,
  remove: 'Verwijderen',
  removePasskey: (name) => `Verwijderen: ${name}`,
  removePasskeyTitle: (name) => `“${name}” verwijderen?`,
  removePasskeyText: 'Je kunt je er dan niet meer mee aanmelden. Je andere apparaten worden afgemeld.',
  insecurePasskeys: 'Browsers staan passkeys alleen via https toe. Deze desk is geopend op een http-adres.',
  oldBrowserPasskeys: 'Deze browser is te oud voor passkeys.',

  // Sessions
  sessions: 'Apparaten',
  sessionsLead: 'Waar je bent aangemeld. Meld af wat je niet herkent en wijzig dan je wachtwoord.',
  thisDevice: 'Dit apparaat',
  unknownBrowser: 'Onbekende browser',
  browserOn: (browser, system) => `${browser} op ${system}`,
  lastActive: (when) => `Actief: ${when}`,
  endSession: 'Afmelden',
  endSessionOf: (browser) => `Afmelden: ${browser}`,
  endOtherSessions: 'Alle andere afmelden',
  sessionEnded: 'Het apparaat is afgemeld.',
  sessionsEnded: 'Alle andere apparaten zijn afgemeld.',
  noOtherSessions: 'Je bent nergens anders aangemeld.',

  // Confirming the identity
  confirmIdentity: 'Bevestig dat jij het bent',
  confirmIdentityLead: 'Dit is een gevoelige wijziging. Vul je wachtwoord nog een keer in.',
  confirmIdentityCode: 'Dit is een gevoelige wijziging. Vul een code uit je authenticator-app in.',
};
