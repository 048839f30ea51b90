// The messages about inbound mail, in German.

import type { SettingsInboundMessages } from '../en/settings-inbound.ts';

export const messages: SettingsInboundMessages = {
  inboundMail: 'Eingehende Mail',
  inboundMailLead:
    'Mails, die über einen Anbieter oder Ihren Mailserver kommen, werden Tickets und Antworten dieser Site.',
  waysOfMail: 'Wege, auf denen Mails kommen',
  youHave: 'Sie haben',
  useThis: 'Verwenden Sie',
  haveMailbox:
    'Eine Adresse bei Google, Microsoft 365, einem Hoster oder auf Ihrem Server: Beim Anbieter ändert sich nichts.',
  haveDomain: 'Eine eigene Domain für den Support oder viele Mails: Jede Mail kommt sofort.',
  haveServer: 'Postfix oder Exim auf derselben Maschine: kein Passwort und kein Warten.',
  fromProvider: 'Ein Anbieter',
  fromProviderLead: 'Der Anbieter empfängt Mails für Ihre Domain und sendet sie an den Desk.',
  byPipe: 'Eine Pipe von Ihrem Mailserver',
  pipeLead:
    'Der Mailserver führt diesen Befehl für jede Nachricht aus, als Besitzer des Datenverzeichnisses. Exitcode 75 bittet um einen späteren Versuch.',
  siteAddress: 'Adresse dieser Site',
  copySiteAddress: 'Die Adresse kopieren',
  siteAddressCopied: 'Die Adresse wurde kopiert.',
  mailToTest:
    'Senden Sie zum Testen aus Ihrem eigenen Mailprogramm eine Mail dorthin. Sie erscheint hier nach wenigen Sekunden.',
  addressUnreachable: 'Von außen erreicht keine Mail diese Adresse: Der Desk hat noch keine Domain für Mail.',
  noMailArrived: 'Es ist noch keine Mail angekommen.',
  lastMailCame: (when) => `Die letzte Mail kam ${when}.`,
  outcomeTicket: 'Sie wurde ein Ticket.',
  outcomeReply: 'Sie wurde einem Ticket hinzugefügt.',
  outcomeHeld: 'Sie wartet in der zurückgehaltenen Mail auf eine Entscheidung.',
  outcomeFailed: 'Sie konnte nicht abgelegt werden.',
  outcomeWaits: 'Der Desk legt sie noch ab.',
  outcomeOther: 'Sie brauchte kein Ticket.',
  provider: 'Anbieter',
  anyServer: 'Jeder andere Server (rohe Nachricht)',
  postmarkStep1: 'Öffnen Sie in Postmark den Server, dann den Inbound Stream und Settings.',
  postmarkStep2:
    'Tragen Sie die URL unten als Inbound Webhook ein und schalten Sie Raw Email Content ein, damit der Desk den Absender prüfen kann.',
  postmarkStep3:
    'Legen Sie für Ihre Domain einen MX-Eintrag auf inbound.postmarkapp.com an und tragen Sie die Domain dort ein.',
  mailgunStep1: 'Fügen Sie in Mailgun Ihre Domain mit ihren MX-Einträgen hinzu und öffnen Sie Receiving.',
  mailgunStep2: 'Legen Sie eine Route für die Adresse dieser Site an.',
  mailgunStep3:
    'Leiten Sie als Aktion an die URL unten weiter. Sie endet auf mime, damit Mailgun die ganze Nachricht sendet.',
  sendgridStep1: 'Öffnen Sie in SendGrid Settings und Inbound Parse und fügen Sie Host und URL hinzu.',
  sendgridStep2:
    'Tragen Sie die URL unten ein und wählen Sie, dass die rohe, vollständige MIME-Nachricht gesendet wird.',
  sendgridStep3: 'Legen Sie für den Host einen MX-Eintrag auf mx.sendgrid.net an.',
  sesStep1:
    'Legen Sie in Amazon SES eine Empfangsregel für die Adresse an, die an ein SNS-Topic veröffentlicht, die Nachricht in Base64.',
  sesStep2: (command) => `Nennen Sie dem Desk die ARN des Topics, damit er die Anmeldung bestätigt: ${command}`,
  sesStep3: 'Melden Sie die URL unten mit dem Protokoll HTTPS am Topic an. SNS überträgt Mails bis 150 KB.',
  cloudflareStep1:
    'Schalten Sie in Cloudflare Email Routing für die Domain ein und legen Sie einen Email Worker mit dem Code unten an.',
  cloudflareStep2: 'Fügen Sie dem Worker die URL unten als Secret INBOUND_URL hinzu.',
  cloudflareStep3: 'Leiten Sie die Adresse an den Worker.',
  rawStep1: 'Senden Sie jede Nachricht, wie sie ist, per POST an die URL unten, mit Content-Type message/rfc822.',
  rawStep2: 'Schreiben Sie den Umschlag in die Header X-Envelope-From und X-Envelope-To.',
  forwardHere: (address) => `Mails an ${address} werden dann Tickets dieser Site.`,
  urlIsSecret:
    'Die URL ist geheim: Wer sie hat, kann Mails in jedem Namen senden. Sie bestätigen, dass Sie es sind, und das Audit-Protokoll vermerkt es.',
  showUrl: 'URL zeigen',
  hideUrl: 'URL verbergen',
  copyUrl: 'Die URL kopieren',
  urlCopied: 'Die URL wurde kopiert.',
  rotateUrl: 'URL ersetzen',
  rotateUrlTitle: 'URL für eingehende Mail ersetzen?',
  rotateUrlText:
    'Es gibt dann eine neue URL. Tragen Sie sie beim Anbieter ein, solange die alte noch gilt: Mails an eine ungültige URL werden abgelehnt.',
  oldUrlWorks: 'Die alte URL gilt noch',

  trustedServers: 'Vertraute Server',
  trustedServersLead:
    'Nur für E-Mails, die ein eigener Server prüft, bevor der Desk sie bekommt. Lassen Sie die Felder im Zweifel leer.',
  trustedServersSaved: 'Die vertrauten Server wurden gespeichert.',
  trustedMailServers: 'Mailserver, die Absender prüfen',
  trustedMailServersHint: 'Ihre Namen in Authentication-Results, einer je Zeile, etwa mx.example.org.',
  trustedArcSealers: 'Weiterleiter, die mit ARC versiegeln',
  trustedArcSealersHint: 'Ihre Domains, eine je Zeile, etwa lists.example.org.',
  sesTopics: 'Topics von Amazon SES',
  sesTopicsHint: 'Die ARN jedes SNS-Topics, das zustellen darf, eine je Zeile.',
  sesTopicRefused: 'Jede Zeile muss die ARN eines SNS-Topics sein, etwa arn:aws:sns:eu-west-1:123456789012:mail.',
  serverNameRefused: 'Jede Zeile muss der Name eines Servers oder einer Domain sein, höchstens 20.',
};
