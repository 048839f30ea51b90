// Whether mail for a domain has somewhere to go (RFC 5321, 5.1).

import type { AskDns } from '../domain/mail/sender-checks.ts';
import type { DomainFault } from '../domain/own-services.ts';
import { createDns } from './dns-records.ts';

const withinMs = 5000;

interface MailFault {
  reason: DomainFault;
  message: string;
}

/** Null, or why no mail can come. */
export async function mailFault(domain: string, askDns: AskDns = createDns()): Promise<MailFault | null> {
  const answers = await Promise.all(
    (['MX', 'A', 'AAAA'] as const).map((kind) => askDns(`${kind} ${domain}`, withinMs)),
  );
  const [exchanges] = answers;
  // A single one without a name: the domain takes no mail (RFC 7505).
  const isRefusing =
    Array.isArray(exchanges) && exchanges.some((one) => typeof one === 'object' && /^\.?$/.test(one.exchange));
  if (isRefusing) return { reason: 'takes_no_mail', message: `${domain} says in DNS that it takes no mail.` };
  if (answers.some((answer) => Array.isArray(answer) && answer.length > 0)) return null;
  if (exchanges === 'silent') return { reason: 'dns_silent', message: `DNS does not answer for ${domain}.` };
  return { reason: 'no_mail_server', message: `DNS has no MX record for ${domain}, so no mail for it can come.` };
}
