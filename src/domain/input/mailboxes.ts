// Input of the verbs on mailboxes, in the wire's names.

import * as z from 'zod';
import { googleIssuer, microsoftIssuer, usualScopes } from '../mail/consent.ts';
import {
  afterFilings,
  isLoopbackHost,
  type MailProvider,
  mailAuthentications,
  mailProviders,
  tlsModes,
} from '../mail/mailbox.ts';
import { email, line, moment } from './fields.ts';

const host = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(
    /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*\.?|[0-9a-f:]*:[0-9a-f:.]*)$/,
    {
      error: 'must be a host such as imap.example.org.',
    },
  )
  .meta({ examples: ['imap.example.org'] });

const folder = line(255).meta({ examples: ['INBOX'] });

const server = {
  host,
  port: z.int().min(1).max(65_535),
  tls: z.enum(tlsModes).meta({ description: 'none only for a server on the same machine.', examples: ['implicit'] }),
  user: line(320).meta({ examples: ['help@shop.example'] }),
  certificate_sha256: z
    .string()
    .transform((text) => text.replaceAll(':', '').toLowerCase())
    .refine((text) => /^[0-9a-f]{64}$/.test(text), { error: 'must be a SHA-256 fingerprint: 64 hexadecimal digits.' })
    .nullable()
    .default(null)
    .meta({
      type: 'string',
      description: 'Fingerprint of the one certificate to trust. Without it, any that verifies for the host.',
    }),
};

const isEncrypted = ({ tls, host }: { tls: string; host: string }) => tls !== 'none' || isLoopbackHost(host);
const encryption = { path: ['tls'], error: 'must be implicit or starttls for a server that is not on this machine.' };

const incoming = z
  .object({
    type: z.literal('imap').default('imap'),
    ...server,
    port: server.port.default(993),
    tls: server.tls.default('implicit'),
    folder: folder.default('INBOX'),
    after_filing: z
      .enum(afterFilings)
      .default('leave')
      .meta({ description: 'What the desk does with a message that it has stored.' }),
    move_to: folder.nullable().default(null).meta({ description: 'The folder for move.' }),
  })
  .refine(isEncrypted, encryption)
  .refine((one) => one.after_filing !== 'move' || one.move_to !== null, {
    path: ['move_to'],
    error: 'must name a folder.',
  })
  .refine((one) => one.after_filing !== 'move' || one.move_to?.toLowerCase() !== one.folder.toLowerCase(), {
    path: ['move_to'],
    error: 'must be another folder than the one that is read.',
  });

const outgoing = z
  .object({
    type: z.literal('smtp').default('smtp'),
    ...server,
    port: server.port.default(587),
    tls: server.tls.default('starttls'),
  })
  .refine(isEncrypted, encryption);

export const secret = z
  .string()
  .min(1)
  .max(1000)
  .meta({ examples: ['correct horse battery staple'] });

const settings = {
  name: line(255).meta({ examples: ['Support'] }),
  address: email(),
  provider: z.enum(mailProviders),
  authentication: z.enum(mailAuthentications),
  incoming: incoming.nullable().meta({ description: 'null: the desk does not read it.' }),
  outgoing: outgoing
    .nullable()
    .meta({ description: 'The server for mail from its address. null: the server of the desk.' }),
  password: secret.meta({ description: 'For both servers, unless the mailbox is opened by OAuth. Never shown again.' }),
  outgoing_password: secret.nullable().meta({ description: 'If sending needs another one.' }),
  first_days: z.int().min(1).max(365).nullable().meta({
    description: 'Days before the first connection that are read too, silently. null: only what comes after it.',
  }),
  save_sent: z.boolean().meta({ description: 'Put a copy of sent mail into Sent, for servers that keep none.' }),
  has_canary: z.boolean().meta({
    description:
      'Send a mail to the mailbox itself every ten minutes, delete it when it has come back, and tell the owners when it has not.',
  }),
};

const hasServer = { path: ['incoming'], error: 'or outgoing is required.' };

