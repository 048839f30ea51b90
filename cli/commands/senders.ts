// helpdesk sender: the addresses that a site writes from.

import type { presentSender } from '../../src/http/wire/sites/sender.ts';
import { operationGroup } from '../operation-command.ts';
import { plain, table } from '../output/text.ts';

type Sender = ReturnType<typeof presentSender>;

const columns = ['id', 'name', 'address', 'from=from.address', 'is_default', 'dkim_selectors'];
const meanings = { is_default: 'whether mail is from it when nothing else is chosen', name: "name (none: the site's)" };

export const senderCommands = operationGroup('sender', 'senders of a site', 'helpdesk sender list --site web-shop', [
  {
    usage: 'add',
    does: 'add an address that the site writes from',
    example: 'helpdesk sender add --site web-shop --address help@shop.example --name "Web shop"',
    operation: 'senders/createSender',
    meanings,
    columns,
  },
  {
    usage: 'list',
    does: 'list the senders of a site',
    example: 'helpdesk sender list --site web-shop',
    operation: 'senders/listSenders',
    columns,
  },
  {
    usage: 'update <id>',
    does: 'change a sender',
    example: 'helpdesk sender update 3 --site web-shop --default yes',
    operation: 'senders/updateSender',
    meanings,
    columns,
  },
  {
    usage: 'rm <id>',
    does: 'remove a sender',
    example: 'helpdesk sender rm 3 --site web-shop --yes',
    operation: 'senders/deleteSender',
    reads: 'senders/readSender',
    question: ({ row }) => `Remove sender ${row.id}?`,
    print: () => 'The sender was removed.',
  },
  {
    usage: 'check <id>',
    does: 'look up its SPF, DKIM and DMARC records, and say what to add',
    example: 'helpdesk sender check 3 --site web-shop',
    operation: 'senders/checkSender',
    print: ({ data: { checks } }: { data: Sender }) =>
      checks === null
        ? ''
        : [
            table(
              ['Record', 'Status', 'What DNS says'],
              (['spf', 'dkim', 'dmarc'] as const).map((name) => [
                name.toUpperCase(),
                checks[name].status,
                checks[name].explanation,
              ]),
            ),
            ...(['spf', 'dkim', 'dmarc'] as const).flatMap((name) => {
              const { add } = checks[name];
              return add === null
                ? []
                : [
                    `${checks[name].found === null ? 'Add' : 'Change to'}: ${add.name} ${add.type} ${plain(add.value ?? '(from your mail server)')}`,
                  ];
            }),
          ].join('\n'),
  },
]);
