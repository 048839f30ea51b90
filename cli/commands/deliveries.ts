// helpdesk channel deliveries and redeliver, and how commands show a delivery.

import type { Command } from 'commander';
import { channels } from '../../src/desk/outbox/channels.ts';
import { materialOf } from '../../src/desk/outbox/content.ts';
import {
  type LoggedDelivery,
  listChannelDeliveries,
  readChannelDelivery,
  redeliver,
  redeliverFailed,
} from '../../src/desk/outbox/log.ts';
import { type DeliveryStatus, deliveryStatuses } from '../../src/domain/outbox/delivery.ts';
import { fit } from '../../src/domain/plain-text.ts';
import { presentDelivery } from '../../src/http/wire/outbox/channel.ts';
import { addCommand, type CommonOptions, requireSite, show } from '../command.ts';
import { UsageError } from '../errors.ts';
import { atLeastOne, momentOf, oneOf, orList, rowId } from '../flags.ts';
import { type Opened, withDesk } from '../opened-desk.ts';
import { bold, fields, plain, plainLines, table } from '../output/text.ts';

type SiteFlags = CommonOptions & { site: string };
type Shown = Awaited<ReturnType<typeof showable>>;
type Attempt = Shown['attempts'][number];

/** A delivery as the API shows it to a token with the ability `manage`. */
export async function showable(opened: Opened, logged: LoggedDelivery) {
  const { requestBodyOf } = await import('../../src/outbox/delivery-content.ts');
  return opened.read((tx) => {
    const material = materialOf(tx, opened.ctx(), logged.delivery);
    return presentDelivery(logged, material, material && requestBodyOf(material, opened.data.addresses.baseUrl), true);
  });
}

export function addDeliveryCommands(group: Command): void {
  addDeliveries(group);
  addRedeliver(group);
}

type ListFlags = SiteFlags & { status?: DeliveryStatus; limit: string };

function addDeliveries(group: Command): void {
  requireSite(
    addCommand(
      group,
      'deliveries <id> [delivery]',
      'list the deliveries of a channel, newest first, or show one with all its attempts',
      'helpdesk channel deliveries 2 --site web-shop --status failed',
    ),
  )
    .option('--status <status>', orList(deliveryStatuses))
    .option('--limit <number>', 'how many to list', '50')
    .action((id: string, delivery: string | undefined, flags: ListFlags) =>
      withDesk(flags, async (opened) => {
        if (flags.status !== undefined) oneOf(deliveryStatuses, flags.status, '--status');
        if (delivery === undefined) await listDeliveries(opened, flags, rowId(id));
        else await showDelivery(opened, flags, rowId(id), delivery);
      }),
    );
}

async function listDeliveries(opened: Opened, flags: ListFlags, channelId: number): Promise<void> {
  const limit = atLeastOne(flags.limit, '--limit');
  const { rows, total } = opened.read((tx) =>
    listChannelDeliveries(tx, opened.ctx(), flags.site, channelId, flags.status ?? null, limit, 0),
  );
  const shown = await Promise.all(rows.map((row) => showable(opened, row)));
  show(flags, {
    json: { data: shown, meta: { total } },
    text: () =>
      table(
        ['id', 'event', 'status', 'attempts', 'response', 'took', 'error', 'created', 'next attempt'],
        shown.map((one) => [
          one.id,
          one.event,
          one.status,
          one.attempts.length,
          responseOf(one.attempts.at(-1), 40),
          tookOf(one.attempts.at(-1)),
          one.last_error,
          one.created_at,
          one.next_attempt_at,
        ]),
      ),
  });
}

async function showDelivery(opened: Opened, flags: ListFlags, channelId: number, delivery: string): Promise<void> {
  atLeastOne(flags.limit, '--limit');
  const logged = opened.read((tx) => readChannelDelivery(tx, opened.ctx(), flags.site, channelId, delivery));
  const shown = await showable(opened, logged);
  show(flags, { json: { data: shown }, text: () => inFull(shown) });
}

function responseOf(attempt: Attempt | undefined, maxLength: number): string {
  const excerpt = plain(attempt?.response_excerpt ?? '').trim();
  return [attempt?.response_status ?? '', fit(excerpt, maxLength)].join(' ').trim();
}

const tookOf = (attempt: Attempt | undefined) => (attempt === undefined ? null : `${attempt.duration_ms} ms`);

/** The request that is sent, and each attempt with its whole response. */
function inFull({ request, attempts, ...rest }: Shown): string {
  return [
    fields({ ...rest, url: request?.url, body: request?.body }),
    ...attempts.map((attempt, at) =>
      [
        `${bold(`attempt ${at + 1}`)}  ${attempt.at}  ${tookOf(attempt)}  ${attempt.error ?? attempt.response_status ?? 'no response'}`,
        ...(attempt.response_excerpt === '' ? [] : [plainLines(attempt.response_excerpt)]),
      ].join('\n'),
    ),
  ].join('\n\n');
}

type RedeliverFlags = SiteFlags & { since?: string; until?: string };

function addRedeliver(group: Command): void {
  requireSite(
    addCommand(
      group,
      'redeliver <id> [delivery]',
      'send one delivery again, or all that failed in a period',
      'helpdesk channel redeliver 2 --site web-shop --since 2d',
    ),
  )
    .option('--since <when>', 'start of the period: a time, or a span such as 2d')
    .option('--until <when>', 'end of the period: a time, or a span such as 1h (default: now)')
    .action((id: string, delivery: string | undefined, flags: RedeliverFlags) =>
      withDesk(flags, async (opened) => {
        const { since } = flags;
        if (delivery !== undefined && since === undefined) await redeliverOne(opened, flags, rowId(id), delivery);
        else if (delivery === undefined && since !== undefined) await redeliverSince(opened, flags, rowId(id), since);
        else throw new UsageError('Name either one delivery or a period with --since.');
      }),
    );
}

async function redeliverOne(opened: Opened, flags: RedeliverFlags, id: number, delivery: string): Promise<void> {
  if (flags.until !== undefined) throw new UsageError('--until needs --since.');
  const logged = await opened.write((tx, ctx) => redeliver(tx, ctx, flags.site, id, delivery));
  const shown = await showable(opened, logged);
  const held = shown.event === 'channel.test' ? '' : whenHeld(opened, flags.site, id);
  show(flags, { json: { data: shown }, text: () => `Delivery ${shown.id} is queued again.${held}` });
}

async function redeliverSince(opened: Opened, flags: RedeliverFlags, id: number, since: string): Promise<void> {
  const from = momentOf(since, '--since', -1);
  const until = flags.until === undefined ? opened.ctx().now : momentOf(flags.until, '--until', -1);
  if (until < from) throw new UsageError('--until is before --since.');
  let total = 0;
  for (let afterId: number | null = 0; afterId !== null; ) {
    const after: number = afterId;
    const some = await opened.write((tx, ctx) =>
      redeliverFailed(tx, ctx, flags.site, id, { since: from, until }, after),
    );
    total += some.total;
    afterId = some.afterId;
  }
  const held = total === 0 ? '' : whenHeld(opened, flags.site, id);
  show(flags, {
    json: { data: { requeued: total } },
    text: () => `${total} ${total === 1 ? 'delivery is' : 'deliveries are'} queued again.${held}`,
  });
}

function whenHeld(opened: Opened, site: string, id: number): string {
  const { row } = opened.read((tx) => channels.read(tx, opened.ctx(), site, id));
  if (row.isActive) return '';
  return ` The channel is disabled, so nothing is sent until \`helpdesk channel enable ${id} --site ${site}\`.`;
}