export const mailboxInput = z
  .object({
    ...settings,
    provider: settings.provider.default('other'),
    authentication: settings.authentication.default('password'),
    incoming: settings.incoming
      .default(null)
      .meta({ examples: [{ host: 'imap.example.org', user: 'help@shop.example' }] }),
    outgoing: settings.outgoing.default(null),
    outgoing_password: settings.outgoing_password.default(null),
    password: settings.password
      .nullable()
      .default(null)
      .meta({ examples: ['correct horse battery'] }),
    first_days: settings.first_days.default(null),
    save_sent: settings.save_sent.default(false),
    has_canary: settings.has_canary.default(false),
  })
  .refine(({ authentication, password }) => authentication === 'oauth' || password !== null, {
    path: ['password'],
    error: 'is required.',
  })
  .refine(({ incoming, outgoing }) => incoming !== null || outgoing !== null, hasServer);
export type MailboxInput = z.output<typeof mailboxInput>;

export const mailboxChangeInput = z.object(settings).omit({ first_days: true }).partial();
export type MailboxChangeInput = z.output<typeof mailboxChangeInput>;

/** The server that takes the desk's own mail. */
export const ownMailServerInput = z
  .object({
    address: email().meta({ description: 'What mail of the desk itself, and of sites without a sender, is from.' }),
    ...server,
    port: server.port.default(587),
    tls: server.tls.default('starttls').meta({
      description: 'none only for a server on the same machine, or one without a user.',
    }),
    user: server.user.nullable().default(null).meta({ description: 'Null: the server asks for no one.' }),
    password: secret.optional().meta({ description: 'Never shown again. Left out, the one that is stored stays.' }),
  })
  .refine((own) => own.user === null || isEncrypted(own), encryption)
  .refine(({ user, password }) => user !== null || password === undefined, {
    path: ['user'],
    error: 'is required with a password.',
  });
export type OwnMailServerInput = z.output<typeof ownMailServerInput>;

export const isWebAddress = (text: string) =>
  URL.canParse(text) &&
  (new URL(text).protocol === 'https:' ||
    (new URL(text).protocol === 'http:' && isLoopbackHost(new URL(text).hostname)));

/** What the owner registered at a provider. */
export const mailAppInput = z.object({
  issuer: z
    .string()
    .trim()
    .max(500)
    .refine(isWebAddress, { error: 'must be an https address.' })
    .optional()
    .meta({
      description:
        'Not needed for google. For microsoft: https://login.microsoftonline.com/ with the directory (tenant) ID and /v2.0.',
      examples: ['https://login.example.org'],
    }),
  client_id: line(500).meta({ description: 'As the provider names the desk.', examples: ['helpdesk'] }),
  client_secret: secret
    .nullable()
    .optional()
    .meta({ description: 'Never shown again. Left out, the one that is stored stays.' }),
  scope: line(1000)
    .optional()
    .meta({ description: 'For other: what to ask for, with spaces between.', examples: ['mail offline_access'] }),
  secret_expires_at: moment()
    .nullable()
    .default(null)
    .meta({ type: 'string', description: 'As the provider shows it. The desk warns 30 days before.' }),
});
export type MailAppInput = z.output<typeof mailAppInput>;

/** Where a provider is, and what it is asked for. Texts name what is wrong with the input. */
export function placeOfApp(
  provider: MailProvider,
  input: MailAppInput,
): { issuer: string; scope: string } | { field: 'issuer' | 'scope'; fault: string } {
  const issuer = provider === 'google' ? googleIssuer : input.issuer;
  if (issuer === undefined) return { field: 'issuer', fault: 'is required.' };
  if (provider === 'google' && input.issuer !== undefined && input.issuer !== googleIssuer)
    return { field: 'issuer', fault: `must be ${googleIssuer} for google.` };
  if (provider === 'microsoft' && !microsoftIssuer.test(issuer))
    return {
      field: 'issuer',
      fault: 'must be https://login.microsoftonline.com/, the directory (tenant) ID, and /v2.0.',
    };
  const scope = input.scope ?? usualScopes[provider];
  return scope === null ? { field: 'scope', fault: 'is required.' } : { issuer, scope };
}
