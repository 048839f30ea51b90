// The values of a mailbox's form, and how the desk and the command line take them.

import {
  knownServers,
  type MailAuthentication,
  type MailProvider,
  providerDomains,
  type TlsMode,
} from '../../../../domain/mail/mailbox.ts';
import type { Mailbox } from './wire.ts';

export interface MailboxValues {
  name: string;
  address: string;
  provider: MailProvider;
  authentication: MailAuthentication;
  password: string;
  outgoing_password: string;
  reads: boolean;
  imap_host: string;
  imap_port: string;
  imap_tls: TlsMode;
  imap_user: string;
  imap_sha256: string;
  folder: string;
  after_filing: NonNullable<Mailbox['incoming']>['after_filing'];
  move_to: string;
  sends: boolean;
  smtp_host: string;
  smtp_port: string;
  smtp_tls: TlsMode;
  smtp_user: string;
  smtp_sha256: string;
  /** How many days back are read too; empty for none. */
  first_days: string;
  save_sent: boolean;
}

export const secrets = ['password', 'outgoing_password'] as const;

export const newMailbox: MailboxValues = {
  name: '',
  address: '',
  provider: 'other',
  authentication: 'password',
  password: '',
  outgoing_password: '',
  reads: true,
  imap_host: '',
  imap_port: '993',
  imap_tls: 'implicit',
  imap_user: '',
  imap_sha256: '',
  folder: 'INBOX',
  after_filing: 'leave',
  move_to: '',
  sends: true,
  smtp_host: '',
  smtp_port: '587',
  smtp_tls: 'starttls',
  smtp_user: '',
  smtp_sha256: '',
  first_days: '',
  save_sent: false,
};

export function valuesOf(mailbox: Mailbox): MailboxValues {
  const { incoming, outgoing } = mailbox;
  return {
    ...newMailbox,
    name: mailbox.name,
    address: mailbox.address,
    provider: mailbox.provider,
    authentication: mailbox.authentication,
    reads: incoming !== null,
    ...(incoming && {
      imap_host: incoming.host,
      imap_port: String(incoming.port),
      imap_tls: incoming.tls,
      imap_user: incoming.user,
      imap_sha256: incoming.certificate_sha256 ?? '',
      folder: incoming.folder,
      after_filing: incoming.after_filing,
      move_to: incoming.move_to ?? '',
    }),
    sends: outgoing !== null,
    ...(outgoing && {
      smtp_host: outgoing.host,
      smtp_port: String(outgoing.port),
      smtp_tls: outgoing.tls,
      smtp_user: outgoing.user,
      smtp_sha256: outgoing.certificate_sha256 ?? '',
    }),
    first_days: mailbox.first_days === null ? '' : String(mailbox.first_days),
    save_sent: mailbox.save_sent,
  };
}

const domainOf = (address: string) => address.trim().toLowerCase().split('@')[1] ?? '';

/** Where the address says it. */
const providerOf = (address: string): MailProvider | null => providerDomains[domainOf(address)] ?? null;

type Followed = 'name' | 'imap_host' | 'smtp_host' | 'imap_user' | 'smtp_user';

/** What an address says of the rest: the servers of the provider, or what others usually call theirs. */
function guessed(text: string, provider: MailProvider): Pick<MailboxValues, Followed> {
  const address = text.trim();
  const domain = domainOf(address);
  const servers = knownServers[provider] ?? (domain === '' ? null : { imap: `imap.${domain}`, smtp: `smtp.${domain}` });
  return {
    name: address.split('@')[0] ?? '',
    imap_host: servers?.imap ?? '',
    smtp_host: servers?.smtp ?? '',
    imap_user: address,
    smtp_user: address,
  };
}

/** Another address, and in a new mailbox what follows from it, unless that was changed by hand. */
export function readdressed(values: MailboxValues, address: string): Partial<MailboxValues> {
  const provider = providerOf(address) ?? values.provider;
  const before = guessed(values.address, values.provider);
  const after = guessed(address, provider);
  const followed = (Object.keys(after) as Followed[]).filter((name) => values[name] === before[name]);
  return {
    ...(provider === values.provider ? {} : moved({ ...values, address }, provider)),
    ...Object.fromEntries(followed.map((name) => [name, after[name]])),
    address,
  };
}

/** The servers of another provider, and the way in that it usually has. */
export function moved(values: MailboxValues, provider: MailProvider): Partial<MailboxValues> {
  const { imap_port, imap_tls, imap_sha256, smtp_port, smtp_tls, smtp_sha256 } = newMailbox;
  const { imap_host, smtp_host } = guessed(values.address, provider);
  const authentication = provider === 'other' ? 'password' : 'oauth';
  return {
    ...{ provider, authentication, imap_host, imap_port, imap_tls, imap_sha256 },
    ...{ smtp_host, smtp_port, smtp_tls, smtp_sha256 },
  };
}

