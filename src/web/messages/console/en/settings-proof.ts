// The messages of the settings that prove mail, in English.

import type { Same } from '../../en.ts';

export const messages = {
  // Mail in DNS
  mailInDns: 'Mail in DNS',
  mailInDnsLead:
    'Receivers trust mail whose domain names its servers (SPF), publishes the key of its signature (DKIM) and says what to do with the rest (DMARC).',
  checkAll: 'Check all',
  checkNow: 'Check',
  checkSender: (address: string) => `Check ${address}`,
  defaultSender: 'Default sender',
  notChecked: 'Not checked yet.',
  recordAligned: 'Fine',
  recordMissing: 'Missing',
  recordWrong: 'Not aligned',
  recordUnknown: 'Not certain',
  recordFound: 'In DNS:',
  recordToAdd: 'Add this record at the provider of your domain:',
  recordToChange: 'Put this in its place, at the provider of your domain:',
  recordName: 'Name',
  recordType: 'Type',
  recordValue: 'Value',
  valueFromServer: 'as your mail server or provider shows it',
  copyPart: (part: string, value: string) => `Copy ${part}: ${value}`,
  partCopied: (part: string) => `${part} was copied.`,
  dnsSilent: 'DNS did not answer. Check again later.',
  severalRecords: 'There are several records of this kind, so none counts. Make one of them.',
  spfMissing: 'No record says which servers send mail of this domain.',
  spfNamesNone: 'The record names no server that sends mail of this domain.',
  spfBroken:
    'Receivers ignore the record: it has a mistake, or asks for more than ten other records. Shorten or correct it.',
  spfCovers: (server: string) => `Mail is aligned: the record allows ${server}, through which it leaves.`,
  spfUnjudged:
    'There is a record. Make sure that it names your mail server, whose public address the desk does not know.',
  spfLacksProvider: (provider: string) =>
    `Mail is not aligned: it leaves through ${provider}, which the record does not allow.`,
  spfLacksServer: (server: string) =>
    `The record does not allow ${server}. If that server hands mail on to others, those count. Otherwise mail is not aligned.`,
  dkimKey: (name: string) => `There is a key at ${name}. Mail that is signed with it is aligned.`,
  dkimOfProvider: 'Mail is aligned: the provider signs the mail of its own domain.',
  dkimRevoked: (name: string) => `The key at ${name} is revoked: it is empty.`,
  dkimMissing: 'The selectors of this sender have no key. Your mail server, which signs the mail, shows the record.',
  dkimOff: (provider: string) =>
    `Mail is not aligned: ${provider} does not sign with this domain yet. Switch DKIM on there; it shows the record.`,
  dkimNotFound: 'No key has one of the usual names. Enter the selector of your mail server on the sender’s page.',
  dmarcMissing: 'No record says what receivers do with mail that is not aligned. Large providers ask for one.',
  dmarcPasses: (policy: string) => `Mail passes. The policy is “${policy}”.`,
  dmarcUnsure: (policy: string) => `The policy is “${policy}”. Whether mail passes depends on SPF and DKIM above.`,
  dmarcFails: (policy: string) =>
    `Mail does not pass: neither SPF nor DKIM is aligned. With the policy “${policy}” it is refused or lands in spam.`,
  dmarcFailsMildly:
    'Mail does not pass: neither SPF nor DKIM is aligned. The policy “none” lets it through, but many receivers take it for spam.',

  // Mail trace
  mailTrace: 'Mail trace',
  mailTraceLead: 'Where is that mail? Every step of each mail that came or left.',
  traceWhat: 'Address, Message-ID or subject',
  traceHint: 'A part is enough: mia@example.org, example.org or broken bell.',
  traceTooShort: 'Enter at least three letters.',
  traceFind: 'Find',
  traceNothing: 'No such mail',
  traceNothingText:
    'The desk has neither received nor sent it. Words are looked for among the newest 5,000 mails each way.',
  traceFound: (shown: string, value: number) => (value === 1 ? '1 mail' : `${shown} mails`),
  traceIsCut: 'Only the newest 50 are shown. Ask for more of it.',
  cameFrom: (address: string) => `from ${address}`,
  wentTo: (address: string) => `to ${address}`,
  toTicket: 'Open the ticket',
  stepSeen: 'Seen in the mailbox',
  stepStored: 'Stored',
  stepSenderChecked: 'Sender checked',
  stepWaiting: 'Waiting',
  stepFiled: 'Filed',
  stepNotFiled: 'Not filed',
  stepForwarded: 'Forwarded',
  stepSettled: 'Settled in the mailbox',
  stepQueued: 'In the outbox',
  stepRefused: 'Not taken',
  stepAccepted: 'Taken by the server',
  stepFailed: 'Given up',
  stepBounced: 'Came back',

  // Watch over a mailbox
  watch: 'Watch',
  alarmSince: (when: string) => `since ${when}`,
  alarmFailing: 'It cannot be read.',
  alarmRefused: 'The password is refused.',
  alarmConsent: 'The provider gives no access.',
  alarmCanary: 'Mail does not come back.',
  alarmMissing: 'Mail was missing.',
  alarmQuiet: 'It is quieter than usual.',
  alarmCertificateIn: 'The certificate for reading expires.',
  alarmCertificateOut: 'The certificate for sending expires.',
  alarmSecret: 'The secret of the mail app expires.',
  alarmConsentEnds: 'The consent at the provider expires.',
  canary: 'Canary',
  canaryHint:
    'Every ten minutes the desk sends a small mail from this mailbox to itself and deletes it when it is back. After 15 minutes without it, the owners hear of it.',
  canaryOn: 'The canary is on.',
  canaryOff: 'The canary is off.',
  canaryBack: (took: string, when: string) => `The last one took ${took} and came back on ${when}.`,
  canaryNoneYet: 'None has come back yet.',
  canaryGraph: (shown: string, slowest: string, lost: string) =>
    `The last ${shown}. The slowest took ${slowest}; not back: ${lost}.`,
  dailyCount: 'Daily count',
  notCountedYet: 'Not counted yet. Once a day the desk compares the folder’s last seven days with what it has.',
  countedAll: (messages: string, when: string) =>
    `Nothing is missing. Messages of the last seven days: ${messages}, counted on ${when}.`,
  countedMissing: (messages: string, missing: string, when: string) =>
    `Messages of the last seven days: ${messages}. Missing, and fetched then: ${missing}. Counted on ${when}.`,
  quietHint:
    'If far longer than usual nothing comes at an hour of the week, the owners hear of that too, after four weeks with mail.',
  expiries: 'What expires',
  endsCertificateIn: 'Certificate for reading',
  endsCertificateOut: 'Certificate for sending',
  endsSecret: 'Secret of the mail app',
  endsConsent: 'Consent at the provider',
  endsInDays: (shown: string, date: string, days: number) =>
    days === 1 ? `in 1 day, on ${date}` : `in ${shown} days, on ${date}`,
  hasEnded: (date: string) => `expired on ${date}`,
  whoHears: 'Who hears of alarms',
  ownersHear:
    'Every owner, by mail through the desk’s own server or, without one, through another mailbox. A channel is the way that needs no mail.',
  noChannels: 'This site has no channel yet (helpdesk channel add … --events mailbox.alarm).',
  alarmsTo: (channel: string) => `Alarms to “${channel}”`,
  onlyEvent: 'It is the only event of this channel. Remove the channel instead.',
  channelIsOff: 'The channel is switched off.',
  alarmsGoTo: (channel: string) => `Alarms go to “${channel}”.`,
  alarmsNoLongerGoTo: (channel: string) => `Alarms no longer go to “${channel}”.`,

  // Spam filter
  spamFilter: 'Spam filter',
  spamFilterLead: 'With rspamd, mail that arrives has a score before it is filed.',
  spamThresholds: 'From which score',
  holdFrom: 'Hold from a score of',
  holdHint: 'It waits in Held mail until someone looks. Empty: never.',
  markFrom: 'Mark as spam from a score of',
  markHint: 'Only tickets of proven senders; other mail is held. Empty: never.',
  scoreRefused: 'Enter a number from 0 to 1,000, or nothing.',
  nothingIsHeld: 'No mail is held or marked because of its score.',
  heldFrom: (hold: string) => `Mail with ${hold} or more is held. Nothing is marked as spam.`,
  markedFrom: (mark: string) =>
    `Mail with ${mark} or more becomes a ticket that is marked as spam, or is held if its sender is not proven.`,
  heldAndMarkedFrom: (hold: string, mark: string) =>
    `Mail with ${hold} or more is held. With ${mark} or more it becomes a ticket that is marked as spam, if its sender is proven.`,
  spamSaved: 'The scores were changed.',
  testFilter: 'Test',
  filterAsking: 'Asking the filter…',
  filterUnset: 'No filter is set, so mail has no score. The operator starts the desk with:',
  filterAnswers: (milliseconds: string, score: string) =>
    `rspamd answers: it took ${milliseconds} ms and gives a harmless test message a score of ${score}.`,
  filterDown: 'rspamd does not answer. Mail is filed without a score until it does.',
};

export type ProofMessages = Same<typeof messages>;
