// helpdesk mailbox: mailboxes that a team already has.

import type { Command } from 'commander';
import { standardInputText } from '#platform/files.ts';
import { afterFilings, knownServers, type MailProvider, tlsModes } from '../../src/domain/mail/mailbox.ts';
import type { presentMailbox } from '../../src/http/wire/mail/mailbox.ts';
import type { MailboxTrial } from '../../src/jobs/mailbox-test.ts';
import { UsageError } from '../errors.ts';
import { firstLine, orList } from '../flags.ts';
import { type OperationCommand, operationGroup, type Use } from '../operation-command.ts';
import { fields, plain } from '../output/text.ts';

type Shown = ReturnType<typeof presentMailbox>;

const columns = [
  'id',
  'name',
  'address',
  'state',
  'reason=state_reason',
  'last look=last_look_at',
  'last mail=last_message_at',
  'alarm=alarms.0.kind',
];

type Flags = Use['flags'];

function serverFlags(command: Command): void {
  command
    .option('--imap <host>', 'server to read from, such as imap.example.org or mail.example.org:993')
    .option('--imap-tls <mode>', `${orList(tlsModes)} (default: implicit)`)
    .option('--imap-user <user>', 'user there (default: the address)')
    .option('--imap-fingerprint <sha256>', 'trust only the certificate with this fingerprint')
    .option('--folder <folder>', 'folder to read (default: INBOX)')
    .option('--after <what>', `what becomes of a message that is stored: ${orList(afterFilings)} (default: leave)`)
    .option('--move-to <folder>', 'folder for move')
    .option('--smtp <host>', 'server to send through, such as smtp.example.org or mail.example.org:465')
    .option('--smtp-tls <mode>', `${orList(tlsModes)} (default: starttls, or implicit on port 465)`)
    .option('--smtp-user <user>', 'user there (default: the address)')
    .option('--smtp-fingerprint <sha256>', 'trust only the certificate with this fingerprint');
}

