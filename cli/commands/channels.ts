// helpdesk channel: a site's webhook channels.

import type { Command } from 'commander';
import type { Seal } from '../../src/base/crypto.ts';
import { addChannel, channels, rotateSigningSecret } from '../../src/desk/channels.ts';
import { testChannel } from '../../src/desk/outbox/log.ts';
import { channelTypes } from '../../src/domain/channel.ts';
import { invalid } from '../../src/domain/errors.ts';
import { webhookEvents } from '../../src/domain/event.ts';
import { channelChangeInput, channelInput } from '../../src/domain/input/channels.ts';
import { rotateInput } from '../../src/domain/input/sites.ts';
import { presentChannel } from '../../src/http/wire/channel.ts';
import type { Channel } from '../../src/store/site-catalogue.ts';
import { addCommand, askBeforeRemoving, type CommonOptions, requireSite, show } from '../command.ts';
import { UsageError } from '../errors.ts';
import { check, confirmed, given, list, orList, rowId, wholeNumber } from '../flags.ts';
import { type Opened, withDesk } from '../opened-desk.ts';
import { fields, plain, table } from '../output/text.ts';
import { addDeliveryCommands, showable } from './deliveries.ts';

type ChannelFlags = CommonOptions & {
  site: string;
  name?: string;
  type?: string;
  url?: string;
  events?: string;
  headerPrefix?: string;
  includeTest?: boolean;
};

const typeMeaning = orList(channelTypes);
const eventsMeaning = `comma-separated: ${webhookEvents.join(', ')}`;
const prefixMeaning = 'start of the header names that a custom channel receives (default: X-Helpdesk)';

export function channelCommands(program: Command): void {
  const group = addCommand(
    program,
    'channel',
    'webhook channels: add, list, update, rotate, enable, disable, rm, test, deliveries, redeliver',
    'helpdesk channel list --site web-shop',
  );
  addAdd(group);
  addList(group);
  addUpdate(group);
  addRotate(group);
  addSwitch(group, 'enable', 'enable a channel; it then receives the events that it missed');
  addSwitch(group, 'disable', 'disable a channel; its events wait for up to seven days');
  addRemove(group);
  addTest(group);
  addDeliveryCommands(group);
}

function inputOf(flags: ChannelFlags): Record<string, unknown> {
  return given({
    name: flags.name,
    type: flags.type,
    webhook_url: flags.url,
    events: list(flags.events),
    header_prefix: flags.headerPrefix,
    include_test: flags.includeTest,
  });
}

function showChannel(flags: CommonOptions, seal: Seal, channel: Channel, warning = ''): void {
  const shown = presentChannel(channel, seal, true);
  show(flags, { json: { data: shown }, text: () => `${fields(shown)}${warning}` });
}

function showSecret(flags: CommonOptions, seal: Seal, channel: Channel, signingSecret: string, text: string): void {
  show(flags, {
    json: {
      data: { ...presentChannel(channel, seal, true), signing_secret: signingSecret },
      signing_secret: signingSecret,
    },
    text: () => text,
  });
}

/** Throws for an address that webhooks must not reach. Returns a warning for one that cannot be reached now. */
async function requireAllowed(opened: Opened, url: string | undefined): Promise<string> {
  if (url === undefined) return '';
  const { checkDestination } = await import('../../src/net/guarded-fetch.ts');
  const { guardOf } = await import('../../src/outbox/setup.ts');
  const result = await checkDestination(url, guardOf(opened.config));
  if (result.kind === 'refused') throw invalid('webhook_url', `is refused: ${result.reason}.`);
  return result.kind === 'fine' ? '' : `\nWarning: ${new URL(url).hostname} cannot be reached now: ${result.reason}.`;
}

function addAdd(group: Command): void {
  requireSite(
    addCommand(
      group,
      'add',
      'add a channel and print its signing secret, which is shown only once',
      'helpdesk channel add --site web-shop --name Team --type slack --url https://hooks.example.org/x --events ticket.created,ticket.replied',
    ),
  )
    .requiredOption('--name <name>', 'name of the channel')
    .requiredOption('--type <type>', typeMeaning)
    .requiredOption('--url <url>', 'webhook address')
    .requiredOption('--events <list>', eventsMeaning)
    .option('--header-prefix <prefix>', prefixMeaning)
    .option('--include-test', 'send the events of test tickets too')
    .action((flags: ChannelFlags) =>
      withDesk(flags, async (opened) => {
        const input = check(channelInput, inputOf(flags));
        const warning = await requireAllowed(opened, input.webhook_url);
        const { channel, signingSecret } = await opened.write((tx, ctx) => addChannel(tx, ctx, flags.site, input));
        const text = `Channel ${channel.id} was added. Its signing secret, shown only once:\n${signingSecret}${warning}`;
        showSecret(flags, opened.ctx().seal, channel, signingSecret, text);
      }),
    );
}

