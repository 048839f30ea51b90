// The messages of the settings that prove mail, in German.

import type { ProofMessages } from '../en/settings-proof.ts';

export const messages: ProofMessages = {
  // Mail in DNS
  mailInDns: 'Mail im DNS',
  mailInDnsLead:
    'Empfänger vertrauen Mails, deren Domain ihre Server nennt (SPF), den Schlüssel ihrer Signatur veröffentlicht (DKIM) und sagt, was mit dem Rest geschieht (DMARC).',
  checkAll: 'Alle prüfen',
  checkNow: 'Prüfen',
  checkSender: (address: string) => `${address} prüfen`,
  defaultSender: 'Standardabsender',
  notChecked: 'Noch nicht geprüft.',
  recordAligned: 'In Ordnung',
  recordMissing: 'Fehlt',
  recordWrong: 'Passt nicht',
  recordUnknown: 'Nicht sicher',
  recordFound: 'Im DNS:',
  recordToAdd: 'Tragen Sie diesen Eintrag beim Anbieter Ihrer Domain ein:',
  recordToChange: 'Ersetzen Sie ihn beim Anbieter Ihrer Domain durch:',
  recordName: 'Name',
  recordType: 'Typ',
  recordValue: 'Wert',
  valueFromServer: 'wie Ihr Mailserver oder Anbieter ihn zeigt',
  copyPart: (part: string, value: string) => `${part} kopieren: ${value}`,
  partCopied: (part: string) => `${part} wurde kopiert.`,
  dnsSilent: 'Das DNS hat nicht geantwortet. Prüfen Sie es später noch einmal.',
  severalRecords: 'Es gibt mehrere Einträge dieser Art, darum zählt keiner. Machen Sie einen daraus.',
  spfMissing: 'Kein Eintrag sagt, welche Server Mails dieser Domain senden.',
  spfNamesNone: 'Der Eintrag nennt keinen Server, der Mails dieser Domain sendet.',
  spfBroken:
    'Empfänger übergehen den Eintrag: Er hat einen Fehler oder fragt nach mehr als zehn anderen Einträgen. Kürzen oder berichtigen Sie ihn.',
  spfCovers: (server: string) => `Das passt: Der Eintrag erlaubt ${server}, worüber die Mails gesendet werden.`,
  spfUnjudged:
    'Es gibt einen Eintrag. Achten Sie darauf, dass er Ihren Mailserver nennt, dessen öffentliche Adresse der Desk nicht kennt.',
  spfLacksProvider: (provider: string) =>
    `Das passt nicht: Die Mails werden über ${provider} gesendet, was der Eintrag nicht erlaubt.`,
  spfLacksServer: (server: string) =>
    `Der Eintrag erlaubt ${server} nicht. Gibt dieser Server Mails an andere weiter, zählen jene. Sonst passt es nicht.`,
  dkimKey: (name: string) => `Bei ${name} steht ein Schlüssel. Mails, die damit signiert sind, passen.`,
  dkimOfProvider: 'Das passt: Der Anbieter signiert die Mails seiner eigenen Domain.',
  dkimRevoked: (name: string) => `Der Schlüssel bei ${name} ist widerrufen: Er ist leer.`,
  dkimMissing:
    'Die Selektoren dieses Absenders haben keinen Schlüssel. Ihr Mailserver, der die Mails signiert, zeigt den Eintrag.',
  dkimOff: (provider: string) =>
    `Das passt nicht: ${provider} signiert noch nicht mit dieser Domain. Schalten Sie DKIM dort ein; dort steht auch der Eintrag.`,
  dkimNotFound:
    'Kein Schlüssel hat einen der üblichen Namen. Tragen Sie den Selektor Ihres Mailservers auf der Seite des Absenders ein.',
  dmarcMissing: 'Kein Eintrag sagt, was Empfänger mit Mails tun, die nicht passen. Große Anbieter verlangen einen.',
  dmarcPasses: (policy: string) => `Mails bestehen. Die Richtlinie ist „${policy}“.`,
  dmarcUnsure: (policy: string) => `Die Richtlinie ist „${policy}“. Ob Mails bestehen, hängt von SPF und DKIM oben ab.`,
  dmarcFails: (policy: string) =>
    `Mails bestehen nicht: Weder SPF noch DKIM passt. Mit der Richtlinie „${policy}“ werden sie abgelehnt oder landen im Spam.`,
  dmarcFailsMildly:
    'Mails bestehen nicht: Weder SPF noch DKIM passt. Die Richtlinie „none“ lässt sie durch, aber viele Empfänger halten sie für Spam.',

  // Mail trace
  mailTrace: 'Mail verfolgen',
  mailTraceLead: 'Wo ist diese Mail? Jeder Schritt jeder Mail, die kam oder ging.',
  traceWhat: 'Adresse, Message-ID oder Betreff',
  traceHint: 'Ein Teil genügt: mia@example.org, example.org oder Klingel defekt.',
  traceTooShort: 'Geben Sie mindestens drei Zeichen ein.',
  traceFind: 'Suchen',
  traceNothing: 'Keine solche Mail',
  traceNothingText:
    'Der Desk hat sie weder erhalten noch gesendet. Wörter werden unter den neuesten 5.000 Mails je Richtung gesucht.',
  traceFound: (shown: string, value: number) => (value === 1 ? '1 Mail' : `${shown} Mails`),
  traceIsCut: 'Nur die neuesten 50 sind zu sehen. Suchen Sie genauer.',
  cameFrom: (address: string) => `von ${address}`,
  wentTo: (address: string) => `an ${address}`,
  toTicket: 'Ticket öffnen',
  stepSeen: 'Im Postfach gesehen',
  stepStored: 'Gespeichert',
  stepSenderChecked: 'Absender geprüft',
  stepWaiting: 'Wartet',
  stepFiled: 'Abgelegt',
  stepNotFiled: 'Nicht abgelegt',
  stepForwarded: 'Weitergeleitet',
  stepSettled: 'Im Postfach erledigt',
  stepQueued: 'Im Postausgang',
  stepRefused: 'Nicht angenommen',
  stepAccepted: 'Vom Server angenommen',
  stepFailed: 'Aufgegeben',
  stepBounced: 'Zurückgekommen',

  // Watch over a mailbox
  watch: 'Überwachung',
  alarmSince: (when: string) => `seit ${when}`,
  alarmFailing: 'Es kann nicht gelesen werden.',
  alarmRefused: 'Das Passwort wird abgelehnt.',
  alarmConsent: 'Der Anbieter gibt keinen Zugriff.',
  alarmCanary: 'Mails kommen nicht zurück.',
  alarmMissing: 'Mails haben gefehlt.',
  alarmQuiet: 'Es ist stiller als sonst.',
  alarmCertificateIn: 'Das Zertifikat zum Lesen läuft ab.',
  alarmCertificateOut: 'Das Zertifikat zum Senden läuft ab.',
  alarmSecret: 'Das Geheimnis der Mail-App läuft ab.',
  alarmConsentEnds: 'Die Zustimmung beim Anbieter läuft ab.',
  canary: 'Kanarienvogel',
  canaryHint:
    'Alle zehn Minuten sendet der Desk eine kleine Mail von diesem Postfach an es selbst und löscht sie, wenn sie zurück ist. Fehlt sie nach 15 Minuten, erfahren es die Inhaber.',
  canaryOn: 'Der Kanarienvogel ist an.',
  canaryOff: 'Der Kanarienvogel ist aus.',
  canaryBack: (took: string, when: string) => `Der letzte brauchte ${took} und kam am ${when} zurück.`,
  canaryNoneYet: 'Noch keiner ist zurückgekommen.',
  canaryGraph: (shown: string, slowest: string, lost: string) =>
    `Die letzten ${shown}. Der langsamste brauchte ${slowest}; nicht zurück: ${lost}.`,
  dailyCount: 'Tägliche Zählung',
  notCountedYet:
    'Noch nicht gezählt. Einmal am Tag vergleicht der Desk die letzten sieben Tage des Ordners mit dem, was er hat.',
  countedAll: (messages: string, when: string) =>
    `Nichts fehlt. Nachrichten der letzten sieben Tage: ${messages}, gezählt am ${when}.`,
  countedMissing: (messages: string, missing: string, when: string) =>
    `Nachrichten der letzten sieben Tage: ${messages}. Es fehlten und wurden geholt: ${missing}. Gezählt am ${when}.`,
  quietHint:
    'Kommt zu einer Stunde der Woche viel länger als sonst nichts, erfahren die Inhaber auch das, nach vier Wochen mit Mails.',
  expiries: 'Was abläuft',
  endsCertificateIn: 'Zertifikat zum Lesen',
  endsCertificateOut: 'Zertifikat zum Senden',
  endsSecret: 'Geheimnis der Mail-App',
  endsConsent: 'Zustimmung beim Anbieter',
  endsInDays: (shown: string, date: string, days: number) =>
    days === 1 ? `in 1 Tag, am ${date}` : `in ${shown} Tagen, am ${date}`,
  hasEnded: (date: string) => `abgelaufen am ${date}`,
  whoHears: 'Wer von Alarmen erfährt',
  ownersHear:
    'Alle Inhaber, per Mail über den eigenen Server des Desks oder, ohne einen, über ein anderes Postfach. Ein Kanal ist der Weg, der keine Mail braucht.',
  noChannels: 'Diese Site hat noch keinen Kanal (helpdesk channel add … --events mailbox.alarm).',
  alarmsTo: (channel: string) => `Alarme an „${channel}“`,
  onlyEvent: 'Es ist das einzige Ereignis dieses Kanals. Entfernen Sie stattdessen den Kanal.',
  channelIsOff: 'Der Kanal ist ausgeschaltet.',
  alarmsGoTo: (channel: string) => `Alarme gehen an „${channel}“.`,
  alarmsNoLongerGoTo: (channel: string) => `Alarme gehen nicht mehr an „${channel}“.`,

  // Spam filter
  spamFilter: 'Spamfilter',
  spamFilterLead: 'Mit rspamd hat ankommende Mail einen Wert, bevor sie abgelegt wird.',
  spamThresholds: 'Ab welchem Wert',
  holdFrom: 'Zurückhalten ab dem Wert',
  holdHint: 'Sie wartet unter „Zurückgehaltene Mails“, bis jemand nachsieht. Leer: nie.',
  markFrom: 'Als Spam markieren ab dem Wert',
  markHint: 'Nur Tickets bewiesener Absender; andere Mails werden zurückgehalten. Leer: nie.',
  scoreRefused: 'Geben Sie eine Zahl von 0 bis 1.000 ein oder nichts.',
  nothingIsHeld: 'Keine Mail wird wegen ihres Werts zurückgehalten oder markiert.',
  heldFrom: (hold: string) => `Mails ab ${hold} werden zurückgehalten. Nichts wird als Spam markiert.`,
  markedFrom: (mark: string) =>
    `Mails ab ${mark} werden als Spam markierte Tickets oder, ohne bewiesenen Absender, zurückgehalten.`,
  heldAndMarkedFrom: (hold: string, mark: string) =>
    `Mails ab ${hold} werden zurückgehalten. Ab ${mark} werden sie als Spam markierte Tickets, wenn ihr Absender bewiesen ist.`,
  spamSaved: 'Die Werte wurden geändert.',
  testFilter: 'Testen',
  filterAsking: 'Der Filter wird gefragt …',
  filterUnset: 'Es ist kein Filter eingestellt, darum hat keine Mail einen Wert. Der Betreiber startet den Desk mit:',
  filterAnswers: (milliseconds: string, score: string) =>
    `rspamd antwortet: Es brauchte ${milliseconds} ms und gibt einer harmlosen Testnachricht den Wert ${score}.`,
  filterDown: 'rspamd antwortet nicht. Bis es antwortet, werden Mails ohne Wert abgelegt.',
};
