// What the form of a mailbox asks before it is sent, and how refusals name its fields.

import type { Refusal } from '../../../shared/api.ts';
import { t } from '../messages.ts';
import { fieldOf, isElsewhere, type MailboxValues } from './values.ts';

export const knownFields = [
  ...['address', 'name', 'password', 'outgoing_password', 'authentication'],
  ...['incoming.host', 'incoming.port', 'incoming.tls', 'incoming.user', 'incoming.certificate_sha256'],
  ...['incoming.folder', 'incoming.move_to', 'incoming'],
  ...['outgoing.host', 'outgoing.port', 'outgoing.tls', 'outgoing.user', 'outgoing.certificate_sha256', 'first_days'],
];

export function mailboxProblems({ fields }: Refusal): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, said]) => {
      const text = said.join(' ');
      if (name.endsWith('.host') && text.includes('is refused')) return [fieldOf(name), t.hostRefused(text)];
      if (name === 'address') return [name, /other|another/.test(text) ? t.addressTaken : t.emailRefused];
      return [fieldOf(name), text];
    }),
  );
}

/** @param values complete ones @param before what the desk has; null for a new one */
export function missingIn(values: MailboxValues, before: MailboxValues | null): Record<string, string> {
  const found: Record<string, string> = {};
  if (values.address === '') found.address = t.required;
  else if (!/^[^@\s]+@[^@\s]+$/.test(values.address)) found.address = t.emailRefused;
  if (!values.reads && !values.sends) found.imap_host = t.readsOrSends;
  for (const kind of ['imap', 'smtp'] as const) {
    if (!(kind === 'imap' ? values.reads : values.sends)) continue;
    if (values[`${kind}_host`] === '') found[`${kind}_host`] = t.required;
    const port = Number(values[`${kind}_port`]);
    if (!Number.isInteger(port) || port < 1 || port > 65_535) found[`${kind}_port`] = t.portRefused;
    const sha256 = values[`${kind}_sha256`].replaceAll(':', '').trim();
    if (sha256 !== '' && !/^[0-9a-f]{64}$/i.test(sha256)) found[`${kind}_sha256`] = t.fingerprintRefused;
  }
  if (values.reads && values.folder.trim() === '') found.folder = t.required;
  if (values.reads && values.after_filing === 'move' && values.move_to.trim() === '') found.move_to = t.required;
  const days = values.first_days.trim();
  if (days !== '' && !(Number.isInteger(Number(days)) && Number(days) >= 1 && Number(days) <= 365))
    found.first_days = t.firstDaysRefused;
  if (values.authentication === 'password' && values.password === '') {
    if (before === null || before.authentication === 'oauth') found.password = t.required;
    else if (isElsewhere(before, values)) found.password = t.passwordAgain;
  }
  return found;
}
