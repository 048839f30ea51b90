// The SMTP envelope of a raw message, which comes in headers of the request.

import { isAddress } from '../../domain/mail/address.ts';
import { mailLimits } from './limits.ts';

/** From X-Envelope-From (empty, <> or MAILER-DAEMON for the empty return path) and X-Envelope-To. */
export function envelopeIn(headers: Readonly<Record<string, string | undefined>>): {
  from?: string | null;
  to: string[];
} {
  const from = headers['x-envelope-from']
    ?.replace(/[<>]/g, '')
    .trim()
    .replace(/^MAILER-DAEMON$/i, '');
  const to = (headers['x-envelope-to'] ?? '').split(/[,\s<>]+/).filter(isAddress);
  return {
    from: from === undefined || !(from === '' || isAddress(from)) ? null : from,
    to: to.slice(0, mailLimits.addresses),
  };
}
