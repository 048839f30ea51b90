// helpdesk outbox …, and how every command shows a delivery.

import type { Command } from 'commander';
import { createLog } from '../../src/base/log.ts';
import { type LoggedDelivery, listOutbox, materialOf, purgeOutbox } from '../../src/desk/outbox.ts';
import { deliveryStatuses } from '../../src/domain/delivery.ts';
import { presentDelivery } from '../../src/http/wire/present.ts';
import { createReader } from '../../src/reader/reader.ts';
import { deliveriesDue, outboxDepth } from '../../src/store/outbox.ts';
import { addCommand, addGroup, show } from '../command.ts';
import { type CommonOptions, confirmed, howMany, momentOf, type Opened, UsageError, withDesk } from '../opened-desk.ts';
import { table } from '../output/text.ts';

/** A delivery as the API shows it to those who may manage its site. */
export async function showable(opened: Opened, logged: LoggedDelivery) {
  const { requestBodyOf } = await import('../../src/outbox/delivery-content.ts');
  return opened.read((tx) => {
    const material = materialOf(tx, opened.ctx(), logged.delivery);
    return presentDelivery(logged, material, material && requestBodyOf(material, opened.baseUrl), true);
  });
}

interface ListFlags extends CommonOptions {
  site?: string;
  status: string;
  mail?: boolean;
  limit: string;
}

function inWords({ delivered, retry, failed }: { delivered: number; retry: number; failed: number }): string {
  const total = delivered + retry + failed;
  const endings = [
    ...(delivered > 0 ? [`${delivered} delivered`] : []),
    ...(retry > 0 ? [`${retry} to be tried again`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ];
  const how = endings.length === 0 ? '' : `: ${endings.join(', ')}`;
  return `${total} ${total === 1 ? 'try was' : 'tries were'} made${how};`;
}

const statuses: readonly string[] = [...deliveryStatuses, 'all'];

export function outboxCommands(program: Command): void {
  const group = addGroup(
    program,
    'outbox',
    'what leaves the desk, webhooks and mail: list, run, purge',
    'helpdesk outbox list --status failed',
  );
  addCommand(group, 'list', 'what waits, newest first', 'helpdesk outbox list --status failed --mail')
    .option('--site <site>', 'of one site: id, ulid or slug')
    .option('--status <status>', 'queued, delivered, failed or all', 'queued')
    .option('--mail', 'mail alone')
    .option('--limit <number>', 'how many', '50')
    .action((flags: ListFlags) =>
      withDesk(flags, async (opened) => {
        if (!statuses.includes(flags.status)) throw new UsageError(`--status takes ${statuses.join(', ')}.`);
        const filter = {
          site: flags.site ?? null,
          isMail: flags.mail ?? false,
          status: flags.status === 'all' ? null : flags.status,
        };
        const limit = howMany(flags.limit, '--limit');
        const { rows, total } = opened.read((tx) => listOutbox(tx, opened.ctx(), filter, limit, 0));
        const shown = await Promise.all(
          rows.map(async (row) => ({
            ...(await showable(opened, row)),
            site_id: row.delivery.siteId,
            channel_id: row.delivery.channelId,
            recipient: row.delivery.recipient,
          })),
        );
        show(flags, {
          json: { data: shown, meta: { total } },
          text: () =>
            table(
              ['id', 'event', 'to', 'status', 'tries', 'error', 'created', 'next try'],
              shown.map((one) => [
                one.id,
                one.event,
                one.recipient ?? `channel ${one.channel_id}`,
                one.status,
                one.attempts.length,
                one.last_error,
                one.created_at,
                one.next_attempt_at,
              ]),
            ),
        });
      }),
    );
  addCommand(group, 'run', 'deliver what is due, and return', 'helpdesk outbox run').action((flags: CommonOptions) =>
    withDesk(flags, async (opened) => {
      const { createDispatcher, takeUp } = await import('../../src/outbox/dispatcher.ts');
      const { dispatcherOptions } = await import('../../src/outbox/setup.ts');
      const { config, data, baseUrl, inboundDomain } = opened;
      const { desk, blobs, mailBlobs, path } = data;
      const isMailWaiting = opened.read((tx) => deliveriesDue(tx, null, desk.now(), 1)).length > 0;
      const whereMailWent = () =>
        isMailWaiting && config.HELPDESK_SMTP_URL === null
          ? `\nNo mail server is set (HELPDESK_SMTP_URL): mail went to ${path}/mail as .eml files.`
          : '';
      // Standard output is the answer's alone.
      const log = await createLog('error', 'json');
      const reader = createReader({ log, most: 1 });
      const dispatcher = createDispatcher(
        dispatcherOptions({ config, desk, blobs, mailBlobs, log, reader, path, baseUrl, inboundDomain }),
      );
      try {
        await takeUp(desk);
        const tries = await dispatcher.runDue();
        const { delivered, retry, failed } = dispatcher.tally;
        const { queued } = opened.read((tx) => outboxDepth(tx));
        show(flags, {
          json: { data: { tries, delivered, retry, failed, queued } },
          text: () => `${inWords(dispatcher.tally)} ${queued} still in the outbox.${whereMailWent()}`,
        });
      } finally {
        await dispatcher.stop();
        await reader.stop();
      }
    }),
  );
  addCommand(
    group,
    'purge',
    'forget what is done: deliveries, except for mails about tickets, and tries',
    'helpdesk outbox purge --older-than 7d --yes',
  )
    .option('--older-than <age>', 'a span as 7d, or a time', '30d')
    .option('--yes', 'do not ask')
    .action((flags: CommonOptions & { olderThan: string; yes?: boolean }) =>
      withDesk(flags, async (opened) => {
        const before = momentOf(flags.olderThan, '--older-than', -1);
        confirmed(`Forget what was done before ${new Date(before).toISOString()}?`, flags.yes);
        const total = { deliveries: 0, tries: 0 };
        for (;;) {
          const { deliveries, tries } = await opened.write((tx, ctx) => purgeOutbox(tx, ctx, before, 1000));
          total.deliveries += deliveries;
          total.tries += tries;
          if (deliveries + tries === 0) break;
        }
        show(flags, {
          json: { data: total },
          text: () => `${total.deliveries} deliveries and ${total.tries} tries are forgotten.`,
        });
      }),
    );
}