/** `host:port`; an IPv6 address stands in brackets. */
function placeOf(text: string, flag: string): { host: string; port?: number } {
  const [, bracketed, host = bracketed ?? '', port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (host === '') throw new UsageError(`${flag} must be a host such as mail.example.org or mail.example.org:993.`);
  return { host, ...(port === undefined ? {} : { port: Number(port) }) };
}

/** From standard input, where no list of processes shows it. A second line is the one for sending. */
async function passwords(): Promise<{ password: string; outgoing_password?: string }> {
  if (process.stdin.isTTY === true) throw new UsageError('Give the password on standard input, as in `< password`.');
  const [password = '', own = ''] = (await standardInputText()).split(/\r?\n/);
  if (password === '') throw new UsageError('The password is empty.');
  return { password, ...(own === '' ? {} : { outgoing_password: own }) };
}

/** An app without a secret has an empty standard input. */
async function appSecret(): Promise<{ client_secret?: string | null }> {
  const secret = await firstLine();
  return secret === undefined ? {} : { client_secret: secret || null };
}

async function serversOf(flags: Flags): Promise<Record<string, unknown>> {
  const known = knownServers[(flags.provider ?? 'other') as MailProvider];
  const imap = flags.imap ?? known?.imap;
  const smtp = flags.smtp ?? known?.smtp;
  const incoming = imap === undefined ? null : placeOf(imap, '--imap');
  const outgoing = smtp === undefined ? null : placeOf(smtp, '--smtp');
  return {
    ...(flags.authentication === 'oauth' ? {} : await passwords()),
    incoming: incoming && {
      ...incoming,
      user: flags.imapUser ?? flags.address,
      tls: flags.imapTls,
      certificate_sha256: flags.imapFingerprint,
      folder: flags.folder,
      after_filing: flags.after ?? (flags.moveTo === undefined ? undefined : 'move'),
      move_to: flags.moveTo,
    },
    outgoing: outgoing && {
      ...outgoing,
      user: flags.smtpUser ?? flags.address,
      tls: flags.smtpTls ?? (outgoing.port === 465 ? 'implicit' : undefined),
      certificate_sha256: flags.smtpFingerprint,
    },
  };
}

const meanings = { name: 'name', address: 'e-mail address of the mailbox' };

function verb(word: string, does: string, operation: string): OperationCommand {
  return {
    usage: `${word} <id>`,
    does,
    example: `helpdesk mailbox ${word} 2 --site web-shop`,
    operation: `mailboxes/${operation}`,
    columns,
  };
}

/** The fields of a server, each with the server's name before it. */
const under = (name: string, server: object | null) =>
  server === null
    ? { [name]: null }
    : Object.fromEntries(Object.entries(server).map(([field, value]) => [`${name}.${field}`, value]));

const tried = (what: string, one: { is_ok: boolean; message: string } | null) =>
  one === null ? [] : [plain(`${what}: ${one.is_ok ? 'works.' : 'does not work.'} ${one.message}`)];

export const mailboxCommands = operationGroup(
  'mailbox',
  'mailboxes that the desk reads and sends through',
  'helpdesk mailbox list --site web-shop',
  [
    {
      usage: 'add',
      does: 'connect a mailbox; its password comes from standard input, and in a second line another for sending',
      example:
        'helpdesk mailbox add --site web-shop --name Support --address help@shop.example --imap imap.shop.example --smtp smtp.shop.example < password',
      operation: 'mailboxes/createMailbox',
      only: ['name', 'address', 'provider', 'authentication', 'first_days', 'save_sent', 'has_canary'],
      meanings: { ...meanings, provider: 'knows the servers of Google and Microsoft' },
      own: serverFlags,
      body: ({ flags }) => serversOf(flags),
      columns,
    },
    {
      usage: 'list',
      does: 'list the mailboxes of a site',
      example: 'helpdesk mailbox list --site web-shop',
      operation: 'mailboxes/listMailboxes',
      columns,
    },
    {
      ...verb('show', 'show a mailbox', 'readMailbox'),
      print: ({ data: { incoming, outgoing, alarms, expiries, count, last_canary, ...rest } }: { data: Shown }) =>
        fields({
          ...rest,
          ...under('incoming', incoming),
          ...under('outgoing', outgoing),
          ...Object.fromEntries(expiries.map(({ of, at, days_left }) => [of, `ends ${at} (${days_left} days)`])),
          last_canary: last_canary && `back after ${last_canary.seconds} s, sent at ${last_canary.sent_at}`,
          counted: count && `${count.messages} messages, ${count.missing} were missing, at ${count.at}`,
          alarms: alarms.map(({ kind, reason, since }) => `${kind} since ${since}: ${reason}`),
        }),
    },
    {
      ...verb('test', 'try reading and sending, and say what happened', 'testMailbox'),
      print: ({ data: { reading, sending } }: { data: MailboxTrial }) =>
        [...tried('Reading', reading), ...tried('Sending', sending)].join('\n'),
      isSound: ({ data: { reading, sending } }: { data: MailboxTrial }) =>
        reading?.is_ok !== false && sending?.is_ok !== false,
    },
    {
      ...verb('update', 'change its name, whether copies go into Sent, or whether it has a canary', 'updateMailbox'),
      example: 'helpdesk mailbox update 2 --site web-shop --has-canary yes',
      only: ['name', 'save_sent', 'has_canary'],
      meanings,
    },
    {
      usage: 'canaries <id>',
      does: 'list the mails that the desk sent to the mailbox itself in the last seven days, and how long each took',
      example: 'helpdesk mailbox canaries 2 --site web-shop',
      operation: 'mailboxes/listCanaries',
      columns: ['sent=sent_at', 'came back=seen_at', 'seconds'],
    },
    {
      ...verb('password', 'set a new password, from standard input', 'updateMailbox'),
      only: [],
      body: passwords,
    },
    {
      usage: 'connect <id>',
      does: 'print the link with which the owner of the mailbox gives access to it (OAuth)',
      example: 'helpdesk mailbox connect 2 --site web-shop',
      operation: 'mailbox-consents/connectMailbox',
      print: ({ data }: { data: { url: string } }) =>
        `Open this link in a browser within ten minutes, and sign in as the mailbox:\n${data.url}`,
    },
    {
      usage: 'app <provider>',
      does: 'register the desk at google, microsoft or another provider; the client secret comes from standard input',
      example: 'helpdesk mailbox app google --client-id 123.apps.googleusercontent.com < secret',
      operation: 'mail-apps/saveMailApp',
      without: ['client_secret'],
      body: appSecret,
    },
    {
      usage: 'apps',
      does: 'list where the desk is registered, and the address to register there',
      example: 'helpdesk mailbox apps',
      operation: 'mail-apps/listMailApps',
      columns: ['provider', 'client id=client_id', 'issuer', 'secret ends=secret_expires_at', 'redirect=redirect_uri'],
    },
    verb('sync', 'look for new mail at once', 'syncMailbox'),
    verb('pause', 'stop reading it', 'pauseMailbox'),
    verb('resume', 'read it again, also after a refused password', 'resumeMailbox'),
    {
      usage: 'rm <id>',
      does: 'disconnect a mailbox; its tickets stay',
      example: 'helpdesk mailbox rm 2 --site web-shop --yes',
      operation: 'mailboxes/deleteMailbox',
      reads: 'mailboxes/readMailbox',
      question: ({ row }) => `Disconnect mailbox ${row.id} (${plain(row.name)})?`,
      print: () => 'The mailbox was disconnected.',
    },
  ],
);
