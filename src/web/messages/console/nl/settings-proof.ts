// The messages of the settings that prove mail, in Dutch.

import type { ProofMessages } from '../en/settings-proof.ts';

export const messages: ProofMessages = {
  // Mail in DNS
  mailInDns: 'E-mail in DNS',
  mailInDnsLead:
    'Ontvangers vertrouwen e-mail waarvan het domein zijn servers noemt (SPF), de sleutel van zijn handtekening publiceert (DKIM) en zegt wat er met de rest gebeurt (DMARC).',
  checkAll: 'Alles controleren',
  checkNow: 'Controleren',
  checkSender: (address: string) => `${address} controleren`,
  defaultSender: 'Standaardafzender',
  notChecked: 'Nog niet gecontroleerd.',
  recordAligned: 'In orde',
  recordMissing: 'Ontbreekt',
  recordWrong: 'Klopt niet',
  recordUnknown: 'Niet zeker',
  recordFound: 'In DNS:',
  recordToAdd: 'Voeg dit record toe bij de provider van je domein:',
  recordToChange: 'Vervang het bij de provider van je domein door:',
  recordName: 'Naam',
  recordType: 'Type',
  recordValue: 'Waarde',
  valueFromServer: 'zoals je mailserver of provider die toont',
  copyPart: (part: string, value: string) => `${part} kopiëren: ${value}`,
  partCopied: (part: string) => `${part} is gekopieerd.`,
  dnsSilent: 'DNS heeft niet geantwoord. Controleer het later nog eens.',
  severalRecords: 'Er zijn meerdere records van deze soort, dus telt er geen. Maak er één van.',
  spfMissing: 'Geen record zegt welke servers e-mail van dit domein versturen.',
  spfNamesNone: 'Het record noemt geen server die e-mail van dit domein verstuurt.',
  spfBroken:
    'Ontvangers negeren het record: er zit een fout in, of het vraagt naar meer dan tien andere records. Maak het korter of verbeter het.',
  spfCovers: (server: string) => `Dit klopt: het record staat ${server} toe, waarlangs de e-mail vertrekt.`,
  spfUnjudged: 'Er is een record. Zorg dat het je mailserver noemt; de desk kent het openbare adres daarvan niet.',
  spfLacksProvider: (provider: string) =>
    `Dit klopt niet: de e-mail vertrekt via ${provider}, en dat staat het record niet toe.`,
  spfLacksServer: (server: string) =>
    `Het record staat ${server} niet toe. Geeft die server e-mail door aan andere, dan tellen die. Anders klopt het niet.`,
  dkimKey: (name: string) => `Er staat een sleutel bij ${name}. E-mail die daarmee is ondertekend, klopt.`,
  dkimOfProvider: 'Dit klopt: de provider ondertekent de e-mail van zijn eigen domein.',
  dkimRevoked: (name: string) => `De sleutel bij ${name} is ingetrokken: hij is leeg.`,
  dkimMissing:
    'De selectors van deze afzender hebben geen sleutel. Je mailserver, die de e-mail ondertekent, toont het record.',
  dkimOff: (provider: string) =>
    `Dit klopt niet: ${provider} ondertekent nog niet met dit domein. Zet DKIM daar aan; daar staat ook het record.`,
  dkimNotFound:
    'Geen sleutel heeft een van de gebruikelijke namen. Vul de selector van je mailserver in op de pagina van de afzender.',
  dmarcMissing: 'Geen record zegt wat ontvangers doen met e-mail die niet klopt. Grote providers vragen erom.',
  dmarcPasses: (policy: string) => `E-mail slaagt. Het beleid is “${policy}”.`,
  dmarcUnsure: (policy: string) => `Het beleid is “${policy}”. Of e-mail slaagt, hangt af van SPF en DKIM hierboven.`,
  dmarcFails: (policy: string) =>
    `E-mail slaagt niet: SPF en DKIM kloppen geen van beide. Met het beleid “${policy}” wordt ze geweigerd of belandt ze in de spam.`,
  dmarcFailsMildly:
    'E-mail slaagt niet: SPF en DKIM kloppen geen van beide. Het beleid “none” laat ze door, maar veel ontvangers zien ze als spam.',

  // Mail trace
  mailTrace: 'E-mail volgen',
  mailTraceLead: 'Waar is die e-mail? Elke stap van elke e-mail die kwam of vertrok.',
  traceWhat: 'Adres, Message-ID of onderwerp',
  traceHint: 'Een deel is genoeg: mia@example.org, example.org of kapotte bel.',
  traceTooShort: 'Vul minstens drie tekens in.',
  traceFind: 'Zoeken',
  traceNothing: 'Geen e-mail gevonden',
  traceNothingText:
    'De desk heeft die niet ontvangen en niet verstuurd. Woorden worden gezocht in de nieuwste 5.000 e-mails per richting.',
  traceFound: (shown: string, value: number) => (value === 1 ? '1 e-mail' : `${shown} e-mails`),
  traceIsCut: 'Alleen de nieuwste 50 zijn te zien. Zoek preciezer.',
  cameFrom: (address: string) => `van ${address}`,
  wentTo: (address: string) => `aan ${address}`,
  toTicket: 'Ticket openen',
  stepSeen: 'Gezien in de mailbox',
  stepStored: 'Opgeslagen',
  stepSenderChecked: 'Afzender gecontroleerd',
  stepWaiting: 'Wacht',
  stepFiled: 'Verwerkt',
  stepNotFiled: 'Niet verwerkt',
  stepForwarded: 'Doorgestuurd',
  stepSettled: 'Afgehandeld in de mailbox',
  stepQueued: 'In de uitgaande post',
  stepRefused: 'Niet aangenomen',
  stepAccepted: 'Aangenomen door de server',
  stepFailed: 'Opgegeven',
  stepBounced: 'Teruggekomen',

  // Watch over a mailbox
  watch: 'Bewaking',
  alarmSince: (when: string) => `sinds ${when}`,
  alarmFailing: 'Hij kan niet gelezen worden.',
  alarmRefused: 'Het wachtwoord wordt geweigerd.',
  alarmConsent: 'De provider geeft geen toegang.',
  alarmCanary: 'E-mail komt niet terug.',
  alarmMissing: 'Er ontbrak e-mail.',
  alarmQuiet: 'Het is stiller dan anders.',
  alarmCertificateIn: 'Het certificaat voor lezen verloopt.',
  alarmCertificateOut: 'Het certificaat voor versturen verloopt.',
  alarmSecret: 'Het geheim van de mailapp verloopt.',
  alarmConsentEnds: 'De toestemming bij de provider verloopt.',
  canary: 'Kanarie',
  canaryHint:
    'Elke tien minuten stuurt de desk een kleine e-mail van deze mailbox aan zichzelf en verwijdert die als ze terug is. Is ze er na 15 minuten niet, dan horen de eigenaars het.',
  canaryOn: 'De kanarie staat aan.',
  canaryOff: 'De kanarie staat uit.',
  canaryBack: (took: string, when: string) => `De laatste deed er ${took} over en kwam terug op ${when}.`,
  canaryNoneYet: 'Er is er nog geen teruggekomen.',
  canaryGraph: (shown: string, slowest: string, lost: string) =>
    `De laatste ${shown}. De traagste deed er ${slowest} over; niet terug: ${lost}.`,
  dailyCount: 'Dagelijkse telling',
  notCountedYet:
    'Nog niet geteld. Eén keer per dag vergelijkt de desk de laatste zeven dagen van de map met wat hij heeft.',
  countedAll: (messages: string, when: string) =>
    `Er ontbreekt niets. Berichten van de laatste zeven dagen: ${messages}, geteld op ${when}.`,
  countedMissing: (messages: string, missing: string, when: string) =>
    `Berichten van de laatste zeven dagen: ${messages}. Ontbraken en werden opgehaald: ${missing}. Geteld op ${when}.`,
  quietHint:
    'Komt er op een uur van de week veel langer dan anders niets, dan horen de eigenaars dat ook, na vier weken met e-mail.',
  expiries: 'Wat verloopt',
  endsCertificateIn: 'Certificaat voor lezen',
  endsCertificateOut: 'Certificaat voor versturen',
  endsSecret: 'Geheim van de mailapp',
  endsConsent: 'Toestemming bij de provider',
  endsInDays: (shown: string, date: string, days: number) =>
    days === 1 ? `over 1 dag, op ${date}` : `over ${shown} dagen, op ${date}`,
  hasEnded: (date: string) => `verlopen op ${date}`,
  whoHears: 'Wie alarmen hoort',
  ownersHear:
    'Elke eigenaar, per e-mail via de eigen server van de desk of, zonder die, via een andere mailbox. Een kanaal is de weg die geen e-mail nodig heeft.',
  noChannels: 'Deze site heeft nog geen kanaal (helpdesk channel add … --events mailbox.alarm).',
  alarmsTo: (channel: string) => `Alarmen naar “${channel}”`,
  onlyEvent: 'Het is de enige gebeurtenis van dit kanaal. Verwijder in plaats daarvan het kanaal.',
  channelIsOff: 'Het kanaal staat uit.',
  alarmsGoTo: (channel: string) => `Alarmen gaan naar “${channel}”.`,
  alarmsNoLongerGoTo: (channel: string) => `Alarmen gaan niet meer naar “${channel}”.`,

  // Spam filter
  spamFilter: 'Spamfilter',
  spamFilterLead: 'Met rspamd heeft binnenkomende e-mail een score voordat ze wordt verwerkt.',
  spamThresholds: 'Vanaf welke score',
  holdFrom: 'Vasthouden vanaf een score van',
  holdHint: 'Ze wacht bij de vastgehouden e-mail tot iemand kijkt. Leeg: nooit.',
  markFrom: 'Als spam markeren vanaf een score van',
  markHint: 'Alleen tickets van bewezen afzenders; andere e-mail wordt vastgehouden. Leeg: nooit.',
  scoreRefused: 'Vul een getal van 0 tot 1.000 in, of niets.',
  nothingIsHeld: 'Geen e-mail wordt om haar score vastgehouden of gemarkeerd.',
  heldFrom: (hold: string) => `E-mail vanaf ${hold} wordt vastgehouden. Niets wordt als spam gemarkeerd.`,
  markedFrom: (mark: string) =>
    `E-mail vanaf ${mark} wordt een ticket dat als spam is gemarkeerd, of wordt vastgehouden als de afzender niet bewezen is.`,
  heldAndMarkedFrom: (hold: string, mark: string) =>
    `E-mail vanaf ${hold} wordt vastgehouden. Vanaf ${mark} wordt ze een ticket dat als spam is gemarkeerd, als de afzender bewezen is.`,
  spamSaved: 'De scores zijn gewijzigd.',
  testFilter: 'Testen',
  filterAsking: 'De filter wordt gevraagd…',
  filterUnset: 'Er is geen filter ingesteld, dus e-mail heeft geen score. De beheerder start de desk met:',
  filterAnswers: (milliseconds: string, score: string) =>
    `rspamd antwoordt: het duurde ${milliseconds} ms en geeft een onschuldig testbericht een score van ${score}.`,
  filterDown: 'rspamd antwoordt niet. Tot het antwoordt, wordt e-mail zonder score verwerkt.',
};
