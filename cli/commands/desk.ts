// helpdesk desk: the desk's own settings, and the services that it uses where the environment names none.

import type { Command } from 'commander';
import type { NotificationKind } from '../../src/domain/notifications/notification.ts';
import { type Switch, switches } from '../../src/domain/notifications/preferences.ts';
import type { presentDesk } from '../../src/http/api/desk.ts';
import { UsageError } from '../errors.ts';
import { firstLine, list, yesOrNo } from '../flags.ts';
import { type OperationCommand, operationGroup, type Use } from '../operation-command.ts';
import { fields } from '../output/text.ts';

type Desk = ReturnType<typeof presentDesk>;
interface Answer {
  data: Desk;
}
type Flags = Use['flags'];

const deskOf = ({ row }: Use) => row as unknown as Desk;

function noticeFlags(command: Command): void {
  command
    .option('--switch-on <list>', 'where agents hear of what at first, comma-separated, such as mail.assigned')
    .option('--switch-off <list>', 'where they do not')
    .option('--quiet-hours <hours>', 'without sound and pushes, such as 22:00-07:00, or none')
    .option('--quiet-urgent <yes|no>', 'whether breaches and alarms come in quiet hours all the same')
    .option('--fixed <list>', 'all that agents cannot change, comma-separated, such as mail.assigned,quiet_hours');
}

function eventsOf(flags: Flags): Partial<Record<NotificationKind, Record<string, boolean>>> | undefined {
  const events: Partial<Record<NotificationKind, Record<string, boolean>>> = {};
  for (const [flag, names, isOn] of [
    ['--switch-on', flags.switchOn, true],
    ['--switch-off', flags.switchOff, false],
  ] as const)
    for (const name of list(names) ?? []) {
      if (!switches.includes(name as Switch))
        throw new UsageError(
          `${flag} must have names such as mail.assigned, not "${name}": see \`helpdesk desk show\`.`,
        );
      const [place, kind] = name.split('.') as [string, NotificationKind];
      events[kind] = { ...events[kind], [place]: isOn };
    }
  return Object.keys(events).length === 0 ? undefined : events;
}

function quietHoursOf({ quietHours: hours, quietUrgent: urgent }: Flags, { notifications }: Desk) {
  const before = notifications.defaults.quiet_hours;
  if (hours === undefined && urgent === undefined) return undefined;
  if (hours === 'none') return null;
  const [from = '', until = ''] = hours?.split('-') ?? [before?.from, before?.until];
  if (from === '' || until === '') throw new UsageError('--quiet-hours must be such as 22:00-07:00, or none.');
  return {
    ...{ from, until },
    lets_urgent_through: urgent === undefined ? before?.lets_urgent_through : yesOrNo(urgent, '--quiet-urgent'),
  };
}

function describe({ data }: Answer): string {
  const { notifications, mail_server: server, issuer, bucket, ...own } = data;
  const { events, quiet_hours: quiet, ...choices } = notifications.defaults;
  const on = Object.entries(events).flatMap(([kind, row]) =>
    Object.entries(row).flatMap(([place, isOn]) => (isOn ? [`${place}.${kind}`] : [])),
  );
  const all = {
    ...own,
    switched_on: on,
    ...choices,
    quiet_hours: quiet && `${quiet.from}-${quiet.until}`,
    quiet_urgent: quiet?.lets_urgent_through,
    fixed: notifications.fixed,
    mail_server: server && `${server.address} through ${server.host}:${server.port}`,
    issuer: issuer?.issuer,
    bucket: bucket && `${bucket.endpoint}/${bucket.bucket}`,
  };
  return fields(Object.fromEntries(Object.entries(all).map(([name, value]) => [name.replaceAll('_', ' '), value])));
}

/** What is stored stays if standard input says nothing. */
const secretOf = async () => (await firstLine()) || undefined;

const change = { operation: 'desk/updateDesk', print: describe } as const satisfies Partial<OperationCommand>;

