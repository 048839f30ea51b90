// What the form of the mail server holds, and what the desk is told of it.

import { isElsewhere, type OwnMailServer } from '../../../../domain/own-services.ts';
import type { Refusal } from '../../../shared/api.ts';
import { reasonTexts, saidAfter } from '../mailboxes/trial.tsx';
import { t } from './messages.ts';

export interface Desk {
  mail_server: OwnMailServer | null;
}

export type Values = Omit<OwnMailServer, 'port' | 'user' | 'certificate_sha256'> & {
  port: string;
  user: string;
  sha256: string;
  password: string;
};

const none = { address: '', host: '', port: 587, tls: 'starttls', user: null, certificate_sha256: null } as const;

export function valuesOf({ mail_server: server }: Desk): Values {
  const { address, host, port, tls, user, certificate_sha256: sha256 } = server ?? none;
  return { address, host, port: String(port), tls, user: user ?? '', sha256: sha256 ?? '', password: '' };
}

const serverOf = ({ address, host, port, tls, user, sha256 }: Values): OwnMailServer => ({
  ...{ address: address.trim(), host: host.trim(), port: Number(port), tls, user: user.trim() || null },
  certificate_sha256: sha256.trim() || null,
});

/** A left out password stays as it is. Null: there is no server, which is what Undo goes back to after the first one. */
export const bodyOf = (values: Values) =>
  values.host === '' ? null : { ...serverOf(values), ...(values.password === '' ? {} : { password: values.password }) };

/** The command that sets the same. */
export function commandOf(values: Values): string[] {
  const { address, host, port, tls, user, certificate_sha256: sha256 } = serverOf(values);
  return [
    ...['helpdesk', 'desk', 'mail-server', '--address', address || 'help@example.org'],
    ...['--host', host || 'mail.example.org', '--port', String(port), '--tls', tls],
    ...(user === null ? [] : ['--user', user]),
    ...(sha256 === null ? [] : ['--fingerprint', sha256]),
    ...(values.password === '' ? [] : ['<', 'password']),
  ];
}

/** Another server than the one that the stored password is for. */
const isNew = (before: Values, after: Values) => isElsewhere(serverOf(before), serverOf(after));

/** A server that asks for no one has none. */
export const needsPassword = (values: Values, before: Values) =>
  values.user.trim() !== '' && (before.user === '' || isNew(before, values));

export function missingIn(values: Values, before: Values): Record<string, string> {
  const required = (['address', 'host'] as const).filter((name) => values[name].trim() === '');
  const port = Number(values.port);
  return {
    ...Object.fromEntries(required.map((name) => [name, t.required])),
    ...(Number.isInteger(port) && port > 0 && port < 65_536 ? {} : { port: t.portRefused }),
    ...(values.password === '' && needsPassword(values, before)
      ? { password: before.user === '' ? t.required : t.passwordAgain }
      : {}),
    ...(values.password !== '' && values.user.trim() === '' ? { user: t.required } : {}),
  };
}

/** The words of the server itself are in its own language. */
export function problemsIn({ code, fields }: Refusal): Record<string, string> {
  const reason = code.replace(/^mail_server_/, '') as keyof typeof reasonTexts;
  const entries = Object.entries(fields).map(([path, [said = '']]) => {
    const name = path.replace(/^mail_server\./, '').replace('certificate_sha256', 'sha256');
    const tried = said.split(' field is refused: ')[1];
    if (tried === undefined) return [name, said];
    const why = Object.hasOwn(reasonTexts, reason) ? reasonTexts[reason]() : t.whyOther;
    return [name, `${why} ${reason === 'not_allowed' ? '' : saidAfter(reason, tried)}`.trim()];
  });
  return Object.fromEntries(entries);
}