/** Trimmed, and with the default user for an empty field. */
export function completed(values: MailboxValues): MailboxValues {
  const trimmed = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' && !secrets.some((secret) => secret === name) ? value.trim() : value,
    ]),
  ) as unknown as MailboxValues;
  const { name, imap_user, smtp_user } = guessed(values.address, values.provider);
  return {
    ...trimmed,
    name: trimmed.name || name,
    imap_user: trimmed.imap_user || imap_user,
    smtp_user: trimmed.smtp_user || smtp_user,
  };
}

/** As the API takes it. @param values complete ones */
export function bodyOf(values: MailboxValues, isNew: boolean): object {
  const days = values.first_days;
  return {
    name: values.name,
    address: values.address,
    provider: values.provider,
    authentication: values.authentication,
    incoming: values.reads
      ? {
          ...serverOf(values, 'imap'),
          folder: values.folder,
          after_filing: values.after_filing,
          move_to: values.after_filing === 'move' ? values.move_to : null,
        }
      : null,
    outgoing: values.sends ? serverOf(values, 'smtp') : null,
    save_sent: values.save_sent,
    ...(values.authentication === 'password' && values.password !== '' ? { password: values.password } : {}),
    ...(values.authentication === 'password' && values.outgoing_password !== ''
      ? { outgoing_password: values.outgoing_password }
      : {}),
    ...(isNew ? { first_days: days === '' ? null : Number(days) } : {}),
  };
}

function serverOf(values: MailboxValues, kind: 'imap' | 'smtp'): object {
  return {
    host: values[`${kind}_host`],
    port: Number(values[`${kind}_port`]),
    tls: values[`${kind}_tls`],
    user: values[`${kind}_user`],
    certificate_sha256: values[`${kind}_sha256`] || null,
  };
}

const trusted = ['host', 'port', 'tls', 'user', 'sha256'] as const;

/** A stored password goes only to the server that it was entered for. */
export function isElsewhere(before: MailboxValues, after: MailboxValues): boolean {
  const differs = (kind: 'imap' | 'smtp') =>
    trusted.some((name) => before[`${kind}_${name}`] !== after[`${kind}_${name}`]);
  return (after.reads && (!before.reads || differs('imap'))) || (after.sends && (!before.sends || differs('smtp')));
}

/** The names of fields in refusals, as the form has them. */
export function fieldOf(name: string): string {
  const [server, part] = name.split('.');
  if (server !== 'incoming' && server !== 'outgoing') return name;
  const kind = server === 'incoming' ? 'imap' : 'smtp';
  if (part === undefined) return `${kind}_host`;
  if (part === 'certificate_sha256') return `${kind}_sha256`;
  return part === 'folder' || part === 'move_to' || part === 'after_filing' ? part : `${kind}_${part}`;
}

/** The words of the command that adds the same mailbox. @param values complete ones */
export function addCommand(site: string, values: MailboxValues): string[] {
  const unless = (usual: string, flag: string, value: string) => (value === usual ? [] : [flag, value]);
  const at = (kind: 'imap' | 'smtp', port: string) => {
    const host = values[`${kind}_host`].includes(':') ? `[${values[`${kind}_host`]}]` : values[`${kind}_host`];
    return values[`${kind}_port`] === port ? host : `${host}:${values[`${kind}_port`]}`;
  };
  const server = (kind: 'imap' | 'smtp', port: string, tls: string) => [
    ...unless(knownServers[values.provider]?.[kind] ?? '', `--${kind}`, at(kind, port)),
    ...unless(values.smtp_port === '465' && kind === 'smtp' ? 'implicit' : tls, `--${kind}-tls`, values[`${kind}_tls`]),
    ...unless(values.address, `--${kind}-user`, values[`${kind}_user`]),
    ...unless('', `--${kind}-fingerprint`, values[`${kind}_sha256`]),
  ];
  return [
    ...['helpdesk', 'mailbox', 'add', '--site', site, '--name', values.name, '--address', values.address],
    ...unless('other', '--provider', values.provider),
    ...unless('password', '--authentication', values.authentication),
    ...(values.reads ? server('imap', '993', 'implicit') : []),
    ...(values.reads ? unless('INBOX', '--folder', values.folder) : []),
    ...(values.reads && values.after_filing === 'mark_read' ? ['--after', 'mark_read'] : []),
    ...(values.reads && values.after_filing === 'move' ? ['--move-to', values.move_to] : []),
    ...(values.sends ? server('smtp', '587', 'starttls') : []),
    ...unless('', '--first-days', values.first_days),
    ...(values.save_sent ? ['--save-sent', 'yes'] : []),
    ...(values.authentication === 'password' ? ['<', 'password'] : []),
  ];
}
