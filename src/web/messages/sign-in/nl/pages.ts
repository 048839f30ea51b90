// The messages of signing in and of confirming the identity, in Dutch.

import type { SignInMessages } from '../en/pages.ts';

export const messages: SignInMessages = {
  email: 'E-mail',
  signIn: 'Aanmelden',
  signInTo: (desk) => `Aanmelden bij ${desk}`,
  forgotPassword: 'Wachtwoord vergeten?',
  signInWithPasskey: 'Aanmelden met een passkey',
  issuerDown: (label) => `“${label}” werkt op dit moment niet, omdat de server ervan niet antwoordt.`,
  issuerDenied: (label) => `“${label}” is geannuleerd of geweigerd.`,
  issuerUnverified: (label) => `“${label}” is niet gelukt, omdat je e-mailadres daar niet is bevestigd.`,
  issuerUnknown: 'Geen medewerker van deze desk heeft je e-mailadres. Vraag een eigenaar om je uit te nodigen.',
  issuerInactive: 'Je account bij deze desk is uitgeschakeld. Vraag een eigenaar om hulp.',
  issuerOther: (label) =>
    `“${label}” is niet gelukt, omdat de medewerker met jouw adres daar een ander account gebruikt.`,
  deskIsNew:
    'Een eigenaar kan zich bij deze desk nog niet aanmelden. Bij het starten toont hij in de terminal een link.',
  signInFailed: 'Het aanmelden is niet gelukt. Probeer het opnieuw.',

  secondFactor: 'Bevestig dat jij het bent',
  enterTotp: 'Vul de zes cijfers in die je authenticator-app toont.',
  enterRecoveryCode: 'Vul een van je bewaarde herstelcodes in. Elke code werkt één keer.',
  usePasskeyNow: 'Bevestig met je passkey.',
  recoveryCode: 'Herstelcode',
  usePassword: 'Je wachtwoord gebruiken',
  useTotp: 'Een code uit je app gebruiken',
  useRecoveryCode: 'Een herstelcode gebruiken',
  usePasskey: 'Een passkey gebruiken',
  startAgain: 'Opnieuw beginnen',

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
  sendLink: 'Link verzenden',
  resetSentTitle: 'Kijk in je mail',
  resetSent: (email) =>
    `Als ${email} bij een medewerker hoort, is er een link onderweg. Hij werkt een uur. Kijk ook in je spammap.`,
  chooseNewPassword: 'Kies een nieuw wachtwoord',
  newPasswordLead: 'Alle andere apparaten worden afgemeld.',

  confirmIdentity: 'Bevestig dat jij het bent',
  confirmIdentityLead: 'Dit is een gevoelige wijziging. Vul je wachtwoord nog een keer in.',
  confirmIdentityCode: 'Dit is een gevoelige wijziging. Vul een code uit je authenticator-app in.',
  confirmIdentityAgain: 'Dit is een gevoelige wijziging. Meld je af, meld je weer aan en doe het binnen 15 minuten.',

  consentDone: 'De mailbox is verbonden',
  consentDoneText: 'Helpdesk leest haar vanaf nu en verzendt erdoor. Je kunt deze pagina sluiten.',
  consentNotDone: 'De mailbox is niet verbonden',
  consentRefused:
    'De provider gaf geen toegang: iemand heeft daar geweigerd, of de registratie van de desk klopt niet.',
  consentExpired: 'Vraag om een nieuwe link, of kies Verbinden in de instellingen van de mailbox.',
  consentUnavailable: 'De provider antwoordt niet zoals het hoort. Probeer het over een paar minuten opnieuw.',
  toMailbox: 'Naar de mailbox',

  newPassword: 'Nieuw wachtwoord',
  savePassword: 'Wachtwoord opslaan',
  passwordHint: (least) => `Minstens ${least} tekens. Een paar woorden onthoud je beter dan leestekens.`,
  passwordShort: (least) => `Gebruik minstens ${least} tekens.`,
  currentPasswordWrong: 'Dit is niet je huidige wachtwoord.',
  passkeyCancelled: 'De browser heeft geen passkey gebruikt. Probeer het opnieuw.',
  oldBrowserPasskeys: 'Deze browser is te oud voor passkeys.',
};
