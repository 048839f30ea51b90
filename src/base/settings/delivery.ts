// Settings of outgoing mail and webhooks.

import * as z from 'zod';
import { entry } from './entry.ts';
import { duration, optional, words } from './values.ts';

/** An unescaped / ? or # in the password would end the host too early. */
function isMailServer(text: string): boolean {
  if (!/^smtps?:\/\/[^/]/i.test(text) || !URL.canParse(text)) return false;
  const { pathname, search, hash } = new URL(text);
  return (pathname === '' || pathname === '/') && !search.includes('@') && hash === '';
}

export const deliverySettings = {
  HELPDESK_MAIL_FROM: entry(
    z
      .string()
      .max(254)
      .regex(/^$|^[^\s@"<>()[\]\\,;:\p{C}]+@[a-z0-9_](?:-*[a-z0-9_])*(?:\.[a-z0-9_](?:-*[a-z0-9_])*)*$/iu, {
        error: 'an e-mail address',
      }),
    '',
    'The sender address of mail for sites without their own; by default helpdesk@ followed by the inbound domain.',
  ),
  HELPDESK_SMTP_URL: entry(
    optional.refine((url) => url === null || isMailServer(url), {
      error: 'smtp://user:password@host:587 or smtps://user:password@host:465, with / ? # in a password as %2F %3F %23',
    }),
    '',
    'The mail server to send through, before one that an owner sets in the browser; without any, mail that leaves through no mailbox is written to mail/ in the data directory as .eml files.',
    true,
  ),
  HELPDESK_MAIL_ALLOW: entry(
    z.string(),
    '',
    'Private CIDRs, addresses and hosts of mail servers that mailboxes can have, such as 10.0.0.5, mail.lan:993.',
  ),
  HELPDESK_WEBHOOK_ALLOW: entry(
    z.string(),
    '',
    'Private CIDRs, addresses and hosts that webhooks can reach, such as 10.0.0.0/8, receiver.lan:8443.',
  ),
  HELPDESK_WEBHOOK_RETRY_DELAYS: entry(
    z.string().transform(words).pipe(z.array(duration).max(20)),
    '10s,1m,5m',
    'The delay before each retry of a webhook; there are as many retries as delays.',
  ),
  HELPDESK_WEBHOOK_TIMEOUT: entry(duration, '10s', 'How long one attempt to deliver a webhook can take.'),
};
