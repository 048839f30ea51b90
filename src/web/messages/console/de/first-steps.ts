// The messages of the first steps, in German.

import type { FirstStepsMessages } from '../en/first-steps.ts';

export const messages: FirstStepsMessages = {
  firstStepsLead:
    'Vom neuen Desk zum ersten Ticket. Jeder Schritt nach dem ersten lässt sich überspringen und später wieder öffnen.',
  stepsDone: (done, all) => `${done} von ${all} Schritten erledigt`,
  stepsAllDone: 'Hier bleibt nichts zu tun. Die Tickets sind im Posteingang.',
  stepsLeftOut: (done, skipped, all) =>
    `${done} von ${all} Schritten erledigt, ${skipped} übersprungen. Übersprungene Schritte lassen sich wieder öffnen.`,
  stepSite: 'Desk und erste Site benennen',
  stepAddress: 'E-Mail-Adresse einrichten',
  stepTest: 'Test-E-Mail senden und empfangen',
  stepTeam: 'Team einladen',
  stepConnect: 'App anbinden',
  stepDone: 'Erledigt',
  stepSkipped: 'Übersprungen',
  stepAgain: 'Noch einmal zeigen',
  stepShow: 'Zeigen',
  continueSteps: 'Weiter',
  stepAction: (action, title) => `${action}: ${title}`,
  skipStep: 'Überspringen',
  stepSiteLead:
    'Tickets gehören zu einer Site: einem Shop, einer App oder einer Marke mit eigener Adresse und eigenem Aussehen. Weitere Sites können Sie später anlegen.',
  stepsDeskName: 'Name des Desks',
  stepsDeskNameHint: 'Ihr Team sieht ihn.',
  siteName: 'Name der Site',
  stepsSiteNameHint: 'Kunden sehen ihn in E-Mails und auf ihren Seiten.',
  siteNameExample: 'Webshop',
  makeSite: 'Site anlegen',
  siteIsMade: (name) => `Ihre erste Site ist ${name}.`,
  siteWasMade: (name) => `${name} wurde angelegt.`,
  stepAddressLead: 'Kunden schreiben an eine Adresse, und ihre E-Mails werden zu Tickets. Wie kommen sie herein?',
  byMailbox: 'Ein Postfach verbinden',
  byMailboxText:
    'Sie haben schon eines bei Google, Microsoft oder anderswo. Der Desk liest es und antwortet von seiner Adresse.',
  byProvider: 'Einen E-Mail-Anbieter nutzen',
  byProviderText:
    'Ihr Anbieter reicht E-Mails durch einen Web-Aufruf an den Desk weiter. Für eine eigene Domain und viele E-Mails.',
  testIn: 'An den Desk',
  writeTo: 'Schreiben Sie aus Ihrem E-Mail-Programm an',
  noAddressYet:
    'Noch keine Adresse: Der Desk hat kein Postfach, und seine E-Mail-Domain ist nicht eingestellt. Beginnen Sie mit Schritt 2.',
  waitingForMail: 'Warten auf die erste E-Mail…',
  mailArrived: (from, when) => `Die letzte E-Mail kam von ${from}, ${when}.`,
  toTheTicket: 'Ticket öffnen',
  testOut: 'Vom Desk',
  testOutLead: 'Der Desk sendet Ihnen ein Beispiel für das, was Kunden bekommen.',
  sendTestMail: 'Test-E-Mail an mich senden',
  mailLeaves: (to) => `Unterwegs an ${to}…`,
  mailLeft: (to) => `Der Mailserver hat die E-Mail an ${to} angenommen. Sehen Sie in Ihrem Postfach nach.`,
  mailDidNotLeave: (reason) => `Die E-Mail wurde nicht versendet: ${reason}`,
  stepTeamLead: 'Eingeladene bekommen einen Link, der sieben Tage gilt, und wählen ihr Passwort selbst.',
  colleagueEmail: 'E-Mail-Adresse',
  colleagueRole: 'Rolle',
  stepsInvite: 'Einladen',
  invitationMailed: (address) => `Die Einladung an ${address} ist unterwegs.`,
  passLinkOn: (name) =>
    `Es ist kein Mailserver eingerichtet. Geben Sie diesen Link an ${name} weiter. Er wird nur einmal gezeigt.`,
  copyInvitation: 'Link kopieren',
  invitationCopied: 'Der Link wurde kopiert.',
  stepConnectLead: 'Ihr Server öffnet Tickets mit einem Aufruf. Dieser öffnet ein Testticket, das keine E-Mail sendet.',
  tokenShownOnce:
    'Das Token der Site steht im Aufruf. Es wird nur jetzt gezeigt: Bewahren Sie es in den Einstellungen Ihres Servers auf.',
  tokenIsGone: 'Das Token der Site wurde beim Anlegen der Site gezeigt.',
  callCopied: 'Der Aufruf wurde kopiert.',
  waitingForTicket: 'Warten auf das erste Ticket aus Ihrer App…',
  openTestTicket: 'Oder hier ein Testticket öffnen',
  ticketArrived: (subject) => `Angekommen: ${subject}.`,
};