const removal = (service: 'mail_server' | 'issuer' | 'bucket', question: string): OperationCommand => ({
  ...change,
  usage: `rm-${service.replace('_', '-')}`,
  does: `remove the ${service.replace('_', ' ')} that is set here`,
  example: `helpdesk desk rm-${service.replace('_', '-')} --yes`,
  only: [],
  question: () => question,
  body: () => ({ [service]: null }),
});

export const deskCommands = operationGroup('desk', "the desk's own settings", 'helpdesk desk show', [
  {
    usage: 'show',
    does: 'show the settings of the desk',
    example: 'helpdesk desk show',
    operation: 'desk/readDesk',
    print: describe,
  },
  {
    ...change,
    usage: 'update',
    does: 'change the settings of the desk; HELPDESK_BASE_URL and HELPDESK_INBOUND_DOMAIN count before those set here',
    example: 'helpdesk desk update --name "Example support" --require-second-factor managers',
    reads: 'desk/readDesk',
    without: ['events', 'quiet_hours', 'fixed', 'mail_server', 'issuer', 'bucket'],
    meanings: { name: 'name of the desk', locale: 'language that agents start with' },
    own: noticeFlags,
    body: (use) => ({
      'notifications.defaults.events': eventsOf(use.flags),
      'notifications.defaults.quiet_hours': quietHoursOf(use.flags, deskOf(use)),
      'notifications.fixed': list(use.flags.fixed),
    }),
  },
  {
    ...change,
    usage: 'mail-server',
    does: "set the server that takes the desk's own mail, tried before it is kept; its password comes from standard input",
    example: 'helpdesk desk mail-server --address help@shop.example --host smtp.shop.example --user help < password',
    only: ['mail_server', 'address', 'host', 'port', 'tls', 'user', 'certificate_sha256'],
    meanings: {
      ...{ host: 'such as smtp.shop.example', port: 'port (default: 587)', tls: 'encryption (default: starttls)' },
      ...{ user: 'user there (default: it asks for no one)' },
    },
    body: async ({ flags }) => ({ 'mail_server.password': flags.user === undefined ? undefined : await secretOf() }),
  },
  {
    ...change,
    usage: 'issuer',
    does: 'set where agents sign in with OpenID Connect, asked before it is kept; the client secret comes from standard input',
    example: 'helpdesk desk issuer --issuer https://login.example.org --client-id helpdesk < secret',
    only: ['issuer', 'client_id', 'label', 'domains', 'role_claim'],
    meanings: { issuer: 'such as https://login.example.org', label: 'name on the button (default: the host)' },
    body: async () => ({ 'issuer.client_secret': await secretOf() }),
  },
  {
    ...change,
    usage: 'bucket',
    does: 'set the bucket for files, tried before it is kept; the secret key comes from standard input',
    example: 'helpdesk desk bucket --endpoint https://s3.example.org --bucket desk-files --access-key desk < secret',
    only: ['bucket', 'endpoint', 'region', 'access_key_id', 'stores_files'],
    meanings: { endpoint: 'such as https://s3.example.org', bucket: 'its name', access_key_id: 'id of the key' },
    body: async () => ({ 'bucket.secret_access_key': await secretOf() }),
  },
  {
    ...change,
    usage: 'take-folders',
    does: 'take over the folders in the bucket that another copy of the desk made',
    example: 'helpdesk desk take-folders --yes',
    only: [],
    reads: 'desk/readDesk',
    question: () => 'Take over these folders, and remove the files in them that this desk does not have?',
    body: (use) => {
      const { bucket } = deskOf(use);
      if (bucket === null) throw new UsageError('No bucket is set here.');
      const { folders: _, ...settings } = bucket;
      return { bucket: { ...settings, takes_folders: true } };
    },
  },
  removal('mail_server', 'Remove the mail server?'),
  removal('issuer', 'Remove the issuer? Agents can then sign in there no longer.'),
  removal('bucket', 'Remove the bucket? Files that are only there cannot be read until it is set again.'),
]);
