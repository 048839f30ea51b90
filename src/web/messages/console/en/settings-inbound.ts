// The messages about inbound mail, in English.

import type { Same } from '../../en.ts';

export const messages = {
  inboundMail: 'Inbound mail',
  inboundMailLead:
    'Mail that comes through a provider or a mail server of yours becomes tickets and replies of this site.',
  waysOfMail: 'Ways for mail to come',
  youHave: 'You have',
  useThis: 'Use',
  haveMailbox: 'An address at Google, Microsoft 365, a hoster or your own server: nothing changes at the provider.',
  haveDomain: 'A domain of its own for support, or much mail: each mail is posted at once.',
  haveServer: 'Postfix or Exim on the same machine: no password and no waiting.',
  fromProvider: 'A provider',
  fromProviderLead: 'The provider receives mail for your domain and posts it to the desk.',
  byPipe: 'A pipe from your mail server',
  pipeLead:
    'The mail server runs this command for each message, as the user that owns the data directory. Exit code 75 asks it to try again later.',
  siteAddress: 'Address of this site',
  copySiteAddress: 'Copy the address',
  siteAddressCopied: 'The address was copied.',
  mailToTest: 'To test it, send a mail there from your own mail program. It appears here within seconds.',
  addressUnreachable: 'No mail from elsewhere reaches this address: the desk has no domain for mail yet.',
  noMailArrived: 'No mail has arrived yet.',
  lastMailCame: (when: string) => `The last mail arrived ${when}.`,
  outcomeTicket: 'It became a ticket.',
  outcomeReply: 'It was added to a ticket.',
  outcomeHeld: 'It waits in held mail for a decision.',
  outcomeFailed: 'It could not be filed.',
  outcomeWaits: 'The desk is still filing it.',
  outcomeOther: 'It needed no ticket.',
  provider: 'Provider',
  anyServer: 'Any other server (raw message)',
  postmarkStep1: 'In Postmark, open the server, then its inbound stream and Settings.',
  postmarkStep2:
    'Enter the URL below as the inbound webhook and switch on the raw email content, so that the desk can check the sender.',
  postmarkStep3: 'Add an MX record for your domain that points to inbound.postmarkapp.com, and enter the domain there.',
  mailgunStep1: 'In Mailgun, add your domain with its MX records and open Receiving.',
  mailgunStep2: 'Create a route that matches the address of this site.',
  mailgunStep3: 'As its action, forward to the URL below. It ends in mime, so that Mailgun posts the whole message.',
  sendgridStep1: 'In SendGrid, open Settings and Inbound Parse, and add a host and URL.',
  sendgridStep2: 'Enter the URL below and tick the box that posts the raw, full MIME message.',
  sendgridStep3: 'Add an MX record for the host that points to mx.sendgrid.net.',
  sesStep1:
    'In Amazon SES, make a receipt rule for the address that publishes to an SNS topic, with the message in Base64.',
  sesStep2: (command: string) => `Tell the desk the ARN of the topic, so that it confirms the subscription: ${command}`,
  sesStep3: 'Subscribe the URL below to the topic, with the protocol HTTPS. SNS carries mail of up to 150 KB.',
  cloudflareStep1:
    'In Cloudflare, switch on Email Routing for the domain and create an email worker with the code below.',
  cloudflareStep2: 'Add the URL below to the worker as the secret INBOUND_URL.',
  cloudflareStep3: 'Route the address to the worker.',
  rawStep1: 'Post each message as it is to the URL below, with Content-Type message/rfc822.',
  rawStep2: 'Put the envelope into the headers X-Envelope-From and X-Envelope-To.',
  forwardHere: (address: string) => `Mail to ${address} then becomes tickets of this site.`,
  urlIsSecret:
    'The URL is a secret: with it, someone can send mail in the name of anyone. You confirm that it is you, and the audit log notes it.',
  showUrl: 'Show the URL',
  hideUrl: 'Hide the URL',
  copyUrl: 'Copy the URL',
  urlCopied: 'The URL was copied.',
  rotateUrl: 'Rotate the URL',
  rotateUrlTitle: 'Rotate the URL for inbound mail?',
  rotateUrlText:
    'There will be a new URL. Enter it at the provider while the old one still works: mail to a URL that no longer works is refused.',
  oldUrlWorks: 'The old URL still works',

  trustedServers: 'Trusted servers',
  trustedServersLead:
    'Only for mail that a server of yours checks before the desk gets it. Leave these empty if you are not sure.',
  trustedServersSaved: 'The trusted servers were saved.',
  trustedMailServers: 'Mail servers that check senders',
  trustedMailServersHint: 'Their names in Authentication-Results, one on each line, such as mx.example.org.',
  trustedArcSealers: 'Forwarders that seal with ARC',
  trustedArcSealersHint: 'Their domains, one on each line, such as lists.example.org.',
  sesTopics: 'Topics of Amazon SES',
  sesTopicsHint: 'The ARN of each SNS topic that may deliver, one on each line.',
  sesTopicRefused: 'Each line must be the ARN of an SNS topic, such as arn:aws:sns:eu-west-1:123456789012:mail.',
  serverNameRefused: 'Each line must be the name of a server or domain, and at most 20 fit.',
};

export type SettingsInboundMessages = Same<typeof messages>;
