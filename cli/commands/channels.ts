// helpdesk channel: a site's webhook channels.

import type { presentChannel, presentDelivery } from '../../src/http/wire/outbox/channel.ts';
import { type OperationCommand, operationGroup } from '../operation-command.ts';
import { plain } from '../output/text.ts';
import { addDeliveryCommands } from './deliveries.ts';

interface Answer {
  data: ReturnType<typeof presentChannel>;
  signing_secret: string;
}

const change = {
  meanings: { name: 'name of the channel', include_test: 'send the events of test tickets too' },
  without: ['is_active'],
};

function switching(word: 'enable' | 'disable', does: string): OperationCommand {
  return {
    usage: `${word} <id>`,
    does,
    example: `helpdesk channel ${word} 2 --site web-shop`,
    operation: 'channels/updateWebhookChannel',
    only: [],
    body: () => ({ is_active: word === 'enable' }),
  };
}

export const channelCommands = operationGroup(
  'channel',
  'webhook channels',
  'helpdesk channel list --site web-shop',
  [
    {
      ...change,
      usage: 'add',
      does: 'add a channel and print its signing secret, which is shown only once',
      example:
        'helpdesk channel add --site web-shop --name Team --type slack --url https://hooks.example.org/x --events ticket.created,ticket.replied',
      operation: 'channels/createWebhookChannel',
      print: ({ data, signing_secret: secret }: Answer) =>
        `Channel ${data.id} was added. Its signing secret, shown only once:\n${secret}`,
    },
    {
      usage: 'list',
      does: 'list channels',
      example: 'helpdesk channel list --site web-shop',
      operation: 'channels/listWebhookChannels',
      columns: [
        ...['id', 'name', 'type', 'address=webhook_url', 'events', 'active=is_active'],
        ...['failures in a row=consecutive_failures', 'disabled because=disabled_reason'],
      ],
    },
    {
      ...change,
      usage: 'update <id>',
      does: 'change a channel',
      example: 'helpdesk channel update 2 --site web-shop --events ticket.created',
      operation: 'channels/updateWebhookChannel',
      own: (command) => command.option('--no-include-test', 'stop sending test events'),
    },
    {
      usage: 'rotate <id>',
      does: 'replace the signing secret and print the new one, which is shown only once',
      example: 'helpdesk channel rotate 2 --site web-shop --grace 60',
      operation: 'channels/rotateSigningSecret',
      meanings: { grace_minutes: 'how long webhooks are signed with the old secret too' },
      print: ({ data, signing_secret: secret }: Answer) =>
        `The new signing secret of channel ${data.id}, shown only once:\n${secret}`,
    },
    switching('enable', 'enable a channel; it then receives the events that it missed'),
    switching('disable', 'disable a channel; its events wait for up to seven days'),
    {
      usage: 'rm <id>',
      does: 'remove a channel and its delivery log',
      example: 'helpdesk channel rm 2 --site web-shop --yes',
      operation: 'channels/deleteWebhookChannel',
      reads: 'channels/readWebhookChannel',
      question: ({ row }) => `Remove channel ${plain(row.name)}?`,
      print: (_answer, { row }) => `Channel ${plain(row.name)} was removed.`,
    },
    {
      usage: 'test <id>',
      does: 'queue a test message',
      example: 'helpdesk channel test 2 --site web-shop',
      operation: 'channels/testChannel',
      print: ({ data }: { data: ReturnType<typeof presentDelivery> }, { words, flags }) =>
        [
          `Test message ${data.ulid} is queued. A running desk sends it at once; otherwise run \`helpdesk outbox run\`.`,
          `See the result with \`helpdesk channel deliveries ${words.id} --site ${flags.site}\`.`,
        ].join('\n'),
    },
  ],
  addDeliveryCommands,
);
