// helpdesk outbox: webhooks and mail that leave the desk.

import type { Command } from 'commander';
import { createLog } from '../../src/base/log.ts';
import { listOutbox, purgeOutbox } from '../../src/desk/outbox/log.ts';
import { mailsOwn } from '../../src/desk/outbox/own-server.ts';
import { retryDelivery, retrySome } from '../../src/desk/outbox/retry.ts';
import { deliveryStatuses } from '../../src/domain/outbox/delivery.ts';
import { createReader } from '../../src/reader/reader.ts';
import { deliveriesDue } from '../../src/store/outbox/lanes.ts';
import { outboxDepth } from '../../src/store/outbox/outbox.ts';
import { addCommand, allowSite, askBeforeRemoving, type CommonOptions, show } from '../command.ts';
import { atLeastOne, confirmed, momentOf, oneOf, orList, rowId } from '../flags.ts';
import { withDesk } from '../opened-desk.ts';
import { table } from '../output/text.ts';
import { showable } from './deliveries.ts';

const statuses = [...deliveryStatuses, 'all'] as const;

export function outboxCommands(program: Command): void {
  const group = addCommand(
    program,
    'outbox',
    'outgoing webhooks and mail: list, run, retry, purge',
    'helpdesk outbox list --status failed',
  );
  addList(group);
  addRun(group);
  addRetry(group);
  addPurge(group);
}

interface ListFlags extends CommonOptions {
  site?: string;
  status: string;
  mail?: boolean;
  limit: string;
}

function addList(group: Command): void {
  allowSite(addCommand(group, 'list', 'list deliveries, newest first', 'helpdesk outbox list --status failed --mail'))
    .option('--status <status>', orList(statuses), 'queued')
    .option('--mail', 'only mail')
    .option('--limit <number>', 'how many to list', '50')
    .action((flags: ListFlags) =>
      withDesk(flags, async (opened) => {
        const status = oneOf(statuses, flags.status, '--status');
        const filter = {
          site: flags.site ?? null,
          isMail: flags.mail ?? false,
          status: status === 'all' ? null : status,
        };
        const limit = atLeastOne(flags.limit, '--limit');
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
              ['id', 'event', 'to', 'status', 'attempts', 'error', 'created', 'next attempt'],
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
}

function addRun(group: Command): void {
  addCommand(group, 'run', 'send everything that is due, then exit', 'helpdesk outbox run').action(
    (flags: CommonOptions) =>
      withDesk(flags, async (opened) => {
        const { createDispatcher, takeUp } = await import('../../src/outbox/dispatcher.ts');
        const { catchUpChannels, promoteWaiting } = await import('../../src/jobs/small-steps.ts');
        const { dispatcherOptions } = await import('../../src/outbox/setup.ts');
        const { mailedNumbers } = await import('../../src/http/wire/reports/mailed-report.ts');
        const { config, data } = opened;
        const { desk, blobs, mailBlobs, path } = data;
        const isWritten = opened.read(
          (tx) => deliveriesDue(tx, null, desk.now(), 1).length > 0 && !mailsOwn(tx, opened.ctx()),
        );
        const whereMailWent = isWritten
          ? `\nNo mail server is set, so mail that leaves through no mailbox was written to ${path}/mail as .eml files.`
          : '';
        const log = await createLog('error', 'json');
        const reader = createReader({ log, most: 1 });
        const dispatcher = createDispatcher(
          dispatcherOptions({
            ...{ config, desk, blobs, mailBlobs, log, reader, path, addresses: data.addresses },
            readReport: (report) => mailedNumbers(desk, report),
          }),
        );
        try {
          await takeUp(desk);
          await catchUpChannels(desk);
          await promoteWaiting(desk);
          const tries = await dispatcher.runDue();
          const { delivered, retry, failed } = dispatcher.tally;
          const { queued } = opened.read((tx) => outboxDepth(tx));
          show(flags, {
            json: { data: { tries, delivered, retry, failed, queued } },
            text: () => `${describeTally(dispatcher.tally)} ${queued} still queued.${whereMailWent}`,
          });
        } finally {
          await dispatcher.stop();
          await reader.stop();
        }
      }),
  );
}

const retryable = ['queued', 'failed'] as const;

function addRetry(group: Command): void {
  addCommand(
    group,
    'retry [delivery]',
    'send again what failed for good, or now what waits for its next try; or one delivery, by its id',
    'helpdesk outbox retry --status failed --since 2d',
  )
    .option('--status <status>', orList(retryable), 'queued')
    .option('--since <when>', 'of what failed: only since then, a time or a span such as 2d')
    .action((delivery: string | undefined, flags: CommonOptions & { status: string; since?: string }) =>
      withDesk(flags, async (opened) => {
        const status = oneOf(retryable, flags.status, '--status');
        const since = flags.since === undefined ? 0 : momentOf(flags.since, '--since', -1);
        let requeued = 0;
        if (delivery !== undefined)
          requeued = Number(await opened.write((tx, ctx) => retryDelivery(tx, ctx, rowId(delivery))));
        else
          for (let afterId: number | null = 0; afterId !== null; ) {
            const after: number = afterId;
            const some = await opened.write((tx, ctx) => retrySome(tx, ctx, { status, since }, after));
            requeued += some.total;
            afterId = some.afterId;
          }
        show(flags, {
          json: { data: { requeued } },
          text: () => `${requeued} ${requeued === 1 ? 'delivery leaves' : 'deliveries leave'} again.`,
        });
      }),
    );
}

function describeTally({ delivered, retry, failed }: { delivered: number; retry: number; failed: number }): string {
  const total = delivered + retry + failed;
  const parts = [
    ...(delivered > 0 ? [`${delivered} delivered`] : []),
    ...(retry > 0 ? [`${retry} to be retried`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ];
  const details = parts.length === 0 ? '' : `: ${parts.join(', ')}`;
  return `${total} ${total === 1 ? 'attempt' : 'attempts'}${details};`;
}

function addPurge(group: Command): void {
  askBeforeRemoving(
    addCommand(
      group,
      'purge',
      'delete finished deliveries, except mail about tickets, and old attempts',
      'helpdesk outbox purge --older-than 7d --yes',
    ).option('--older-than <age>', 'a span such as 7d, or a time', '30d'),
  ).action((flags: CommonOptions & { olderThan: string; yes?: boolean }) =>
    withDesk(flags, async (opened) => {
      const before = momentOf(flags.olderThan, '--older-than', -1);
      confirmed(`Delete deliveries that finished before ${new Date(before).toISOString()}?`, flags.yes);
      const total = { deliveries: 0, tries: 0 };
      for (;;) {
        const { deliveries, tries } = await opened.write((tx, ctx) => purgeOutbox(tx, ctx, before, 1000));
        total.deliveries += deliveries;
        total.tries += tries;
        if (deliveries + tries === 0) break;
      }
      show(flags, {
        json: { data: total },
        text: () => `Deleted ${total.deliveries} deliveries and ${total.tries} attempts.`,
      });
    }),
  );
}