const columns = [
  ['id', 'id'],
  ['name', 'name'],
  ['type', 'type'],
  ['address', 'webhook_url'],
  ['events', 'events'],
  ['active', 'is_active'],
  ['failures in a row', 'consecutive_failures'],
  ['disabled because', 'disabled_reason'],
] as const;

function addList(group: Command): void {
  requireSite(addCommand(group, 'list', 'list channels', 'helpdesk channel list --site web-shop')).action(
    (flags: ChannelFlags) =>
      withDesk(flags, (opened) => {
        const { rows } = opened.read((tx) => channels.list(tx, opened.ctx(), flags.site));
        const shown = rows.map((row) => presentChannel(row, opened.ctx().seal, true));
        show(flags, {
          json: { data: shown },
          text: () =>
            table(
              columns.map(([heading]) => heading),
              shown.map((row) => columns.map(([, key]) => row[key])),
            ),
        });
      }),
  );
}

function addUpdate(group: Command): void {
  requireSite(
    addCommand(
      group,
      'update <id>',
      'change a channel',
      'helpdesk channel update 2 --site web-shop --events ticket.created',
    ),
  )
    .option('--name <name>', 'name of the channel')
    .option('--type <type>', typeMeaning)
    .option('--url <url>', 'webhook address')
    .option('--events <list>', eventsMeaning)
    .option('--header-prefix <prefix>', prefixMeaning)
    .option('--include-test', 'send the events of test tickets too')
    .option('--no-include-test', 'send them no longer')
    .action((id: string, flags: ChannelFlags) =>
      withDesk(flags, async (opened) => {
        const input = check(channelChangeInput, inputOf(flags));
        if (Object.keys(input).length === 0)
          throw new UsageError(
            'Nothing to change: give --name, --type, --url, --events, --header-prefix or --include-test.',
          );
        const warning = await requireAllowed(opened, input.webhook_url);
        const { row } = await opened.write((tx, ctx) => channels.change(tx, ctx, flags.site, rowId(id), input, null));
        showChannel(flags, opened.ctx().seal, row, warning);
      }),
    );
}

function addRotate(group: Command): void {
  requireSite(
    addCommand(
      group,
      'rotate <id>',
      'replace the signing secret and print the new one, which is shown only once',
      'helpdesk channel rotate 2 --site web-shop --grace 60',
    ),
  )
    .option('--grace <minutes>', 'how long webhooks are signed with the old secret too', '0')
    .action((id: string, flags: ChannelFlags & { grace: string }) =>
      withDesk(flags, async (opened) => {
        const grace = check(rotateInput, { grace_minutes: wholeNumber(flags.grace, '--grace') }).grace_minutes ?? null;
        const { channel, signingSecret } = await opened.write((tx, ctx) =>
          rotateSigningSecret(tx, ctx, flags.site, rowId(id), grace),
        );
        const text = `The new signing secret of channel ${channel.id}, shown only once:\n${signingSecret}`;
        showSecret(flags, opened.ctx().seal, channel, signingSecret, text);
      }),
    );
}

function addSwitch(group: Command, word: 'enable' | 'disable', meaning: string): void {
  requireSite(addCommand(group, `${word} <id>`, meaning, `helpdesk channel ${word} 2 --site web-shop`)).action(
    (id: string, flags: ChannelFlags) =>
      withDesk(flags, async (opened) => {
        const change = { is_active: word === 'enable' };
        const { row } = await opened.write((tx, ctx) => channels.change(tx, ctx, flags.site, rowId(id), change, null));
        showChannel(flags, opened.ctx().seal, row);
      }),
  );
}

function addRemove(group: Command): void {
  askBeforeRemoving(
    requireSite(
      addCommand(
        group,
        'rm <id>',
        'remove a channel and its delivery log',
        'helpdesk channel rm 2 --site web-shop --yes',
      ),
    ),
  ).action((id: string, flags: ChannelFlags & { yes?: boolean }) =>
    withDesk(flags, async (opened) => {
      const { row } = opened.read((tx) => channels.read(tx, opened.ctx(), flags.site, rowId(id)));
      confirmed(`Remove channel ${plain(row.name)}?`, flags.yes);
      await opened.write((tx, ctx) => {
        channels.remove(tx, ctx, flags.site, row.id, null);
        return null;
      });
      show(flags, { json: { data: null }, text: () => `Channel ${plain(row.name)} was removed.` });
    }),
  );
}

function addTest(group: Command): void {
  requireSite(addCommand(group, 'test <id>', 'queue a test message', 'helpdesk channel test 2 --site web-shop')).action(
    (id: string, flags: ChannelFlags) =>
      withDesk(flags, async (opened) => {
        const queued = await opened.write((tx, ctx) => testChannel(tx, ctx, flags.site, rowId(id)));
        const shown = await showable(opened, queued);
        show(flags, {
          json: { data: shown },
          text: () =>
            [
              `Test message ${shown.ulid} is queued. A running desk sends it at once; otherwise run \`helpdesk outbox run\`.`,
              `See the result with \`helpdesk channel deliveries ${id} --site ${flags.site}\`.`,
            ].join('\n'),
        });
      }),
  );
}
