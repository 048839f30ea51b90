// The messages about inbound mail, in Dutch.

import type { SettingsInboundMessages } from '../en/settings-inbound.ts';

export const messages: SettingsInboundMessages = {
  inboundMail: 'Inkomende mail',
  inboundMailLead:
    'Mail die via een provider of eigen mailserver binnenkomt, wordt tickets en antwoorden van deze site.',
  waysOfMail: 'Manieren waarop mail kan komen',
  youHave: 'Je hebt',
  useThis: 'Gebruik',
  haveMailbox: 'Een adres bij Google, Microsoft 365, een hoster of eigen server: bij de provider verandert er niets.',
  haveDomain: 'Een eigen domein voor support, of veel mail: elke mail komt meteen.',
  haveServer: 'Postfix of Exim op dezelfde machine: geen wachtwoord en geen wachttijd.',
  fromProvider: 'Een provider',
  fromProviderLead: 'De provider ontvangt mail voor je domein en stuurt die naar de desk.',
  byPipe: 'Een pipe van je mailserver',
  pipeLead:
    'De mailserver voert deze opdracht uit voor elk bericht, als de gebruiker van de datamap. Exitcode 75 vraagt om het later opnieuw te proberen.',
  siteAddress: 'Adres van deze site',
  copySiteAddress: 'Het adres kopiëren',
  siteAddressCopied: 'Het adres is gekopieerd.',
  mailToTest:
    'Stuur er om te testen een mail heen vanuit je eigen mailprogramma. Die verschijnt hier binnen enkele seconden.',
  addressUnreachable: 'Mail van buiten bereikt dit adres niet: de desk heeft nog geen maildomein.',
  noMailArrived: 'Er is nog geen mail aangekomen.',
  lastMailCame: (when) => `De laatste mail kwam ${when}.`,
  outcomeTicket: 'Die werd een ticket.',
  outcomeReply: 'Die is aan een ticket toegevoegd.',
  outcomeHeld: 'Die wacht in vastgehouden mail op een besluit.',
  outcomeFailed: 'Die kon niet worden verwerkt.',
  outcomeWaits: 'De desk is er nog mee bezig.',
  outcomeOther: 'Er was geen ticket nodig.',
  provider: 'Provider',
  anyServer: 'Een andere server (ruw bericht)',
  postmarkStep1: 'Open in Postmark de server, dan de inbound stream en Settings.',
  postmarkStep2:
    'Vul de URL hieronder in als inbound webhook en zet raw email content aan, zodat de desk de afzender kan controleren.',
  postmarkStep3:
    'Voeg een MX-record voor je domein toe dat naar inbound.postmarkapp.com wijst en vul het domein daar in.',
  mailgunStep1: 'Voeg in Mailgun je domein met de MX-records toe en open Receiving.',
  mailgunStep2: 'Maak een route voor het adres van deze site.',
  mailgunStep3:
    'Stuur als actie door naar de URL hieronder. Die eindigt op mime, zodat Mailgun het hele bericht stuurt.',
  sendgridStep1: 'Open in SendGrid Settings en Inbound Parse en voeg een host en URL toe.',
  sendgridStep2: 'Vul de URL hieronder in en vink aan dat het ruwe, volledige MIME-bericht wordt gestuurd.',
  sendgridStep3: 'Voeg een MX-record voor de host toe dat naar mx.sendgrid.net wijst.',
  sesStep1:
    'Maak in Amazon SES een receipt rule voor het adres die naar een SNS-topic publiceert, met het bericht in Base64.',
  sesStep2: (command) => `Geef de desk de ARN van het topic, zodat die de inschrijving bevestigt: ${command}`,
  sesStep3: 'Schrijf de URL hieronder in op het topic, met protocol HTTPS. SNS bezorgt mail tot 150 KB.',
  cloudflareStep1:
    'Zet in Cloudflare Email Routing aan voor het domein en maak een email worker met de code hieronder.',
  cloudflareStep2: 'Voeg de URL hieronder aan de worker toe als secret INBOUND_URL.',
  cloudflareStep3: 'Leid het adres naar de worker.',
  rawStep1: 'Stuur elk bericht zoals het is met POST naar de URL hieronder, met Content-Type message/rfc822.',
  rawStep2: 'Zet de envelop in de headers X-Envelope-From en X-Envelope-To.',
  forwardHere: (address) => `Mail aan ${address} wordt dan tickets van deze site.`,
  urlIsSecret:
    'De URL is geheim: wie hem heeft, kan mail sturen namens iedereen. Je bevestigt dat jij het bent en het auditlog noteert het.',
  showUrl: 'URL tonen',
  hideUrl: 'URL verbergen',
  copyUrl: 'De URL kopiëren',
  urlCopied: 'De URL is gekopieerd.',
  rotateUrl: 'URL vervangen',
  rotateUrlTitle: 'URL voor inkomende mail vervangen?',
  rotateUrlText:
    'Er komt een nieuwe URL. Vul die bij de provider in zolang de oude nog werkt: mail naar een URL die niet meer werkt wordt geweigerd.',
  oldUrlWorks: 'De oude URL werkt nog',

  trustedServers: 'Vertrouwde servers',
  trustedServersLead:
    'Alleen voor mail die een server van jou controleert voordat de desk die krijgt. Laat dit leeg als je het niet zeker weet.',
  trustedServersSaved: 'De vertrouwde servers zijn opgeslagen.',
  trustedMailServers: 'Mailservers die afzenders controleren',
  trustedMailServersHint: 'Hun namen in Authentication-Results, één per regel, zoals mx.example.org.',
  trustedArcSealers: 'Doorstuurders die met ARC verzegelen',
  trustedArcSealersHint: 'Hun domeinen, één per regel, zoals lists.example.org.',
  sesTopics: 'Topics van Amazon SES',
  sesTopicsHint: 'De ARN van elk SNS-topic dat mag bezorgen, één per regel.',
  sesTopicRefused: 'Elke regel moet de ARN van een SNS-topic zijn, zoals arn:aws:sns:eu-west-1:123456789012:mail.',
  serverNameRefused: 'Elke regel moet de naam van een server of domein zijn, en er passen er hoogstens 20.',
};
